//! How the values of a node are grouped into bins on one axis, between which it may be cut.
//!
//! A cut between any two neighbouring values would be tried if there were time; on an axis with
//! many values neighbours are joined into bins of about equal count. Null always has a bin of its
//! own, so that it can be set apart.

use super::rows::{Position, Row};
use crate::axis::{Axis, Shape};

/// How the positions of an axis are joined into bins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Binning {
    /// Into at most this many, of about equal count; null has one of its own.
    AtMost(usize),
    /// Into two, up to the middle row and above it.
    BinDivision,
}

/// The bins of one axis in a node.
#[derive(Debug, Default)]
pub(crate) struct Bins {
    /// (position, rows) of the positions that occur, ascending.
    occurring: Vec<(u32, u32)>,
    /// Rows of each bin.
    pub(crate) counts: Vec<u32>,
    /// Greatest position of each bin (interval axes).
    pub(crate) last: Vec<u32>,
    sorting: Vec<u32>,
    histogram: Vec<u32>,
    ordered: Vec<(u32, u32)>,
}

impl Bins {
    /// Finds the bins of `rows` on axis `a` and writes the bin of every occurring position into
    /// `bin_of`. Positions that do not occur keep stale entries, which are never read.
    pub(crate) fn find<L: Position, const D: usize>(
        &mut self,
        axis: &Axis,
        a: usize,
        rows: &[Row<L, D>],
        bin_of: &mut [u16],
        binning: Binning,
    ) {
        self.count(a, rows, axis.size());
        self.counts.clear();
        self.last.clear();
        match (binning, axis.shape()) {
            (Binning::BinDivision, _) => self.by_median(rows.len(), bin_of),
            (Binning::AtMost(most), Shape::Interval) => self.by_count(most, bin_of),
            (Binning::AtMost(most), Shape::Tree) => self.by_child(axis, most, bin_of),
            (Binning::AtMost(most), Shape::Set) => self.by_frequency(most, bin_of),
        }
    }

    /// Fills `occurring`: by a histogram when the positions are dense, else by sorting.
    fn count<L: Position, const D: usize>(&mut self, a: usize, rows: &[Row<L, D>], size: usize) {
        self.occurring.clear();
        if size <= rows.len() * 4 {
            self.histogram.clear();
            self.histogram.resize(size, 0);
            for row in rows {
                let position: u32 = row.at[a].into();
                self.histogram[position as usize] += 1;
            }
            self.occurring
                .extend(self.histogram.iter().enumerate().filter(|(_, n)| **n > 0).map(|(p, n)| (p as u32, *n)));
        } else {
            self.sorting.clear();
            self.sorting.extend(rows.iter().map(|row| -> u32 { row.at[a].into() }));
            self.sorting.sort_unstable();
            for &position in &self.sorting {
                match self.occurring.last_mut() {
                    Some((last, n)) if *last == position => *n += 1,
                    _ => self.occurring.push((position, 1)),
                }
            }
        }
    }

    /// Interval axes: neighbours share a bin until it holds its share of the rows.
    fn by_count(&mut self, most: usize, bin_of: &mut [u16]) {
        let occurring = std::mem::take(&mut self.occurring);
        self.fill(&occurring, most, bin_of);
        self.occurring = occurring;
    }

    /// Two bins: positions up to that of the middle row, and the rest. Where the middle row has the
    /// greatest position, that one makes the second bin by itself.
    fn by_median(&mut self, n_rows: usize, bin_of: &mut [u16]) {
        let greatest = self.occurring.last().map_or(0, |pair| pair.0);
        let occurring = std::mem::take(&mut self.occurring);
        for &(position, n) in &occurring {
            let below = self.counts.first().copied().unwrap_or(0) as usize;
            let starts_second = self.counts.len() == 1 && (2 * below >= n_rows || position == greatest);
            self.put(position, n, self.counts.is_empty() || starts_second, bin_of);
        }
        self.occurring = occurring;
    }

    /// Puts the rows of a position into the last bin, or into one more.
    #[inline]
    fn put(&mut self, position: u32, n: u32, opens: bool, bin_of: &mut [u16]) {
        if opens {
            self.counts.push(0);
            self.last.push(position);
        }
        let bin = self.counts.len() - 1;
        self.counts[bin] += n;
        self.last[bin] = position;
        bin_of[position as usize] = bin as u16;
    }

    /// Set axes: the same with labels by falling frequency in this node, so that halves stay
    /// comparable and the tree shallow however many labels there are.
    fn by_frequency(&mut self, most: usize, bin_of: &mut [u16]) {
        let mut ordered = std::mem::take(&mut self.ordered);
        ordered.clear();
        ordered.extend_from_slice(&self.occurring);
        // Null first, so that a prefix can set it apart; then common before rare.
        ordered.sort_unstable_by_key(|&(position, n)| (position != 0, std::cmp::Reverse(n), position));
        self.fill(&ordered, most, bin_of);
        self.ordered = ordered;
    }

    /// Puts positions into bins in the order given; null has one of its own.
    fn fill(&mut self, in_order: &[(u32, u32)], most: usize, bin_of: &mut [u16]) {
        let n_rows: usize = in_order.iter().map(|pair| pair.1 as usize).sum();
        let share = if in_order.len() <= most { 0 } else { n_rows / most };
        let mut after_null = false;
        for &(position, n) in in_order {
            let opens = after_null || self.counts.last().is_none_or(|&held| held as usize >= share);
            self.put(position, n, opens, bin_of);
            after_null = position == 0;
        }
    }

    /// Tree axes: the children of the lowest node over the rows, and null.
    fn by_child(&mut self, axis: &Axis, most: usize, bin_of: &mut [u16]) {
        let mut values = self.occurring.iter().map(|pair| pair.0).filter(|&p| p > 0);
        let (Some(low), Some(high)) = (values.clone().next(), values.next_back()) else {
            return self.by_count(most, bin_of);
        };
        let level = axis.common_level(low, high).saturating_sub(1);
        let mut child = None;
        let occurring = std::mem::take(&mut self.occurring);
        for &(position, n) in &occurring {
            let here = Some((position == 0, axis.ancestor(level, position)));
            // Beyond the limit the remaining children share the last bin.
            let opens = here != child && self.counts.len() < u16::MAX as usize;
            if opens {
                child = here;
            }
            self.put(position, n, opens, bin_of);
        }
        self.occurring = occurring;
    }

    /// Least position that occurs.
    pub(crate) fn first(&self) -> u32 {
        self.occurring.first().map_or(0, |pair| pair.0)
    }

    /// Number of labels that occur, null not counted.
    pub(crate) fn n_labels(&self) -> u32 {
        self.occurring.iter().filter(|pair| pair.0 > 0).count() as u32
    }

    /// Number of bins.
    pub(crate) fn len(&self) -> usize {
        self.counts.len()
    }

    /// Positions of some bins that occur.
    pub(crate) fn positions_in<'a>(
        &'a self,
        bin_of: &'a [u16],
        wanted: impl Fn(u16) -> bool + 'a,
    ) -> impl Iterator<Item = u32> + 'a {
        self.occurring.iter().map(|pair| pair.0).filter(move |&p| wanted(bin_of[p as usize]))
    }
}
