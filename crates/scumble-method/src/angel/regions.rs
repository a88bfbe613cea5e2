//! Leaves that batches are dealt in: runs of buckets, found by cuts that both parts survive.
//!
//! Rows in an order of the buckets are cut in two as long as both parts can be dealt. Cuts lie between buckets, the
//! one nearest to the middle first, so which are tried depends on quasi-identifiers alone. Whether one is made depends on the
//! values of its parts. A cut that was made tells nothing about who of a leaf has which of its values, and one that was not made does:
//! that a part would have failed. [`Ends::Drawn`] bounds what all refusals on the way to a leaf tell by a [`Lottery`], at the price of
//! larger leaves.

use super::chance::ChanceDealer;
use super::distinct::Distinct;
use crate::coins::Purpose;
use crate::draws::Source;
use crate::lottery::Lottery;
use crate::task::least_size;
use scumble_principle::{BoundRequirements, Group};
use scumble_table::{Bag, Monitor, Table};
use std::ops::Range;

/// Where a run may be cut, in tenths of its length, in the order in which they are tried.
const TENTHS: [usize; 5] = [5, 4, 6, 3, 7];

/// Runs of at most this many buckets may be cut between any two of them, where a refusal costs nothing.
const FEW_BUCKETS: usize = 16;

/// Runs below this many times the least size of a batch are leaves: cut further, most batches would hold the
/// values of their leaf and nothing would be left to chance.
const SHORT: usize = 4;

/// Runs above this size are cut on two threads.
const FORK: usize = 1 << 14;

/// Where leaves end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ends {
    /// As deep as both parts of a cut can be dealt.
    Free,
    /// As deep as a lot lets them, so that refusals tell little.
    Drawn(Lottery),
}

/// What all runs share. Rows are named by their place in the order of the buckets.
pub(super) struct Regions<'a> {
    pub(super) bound: &'a BoundRequirements,
    /// The sensitive columns of the rows in that order.
    pub(super) sensitive: &'a Table,
    /// Batches of different values, where they serve.
    pub(super) distinct: Option<Distinct>,
    /// Where each bucket starts, closed by the number of places.
    pub(super) buckets: &'a [u32],
    pub(super) ends: Ends,
    /// How leaves will be dealt.
    pub(super) chance: &'a ChanceDealer<'a>,
    pub(super) source: &'a dyn Source,
    pub(super) monitor: Monitor<'a>,
}

