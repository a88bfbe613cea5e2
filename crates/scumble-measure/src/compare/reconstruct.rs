//! How much of the source's distribution a release still tells, by the names of columns.

use super::{Comparison, Estimator};
use crate::{Divergence, divergence};
use scumble_table::{Error, Monitor, Result};
use serde::Serialize;

/// The divergence of a distribution reconstructed from a release.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Reconstruction {
    /// The quasi-identifiers that it is about, together with the sensitive column.
    pub attributes: Vec<String>,
    /// The table that it was reconstructed from.
    pub table: String,
    /// KL(D || D*) in nats; nothing where it is infinite.
    pub kl: Option<f64>,
    /// Rows of the source where the release puts no one.
    #[serde(skip_serializing_if = "is_none")]
    pub unreached: u64,
}

fn is_none(n: &u64) -> bool {
    *n == 0
}

impl Comparison {
    /// Reconstructs the distribution of some quasi-identifiers and the sensitive column, all where none is named, from
    /// the table that has the fewest others, and measures how far it is from the source's.
    ///
    /// # Errors
    /// If there is no such quasi-identifier, one is named twice, the release has no sensitive column, or the work
    /// was cancelled.
    pub fn reconstruct(&self, names: &[String], monitor: Monitor<'_>) -> Result<Reconstruction> {
        let Some(source) = &self.source else {
            return Err(Error::request("reconstruct", names.join(","), "the release has no sensitive column")
                .hint("leave «reconstruct» out"));
        };
        let mut attributes = names.iter().map(|name| self.quasi_named(name)).collect::<Result<Vec<usize>>>()?;
        if attributes.is_empty() {
            attributes = (0..self.ordered.len()).collect();
        }
        attributes.sort_unstable();
        if let Some(twice) = attributes.windows(2).find(|pair| pair[0] == pair[1]) {
            let reason = format!("it names `{}` twice", self.ordered[twice[0]].0);
            return Err(Error::request("reconstruct", names.join(","), reason));
        }
        let table = match &self.estimator {
            Estimator::Angel(tables) => tables.best(attributes.iter().copied()).name().to_string(),
            Estimator::Generalized(_) | Estimator::Anatomy(_) => self.table.clone(),
        };
        let Divergence { kl, unreached } = divergence(&self.estimator, &source.microdata, &attributes, monitor)?;
        let attributes = attributes.into_iter().map(|at| self.ordered[at].0.clone()).collect();
        Ok(Reconstruction { attributes, table, kl, unreached })
    }

    fn quasi_named(&self, name: &str) -> Result<usize> {
        let found = self.ordered.iter().position(|(known, _)| known == name);
        found.ok_or_else(|| self.no_quasi("reconstruct", name))
    }
}
