//! What a published text covers along one column, in ranks of the source's values.

use std::sync::Arc;

/// A set of ranks: a run, perhaps with holes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Span {
    /// First rank.
    pub(crate) lo: u32,
    /// One past the last rank; `lo == end` covers nothing.
    pub(crate) end: u32,
    /// Where the run has holes: how many ranks below each are members.
    below: Option<Arc<[u32]>>,
}

impl Span {
    /// All ranks of a run.
    pub(crate) fn run(lo: u32, end: u32) -> Self {
        Span { lo, end: end.max(lo), below: None }
    }

    /// The given ranks, rising; `n_ranks` is one past the greatest rank of the column.
    pub(crate) fn of(ranks: &[u32], n_ranks: u32) -> Self {
        let (Some(&lo), Some(&last)) = (ranks.first(), ranks.last()) else { return Span::run(0, 0) };
        if (last - lo) as usize + 1 == ranks.len() {
            return Span::run(lo, last + 1);
        }
        let mut below = vec![0u32; n_ranks.max(last + 1) as usize + 1];
        for &rank in ranks {
            below[rank as usize + 1] = 1;
        }
        for at in 1..below.len() {
            below[at] += below[at - 1];
        }
        Span { lo, end: last + 1, below: Some(below.into()) }
    }

    /// Length of the run.
    pub(crate) fn width(&self) -> u32 {
        self.end - self.lo
    }

    /// True if a rank is a member.
    pub(crate) fn holds(&self, rank: u32) -> bool {
        (self.lo..self.end).contains(&rank) && self.n_within(rank, rank) == 1
    }

    /// True if every rank from `a` to `b` is a member.
    pub(crate) fn holds_all(&self, a: u32, b: u32) -> bool {
        self.lo <= a && b < self.end && (self.below.is_none() || self.n_within(a, b) == b - a + 1)
    }

    /// True if some rank from `a` to `b` is a member.
    pub(crate) fn meets(&self, a: u32, b: u32) -> bool {
        self.lo <= b && a < self.end && (self.below.is_none() || self.n_within(a.max(self.lo), b.min(self.end - 1)) > 0)
    }

    /// Members from `a` to `b`, both inside the run.
    fn n_within(&self, a: u32, b: u32) -> u32 {
        match &self.below {
            Some(below) => below[b as usize + 1] - below[a as usize],
            None => b - a + 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_and_holes() {
        let holes = Span::of(&[2, 4, 5], 9);
        assert_eq!((0..9).filter(|&r| holes.holds(r)).collect::<Vec<_>>(), [2, 4, 5]);
        assert!(holes.holds_all(4, 5) && !holes.holds_all(2, 4) && !holes.holds_all(5, 6));
        assert!(holes.meets(3, 4) && !holes.meets(3, 3) && !holes.meets(6, 8) && holes.meets(0, 8));
        assert_eq!(Span::of(&[3, 4], 9), Span::run(3, 5));
        assert!(!Span::of(&[], 9).meets(0, 8) && !Span::run(0, 0).holds(0));
    }
}
