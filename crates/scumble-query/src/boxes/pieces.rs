//! Long lines and decimals, cut at the numbers that a condition compares them with: between two of them no comparison
//! changes.

use scumble_table::Decimal;

/// A point where comparisons change, or the open stretch between two, in units of half a step, so that there is a value
/// between any two.
#[derive(Clone, Copy)]
pub(super) struct Piece {
    pub(super) lo: i128,
    pub(super) hi: i128,
    pub(super) is_point: bool,
}

impl Piece {
    pub(super) fn holds(&self, at: i128) -> bool {
        if self.is_point { at == self.lo } else { self.lo < at && at < self.hi }
    }

    /// A value strictly inside an open stretch; a whole step where values are whole.
    pub(super) fn inside(&self, discrete: bool) -> i128 {
        if discrete { self.lo.div_euclid(2) * 2 + 2 } else { self.lo + (self.hi - self.lo) / 2 }
    }
}

/// What an interval in half steps has of each piece: whole steps where values are whole, else length.
pub(super) fn share(pieces: &[Piece], lo: i128, hi: i128, discrete: bool) -> Vec<(u32, f64)> {
    let mut found = Vec::new();
    for (cell, piece) in pieces.iter().enumerate() {
        let (from, to) = (piece.lo.max(lo), piece.hi.min(hi));
        let size = match (discrete, piece.is_point) {
            (_, true) if (lo..=hi).contains(&piece.lo) => Some(if discrete || lo == hi { 1.0 } else { 0.0 }),
            (_, true) => None,
            (true, false) => {
                // Even numbers strictly inside the piece and inside the interval.
                let first = if piece.lo < lo { lo + lo.rem_euclid(2) } else { piece.lo.div_euclid(2) * 2 + 2 };
                let last = if piece.hi > hi { hi - hi.rem_euclid(2) } else { (piece.hi - 1).div_euclid(2) * 2 };
                (first <= last).then(|| ((last - first) / 2 + 1) as f64)
            }
            (false, false) if lo == hi => piece.holds(lo).then_some(1.0),
            (false, false) => (from < to).then(|| (to - from) as f64),
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
pub(super) fn cut(lo: Decimal, hi: Decimal, scale: u8, literals: &[Decimal]) -> Option<(Vec<Piece>, u8)> {
    let discrete = scale == 0;
    // Among whole numbers a literal between two of them cuts at both.
    let digits = literals.iter().map(|literal| literal.scale()).max().unwrap_or(0);
    let scale = if discrete { 0 } else { scale.max(digits) };
    let half = |number: Decimal| number.at_scale(scale).and_then(|units| units.checked_mul(2));
    let (lo, hi) = (half(lo)?, half(hi)?);
    let mut cuts = vec![lo, hi];
    for literal in literals {
        if discrete && !literal.is_integer() {
            let below = literal.mantissa().div_euclid(10i128.checked_pow(literal.scale().into())?);
            cuts.extend([below.checked_mul(2)?, below.checked_add(1)?.checked_mul(2)?]);
        } else {
            cuts.push(half(*literal)?);
        }
    }
    cuts.retain(|cut| (lo..=hi).contains(cut));
    cuts.sort_unstable();
    cuts.dedup();
    let mut pieces = Vec::with_capacity(2 * cuts.len());
    for (at, &cut) in cuts.iter().enumerate() {
        if at > 0 {
            let piece = Piece { lo: cuts[at - 1], hi: cut, is_point: false };
            if !discrete || piece.inside(true) < piece.hi {
                pieces.push(piece);
            }
        }
        pieces.push(Piece { lo: cut, hi: cut, is_point: true });
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
            prop_assert_eq!(scale, 0);
            let shares = share(&pieces, 2 * i128::from(a), 2 * i128::from(b), true);
            prop_assert!((shares.iter().map(|(_, share)| share).sum::<f64>() - 1.0).abs() < 1e-9);
            for (cell, piece) in pieces.iter().enumerate() {
                let inside = (a..=b).filter(|&n| piece.holds(2 * i128::from(n))).count() as f64 / (b - a + 1) as f64;
                let found = shares.iter().find(|(at, _)| *at == cell as u32).map_or(0.0, |(_, share)| *share);
                prop_assert!((found - inside).abs() < 1e-9, "{} {}", found, inside);
                // No literal lies strictly inside a piece among whole numbers.
                let truth = |n: i64| literals.iter().map(|literal| Decimal::from(n) < *literal).collect::<Vec<_>>();
                let mut held = (lo..=hi).filter(|&n| piece.holds(2 * i128::from(n))).map(truth);
                if let Some(first) = held.next() {
                    prop_assert!(held.all(|other| other == first));
                }
            }
            let (pieces, scale) = cut(Decimal::from(lo), Decimal::from(hi), 1, &literals).unwrap();
            prop_assert_eq!(scale, 1);
            let shares = share(&pieces, 20 * i128::from(a), 20 * i128::from(b), false);
            prop_assert!((shares.iter().map(|(_, share)| share).sum::<f64>() - 1.0).abs() < 1e-9);
        }
    }
}
