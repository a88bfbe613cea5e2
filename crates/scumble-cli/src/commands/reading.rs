//! The flags that say how data is read, put into jobs and sources.

use crate::args::option_flags::{InputOptions, OptionFlags};
use scumble::{AnyHierarchy, Error, FromFile, Job, Kind, Result, Source, Value};
use std::path::Path;

/// The source that the flags describe.
pub(crate) fn source(path: &Path, reading: &OptionFlags<InputOptions>) -> Result<Source> {
    let mut job = Job::new();
    reading.apply(&mut job)?;
    Ok(Source::file(path).with(&job.input))
}

/// The source of a release, with the job file whose rules it was made with. What the job says about reading holds as well
/// as the flags.
pub(crate) fn source_with_rules(
    path: &Path,
    reading: &OptionFlags<InputOptions>,
    job: Option<&Path>,
) -> Result<(Source, Option<Job>)> {
    let Some(job) = job else { return Ok((source(path, reading)?, None)) };
    let job = Job::read(job)?;
    let mut input = job.input.clone();
    input.format = None;
    let mut flags = Job { input, ..Job::new() };
    reading.apply(&mut flags)?;
    Ok((Source::file(path).with(&flags.input), Some(job)))
}

/// The columns and types of «type».
pub(crate) fn types(given: &[String]) -> Result<Vec<(String, Kind)>> {
    given
        .iter()
        .map(|text| pair("type", text, "COLUMN=TYPE").and_then(|(name, kind)| Ok((name.into(), kind.parse()?))))
        .collect()
}

/// The columns and files of «hierarchy».
pub(crate) fn trees(given: &[String]) -> Result<Vec<(String, FromFile<AnyHierarchy>)>> {
    let tree = |text: &String| {
        pair("hierarchy", text, "COLUMN=FILE").map(|(name, file)| (name.to_string(), FromFile::file(file)))
    };
    given.iter().map(tree).collect()
}

fn pair<'a>(field: &str, text: &'a str, form: &str) -> Result<(&'a str, &'a str)> {
    text.split_once('=')
        .filter(|(name, value)| !name.is_empty() && !value.is_empty())
        .ok_or_else(|| Error::request(field, text, format!("{form} is wanted")))
}

/// Sets an option of columns from texts such as `age=number`; `unknown` is said of a column that the job does not have.
pub(crate) fn set_columns(job: &mut Job, option: &str, texts: &[String], unknown: &str) -> Result<()> {
    for text in texts {
        let (name, value) = pair(option, text, "COLUMN=VALUE")?;
        if !job.columns.iter().any(|(known, _)| known == name) {
            return Err(Error::request(option, name, unknown));
        }
        job.set(&format!("columns.{name}.{option}"), &Value::text(value))?;
    }
    Ok(())
}
