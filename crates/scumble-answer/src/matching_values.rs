//! Answers from exact people whose values are known by group.
//!
//! A group has `N` places, of which `a` match the predicate on sensitive values; the question selects `h` of
//! its people. The number of matching rows among them lies between `L = max(0, h + a - N)` and `U = min(h, a)`,
//! every number between occurs, and with it any choice of that many of the `a` values. Groups are independent, and
//! all choices of `h` of `N` places are equally likely.

use super::bounds::Span;
use super::exact::Total;
use super::runs::{Run, Runs};
use super::{Aggregate, Answer, Confidence, Exact, Moments, Pool};
use scumble_table::{Error, Result};
use std::borrow::Cow;

/// A [`Pool`] under a predicate on its values.
#[derive(Debug, Clone)]
pub struct MatchingValues<'a> {
    pool: &'a Pool,
    runs: Cow<'a, Runs>,
}

/// One group of a question.
#[derive(Debug, Clone, Copy)]
pub(super) struct Hit<'a> {
    /// Its values that match.
    pub(super) run: Run<'a>,
    /// Its people.
    pub(super) size: u64,
    /// Those of them that the question selects.
    pub(super) hits: u64,
}

impl Hit<'_> {
    /// Selected people who must have a matching value that is not null.
    pub(super) fn least(&self) -> u64 {
        (self.hits + self.run.len()).saturating_sub(self.size)
    }

    /// Selected people who may have one.
    pub(super) fn most(&self) -> u64 {
        self.hits.min(self.run.len())
    }

    /// `h (N - h) / (N - 1)`: by which the variance of one draw is multiplied for `h` draws without replacement.
    pub(super) fn spread(&self) -> f64 {
        if self.size < 2 {
            return 0.0;
        }
        self.hits as f64 * (self.size - self.hits) as f64 / (self.size - 1) as f64
    }

    /// The factor of the squared range in the interval that holds for any values: sampling `h` of `N` is as good as
    /// leaving out the other `N - h`, so the smaller of the two counts.
    fn concentration(&self) -> f64 {
        let (n, h) = (self.size as f64, self.hits as f64);
        let of = |h: f64| if h <= 0.0 { 0.0 } else { h * (1.0 - (h - 1.0) / n) };
        of(h).min(of(n - h))
    }
}

/// The places of a group, drawn one after the other until one belongs to somebody who is selected.
pub(super) trait Urn {
    /// The values that match.
    fn run(&self) -> Run<'_>;

    /// The probabilities that the next place belongs to somebody who is selected and that it does not, given that no place
    /// before it did.
    fn draw(&mut self) -> (f64, f64);
}

/// An urn of which a known number of people is selected.
pub(super) struct HitUrn<'a> {
    hit: Hit<'a>,
    places: u64,
}

impl<'a> HitUrn<'a> {
    pub(super) fn of(hit: Hit<'a>) -> Self {
        HitUrn { hit, places: hit.size }
    }
}

impl Urn for HitUrn<'_> {
    fn run(&self) -> Run<'_> {
        self.hit.run
    }

    fn draw(&mut self) -> (f64, f64) {
        let (hits, places) = (self.hit.hits, self.places);
        self.places -= 1;
        (hits as f64 / places as f64, (places - hits) as f64 / places as f64)
    }
}

impl<'a> MatchingValues<'a> {
    pub(super) fn all(pool: &'a Pool, runs: &'a Runs) -> Self {
        MatchingValues { pool, runs: Cow::Borrowed(runs) }
    }

    pub(super) fn some(pool: &'a Pool, runs: Runs) -> Self {
        MatchingValues { pool, runs: Cow::Owned(runs) }
    }

    /// The answer to one aggregate. `hits` names the groups, rising, of which the question selects people, and how many.
    ///
    /// Time is linear in the number of groups named, with a binary search in those where values match in part; the
    /// estimate of an average over an unknown number of rows may take some ten million steps, and those of MIN and
    /// MAX walk the values from their end until the rest has no weight.
    ///
    /// # Errors
    /// If a sum has more than 38 digits.
    pub fn answer(&self, aggregate: Aggregate, hits: &[(u32, u32)], confidence: Option<Confidence>) -> Result<Answer> {
        self.check(hits)?;
        match aggregate {
            Aggregate::CountRows => Ok(self.count(hits, confidence, |run| run.rows())),
            Aggregate::Count => Ok(self.count(hits, confidence, |run| run.len())),
            Aggregate::Sum => self.sum(hits, confidence),
            Aggregate::Avg => self.avg(hits, confidence),
            Aggregate::Min | Aggregate::Max => Ok(self.extreme(aggregate == Aggregate::Max, hits, confidence)),
        }
    }

