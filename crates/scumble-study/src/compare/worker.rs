//! The process of one run.

use super::exact;
use super::key::{Files, key};
use super::measure::measure;
use super::plan::Interpret;
use super::{Outcome, Status};
use scumble::{Error, HiddenFolder, Result};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::io::{BufRead, Write};
use std::path::PathBuf;

/// What the process of a run is told, as one line of JSON.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Task {
    /// The words of its `publish` command.
    pub words: Vec<String>,
    /// The key that they should have: data or files that changed meanwhile give another one.
    pub key: String,
    /// What is asked of the release.
    pub questions: Questions,
    /// Where the release may lie for a moment if memory has no room for it.
    pub otherwise: PathBuf,
    /// Bytes of room that it wants.
    pub room: u64,
}

/// What is asked of every release.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Questions {
    /// Count queries.
    pub queries: usize,
    /// Seed of the questions.
    pub seed: u64,
    /// Columns in a query.
    pub w: usize,
    /// Whether bounds of averages are asked for.
    pub bounds: bool,
}

impl Questions {
    /// The share of the people whose average is bounded.
    pub(super) const SIZE: &'static str = "0.1";

    pub(super) fn size() -> f64 {
        Questions::SIZE.parse().unwrap_or(0.1)
    }
}

/// Makes one run: reads a [`Task`] from a line of `input`, publishes, verifies, measures and attacks, and writes the
/// [`Outcome`] as a line of JSON. As soon as `input` ends, whoever wanted the run is gone: the release is removed and
/// the process ends.
///
/// # Errors
/// If there is no task, or nobody reads the outcome. What goes wrong in the run is its outcome.
pub fn work(mut input: impl BufRead + Send + 'static, interpret: Interpret<'_>, out: &mut dyn Write) -> Result<()> {
    let mut line = String::new();
    input.read_line(&mut line).map_err(|error| Error::io("read", "standard input", &error))?;
    let task: Task = serde_json::from_str(&line)
        .map_err(|error| Error::request("task", "", format!("a line of standard input should be a task: {error}")))?;
    let folder = HiddenFolder::create(&task.otherwise, task.room)?;
    let path = folder.path().to_path_buf();
    std::thread::spawn(move || {
        let _ = input.read_to_end(&mut Vec::new());
        let _ = std::fs::remove_dir_all(&path);
        std::process::exit(3);
    });
    let outcome = outcome(&task, interpret, &folder);
    drop(folder);
    let line = exact::to_text(&outcome)? + "\n";
    out.write_all(line.as_bytes()).and_then(|()| out.flush()).map_err(|e| Error::io("write", "standard output", &e))
}

fn outcome(task: &Task, interpret: Interpret<'_>, folder: &HiddenFolder) -> Outcome {
    let run = || {
        let request = interpret(&task.words)?;
        if key(&request, &json!(task.questions), &mut Files::default())? != task.key {
            return Err(Error::data(
                request.input.path.display().to_string(),
                "the data changed while it was compared",
            )
            .hint("compare again"));
        }
        measure(&request, &task.questions, folder.path())
    };
    match run() {
        Ok((figures, cost)) => Outcome { status: Status::Done, reason: None, figures: Some(figures), cost: Some(cost) },
        Err(error @ (Error::Infeasible { .. } | Error::NotFound { .. })) => {
            Outcome::without(Status::Infeasible, error.to_string())
        }
        Err(error @ Error::Request { .. }) => Outcome::without(Status::Refused, error.to_string()),
        Err(error) => Outcome::without(Status::Failed, error.to_string()),
    }
}
