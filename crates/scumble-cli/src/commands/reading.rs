//! The flags that say how data is read.

use crate::args::{Reading, Typing};
use scumble::{ColumnRequest, Error, Format, Input, Job, Kind, Result, SourceRules};
use std::path::{Path, PathBuf};

/// The input that the flags describe.
pub(crate) fn input(path: &Path, reading: &Reading) -> Result<Input> {
    Ok(Input { path: path.into(), format: Format::Auto, delimiter: delimiter(reading)?, nulls: reading.nulls.clone() })
}

/// The source of a release, with the rules of the job file that it was made with. What the job says about reading holds
/// beside the flags.
pub(crate) fn source(path: &Path, reading: &Reading, job: Option<&Path>) -> Result<(Input, Option<SourceRules>)> {
    let mut input = input(path, reading)?;
    let Some(job) = job else { return Ok((input, None)) };
    let job = Job::read(job)?;
    input.delimiter = input.delimiter.or(job.input.delimiter);
    input.nulls.extend(job.input.nulls.iter().cloned());
    Ok((input, Some(SourceRules::from_job(&job)?)))
}

/// The delimiter flag: one ASCII character, or a name for one that is hard to type.
pub(crate) fn delimiter(reading: &Reading) -> Result<Option<u8>> {
    reading.delimiter.as_deref().map(parse_delimiter).transpose()
}

pub(crate) fn parse_delimiter(text: &str) -> Result<u8> {
    match text.as_bytes() {
        b"tab" | b"\\t" => Ok(b'\t'),
        [byte] if byte.is_ascii() && !matches!(byte, b'"' | b'\n' | b'\r') => Ok(*byte),
        _ => Err(Error::request("--delimiter", text, "one character is wanted").hint("such as `;`, or `tab`")),
    }
}

/// Applies `--type`, `--order` and `--hierarchy` to the columns they name.
pub(crate) fn refine(columns: &mut [ColumnRequest], typing: &Typing) -> Result<()> {
    for text in &typing.types {
        let (name, kind) = pair("--type", text, "COLUMN=number|date|ordinal|nominal")?;
        let kind: Kind = kind.parse()?;
        find(columns, "--type", name)?.kind = Some(kind);
    }
    for text in &typing.orders {
        let (name, file) = pair("--order", text, "COLUMN=FILE")?;
        find(columns, "--order", name)?.order = Some(PathBuf::from(file));
    }
    for text in &typing.hierarchies {
        let (name, file) = pair("--hierarchy", text, "COLUMN=FILE")?;
        find(columns, "--hierarchy", name)?.hierarchy = Some(PathBuf::from(file));
    }
    Ok(())
}

/// Applies `--level` to the columns it names.
pub(crate) fn leveled(columns: &mut [ColumnRequest], levels: &[String]) -> Result<()> {
    for text in levels {
        let (name, level) = pair("--level", text, "COLUMN=N")?;
        let number = level.parse().map_err(|_| {
            Error::request("--level", text, "a level is a whole number").hint("0 shows values, 1 the finest level")
        })?;
        find(columns, "--level", name)?.level = Some(number);
    }
    Ok(())
}

/// The columns and types of `--type`.
pub(crate) fn types(given: &[String]) -> Result<Vec<(String, Kind)>> {
    let typed = |text: &String| {
        let (name, kind) = pair("--type", text, "COLUMN=number|date|ordinal|nominal")?;
        Ok((name.to_string(), kind.parse()?))
    };
    given.iter().map(typed).collect()
}

/// The columns and files of `--hierarchy`.
pub(crate) fn trees(given: &[String]) -> Result<Vec<(String, PathBuf)>> {
    let tree = |text: &String| pair("--hierarchy", text, "COLUMN=FILE").map(|(name, file)| (name.into(), file.into()));
    given.iter().map(tree).collect()
}

fn pair<'a>(flag: &str, text: &'a str, form: &str) -> Result<(&'a str, &'a str)> {
    text.split_once('=')
        .filter(|(name, value)| !name.is_empty() && !value.is_empty())
        .ok_or_else(|| Error::request(flag, text, format!("{form} is wanted")))
}

fn find<'a>(columns: &'a mut [ColumnRequest], flag: &str, name: &str) -> Result<&'a mut ColumnRequest> {
    let names: Vec<String> = columns.iter().map(|c| c.name.clone()).collect();
    columns.iter_mut().find(|c| c.name == name).ok_or_else(|| {
        let hint = match scumble::nearest(name, names.iter().map(String::as_str)) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "name it in --quasi, --sensitive or --keep first".into(),
        };
        Error::request(flag, name, "no column with a role has this name").hint(hint)
    })
}
