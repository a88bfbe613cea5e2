//! Answers from rows that match a question only with some probability, as those of boxes do.
//!
//! A row whose box lies inside the question matches for certain; one whose box it cuts matches with the share
//! of the box that it covers, independently of all others, and every set of such rows may be the one that
//! matches (theorem 2 of Zhang et al., with the bounds for values of any sign).

use super::exact::Total;
use super::min_max::{Direction, Ends, Outcomes};
use super::ratio::{self, MatchCount, Stratum};
use super::{Aggregate, Answer, Confidence, Exact, Moments};
use scumble_table::{Error, Result};

/// Rows that match a question, each with its probability.
#[derive(Debug, Clone, Default)]
pub struct UncertainRows {
    /// Rows that match, null or not.
    certain_rows: u64,
    certain_values: u64,
    certain_sum: Total,
    /// Least and greatest of the values that match for certain.
    certain_ends: Option<(i128, i128)>,
    /// Values of rows that may or may not match, with their probabilities.
    open: Vec<(i128, f64)>,
    /// The same rows without a value: their number, mean and variance.
    open_nulls: u64,
    null_moments: Moments,
}

impl UncertainRows {
    /// No row.
    pub fn new() -> Self {
        UncertainRows::default()
    }

    /// Adds a row that matches for certain; its value is nothing where it is null.
    pub fn add_certain(&mut self, number: Option<i128>) {
        self.certain_rows += 1;
        if let Some(value) = number {
            self.certain_values += 1;
            self.certain_sum.add(value);
            let (low, high) = self.certain_ends.unwrap_or((value, value));
            self.certain_ends = Some((low.min(value), high.max(value)));
        }
    }

    /// Adds a row that may or may not match. A probability that was rounded to 0 or 1 leaves it open.
    ///
    /// # Errors
    /// If the probability is not one.
    pub fn add_uncertain(&mut self, number: Option<i128>, p: f64) -> Result<()> {
        if !(0.0..=1.0).contains(&p) {
            return Err(Error::bug("the share of a box that a question covers is not between 0 and 1"));
        }
        match number {
            // What is open has some weight, so that a question that only such rows may match has an estimate.
            Some(value) => self.open.push((value, p.max(1e-150))),
            None => {
                self.open_nulls += 1;
                self.null_moments.mean += p;
                self.null_moments.variance += p * (1.0 - p);
            }
        }
        Ok(())
    }

    /// The answer to one aggregate.
    ///
    /// # Errors
    /// If a sum has more than 38 digits.
    pub fn answer(&self, aggregate: Aggregate, confidence: Option<Confidence>) -> Result<Answer> {
        match aggregate {
            Aggregate::CountRows | Aggregate::Count => Ok(self.count(aggregate == Aggregate::CountRows, confidence)),
            Aggregate::Sum => self.sum(confidence),
            Aggregate::Avg => self.avg(confidence),
            Aggregate::Min | Aggregate::Max => Ok(self.extreme(aggregate == Aggregate::Max, confidence)),
        }
    }

    fn count(&self, nulls: bool, confidence: Option<Confidence>) -> Answer {
        let mut lower = self.certain_values;
        let mut open = self.open.len() as u64;
        let mut moments = Moments::default();
        if nulls {
            (lower, open, moments) = (self.certain_rows, open + self.open_nulls, self.null_moments);
        }
        moments.mean += lower as f64;
        for (_, p) in &self.open {
            moments.mean += p;
            moments.variance += p * (1.0 - p);
        }
        let bounds = (Exact::whole(lower.into()), Exact::whole((lower + open).into()));
        let half = confidence.map(|confidence| confidence.hoeffding(open as f64));
        Answer::new(bounds, moments, true).with_interval(confidence, half)
    }

    fn sum(&self, confidence: Option<Confidence>) -> Result<Answer> {
        let (mut lower, mut upper) = (self.certain_sum, self.certain_sum);
        let mut moments = Moments { mean: self.certain_sum.to_f64(), variance: 0.0 };
        let mut squares = 0.0;
        for &(value, p) in &self.open {
            lower.add(value.min(0));
            upper.add(value.max(0));
            let value = value as f64;
            moments.mean += value * p;
            moments.variance += value * value * p * (1.0 - p);
            squares += value * value;
        }
        let bounds = (Exact::whole(lower.finish()?), Exact::whole(upper.finish()?));
        let half = confidence.map(|confidence| confidence.hoeffding(squares));
        Ok(Answer::new(bounds, moments, true).with_interval(confidence, half))
    }

