//! What all tables of a release have in common: their columns, and the groups of their rows.

use crate::findings::{Findings, problems};
use crate::form::{GROUP, SUPPRESSED};
use crate::published_column::PublishedColumn;
use crate::reader::ReleaseReader;
use scumble_io::{Dictionary, NULL_INTEGER, RawColumn, RawTable};
use scumble_table::{Codes, number_of, quoted_list};
use std::fmt::Display;

/// The columns of each table must be those wanted, in any order. A table is given with what it is
/// called in messages.
pub(super) fn columns(tables: &[(impl Display, &RawTable, Vec<&str>)]) -> Result<String, String> {
    let mut list = Vec::new();
    for (table, raw, wanted) in tables {
        let missing: Vec<&&str> = wanted.iter().filter(|name| !raw.names.iter().any(|known| known == **name)).collect();
        let extra: Vec<&String> = raw.names.iter().filter(|name| !wanted.contains(&name.as_str())).collect();
        if !missing.is_empty() {
            list.push(format!("{table} lacks {}", quoted_list(&missing, 8)));
        }
        if !extra.is_empty() {
            list.push(format!("{table} has {} besides", quoted_list(&extra, 8)));
        }
    }
    let n_columns: usize = tables.iter().map(|(_, raw, _)| raw.names.len()).sum();
    problems(list, || number_of(n_columns as u64, "column", "columns") + ", as the manifest says")
}

/// Takes a column out of a table.
pub(super) fn take(raw: &mut RawTable, name: &str) -> Option<RawColumn> {
    let at = raw.names.iter().position(|known| known == name)?;
    Some(std::mem::replace(&mut raw.columns[at], RawColumn::Skipped))
}

/// Columns of texts, taken out of a table; nothing where one of them is not there.
pub(super) fn take_texts<'a>(
    columns: impl Iterator<Item = &'a PublishedColumn>,
    raw: &mut RawTable,
) -> Option<Vec<(&'a PublishedColumn, Dictionary, Codes)>> {
    let mut taken = Vec::new();
    for column in columns {
        let Some(RawColumn::Text { dictionary, codes }) = take(raw, column.name()) else { return None };
        taken.push((column, dictionary, codes));
    }
    Some(taken)
}

/// A column of whole numbers, taken out of a table.
pub(super) fn numbers(raw: &mut RawTable, name: &str) -> Result<Vec<u32>, String> {
    match take(raw, name) {
        Some(RawColumn::Integer(numbers)) => Ok(numbers),
        _ => Err(format!("`{name}` is not a column of whole numbers")),
    }
}

/// The groups of a table with one row per person.
pub(super) struct GroupNumbers {
    /// Group of each row from 0, or [`SUPPRESSED`].
    pub(super) of_row: Vec<u32>,
    /// Rows of each group.
    pub(super) sizes: Vec<u32>,
}

impl GroupNumbers {
    /// Takes the column of group numbers, and counts what the manifest counts.
    pub(super) fn read(release: &ReleaseReader, raw: &mut RawTable, findings: &mut Findings) -> Option<GroupNumbers> {
        let numbers = numbers(raw, GROUP).map_err(|_| format!("`{GROUP}` is not the column of group numbers"));
        let groups = findings.require("groups-numbered", numbers.and_then(GroupNumbers::from_numbers))?;
        groups.note("groups-numbered", release, findings);
        Some(groups)
    }

    /// Counts what the manifest counts, and notes whether every number is in use and all adds up.
    pub(super) fn note(&self, check: &str, release: &ReleaseReader, findings: &mut Findings) {
        findings.suppressed = self.n_suppressed();
        findings.rows = self.of_row.len() as u64 - findings.suppressed;
        findings.groups = self.sizes.len() as u64;
        findings.note(check, numbered(&self.sizes));
        findings.note("rows-add-up", add_up(release, findings));
    }

    /// Rows in no group.
    pub(super) fn n_suppressed(&self) -> u64 {
        self.of_row.iter().filter(|&&group| group == SUPPRESSED).count() as u64
    }

    /// From group numbers, or [`NULL_INTEGER`] where a row is suppressed.
    pub(super) fn from_numbers(mut numbers: Vec<u32>) -> Result<GroupNumbers, String> {
        let n_rows = numbers.len();
        let last = numbers.iter().copied().filter(|&number| number != NULL_INTEGER).max().unwrap_or(0) as usize;
        if last > n_rows {
            return Err(format!("there is a group {last} but there are only {n_rows} rows"));
        }
        let mut sizes = vec![0u32; last];
        for number in &mut numbers {
            match *number {
                NULL_INTEGER => *number = SUPPRESSED,
                0 => return Err("there is a group 0; groups are numbered from 1".into()),
                group => {
                    *number = group - 1;
                    sizes[group as usize - 1] += 1;
                }
            }
        }
        Ok(GroupNumbers { of_row: numbers, sizes })
    }
}

/// Every number must be that of a group.
pub(super) fn numbered(sizes: &[u32]) -> Result<String, String> {
    match sizes.iter().position(|&size| size == 0) {
        Some(group) => Err(format!("no row is in group {}, though there is a group {}", group + 1, sizes.len())),
        None if sizes.len() == 1 => Ok("1, in use".into()),
        None => Ok(format!("1 to {}, all in use", sizes.len())),
    }
}

/// Compares what was counted with what the manifest says.
pub(super) fn add_up(release: &ReleaseReader, findings: &Findings) -> Result<String, String> {
    let manifest = release.manifest();
    let mut list = Vec::new();
    for (what, found, stated) in [
        ("rows with values", findings.rows, manifest.rows),
        ("suppressed rows", findings.suppressed, manifest.suppressed),
        ("groups", findings.groups, manifest.groups),
    ] {
        if found != stated {
            list.push(format!("{found} {what}, and the manifest says {stated}"));
        }
    }
    problems(list, || {
        let (rows, groups) = (number_of(findings.rows, "row", "rows"), number_of(findings.groups, "group", "groups"));
        format!("{rows}, {} suppressed, {groups}", findings.suppressed)
    })
}
