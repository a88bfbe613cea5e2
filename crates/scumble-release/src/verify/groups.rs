//! What all tables of a release have in common: their columns, and the groups of their rows.

use super::verdict::{Verdict, problems};
use crate::form::{GROUP, SUPPRESSED};
use crate::reader::ReleaseDir;
use scumble_io::{NO_INTEGER, RawColumn, RawTable};
use scumble_table::quoted_list;

/// The columns of each table must be those wanted, in any order. A table is given with what it is
/// called in messages.
pub(super) fn columns(tables: &[(&str, &RawTable, Vec<&str>)]) -> Result<String, String> {
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
    problems(list, || format!("{n_columns} columns, as the manifest says"))
}

/// Takes a column out of a table.
pub(super) fn take(raw: &mut RawTable, name: &str) -> Option<RawColumn> {
    let at = raw.names.iter().position(|known| known == name)?;
    Some(std::mem::replace(&mut raw.columns[at], RawColumn::Skipped))
}

/// A column of whole numbers, taken out of a table.
pub(super) fn numbers(raw: &mut RawTable, name: &str) -> Result<Vec<u32>, String> {
    match take(raw, name) {
        Some(RawColumn::Integer(numbers)) => Ok(numbers),
        _ => Err(format!("`{name}` is not a column of whole numbers")),
    }
}

/// The groups of a table with one row per person.
pub(super) struct Groups {
    /// Group of each row from 0, or [`SUPPRESSED`].
    pub(super) of_row: Vec<u32>,
    /// Rows of each group.
    pub(super) sizes: Vec<u32>,
}

impl Groups {
    /// Takes the column of group numbers, and counts what the manifest counts.
    pub(super) fn read(release: &ReleaseDir, raw: &mut RawTable, verdict: &mut Verdict) -> Option<Groups> {
        let Some(RawColumn::Integer(numbers)) = take(raw, GROUP) else {
            verdict.note("groups-numbered", Err(format!("`{GROUP}` is not the column of group numbers")));
            return None;
        };
        let groups = match Groups::from_numbers(numbers) {
            Ok(found) => found,
            Err(reason) => {
                verdict.note("groups-numbered", Err(reason));
                return None;
            }
        };
        let n_suppressed = groups.of_row.iter().filter(|&&group| group == SUPPRESSED).count() as u64;
        verdict.rows = groups.of_row.len() as u64 - n_suppressed;
        verdict.groups = groups.sizes.len() as u64;
        verdict.suppressed = n_suppressed;
        verdict.note("groups-numbered", numbered(&groups.sizes));
        verdict.note("rows-add-up", add_up(release, verdict));
        Some(groups)
    }

    /// From group numbers, or [`NO_INTEGER`] where a row is suppressed.
    pub(super) fn from_numbers(mut numbers: Vec<u32>) -> Result<Groups, String> {
        let n_rows = numbers.len();
        let last = numbers.iter().copied().filter(|&number| number != NO_INTEGER).max().unwrap_or(0) as usize;
        if last > n_rows {
            return Err(format!("there is a group {last} but there are only {n_rows} rows"));
        }
        let mut sizes = vec![0u32; last];
        for number in &mut numbers {
            match *number {
                NO_INTEGER => *number = SUPPRESSED,
                0 => return Err("there is a group 0; groups are numbered from 1".into()),
                group => {
                    *number = group - 1;
                    sizes[group as usize - 1] += 1;
                }
            }
        }
        Ok(Groups { of_row: numbers, sizes })
    }
}

/// Every number must be that of a group.
pub(super) fn numbered(sizes: &[u32]) -> Result<String, String> {
    match sizes.iter().position(|&size| size == 0) {
        Some(group) => Err(format!("no row is in group {}, though there is a group {}", group + 1, sizes.len())),
        None => Ok(format!("1 to {}, all in use", sizes.len())),
    }
}

/// Compares what was counted with what the manifest says.
pub(super) fn add_up(release: &ReleaseDir, verdict: &Verdict) -> Result<String, String> {
    let manifest = release.manifest();
    let mut list = Vec::new();
    for (what, found, stated) in [
        ("rows with values", verdict.rows, manifest.rows),
        ("suppressed rows", verdict.suppressed, manifest.suppressed),
        ("groups", verdict.groups, manifest.groups),
    ] {
        if found != stated {
            list.push(format!("{found} {what}, and the manifest says {stated}"));
        }
    }
    problems(list, || format!("{} rows, {} suppressed, {} groups", verdict.rows, verdict.suppressed, verdict.groups))
}
