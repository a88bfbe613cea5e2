//! The sensitive values of a release of exact people.

use super::MatchingValues;
use super::runs::Runs;
use scumble_table::{Error, Result};
use std::borrow::Cow;

/// One sensitive column whose values are known group by group.
///
/// Each place of a group is a value that one of its people has. It carries a key, which is what a predicate sees of
/// the sensitive columns, and the number that is aggregated, which may be null.
#[derive(Debug, Clone)]
pub struct Pool {
    starts: Vec<u32>,
    /// Keys of the places, group by group: first those with a number, rising, then those without.
    keys: Vec<u32>,
    n_keys: usize,
    all: Runs,
}

impl Pool {
    /// `starts` are the group boundaries, from 0 to the number of places. `keys` are the codes of the places, all
    /// below `n_keys`, in any order inside a group. `number` gives the aggregated value of a key, or nothing where it
    /// is null.
    ///
    /// # Errors
    /// If boundaries or keys contradict each other.
    pub fn new(starts: Vec<u32>, keys: &[u32], n_keys: usize, number: impl Fn(u32) -> Option<i128>) -> Result<Self> {
        let framed = starts.first() == Some(&0) && starts.last().is_some_and(|&end| end as usize == keys.len());
        if !framed || starts.windows(2).any(|w| w[0] > w[1]) {
            return Err(Error::bug("groups do not rise from 0 to the number of values"));
        }
        if keys.iter().any(|&key| key as usize >= n_keys) {
            return Err(Error::bug("a value has a key that does not exist"));
        }
        let keys = sorted(&starts, keys, n_keys, &number);
        let groups = starts.windows(2).map(|w| keys[w[0] as usize..w[1] as usize].iter().map(|&key| number(key)));
        let all = Runs::from_groups(groups, keys.len());
        Ok(Pool { starts, keys, n_keys, all })
    }

    /// Number of groups.
    pub fn n_groups(&self) -> usize {
        self.starts.len() - 1
    }

    /// Number of people in a group.
    pub fn size(&self, group: u32) -> u64 {
        u64::from(self.starts[group as usize + 1] - self.starts[group as usize])
    }

    /// The same groups where only values whose key is marked match; `None` lets all match. Time is linear in the
    /// number of places, and none where all match.
    ///
    /// # Errors
    /// If there is not one mark for each key.
    pub fn matching(&self, keys: Option<&[bool]>) -> Result<MatchingValues<'_>> {
        let Some(marks) = keys else { return Ok(MatchingValues { pool: self, runs: Cow::Borrowed(&self.all) }) };
        if marks.len() != self.n_keys {
            return Err(Error::bug("a predicate does not mark every key"));
        }
        let groups = (0u32..).zip(self.starts.windows(2)).map(|(group, w)| {
            let run = self.all.group(group);
            let places = (0u64..).zip(&self.keys[w[0] as usize..w[1] as usize]);
            let marked = places.filter(|(_, key)| marks[**key as usize]);
            marked.map(move |(place, _)| (place < run.len()).then(|| run.value(place)))
        });
        Ok(MatchingValues { pool: self, runs: Cow::Owned(Runs::from_groups(groups, 0)) })
    }
}

/// The keys of each group by rising number, null last. Numbers are compared once per key; groups are sorted by rank.
fn sorted(starts: &[u32], keys: &[u32], n_keys: usize, number: &impl Fn(u32) -> Option<i128>) -> Vec<u32> {
    let mut order: Vec<u32> = (0..n_keys as u32).collect();
    order.sort_by_cached_key(|&key| {
        let number = number(key);
        (number.is_none(), number)
    });
    let mut rank = vec![0u32; n_keys];
    order.iter().enumerate().for_each(|(at, &key)| rank[key as usize] = at as u32);
    let mut result = keys.to_vec();
    for w in starts.windows(2) {
        result[w[0] as usize..w[1] as usize].sort_unstable_by_key(|&key| rank[key as usize]);
    }
    result
}
