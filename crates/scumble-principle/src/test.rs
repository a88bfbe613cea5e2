//! A principle tied to a table.

use crate::{Attained, DissimilarityTest, Neighbourhood};
use scumble_table::{Bag, Code, NULL};
use std::fmt::Debug;

/// A principle tied to a table: a pure, exact and cheap test of a group.
///
/// A bag must come from the column the principle was bound to. Null is a value like another.
pub trait Test: Debug + Send + Sync {
    /// True if the group may be published; an empty group may not.
    fn holds(&self, group: &Bag) -> bool;

    /// How safe the group is.
    fn attained(&self, group: &Bag) -> Attained;

    /// False only if no division of `group` into two or more passing groups can exist. Cheap, so
    /// it may say true where a longer look would say false; it does not repeat [`Test::holds`].
    fn divisible(&self, group: &Bag) -> bool {
        group.size() / 2 >= self.least_size()
    }

    /// True if the union of two passing groups passes. A search that prunes must ask.
    fn monotone(&self) -> bool {
        false
    }

    /// True if a group that passes still does with any rows added, and in any other table. Not so where a share or a
    /// distribution matters, though the union of passing groups may pass.
    fn superset_closed(&self) -> bool {
        false
    }

    /// No group of fewer rows can pass.
    fn least_size(&self) -> u64 {
        1
    }

    /// False only if the group neither passes nor can be divided into groups that all pass (paper 1, Definition
    /// 12, calls a group that can be generalizable). Where the test is monotone that is the same as failing, for
    /// the group is the union of its parts. A test that is not may know a theorem; without one, the
    /// answer is whether there are rows enough.
    fn generalizable(&self, group: &Bag) -> bool {
        self.holds(group) || !self.monotone() && self.divisible(group)
    }

    /// The most that a division of all rows can attain in every group, with which
    /// [`Principle::alternatives`](crate::Principle::alternatives) and [`Principle::reason`](crate::Principle::reason) explain why a requirement cannot be
    /// met. Where the test is monotone no division attains more than the whole does as one group.
    fn best(&self, whole: &Bag) -> Attained {
        self.attained(whole)
    }

    /// Which values are near which, and the m of the principle, where it is a proximity principle:
    /// a search that keeps near values apart meets it by construction.
    fn neighbourhood(&self) -> Option<(&Neighbourhood, u64)> {
        None
    }

    /// The test itself, where it is (epsilon, delta)^k-dissimilarity: a search that colours its graph meets it.
    fn dissimilarity(&self) -> Option<&DissimilarityTest> {
        None
    }

    /// By how many rows a group passes, where that can be told: a whole number that is negative exactly if the group fails,
    /// and that changes by at most one when the value of one of its rows does. A search that must not tell which groups
    /// failed leaves its choices to a lot whose odds follow this number.
    fn slack(&self, _group: &Bag) -> Option<i64> {
        None
    }

    /// True if members without a value are not counted: a search must not take null for one of the values that a group needs.
    fn ignores_missing(&self) -> bool {
        false
    }

    /// False where only the size matters: then a group passes exactly if it has
    /// [`Test::least_size`] rows, and a search can skip the values.
    fn needs_values(&self) -> bool {
        true
    }
}

/// The counts of a group without null, which is no number.
pub(crate) fn numbers(group: &Bag) -> &[(Code, u32)] {
    match group.counts() {
        [(NULL, _), numbers @ ..] => numbers,
        all => all,
    }
}

/// What `most` exceeds `held` by.
pub(crate) fn rows_between(held: u64, most: u64) -> i64 {
    let whole = |rows: u64| i64::try_from(rows).unwrap_or(i64::MAX);
    whole(most) - whole(held)
}

/// Whether two disjoint parts of `group` could each hold `distinct` different values. Each value
/// serves at most two parts and a value that occurs once serves one, so the values must offer
/// `2 * distinct` places; and where they do, dealing the repeated ones to both sides and the single
/// ones in turn fills the places.
pub(crate) fn room_for_two(group: &Bag, distinct: u64) -> bool {
    if (group.distinct() as u64) < distinct {
        return false;
    }
    let mut wanted = distinct.saturating_mul(2);
    for &(_, count) in group.counts() {
        wanted = wanted.saturating_sub(u64::from(count.min(2)));
        if wanted == 0 {
            return true;
        }
    }
    wanted == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_parts_share_the_values() {
        let bag = |codes: &[u32]| Bag::from_codes(codes.iter().copied());
        assert!(room_for_two(&bag(&[1, 1, 2, 3]), 2));
        assert!(!room_for_two(&bag(&[1, 1, 1, 2, 2]), 3));
        assert!(!room_for_two(&bag(&[1, 1, 1, 1, 2]), 2));
        assert!(!room_for_two(&bag(&[]), 1) && !room_for_two(&bag(&[1, 2]), u64::MAX));
    }
}
