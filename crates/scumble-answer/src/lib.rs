//! Aggregates over sensitive values that are known group by group, not person by person.
//!
//! ```text
//! exact people, values by group   Pool --predicate on values--> MatchingValues --hits per group--+
//! boxes, values by group          Pool --predicate on values--> MatchingValues --Selection-------+--> Answer
//! boxes, exact values             UncertainRows: rows that match with a probability --------------+
//! ```
//!
//! Section 5 of Zhang, Koudas, Srivastava, Yu (ICDE 2007): a question about quasi-identifiers selects `h` people of a
//! group, and any `h` of its `N` values may be theirs. An [`Answer`] holds the least and the greatest result
//! over all assignments, exactly, and the mean and the deviation over assignments that are all equally likely.
//!
//! Aggregates follow SQL, except that SUM of no row is 0, as COUNT is. AVG, MIN and MAX of no row are null;
//! their bounds and moments are over the assignments that leave at least one row.
//!
//! Nothing here knows columns, files or SQL: values are whole numbers in the smallest unit of their column
//! (days for dates, places for ordinals), and what a predicate sees of a value is its key.

mod average;
mod confidence;
mod count_distribution;
mod exact;
mod group;
mod matching_values;
mod min_max;
mod pool;
mod ratio;
mod runs;
mod selection;
mod uncertain_rows;

pub use confidence::{Confidence, Interval};
pub use exact::Exact;
pub use matching_values::MatchingValues;
pub use pool::Pool;
pub use selection::Selection;
pub use uncertain_rows::UncertainRows;

/// What is asked of the rows that match.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Aggregate {
    /// `COUNT(*)`: rows, also those whose value is null.
    CountRows,
    /// `COUNT(column)`: rows whose value is not null.
    Count,
    /// `SUM(column)`.
    Sum,
    /// `AVG(column)`.
    Avg,
    /// `MIN(column)`.
    Min,
    /// `MAX(column)`.
    Max,
}

/// What is known about one aggregate.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// Least possible result; nothing where no row can match and the aggregate is then null.
    pub lower: Option<Exact>,
    /// Greatest possible result.
    pub upper: Option<Exact>,
    /// Mean over the assignments that the release leaves open.
    pub estimate: Option<f64>,
    /// Standard deviation over the same assignments.
    pub deviation: Option<f64>,
    /// Whether the true result cannot be null: always for counts and sums, and for the others where at least
    /// one row must match.
    pub certain: bool,
    /// Where a confidence was asked for.
    pub interval: Option<Interval>,
}

impl Answer {
    /// The answer to AVG, MIN or MAX where no row can match.
    fn null() -> Self {
        Answer { lower: None, upper: None, estimate: None, deviation: None, certain: false, interval: None }
    }

    /// Puts bounds and moments together. Moments are rounded, bounds are not: an estimate is kept between them.
    fn new(bounds: (Exact, Exact), moments: Moments, certain: bool) -> Self {
        let (lower, upper) = bounds;
        let known = lower == upper;
        Answer {
            estimate: Some(moments.mean.clamp(lower.to_f64(), upper.to_f64())),
            deviation: Some(if known { 0.0 } else { moments.variance.max(0.0).sqrt() }),
            lower: Some(lower),
            upper: Some(upper),
            certain,
            interval: None,
        }
    }

    /// The same answer with the intervals of a confidence. `half` is half the width of the interval that holds
    /// whatever the distribution, where there is one.
    fn with_interval(mut self, confidence: Option<Confidence>, half: Option<f64>) -> Self {
        self.interval = confidence.map(|confidence| Interval {
            normal: self.around(self.deviation.map(|deviation| confidence.z() * deviation)),
            guaranteed: self.around(half),
        });
        self
    }

    /// The same answer where the probabilities behind it are a model, which guarantees nothing.
    pub fn without_guarantee(mut self) -> Self {
        if let Some(interval) = &mut self.interval {
            interval.guaranteed = None;
        }
        self
    }

    /// Estimate plus and minus `half`, cut at the bounds.
    fn around(&self, half: Option<f64>) -> Option<(f64, f64)> {
        let (half, middle) = (half?, self.estimate?);
        let (lower, upper) = (self.lower?.to_f64(), self.upper?.to_f64());
        Some(((middle - half).max(lower), (middle + half).min(upper)))
    }
}

/// Mean and variance of a result.
#[derive(Debug, Clone, Copy, Default)]
struct Moments {
    mean: f64,
    variance: f64,
}
