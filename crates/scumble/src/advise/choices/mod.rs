//! Advice on the parameters of any principle: what can be met, and what it costs.
//!
//! ```text
//! principle, column -> grid of parameters -> for each point
//!     the whole table: can any grouping meet it?       exact where the principle has a theorem, else open
//!     the sample: a release, made, verified, thrown away -> groups, chances, what is reached, what is lost
//!     (k, e)-anonymity: the best groups of the whole table -> how many, how wide the bounds of a person's number are
//! ```
//!
//! Nothing of it belongs into a release: which parameters can be had tells how often values occur.

mod facts;
mod grid;
mod page;
mod reach;
mod sample;
mod shown;
mod thresholds;
mod trial;
mod values;
mod widths;

pub use facts::{Choice, Choices, PrincipleChoice, SampleFacts, TrialFigures, Widths, WithoutAdvice};
pub use shown::{choice_heading, choice_rows};
pub use thresholds::{OF_CHANCES, THRESHOLDS, UsedThreshold};

use crate::context::Context;
use crate::job::Job;
use grid::GridPoint;
use sample::Sample;
use scumble_principle::{Entry, catalogue, entry};
use scumble_table::{Error, Monitor, Result, Role, Stage, Table, did_you_mean, field_in_backticks};
use trial::Trials;

/// Rows of a sample where nothing is said.
const SAMPLE: u64 = 10_000;

/// No group that hides anybody is found among fewer rows.
const LEAST_SAMPLE: u64 = 2;

/// Which principles to advise on, and how.
#[derive(Debug, Clone)]
pub struct ChoiceRequest {
    /// Names of principles; all where none is named.
    pub principles: Vec<String>,
    /// The values that parameters take, `3,5,11` for the first one or `e=100,1000` for one by its name; where nothing is said a
    /// grid that suits the column.
    pub values: Vec<String>,
    /// How many rows requirements are tried on; a table that has no more is tried as a whole.
    pub sample: u64,
    /// Seed of the sample and of the releases that are tried: none of them is kept, so it need not be secret.
    pub seed: u64,
    /// What fields of the job are called where it is told why a requirement was not tried.
    pub field_name: fn(&str) -> String,
}

impl Default for ChoiceRequest {
    fn default() -> Self {
        ChoiceRequest {
            principles: Vec::new(),
            values: Vec::new(),
            sample: SAMPLE,
            seed: 1,
            field_name: field_in_backticks,
        }
    }
}

impl ChoiceRequest {
    /// All principles, with grids that suit the columns.
    pub fn new() -> Self {
        ChoiceRequest::default()
    }

    /// Refuses what can be refused without data. [`advise_choices`] does this too; who reads data for it may ask before.
    ///
    /// # Errors
    /// If there is no such principle, or a value is out of range.
    pub fn check(&self) -> Result<()> {
        let entries = self.entries()?;
        if self.sample < LEAST_SAMPLE {
            return Err(Error::request("sample", self.sample.to_string(), "it must be a whole number, 2 or more"));
        }
        match &entries[..] {
            [only] => values::given(only, &self.values).map(|_| ()),
            _ if self.values.is_empty() => Ok(()),
            _ => Err(Error::request("values", self.values.join(" "), "they are values of one principle")
                .hint("name that one in «principle»")),
        }
    }

    /// The principles that were named, each once.
    fn entries(&self) -> Result<Vec<&'static Entry>> {
        if self.principles.is_empty() {
            return Ok(catalogue());
        }
        let mut entries: Vec<&'static Entry> = Vec::new();
        for name in &self.principles {
            let found = entry(name).ok_or_else(|| {
                let known: Vec<&str> = catalogue().into_iter().flat_map(Entry::names).collect();
                Error::request("principle", name, "there is no such principle")
                    .hint(did_you_mean(name, &known, "they are"))
            })?;
            if !entries.contains(&found) {
                entries.push(found);
            }
        }
        Ok(entries)
    }
}

