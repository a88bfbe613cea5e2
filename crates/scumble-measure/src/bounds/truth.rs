//! True answers, for what widths are relative to.

use super::Selection;
use crate::axis::ranks_between;
use crate::{Axis, Positions};
use scumble_answer::Aggregate;

/// The numbers of the people, and their places on the range column. Two tables may stand behind the two kinds of questions:
/// see [`GroupedNumbers::new`](super::GroupedNumbers::new).
#[derive(Debug, Clone)]
pub struct Truth {
    /// NaN where null.
    numbers: Vec<f64>,
    range: Option<Range>,
}

#[derive(Debug, Clone)]
struct Range {
    axis: Axis,
    places: Vec<f64>,
    /// Sum and number of the values of all ranks before.
    before: Vec<(f64, u64)>,
}

impl Truth {
    /// The number of each person, NaN where it is null.
    pub fn new(numbers: Vec<f64>) -> Self {
        Truth { numbers, range: None }
    }

    /// With ranges over a column of the source: its places and the numbers of the same rows.
    pub fn with_range(mut self, column: &Positions, numbers: impl Iterator<Item = f64>) -> Self {
        let mut before = vec![(0.0, 0u64); column.places().len() + 2];
        for (&rank, number) in column.ranks().iter().zip(numbers).filter(|(_, number)| !number.is_nan()) {
            let sum = &mut before[rank as usize + 1];
            *sum = (sum.0 + number, sum.1 + 1);
        }
        for at in 1..before.len() {
            before[at] = (before[at].0 + before[at - 1].0, before[at].1 + before[at - 1].1);
        }
        self.range = Some(Range { axis: column.axis().clone(), places: column.places().to_vec(), before });
        self
    }

    /// Number of people.
    pub fn n_people(&self) -> usize {
        self.numbers.len()
    }

    /// The axis of the range column.
    pub fn axis(&self) -> Option<&Axis> {
        self.range.as_ref().map(|range| &range.axis)
    }

    pub(super) fn of_people(&self, aggregate: Aggregate, people: &Selection) -> Option<f64> {
        let numbers = people.iter().map(|person| self.numbers[person]).filter(|number| !number.is_nan());
        let (sum, n) = numbers.fold((0.0, 0), |(sum, n), number| (sum + number, n + 1));
        result(aggregate, sum, n)
    }

    pub(super) fn of_range(&self, aggregate: Aggregate, range: (f64, f64)) -> Option<f64> {
        let column = self.range.as_ref()?;
        let ranks = ranks_between(&column.places, range);
        let (from, to) = (column.before[ranks.first as usize], column.before[(ranks.first + ranks.n) as usize]);
        result(aggregate, to.0 - from.0, to.1 - from.1)
    }
}

fn result(aggregate: Aggregate, sum: f64, n: u64) -> Option<f64> {
    match aggregate {
        _ if n == 0 => None,
        Aggregate::Avg => Some(sum / n as f64),
        _ => Some(sum),
    }
}
