//! A workload put to the source and to a release.

use crate::{
    Anatomized, AngelTables, Errors, Estimate, Generalization, Microdata, Perturbed, Query, Scratch, Workload,
};
use rayon::prelude::*;
use scumble_table::{Monitor, Result};

/// The errors of two ways to estimate: with rows spread evenly over boxes, and with rows at the ends.
pub type BothErrors = (Option<Errors>, Option<Errors>);

/// Queries with their true answers.
#[derive(Debug, Clone)]
pub struct Answers {
    /// What was asked for.
    pub workload: Workload,
    /// The queries.
    pub queries: Vec<Query>,
    /// The true answer of each.
    pub actual: Vec<u64>,
}

impl Answers {
    /// Draws a workload over the source's own domains and answers it from the source.
    ///
    /// # Errors
    /// As [`Workload::draw`], and if the work was cancelled.
    pub fn new(workload: Workload, source: &Microdata, monitor: Monitor<'_>) -> Result<Self> {
        let axes: Vec<_> = source.quasi().iter().map(|column| column.axis()).collect();
        let sensitive: Vec<_> = source.sensitive_columns().iter().map(|column| column.axis()).collect();
        let queries = workload.draw(&axes, &sensitive, monitor)?;
        let actual = each(&queries, monitor, || (), |(), query| source.count(query))?;
        Ok(Answers { workload, queries, actual })
    }

    /// Queries whose true answer is 0: they have no relative error.
    pub fn without_answer(&self) -> usize {
        self.actual.iter().filter(|&&act| act == 0).count()
    }

    /// Mean of the true answers above 0.
    pub fn mean_answer(&self) -> Option<f64> {
        let n = self.actual.len() - self.without_answer();
        (n > 0).then(|| self.actual.iter().map(|&act| act as f64).sum::<f64>() / n as f64)
    }

    /// The errors of some estimates, one per query.
    pub fn errors(&self, estimates: impl IntoIterator<Item = f64>) -> Option<Errors> {
        Errors::from_answers(self.actual.iter().copied().zip(estimates))
    }

    /// The errors of angel tables, with rows spread evenly over boxes and with rows at the ends. Every query is put to
    /// the table with the fewest attributes other than its own.
    ///
    /// # Errors
    /// If the work was cancelled, as for all that follow.
    pub fn angel_errors(&self, tables: &AngelTables, monitor: Monitor<'_>) -> Result<BothErrors> {
        let estimates = each(&self.queries, monitor, Scratch::default, |room, query| tables.estimate(query, room))?;
        Ok(self.both_errors(&estimates))
    }

    /// The errors of a generalized table, with rows spread evenly over boxes and with rows at the ends.
    ///
    /// # Errors
    /// If the work was cancelled.
    pub fn generalization_errors(&self, table: &Generalization, monitor: Monitor<'_>) -> Result<BothErrors> {
        let estimates = each(&self.queries, monitor, Scratch::default, |room, query| table.estimate(query, room))?;
        Ok(self.both_errors(&estimates))
    }

    fn both_errors(&self, estimates: &[Estimate]) -> BothErrors {
        (
            self.errors(estimates.iter().map(|estimate| estimate.uniform)),
            self.errors(estimates.iter().map(|estimate| estimate.ends)),
        )
    }

    /// The errors of a table of exact quasi-identifiers.
    ///
    /// # Errors
    /// If the work was cancelled.
    pub fn anatomy_errors(&self, table: &Anatomized, monitor: Monitor<'_>) -> Result<Option<Errors>> {
        let estimates = each(&self.queries, monitor, Vec::new, |marks, query| table.estimate(query, marks))?;
        Ok(self.errors(estimates))
    }

    /// The errors of a perturbed table; nothing where all of it is noise.
    ///
    /// # Errors
    /// If the work was cancelled.
    pub fn perturbation_errors(&self, table: &Perturbed, monitor: Monitor<'_>) -> Result<Option<Errors>> {
        let estimates = each(&self.queries, monitor, || (), |(), query| table.estimate(query))?;
        let estimates: Option<Vec<f64>> = estimates.into_iter().collect();
        Ok(estimates.and_then(|estimates| self.errors(estimates)))
    }
}

/// Answers queries in parallel, with room that a thread keeps from query to query. A cancellation is seen before every
/// query.
fn each<T: Send, R>(
    queries: &[Query],
    monitor: Monitor<'_>,
    room: impl Fn() -> R + Sync + Send,
    answer: impl Fn(&mut R, &Query) -> T + Sync + Send,
) -> Result<Vec<T>> {
    let one = |room: &mut R, query: &Query| {
        monitor.check()?;
        Ok(answer(room, query))
    };
    queries.par_iter().map_init(room, one).collect()
}
