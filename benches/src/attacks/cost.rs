//! What a release costs those who use it: loss, divergence, errors of counts.

use super::Failure;
use scumble::{Context, EvaluateRequest, Release, Table};

/// The share of rows that a count asks about.
const VOLUME: f64 = 0.05;
/// Counts asked.
const QUERIES: usize = 1000;

/// Costs of a release.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cost {
    /// Normalized certainty penalty, as a mean over quasi-identifiers: 0 where values are exact, 1 where nothing is left.
    pub ncp: f64,
    /// Divergence of the distribution that the release tells from the source's, in nats.
    pub kl: Option<f64>,
    /// Mean relative error of counts over all columns.
    pub error: Option<f64>,
}

impl Cost {
    /// Measures a release against its source.
    ///
    /// # Errors
    /// If it cannot be measured.
    pub fn measure(release: &Release, source: &Table, context: &Context) -> Result<Cost, Failure> {
        let request = EvaluateRequest { queries: QUERIES, volumes: vec![VOLUME], ..EvaluateRequest::default() };
        let measured = release.evaluate(source, &request, context)?;
        let errors = measured.workloads.first().and_then(|workload| workload.estimators.first()?.1);
        Ok(Cost {
            ncp: measured.ncp_per_attribute,
            kl: measured.reconstruction.first().and_then(|one| one.kl),
            error: errors.map(|errors| errors.mean),
        })
    }
}
