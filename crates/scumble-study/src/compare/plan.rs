//! From points to commands, requests and keys.

use super::command::shell;
use super::key::{Files, key};
use super::worker::{Questions, Task};
use super::{CompareRequest, Compared, Outcome};
use scumble::{ColumnRole, Error, Method, PublishRequest, Result, SourceFacts, SweepPoint};
use serde::Serialize;
use serde_json::json;
use std::collections::BTreeSet;

/// Reads the words of a `publish` command as the program does.
pub type Interpret<'a> = &'a dyn Fn(&[String]) -> Result<PublishRequest>;

/// Where a release is put, in the words of a run. The commands that people are shown have the number of the run beside
/// it, so that all of them can be run in one place.
const RELEASE: &str = "release";

/// Where the command of a run puts its release.
pub(super) fn release_of(number: impl std::fmt::Display) -> String {
    format!("{RELEASE}-{number}")
}

/// Columns of a count query, the sensitive one included, as far as the table has so many.
const W: usize = 3;

/// How a release was made.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Settings {
    /// The form of the release.
    pub method: &'static str,
    /// How groups were found.
    pub algorithm: &'static str,
    /// How much chance hid the choices.
    pub profile: &'static str,
    /// What groups were to be good for, where that was said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub aim: Option<&'static str>,
    /// What boxes tell about their ends, where it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub boxes: Option<&'static str>,
    /// What was done about mixtures of groups, where that was to hold them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mixtures: Option<&'static str>,
    /// What was required.
    pub require: Vec<String>,
    /// How many people share a box, with batches.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub angel_k: Option<u64>,
    /// Columns with tables of their own.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub marginal: Vec<Vec<String>>,
    /// How far apart values are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub distance: Option<String>,
    /// The greatest share of suppressed rows.
    pub max_suppressed: String,
}

/// A run that is to be made.
pub(super) struct Planned {
    number: usize,
    kind: String,
    varied: Vec<(String, String)>,
    pub(super) request: PublishRequest,
    pub(super) task: Task,
}

/// Turns points into runs; of equal ones the first is kept.
///
/// # Errors
/// Names the point's file and line where its words make no request.
pub(super) fn plan(request: &CompareRequest, interpret: Interpret<'_>) -> Result<Vec<Planned>> {
    let mut planned: Vec<Planned> = Vec::new();
    let mut seen = BTreeSet::new();
    for point in &request.points {
        let words = words(request, point);
        if !seen.insert(words.clone()) {
            continue;
        }
        let asked = interpret(&words).map_err(|error| placed(error, request, point))?;
        if asked.input.path.as_os_str() == "-" {
            return Err(Error::request("DATA", "-", "a comparison reads its data once for every run")
                .hint("save it to a file first"));
        }
        let n_quasi = columns(&asked, ColumnRole::Quasi).len();
        let questions =
            Questions { queries: request.queries, seed: request.seed, w: W.min(n_quasi + 1), bounds: false };
        let size = std::fs::metadata(&asked.input.path).map_or(0, |found| found.len());
        let task = Task { words, key: String::new(), questions, otherwise: request.out.clone(), room: room(size) };
        planned.push(Planned {
            number: planned.len() + 1,
            kind: kind(&asked),
            varied: point.varied.clone(),
            request: asked,
            task,
        });
    }
    Ok(planned)
}

/// Of runs that ask for the same release in other words, such as 5 and 5.0, the first. They are numbered anew.
pub(super) fn without_twins(plan: Vec<Planned>) -> Vec<Planned> {
    let mut seen = BTreeSet::new();
    let mut kept: Vec<Planned> = plan.into_iter().filter(|one| seen.insert(one.task.key.clone())).collect();
    kept.iter_mut().zip(1..).for_each(|(one, number)| one.number = number);
    kept
}

/// Names of the columns of a role.
pub(super) fn columns(request: &PublishRequest, role: ColumnRole) -> Vec<String> {
    request.columns.iter().filter(|column| column.role == role).map(|column| column.name.clone()).collect()
}

/// Room for a release beside the one it is renamed from, and for tables that are wider than the data.
fn room(size: u64) -> u64 {
    size.saturating_mul(8).saturating_add(64 << 20)
}

