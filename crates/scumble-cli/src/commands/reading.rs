//! The flags that say how data is read, put into jobs and sources.

use crate::args::option_flags::{FlagSet, OptionFlags};
use scumble::{AnyHierarchy, Error, FromFile, Job, Result, Source};
use std::path::Path;

/// The source that the flags describe.
pub(crate) fn source<S: FlagSet>(path: &Path, options: &OptionFlags<S>) -> Result<Source> {
    let mut job = Job::new();
    options.apply_section("input", &mut job)?;
    Ok(Source::file(path).with(&job.input))
}

/// The source of a release, with the job file whose rules it was made with. What the job says about reading holds as well
/// as the flags.
pub(crate) fn source_with_rules<S: FlagSet>(
    path: &Path,
    options: &OptionFlags<S>,
    job: Option<&Path>,
) -> Result<(Source, Option<Job>)> {
    let Some(job) = job else { return Ok((source(path, options)?, None)) };
    let job = job_file("rules", job)?;
    let mut input = job.input.clone();
    input.format = None;
    let mut flags = Job { input, ..Job::new() };
    options.apply_section("input", &mut flags)?;
    Ok((Source::file(path).with(&flags.input), Some(job)))
}

/// The job in a file that a flag names.
pub(crate) fn job_file(flag: &str, path: &Path) -> Result<Job> {
    if !path.exists() {
        return Err(Error::request(flag, path.display().to_string(), "there is no such file"));
    }
    Job::read(path)
}

/// The columns and files of «hierarchy».
pub(crate) fn trees<S: FlagSet>(options: &OptionFlags<S>) -> Result<Vec<(String, FromFile<AnyHierarchy>)>> {
    let columns = options.columns()?;
    Ok(columns.into_iter().filter_map(|(name, column)| Some((name, column.hierarchy?))).collect())
}
