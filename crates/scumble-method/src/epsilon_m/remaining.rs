//! The rows of a leaf that are in no group yet, in the order of their sensitive values.
//!
//! A residue class takes every q-th of them, and a random seed is the r-th of them, so the r-th must
//! be found fast: a binary indexed tree of counts.

/// A set of the numbers `0..n`, all in it at first.
#[derive(Debug)]
pub(crate) struct Remaining {
    counts: Vec<u32>,
    /// The greatest power of two not above n.
    top: usize,
    len: usize,
}

impl Remaining {
    /// All of `0..n`.
    pub(crate) fn all(n: usize) -> Self {
        let mut counts: Vec<u32> = vec![1; n + 1];
        counts[0] = 0;
        for i in 1..=n {
            let parent = i + (i & i.wrapping_neg());
            if parent <= n {
                counts[parent] += counts[i];
            }
        }
        Remaining { counts, top: if n == 0 { 0 } else { 1 << n.ilog2() }, len: n }
    }

    /// How many are left.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Takes one out; it must be there.
    pub(crate) fn remove(&mut self, item: usize) {
        self.len -= 1;
        self.add(item, -1);
    }

    /// Puts one back; it must not be there.
    pub(crate) fn insert(&mut self, item: usize) {
        self.len += 1;
        self.add(item, 1);
    }

    fn add(&mut self, item: usize, change: i32) {
        let mut i = item + 1;
        while i < self.counts.len() {
            self.counts[i] = self.counts[i].wrapping_add_signed(change);
            i += i & i.wrapping_neg();
        }
    }

    /// How many of those that are left lie below `item`.
    pub(crate) fn below(&self, item: usize) -> usize {
        let (mut i, mut sum) = (item, 0);
        while i > 0 {
            sum += self.counts[i] as usize;
            i &= i - 1;
        }
        sum
    }

    /// The one with `rank` others below it; `rank` must be below [`Remaining::len`].
    pub(crate) fn nth(&self, rank: usize) -> usize {
        let (mut at, mut rank, mut step) = (0, rank as u32, self.top);
        while step > 0 {
            if at + step < self.counts.len() && self.counts[at + step] <= rank {
                at += step;
                rank -= self.counts[at];
            }
            step /= 2;
        }
        at
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn ranks_are_those_of_a_list(n in 1usize..70, toggles in prop::collection::vec(0usize..70, 0..90)) {
            let (mut list, mut set) = (vec![true; n], Remaining::all(n));
            for item in toggles {
                let item = item % n;
                if list[item] { set.remove(item) } else { set.insert(item) }
                list[item] = !list[item];
                let left: Vec<usize> = (0..n).filter(|&i| list[i]).collect();
                prop_assert_eq!(set.len(), left.len());
                prop_assert!(left.iter().enumerate().all(|(rank, &i)| set.nth(rank) == i && set.below(i) == rank));
            }
        }
    }
}
