//! What a release is still good for: losses, group sizes, count queries answered from it beside the
//! true answers of its source, how wide the bounds of sums and averages are, and how many of its groups let near
//! values through. For the publisher's eyes.

mod baseline;
mod bounds;
mod page;
mod page_bounds;
mod page_tables;
mod page_vulnerability;
mod rivals;
mod vulnerability;
mod workloads;

pub use baseline::{Baseline, BaselineFacts};
pub use bounds::{BoundLine, BoundsFacts, BoundsRequest};
pub use page::evaluation_page;
pub use vulnerability::VulnerabilityRequest;
pub use workloads::WorkloadFacts;

use crate::audit::{Auditing, file};
use crate::source_rules::SourceRules;
use scumble_measure::{AngelTable, Comparison, MeasuredForm, Reconstruction, SizeSummary, Vulnerability, WORKLOAD_SEED, discernibility};
use scumble_release::{Method, ReleaseReader, SourceData};
use scumble_verify::VerifyOptions;
use scumble_table::{Error, Monitor, Result};
use serde::Serialize;
use std::path::PathBuf;

/// What to evaluate, and with which questions.
#[derive(Debug, Clone)]
pub struct EvaluateRequest {
    /// The release directory.
    pub release: PathBuf,
    /// The data it was made from.
    pub source: Input,
    /// The rules it was made with, which are applied to the source first.
    pub rules: Option<SourceRules>,
    /// The sensitive column that queries ask about; the first by default, any where they ask about several.
    pub sensitive: Option<String>,
    /// Sensitive columns in a query, drawn at random where there are more.
    pub qs: usize,
    /// Queries of each workload; 0 asks none.
    pub queries: usize,
    /// Query dimensions, sensitive columns included, one workload each; with 1, 2 and 3 quasi-identifiers as far as there
    /// are where neither these nor volumes are given.
    pub w: Vec<usize>,
    /// Volume of the queries of `w` columns.
    pub s: f64,
    /// Volumes of queries on every column, one workload each, with sets of values where a column has no order.
    pub volumes: Vec<f64>,
    /// Seed of the questions, and of the baseline's noise.
    pub seed: u64,
    /// What to put beside the release.
    pub baseline: Option<Baseline>,
    /// Whether, and how, to measure the bounds of sums or averages.
    pub bounds: Option<BoundsRequest>,
    /// Sets of quasi-identifiers to reconstruct the distribution of, beside that of all.
    pub reconstruct: Vec<Vec<String>>,
    /// Whether, and how, to look for groups that let near values through.
    pub vulnerability: Option<VulnerabilityRequest>,
}

