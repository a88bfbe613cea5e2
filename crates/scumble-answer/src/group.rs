//! What a question selects of one group.
//!
//! A group has `N` places, of which `a` match the predicate on sensitive values. The question selects between `certain` and
//! `possible` of its people, so between `L = max(0, certain + a - N)` and `U = min(possible, a)` of the matching values are
//! theirs; every number between occurs, and with it any choice of that many of the `a` values. Bounds depend on nothing
//! else, so exact people (one number of hits) and boxes (any number of hits between two) are answered by the same code.

use super::Moments;
use super::exact::Total;
use super::runs::Run;

/// A group of which a question selects people.
#[derive(Debug, Clone, Copy)]
pub(super) struct Group<'a> {
    /// Its values that match.
    pub(super) run: Run<'a>,
    /// Its people.
    pub(super) size: u64,
    /// Those who are selected for certain.
    pub(super) certain: u64,
    /// Those who are or may be selected.
    pub(super) possible: u64,
    /// Probabilities of those who may be; empty where everybody is certain or only bounds are wanted.
    pub(super) open: &'a [f64],
}

impl Group<'_> {
    /// Selected people who must have one of `matching` places.
    pub(super) fn forced(&self, matching: u64) -> u64 {
        (self.certain + matching).saturating_sub(self.size)
    }

    /// Selected people who must have a matching value that is not null.
    pub(super) fn least(&self) -> u64 {
        self.forced(self.run.len())
    }

    /// Selected people who may have one.
    pub(super) fn most(&self) -> u64 {
        self.possible.min(self.run.len())
    }

    /// SUM: as many of the least values as are negative, within what may be given.
    pub(super) fn least_sum(&self) -> Total {
        self.run.least(self.run.at_most(-1).clamp(self.least(), self.most()))
    }

    /// As many of the greatest values as are positive.
    pub(super) fn greatest_sum(&self) -> Total {
        self.run.greatest((self.run.len() - self.run.at_most(0)).clamp(self.least(), self.most()))
    }

    /// Mean and variance of the number of people selected, and by how much the variance of one draw is multiplied:
    /// `E[h (N - h)] / (N - 1)` for `h` draws without replacement, where `E[h (N - h)] = E[h] (N - E[h]) - Var(h)`.
    pub(super) fn draws(&self) -> (Moments, f64) {
        let hits = Moments {
            mean: self.certain as f64 + self.open.iter().sum::<f64>(),
            variance: self.open.iter().map(|p| p * (1.0 - p)).sum(),
        };
        let size = self.size as f64;
        let products = (hits.mean * (size - hits.mean) - hits.variance).max(0.0);
        (hits, if self.size < 2 { 0.0 } else { products / (size - 1.0) })
    }

    /// Moments of how many of the people selected have one of `matching` places, and the range of what a place adds.
    pub(super) fn count_moments(&self, matching: u64) -> (Moments, f64) {
        let (hits, draws) = self.draws();
        let size = self.size as f64;
        let share = matching as f64 / size;
        let variance = draws * share * (self.size - matching) as f64 / size + hits.variance * share * share;
        let range = if 0 < matching && matching < self.size { 1.0 } else { 0.0 };
        (Moments { mean: hits.mean * share, variance }, range)
    }

    /// Moments of the sum of `x` where a place matches and 0 where not, and the range of these numbers.
    pub(super) fn sum_moments(&self) -> (Moments, f64) {
        let n_values = self.run.len();
        if n_values == 0 {
            return (Moments::default(), 0.0);
        }
        let (hits, draws) = self.draws();
        let (size, a, mean) = (self.size as f64, n_values as f64, self.run.mean());
        let share = a / size;
        // Within the matching values, and between them and the zeros.
        let variance = share * self.run.variance() + mean * mean * share * (size - a) / size;
        let variance = draws * variance + hits.variance * (share * mean).powi(2);
        let (mut low, mut high) = (self.run.value(0) as f64, self.run.value(n_values - 1) as f64);
        if n_values < self.size {
            (low, high) = (low.min(0.0), high.max(0.0));
        }
        (Moments { mean: hits.mean * share * mean, variance }, high - low)
    }

    /// The factor of the squared range in the interval that holds for any values: sampling `h` of `N` is as good as
    /// leaving out the other `N - h`, so the smaller of the two counts.
    pub(super) fn concentration(&self) -> f64 {
        let (n, h) = (self.size as f64, self.certain as f64);
        let factor = |h: f64| if h <= 0.0 { 0.0 } else { h * (1.0 - (h - 1.0) / n) };
        factor(h).min(factor(n - h))
    }
}
