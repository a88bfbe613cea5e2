//! The two algorithms that papers 1 and 2 are done again with, and the workloads that their releases answer.

use crate::runner::Runner;
use scumble::{Algorithm, EvaluateRequest, RawTable, Release, Result, WorkloadFacts};

/// Which algorithm finds the groups.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Variant {
    /// The paper's, with its errata mended.
    Paper,
    /// What the library does by default.
    Ours,
}

impl Variant {
    pub(crate) const ALL: [Variant; 2] = [Variant::Paper, Variant::Ours];

    pub(crate) fn name(self) -> &'static str {
        ["the paper's algorithm", "ours"][self as usize]
    }

    /// What a job names.
    pub(crate) fn algorithm(self) -> Option<Algorithm> {
        (self == Variant::Paper).then_some(Algorithm::Paper)
    }

    /// Each of some parameters with each variant.
    pub(crate) fn with_each<P: Copy>(parameters: &[P]) -> Vec<(P, Variant)> {
        parameters.iter().flat_map(|&one| Variant::ALL.map(|variant| (one, variant))).collect()
    }
}

/// The mean relative error of a workload by an estimator.
pub(crate) fn mean_error(workload: &WorkloadFacts, estimator: &str) -> Option<f64> {
    let found = workload.estimators.iter().find(|(name, _)| *name == estimator)?;
    found.1.map(|errors| errors.mean)
}

/// Errors of one workload, each a mean relative error.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Answered {
    /// Columns in a query.
    pub(crate) w: usize,
    /// Volume of a query.
    pub(crate) s: f64,
    /// By the estimator that the papers use: values lie evenly in a box.
    pub(crate) uniform: Option<f64>,
    /// By ours, which knows that the ends of a box are taken.
    pub(crate) ends: Option<f64>,
    /// Perturbation under the same requirement; none where it cannot meet it, or was not asked for.
    pub(crate) perturbation: Option<f64>,
}

/// Asks a release the workloads of a request with each of some volumes. Also tells what share of the sensitive values
/// perturbation may keep, where it was asked for.
pub(crate) fn ask(
    release: &Release,
    source: &RawTable,
    request: &EvaluateRequest,
    volumes: &[f64],
    runner: &Runner,
) -> Result<(Vec<Answered>, f64)> {
    let (mut answered, mut retention) = (Vec::new(), 0.0);
    for &s in volumes {
        let found = runner.evaluate(release, source, &EvaluateRequest { s, ..request.clone() })?;
        retention = found.baseline.map_or(retention, |facts| facts.retention);
        answered.extend(found.workloads.iter().map(|workload| Answered {
            w: workload.w,
            s,
            uniform: mean_error(workload, "uniform"),
            ends: mean_error(workload, "ends"),
            perturbation: workload.baseline.flatten().map(|errors| errors.mean),
        }));
    }
    Ok((answered, retention))
}
