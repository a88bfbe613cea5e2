//! The sensitive values of one group: all that a principle may look at.

use crate::{Code, NULL};

/// How often each code occurs in a group. The same code judges raw and published groups, since a
/// bag knows neither rows nor files.
///
/// Members are rows, or people: somebody with several rows is one member and may have several values, so the counts of a bag of
/// people add up to more than its size.
///
/// Invariant: codes rise strictly, counts are positive, `total` is their sum.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Bag {
    counts: Vec<(Code, u32)>,
    total: u64,
    size: u64,
    /// Members who have another value than null, where that does not follow from the counts.
    with_value: Option<u64>,
}

impl Bag {
    /// The bag of some codes, in any order.
    pub fn from_codes(codes: impl IntoIterator<Item = Code>) -> Self {
        let mut codes: Vec<Code> = codes.into_iter().collect();
        let mut bag = Bag::default();
        let n_codes = codes.iter().max().map_or(0, |&code| code as usize + 1);
        // Where values are fewer than rows, counting them is quicker than sorting.
        if n_codes <= codes.len() {
            let mut counts = vec![0u32; n_codes];
            codes.iter().for_each(|&code| counts[code as usize] += 1);
            bag.refill_sorted((0..).zip(counts));
        } else {
            bag.refill(&mut codes);
        }
        bag
    }

    /// The bag of a histogram indexed by code.
    ///
    /// # Panics
    /// If one value occurs more than `u32::MAX` times; tables have fewer rows than that.
    pub fn from_histogram(histogram: &[u64]) -> Self {
        let counts: Vec<(Code, u32)> = histogram
            .iter()
            .enumerate()
            .filter(|(_, n)| **n > 0)
            .map(|(code, n)| (code as Code, u32::try_from(*n).expect("tables have fewer than 2^32 rows")))
            .collect();
        let total = counts.iter().map(|(_, n)| u64::from(*n)).sum();
        Bag { total, size: total, counts, with_value: None }
    }

    /// Makes this the bag of `codes`, which are sorted in place; keeps the allocation, for searches
    /// that judge millions of small groups.
    pub fn refill(&mut self, codes: &mut [Code]) {
        codes.sort_unstable();
        self.refill_sorted(codes.iter().map(|&code| (code, 1)));
    }

    /// Makes this the bag of (code, count) pairs whose codes do not fall; pairs of count 0 are skipped.
    pub fn refill_sorted(&mut self, pairs: impl IntoIterator<Item = (Code, u32)>) {
        self.counts.clear();
        self.size = 0;
        for (code, n) in pairs {
            if n == 0 {
                continue;
            }
            self.size += u64::from(n);
            match self.counts.last_mut() {
                Some((last, count)) if *last == code => *count += n,
                _ => self.counts.push((code, n)),
            }
        }
        self.total = self.size;
        self.with_value = None;
        debug_assert!(self.counts.windows(2).all(|w| w[0].0 < w[1].0));
    }

    /// The same counts in a group with this number of people.
    pub fn set_size(&mut self, people: u64) {
        debug_assert!(people <= self.total, "everybody has a value");
        self.size = people;
    }

    /// Says how many members have another value than null, where people may have several values.
    pub fn set_with_value(&mut self, people: u64) {
        debug_assert!(people <= self.size, "nobody has a value who is not there");
        self.with_value = Some(people);
    }

    /// The same group without null: members who have no other value are left out. Of people of whom it was not said how many
    /// have a value, everybody with a null is left out, which makes no share smaller.
    #[must_use]
    pub fn without_missing(&self) -> Bag {
        let missing = u64::from(self.count(NULL));
        let counts: Vec<(Code, u32)> = self.counts.iter().copied().filter(|(code, _)| *code != NULL).collect();
        let size = self.with_value.unwrap_or(self.size.saturating_sub(missing));
        Bag { counts, total: self.total - missing, size, with_value: None }
    }

    /// (code, count) pairs with rising codes.
    pub fn counts(&self) -> &[(Code, u32)] {
        &self.counts
    }

    /// Number of members: what shares are shares of.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// The sum of all counts, which is that of members where each has one value: what distributions are made of.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// Number of distinct codes, null among them if present.
    pub fn distinct(&self) -> usize {
        self.counts.len()
    }

    /// The greatest count; 0 for an empty bag.
    pub fn top(&self) -> u32 {
        self.counts.iter().map(|(_, n)| *n).max().unwrap_or(0)
    }

    /// How often a code occurs.
    pub fn count(&self, code: Code) -> u32 {
        self.counts.binary_search_by_key(&code, |pair| pair.0).map_or(0, |at| self.counts[at].1)
    }

    /// The bag of both groups together.
    #[must_use]
    pub fn union(&self, other: &Bag) -> Bag {
        let mut pairs: Vec<(Code, u32)> = self.counts.iter().chain(&other.counts).copied().collect();
        pairs.sort_unstable_by_key(|pair| pair.0);
        let mut bag = Bag::default();
        bag.refill_sorted(pairs);
        // Of people it is not known who is in both.
        debug_assert!(self.size == self.total && other.size == other.total, "people of two groups cannot be added");
        bag
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_and_many_values_are_counted_alike() {
        for codes in [vec![], vec![0], vec![7], vec![2, 0, 2, 1, 2], vec![900, 3, 900, 4_000_000_000]] {
            let mut sorted = Bag::default();
            sorted.refill(&mut codes.clone());
            assert_eq!(Bag::from_codes(codes.iter().copied()), sorted, "{codes:?}");
        }
    }

    #[test]
    fn missing_values_are_left_out_with_their_members() {
        let mut bag = Bag::from_codes([NULL, NULL, 1, 2, 2]);
        assert_eq!(bag.without_missing(), Bag::from_codes([1, 2, 2]));
        // Four people: two have a null, one of whom has a value too.
        bag.set_size(4);
        let (counts, size) = (bag.without_missing().counts().to_vec(), bag.without_missing().size());
        assert_eq!((counts, size), (vec![(1, 1), (2, 2)], 2));
        bag.set_with_value(3);
        assert_eq!((bag.without_missing().size(), bag.without_missing().total()), (3, 3));
        assert_eq!(Bag::from_codes([NULL]).without_missing(), Bag::default());
    }

    #[test]
    fn counts_and_unions() {
        let a = Bag::from_codes([3, 1, 3]);
        assert_eq!(a.counts(), [(1, 1), (3, 2)]);
        assert_eq!((a.size(), a.distinct(), a.top(), a.count(3), a.count(2)), (3, 2, 2, 2, 0));
        let b = a.union(&Bag::from_codes([2, 3]));
        assert_eq!(b.counts(), [(1, 1), (2, 1), (3, 3)]);
        assert_eq!(Bag::from_histogram(&[0, 1, 1, 3]), b);
        assert_eq!(Bag::default().top(), 0);
    }
}
