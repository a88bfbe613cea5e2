//! Requirements judged by people, which only the source can tell apart.
//!
//! The bytes of a release show rows. Whose they are is told by the source, if every row of it can be in one group only: its
//! box, or its exact values, and its sensitive values say which. Where a row could be in several groups nobody can tell what
//! the publisher counted, and the check says so.

use super::groups::{Classes, NONE, column_pairs};
use super::located::Located;
use crate::distance::needs_distance;
use rayon::prelude::*;
use scumble_io::RawTable;
use scumble_principle::{BoundRequirements, PersonMemory, Requirement};
use scumble_release::{Boxed, Exact, GroupedValues, PublishedTables, ReleaseReader, SUPPRESSED, ShownColumn, problems};
use scumble_table::{Codes, Monitor, Persons, Result, Role, Schema, Table};
use std::sync::Arc;

/// Says whether every group holds by people, where it can be told who is in it.
pub(super) fn check(
    release: &ReleaseReader,
    tables: &PublishedTables,
    raw: &RawTable,
    persons: &Persons,
    located: &[Located],
    monitor: Monitor<'_>,
) -> Result<Result<String, String>> {
    let stated = release.manifest().persons;
    let counted = |n: usize| match stated {
        Some(stated) if stated != n as u64 => {
            Err(format!("the source has {n} persons in published rows, and the manifest says {stated}"))
        }
        _ => Ok(()),
    };
    let groupings = match tables {
        PublishedTables::Generalized(boxed) => {
            let Some(located) = located.first() else { return Ok(Ok(UNKNOWN.into())) };
            vec![(of_boxes(boxed, located, raw)?, boxed.sizes.len(), sensitive(&boxed.values))]
        }
        PublishedTables::Exact(exact) => {
            let mut groupings = Vec::new();
            for grouping in &exact.groupings {
                let values = grouping.sensitive.values.iter().collect();
                groupings.push((of_exact(exact, grouping, raw)?, grouping.sizes.len(), values));
            }
            groupings
        }
        PublishedTables::Angel(_) => return Ok(Ok(UNKNOWN.into())),
    };
    let (mut found, mut n_groups) = (Vec::new(), 0);
    for (groups, n, values) in groupings {
        let Some(groups) = groups else { return Ok(Ok(UNKNOWN.into())) };
        monitor.check()?;
        let rows: Vec<u32> =
            (0..).zip(&groups).filter(|(_, group)| **group != SUPPRESSED).map(|(row, _)| row).collect();
        let persons = persons.gather(&rows);
        if let Err(reason) = counted(persons.n()) {
            return Ok(Err(reason));
        }
        n_groups += n;
        let table = judged_table(&values, raw, &rows, persons)?;
        let members =
            scumble_table::rows_by_group(&rows.iter().map(|&row| groups[row as usize]).collect::<Vec<u32>>(), n);
        found.extend(failing(release, &table, &members.starts, &members.rows)?);
    }
    Ok(problems(found, || format!("counting each person once, {n_groups} groups meet every requirement")))
}

const UNKNOWN: &str = "nothing could be judged: some rows of the source could be in several groups";

fn sensitive(values: &[ShownColumn]) -> Vec<&ShownColumn> {
    values.iter().filter(|values| values.column.role() == Role::Sensitive).collect()
}

/// The sensitive values of the published rows, in the terms of the release, with whose they are.
fn judged_table(values: &[&ShownColumn], raw: &RawTable, rows: &[u32], persons: Persons) -> Result<Table> {
    let schema = Schema::new(values.iter().map(|column| column.attribute()).collect())?;
    let columns = values.iter().map(|column| {
        let (dictionary, codes) = super::text_column(raw, column.column.name())?;
        let map = scumble_release::value_map(&column.domain, dictionary);
        Ok(rows.iter().map(|&row| map[codes.get(row as usize) as usize]).collect::<Codes>())
    });
    let columns = columns.collect::<Result<Vec<Codes>>>()?;
    Table::new(schema, columns, rows.len())?.with_persons(Arc::new(persons))
}

