//! Beliefs where records match that are alike.

use super::line::Line;
use super::units::Shares;
use super::{Beliefs, Person};
use scumble_table::Code;

/// The shares of each class, side by side.
pub(super) struct Alike<'a> {
    shares: &'a Shares,
    line: &'a Line,
    /// Where the entries of each class begin; closed by their number.
    starts: Vec<u32>,
    /// Sums of units before each entry.
    before: Vec<i64>,
    /// Units of the value that has most, by class.
    most: Vec<i64>,
}

impl<'a> Alike<'a> {
    pub(super) fn new(shares: &'a Shares, line: &'a Line) -> Self {
        let mut before = vec![0];
        shares.entries.iter().for_each(|entry| before.push(before[before.len() - 1] + entry.2));
        let mut most = vec![0; shares.n_classes];
        shares.entries.iter().for_each(|&(class, _, units)| most[class as usize] = units.max(most[class as usize]));
        Alike { shares, line, starts: shares.starts(), before, most }
    }

    fn entries(&self, class: u32) -> (usize, usize) {
        match self.starts.get(class as usize + 1) {
            Some(&end) => (self.starts[class as usize] as usize, end as usize),
            // People whose known values no record shows.
            None => (0, 0),
        }
    }

    /// Units of a class in a run of codes.
    fn within(&self, class: u32, (from, to): (Code, Code)) -> i64 {
        let (first, end) = self.entries(class);
        let entries = &self.shares.entries[first..end];
        let place = |code: Code| first + entries.partition_point(|entry| entry.1 < code);
        self.before[place(to)] - self.before[place(from)]
    }
}

impl Beliefs for Alike<'_> {
    fn all(&self, known: u32) -> i64 {
        let (first, end) = self.entries(known);
        self.before[end] - self.before[first]
    }

    fn most(&self, known: u32) -> i64 {
        self.most.get(known as usize).copied().unwrap_or(0)
    }

    fn own(&self, _at: usize, &(known, code, _): &Person) -> i64 {
        self.within(known, (code, code + 1))
    }

    fn near(&self, _at: usize, &(known, code, _): &Person) -> i64 {
        self.within(known, self.line.near(code))
    }
}
