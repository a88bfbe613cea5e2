//! The distance where any two different values are equally far apart.

use super::{EarthMover, least_by_share};
use crate::exact::Fraction;
use scumble_table::{Bag, Domain};

/// Half the sum of |c/n - C/N| over all values, c of n in the group and C of N in the whole. The
/// terms sum to zero without the bars, so it is also the sum of the positive ones, and only values
/// of the group can have those: absent values need no look.
#[derive(Debug)]
pub(super) struct Equal {
    /// C by code.
    counts: Box<[u32]>,
    whole: Bag,
}

impl Equal {
    pub(super) fn new(domain: &Domain, whole: &Bag) -> Self {
        let mut counts = vec![0; domain.n_codes()];
        for &(code, count) in whole.counts() {
            counts[code as usize] = count;
        }
        Equal { counts: counts.into(), whole: whole.clone() }
    }
}

impl EarthMover for Equal {
    fn distance(&self, group: &Bag) -> Option<(u128, u128)> {
        let (n, total) = (group.total(), self.whole.total());
        if n == 0 {
            return None;
        }
        // c, C, n and N are below 2^32, and the sum is at most n * N.
        let mut numer = 0u64;
        for &(code, count) in group.counts() {
            let in_whole = *self.counts.get(code as usize)?;
            if in_whole == 0 {
                return None;
            }
            numer += (u64::from(count) * total).saturating_sub(u64::from(in_whole) * n);
        }
        Some((numer.into(), u128::from(n) * u128::from(total)))
    }

    fn least_size(&self, t: Fraction) -> u64 {
        least_by_share(&self.whole, t, 1)
    }
}
