//! `scumble compare`.

mod request;
mod summary;

use crate::args::Compare;
use crate::job_file::in_job_file;
use crate::output::Output;
use scumble::{Compared, ComparisonFolder, Error, Result, RunStatus, Source};
use std::path::Path;
use std::sync::Arc;

pub(crate) fn run(args: &Compare, output: &Output) -> Result<bool> {
    let (request, out) = request::request(args)?;
    let table = Source::of_job(&request.base)?.read(&request.base, &output.context);
    // What all points share, such as a column that is not there.
    let table = table.map_err(|error| match &request.file {
        Some(file) => in_job_file(error, file, |_, _| false),
        None => error,
    })?;
    let progress = Arc::new(summary::Runs::new(output));
    let data = request.base.input.path.as_deref().unwrap_or(Path::new(""));
    let context = output.context.clone().with_progress(progress.clone());
    let comparison = ComparisonFolder::open(&out, data).and_then(|folder| folder.compare(&table, &request, &context));
    progress.finish();
    let comparison = comparison?;
    output.result(&comparison, || summary::summary(&comparison, &out))?;
    let refused = |run: &&Compared| run.outcome.status == RunStatus::Refused;
    if let Some(first) = comparison.runs.first()
        && comparison.runs.iter().all(|run| refused(&run))
    {
        let reason = first.outcome.reason.clone().unwrap_or_default();
        return Err(Error::request("run", "", format!("every one is refused, the first because {reason}")));
    }
    // What cannot be published is a result like any other, unless nothing can; a run that broke off is not.
    let failed = comparison.runs.iter().filter(|run| run.outcome.status == RunStatus::Failed);
    match failed.clone().next() {
        None => Ok(comparison.runs.iter().any(|run| run.outcome.status == RunStatus::Done)),
        Some(first) => Err(Error::Io {
            doing: "finish".into(),
            path: format!("{} of {} runs", failed.count(), comparison.runs.len()),
            reason: format!(
                "run {}: {}{}",
                first.number,
                first.outcome.reason.as_deref().unwrap_or_default(),
                request.memory.map_or("", |_| "; hint: «memory» says how much the program may hold")
            ),
        }),
    }
}
