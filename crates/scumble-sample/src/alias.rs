//! Draws from any discrete distribution in constant time (Walker 1977, in the
//! construction of Vose 1991).
//!
//! The values lie in columns of one height; a value too light to fill its
//! column shares it with exactly one other. Any column is as likely as the
//! next, and a second coin decides between its lower and its upper part:
//!
//! ```text
//!   weights 1 2 3      upper part   2 1 2
//!                      lower part   0 1 2
//! ```

use crate::rng::Rng;

/// A distribution over `0..n`.
pub(crate) struct Alias {
    columns: Box<[Column]>,
}

/// A column holds its own value below `keep` parts in 2^32 and `other` above.
#[derive(Clone, Copy)]
struct Column {
    keep: u32,
    other: u16,
}

impl Alias {
    /// The distribution in proportion to `weights`.
    ///
    /// Weights are first rounded to whole parts, so that the construction is
    /// exact: the usual one in floating point can leave a value of weight zero
    /// over at the end and give it a full column. Weights that are negative or
    /// no numbers count as zero; if all are zero, all values are alike.
    pub(crate) fn new(weights: &[f64]) -> Alias {
        let total: f64 = weights.iter().map(|weight| weight.max(0.0)).sum();
        let mut parts: Vec<u64> =
            weights.iter().map(|weight| (weight.max(0.0) / total * PARTS).round() as u64).collect();
        if parts.iter().all(|part| *part == 0) {
            parts.fill(1);
        }
        let height: u64 = parts.iter().sum();
        let n = parts.len() as u64;
        for part in &mut parts {
            *part *= n;
        }
        let (mut small, mut large): (Vec<u16>, Vec<u16>) =
            (0..weights.len() as u16).partition(|value| parts[usize::from(*value)] < height);
        let full = |value| Column { keep: u32::MAX, other: value };
        let mut columns: Box<[Column]> = (0..weights.len() as u16).map(full).collect();
        // The parts left add up to one height per column left, so a small one
        // always finds a large one, and the last columns are exactly full.
        while let (Some(low), Some(high)) = (small.pop(), large.pop()) {
            let part = parts[usize::from(low)];
            columns[usize::from(low)] =
                Column { keep: ((u128::from(part) << 32) / u128::from(height)) as u32, other: high };
            let rest = &mut parts[usize::from(high)];
            *rest -= height - part;
            if *rest < height {
                small.push(high);
            } else {
                large.push(high);
            }
        }
        Alias { columns }
    }

    /// A distribution of two values, of which 1 has the given chance.
    pub(crate) fn coin(chance: f64) -> Alias {
        Alias::new(&[1.0 - chance, chance])
    }

    /// One value; one call of the generator.
    #[inline]
    pub(crate) fn draw(&self, rng: &mut Rng) -> usize {
        let bits = rng.bits();
        let at = (((bits >> 32) * self.columns.len() as u64) >> 32) as usize;
        let column = self.columns[at];
        if (bits as u32) < column.keep { at } else { usize::from(column.other) }
    }
}

/// Fine enough that rounding to parts is far below what 2^32 coins can show,
/// and coarse enough that parts times values fit 64 bits.
const PARTS: f64 = (1_u64 << 40) as f64;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Coins;

    /// The chance of every value, read off the columns.
    fn chances(alias: &Alias) -> Vec<f64> {
        let n = alias.columns.len();
        let mut chances = vec![0.0; n];
        for (value, column) in alias.columns.iter().enumerate() {
            let keep = f64::from(column.keep) / 4_294_967_296.0;
            chances[value] += keep / n as f64;
            chances[usize::from(column.other)] += (1.0 - keep) / n as f64;
        }
        chances
    }

    #[test]
    fn columns_hold_the_weights() {
        let zipf: Vec<f64> = (1..=1000).map(|rank| 1.0 / f64::from(rank)).collect();
        for weights in [&[1.0, 2.0, 5.0][..], &[0.5], &[3.0, 0.0, 0.0, 1e-3], &zipf] {
            let total: f64 = weights.iter().sum();
            for (chance, weight) in chances(&Alias::new(weights)).iter().zip(weights) {
                assert!((chance - weight / total).abs() < 1e-8, "{weights:?}");
            }
        }
    }

    #[test]
    fn weight_zero_is_never_drawn() {
        // Thirds round, which is what leaves a zero over in floating point.
        let weights = [1.0 / 3.0, 0.0, 1.0 / 3.0, 0.0, 0.1, 1.0 / 3.0, 0.0];
        let chances = chances(&Alias::new(&weights));
        for zero in [1, 3, 6] {
            assert_eq!(chances[zero], 0.0);
        }
        let alias = Alias::new(&weights);
        let mut rng = Coins::new(1, 1).for_block(0);
        assert!((0..100_000).all(|_| weights[alias.draw(&mut rng)] > 0.0));
    }

    #[test]
    fn weights_without_sense_are_zero() {
        assert_eq!(chances(&Alias::new(&[f64::NAN, 1.0, -4.0]))[1], 1.0);
        for chance in chances(&Alias::new(&[0.0, 0.0])) {
            assert!((chance - 0.5).abs() < 1e-8);
        }
    }

    #[test]
    fn draws_follow_the_weights() {
        let alias = Alias::coin(0.25);
        let mut rng = Coins::new(8, 8).for_block(8);
        let ones: usize = (0..100_000).map(|_| alias.draw(&mut rng)).sum();
        assert!(ones.abs_diff(25_000) < 700, "{ones}");
    }
}
