//! Releases of paper 1 and what was measured of them.

use super::super::data::Source;
use super::super::trial::{Trial, trial};
use super::super::workshop::Workshop;
use super::{DIMENSIONS, Grid, VOLUME};
use scumble::{
    Algorithm, Baseline, ColumnRequest, ColumnRole, Decimal, EvaluateRequest, Input, PublishRequest, Requirement,
    Result, Silent, evaluate,
};
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
    pub(super) fn usual(self) -> Setting {
        let epsilon = match self {
            Form::Absolute => Decimal::new(4_500, 0),
            Form::Relative => Decimal::new(125, 3),
        };
        Setting { form: self, epsilon, m: super::M }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Form::Absolute => "absolute",
            Form::Relative => "relative",
        }
    }

    /// The letter of its half of a figure.
    pub(super) fn letter(self) -> &'static str {
        match self {
            Form::Absolute => "a",
            Form::Relative => "b",
        }
    }
}

/// A requirement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Setting {
    pub(super) form: Form,
    pub(super) epsilon: Decimal,
    pub(super) m: u64,
}

impl Setting {
    fn requirement(&self) -> Result<Requirement> {
        format!("proximity-{}({}, {})", self.form.name(), self.epsilon, self.m).parse()
    }
}

/// Who finds the groups.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Way {
    /// The paper's algorithm, with its errata mended.
    Paper,
    /// What `publish` does by default.
    Ours,
}

impl Way {
    pub(super) const ALL: [Way; 2] = [Way::Paper, Way::Ours];
}

/// Errors of one workload, each a mean relative error.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Answered {
    pub(super) w: usize,
    pub(super) s: f64,
    /// By the estimator that the paper uses: values lie evenly in a box.
    pub(super) uniform: Option<f64>,
    /// By ours, which knows that the ends of a box are taken.
    pub(super) ends: Option<f64>,
    /// Perturbation under the same requirement; none where it cannot meet it.
    pub(super) perturbation: Option<f64>,
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
    /// By requirement and way; a requirement that cannot be met is not there.
    pub(super) measured: BTreeMap<(Setting, Way), Measured>,
    /// Why a requirement cannot be met.
    pub(super) refused: BTreeMap<Setting, String>,
}

impl Results {
    pub(super) fn of(&self, setting: Setting, way: Way) -> Option<&Measured> {
        self.measured.get(&(setting, way))
    }

    /// The errors of a workload.
    pub(super) fn answered(&self, setting: Setting, way: Way, w: usize, s: f64) -> Option<&Answered> {
        self.of(setting, way)?.answered.iter().find(|one| one.w == w && one.s == s)
    }
}

/// All releases that the figures need.
pub(super) struct Plan {
    input: Input,
    columns: Vec<ColumnRequest>,
    settings: Vec<Setting>,
    volumes: Vec<f64>,
    queries: usize,
    seed: u64,
}

/// How often a short search is timed; the least time counts, for whatever else a machine does only adds to it.
const TIMED: usize = 3;

/// What is no short search, in seconds.
const LONG: f64 = 0.2;

impl Plan {
    pub(super) fn new(source: &Source, seed: u64, grid: &Grid, workshop: &Workshop<'_>) -> Result<Self> {
        // The paper's quasi-identifiers are whole numbers.
        let table = source.table.clone().numbered(&source.cast.quasi)?;
        let quasi = source.cast.quasi.iter().map(|name| ColumnRequest::new(name, ColumnRole::Quasi));
        let sensitive = source.cast.sensitive.iter().map(|name| ColumnRequest::new(name, ColumnRole::Sensitive));
        Ok(Plan {
            input: table.write(workshop)?,
            columns: quasi.chain(sensitive).collect(),
            settings: grid.all(),
            volumes: grid.volumes.clone(),
            queries: grid.queries,
            seed,
        })
    }

    /// Makes every release alone, so that times can be compared, and asks it.
    pub(super) fn carry_out(&self, workshop: &Workshop<'_>) -> Result<Results> {
        let jobs: Vec<(Setting, Way)> =
            self.settings.iter().flat_map(|&setting| Way::ALL.map(|way| (setting, way))).collect();
        let name = |&(setting, way): &(Setting, Way)| {
            let by = if way == Way::Paper { "the paper's algorithm" } else { "ours" };
            format!("{} epsilon {}, m {}, {by}", setting.form.name(), setting.epsilon, setting.m)
        };
        let found = workshop.one_by_one(&jobs, name, |job| self.measure(job, workshop))?;
        let mut results = Results::default();
        for (job, found) in jobs.into_iter().zip(found) {
            match found {
                Ok(measured) => drop(results.measured.insert(job, measured)),
                Err(reason) => drop(results.refused.insert(job.0, reason)),
            }
        }
        Ok(results)
    }

    fn publish(&self, &(setting, way): &(Setting, Way), workshop: &Workshop<'_>) -> Result<Trial> {
        let request = PublishRequest {
            columns: self.columns.clone(),
            requirements: vec![setting.requirement()?],
            algorithm: (way == Way::Paper).then_some(Algorithm::Paper),
            seed: Some(self.seed),
            ..PublishRequest::new(self.input.clone())
        };
        trial(request, workshop)
    }

    /// What a release is worth and how long it took, or why there is none.
    fn measure(&self, job: &(Setting, Way), workshop: &Workshop<'_>) -> Result<Result<Measured, String>> {
        let mut made = match self.publish(job, workshop)? {
            Trial::Made(made) => made,
            Trial::Impossible { reason } => return Ok(Err(reason)),
        };
        let mut seconds = made.published.partition_seconds;
        let mut spent = seconds;
        for _ in 1..TIMED {
            if spent >= LONG {
                break;
            }
            let Trial::Made(again) = self.publish(job, workshop)? else { break };
            made = again;
            seconds = seconds.min(made.published.partition_seconds);
            spent += made.published.partition_seconds;
        }
        let usual = Form::ALL.iter().any(|form| form.usual() == job.0);
        let volumes: &[f64] = if usual { &self.volumes } else { &[VOLUME] };
        let (mut answered, mut retention) = (Vec::new(), 0.0);
        for &s in volumes {
            let questions = EvaluateRequest {
                w: DIMENSIONS.to_vec(),
                s,
                queries: self.queries,
                seed: self.seed,
                baseline: Some(Baseline::Perturbation),
                ..made.to_evaluate()
            };
            let found = evaluate(&questions, &Silent)?;
            retention = found.baseline.map_or(retention, |facts| facts.retention);
            answered.extend(found.workloads.iter().map(|workload| {
                let by = |name: &str| {
                    let found = workload.estimators.iter().find(|(estimator, _)| *estimator == name);
                    found.and_then(|(_, errors)| errors.map(|errors| errors.mean))
                };
                Answered {
                    w: workload.w,
                    s,
                    uniform: by("uniform"),
                    ends: by("ends"),
                    perturbation: workload.baseline.flatten().map(|errors| errors.mean),
                }
            }));
        }
        Ok(Ok(Measured { answered, retention, seconds }))
    }
}