impl Planned {
    /// Decides what is asked of the release, now that the data is known, and works out the key.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub(super) fn ask(&mut self, source: SourceFacts, files: &mut Files) -> Result<()> {
        // The bounds of an angel release depend on all its tables, and only numbers have averages.
        self.task.questions.bounds = source.numbers && self.request.chosen_method() != Method::Angel;
        self.task.key = key(&self.request, &json!(self.task.questions), files)?;
        Ok(())
    }

    /// A name to show while it runs.
    pub(super) fn name(&self) -> String {
        match beside_kind(&self.varied).as_str() {
            "" => self.kind.clone(),
            some => format!("{}, {some}", self.kind),
        }
    }

    pub(super) fn compared(self, outcome: Outcome, request: &CompareRequest) -> Compared {
        let commands = self.commands(request);
        let asked = &self.request;
        let settings = Settings {
            method: asked.chosen_method().name(),
            algorithm: asked.chosen_algorithm().name(),
            profile: asked.profile.name(),
            aim: asked.aim.map(|aim| aim.name()),
            boxes: asked.boxes.map(|boxes| boxes.name()),
            mixtures: (asked.mixtures != scumble::Mixtures::default()).then(|| asked.mixtures.name()),
            require: asked.requirements.iter().map(ToString::to_string).collect(),
            angel_k: asked.bucket_size().filter(|_| asked.chosen_method() == Method::Angel),
            marginal: asked.marginals.clone(),
            distance: asked.distance.as_ref().map(|ruler| ruler.distance().to_string()),
            max_suppressed: asked.max_suppressed.to_string(),
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
        // The last word is where the release goes.
        let words = self.task.words.iter().map(String::as_str);
        let words = words.take(self.task.words.len().saturating_sub(1)).chain([release.as_str()]);
        let publish = ["scumble", "publish"].into_iter().chain(words);
        let input = &self.request.input;
        let source = input.path.display().to_string();
        let asked = &self.task.questions;
        let numbers = [asked.w, asked.queries].map(|number| number.to_string());
        let seed = asked.seed.to_string();
        let mut evaluate: Vec<&str> = vec!["scumble", "evaluate", release, "--source", &source];
        let rules = request.rules.as_ref().map(|path| path.display().to_string());
        if let Some(rules) = &rules {
            evaluate.extend(["--rules", rules]);
        }
        let delimiter =
            input.delimiter.map(|byte| if byte == b'\t' { "tab".into() } else { char::from(byte).to_string() });
        // The job file whose rules are applied tells how it is read as well.
        if rules.is_none() {
            if let Some(delimiter) = &delimiter {
                evaluate.extend(["--delimiter", delimiter]);
            }
            input.nulls.iter().for_each(|null| evaluate.extend(["--null", null]));
        }
        evaluate.extend(["--w", &numbers[0], "--queries", &numbers[1], "--seed", &seed]);
        if asked.bounds {
            evaluate.extend(["--bounds", "avg", "--sizes", Questions::SIZE]);
        }
        evaluate.push("--json");
        vec![shell(publish), shell(evaluate), shell(["scumble", "risk", release, "--json"])]
    }
}

/// The words of a point's `publish` command.
fn words(request: &CompareRequest, point: &SweepPoint) -> Vec<String> {
    let mut words = request.words.clone();
    let mut add = |flag: &str, value: &str| words.extend([format!("--{}", flag.replace('_', "-")), value.to_string()]);
    for requirement in &point.require {
        add("require", requirement);
    }
    for (name, value) in &point.settings {
        add(name, value);
    }
    for columns in &point.marginal {
        add("marginal", &columns.join(","));
    }
    if point.together {
        words.push("--together".into());
    }
    // A run is measured and thrown away, so that its coins need not be secret, whatever its method.
    words.extend(["--seed".into(), request.seed.to_string(), "--insecure-seed".into(), "--out".into(), RELEASE.into()]);
    words
}

/// What varied beside what the kind of a release tells.
pub(super) fn beside_kind(varied: &[(String, String)]) -> String {
    const IN_KIND: [&str; 6] = ["method", "algorithm", "profile", "aim", "boxes", "mixtures"];
    let pairs = varied.iter().filter(|(name, _)| !IN_KIND.contains(&name.as_str()));
    pairs.map(|(name, value)| format!("{name} {value}")).collect::<Vec<_>>().join(", ")
}

/// What makes a release another kind than others.
fn kind(request: &PublishRequest) -> String {
    let mut words = vec![request.chosen_method().name()];
    words.extend(request.algorithm.map(|algorithm| algorithm.name()).filter(|name| *name != words[0]));
    if request.profile != scumble::Profile::default() {
        words.push(request.profile.name());
    }
    words.extend(request.aim.map(|aim| aim.name()));
    words.extend(request.boxes.map(|boxes| boxes.name()));
    if request.mixtures != scumble::Mixtures::default() {
        words.extend(["mixtures", request.mixtures.name()]);
    }
    words.join(" ")
}

/// A fault of what all points share, such as a column that is not there: a sweep file has no flags.
pub(super) fn of_file(error: Error, request: &CompareRequest) -> Error {
    match (&request.file, error) {
        (Some((file, _)), Error::Request { value, reason, hint, .. }) if !value.is_empty() => {
            let error = Error::data(file, format!("`{value}`: {reason}"));
            match hint {
                Some(hint) => error.hint(hint),
                None => error,
            }
        }
        (_, error) => error,
    }
}

/// A fault of a point, with its place in the sweep file: the line of the field, or of the run.
fn placed(error: Error, request: &CompareRequest, point: &SweepPoint) -> Error {
    match (&request.file, error) {
        (Some((file, runs)), Error::Request { field, value, reason, hint }) => {
            let field = field.trim_start_matches('-').replace('-', "_");
            let run = runs.iter().find(|run| run.line == point.line);
            let own = run.and_then(|run| run.settings.iter().find(|list| list.name == field));
            let line = own.map_or(point.line, |list| list.line);
            let error = Error::data(file, format!("`{field}`: {reason}")).at(Some(line), None);
            let error = if value.is_empty() { error } else { error.shows(value) };
            match hint {
                Some(hint) => error.hint(hint),
                None => error,
            }
        }
        (_, error) => error,
    }
}
