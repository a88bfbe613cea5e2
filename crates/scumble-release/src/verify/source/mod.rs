//! Against the source: nothing lost, nothing invented, every box around its own row.

mod matching;
mod quasi;
mod rows;

use super::Page;
use super::page::Values;
use super::verdict::{Verdict, problems};
use crate::reader::ReleaseDir;
use crate::{SUPPRESSED, Watch};
use matching::{Answer, Limits, answer};
use rows::{Rows, question};
use scumble_io::{Dictionary, Format, RawColumn, RawTable, ReadOptions, Want, read};
use scumble_table::{Code, Codes, Error, Kind, NULL, Result, quoted_list};
use std::path::PathBuf;

/// A value of the source that no published row shows.
const UNPUBLISHED: Code = Code::MAX;

/// The table that a release is said to come from.
#[derive(Debug, Clone)]
pub struct Source<'a> {
    /// The table, or where to read it.
    pub data: SourceData<'a>,
    /// Columns that must not be in the release.
    pub identifying: Vec<String>,
}

/// Where the source is.
#[derive(Debug, Clone)]
pub enum SourceData<'a> {
    /// In a file; only the published columns are read.
    File {
        /// The file, or `-` for standard input.
        path: PathBuf,
        /// Its format.
        format: Format,
        /// The delimiter of a CSV file; found in its header when not given.
        delimiter: Option<u8>,
        /// Texts that mean a missing value, beside the empty one.
        nulls: Vec<String>,
    },
    /// In memory, with at least the published columns read as text.
    Raw(&'a RawTable),
}

/// Notes how a page compares with its source.
pub(super) fn check(
    release: &ReleaseDir,
    page: &Page,
    source: &Source<'_>,
    watch: &dyn Watch,
    verdict: &mut Verdict,
) -> Result<()> {
    let published = |name: &str| release.columns().iter().any(|column| column.name() == name);
    let named: Vec<&String> = source.identifying.iter().filter(|name| published(name)).collect();
    let found = match named.is_empty() {
        true => Ok(format!("none of the {} identifying columns is published", source.identifying.len())),
        false => Err(format!("{} is published", quoted_list(&named, 8))),
    };
    if !source.identifying.is_empty() {
        verdict.note("identifying-absent", found);
    }
    let held;
    let raw = match &source.data {
        SourceData::Raw(raw) => *raw,
        SourceData::File { path, format, delimiter, nulls } => {
            let options = ReadOptions::default()
                .format(*format)
                .delimiter(*delimiter)
                .nulls(nulls.clone())
                .columns(|name| if published(name) { Want::Text } else { Want::Skip })
                .secret(|_| true);
            held = read(path, &options, watch)?;
            &held
        }
    };
    let missing: Vec<&str> =
        release.columns().iter().map(|column| column.name()).filter(|name| text_column(raw, name).is_err()).collect();
    if !missing.is_empty() {
        verdict.note("source-columns", Err(format!("the source lacks {}", quoted_list(&missing, 8))));
        return Ok(());
    }
    let (n_published, n_suppressed) = (verdict.rows, verdict.suppressed);
    let n_source = raw.n_rows as u64;
    let counts = format!("{n_source} in the source, {n_published} published and {n_suppressed} suppressed");
    let enough = n_source == n_published + n_suppressed;
    verdict.note("source-rows", if enough { Ok(counts) } else { Err(counts) });
    let mut keys = Vec::new();
    for values in &page.values {
        let (dictionary, codes) = text_column(raw, values.column.name())?;
        let map = value_map(values, dictionary);
        let name = format!("source-values[{}]", values.column.name());
        verdict.note(name, same_values(page, values, codes, &map, n_suppressed));
        keys.push((values, codes, map));
    }
    let mut quasi_columns = Vec::new();
    let mut unread = Vec::new();
    for boxes in &page.quasi {
        let (dictionary, codes) = text_column(raw, boxes.column.name())?;
        match quasi::place(boxes, dictionary) {
            Ok(placed) => quasi_columns.push((boxes, codes, placed)),
            Err(reason) => unread.push(format!("`{}`: {reason}", boxes.column.name())),
        }
    }
    if !unread.is_empty() {
        verdict.note("source-matching", problems(unread, String::new));
        return Ok(());
    }
    let asked = question(page, raw.n_rows, &keys, &quasi_columns);
    let found = outcome(page, &asked, answer(&asked.question, Limits::default()), n_published);
    verdict.note("source-matching", found);
    Ok(())
}

