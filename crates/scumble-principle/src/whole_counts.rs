//! How often each value occurs in the whole release: what the shares of a group are measured against.

use scumble_table::{Bag, Code, Domain, Error, Result};

/// The counts of all published members, by value.
#[derive(Debug)]
pub(crate) struct WholeCounts {
    /// By code.
    counts: Box<[u32]>,
    /// The codes that occur, rarest first.
    rarest_first: Box<[Code]>,
    members: u64,
}

impl WholeCounts {
    /// The counts of `whole`, whose codes are those of `domain`.
    ///
    /// # Errors
    /// If there are more members than a table has rows; with fewer, every product below fits its integer.
    pub(crate) fn new(domain: &Domain, whole: &Bag) -> Result<Self> {
        if whole.total() > u64::from(u32::MAX) {
            return Err(Error::request("rows", whole.total().to_string(), "a table holds at most 4294967295 rows"));
        }
        let mut counts = vec![0; domain.n_codes()];
        for &(code, count) in whole.counts() {
            let place =
                counts.get_mut(code as usize).ok_or_else(|| Error::bug("a bag holds a code that its domain lacks"))?;
            *place = count;
        }
        let mut rarest_first: Vec<Code> = whole.counts().iter().map(|pair| pair.0).collect();
        rarest_first.sort_by_key(|&code| counts[code as usize]);
        Ok(WholeCounts { counts: counts.into(), rarest_first: rarest_first.into(), members: whole.size() })
    }

    /// How often a value occurs in the whole; 0 for one that does not.
    pub(crate) fn count(&self, code: Code) -> u32 {
        self.counts.get(code as usize).copied().unwrap_or(0)
    }

    /// The number of members of the whole: what its shares are shares of.
    pub(crate) fn members(&self) -> u64 {
        self.members
    }

    /// The number of different values.
    pub(crate) fn distinct(&self) -> usize {
        self.rarest_first.len()
    }

    /// The count of the rarest value; 0 for an empty whole.
    pub(crate) fn rarest(&self) -> u32 {
        self.rarest_first.first().map_or(0, |&code| self.count(code))
    }

    /// The count of the rarest value that a group lacks, where it lacks one.
    pub(crate) fn rarest_absent(&self, group: &Bag) -> Option<u32> {
        if group.distinct() >= self.distinct() {
            return None;
        }
        let absent = self.rarest_first.iter().find(|&&code| group.count(code) == 0);
        absent.map(|&code| self.count(code))
    }

    /// The counts from the most frequent value to the rarest.
    pub(crate) fn falling(&self) -> impl Iterator<Item = u32> + '_ {
        self.rarest_first.iter().rev().map(|&code| self.count(code))
    }

    /// Each value of a group as a pair whose quotient is its share in the group divided by its share in the whole; the
    /// second is 0 for a value that the whole lacks. With c of n members in the group and C of N in the whole these are c N and C n.
    pub(crate) fn ratios<'a>(&'a self, group: &'a Bag) -> impl Iterator<Item = (u128, u128)> + 'a {
        let (n, members) = (u128::from(group.size()), u128::from(self.members));
        group.counts().iter().map(move |&(code, count)| (u128::from(count) * members, u128::from(self.count(code)) * n))
    }
}

/// The greatest whole number below a limit that `admits` tells, from a guess that is nearly right; `admits` is true of 0
/// and of all numbers up to the one that is looked for.
pub(crate) fn greatest_admitted(guess: f64, admits: impl Fn(u64) -> bool) -> u64 {
    let mut found = guess.max(0.0) as u64;
    while found > 0 && !admits(found) {
        found -= 1;
    }
    while admits(found + 1) {
        found += 1;
    }
    found
}
