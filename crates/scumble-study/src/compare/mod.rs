//! Many releases of one table beside each other: methods, algorithms, profiles and parameters.
//!
//! ```text
//! sweep file or flags -> points -> plan: a `publish` command, a request and a key each
//!     key found among the kept runs?  -> its figures
//!     else a process of its own       -> publish, verify, evaluate, attack -> figures, kept
//! all figures -> comparison.json, comparison.csv, comparison.html
//! ```
//!
//! **A run is a command.** A point is turned into the words of a `publish` command, and the process that makes the run
//! reads these words as the program would. The command that the page shows for a point is thus the one that was run.
//!
//! **A run is a process.** What it needs of memory is its own and can be told and limited, a crash takes one run with it,
//! and a run whose comparison was killed notices and leaves. Its release lies in a [`HiddenFolder`](scumble::HiddenFolder)
//! and goes with it.
//!
//! **Finished runs are kept** under a key made from the bytes of the data and of all files beside it, the request, the
//! questions and the version: whatever could change a figure. Figures do not depend on the order of runs or on the
//! number of threads; seconds and memory do, and stand apart from them.

mod command;
mod csv;
mod exact;
mod front;
mod kept;
mod key;
mod measure;
mod memory;
mod outcome;
mod page;
mod page_charts;
mod plan;
mod processes;
mod worker;

pub use command::shell;
pub use csv::comparison_csv;
pub use front::mark_fronts;
pub use kept::write_private;
pub use memory::{parse_bytes, usual_budget};
pub use outcome::{Cost, Figures, Outcome, Status};
pub use page::comparison_page;
pub use plan::{Interpret, Settings};
pub use worker::{Questions, Task, work};

use kept::Kept;
use plan::Planned;
use processes::{Pool, Ready};
use scumble::{Error, Observer, Result, SourceFacts, SweepPoint, SweepRun};
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// What to compare.
#[derive(Debug, Clone)]
pub struct CompareRequest {
    /// The points.
    pub points: Vec<SweepPoint>,
    /// The sweep file and its runs, for messages.
    pub file: Option<(String, Vec<SweepRun>)>,
    /// Words of every `publish` command: the data and its columns, or the job file.
    pub words: Vec<String>,
    /// The job file whose rules the source is to be read with, where it has rules.
    pub rules: Option<PathBuf>,
    /// Where the results go; results of an earlier run are kept and used.
    pub out: PathBuf,
    /// Seed of coins and questions: no release is kept, so it need not be secret.
    pub seed: u64,
    /// How many count queries every release answers.
    pub queries: usize,
    /// Bytes that all runs together may need.
    pub memory: u64,
    /// How many processors to use.
    pub threads: usize,
    /// The program that makes a run when it is started with these words, reading a [`Task`] as [`work`] does.
    pub program: (PathBuf, Vec<String>),
}

/// Releases beside each other.
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
    /// Bytes that the runs together were allowed.
    pub memory_budget: u64,
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
    /// Checksum of its bytes.
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

/// Hears how a comparison goes on.
pub trait Watch {
    /// There are so many runs, of which some had been finished before.
    fn planned(&self, runs: usize, kept: usize);
    /// A run starts.
    fn started(&self, number: usize, name: &str);
    /// A run ends; it may start again where memory was short.
    fn ended(&self, number: usize, outcome: Option<&Outcome>);
}

/// Compares, and writes what came out into the folder of the request.
///
/// # Errors
/// If the sweep makes no sense, the data cannot be read, or the results cannot be written. A run that fails is a result.
pub fn compare(
    request: &CompareRequest,
    interpret: Interpret<'_>,
    watch: &dyn Watch,
    observer: &dyn Observer,
) -> Result<Comparison> {
    let started = Instant::now();
    let mut plan = plan::plan(request, interpret)?;
    let first = plan.first().ok_or_else(|| Error::request("run", "", "there is nothing to compare"))?;
    let source: SourceFacts = scumble::check_source(&first.request, observer).map_err(|e| plan::of_file(e, request))?;
    let mut files = key::Files::default();
    let data = DataCompared {
        path: first.request.input.path.clone(),
        sha256: files.digest(&first.request.input.path)?,
        rows: source.rows,
        quasi: plan::columns(&first.request, scumble::ColumnRole::Quasi),
        sensitive: plan::columns(&first.request, scumble::ColumnRole::Sensitive),
    };
    for one in &mut plan {
        one.ask(source, &mut files)?;
    }
    let plan = plan::without_twins(plan);
    let kept = Kept::open(&request.out, &data.path)?;
    let mut outcomes: Vec<Option<Outcome>> = plan.iter().map(|one| kept.find(&one.task.key)).collect();
    let n_kept = outcomes.iter().flatten().count();
    watch.planned(plan.len(), n_kept);
    let ready = plan.iter().enumerate().filter(|(at, _)| outcomes[*at].is_none());
    let ready: Vec<Ready<'_>> = ready.map(|(at, one)| Ready::new(at, &one.name(), &one.task)).collect();
    let pool = Pool::new(request, &data.path, watch);
    for (at, outcome) in pool.run(ready, &mut |at, outcome| kept.keep(&plan[at].task.key, outcome))? {
        outcomes[at] = Some(outcome);
    }
    let compared = plan.into_iter().zip(outcomes).map(|(one, outcome): (Planned, Option<Outcome>)| {
        let outcome = outcome.ok_or_else(|| Error::bug("a run has no outcome"))?;
        Ok(one.compared(outcome, request))
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
        memory_budget: request.memory,
        threads: request.threads,
        seconds: started.elapsed().as_secs_f64(),
    };
    // Before anybody else may work in the folder.
    comparison.write(&request.out)?;
    drop(kept);
    Ok(comparison)
}
