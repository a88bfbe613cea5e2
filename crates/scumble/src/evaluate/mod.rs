//! What a release is still good for: losses, group sizes, count queries answered from it next to the true answers of its
//! source, how wide the bounds of sums and averages are, and how many of its groups let near values through. For the
//! publisher's eyes.

mod baseline;
mod bounds;
mod page;
mod page_bounds;
mod page_tables;
mod page_vulnerability;
mod rivals;
#[cfg(test)]
mod tests;
mod vulnerability;
mod workloads;

pub use baseline::{Baseline, BaselineFacts};
pub use bounds::{BoundLine, BoundsFacts, BoundsRequest};
pub use page::evaluation_page;
pub use vulnerability::VulnerabilityRequest;
pub use workloads::WorkloadFacts;

use crate::context::Context;
use crate::release::Release;
use scumble_io::RawTable;
use scumble_measure::{
    AngelTable, Comparison, Estimator, Reconstruction, SizeSummary, Vulnerability, WORKLOAD_SEED, discernibility,
};
use scumble_release::Method;
use scumble_table::{Counted, Monitor, Result, Table};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// The questions with which a release is evaluated.
#[derive(Debug, Clone)]
pub struct EvaluateRequest {
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
    /// What to compare the release with.
    pub baseline: Option<Baseline>,
    /// Whether, and how, to measure the bounds of sums or averages.
    pub bounds: Option<BoundsRequest>,
    /// Sets of quasi-identifiers to reconstruct the distribution of, besides that of all.
    pub reconstruct: Vec<Vec<String>>,
    /// Whether, and how, to look for groups that let near values through.
    pub vulnerability: Option<VulnerabilityRequest>,
}

impl Default for EvaluateRequest {
    fn default() -> Self {
        EvaluateRequest {
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

impl EvaluateRequest {
    /// The paper's workloads.
    pub fn new() -> Self {
        EvaluateRequest::default()
    }

    /// Refuses what cannot be asked of any release.
    ///
    /// # Errors
    /// Names the field, the value and what would be accepted.
    pub fn check(&self) -> Result<()> {
        workloads::check(self)?;
        if let Some(bounds) = &self.bounds {
            bounds.check()?;
        }
        match &self.vulnerability {
            Some(asked) => asked.grid.checked().map(|_| ()),
            None => Ok(()),
        }
    }
}

/// What a release has lost and how well it answers.
#[derive(Debug, Clone, Serialize)]
pub struct Evaluation {
    /// The release directory; nothing for a release in memory.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub release: Option<PathBuf>,
    /// The form of the release.
    pub method: Method,
    /// Rows published with values.
    pub rows: u64,
    /// Rows published as stars.
    pub suppressed: u64,
    /// What is counted in figures and queries: always `rows`, since a release does not say whose they are.
    pub counted: &'static str,
    /// Persons whose rows these are, where the release says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub persons: Option<u64>,
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
    /// Mean over rows of the sum over quasi-identifiers of covered/domain, on the source's domains; a suppressed row counts 1
    /// for each.
    pub loss: f64,
    /// The same on the scale where a single value costs 0 and the whole domain 1.
    pub ncp: f64,
    /// NCP divided by the number of quasi-identifiers.
    pub ncp_per_attribute: f64,
    /// NCP of each quasi-identifier, by the same rule: they add up to the NCP of the table.
    pub ncp_by_attribute: Vec<(String, f64)>,
    /// Loss of each quasi-identifier, by the same rule.
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
    fn from_table(table: &AngelTable) -> Self {
        BucketFacts {
            table: table.name().into(),
            columns: table.boxes().iter().map(|boxes| boxes.axis().name.clone()).collect(),
            buckets: table.sizes().len() as u64,
            sizes: SizeSummary::new(table.sizes()),
        }
    }
}

impl Release {
    /// Evaluates the release against the table that it was made from.
    ///
    /// # Errors
    /// As [`evaluate()`].
    pub fn evaluate(&self, source: &Table, request: &EvaluateRequest, context: &Context) -> Result<Evaluation> {
        evaluate(self, &RawTable::from_table(source.clone(), "the source")?, request, context)
    }
}

/// Evaluates a release against its source, whose published columns are there as texts.
///
/// # Errors
/// If the release does not verify, the source is not that of the release, a question cannot be asked, or the work is
/// cancelled.
pub fn evaluate(
    release: &Release,
    source: &RawTable,
    request: &EvaluateRequest,
    context: &Context,
) -> Result<Evaluation> {
    request.check()?;
    context.run(|| measured(release, source, request, context))
}

fn measured(release: &Release, rows: &RawTable, request: &EvaluateRequest, context: &Context) -> Result<Evaluation> {
    let monitor = context.monitor();
    // What is measured lies in the tables; the page next to them is for `verify` to judge.
    let data = release.verified_data(context)?;
    let comparison = match request.qs {
        1 => Comparison::read(data, rows, request.sensitive.as_deref(), monitor)?,
        _ => Comparison::read_all(data, rows, monitor)?,
    };
    let reconstruction = reconstructed(request, &comparison, monitor)?;
    let rival = request.baseline.map(|Baseline::Perturbation| {
        baseline::Rival::new(&data.manifest().requirements, comparison.source.as_ref(), request.seed)
    });
    let rival = rival.transpose()?;
    let workloads = match &comparison.source {
        Some(source) if request.queries > 0 => {
            workloads::answered(request, &comparison, source, rival.as_ref(), monitor)?
        }
        None if request.queries > 0 => {
            monitor.warn("the release has no sensitive column, so there are no queries to ask");
            Vec::new()
        }
        _ => Vec::new(),
    };
    let bounds = request.bounds.as_ref().filter(|_| request.queries > 0);
    let bounds = bounds.map(|asked| bounds::measure(asked, request, (data.reader(), rows), &comparison, monitor));
    let bounds = bounds.transpose()?;
    let vulnerability = match &request.vulnerability {
        Some(asked) => vulnerability::measure(asked, data, monitor)?,
        None => Vec::new(),
    };
    monitor.check()?;
    let loss = comparison.loss();
    let (buckets, alike) = match &comparison.estimator {
        Estimator::Angel(tables) => {
            (tables.tables().iter().map(BucketFacts::from_table).collect(), tables.tables()[0].sizes())
        }
        Estimator::Generalized(_) | Estimator::Anatomy(_) => (Vec::new(), comparison.sizes.as_slice()),
    };
    Ok(Evaluation {
        release: release.path().map(Path::to_path_buf),
        method: data.manifest().method,
        rows: comparison.rows,
        suppressed: comparison.suppressed,
        counted: Counted::Rows.name(),
        persons: data.manifest().persons,
        groups: comparison.sizes.len() as u64,
        group_sizes: SizeSummary::new(&comparison.sizes),
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
fn reconstructed(
    request: &EvaluateRequest,
    comparison: &Comparison,
    monitor: Monitor<'_>,
) -> Result<Vec<Reconstruction>> {
    if comparison.source.is_none() && request.reconstruct.is_empty() {
        return Ok(Vec::new());
    }
    let named = request.reconstruct.iter().map(Vec::as_slice);
    std::iter::once(&[][..]).chain(named).map(|names| comparison.reconstruct(names, monitor)).collect()
}
