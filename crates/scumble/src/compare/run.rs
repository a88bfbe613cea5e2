//! The runs of a comparison: points of a sweep, each once, with the plan and the key of each.

use super::command::shell;
use super::measure::ReleaseQuestions;
use super::{CompareRequest, Compared, Outcome, key};
use crate::job::{ColumnRole, Job, Method, Mixtures, Plan, Profile, Publish, Section, SweepPoint};
use scumble_table::{Error, Result};
use serde::Serializer;
use std::collections::BTreeSet;

/// Where the command of a run puts its release.
pub(super) fn release_of(number: impl std::fmt::Display) -> String {
    format!("release-{number}")
}

/// A run that is to be made.
pub(super) struct Run {
    pub(super) number: usize,
    pub(super) job: Job,
    pub(super) key: String,
    pub(super) questions: ReleaseQuestions,
    plan: Result<Plan>,
    kind: String,
    varied: Vec<(String, String)>,
}

/// The runs of all points; of those that ask for the same release, the first.
///
/// # Errors
/// If a file that a point names cannot be read.
pub(super) fn planned(request: &CompareRequest, questions: &ReleaseQuestions, table: &str) -> Result<Vec<Run>> {
    let mut runs: Vec<Run> = Vec::new();
    let mut seen = BTreeSet::new();
    for point in &request.points {
        let mut job = point.job.clone();
        // A run is measured and thrown away, published to nobody: it is entered nowhere, and its coins need not be secret.
        (job.publish.seed, job.publish.insecure_seed) = (Some(request.seed), true);
        job.output = Default::default();
        let plan = match Plan::new(&job) {
            // What contradicts itself is the outcome of its run.
            plan @ (Ok(_) | Err(Error::Request { .. })) => plan,
            Err(error) => return Err(placed(error, request, point)),
        };
        let mut questions = questions.clone();
        // The bounds of an angel release depend on all its tables.
        questions.bounds &= plan.as_ref().is_ok_and(|plan| plan.method != Method::Angel);
        let key = key::of_run(&job, &questions, table)?;
        if seen.insert(key.clone()) {
            let method = plan.as_ref().map_or(job.publish.method, |plan| Some(plan.method));
            let kind = kind(method, &job.publish);
            let (number, varied) = (runs.len() + 1, point.varied.clone());
            runs.push(Run { number, job, key, questions, plan, kind, varied });
        }
    }
    Ok(runs)
}

/// A fault of a point, with its place in the sweep file.
fn placed(error: Error, request: &CompareRequest, point: &SweepPoint) -> Error {
    match (&request.file, error) {
        (Some(file), error) if point.line > 0 => {
            Error::data(file.display().to_string(), error.to_string()).at(Some(point.line), None)
        }
        (_, error) => error,
    }
}

impl Run {
    /// A name to show while it runs.
    pub(super) fn name(&self) -> String {
        match beside_kind(&self.varied).as_str() {
            "" => self.kind.clone(),
            some => format!("{}, {some}", self.kind),
        }
    }

    pub(super) fn compared(self, outcome: Outcome, request: &CompareRequest) -> Compared {
        let commands = self.commands(request);
        let asked = self.job.publish;
        let settings = match &self.plan {
            Ok(plan) => plan.decided(asked),
            Err(_) => asked,
        };
        Compared {
            number: self.number,
            kind: self.kind,
            settings,
            varied: self.varied,
            outcome,
            on_belief_front: false,
            on_risk_front: false,
            commands,
        }
    }

