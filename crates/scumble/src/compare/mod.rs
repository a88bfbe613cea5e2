//! Many releases of one table next to each other: methods, algorithms, profiles and parameters.
//!
//! ```text
//! sweep -> points, each a job -> runs without twins, each with a key
//!     key found among the kept runs?  -> its figures
//!     else anonymize, evaluate, attack, all in memory -> figures, kept
//! all figures -> comparison.json, comparison.csv, comparison.html
//! ```
//!
//! **Finished runs are kept** under a key made from the values of the table, the job, the files that it names, the
//! questions and the version: whatever could change a figure. Figures do not depend on the order of runs or on the number
//! of threads; seconds and memory do, and stand apart from them.

mod budget;
mod command;
mod csv;
mod exact;
mod front;
mod kept;
mod key;
mod measure;
mod outcome;
mod page;
mod page_charts;
mod run;

pub use budget::parse_bytes;
pub use csv::comparison_csv;
use front::mark_fronts;
pub use kept::write_private;
pub use outcome::{Cost, Figures, Outcome, Status};
pub use page::comparison_page;
pub use run::Settings;

use crate::context::Context;
use crate::job::{ColumnRole, Job, SweepPoint};
use kept::Kept;
use measure::ReleaseQuestions;
use run::Run;
use scumble_table::{Error, Kind, Result, Role, Stage, Table};
use serde::Serialize;
use std::path::{Path, PathBuf};
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
    /// Where the results go; results of an earlier comparison are kept there and used. Nothing is kept where none is named.
    pub out: Option<PathBuf>,
    /// Seed of coins and questions: no release is kept, so it need not be secret.
    pub seed: u64,
    /// How many count queries every release answers.
    pub queries: usize,
    /// The bytes of memory that this process may hold; a run that needs more is broken off.
    pub memory: Option<u64>,
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
    /// How it was made.
    #[serde(flatten)]
    pub settings: Settings,
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

impl Comparison {
    /// Writes `comparison.json`, `comparison.csv` and `comparison.html` into a folder, readable by their owner only.
    ///
    /// # Errors
    /// If one of them cannot be written.
    pub fn write(&self, out: &Path) -> Result<()> {
        let json = serde_json::to_string_pretty(self).map_err(|error| Error::bug(error.to_string()))? + "\n";
        let texts = [json, comparison_csv(self), comparison_page(self)];
        kept::FILES.iter().zip(&texts).try_for_each(|(name, text)| kept::write_private(&out.join(name), text))
    }
}

/// Compares releases of a table, and writes what came out into the folder of the request where it names one.
///
/// Its progress is [`Stage::Study`], counted in runs, those that had been finished before included; the note is the
/// name of the run that begins.
///
/// # Errors
/// If a point makes no sense, the results cannot be written, or the work is cancelled. A run that fails is a result.
pub fn compare(table: &Table, request: &CompareRequest, context: &Context) -> Result<Comparison> {
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
        quasi: names(ColumnRole::Quasi),
        sensitive: names(ColumnRole::Sensitive),
    };
    let kept = request.out.as_ref().map(|out| Kept::open(out, &data.path)).transpose()?;
    let mut outcomes: Vec<Option<Outcome>> =
        runs.iter().map(|run| kept.as_ref().and_then(|kept| kept.find(&run.key))).collect();
    let n_kept = outcomes.iter().flatten().count();
    monitor.begin(Stage::Study, Some(runs.len() as u64))?;
    monitor.advance(n_kept as u64);
    for (run, outcome) in runs.iter().zip(&mut outcomes).filter(|(_, outcome)| outcome.is_none()) {
        monitor.check()?;
        monitor.note(&run.name());
        let made = measure::outcome(table, run, request.memory, context)?;
        if let Some(kept) = &kept {
            kept.keep(&run.key, &made)?;
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
    let comparison = Comparison {
        scumble: env!("CARGO_PKG_VERSION"),
        data,
        seed: request.seed,
        queries: request.queries,
        runs,
        kept: n_kept,
        threads: rayon::current_num_threads(),
        seconds: started.elapsed().as_secs_f64(),
    };
    // Before anybody else may work in the folder.
    if let Some(out) = &request.out {
        comparison.write(out)?;
    }
    drop(kept);
    Ok(comparison)
}
