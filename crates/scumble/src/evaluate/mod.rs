//! What a release is still good for: losses, group sizes, count queries answered from it beside the
//! true answers of its source, and how wide the bounds of sums and averages are. For the publisher's eyes.

mod baseline;
mod bounds;
mod page;
mod page_bounds;
mod rivals;

pub use baseline::{Baseline, BaselineFacts};
pub use bounds::{BoundLine, BoundsFacts, BoundsRequest};
pub use page::evaluation_page;

use crate::audit::{Auditing, verify};
use crate::observer::Observer;
use crate::request::Input;
use scumble_release::{
    Answers, ComparedSource, Comparison, Errors, MeasuredForm, Method, ReleaseDir, SizeSummary, SourceData,
    WORKLOAD_SEED, Workload, discernibility,
};
use scumble_table::{Error, Result};
use serde::{Serialize, Serializer};
use std::path::PathBuf;

/// What to evaluate, and with which questions.
#[derive(Debug, Clone)]
pub struct EvaluateRequest {
    /// The release directory.
    pub release: PathBuf,
    /// The data it was made from.
    pub source: Input,
    /// The sensitive column that queries ask about; the first by default.
    pub sensitive: Option<String>,
    /// Queries of each workload; 0 asks none.
    pub queries: usize,
    /// Query dimensions, one workload each; 2, 3 and 4 as far as there are columns where none is given.
    pub w: Vec<usize>,
    /// Volume of the queries.
    pub s: f64,
    /// Seed of the questions, and of the baseline's noise.
    pub seed: u64,
    /// What to put beside the release.
    pub baseline: Option<Baseline>,
    /// Whether, and how, to measure the bounds of sums or averages.
    pub bounds: Option<BoundsRequest>,
}

impl EvaluateRequest {
    /// The paper's workloads for a release and its source.
    pub fn new(release: impl Into<PathBuf>, source: Input) -> Self {
        EvaluateRequest {
            release: release.into(),
            source,
            sensitive: None,
            queries: 1000,
            w: Vec::new(),
            s: 0.1,
            seed: WORKLOAD_SEED,
            baseline: None,
            bounds: None,
        }
    }

    fn workload(&self, w: usize) -> Workload {
        Workload { w, s: self.s, queries: self.queries, seed: self.seed }
    }
}

/// What a release has lost and how well it answers.
#[derive(Debug, Clone, Serialize)]
pub struct Evaluation {
    /// The release directory.
    pub release: PathBuf,
    /// The form of the release.
    pub method: Method,
    /// Rows published with values.
    pub rows: u64,
    /// Rows published as stars.
    pub suppressed: u64,
    /// Number of groups.
    pub groups: u64,
    /// How large the groups are.
    pub group_sizes: SizeSummary,
    /// Sum of the squares of the group sizes, and for each suppressed row the number of all rows.
    pub discernibility: u64,
    /// Mean over rows of the sum over quasi-identifiers of covered/domain, on the source's domains.
    pub loss: f64,
    /// The same on the scale where a single value costs 0 and the whole domain 1.
    pub ncp: f64,
    /// NCP divided by the number of quasi-identifiers.
    pub ncp_per_attribute: f64,
    /// NCP of each quasi-identifier.
    pub ncp_by_attribute: Vec<(String, f64)>,
    /// Loss of each quasi-identifier.
    pub loss_by_attribute: Vec<(String, f64)>,
    /// The sensitive column that was asked about.
    pub sensitive: Option<String>,
    /// The workloads, by rising dimension where none were named.
    pub workloads: Vec<WorkloadFacts>,
    /// The rival, where one was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub baseline: Option<BaselineFacts>,
    /// How wide bounds are, where that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bounds: Option<BoundsFacts>,
}

impl Evaluation {
    /// True if the quasi-identifiers are exact, so that only suppressed rows have lost anything.
    pub fn is_exact(&self) -> bool {
        match self.method {
            Method::Generalize | Method::Angel => false,
            Method::Permute | Method::Anatomy => true,
        }
    }
}