    /// The commands that give the figures of this run: those of publishing, of evaluating and of attacking.
    fn commands(&self, request: &CompareRequest) -> Vec<String> {
        let release = &release_of(self.number);
        let mut job = self.job.clone();
        job.output.dir = Some(release.into());
        let mut publish: Vec<String> = vec!["scumble".into(), "publish".into()];
        match &request.file {
            Some(file) => {
                publish.extend(["--job".into(), file.display().to_string()]);
                publish.extend(job.flags_beyond(&request.base));
            }
            None => {
                publish.extend(job.input.path.iter().map(|path| path.display().to_string()));
                publish.extend(job.flags_beyond(&Job::new()));
            }
        }
        let source = job.input.path.as_ref().map_or_else(String::new, |path| path.display().to_string());
        let mut evaluate: Vec<String> =
            ["scumble", "evaluate", release, "--source", &source].map(String::from).to_vec();
        let asked_from = 3;
        match &request.file {
            // The job file whose rules are applied tells how it is read as well.
            Some(file) if !job.rules.is_empty() => {
                evaluate.extend(["--rules".into(), file.display().to_string()]);
            }
            _ => evaluate.extend(Job { input: job.input.clone(), ..Job::new() }.flags_beyond(&Job::new())),
        }
        // Whose rows are whose is told by the source, and several tables are joined around its rows.
        let person: Vec<&str> = job.named(ColumnRole::Person).collect();
        let mut risk: Vec<String> = ["scumble", "risk", release].map(String::from).to_vec();
        if !person.is_empty() || !job.publish.marginal.is_empty() {
            risk.extend(evaluate[asked_from..].iter().cloned());
        }
        if !person.is_empty() {
            risk.extend(["--person".into(), person.join(",")]);
        }
        risk.push("--json".into());
        evaluate.extend(self.questions.flags());
        evaluate.push("--json".into());
        let words = |words: &[String]| shell(words.iter().map(String::as_str));
        vec![words(&publish), words(&evaluate), words(&risk)]
    }
}

/// What varied besides what the kind of a release tells.
pub(super) fn beside_kind(varied: &[(String, String)]) -> String {
    let in_kind = kind_words(None, &Publish::default()).map(|(option, _)| option);
    let pairs = varied.iter().filter(|(name, _)| !in_kind.contains(&name.as_str()));
    pairs.map(|(name, value)| format!("{name} {value}")).collect::<Vec<_>>().join(", ")
}

/// Writes the options that a sweep may vary.
pub(super) fn serialize_swept<S: Serializer>(settings: &Publish, serializer: S) -> Result<S::Ok, S::Error> {
    let swept = |name: &str| Publish::OPTIONS.iter().any(|option| option.swept && option.name == name);
    serializer.collect_map(settings.entries().into_iter().filter(|(name, _)| swept(name)))
}

/// What makes a release another kind than others.
fn kind(method: Option<Method>, asked: &Publish) -> String {
    kind_words(method, asked).into_iter().filter_map(|(_, words)| words).collect::<Vec<_>>().join(" ")
}

/// The options that make a release another kind than others, with the words of each that says something.
fn kind_words(method: Option<Method>, asked: &Publish) -> [(&'static str, Option<String>); 6] {
    let method = method.map_or("refused", |method| method.name());
    let algorithm = asked.algorithm.map(|algorithm| algorithm.name()).filter(|name| *name != method);
    let profile = asked.profile.filter(|profile| *profile != Profile::default());
    let mixtures = asked.mixtures.filter(|mixtures| *mixtures != Mixtures::default());
    [
        ("method", Some(method.into())),
        ("algorithm", algorithm.map(String::from)),
        ("profile", profile.map(|profile| profile.name().into())),
        ("aim", asked.aim.map(|aim| aim.name().into())),
        ("boxes", asked.boxes.map(|boxes| boxes.name().into())),
        ("mixtures", mixtures.map(|mixtures| format!("mixtures {}", mixtures.name()))),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn written(settings: &Publish) -> Value {
        serialize_swept(settings, serde_json::value::Serializer).unwrap()
    }

    #[test]
    fn settings_are_what_sweeps_may_vary_with_what_the_plan_decided() {
        let mut job = Job::new().quasi(["age"]).sensitive(["pay"]).require("k-anonymity(3)").unwrap();
        (job.publish.seed, job.publish.insecure_seed, job.publish.drop_rest) = (Some(1), true, true);
        let plan = Plan::new(&job).unwrap();
        let settings = plan.decided(job.publish.clone());
        let expected = json!({
            "require": ["k-anonymity(3)"],
            "method": "generalize",
            "algorithm": "mondrian",
            "profile": "standard",
            "max_suppressed": 0.0,
        });
        assert_eq!(written(&settings), expected);
        // What the plan refuses is told as it was asked for.
        assert_eq!(written(&job.publish), json!({"require": ["k-anonymity(3)"]}));
    }
}
