//! Releases of the table with an occupation, each verified and measured once for all figures.

use super::Scale;
use super::source::Occupations;
use crate::attempt::attempt;
use crate::runner::Runner;
use crate::variant::mean_error;
use scumble::{Algorithm, EvaluateRequest, Job, Method, Result};

/// A line of the figures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Approach {
    /// Mondrian by medians.
    Generalization,
    /// Mondrian for both batches and buckets.
    Angelization,
    /// The default of the program.
    Default,
}

impl Approach {
    pub(super) const ALL: [Approach; 3] = [Approach::Generalization, Approach::Angelization, Approach::Default];

    pub(super) fn name(self) -> &'static str {
        ["generalization", "angelization (the paper's)", "angelization (Scumble's default)"][self as usize]
    }

    fn is_angel(self) -> bool {
        self != Approach::Generalization
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

/// What a release is made for.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Purpose {
    principle: Principle,
    approach: Approach,
    /// Whether every marginal has a table of its own.
    marginals: bool,
}

impl Purpose {
    fn name(&self) -> String {
        let marginals = if self.marginals { ", with marginals" } else { "" };
        format!("{}, {}{marginals}", self.principle.requirement(), self.approach.name())
    }
}

/// What was measured on one release.
#[derive(Debug, Clone)]
pub(super) struct Run {
    purpose: Purpose,
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
    /// The release of an approach under a principle.
    pub(super) fn find(&self, principle: Principle, approach: Approach, marginals: bool) -> Option<&Run> {
        let wanted = Purpose { principle, approach, marginals };
        self.0.iter().find(|run| run.purpose == wanted)
    }

    /// What could not be released, and why.
    pub(super) fn impossible(&self) -> impl Iterator<Item = String> + '_ {
        let told = |run: &Run| run.reason.as_ref().map(|reason| format!("{}: {reason}", run.purpose.name()));
        self.0.iter().filter_map(told)
    }
}

/// The first one, two, ... quasi-identifiers but for all of them: the paper's marginals.
pub(super) fn marginals(quasi: &[String]) -> Vec<Vec<String>> {
    (1..quasi.len()).map(|n| quasi[..n].to_vec()).collect()
}

/// Makes and measures all releases.
pub(super) fn runs(table: &Occupations, scale: &Scale, runner: &Runner) -> Result<Runs> {
    let principles = scale.panels().map(|panel| panel.3).concat();
    let each = |principles: &[Principle], marginals: bool| -> Vec<Purpose> {
        let of = |principle| Approach::ALL.map(|approach| Purpose { principle, approach, marginals });
        principles.iter().flat_map(|&principle| of(principle)).collect()
    };
    let mut purposes = each(&principles, false);
    purposes.extend(each(&MIDDLE, true).into_iter().filter(|purpose| purpose.approach.is_angel()));
    Ok(Runs(runner.in_parallel(&purposes, Purpose::name, |purpose| run(*purpose, table, scale, runner))?))
}

fn run(purpose: Purpose, table: &Occupations, scale: &Scale, runner: &Runner) -> Result<Run> {
    let middle = MIDDLE.contains(&purpose.principle);
    let volumes = if middle { scale.volumes.clone() } else { vec![VOLUME] };
    let sets = if middle && purpose.approach.is_angel() { marginals(&table.quasi) } else { Vec::new() };
    let (found, reason) = match attempt(&table.encoded.table, job(purpose, table, scale)?, runner)? {
        Ok(release) => {
            let asked = EvaluateRequest {
                queries: if purpose.marginals { 0 } else { scale.queries },
                volumes: volumes.clone(),
                reconstruct: sets.clone(),
                seed: scale.seed,
                ..EvaluateRequest::new()
            };
            (Some(runner.evaluate(&release, &table.encoded.texts, &asked)?), None)
        }
        Err(reason) => (None, Some(reason)),
    };
    let divergence = |at: usize| found.as_ref()?.reconstruction.get(at)?.kl;
    // The estimator of the paper's equation 8.
    let error = |at: usize| mean_error(found.as_ref()?.workloads.get(at)?, "uniform");
    Ok(Run {
        purpose,
        reason,
        divergences: (0..=sets.len()).map(divergence).collect(),
        errors: volumes.iter().enumerate().map(|(at, &volume)| (volume, error(at))).collect(),
    })
}

fn job(
    Purpose { principle, approach, marginals: own_tables }: Purpose,
    table: &Occupations,
    scale: &Scale,
) -> Result<Job> {
    let mut job = table.job.clone().require(&principle.requirement())?;
    let angel = approach.is_angel();
    job.publish.method = Some(if angel { Method::Angel } else { Method::Generalize });
    job.publish.angel_k = angel.then_some(K);
    job.publish.marginal = if own_tables { marginals(&table.quasi) } else { Vec::new() };
    job.publish.algorithm = (approach != Approach::Default).then_some(Algorithm::Paper);
    // The same coins give the releases with and without marginals the same batches.
    job.publish.seed = Some(scale.seed);
    Ok(job)
}
