//! Releases of the table with an occupation, each verified and measured once for all figures.

use super::super::trial::{Trial, trial};
use super::super::workshop::Workshop;
use super::Scale;
use super::source::Occupations;
use scumble::{
    Algorithm, ColumnRequest, ColumnRole, EvaluateRequest, Evaluation, Kind, Method, PublishRequest, Result, Silent,
    evaluate,
};

/// A line of the figures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// Mondrian by medians.
    Generalization,
    /// Mondrian for both batches and buckets.
    Angelization,
    /// The default of the program.
    Default,
}

impl Way {
    pub(super) const ALL: [Way; 3] = [Way::Generalization, Way::Angelization, Way::Default];

    pub(super) fn name(self) -> &'static str {
        match self {
            Way::Generalization => "generalization",
            Way::Angelization => "angelization (the paper's)",
            Way::Default => "angelization (Scumble's default)",
        }
    }

    fn is_angel(self) -> bool {
        self != Way::Generalization
    }

    fn algorithm(self) -> Option<Algorithm> {
        match self {
            Way::Generalization | Way::Angelization => Some(Algorithm::Paper),
            Way::Default => None,
        }
    }
}

/// What the anonymization must satisfy.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Principle {
    /// l-diversity.
    Diversity(u32),
    /// t-closeness.
    Closeness(f64),
}

impl Principle {
    /// The text of the requirement.
    pub(super) fn requirement(self) -> String {
        match self {
            Principle::Diversity(l) => format!("frequency-l-diversity({l})"),
            Principle::Closeness(t) => format!("t-closeness({t})"),
        }
    }

    /// Its parameter.
    pub(super) fn parameter(self) -> f64 {
        match self {
            Principle::Diversity(l) => f64::from(l),
            Principle::Closeness(t) => t,
        }
    }
}

/// The principles that volumes and marginals are looked at under.
pub(super) const MIDDLE: [Principle; 2] = [Principle::Diversity(10), Principle::Closeness(0.2)];

/// The volume that all principles are asked with.
pub(super) const VOLUME: f64 = 0.05;

/// People who share a box of an angel release (section 6).
const K: u64 = 10;

/// One release.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Job {
    principle: Principle,
    way: Way,
    /// Whether every marginal has a table of its own.
    marginals: bool,
}

impl Job {
    fn name(&self) -> String {
        let marginals = if self.marginals { ", with marginals" } else { "" };
        format!("{}, {}{marginals}", self.principle.requirement(), self.way.name())
    }
}

/// What was measured on one release.
#[derive(Debug, Clone)]
pub(super) struct Run {
    job: Job,
    /// Divergence over all quasi-identifiers, then over the first one, two, ... of them; nothing where the release does
    /// not tell, or there is none.
    pub(super) divergences: Vec<Option<f64>>,
    /// Volumes, and the mean relative error of counts with each.
    pub(super) errors: Vec<(f64, Option<f64>)>,
    /// Why there is no release, in the words of the library.
    reason: Option<String>,
}

/// All releases.
pub(super) struct Runs(Vec<Run>);

impl Runs {
    /// The release of a way under a principle.
    pub(super) fn of(&self, principle: Principle, way: Way, marginals: bool) -> Option<&Run> {
        let wanted = Job { principle, way, marginals };
        self.0.iter().find(|run| run.job == wanted)
    }

    /// What could not be released, and why.
    pub(super) fn impossible(&self) -> impl Iterator<Item = String> + '_ {
        let told = |run: &Run| run.reason.as_ref().map(|reason| format!("{}: {reason}", run.job.name()));
        self.0.iter().filter_map(told)
    }
}

/// The first one, two, ... quasi-identifiers but for all of them: the paper's marginals.
pub(super) fn marginals(quasi: &[String]) -> Vec<Vec<String>> {
    (1..quasi.len()).map(|n| quasi[..n].to_vec()).collect()
}

/// Makes and measures all releases.
pub(super) fn runs(table: &Occupations, scale: &Scale, workshop: &Workshop<'_>) -> Result<Runs> {
    let principles = || {
        let diversities = scale.ls.iter().map(|&l| Principle::Diversity(l));
        diversities.chain(scale.ts.iter().map(|&t| Principle::Closeness(t)))
    };
    let plain = principles()
        .flat_map(|principle| Way::ALL.into_iter().map(move |way| Job { principle, way, marginals: false }));
    let angels = || Way::ALL.into_iter().filter(|way| way.is_angel());
    let marginal =
        MIDDLE.into_iter().flat_map(|principle| angels().map(move |way| Job { principle, way, marginals: true }));
    let jobs: Vec<Job> = plain.chain(marginal).collect();
    let done = workshop.side_by_side(&jobs, Job::name, |job| run(*job, table, scale, workshop))?;
    Ok(Runs(done))
}

fn run(job: Job, table: &Occupations, scale: &Scale, workshop: &Workshop<'_>) -> Result<Run> {
    let middle = MIDDLE.contains(&job.principle);
    let volumes = if middle { scale.volumes.clone() } else { vec![VOLUME] };
    let sets = if middle && job.way.is_angel() { marginals(&table.quasi) } else { Vec::new() };
    let (found, reason) = match trial(request(job, table, scale)?, workshop)? {
        Trial::Made(made) => {
            let asked = EvaluateRequest {
                queries: if job.marginals { 0 } else { scale.queries },
                volumes: volumes.clone(),
                reconstruct: sets.clone(),
                seed: scale.seed,
                ..made.to_evaluate()
            };
            (Some(evaluate(&asked, &Silent)?), None)
        }
        Trial::Impossible { reason } => (None, Some(reason)),
    };
    let divergence = |at: usize| found.as_ref().and_then(|found| found.reconstruction.get(at)?.kl);
    let error = |at: usize| found.as_ref().and_then(|found| mean_error(found, at));
    Ok(Run {
        job,
        reason,
        divergences: (0..=sets.len()).map(divergence).collect(),
        errors: volumes.iter().enumerate().map(|(at, &volume)| (volume, error(at))).collect(),
    })
}

/// The mean relative error of a workload by the estimator of the paper's equation 8.
fn mean_error(found: &Evaluation, workload: usize) -> Option<f64> {
    let estimators = &found.workloads.get(workload)?.estimators;
    estimators.iter().find(|(name, _)| *name == "uniform")?.1.map(|errors| errors.mean)
}

fn request(job: Job, table: &Occupations, scale: &Scale) -> Result<PublishRequest> {
    let column = |name: &String, role, kind| ColumnRequest { kind: Some(kind), ..ColumnRequest::new(name, role) };
    let mut columns: Vec<ColumnRequest> =
        table.quasi.iter().map(|name| column(name, ColumnRole::Quasi, Kind::Number)).collect();
    columns.push(column(&table.sensitive, ColumnRole::Sensitive, Kind::Nominal));
    let angel = job.way.is_angel();
    Ok(PublishRequest {
        columns,
        drop_rest: true,
        requirements: vec![job.principle.requirement().parse()?],
        method: Some(if angel { Method::Angel } else { Method::Generalize }),
        angel_k: angel.then_some(K),
        marginals: if job.marginals { marginals(&table.quasi) } else { Vec::new() },
        algorithm: job.way.algorithm(),
        // The same coins give the releases with and without marginals the same batches.
        seed: Some(scale.seed),
        ..PublishRequest::new(table.input.clone())
    })
}
