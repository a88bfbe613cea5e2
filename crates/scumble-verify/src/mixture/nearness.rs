//! Which values are near which, and how many of a group may be.

use scumble_principle::{DissimilarityTest, Neighbourhood, Test};
use scumble_table::{Bag, Code, Decimal};
use std::collections::BTreeMap;

/// A principle whose groups may fail it together.
#[derive(Debug, Clone, Copy)]
pub enum Nearness<'a> {
    /// At most one row in m is near a number.
    Proximity {
        /// Which numbers are near which.
        near: &'a Neighbourhood,
        /// The m of the principle.
        m: u64,
    },
    /// At most a share 1 - delta of the others is near a value.
    Dissimilarity(&'a DissimilarityTest),
}

/// The values that too many rows of a group are near.
pub(super) enum CrowdedValues {
    /// Runs of values, rising.
    Runs(Vec<(Code, Code)>),
    /// There are too many values to list them: each is asked about.
    Asked,
}

/// Up to this many distinct values, neighbours are kept as bits, and listing those of a group is cheap.
const LISTED: usize = 1 << 14;

impl<'a> Nearness<'a> {
    /// The principle behind a test, where groups that meet it may fail it together.
    pub fn from_test(test: &'a dyn Test) -> Option<Self> {
        let proximity = test.neighbourhood().map(|(near, m)| Nearness::Proximity { near, m });
        proximity.or_else(|| test.dissimilarity().map(Nearness::Dissimilarity))
    }

    /// Rows near a value, which need not be among them.
    #[inline]
    pub(super) fn rows_near(&self, value: Code, counts: &[(Code, u32)]) -> u64 {
        match self {
            Nearness::Proximity { near, .. } => near.rows_near(value, counts),
            Nearness::Dissimilarity(test) => test.rows_near(value, counts),
        }
    }

    /// The allowed share as a fraction.
    pub(super) fn allowed(&self) -> (u128, u128) {
        match self {
            Nearness::Proximity { m, .. } => (1, u128::from((*m).max(1))),
            Nearness::Dissimilarity(test) => share_left(test.principle().delta()),
        }
    }

    /// Whether the person's own row is left out of beliefs.
    pub(super) fn is_about_others(&self) -> bool {
        matches!(self, Nearness::Dissimilarity(_))
    }

    /// Whether a group meets the principle itself.
    pub(super) fn holds_alone(&self, bag: &Bag) -> bool {
        match self {
            Nearness::Proximity { near, m } => {
                u128::from(near.most_near(bag)) * u128::from(*m) <= u128::from(bag.size())
            }
            Nearness::Dissimilarity(test) => test.holds(bag),
        }
    }

    /// Whether a group of `size` rows may have `near` rows near a value of another group.
    #[inline]
    pub(super) fn admits(&self, near: u64, size: u32) -> bool {
        let (part, whole) = self.allowed();
        // Parts and wholes are below 2^96, see `share_left`; rows below 2^32.
        u128::from(near) * whole <= part * u128::from(size)
    }

    /// The values, of a group or not, that too many of its rows are near.
    pub(super) fn crowded(&self, counts: &[(Code, u32)], size: u32) -> CrowdedValues {
        match self {
            Nearness::Proximity { near, .. } => {
                // A row counts for the numbers whose neighbourhood it lies in, which are a run.
                let mut steps: Vec<(Code, i64)> = Vec::with_capacity(2 * counts.len());
                for &(code, n) in counts {
                    let (first, last) = near.holders(code);
                    steps.push((first, i64::from(n)));
                    steps.push((last + 1, -i64::from(n)));
                }
                steps.sort_unstable_by_key(|step| step.0);
                let (mut runs, mut rows, mut from) = (Vec::new(), 0i64, None);
                for same in steps.chunk_by(|a, b| a.0 == b.0) {
                    rows += same.iter().map(|step| step.1).sum::<i64>();
                    match (from, self.admits(rows.unsigned_abs(), size)) {
                        (None, false) => from = Some(same[0].0),
                        (Some(first), true) => {
                            runs.push((first, same[0].0 - 1));
                            from = None;
                        }
                        _ => {}
                    }
                }
                CrowdedValues::Runs(runs)
            }
            Nearness::Dissimilarity(test) if test.neighbours().len() <= LISTED => {
                let mut rows: BTreeMap<Code, u64> = BTreeMap::new();
                for &(code, n) in counts {
                    test.neighbours().each_near(code, |other| *rows.entry(other).or_default() += u64::from(n));
                }
                let too_many = rows.into_iter().filter(|&(_, near)| !self.admits(near, size));
                CrowdedValues::Runs(too_many.map(|(code, _)| (code, code)).collect())
            }
            Nearness::Dissimilarity(_) => CrowdedValues::Asked,
        }
    }
}

/// 1 - delta as a fraction. Deltas have few digits; one of more than 28 is rounded up at the 28th, which is the safe side.
fn share_left(delta: Decimal) -> (u128, u128) {
    const DIGITS: u8 = 28;
    let (mut mantissa, mut scale) = (delta.mantissa().unsigned_abs(), delta.scale());
    while scale > DIGITS {
        mantissa = mantissa.div_ceil(10);
        scale -= 1;
    }
    let whole = 10u128.pow(u32::from(scale));
    (whole.saturating_sub(mantissa), whole)
}
