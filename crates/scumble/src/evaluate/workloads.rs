//! Workloads of count queries, and how well a release answers them.

use super::EvaluateRequest;
use super::baseline::Rival;
use scumble_measure::{Answers, ComparedSource, Comparison, Errors, Estimator, Predicates, Workload};
use scumble_table::{Error, Monitor, Result};
use serde::{Serialize, Serializer};

/// How well one workload was answered.
#[derive(Debug, Clone, Serialize)]
pub struct WorkloadFacts {
    /// Query dimension.
    pub w: usize,
    /// How many of its columns are sensitive, where that is not one.
    #[serde(skip_serializing_if = "is_one")]
    pub qs: usize,
    /// Volume.
    pub s: f64,
    /// `intervals`, or `sets` where columns without an order are asked for any values.
    pub predicates: &'static str,
    /// Number of queries.
    pub queries: usize,
    /// Queries whose true answer is 0, which have no relative error.
    pub without_answer: usize,
    /// Seed of the questions.
    pub seed: u64,
    /// Relative errors by estimator; nothing where no query has an answer.
    #[serde(serialize_with = "as_object")]
    pub estimators: Vec<(&'static str, Option<Errors>)>,
    /// Mean of the true answers above 0.
    pub mean_answer: Option<f64>,
    /// Relative errors of the baseline, where one was asked for; nothing inside where it has no estimate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub baseline: Option<Option<Errors>>,
}

fn as_object<S: Serializer>(pairs: &[(&'static str, Option<Errors>)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(pairs.iter().map(|(name, errors)| (name, errors)))
}

fn is_one(n: &usize) -> bool {
    *n == 1
}

impl WorkloadFacts {
    /// True if every query is about every column.
    pub fn on_every_column(&self) -> bool {
        self.predicates == Predicates::Sets.name()
    }
}

/// Refuses what cannot be asked of any table.
pub(super) fn check(request: &EvaluateRequest) -> Result<()> {
    for &w in request.w.iter().chain(&[request.qs.saturating_add(1)]) {
        of_dimension(request, w).check()?;
    }
    if request.qs > 1 {
        if let Some(name) = &request.sensitive {
            let reason = format!("queries about {} sensitive columns are about any of them", request.qs);
            return Err(Error::request("sensitive", name, reason).hint("leave it out, or ask with 1 for «qs»"));
        }
        if request.baseline.is_some() {
            let reason = "perturbation is compared on one sensitive column";
            return Err(Error::request("baseline", "perturbation", reason).hint("ask with 1 for «qs»"));
        }
    }
    match request.volumes.iter().find(|s| !(**s > 0.0 && **s <= 1.0)) {
        Some(s) => {
            let reason = "a volume lies above 0 and is at most 1";
            Err(Error::request("volume", s.to_string(), reason).hint("such as 0.05"))
        }
        None => Ok(()),
    }
}

fn of_dimension(request: &EvaluateRequest, w: usize) -> Workload {
    Workload { qs: request.qs, s: request.s, queries: request.queries, seed: request.seed, ..Workload::new(w) }
}

/// The dimensions asked for, then the volumes; where neither is, the dimensions of the paper that the columns allow.
fn workloads(request: &EvaluateRequest, n_quasi: usize) -> Vec<Workload> {
    let none = request.w.is_empty() && request.volumes.is_empty();
    let usual = (request.qs + 1..=request.qs + 3).filter(|w| none && *w <= n_quasi + request.qs);
    let dimensions = request.w.iter().copied().chain(usual).map(|w| of_dimension(request, w));
    let every = request.volumes.iter().map(|&s| {
        let all = of_dimension(request, n_quasi + request.qs);
        Workload { s, predicates: Predicates::Sets, ..all }
    });
    dimensions.chain(every).collect()
}

/// Asks every workload.
pub(super) fn answered(
    request: &EvaluateRequest,
    comparison: &Comparison,
    source: &ComparedSource,
    rival: Option<&Rival>,
    monitor: Monitor<'_>,
) -> Result<Vec<WorkloadFacts>> {
    let workloads = workloads(request, source.microdata.quasi().len());
    workloads.into_iter().map(|workload| one(workload, comparison, source, rival, monitor)).collect()
}

fn one(
    workload: Workload,
    comparison: &Comparison,
    source: &ComparedSource,
    rival: Option<&Rival>,
    monitor: Monitor<'_>,
) -> Result<WorkloadFacts> {
    let answers = Answers::new(workload, &source.microdata, monitor)?;
    let both = |(uniform, ends)| vec![("uniform", uniform), ("ends", ends)];
    let estimators = match &comparison.estimator {
        Estimator::Generalized(table) => both(answers.generalization_errors(table, monitor)?),
        Estimator::Angel(tables) => both(answers.angel_errors(tables, monitor)?),
        Estimator::Anatomy(table) => vec![("shares", answers.anatomy_errors(table, monitor)?)],
    };
    Ok(WorkloadFacts {
        w: workload.w,
        qs: workload.qs,
        s: workload.s,
        predicates: workload.predicates.name(),
        queries: workload.queries,
        without_answer: answers.without_answer(),
        seed: workload.seed,
        estimators,
        mean_answer: answers.mean_answer(),
        baseline: rival.map(|rival| rival.errors(&answers, monitor)).transpose()?,
    })
}
