//! Many releases of one table next to each other: methods, algorithms, profiles and parameters.
//!
//! ```text
//! sweep -> points, each a job -> runs without twins, each with a key
//!     key found in the folder?  -> its figures
//!     else anonymize, evaluate, attack, all in memory -> figures, kept in the folder
//! all figures -> a Comparison -> comparison.json, comparison.csv, comparison.html in the folder
//! ```
//!
//! [`compare()`] does this without a folder, and leaves nothing behind. **Finished runs are kept** in a
//! [`ComparisonFolder`] under a key made from the values of the table, the job, the files that it names, the
//! questions and the version: whatever could change a figure. Figures do not depend on the order of runs or on the number
//! of threads; seconds and memory do, and stand apart from them.

mod budget;
mod command;
mod csv;
mod exact;
mod folder;
mod front;
mod key;
mod measure;
mod outcome;
mod page;
mod page_charts;
mod run;

pub use budget::parse_bytes;
pub use csv::comparison_csv;
pub use folder::ComparisonFolder;
use front::mark_fronts;
pub use outcome::{Cost, Figures, Outcome, Status};
pub use page::comparison_page;

use crate::context::Context;
use crate::job::{ColumnRole, Job, Publish, SweepPoint};
use measure::ReleaseQuestions;
use run::Run;
use scumble_table::{Error, Kind, Result, Role, Stage, Table};
use serde::Serialize;
use std::path::PathBuf;
use std::time::Instant;

/// What to compare.
#[derive(Debug, Clone)]
pub struct CompareRequest {
    /// The points.
    pub points: Vec<SweepPoint>,
    /// The job that all points share, which the commands that are shown start from.
    pub base: Job,
    /// The sweep file, where the commands name one.
    pub file: Option<PathBuf>,
    /// Seed of coins and questions: no release is kept, so it need not be secret.
    pub seed: u64,
    /// How many count queries every release answers.
    pub queries: usize,
    /// The bytes of memory that this process may hold; a run that needs more is broken off.
    pub memory: Option<u64>,
    /// What fields of the job are called where it is told why a run has no figures, such as
    /// [`field_in_backticks`](crate::field_in_backticks).
    pub field_name: fn(&str) -> String,
}

/// Releases next to each other.
#[derive(Debug, Clone, Serialize)]
pub struct Comparison {
    /// The version that made it.
    pub scumble: &'static str,
    /// The data.
    pub data: DataCompared,
    /// Seed of coins and questions.
    pub seed: u64,
    /// Count queries that every release answered.
    pub queries: usize,
    /// The runs, in the order of the sweep.
    pub runs: Vec<Compared>,
    /// Runs that an earlier comparison had finished.
    pub kept: usize,
    /// Processors that were used.
    pub threads: usize,
    /// Seconds that this comparison took.
    pub seconds: f64,
}

/// The data of a comparison.
#[derive(Debug, Clone, Serialize)]
pub struct DataCompared {
    /// Where it is.
    pub path: PathBuf,
    /// Checksum of its values.
    pub sha256: String,
    /// Rows that the rules left.
    pub rows: u64,
    /// Columns that say whose row each row is; those who have the same values in all of them are one person.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub person: Vec<String>,
    /// Persons of the rows, where it is known whose these are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub persons: Option<u64>,
    /// Quasi-identifiers.
    pub quasi: Vec<String>,
    /// Sensitive columns, the first of which queries ask about.
    pub sensitive: Vec<String>,
}

/// One run of a comparison.
#[derive(Debug, Clone, Serialize)]
pub struct Compared {
    /// Its number, from 1.
    pub number: usize,
    /// What makes it another kind of release than others: method, and algorithm and profile where they were named.
    pub kind: String,
    /// How it was made, with what was left open decided. Of its fields those are written that a sweep may vary.
    #[serde(flatten, serialize_with = "run::serialize_swept")]
    pub settings: Publish,
    /// What varied in its run of the sweep.
    pub varied: Vec<(String, String)>,
    /// How it came out.
    #[serde(flatten)]
    pub outcome: Outcome,
    /// Whether no other release is better in what can be believed and in the error of counts.
    pub on_belief_front: bool,
    /// Whether no other release is better in who can be found and in what was lost of the quasi-identifiers.
    pub on_risk_front: bool,
    /// The commands that give these figures again: publish, evaluate, risk.
    pub commands: Vec<String>,
}

impl Compared {
    /// What was required of it, in one line.
    pub fn required(&self) -> String {
        self.settings.require.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
    }
}

/// Compares releases of a table.
///
/// Its progress is [`Stage::Study`], counted in runs, those that had been finished before included; the note is the
/// name of the run that begins.
///
/// # Errors
/// If a point makes no sense, or the work is cancelled. A run that fails is a result.
pub fn compare(table: &Table, request: &CompareRequest, context: &Context) -> Result<Comparison> {
    compare_beyond(None, table, request, context)
}

/// The same beyond what is finished in a folder.
fn compare_beyond(
    folder: Option<&ComparisonFolder>,
    table: &Table,
    request: &CompareRequest,
    context: &Context,
) -> Result<Comparison> {
    let monitor = context.monitor();
    let started = Instant::now();
    let schema = table.schema();
    let sensitive = schema.of_role(Role::Sensitive).first().map(|&at| table.attribute(at).domain.kind());
    let n_quasi = schema.of_role(Role::Quasi).len();
    let digest = key::of_table(table);
    let questions = ReleaseQuestions::new(request.queries, request.seed, n_quasi, sensitive == Some(Kind::Number));
    let runs = run::planned(request, &questions, &digest)?;
    if runs.is_empty() {
        return Err(Error::request("run", "", "there is nothing to compare"));
    }
    let names = |role: ColumnRole| request.points[0].job.named(role).map(String::from).collect();
    let data = DataCompared {
        path: request.base.input.path.clone().unwrap_or_default(),
        sha256: digest,
        rows: table.n_rows() as u64,
        person: names(ColumnRole::Person),
        persons: table.persons().map(|persons| persons.n() as u64),
        quasi: names(ColumnRole::Quasi),
        sensitive: names(ColumnRole::Sensitive),
    };
    let mut outcomes: Vec<Option<Outcome>> = runs.iter().map(|run| folder?.find(&run.key)).collect();
    let n_kept = outcomes.iter().flatten().count();
    monitor.begin(Stage::Study, Some(runs.len() as u64))?;
    monitor.advance(n_kept as u64);
    for (run, outcome) in runs.iter().zip(&mut outcomes).filter(|(_, outcome)| outcome.is_none()) {
        monitor.check()?;
        monitor.note(&run.name());
        let made = measure::outcome(table, run, request, context)?;
        if let Some(folder) = folder {
            folder.keep(&run.key, &made)?;
        }
        monitor.advance(1);
        *outcome = Some(made);
    }
    monitor.check()?;
    let compared = runs.into_iter().zip(outcomes).map(|(run, outcome): (Run, Option<Outcome>)| {
        let outcome = outcome.ok_or_else(|| Error::bug("a run has no outcome"))?;
        Ok(run.compared(outcome, request))
    });
    let mut runs = compared.collect::<Result<Vec<Compared>>>()?;
    mark_fronts(&mut runs);
    Ok(Comparison {
        scumble: env!("CARGO_PKG_VERSION"),
        data,
        seed: request.seed,
        queries: request.queries,
        runs,
        kept: n_kept,
        threads: rayon::current_num_threads(),
        seconds: started.elapsed().as_secs_f64(),
    })
}
