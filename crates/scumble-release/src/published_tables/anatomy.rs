//! The two tables of an anatomy release, read from their bytes and checked as they are taken in.

use super::boxed::note_texts;
use super::exact::{CountedValues, Exact, GroupedValues, texts};
use super::group_numbers::{self, GroupNumbers};
use super::shown_column::{CheckedColumn, ShownColumn, note_suppressed};
use crate::findings::{Findings, problems};
use crate::form::{Anatomy, COUNT, GROUP};
use crate::published_column::PublishedColumn;
use crate::reader::ReleaseReader;
use rayon::prelude::*;
use scumble_io::{NULL_INTEGER, RawTable};
use scumble_table::{Codes, Role, number_of};
use std::cmp::Ordering;

/// Names of the tables, in the order in which [`read`] takes them.
pub(super) const TABLES: [&str; 2] = [Anatomy::PEOPLE, Anatomy::SENSITIVE];

/// Takes the tables of people and of sensitive values in; notes every check on the way, and gives
/// nothing where one of them leaves too little sense in the tables to go on.
pub(super) fn read(release: &ReleaseReader, tables: [RawTable; 2], findings: &mut Findings) -> Option<Exact> {
    let [mut people, mut sensitive] = tables;
    let of_role = |is: bool| release.columns().iter().filter(move |c| (c.role() == Role::Sensitive) == is);
    let names = |is: bool| of_role(is).map(PublishedColumn::name);
    let wanted = [
        ("the table of people", &people, std::iter::once(GROUP).chain(names(false)).collect()),
        ("the table of sensitive values", &sensitive, [GROUP, COUNT].into_iter().chain(names(true)).collect()),
    ];
    if !findings.note("columns", group_numbers::columns(&wanted)) {
        return None;
    }
    let GroupNumbers { of_row: row_group, sizes } = GroupNumbers::read(release, &mut people, findings)?;
    let (counted_group, counts) = counted(&mut sensitive, GROUP, sizes.len(), findings)?;
    // Where the tables disagree it is not known which of them to judge.
    if !findings.note("groups-agree", agree(GROUP, &sizes, &counted_group, &counts)) {
        return None;
    }
    let people = texts(of_role(false), &mut people, &row_group)?;
    let values = texts(of_role(true), &mut sensitive, &counted_group)?;
    note_suppressed(findings, people.iter().map(|column| (&column.column, column.unveiled)));
    note_texts(findings, [], people.iter().chain(&values));
    let people = people.into_iter().map(CheckedColumn::values).collect::<Option<Vec<ShownColumn>>>()?;
    let values = values.into_iter().map(CheckedColumn::values).collect::<Option<Vec<ShownColumn>>>()?;
    findings.note("counts-sorted", sorted(&counted_group, &values));
    let sensitive = CountedValues { row_group: counted_group, values, counts };
    Some(Exact { people, groupings: vec![GroupedValues { row_group, sizes, sensitive }] })
}

/// Groups from 0 and counts of the table of sensitive values; `number` is the column that shows the groups.
pub(super) fn counted(
    raw: &mut RawTable,
    number: &str,
    n_groups: usize,
    findings: &mut Findings,
) -> Option<(Vec<u32>, Vec<u32>)> {
    let found = findings.require("counts", read_counts(raw, number, n_groups))?;
    findings
        .note("counts", Ok(number_of(found.1.len() as u64, "row that counts", "rows that each count") + " somebody"));
    Some(found)
}

fn read_counts(raw: &mut RawTable, number: &str, n_groups: usize) -> Result<(Vec<u32>, Vec<u32>), String> {
    let (mut of_row, counts) = (group_numbers::numbers(raw, number)?, group_numbers::numbers(raw, COUNT)?);
    for (row, group) in of_row.iter_mut().enumerate() {
        if *group == 0 || *group as usize > n_groups {
            let number = if *group == NULL_INTEGER { format!("no {number}") } else { format!("{number} {group}") };
            return Err(format!("row {} counts values of {number}, where nobody is", row + 1));
        }
        *group -= 1;
    }
    match counts.iter().position(|&count| count == 0 || count == NULL_INTEGER) {
        Some(row) => Err(format!("row {} counts nobody", row + 1)),
        None => Ok((of_row, counts)),
    }
}

/// Every group must have as many values as people.
pub(super) fn agree(what: &str, sizes: &[u32], of_row: &[u32], counts: &[u32]) -> Result<String, String> {
    let mut values = vec![0u64; sizes.len()];
    for (&group, &count) in of_row.iter().zip(counts) {
        match values.get_mut(group as usize) {
            Some(values) => *values += u64::from(count),
            None => return Err(format!("nobody is in {what} {}, which has values", group + 1)),
        }
    }
    let differ = sizes.iter().zip(&values).enumerate().filter(|(_, (people, values))| u64::from(**people) != **values);
    let list =
        differ.map(|(group, (people, values))| format!("{what} {} has {people} rows and {values} values", group + 1));
    problems(list.collect(), || format!("every {what} of {} has as many values as rows", sizes.len()))
}

/// Rows must rise by group and values: any other order could be that of the people, and a combination
/// that stands twice in a group could tell them apart.
pub(super) fn sorted(row_group: &[u32], values: &[ShownColumn]) -> Result<String, String> {
    let codes: Vec<&Codes> = values.iter().map(|column| &column.codes).collect();
    let rises = |row: usize| {
        let groups = row_group[row - 1].cmp(&row_group[row]);
        codes.iter().fold(groups, |so_far, codes| so_far.then_with(|| codes.get(row - 1).cmp(&codes.get(row))))
    };
    match (1..row_group.len()).into_par_iter().find_first(|&row| rises(row) != Ordering::Less) {
        Some(row) => Err(format!("row {} of the sensitive values does not come after the row before it", row + 1)),
        None => Ok("sensitive values rise in each group, and so do the groups".into()),
    }
}
