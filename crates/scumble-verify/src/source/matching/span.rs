//! What a published text covers along one column, in ranks of the source's values.

/// A set of ranks: a run, perhaps with holes.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Span {
    /// First rank.
    pub lo: u32,
    /// One past the last rank; `lo == end` covers nothing.
    pub end: u32,
    /// The members, rising, where the run has holes. Boxes are many and their sets small, so a
    /// list is kept rather than a table of all ranks.
    members: Option<Box<[u32]>>,
}

impl Span {
    /// All ranks of a run.
    pub fn run(lo: u32, end: u32) -> Self {
        Span { lo, end: end.max(lo), members: None }
    }

    /// The given ranks, rising.
    pub fn from_ranks(ranks: Vec<u32>) -> Self {
        let (Some(&lo), Some(&last)) = (ranks.first(), ranks.last()) else { return Span::run(0, 0) };
        if (last - lo) as usize + 1 == ranks.len() {
            return Span::run(lo, last + 1);
        }
        Span { lo, end: last + 1, members: Some(ranks.into()) }
    }

    /// Length of the run.
    pub fn width(&self) -> u32 {
        self.end - self.lo
    }

    /// True if the run is not all members.
    pub fn has_holes(&self) -> bool {
        self.members.is_some()
    }

    /// True if a rank is a member.
    pub fn holds(&self, rank: u32) -> bool {
        (self.lo..self.end).contains(&rank)
            && self.members.as_ref().is_none_or(|members| members.binary_search(&rank).is_ok())
    }

    /// True if every rank from `a` to `b` is a member.
    pub fn holds_all(&self, a: u32, b: u32) -> bool {
        self.lo <= a && b < self.end && (self.members.is_none() || self.n_within(a, b) == b - a + 1)
    }

    /// True if some rank from `a` to `b` is a member.
    pub fn meets(&self, a: u32, b: u32) -> bool {
        self.lo <= b && a < self.end && (self.members.is_none() || self.n_within(a, b) > 0)
    }

    /// True if some rank is a member of both.
    pub fn shares(&self, other: &Span) -> bool {
        let (lo, end) = (self.lo.max(other.lo), self.end.min(other.end));
        if lo >= end {
            return false;
        }
        match (&self.members, &other.members) {
            (Some(members), _) => members.iter().any(|&rank| other.holds(rank)),
            (None, _) => other.meets(lo, end - 1),
        }
    }

    /// Members from `a` to `b`.
    fn n_within(&self, a: u32, b: u32) -> u32 {
        let Some(members) = &self.members else { return 0 };
        (members.partition_point(|&rank| rank <= b) - members.partition_point(|&rank| rank < a)) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_and_holes() {
        let holes = Span::from_ranks(vec![2, 4, 5]);
        assert_eq!((0..9).filter(|&r| holes.holds(r)).collect::<Vec<_>>(), [2, 4, 5]);
        assert!(holes.holds_all(4, 5) && !holes.holds_all(2, 4) && !holes.holds_all(5, 6));
        assert!(holes.meets(3, 4) && !holes.meets(3, 3) && !holes.meets(6, 8) && holes.meets(0, 8));
        assert_eq!(Span::from_ranks(vec![3, 4]), Span::run(3, 5));
        assert!(!Span::from_ranks(vec![]).meets(0, 8) && !Span::run(0, 0).holds(0));
        let (odd, even) = (Span::from_ranks(vec![1, 3, 5]), Span::from_ranks(vec![2, 4, 6]));
        assert!(!odd.shares(&even) && odd.shares(&holes) && holes.shares(&even) && !odd.shares(&Span::run(4, 5)));
        assert!(Span::run(0, 3).shares(&holes) && !Span::run(0, 2).shares(&holes) && !Span::run(3, 4).shares(&holes));
    }
}
