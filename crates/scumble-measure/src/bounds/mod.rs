//! How wide the bounds of sums and averages are, as in section 7.1 of Zhang, Koudas, Srivastava, Yu (ICDE 2007).
//!
//! ```text
//! people with groups and numbers -> GroupedNumbers --exact()--> bounds as permuted and anatomy releases give them
//!                                       |
//!                                       +----boxed()--> bounds as a generalization of the same groups gives them
//! numbers alone ------------------> RankSwapped ------> bounds after rank-based swapping
//! ```
//!
//! The error of a bound is `(upper - lower) / |r|` with the true answer `r`. Questions are of two kinds: *arbitrary* ones
//! select a random set of people of a given size, *ranges* the people between two values of an ordered
//! quasi-identifier.

mod grouped;
mod partition;
mod questions;
mod rank_swap;
#[cfg(test)]
mod tests;
mod truth;
mod widths;

pub use grouped::GroupedNumbers;
pub use partition::{PartitionWidths, bounds_of_partition, bounds_of_rank_swap};
pub(super) use partition::{no_numbers, no_order};
pub use questions::{BoundQuestions, Selection};
pub use rank_swap::RankSwapped;
pub use truth::Truth;
pub use widths::Widths;

use rayon::prelude::*;
use scumble_answer::Aggregate;
use scumble_table::{Monitor, Result};
use serde::Serialize;

/// The least and the greatest result that a reader must reckon with; nothing where no row can match.
pub type Ends = Option<(f64, f64)>;

/// Something published that gives bounds.
pub trait Bounding: Sync {
    /// Bounds of SUM or AVG over people.
    ///
    /// # Errors
    /// If a sum has more than 38 digits.
    fn people_bounds(&self, aggregate: Aggregate, people: &Selection) -> Result<Ends>;

    /// Bounds over the people whose place on the range column lies in a closed interval; nothing without such a column.
    ///
    /// # Errors
    /// If a sum has more than 38 digits.
    fn range_bounds(&self, aggregate: Aggregate, range: (f64, f64)) -> Result<Ends>;
}

/// The widths of one kind of question.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct AskedWidths {
    /// Share of the people that an arbitrary question selects.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<f64>,
    /// Length of a range, from its least to its greatest place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub span: Option<f64>,
    /// How wide the bounds were.
    #[serde(flatten)]
    pub widths: Widths,
}

/// Puts all questions: those about sizes, then those about spans, each in the order they were given.
///
/// # Errors
/// If a question cannot be asked, a sum has more than 38 digits, or the work was cancelled.
pub fn bound_widths(
    line: &dyn Bounding,
    truth: &Truth,
    questions: &BoundQuestions,
    monitor: Monitor<'_>,
) -> Result<Vec<AskedWidths>> {
    questions.check()?;
    let aggregate = questions.aggregate;
    let mut found = Vec::new();
    for &size in &questions.sizes {
        let answers = (0..questions.questions).into_par_iter().map(|question| {
            monitor.check()?;
            let people = questions.people(size, question, truth.n_people());
            monitor.check()?;
            let bounds = line.people_bounds(aggregate, &people)?;
            monitor.check()?;
            Ok((bounds, truth.of_people(aggregate, &people)))
        });
        let widths = Widths::new(&answers.collect::<Result<Vec<_>>>()?);
        found.push(AskedWidths { size: Some(size), span: None, widths });
    }
    let Some(axis) = truth.axis() else { return Ok(found) };
    for span in questions.spans_on(axis) {
        let answers = questions.ranges(axis, span).into_par_iter().map(|range| {
            monitor.check()?;
            Ok((line.range_bounds(aggregate, range)?, truth.of_range(aggregate, range)))
        });
        let widths = Widths::new(&answers.collect::<Result<Vec<_>>>()?);
        found.push(AskedWidths { size: None, span: Some(span), widths });
    }
    Ok(found)
}