/// The texts of a column of the source.
fn text_column<'a>(raw: &'a RawTable, name: &str) -> Result<(&'a Dictionary, &'a Codes)> {
    let at = raw.position("--source", name)?;
    match &raw.columns[at] {
        RawColumn::Text { dictionary, codes } => Ok((dictionary, codes)),
        _ => Err(Error::bug(format!("column `{name}` of the source was not read as text"))),
    }
}

/// The published code of each text of the source.
fn value_map(values: &Values, dictionary: &Dictionary) -> Vec<Code> {
    // Looking ordinal labels up one by one would be quadratic.
    let mut by_label: Vec<(String, Code)> = Vec::new();
    if values.domain.kind() == Kind::Ordinal {
        by_label.extend(values.domain.codes().map(|code| (values.domain.text(code).into_owned(), code)));
        by_label.sort_unstable();
    }
    let find = |text: &str| match values.domain.kind() {
        Kind::Ordinal => by_label.binary_search_by(|(label, _)| label.as_str().cmp(text)).ok().map(|at| by_label[at].1),
        _ => values.domain.code_of(text),
    };
    let mut map = vec![NULL; dictionary.len() + 1];
    for (text, code) in dictionary.iter().zip(1..) {
        map[code] = find(text).unwrap_or(UNPUBLISHED);
    }
    map
}

/// Published values must be the source's own, each as often, less the suppressed ones.
fn same_values(page: &Page, values: &Values, source: &Codes, map: &[Code], suppressed: u64) -> Result<String, String> {
    let n_codes = values.domain.n_codes();
    let mut theirs = vec![0u64; n_codes];
    let mut lost = 0;
    for code in source.iter() {
        match theirs.get_mut(map[code as usize] as usize) {
            Some(count) => *count += 1,
            None => lost += 1,
        }
    }
    let mut ours = vec![0u64; n_codes];
    for (row, &group) in page.row_group.iter().enumerate() {
        if group != SUPPRESSED {
            ours[values.codes.get(row) as usize] += 1;
        }
    }
    let mut invented = 0;
    for (ours, theirs) in ours.iter().zip(&theirs) {
        invented += ours.saturating_sub(*theirs);
        lost += theirs.saturating_sub(*ours);
    }
    if invented == 0 && lost == suppressed {
        return Ok("the source's own values".into());
    }
    Err(format!(
        "{invented} values are not the source's, {lost} of the source's are missing, {suppressed} are suppressed"
    ))
}

/// The answer in words. Rows are named by their place; their values may be secrets.
fn outcome(page: &Page, asked: &Rows, answer: Answer, n_published: u64) -> Result<String, String> {
    match answer {
        Answer::Yes => Ok("every published row has a source row of its own, inside its box".into()),
        Answer::NoPoint(at) => {
            let row = asked.box_row[at] as usize;
            let group = page.row_group[row] + 1;
            Err(format!("row {} of the table (group {group}) covers no source row that is left for it", row + 1))
        }
        Answer::NoBox(at) => Err(format!("row {} of the source fits no published row", asked.point_row[at] + 1)),
        Answer::Undecided { rows } => Ok(format!(
            "only partly checked: for {rows} of {n_published} rows there are too many possible source rows to decide \
             whether one assignment suits all; each column by itself allows one, and the others are decided exactly"
        )),
    }
}
