//! A workload put to the source and to a release.

use super::anatomy::Anatomized;
use super::angel::AngelTables;
use super::errors::Errors;
use super::estimate::{Estimate, Generalization, Scratch};
use super::microdata::Microdata;
use super::perturbation::Perturbed;
use super::workload::{Query, Workload};
use rayon::prelude::*;
use scumble_table::Result;

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
    /// As [`Workload::draw`].
    pub fn of(workload: Workload, source: &Microdata) -> Result<Self> {
        let axes: Vec<_> = source.quasi().iter().map(|column| column.axis()).collect();
        let sensitive: Vec<_> = source.sensitive_columns().iter().map(|column| column.axis()).collect();
        let queries = workload.draw(&axes, &sensitive)?;
        let actual = queries.par_iter().map(|query| source.count(query)).collect();
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
        Errors::of(self.actual.iter().copied().zip(estimates))
    }

    /// The errors of angel tables, with rows spread evenly over boxes and with rows at the ends. Every query is put to
    /// the table with the fewest attributes beside its own.
    pub fn of_angel(&self, tables: &AngelTables) -> (Option<Errors>, Option<Errors>) {
        let estimates: Vec<_> =
            self.queries.par_iter().map_init(Scratch::default, |room, query| tables.estimate(query, room)).collect();
        self.of_both(&estimates)
    }

    /// The errors of a generalized table, with rows spread evenly over boxes and with rows at the ends.
    pub fn of_generalization(&self, table: &Generalization) -> (Option<Errors>, Option<Errors>) {
        let estimates: Vec<_> =
            self.queries.par_iter().map_init(Scratch::default, |room, query| table.estimate(query, room)).collect();
        self.of_both(&estimates)
    }

    fn of_both(&self, estimates: &[Estimate]) -> (Option<Errors>, Option<Errors>) {
        (
            self.errors(estimates.iter().map(|estimate| estimate.uniform)),
            self.errors(estimates.iter().map(|estimate| estimate.ends)),
        )
    }

    /// The errors of a table of exact quasi-identifiers.
    pub fn of_anatomy(&self, table: &Anatomized) -> Option<Errors> {
        let estimates: Vec<f64> =
            self.queries.par_iter().map_init(Vec::new, |marks, query| table.estimate(query, marks)).collect();
        self.errors(estimates)
    }

    /// The errors of a perturbed table; nothing where all of it is noise.
    pub fn of_perturbed(&self, table: &Perturbed) -> Option<Errors> {
        let estimates: Option<Vec<f64>> = self.queries.par_iter().map(|query| table.estimate(query)).collect();
        self.errors(estimates?)
    }
}