    fn avg(&self, confidence: Option<Confidence>) -> Result<Answer> {
        if self.certain_values == 0 && self.open.is_empty() {
            return Ok(Answer::null());
        }
        let mut rising: Vec<i128> = self.open.iter().map(|(value, _)| *value).collect();
        rising.sort_unstable();
        let sum = self.certain_sum.finish()?;
        let lower = self.mean_end(sum, rising.iter().copied(), |value, below, _| value <= below)?;
        let upper = self.mean_end(sum, rising.iter().rev().copied(), |value, _, not_above| value > not_above)?;
        let half = confidence.filter(|_| self.open.is_empty()).map(|_| 0.0);
        let moments = ratio::moments(&self.strata());
        Ok(Answer::new((lower, upper), moments, self.certain_values > 0).with_interval(confidence, half))
    }

    /// The least or greatest average of all certain values and any of the open ones, one row at least. Of all choices of
    /// as many open values, those at the end of the order are the best; and from the first that does not move the average any
    /// further, none does. Whether a value moves it is asked of the greatest whole number below the average and
    /// of the greatest not above it.
    fn mean_end(
        &self,
        sum: i128,
        mut open: impl Iterator<Item = i128>,
        moves: impl Fn(i128, i128, i128) -> bool,
    ) -> Result<Exact> {
        let (mut sum, mut rows) = (sum, self.certain_values);
        if rows == 0 {
            return Ok(Exact::whole(open.next().unwrap_or(0)));
        }
        for value in open {
            let n = i128::from(rows);
            if !moves(value, (sum - 1).div_euclid(n), sum.div_euclid(n)) {
                break;
            }
            let mut next = Total::default();
            next.add(sum);
            next.add(value);
            sum = next.finish()?;
            rows += 1;
        }
        Ok(Exact::mean(sum, rows))
    }

    /// Rows of one probability as one stratum: given how many of them match, any are equally likely.
    fn strata(&self) -> Vec<Stratum> {
        let mut rows: Vec<(f64, i128)> = self.open.iter().map(|&(value, p)| (p, value)).collect();
        rows.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut strata: Vec<Stratum> = Vec::new();
        if self.certain_values > 0 {
            let mean = self.certain_sum.to_f64() / self.certain_values as f64;
            // All of them match, so their variance never counts.
            strata.push(Stratum {
                n: self.certain_values,
                mean,
                variance: 0.0,
                count: MatchCount::Binomial { p: 1.0 },
            });
        }
        for same in rows.chunk_by(|a, b| a.0 == b.0) {
            let (p, base) = same[0];
            let n = same.len() as f64;
            let off = |value: i128| value as f64 - base as f64;
            let mean = same.iter().map(|(_, value)| off(*value)).sum::<f64>() / n;
            let variance = same.iter().map(|(_, value)| (off(*value) - mean).powi(2)).sum::<f64>() / n;
            let n = same.len() as u64;
            strata.push(Stratum { n, mean: base as f64 + mean, variance, count: MatchCount::Binomial { p } });
        }
        strata
    }

    fn extreme(&self, greatest: bool, confidence: Option<Confidence>) -> Answer {
        let direction = Direction { greatest };
        let mut open: Vec<(i128, f64)> = self.open.iter().map(|&(value, p)| (direction.key(value), p)).collect();
        open.sort_by_key(|(key, _)| *key);
        let certain = self.certain_ends.map(|(low, high)| direction.key(if greatest { high } else { low }));
        let Some(last) = certain.or(open.last().map(|(key, _)| *key)) else { return Answer::null() };
        let first = open.first().map_or(last, |(key, _)| *key).min(last);
        let mut outcomes = Outcomes::default();
        let mut left = 1.0;
        for &(key, p) in open.iter().take_while(|(key, _)| *key <= last) {
            outcomes.add(key, left * p);
            left *= 1.0 - p;
            if outcomes.settled(left, key, last) {
                break;
            }
        }
        if certain.is_some() {
            outcomes.add(last, left);
        }
        Ends { direction, first, end: last, last, certain: certain.is_some() }.answer(&outcomes, confidence)
    }
}
