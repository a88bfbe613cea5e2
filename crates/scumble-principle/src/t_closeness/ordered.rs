//! The distance where values lie on a line, one step apart.

use super::EarthMover;
use crate::exact::Fraction;
use scumble_table::{Bag, Domain};

/// On a line, earth moves past place j exactly as much as the cumulated shares up to j differ, so
/// the distance is the mean over the m - 1 gaps of |have(j)/n - cum(j)/N|.
///
/// `have` only changes at the values of the group. Between two of them it is constant while `cum`
/// rises, so the terms change their sign once; that place is found by bisection and both sides are
/// sums of `cum` over a run of places, prepared as differences of `sums`:
///
/// ```text
///            cum  .  .  o  o  o         have * N / n = 5 between the values at places 1 and 6
///   place  0  1   2  3  4  5  6         cum - 5 is negative up to the cut, positive from it on
///             ^         |     ^
///          value       cut   value
/// ```
#[derive(Debug)]
pub(super) struct Ordered {
    /// Rank by code among the values that occur; `ABSENT` for others.
    places: Box<[u32]>,
    /// Rows up to and including each place.
    cum: Box<[u32]>,
    /// `sums[i]` is the sum of `cum[..i]`.
    sums: Box<[u64]>,
    total: u64,
}

const ABSENT: u32 = u32::MAX;

/// The least size is sought up to here. Groups within t of the whole have about 1/t rows at least,
/// and one search step for each size below must stay cheap compared with the sorting of the column.
const LARGEST_SOUGHT: u64 = 512;

impl Ordered {
    pub(super) fn new(domain: &Domain, whole: &Bag) -> Self {
        let mut places = vec![ABSENT; domain.n_codes()];
        let (mut cum, mut sums) = (Vec::with_capacity(whole.distinct()), Vec::with_capacity(whole.distinct() + 1));
        let (mut rows, mut sum) = (0u32, 0u64);
        sums.push(0);
        for (place, &(code, count)) in whole.counts().iter().enumerate() {
            places[code as usize] = place as u32;
            rows += count;
            sum += u64::from(rows);
            cum.push(rows);
            sums.push(sum);
        }
        Ordered { places: places.into(), cum: cum.into(), sums: sums.into(), total: whole.total() }
    }

    /// The sum of |have * N - cum(j) * n| over the places from `from` to before `to`.
    fn stretch(&self, from: usize, to: usize, have: u64, n: u64) -> u128 {
        if from >= to {
            return 0;
        }
        let level = have * self.total;
        let cut = from + self.cum[from..to].partition_point(|&rows| u64::from(rows) <= level / n);
        let (level, n) = (u128::from(level), u128::from(n));
        let below = level * (cut - from) as u128 - n * u128::from(self.sums[cut] - self.sums[from]);
        let above = n * u128::from(self.sums[to] - self.sums[cut]) - level * (to - cut) as u128;
        below + above
    }

    /// The numerator over (m - 1) * n * N, for places in rising order.
    fn numerator(&self, members: impl Iterator<Item = Option<(u32, u32)>>, n: u64) -> Option<u128> {
        let (mut numer, mut at, mut have) = (0u128, 0usize, 0u64);
        for member in members {
            let (place, count) = member?;
            numer += self.stretch(at, place as usize, have, n);
            at = place as usize;
            have += u64::from(count);
        }
        Some(numer + self.stretch(at, self.cum.len().saturating_sub(1), have, n))
    }

    fn denominator(&self, n: u64) -> u128 {
        self.cum.len().saturating_sub(1).max(1) as u128 * u128::from(n) * u128::from(self.total)
    }
}

impl EarthMover for Ordered {
    fn distance(&self, group: &Bag) -> Option<(u128, u128)> {
        let n = group.total();
        if n == 0 {
            return None;
        }
        let members = group.counts().iter().map(|&(code, count)| {
            let place = *self.places.get(code as usize)?;
            (place != ABSENT).then_some((place, count))
        });
        Some((self.numerator(members, n)?, self.denominator(n)))
    }

    /// On a line the rows of a group of n serve, in order, the n-th parts of the whole, and each
    /// serves its part best from the part's median. So the closest group of n rows is known, and
    /// the least size is the first n for which it is within t.
    fn least_size(&self, t: Fraction) -> u64 {
        let most = LARGEST_SOUGHT.min(self.total);
        for n in 1..=most {
            let medians = (0..n).map(|i| {
                let row = (i * self.total + self.total / 2) / n;
                Some((self.cum.partition_point(|&rows| u64::from(rows) <= row) as u32, 1))
            });
            if self.numerator(medians, n).is_some_and(|numer| t.times_cmp(self.denominator(n), numer).is_ge()) {
                return n;
            }
        }
        most + 1
    }
}