impl EvaluateRequest {
    /// The paper's workloads for a release and its source.
    pub fn new(release: impl Into<PathBuf>, source: Input) -> Self {
        EvaluateRequest {
            release: release.into(),
            source,
            rules: None,
            sensitive: None,
            qs: 1,
            queries: 1000,
            w: Vec::new(),
            s: 0.1,
            volumes: Vec::new(),
            seed: WORKLOAD_SEED,
            baseline: None,
            bounds: None,
            reconstruct: Vec::new(),
            vulnerability: None,
        }
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
    /// Number of groups, or of batches.
    pub groups: u64,
    /// How large the groups are.
    pub group_sizes: SizeSummary,
    /// The tables of boxes of an angel release.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub buckets: Vec<BucketFacts>,
    /// Sum of the squares of the sizes of the groups, or of the buckets over all quasi-identifiers, and for each
    /// suppressed row the number of all rows.
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
    /// How far distributions reconstructed from the release lie from those of the source: that of all
    /// quasi-identifiers first, then those that were asked for.
    pub reconstruction: Vec<Reconstruction>,
    /// The rival, where one was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub baseline: Option<BaselineFacts>,
    /// How wide bounds are, where that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bounds: Option<BoundsFacts>,
    /// The share of groups that let near values through, by each distance that was asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub vulnerability: Vec<Vulnerability>,
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

/// The buckets of one table of an angel release.
#[derive(Debug, Clone, Serialize)]
pub struct BucketFacts {
    /// Name of the table.
    pub table: String,
    /// Its quasi-identifiers.
    pub columns: Vec<String>,
    /// Number of buckets.
    pub buckets: u64,
    /// How large they are.
    pub sizes: SizeSummary,
}

impl BucketFacts {
    fn of(table: &AngelTable) -> Self {
        BucketFacts {
            table: table.name().into(),
            columns: table.boxes().iter().map(|boxes| boxes.axis().name.clone()).collect(),
            buckets: table.sizes().len() as u64,
            sizes: SizeSummary::of(table.sizes()),
        }
    }
}

/// Evaluates a release against its source.
///
/// # Errors
/// If the release does not verify, a file cannot be read, the source is not that of the release, or a
/// question cannot be asked.
pub fn evaluate(request: &EvaluateRequest, monitor: Monitor<'_>) -> Result<Evaluation> {
    workloads::check(request)?;
    if let Some(bounds) = &request.bounds {
        bounds.check()?;
    }
    if let Some(asked) = &request.vulnerability {
        asked.grid.checked()?;
    }
    let path = &request.source.path;
    if path.as_os_str() != "-" && !path.is_file() {
        return Err(Error::request("source", path.display().to_string(), "there is no such file"));
    }
    // What is measured lies in the tables; the page beside them is for `verify` to judge.
    let watch = Auditing(monitor);
    let verdict =
        scumble_release::verify(&request.release, &VerifyOptions { watch: &watch, ..VerifyOptions::default() })?;
    if let Some(failure) = verdict.failures().next() {
        return Err(Error::Unverified { reason: format!("{}: {}", failure.name, failure.detail) });
    }
    let release = ReleaseReader::open(&request.release)?;
    let ruled;
    let source = match &request.rules {
        None => file(&request.source),
        Some(rules) => {
            ruled = rules.read(&request.source, release.columns(), monitor)?;
            SourceData::Raw(&ruled)
        }
    };
    let comparison = match request.qs {
        1 => Comparison::read(&release, &source, request.sensitive.as_deref(), monitor)?,
        _ => Comparison::read_all(&release, &source, monitor)?,
    };
    let reconstruction = reconstructed(request, &comparison)?;
    let rival = match request.baseline {
        Some(Baseline::Perturbation) => Some(baseline::Rival::new(&release, comparison.source.as_ref(), request.seed)?),
        None => None,
    };
    let workloads = match &comparison.source {
        Some(source) if request.queries > 0 => workloads::answered(request, &comparison, source, rival.as_ref())?,
        None if request.queries > 0 => {
            monitor.warn("the release has no sensitive column, so there are no queries to ask");
            Vec::new()
        }
        _ => Vec::new(),
    };
    let bounds = match &request.bounds {
        Some(asked) if request.queries > 0 => Some(bounds::measure(asked, request, &release, &comparison, monitor)?),
        _ => None,
    };
    let vulnerability = match &request.vulnerability {
        Some(asked) => vulnerability::measure(asked, &release, monitor)?,
        None => Vec::new(),
    };
    let loss = comparison.loss();
    let buckets = match &comparison.form {
        MeasuredForm::Angel(tables) => tables.tables().iter().map(BucketFacts::of).collect(),
        MeasuredForm::Generalized(_) | MeasuredForm::Anatomy(_) => Vec::new(),
    };
    let alike = match &comparison.form {
        MeasuredForm::Angel(tables) => tables.tables()[0].sizes(),
        MeasuredForm::Generalized(_) | MeasuredForm::Anatomy(_) => &comparison.sizes,
    };
    Ok(Evaluation {
        release: request.release.clone(),
        method: release.manifest().method,
        rows: comparison.rows,
        suppressed: comparison.suppressed,
        groups: comparison.sizes.len() as u64,
        group_sizes: SizeSummary::of(&comparison.sizes),
        buckets,
        discernibility: discernibility(alike, comparison.suppressed),
        loss: loss.loss,
        ncp: loss.ncp,
        ncp_per_attribute: loss.ncp_per_attribute,
        ncp_by_attribute: loss.by_attribute.iter().map(|a| (a.name.clone(), a.ncp)).collect(),
        loss_by_attribute: loss.by_attribute.iter().map(|a| (a.name.clone(), a.loss)).collect(),
        sensitive: comparison.source.as_ref().map(|source| source.sensitive.clone()),
        workloads,
        reconstruction,
        baseline: rival.map(|rival| rival.facts),
        bounds,
        vulnerability,
    })
}

/// The divergence on all quasi-identifiers, and on those asked for; nothing where nothing is sensitive.
fn reconstructed(request: &EvaluateRequest, comparison: &Comparison) -> Result<Vec<Reconstruction>> {
    if comparison.source.is_none() && request.reconstruct.is_empty() {
        return Ok(Vec::new());
    }
    std::iter::once(&Vec::new()).chain(&request.reconstruct).map(|names| comparison.reconstruct(names)).collect()
}
