//! Long lines and decimals, cut at the numbers that a condition compares them with: between two of them no comparison
//! changes.

use scumble_table::Decimal;

/// A point where comparisons change, or the open stretch between two, in units of half a step, so that there is a value
/// between any two.
#[derive(Clone, Copy)]
pub(super) struct AxisPiece {
    pub(super) lo: i128,
    pub(super) hi: i128,
    pub(super) is_point: bool,
}

impl AxisPiece {
    pub(super) fn holds(&self, at: i128) -> bool {
        if self.is_point { at == self.lo } else { self.lo < at && at < self.hi }
    }

    /// A value of the piece.
    pub(super) fn inside(&self) -> i128 {
        self.lo + (self.hi - self.lo) / 2
    }
}

/// What an interval in half steps has of each piece: length or, where a `step` is given since all numbers that show are
/// whole, the number of multiples of it. Nothing is counted on to lie between them, but it may.
pub(super) fn share(pieces: &[AxisPiece], lo: i128, hi: i128, step: Option<i128>) -> Vec<(u32, f64)> {
    let mut found = Vec::new();
    for (cell, piece) in pieces.iter().enumerate() {
        let (from, to) = (piece.lo.max(lo), piece.hi.min(hi));
        let size = match (step, piece.is_point) {
            (_, true) if !(lo..=hi).contains(&piece.lo) => None,
            (_, true) if lo == hi => Some(1.0),
            (Some(step), true) => Some(if piece.lo % step == 0 { 1.0 } else { 0.0 }),
            (None, true) => Some(0.0),
            (_, false) if lo == hi => piece.holds(lo).then_some(1.0),
            (_, false) if from >= to => None,
            (Some(step), false) => {
                // Multiples inside the interval and strictly inside the piece.
                let first = lo.max(piece.lo + 1).div_euclid(step) * step;
                let first = if first < lo.max(piece.lo + 1) { first + step } else { first };
                let last = hi.min(piece.hi - 1).div_euclid(step) * step;
                Some(if first <= last { ((last - first) / step + 1) as f64 } else { 0.0 })
            }
            (None, false) => Some((to - from) as f64),
        };
        if let Some(size) = size {
            found.push((cell as u32, size));
        }
    }
    let total: f64 = found.iter().map(|(_, size)| size).sum();
    for (_, size) in &mut found {
        *size = if total > 0.0 { *size / total } else { 0.0 };
    }
    found
}

/// A line from `lo` to `hi` cut at literals, and the scale of its units; nothing where these have too many digits.
pub(super) fn cut(lo: Decimal, hi: Decimal, scale: u8, literals: &[Decimal]) -> Option<(Vec<AxisPiece>, u8)> {
    let scale = literals.iter().map(|literal| literal.scale()).max().unwrap_or(0).max(scale);
    let half = |number: Decimal| number.at_scale(scale).and_then(|units| units.checked_mul(2));
    let (lo, hi) = (half(lo)?, half(hi)?);
    // Halves of steps are shown with one more digit, and both must still be numbers of 38 digits.
    let most = 10i128.pow(37);
    if scale > 36 || lo.abs().max(hi.abs()) >= most / 5 {
        return None;
    }
    let mut cuts = vec![lo, hi];
    for literal in literals {
        cuts.push(half(*literal)?);
    }
    cuts.retain(|cut| (lo..=hi).contains(cut));
    cuts.sort_unstable();
    cuts.dedup();
    let mut pieces = Vec::with_capacity(2 * cuts.len());
    for (at, &cut) in cuts.iter().enumerate() {
        if at > 0 {
            let piece = AxisPiece { lo: cuts[at - 1], hi: cut, is_point: false };
            pieces.push(piece);
        }
        pieces.push(AxisPiece { lo: cut, hi: cut, is_point: true });
    }
    Some((pieces, scale))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Shares of pieces are those of the points in them, for whole numbers and for tenths on a fine grid.
        #[test]
        fn shares_are_those_of_points(lo in -20i64..20, length in 0i64..30, from in 0i64..30, to in 0i64..30, literals in proptest::collection::vec(-250i64..250, 0..4)) {
            let hi = lo + length;
            let (a, b) = (lo + from.min(to).min(length), lo + from.max(to).min(length));
            let literals: Vec<Decimal> = literals.iter().map(|&tenths| Decimal::new(tenths.into(), 1)).collect();
            let (pieces, scale) = cut(Decimal::from(lo), Decimal::from(hi), 0, &literals).unwrap();
            let unit = 2 * 10i128.pow(scale.into());
            let shares = share(&pieces, unit * i128::from(a), unit * i128::from(b), Some(unit));
            prop_assert!((shares.iter().map(|(_, share)| share).sum::<f64>() - 1.0).abs() < 1e-9);
            for (cell, piece) in pieces.iter().enumerate() {
                let inside = (a..=b).filter(|&n| piece.holds(unit * i128::from(n))).count() as f64 / (b - a + 1) as f64;
                let found = shares.iter().find(|(at, _)| *at == cell as u32).map_or(0.0, |(_, share)| *share);
                prop_assert!((found - inside).abs() < 1e-9, "{} {}", found, inside);
                // No literal lies strictly inside a piece.
                prop_assert!(literals.iter().all(|literal| piece.is_point || !piece.holds(2 * literal.at_scale(scale).unwrap())));
            }
            let (pieces, scale) = cut(Decimal::from(lo), Decimal::from(hi), 1, &literals).unwrap();
            let unit = 2 * 10i128.pow(scale.into());
            let shares = share(&pieces, unit * i128::from(a), unit * i128::from(b), None);
            prop_assert!((shares.iter().map(|(_, share)| share).sum::<f64>() - 1.0).abs() < 1e-9);
        }
    }
}