impl Regions<'_> {
    /// Divides the places `0..n`, of which all together must satisfy the requirements.
    pub(super) fn find(&self, n: usize) -> Vec<Range<usize>> {
        let mut found = Vec::new();
        match self.ends {
            Ends::Free => self.divide(0..n, 0, &mut found),
            Ends::Drawn(lot) if self.slack(0..n).is_some() && self.people_suffice(0..n) => {
                self.divide(0..n, lot.budget, &mut found);
            }
            // How near the requirements are to failing is not known: any cut might tell much.
            Ends::Drawn(_) => found.push(0..n),
        }
        found
    }

    fn divide(&self, run: Range<usize>, left: u64, found: &mut Vec<Range<usize>>) {
        let cut = match self.ends {
            _ if self.monitor.is_cancelled() => None,
            Ends::Free => self.first_that_passes(&run).map(|at| (at, left)),
            Ends::Drawn(lot) => self.drawn(&run, &lot, left),
        };
        let Some((at, left)) = cut else {
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

    /// The first place at which both parts of a run can be dealt.
    fn first_that_passes(&self, run: &Range<usize>) -> Option<usize> {
        let least = self.least_size();
        if run.len() < least.saturating_mul(SHORT) {
            return None;
        }
        let fits = |at: &usize| *at - run.start >= least && run.end - *at >= least;
        let passes = |part: Range<usize>| match self.chance.whose {
            None => !self.bound.needs_values() || self.can_be_dealt(part),
            Some(_) => self.can_be_dealt_to_people(part),
        };
        let few = self.few_ends(run);
        let cuts = few.unwrap_or_else(|| self.between_buckets(run));
        cuts.into_iter().filter(fits).find(|&at| passes(run.start..at) && passes(at..run.end))
    }

    /// Where a run is cut if a lot allows it, and what is left of the budget then.
    fn drawn(&self, run: &Range<usize>, lot: &Lottery, mut left: u64) -> Option<(usize, u64)> {
        let least = self.least_size();
        let place = (run.start as u64) << 32 | run.len() as u64;
        let mut draws = self.source.at(Purpose::Cuts, place);
        for at in self.between_buckets(run) {
            let smaller = (at - run.start).min(run.end - at);
            // Whose rows are whose tells nothing about their values, and so does this.
            if smaller < least || !self.people_suffice(run.start..at) || !self.people_suffice(at..run.end) {
                continue;
            }
            if !self.bound.needs_values() {
                return Some((at, left));
            }
            let Some(trial) = lot.trial((smaller / least) as u64, left) else { continue };
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
        let least = least_size(self.bound);
        self.distinct.map_or(least, |distinct| distinct.m.max(least))
    }

    /// The ends of buckets inside a run.
    fn ends_inside(&self, run: &Range<usize>) -> &[u32] {
        let start = self.buckets.partition_point(|&bucket| bucket as usize <= run.start);
        let end = self.buckets.partition_point(|&bucket| (bucket as usize) < run.end);
        &self.buckets[start..end]
    }

    /// The ends of buckets nearest to the tenths of a run.
    fn between_buckets(&self, run: &Range<usize>) -> Vec<usize> {
        let inside = self.ends_inside(run);
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

    /// The ends of buckets inside a run of few, those nearest to its middle first.
    fn few_ends(&self, run: &Range<usize>) -> Option<Vec<usize>> {
        let inside = self.ends_inside(run);
        if inside.len() >= FEW_BUCKETS {
            return None;
        }
        let mut cuts: Vec<usize> = inside.iter().map(|&bucket| bucket as usize).collect();
        cuts.sort_by_key(|&at| (2 * at).abs_diff(run.start + run.end));
        Some(cuts)
    }

    /// Whether the values of a run can be dealt into batches that pass, no matter who has which of them.
    fn can_be_dealt(&self, run: Range<usize>) -> bool {
        if let Some(Distinct { column, m }) = self.distinct {
            return u64::from(self.bag(column, run.clone()).top()) <= (run.len() / m) as u64;
        }
        self.bound.holds(Group { size: run.len() as u64, bags: &self.bags(&run) })
    }

    /// The same where people have several rows. Where that follows from how many rows of each value and person there are,
    /// nothing else is asked; else batches must be found.
    fn can_be_dealt_to_people(&self, run: Range<usize>) -> bool {
        let by_values = !self.bound.needs_values() || self.can_be_dealt(run.clone());
        by_values
            && (self.chance.least_apart().is_some() && self.people_suffice(run.clone())
                || self.chance.deal(run).is_some())
    }

    /// Whether nobody has too many rows of a run, so that it can be dealt if its values can. Where people have several rows and
    /// the requirements look at more than how often values occur, nobody can tell.
    fn people_suffice(&self, run: Range<usize>) -> bool {
        let Some(whose) = self.chance.whose else { return true };
        let n = run.len();
        self.chance.least_apart().is_some_and(|m| whose.most_rows(run.start as u32..run.end as u32) <= n / m)
    }

    /// By how many rows the values of a run can be dealt into batches that pass, no matter who has which of them.
    fn slack(&self, run: Range<usize>) -> Option<i64> {
        let n = run.len();
        if let Some(Distinct { column, m }) = self.distinct {
            let top = i64::from(self.bag(column, run).top());
            return Some((n / m) as i64 - top);
        }
        self.bound.slack(Group { size: n as u64, bags: &self.bags(&run) })
    }

    /// The bags of a run that the requirements look at.
    fn bags(&self, run: &Range<usize>) -> Vec<Bag> {
        let mut bags = vec![Bag::default(); self.sensitive.schema().attributes().len()];
        for column in self.bound.sensitive_needed() {
            bags[column] = self.bag(column, run.clone());
        }
        bags
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
