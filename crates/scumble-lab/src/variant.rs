//! The two algorithms that papers 1 and 2 are done again with.

use scumble::{Algorithm, WorkloadFacts};

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
        match self {
            Variant::Paper => "the paper's algorithm",
            Variant::Ours => "ours",
        }
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