/// Tells for the parameters of principles what can be met on a table and what it costs. The job says what the columns are, and
/// how requirements are to be met beside; its own requirements are left aside.
///
/// Its progress is [`Stage::Study`], counted in points of the grids; the note is the requirement that is tried.
///
/// ```
/// use scumble::{ChoiceRequest, Context, Job, Source, advise_choices};
///
/// let data = "age,zip,disease\n31,1,flu\n34,1,cold\n52,2,flu\n58,2,ulcer\n";
/// let job = Job::new().quasi(["age", "zip"]).sensitive(["disease"]);
/// let context = Context::new();
/// let table = Source::reader(data.as_bytes()).read(&job, &context)?;
/// let principles = vec!["frequency-l-diversity".to_string()];
/// let choices = advise_choices(&table, &job, &ChoiceRequest { principles, ..ChoiceRequest::new() }, &context)?;
/// assert_eq!(choices.advice[0].strictest.as_deref(), Some("disease: frequency-l-diversity(2)"));
/// # Ok::<(), scumble::Error>(())
/// ```
///
/// # Errors
/// If the request is out of range, no column is quasi-identifying, the one principle that was asked for cannot be put to any
/// column, or the work is cancelled.
pub fn advise_choices(table: &Table, job: &Job, request: &ChoiceRequest, context: &Context) -> Result<Choices> {
    request.check()?;
    let monitor = context.monitor();
    monitor.check()?;
    let names = |role: Role| -> Vec<String> {
        table.schema().of_role(role).into_iter().map(|at| table.attribute(at).name.clone()).collect()
    };
    let (quasi, sensitive) = (names(Role::Quasi), names(Role::Sensitive));
    if quasi.is_empty() {
        return Err(Error::request(
            "quasi",
            "",
            "what a requirement costs is measured on quasi-identifiers, and no column is one",
        )
        .hint("name the columns that others know of people in «quasi»"));
    }
    let sample = Sample::draw(table, request.sample, request.seed)?;
    let base = base(job, request.seed);
    let mut trials = Trials { table, job: base, sample: &sample, context, field_name: request.field_name };
    let planned = planned(table, request, &mut trials, monitor)?;
    let total = planned.iter().map(|one| one.grid.len() as u64).sum();
    monitor.begin(Stage::Study, Some(total))?;
    let (mut advice, mut without_advice) = (Vec::new(), Vec::new());
    for one in planned {
        match advise_one(&one, &trials, monitor)? {
            Ok(found) => advice.push(found),
            Err(reason) => {
                let (principle, column) = (one.entry.name, one.column.clone());
                without_advice.push(WithoutAdvice { principle, column, reason });
            }
        }
    }
    monitor.check()?;
    if let ([], [only, ..], false) = (&advice[..], &without_advice[..], request.principles.is_empty()) {
        let reason = format!("it cannot be advised on: {}", only.reason);
        return Err(Error::request("principle", only.principle, reason));
    }
    let sizes = advice.iter().any(|one| one.points.iter().any(|point| point.one_of.is_some()));
    Ok(Choices {
        rows: table.n_rows() as u64,
        persons: table.persons().map(|persons| persons.n() as u64),
        counted: if table.persons().is_some() { "persons" } else { "rows" },
        quasi,
        sensitive,
        sample: sample.facts,
        advice,
        without_advice,
        thresholds: if sizes { THRESHOLDS } else { &[] },
    })
}

/// The job without what is asked of a release, and with coins that can be tossed again: what is tried is published to nobody.
fn base(job: &Job, seed: u64) -> Job {
    let mut job = job.clone();
    job.publish.require.clear();
    (job.publish.seed, job.publish.insecure_seed) = (Some(seed), true);
    job.output = Default::default();
    job
}

/// A principle on a column, with its grid.
struct Planned {
    entry: &'static Entry,
    column: Option<String>,
    grid: Vec<GridPoint>,
}

/// What is to be tried: every principle on every column that it can be about.
fn planned(
    table: &Table,
    request: &ChoiceRequest,
    trials: &mut Trials<'_>,
    monitor: Monitor<'_>,
) -> Result<Vec<Planned>> {
    let sensitive = table.schema().of_role(Role::Sensitive);
    let entries = request.entries()?;
    let given = match &entries[..] {
        [only] => Some(values::given(only, &request.values)?),
        _ => None,
    };
    let mut planned = Vec::new();
    for entry in entries {
        let example = entry.example.parse::<scumble_principle::Requirement>()?;
        let by_column = example.principle().needs_values()
            && example.principle().population().is_none()
            && example.principle().search() != scumble_principle::Search::Dissimilarity;
        let columns: Vec<Option<usize>> = match by_column && !sensitive.is_empty() {
            true => sensitive.iter().copied().map(Some).collect(),
            false => vec![None],
        };
        for column in columns {
            monitor.check()?;
            let name = column.map(|at| table.attribute(at).name.clone());
            let grid = grid::of(entry, table, column, trials.strictest(entry, name.as_deref())?, given.as_ref())?;
            planned.push(Planned { entry, column: name, grid });
        }
    }
    Ok(planned)
}

/// The points of a principle on a column; the reason where none can be put to it.
fn advise_one(planned: &Planned, trials: &Trials<'_>, monitor: Monitor<'_>) -> Result<Result<PrincipleChoice, String>> {
    let (mut points, mut refused) = (Vec::new(), Vec::new());
    for point in &planned.grid {
        monitor.check()?;
        let requirement = point.requirement.clone().with_column(planned.column.clone());
        monitor.note(&requirement.to_string());
        match trials.choice(&requirement, point)? {
            Ok(choice) => points.push(choice),
            Err(error) => {
                let reason = error.with_fields(trials.field_name);
                points.push(Choice::refused(&requirement, point, reason.clone()));
                refused.push(reason);
            }
        }
        monitor.advance(1);
    }
    // Where no point can be put to the column, the principle cannot.
    if let (true, [reason, ..]) = (refused.len() == points.len(), &refused[..]) {
        return Ok(Err(reason.clone()));
    }
    let example = planned.entry.example.parse::<scumble_principle::Requirement>()?;
    Ok(Ok(PrincipleChoice {
        principle: planned.entry.name,
        column: planned.column.clone(),
        asks: planned.entry.help,
        parameters: planned.entry.parameters.iter().map(|parameter| parameter.name).collect(),
        sizes_only: example.is_about_size(),
        strictest: trials.strictest(planned.entry, planned.column.as_deref())?.map(|found| found.to_string()),
        whole_table: example.principle().population().is_some() && !trials.sample.facts.whole,
        points,
    }))
}

#[cfg(test)]
mod tests;
