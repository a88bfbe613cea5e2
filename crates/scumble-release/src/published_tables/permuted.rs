//! The tables of a permuted release, read from their bytes and checked as they are taken in.

use super::boxed::note_texts;
use super::exact::{CountedValues, Exact, GroupedValues, texts};
use super::group_numbers::{self, GroupNumbers, numbers};
use super::help;
use super::shown_column::{CheckedColumn, ShownColumn};
use crate::findings::Findings;
use crate::form::{GROUP, HITS, Permuted, PermutedTables, TUPLE};
use crate::published_column::PublishedColumn;
use crate::reader::ReleaseReader;
use scumble_io::{NULL_INTEGER, RawTable};
use scumble_table::Role;

/// Takes the tables in, in the order of [`PermutedTables::names`]; notes every check on the way, and gives nothing
/// where one of them leaves too little sense in the tables to go on.
pub(super) fn read(release: &ReleaseReader, raw: Vec<RawTable>, findings: &mut Findings) -> Option<Exact> {
    let plan = PermutedTables::from_manifest(release.manifest());
    let mut raw = raw.into_iter();
    let mut people = raw.next()?;
    let mut mappings: Vec<RawTable> = raw.by_ref().take(plan.mappings.len()).collect();
    let mut helps: Vec<RawTable> = raw.collect();
    if !findings.note("columns", columns(release, &plan, &people, &mappings, &helps)) {
        return None;
    }
    let place_of = findings.require("tuples-numbered", numbers(&mut people, TUPLE).and_then(places))?;
    findings.note("tuples-numbered", Ok(format!("1 to {}, each once", place_of.len())));
    let mut found = Vec::new();
    for ((name, _), mapping) in plan.mappings.iter().zip(&mut mappings) {
        let check = check_of_table("groups-numbered", Permuted::MAPPING, name);
        found.push(findings.require(check, mapped(mapping, &place_of))?);
    }
    findings.rows = place_of.len() as u64;
    findings.groups = found.iter().map(|groups| groups.sizes.len() as u64).sum();
    for ((name, _), groups) in plan.mappings.iter().zip(&found) {
        let check = check_of_table("groups-numbered", Permuted::MAPPING, name);
        findings.note(check, group_numbers::numbered(&groups.sizes));
    }
    findings.note("rows-add-up", group_numbers::add_up(release, findings));
    let values = texts(release.columns().iter(), &mut people, &found.first()?.of_row)?;
    note_texts(findings, [], values.iter());
    let values = values.into_iter().map(CheckedColumn::values).collect::<Option<Vec<ShownColumn>>>()?;
    let (sensitive, people): (Vec<_>, Vec<_>) = values.into_iter().partition(|v| v.column.role() == Role::Sensitive);
    let mut sensitive = sensitive.into_iter();
    let groupings: Vec<GroupedValues> = plan
        .mappings
        .iter()
        .zip(found)
        .map(|((_, columns), GroupNumbers { of_row, sizes })| {
            let values = sensitive.by_ref().take(columns.len()).collect();
            let sensitive = CountedValues::count(&of_row, sizes.len(), values);
            GroupedValues { row_group: of_row, sizes, sensitive }
        })
        .collect();
    for ((name, column), raw) in plan.helps.iter().zip(&mut helps) {
        let at = plan.mappings.iter().position(|(_, columns)| columns.contains(column))?;
        let inside = plan.mappings[at].1.iter().position(|of_grouping| of_grouping == column)?;
        findings.note(check_of_table("help", Permuted::HELP, name), help::check(raw, &groupings[at], inside));
    }
    Some(Exact { people, groupings })
}

/// A check of one of several tables names its own: `help[help-pay]`.
fn check_of_table(check: &str, only: &str, table: &str) -> String {
    if table == only { check.into() } else { format!("{check}[{table}]") }
}

fn columns(
    release: &ReleaseReader,
    plan: &PermutedTables,
    people: &RawTable,
    mappings: &[RawTable],
    helps: &[RawTable],
) -> Result<String, String> {
    let names = release.columns().iter().map(PublishedColumn::name);
    let mut wanted = vec![("the table of people".to_string(), people, std::iter::once(TUPLE).chain(names).collect())];
    for ((name, _), raw) in plan.mappings.iter().zip(mappings) {
        wanted.push((format!("the table `{name}`"), raw, vec![TUPLE, GROUP]));
    }
    for ((name, _), raw) in plan.helps.iter().zip(helps) {
        wanted.push((format!("the table `{name}`"), raw, [GROUP, HITS].into_iter().chain(Permuted::BOUNDS).collect()));
    }
    group_numbers::columns(&wanted)
}

/// The place of each tuple, from 0. Tuples are numbered from 1, each number used once.
fn places(tuples: Vec<u32>) -> Result<Vec<u32>, String> {
    let mut place_of = vec![NULL_INTEGER; tuples.len()];
    for (row, &tuple) in tuples.iter().enumerate() {
        match place_of.get_mut((tuple as usize).wrapping_sub(1)) {
            Some(place) if *place == NULL_INTEGER => *place = row as u32,
            Some(_) => return Err(format!("row {} of the people has the number of another", row + 1)),
            None => return Err(format!("row {} of the people has no number from 1 to {}", row + 1, tuples.len())),
        }
    }
    Ok(place_of)
}

/// The groups of the people in the order of their table: every tuple is mapped once, and to a group. Tuples rise, for any other
/// order of the mapping could tell something of people.
fn mapped(raw: &mut RawTable, place_of: &[u32]) -> Result<GroupNumbers, String> {
    let (tuples, groups) = (numbers(raw, TUPLE)?, numbers(raw, GROUP)?);
    if tuples.len() != place_of.len() {
        return Err(format!("{} tuples are mapped, and there are {} rows", tuples.len(), place_of.len()));
    }
    let mut of_row = vec![NULL_INTEGER; place_of.len()];
    for (row, (&tuple, &group)) in tuples.iter().zip(&groups).enumerate() {
        let fault = |what: &str| Err(format!("row {} of the mapping {what}", row + 1));
        let Some(&place) = place_of.get((tuple as usize).wrapping_sub(1)) else {
            return fault("names a tuple that is not there");
        };
        if group == NULL_INTEGER {
            return fault("names no group");
        }
        if row > 0 && tuples[row - 1] > tuple {
            return fault(
                "does not come after the row before it: a mapping rises by tuple, as any other order could tell of people",
            );
        }
        if std::mem::replace(&mut of_row[place as usize], group) != NULL_INTEGER {
            return fault("maps a tuple that was mapped before");
        }
    }
    GroupNumbers::from_numbers(of_row)
}