/// How well one workload was answered.
#[derive(Debug, Clone, Serialize)]
pub struct WorkloadFacts {
    /// Query dimension.
    pub w: usize,
    /// Volume.
    pub s: f64,
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

/// Evaluates a release against its source.
///
/// # Errors
/// If the release does not verify, a file cannot be read, the source is not that of the release, or a
/// question cannot be asked.
pub fn evaluate(request: &EvaluateRequest, observer: &dyn Observer) -> Result<Evaluation> {
    for &w in request.w.iter().chain(&[2]) {
        request.workload(w).check()?;
    }
    if let Some(bounds) = &request.bounds {
        bounds.check()?;
    }
    let path = &request.source.path;
    if path.as_os_str() != "-" && !path.is_file() {
        return Err(Error::request("--source", path.display().to_string(), "there is no such file"));
    }
    let verdict = verify(&request.release, &[], None, None, observer)?;
    if let Some(failure) = verdict.failures().next() {
        return Err(Error::Unverified { reason: format!("{}: {}", failure.name, failure.detail) });
    }
    let release = ReleaseDir::open(&request.release)?;
    let source = SourceData::File {
        path: path.clone(),
        format: request.source.format,
        delimiter: request.source.delimiter,
        nulls: request.source.nulls.clone(),
    };
    let comparison = Comparison::read(&release, &source, request.sensitive.as_deref(), &Auditing(observer))?;
    let rival = match request.baseline {
        Some(Baseline::Perturbation) => Some(baseline::Rival::new(&release, comparison.source.as_ref(), request.seed)?),
        None => None,
    };
    let workloads = match &comparison.source {
        Some(source) if request.queries > 0 => {
            let n_quasi = source.microdata.quasi().len();
            dimensions(request, n_quasi)
                .map(|w| answered(w, request, &comparison, source, rival.as_ref()))
                .collect::<Result<_>>()?
        }
        None if request.queries > 0 => {
            observer.warn("the release has no sensitive column, so there are no queries to ask");
            Vec::new()
        }
        _ => Vec::new(),
    };
    let bounds = match &request.bounds {
        Some(asked) if request.queries > 0 => Some(bounds::measure(asked, request, &release, &comparison, observer)?),
        _ => None,
    };
    let loss = comparison.loss();
    Ok(Evaluation {
        release: request.release.clone(),
        method: release.manifest().method,
        rows: comparison.rows,
        suppressed: comparison.suppressed,
        groups: comparison.sizes.len() as u64,
        group_sizes: SizeSummary::of(&comparison.sizes),
        discernibility: discernibility(&comparison.sizes, comparison.suppressed),
        loss: loss.loss,
        ncp: loss.ncp,
        ncp_per_attribute: loss.ncp_per_attribute,
        ncp_by_attribute: loss.by_attribute.iter().map(|a| (a.name.clone(), a.ncp)).collect(),
        loss_by_attribute: loss.by_attribute.iter().map(|a| (a.name.clone(), a.loss)).collect(),
        sensitive: comparison.source.as_ref().map(|source| source.sensitive.clone()),
        workloads,
        baseline: rival.map(|rival| rival.facts),
        bounds,
    })
}

/// The dimensions asked for, or those of the paper that the columns allow.
fn dimensions(request: &EvaluateRequest, n_quasi: usize) -> impl Iterator<Item = usize> + '_ {
    let usual = (2..=4).filter(move |w| request.w.is_empty() && *w <= n_quasi + 1);
    request.w.iter().copied().chain(usual)
}

fn answered(
    w: usize,
    request: &EvaluateRequest,
    comparison: &Comparison,
    source: &ComparedSource,
    rival: Option<&baseline::Rival>,
) -> Result<WorkloadFacts> {
    let answers = Answers::of(request.workload(w), &source.microdata)?;
    let estimators = match &comparison.form {
        MeasuredForm::Generalized(table) => {
            let (uniform, ends) = answers.of_generalization(table);
            vec![("uniform", uniform), ("ends", ends)]
        }
        MeasuredForm::Anatomy(table) => vec![("shares", answers.of_anatomy(table))],
    };
    Ok(WorkloadFacts {
        w,
        s: request.s,
        queries: request.queries,
        without_answer: answers.without_answer(),
        seed: request.seed,
        estimators,
        mean_answer: answers.mean_answer(),
        baseline: rival.map(|rival| rival.errors(&answers)),
    })
}
