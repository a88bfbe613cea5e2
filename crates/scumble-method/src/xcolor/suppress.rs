//! Where rows may be left out, those that stand in the way are.
//!
//! Rows with too many near others are left out and the rest is coloured again and again, as long as the bound
//! allows: how many rows of a kind classes hold is a matter of how many classes there are. Where that does not end well,
//! what passes of the classes that were reached is kept and the rest left out. Ranks and ranges are those of published
//! values, so with rows left out distances change: everything is judged on what is left.

use super::XColor;
use super::class::Class;
use super::context::OtherRequirements;
use super::repair::Colouring;
use crate::task::{Task, holds};
use scumble_principle::dissimilarity::theory::Classes;
use scumble_table::{Error, Result};
use std::time::Instant;

/// What came of the colouring of some rows.
pub(crate) enum Outcome {
    /// Groups that all pass.
    Solved(Vec<Vec<u32>>),
    /// Some did not.
    Failed(Failure),
}

/// What is known after a colouring that failed.
pub(crate) struct Failure {
    /// What was reached.
    pub(crate) error: Error,
    /// The rows without those that are too many in their classes, rising.
    pub(crate) relieved: Vec<u32>,
    /// Groups that pass, where other rows are left out.
    pub(crate) passing: Vec<Vec<u32>>,
}

/// Colourings of fewer and fewer rows. Most tables take two or three.
const ROUNDS: usize = 16;

impl XColor {
    /// Groups of as many rows as it takes; the first failure where too many would be left out.
    pub(super) fn without_some(
        &self,
        task: &Task<'_>,
        first: Failure,
        deadline: Option<Instant>,
    ) -> Result<Vec<Vec<u32>>> {
        let within = |rows: usize| rows > 0 && task.table.n_rows() - rows <= task.most_suppressed;
        let mut passing = vec![first.passing];
        let (mut rows, mut before) = (first.relieved, task.table.n_rows());
        for _ in 0..ROUNDS {
            let fits = within(rows.len()) && Classes::new(rows.len() as u64, task.bound.least_size()).is_some();
            if rows.len() == before || !fits || deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                break;
            }
            before = rows.len();
            let bound = (task.rebind)(&rows)?;
            let fewer = Task { bound: &bound, monitor: task.monitor.without_progress(), ..*task };
            match self.color_rows(&fewer, rows, deadline)? {
                Outcome::Solved(groups) => return Ok(groups),
                Outcome::Failed(failure) => {
                    rows = failure.relieved;
                    passing.push(failure.passing);
                }
            }
        }
        for groups in passing {
            if let Some(groups) = published(task, groups, within)? {
                return Ok(groups);
            }
        }
        Err(first.error)
    }
}

impl Colouring<'_> {
    /// The rows of all classes.
    pub(crate) fn into_groups(self) -> Vec<Vec<u32>> {
        self.classes.into_iter().map(Class::into_rows).collect()
    }

    /// All rows but those that are too many in their classes, those with the most near others first; rising.
    pub(crate) fn relieved(&self, others: &OtherRequirements<'_>) -> Vec<u32> {
        let mut rows: Vec<u32> = self.classes.iter().flat_map(|class| class.rows().iter().copied()).collect();
        let mut left_out: Vec<u32> = Vec::new();
        for class in self.failing(others) {
            let mut left = self.classes[class].clone();
            let t = self.context.allowed(left.len());
            while let Some(worst) = worst(&left).filter(|&at| left.degrees()[at] > t) {
                left_out.push(left.rows()[worst]);
                left = left.without(worst, self.context);
            }
        }
        left_out.sort_unstable();
        rows.retain(|row| left_out.binary_search(row).is_err());
        rows.sort_unstable();
        rows
    }

    /// Leaves out the rows of failing classes that have the most near others, until the classes pass; whole classes
    /// where that is not enough.
    pub(crate) fn leave_out(&mut self, others: &OtherRequirements<'_>) {
        for class in self.failing(others) {
            let mut rest = std::mem::take(&mut self.classes[class]);
            while !self.passes(&rest, others) {
                rest = match worst(&rest).filter(|_| rest.len() as u64 > self.context.least) {
                    Some(worst) => rest.without(worst, self.context),
                    None => Class::default(),
                };
                if rest.len() == 0 {
                    break;
                }
            }
            self.classes[class] = rest;
            self.excess[class] = 0;
        }
    }
}

/// The row of a class with the most near others.
fn worst(class: &Class) -> Option<usize> {
    (0..class.len()).max_by_key(|&at| class.degrees()[at])
}

/// Groups of some of the rows, judged again on them: groups that fail now are left out as well. Nothing where too few rows
/// are left.
fn published(
    task: &Task<'_>,
    mut groups: Vec<Vec<u32>>,
    within: impl Fn(usize) -> bool,
) -> Result<Option<Vec<Vec<u32>>>> {
    loop {
        groups.retain(|group| !group.is_empty());
        let rows = groups.concat();
        if !within(rows.len()) {
            return Ok(None);
        }
        let bound = (task.rebind)(&rows)?;
        let before = groups.len();
        groups.retain(|rows| !task.monitor.is_cancelled() && holds(&bound, task.table, rows));
        if groups.len() == before {
            return Ok(Some(groups));
        }
    }
}