/// What fails when people are counted. Distances are not judged so: their values are taken together elsewhere.
fn failing(release: &ReleaseReader, table: &Table, starts: &[u32], rows: &[u32]) -> Result<Vec<String>> {
    let names: Vec<&str> = table.schema().attributes().iter().map(|attribute| attribute.name.as_str()).collect();
    let mut found = Vec::new();
    for text in &release.manifest().requirements {
        let Ok(requirement) = text.parse::<Requirement>() else { continue };
        if needs_distance(&requirement) || requirement.column.is_some() && requirement.named_in(&names).is_none() {
            continue;
        }
        let bound = BoundRequirements::bind(&[requirement], table.schema(), |column| table.column_bag(column))?;
        let bound = bound.with_people(table, None)?;
        // Where everybody has one row, rows were judged already.
        let Some(people) = bound.by_person() else { continue };
        let fails = |memory: &mut PersonMemory, at: usize| {
            let members = &rows[starts[at] as usize..starts[at + 1] as usize];
            u64::from(!people.holds(members.iter().copied(), memory))
        };
        let n = starts.len() - 1;
        let failing: u64 = (0..n).into_par_iter().map_init(PersonMemory::default, fails).sum();
        if failing > 0 {
            found.push(format!("counting each person once, {failing} of {n} groups fail `{text}`"));
        }
    }
    Ok(found)
}

/// The group of each source row by its box and its values; nothing where that is not certain for all.
fn of_boxes(boxed: &Boxed, located: &Located, raw: &RawTable) -> Result<Option<Vec<u32>>> {
    let published: Vec<u32> =
        (0..boxed.row_group.len() as u32).filter(|&row| boxed.row_group[row as usize] != SUPPRESSED).collect();
    let classes = match boxed.values.is_empty() {
        true => Classes { ours: vec![0; published.len()], theirs: vec![0; raw.n_rows], n: 1 },
        false => Classes::new(&column_pairs(&boxed.values, raw)?, &published, raw.n_rows),
    };
    let groups = published.iter().map(|&row| boxed.row_group[row as usize]);
    let candidates = |row: usize| located.buckets(located.point[row]).to_vec();
    Ok(certain(groups, &classes, &boxed.sizes, candidates))
}

/// The same by exact values.
fn of_exact(exact: &Exact, grouping: &GroupedValues, raw: &RawTable) -> Result<Option<Vec<u32>>> {
    let published: Vec<u32> =
        (0..grouping.row_group.len() as u32).filter(|&row| grouping.row_group[row as usize] != SUPPRESSED).collect();
    let who = Classes::new(&column_pairs(&exact.people, raw)?, &published, raw.n_rows);
    let mut groups_of: Vec<Vec<u32>> = vec![Vec::new(); who.n];
    for (&row, &class) in published.iter().zip(&who.ours) {
        let group = grouping.row_group[row as usize];
        if !groups_of[class as usize].contains(&group) {
            groups_of[class as usize].push(group);
        }
    }
    let counted: Vec<u32> = (0..grouping.sensitive.counts.len() as u32).collect();
    let what = Classes::new(&column_pairs(&grouping.sensitive.values, raw)?, &counted, raw.n_rows);
    let candidates = |row: usize| groups_of.get(who.theirs[row] as usize).cloned().unwrap_or_default();
    Ok(certain(grouping.sensitive.row_group.iter().copied(), &what, &grouping.sizes, candidates))
}

/// The only group that each source row can be in: one of its candidates that shows its values. `groups` are those of the rows of
/// `classes.ours`. Nothing where a row has several, or where groups do not get as many rows as they have.
fn certain(
    groups: impl Iterator<Item = u32>,
    classes: &Classes,
    sizes: &[u32],
    candidates: impl Fn(usize) -> Vec<u32> + Sync,
) -> Option<Vec<u32>> {
    let mut shown: Vec<(u32, u32)> = groups.zip(classes.ours.iter().copied()).collect();
    shown.par_sort_unstable();
    shown.dedup();
    let of_row = |(row, &class): (usize, &u32)| {
        if class == NONE {
            return Ok(SUPPRESSED);
        }
        let mut fitting = candidates(row).into_iter().filter(|&group| shown.binary_search(&(group, class)).is_ok());
        match (fitting.next(), fitting.next()) {
            (None, _) => Ok(SUPPRESSED),
            (Some(group), None) => Ok(group),
            _ => Err(()),
        }
    };
    let found: Vec<u32> = classes.theirs.par_iter().enumerate().map(of_row).collect::<Result<_, ()>>().ok()?;
    let mut counts = vec![0u32; sizes.len()];
    found.iter().for_each(|&group| {
        if let Some(count) = counts.get_mut(group as usize) {
            *count += 1;
        }
    });
    (counts == sizes).then_some(found)
}
