//! Regions that batches are dealt in: runs of buckets, found by cuts whose refusals tell little.
//!
//! Rows in an order of the buckets are cut in two as long as a [`Lot`] lets them. Cuts lie between buckets, the
//! one nearest to the middle first, so which are tried depends on quasi-identifiers alone. Whether one is made depends on the values of its
//! parts through the lot, which bounds what all refusals on the way to a region tell.

use super::distinct::Distinct;
use crate::coins::Purpose;
use crate::draws::Source;
use crate::lot::Lot;
use scumble_principle::{BoundRequirements, Group};
use scumble_table::{Bag, Table};
use std::ops::Range;

/// Where a run may be cut, in tenths of its length, in the order in which they are tried.
const TENTHS: [usize; 5] = [5, 4, 6, 3, 7];

/// Runs above this size are cut on two threads.
const FORK: usize = 1 << 14;

/// What all runs share. Rows are named by their place in the order of the buckets.
pub(super) struct Regions<'a> {
    pub(super) bound: &'a BoundRequirements,
    /// The sensitive columns of the rows in that order.
    pub(super) sensitive: &'a Table,
    /// Batches of different values, where they serve.
    pub(super) distinct: Option<Distinct>,
    /// Where each bucket starts, closed by the number of places.
    pub(super) buckets: &'a [u32],
    pub(super) lot: Lot,
    pub(super) source: &'a dyn Source,
}

impl Regions<'_> {
    /// Divides the places `0..n`, of which all together must satisfy the requirements.
    pub(super) fn find(&self, n: usize) -> Vec<Range<usize>> {
        let mut found = Vec::new();
        match self.slack(0..n) {
            // Nobody knows how near these requirements are to failing: any cut might tell much.
            None => found.push(0..n),
            Some(_) => self.divide(0..n, self.lot.budget, &mut found),
        }
        found
    }

    fn divide(&self, run: Range<usize>, left: u64, found: &mut Vec<Range<usize>>) {
        let Some((at, left)) = self.cut(run.clone(), left) else {
            found.push(run);
            return;
        };
        if run.len() < FORK {
            self.divide(run.start..at, left, found);
            self.divide(at..run.end, left, found);
            return;
        }
        let mut after = Vec::new();
        rayon::join(|| self.divide(run.start..at, left, found), || self.divide(at..run.end, left, &mut after));
        found.append(&mut after);
    }

    /// Where a run is cut, and what is left of the budget then.
    fn cut(&self, run: Range<usize>, mut left: u64) -> Option<(usize, u64)> {
        let least = self.least_size();
        let place = (run.start as u64) << 32 | run.len() as u64;
        let mut draws = self.source.at(Purpose::Cuts, place);
        for at in self.between_buckets(&run) {
            let smaller = (at - run.start).min(run.end - at);
            if smaller < least {
                continue;
            }
            if !self.bound.needs_values() {
                return Some((at, left));
            }
            let Some(trial) = self.lot.trial((smaller / least) as u64, left) else { continue };
            let slack = self.slack(run.start..at)?.min(self.slack(at..run.end)?);
            if !trial.refuses(slack, &mut *draws) {
                return Some((at, left));
            }
            left = trial.left;
        }
        None
    }

    /// Rows that a batch has at least.
    fn least_size(&self) -> usize {
        let least = usize::try_from(self.bound.least_size()).unwrap_or(usize::MAX).max(1);
        self.distinct.map_or(least, |distinct| distinct.m.max(least))
    }

    /// The ends of buckets nearest to the tenths of a run.
    fn between_buckets(&self, run: &Range<usize>) -> Vec<usize> {
        let start = self.buckets.partition_point(|&bucket| bucket as usize <= run.start);
        let end = self.buckets.partition_point(|&bucket| (bucket as usize) < run.end);
        let inside = &self.buckets[start..end];
        let mut cuts: Vec<usize> = Vec::new();
        for tenths in TENTHS {
            let wanted = run.start + run.len() * tenths / 10;
            let after = inside.partition_point(|&bucket| bucket as usize <= wanted);
            let around = inside[after.saturating_sub(1)..(after + 1).min(inside.len())].iter();
            if let Some(&nearest) = around.min_by_key(|&&bucket| (bucket as usize).abs_diff(wanted))
                && !cuts.contains(&(nearest as usize))
            {
                cuts.push(nearest as usize);
            }
        }
        cuts
    }

    /// By how many rows the values of a run can be dealt into batches that pass, whoever has which of them.
    fn slack(&self, run: Range<usize>) -> Option<i64> {
        let n = run.len();
        if let Some(Distinct { column, m }) = self.distinct {
            let top = i64::from(self.bag(column, run).top());
            return Some((n / m) as i64 - top);
        }
        let needed = self.bound.sensitive_needed();
        let mut bags = vec![Bag::default(); self.sensitive.schema().attributes().len()];
        for column in needed {
            bags[column] = self.bag(column, run.clone());
        }
        self.bound.slack(Group { size: n as u64, bags: &bags })
    }

    fn bag(&self, column: usize, run: Range<usize>) -> Bag {
        let codes = self.sensitive.column(column);
        let n_codes = self.sensitive.attribute(column).domain.n_codes();
        if n_codes > 2 * run.len() {
            return Bag::from_codes(run.map(|place| codes.get(place)));
        }
        let mut histogram = vec![0u64; n_codes];
        run.for_each(|place| histogram[codes.get(place) as usize] += 1);
        Bag::from_histogram(&histogram)
    }
}