    pub(super) fn pool(&self) -> &Pool {
        self.pool
    }

    /// The matching values of a group.
    pub(super) fn run(&self, group: u32) -> Run<'_> {
        self.runs.group(group)
    }

    fn check(&self, hits: &[(u32, u32)]) -> Result<()> {
        let known = |&(group, n): &(u32, u32)| {
            (group as usize) < self.pool.n_groups() && n > 0 && u64::from(n) <= self.pool.size(group)
        };
        if !hits.iter().all(known) || hits.windows(2).any(|w| w[0].0 >= w[1].0) {
            return Err(Error::bug("a question selects people that no group has"));
        }
        Ok(())
    }

    pub(super) fn groups<'b>(&'b self, hits: &'b [(u32, u32)]) -> impl Iterator<Item = Hit<'b>> + Clone {
        hits.iter().map(|&(group, n)| Hit {
            run: self.runs.group(group),
            size: self.pool.size(group),
            hits: u64::from(n),
        })
    }

    /// COUNT: the sum of `L` to the sum of `U`; the number in each group is hypergeometric.
    fn count(&self, hits: &[(u32, u32)], confidence: Option<Confidence>, of: impl Fn(&Run) -> u64) -> Answer {
        let (mut lower, mut upper) = (0, 0);
        let (mut moments, mut squares) = (Moments::default(), 0.0);
        for hit in self.groups(hits) {
            let a = of(&hit.run);
            lower += (hit.hits + a).saturating_sub(hit.size);
            upper += hit.hits.min(a);
            let share = a as f64 / hit.size as f64;
            moments.mean += hit.hits as f64 * share;
            moments.variance += hit.spread() * share * (hit.size - a) as f64 / hit.size as f64;
            if 0 < a && a < hit.size {
                squares += hit.concentration();
            }
        }
        let bounds = (Exact::whole(lower.into()), Exact::whole(upper.into()));
        let half = confidence.map(|confidence| confidence.hoeffding(squares));
        Answer::of(bounds, moments, true).within(confidence, half)
    }

    /// SUM: of `b = x` where a place matches and 0 where not. The `h` least of them are, for any number of zeros, as many of
    /// the least matching values as are negative, but no fewer than `L` and no more than `U` (see [`Span`]).
    fn sum(&self, hits: &[(u32, u32)], confidence: Option<Confidence>) -> Result<Answer> {
        let sums = self.sums(hits);
        let bounds = (Exact::whole(sums.lower.finish()?), Exact::whole(sums.upper.finish()?));
        let half = confidence.map(|confidence| confidence.hoeffding(sums.squares));
        Ok(Answer::of(bounds, sums.moments, true).within(confidence, half))
    }

    pub(super) fn sums(&self, hits: &[(u32, u32)]) -> Sums {
        let mut sums = Sums::default();
        for hit in self.groups(hits) {
            let (run, a) = (hit.run, hit.run.len());
            if a == 0 {
                continue;
            }
            let span = Span::from(hit);
            sums.lower.add_total(span.least_sum());
            sums.upper.add_total(span.greatest_sum());
            let (n, a, mean) = (hit.size as f64, a as f64, run.mean());
            let share = a / n;
            sums.moments.mean += hit.hits as f64 * share * mean;
            // The variance of b: within the matching values, and between them and the zeros.
            let variance = share * run.variance() + mean * mean * share * (n - a) / n;
            sums.moments.variance += hit.spread() * variance;
            let (mut low, mut high) = (run.value(0) as f64, run.value(run.len() - 1) as f64);
            if run.len() < hit.size {
                (low, high) = (low.min(0.0), high.max(0.0));
            }
            sums.squares += hit.concentration() * (high - low).powi(2);
        }
        sums
    }
}

/// What a SUM is made of.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Sums {
    pub(super) lower: Total,
    pub(super) upper: Total,
    pub(super) moments: Moments,
    /// Squared ranges of the groups, each times its concentration.
    pub(super) squares: f64,
}
