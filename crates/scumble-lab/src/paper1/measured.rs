//! Releases of paper 1 and what was measured of them.

use super::{DIMENSIONS, Grid, VOLUME};
use crate::attempt::{Attempt, attempt, partition_seconds};
use crate::data::StudyData;
use crate::runner::Runner;
use crate::study_table::Encoded;
use crate::variant::{Answered, Variant, ask};
use scumble::{Baseline, Decimal, EvaluateRequest, Job, Result};
use std::collections::BTreeMap;

/// What nearness is relative to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Form {
    Absolute,
    Relative,
}

impl Form {
    pub(super) const ALL: [Form; 2] = [Form::Absolute, Form::Relative];

    /// The paper's epsilon where m or the volume varies, and its m.
    pub(super) fn usual(self) -> Parameters {
        let epsilon = match self {
            Form::Absolute => Decimal::new(4_500, 0),
            Form::Relative => Decimal::new(125, 3),
        };
        Parameters { form: self, epsilon, m: super::M }
    }

    pub(super) fn name(self) -> &'static str {
        ["absolute", "relative"][self as usize]
    }

    /// The letter of its half of a figure.
    pub(super) fn letter(self) -> &'static str {
        ["a", "b"][self as usize]
    }
}

/// The parameters of a requirement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Parameters {
    pub(super) form: Form,
    pub(super) epsilon: Decimal,
    pub(super) m: u64,
}

/// What was measured of one release.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Measured {
    pub(super) answered: Vec<Answered>,
    /// The largest share of incomes that perturbation may keep under the same requirement.
    pub(super) retention: f64,
    /// How long the groups were sought, in seconds, with the machine for itself.
    pub(super) seconds: f64,
}

/// What was measured.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Results {
    /// By parameters and variant; a requirement that cannot be met is not there.
    pub(super) measured: BTreeMap<(Parameters, Variant), Measured>,
    /// Why a requirement cannot be met.
    pub(super) refused: BTreeMap<Parameters, String>,
}

impl Results {
    pub(super) fn release(&self, parameters: Parameters, variant: Variant) -> Option<&Measured> {
        self.measured.get(&(parameters, variant))
    }

    /// The errors of a workload.
    pub(super) fn answered(&self, parameters: Parameters, variant: Variant, w: usize, s: f64) -> Option<&Answered> {
        self.release(parameters, variant)?.answered.iter().find(|one| one.w == w && one.s == s)
    }
}

/// How often a short search is timed; the least time counts, for whatever else a machine does only adds to it.
const TIMED: usize = 3;

/// What is no short search, in seconds.
const LONG: f64 = 0.2;

/// Makes every release that the figures need alone, so that times can be compared, and asks it.
pub(super) fn measure(data: &StudyData, seed: u64, grid: &Grid, runner: &Runner) -> Result<Results> {
    // The paper's quasi-identifiers are whole numbers.
    let table = data.table.clone().numbered(&data.columns.quasi)?;
    let mut job = Job::new().quasi(&data.columns.quasi).sensitive(&data.columns.sensitive);
    job.publish.seed = Some(seed);
    let study = Study { encoded: table.encoded(&job.columns)?, job, grid, seed, runner };
    let runs = Variant::with_each(&grid.all());
    let name = |(one, variant): &(Parameters, Variant)| {
        format!("{} epsilon {}, m {}, {}", one.form.name(), one.epsilon, one.m, variant.name())
    };
    let found = runner.one_by_one(&runs, name, |&(parameters, variant)| study.measure(parameters, variant))?;
    let mut results = Results::default();
    for (run, found) in runs.into_iter().zip(found) {
        match found {
            Ok(measured) => drop(results.measured.insert(run, measured)),
            Err(reason) => drop(results.refused.insert(run.0, reason)),
        }
    }
    Ok(results)
}

/// What all releases have in common.
struct Study<'a> {
    encoded: Encoded,
    job: Job,
    grid: &'a Grid,
    seed: u64,
    runner: &'a Runner,
}

impl Study<'_> {
    fn attempt(&self, Parameters { form, epsilon, m }: Parameters, variant: Variant) -> Result<Attempt> {
        let mut job = self.job.clone().require(&format!("proximity-{}({epsilon}, {m})", form.name()))?;
        job.publish.algorithm = variant.algorithm();
        attempt(&self.encoded.table, job, self.runner)
    }

    /// What a release is worth and how long it took, or why there is none.
    fn measure(&self, parameters: Parameters, variant: Variant) -> Result<Result<Measured, String>> {
        let release = match self.attempt(parameters, variant)? {
            Ok(release) => release,
            Err(reason) => return Ok(Err(reason)),
        };
        let mut times = vec![partition_seconds(&release)];
        while times.len() < TIMED && times.iter().sum::<f64>() < LONG {
            let Ok(again) = self.attempt(parameters, variant)? else { break };
            times.push(partition_seconds(&again));
        }
        let usual = Form::ALL.iter().any(|form| form.usual() == parameters);
        let volumes: &[f64] = if usual { &self.grid.volumes } else { &[VOLUME] };
        let request = EvaluateRequest {
            w: DIMENSIONS.to_vec(),
            queries: self.grid.queries,
            seed: self.seed,
            baseline: Some(Baseline::Perturbation),
            ..EvaluateRequest::new()
        };
        let (answered, retention) = ask(&release, &self.encoded.texts, &request, volumes, self.runner)?;
        Ok(Ok(Measured { answered, retention, seconds: times.into_iter().fold(f64::NAN, f64::min) }))
    }
}
