//! Two releases laid over each other: what they tell together about people who are in both.
//!
//! *Definition.* An attacker knows a person's quasi-identifiers, that the person is in both releases, and that the
//! sensitive value is the same in both. In one release the *candidate values* of the person are those of all rows that could
//! be the person's: of a generalized release the rows whose box covers the person; of an anatomy or permuted release all
//! values of the groups that have a row with the person's quasi-identifiers; of an angel release all values of the batches
//! that a covering row of every table has. In both releases they are the intersection of the two sets.
//!
//! *Exact.* For an attacker who knows this person and nobody else, a value is a candidate if and only if there is a pair
//! of assignments of values to rows, one consistent with each release, in which the person has it: the other rows may be
//! anybody's. Tests compare the sets with all such pairs on small tables.
//!
//! *Does not tell.* An attacker who also knows other people can rule out more, so that for them the true set may be smaller
//! than what is computed here, never larger. How likely the candidates are is not judged, nor that values may have changed
//! between the releases. Columns that only one of the releases has, and kept columns, are not used.
//!
//! *Cost.* Candidates are gathered person by person; the people around whom boxes lie are found as in every attack here.

use crate::attack::{Disclosure, Matching, PeopleIndex, PeopleTable, SensitiveColumn};
use rayon::prelude::*;
use scumble_io::RawTable;
use scumble_release::{ReleaseData, SUPPRESSED};
use scumble_table::{Code, Error, Monitor, NULL, Result, Role, rows_by_group};
use serde::Serialize;
use std::borrow::Cow;
use std::collections::HashMap;

/// What two releases tell together about one sensitive column.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Intersection {
    /// The sensitive column.
    pub column: String,
    /// People who were looked for in both.
    pub people: u64,
    /// People whom no row of one of the releases can be: their quasi-identifiers have changed.
    pub unplaced: u64,
    /// People who have no candidate in common: the value, or the quasi-identifiers, have changed.
    pub none: u64,
    /// People of whom one value is left.
    pub one: u64,
    /// People who are left with fewer values than either release leaves them.
    pub narrowed: u64,
    /// The fewest values that either release by itself leaves to anybody of them.
    pub least_alone: u64,
    /// People who are left with fewer values than that.
    pub below: u64,
    /// The fewest values that are left to somebody who has any.
    pub least: u64,
}

/// The candidate values of every row of `people` in both releases, counted: in the first, in the second, in both.
pub type CandidateCounts = Vec<(u32, u32, u32)>;

/// Lays two releases over each other, for every sensitive column that both have. `people` are the rows of people who are
/// in both, with their quasi-identifiers as texts; `person_of_row` says whose they are, numbered from 0. Of somebody with
/// several rows the one counts that leaves the fewest values.
///
/// # Errors
/// If a value is not of the type that a release states, or the work was cancelled.
pub fn intersect(
    first: &ReleaseData,
    second: &ReleaseData,
    people: &RawTable,
    person_of_row: &[u32],
    monitor: Monitor<'_>,
) -> Result<Vec<Intersection>> {
    let counts = candidate_counts(first, second, people, monitor)?;
    let n_persons = person_of_row.iter().max().map_or(0, |&last| last as usize + 1);
    let rows = rows_by_group(person_of_row, n_persons);
    let tell = |(column, counts): (String, CandidateCounts)| {
        let mut told = Intersection {
            column,
            people: n_persons as u64,
            unplaced: 0,
            none: 0,
            one: 0,
            narrowed: 0,
            least_alone: u64::MAX,
            below: 0,
            least: u64::MAX,
        };
        let mut left = Vec::with_capacity(n_persons);
        for bounds in rows.starts.windows(2) {
            let own = rows.rows[bounds[0] as usize..bounds[1] as usize].iter().map(|&row| counts[row as usize]);
            let placed = own.filter(|&(one, other, _)| one > 0 && other > 0);
            // No candidate in common is worse than many, but less is known for certain: another row comes first.
            let Some((one, other, both)) = placed.min_by_key(|&(.., both)| (both == 0, both)) else {
                told.unplaced += 1;
                continue;
            };
            told.least_alone = told.least_alone.min(u64::from(one.min(other)));
            match both {
                0 => told.none += 1,
                _ => {
                    told.one += u64::from(both == 1);
                    told.narrowed += u64::from(both < one.min(other));
                    told.least = told.least.min(u64::from(both));
                    left.push(u64::from(both));
                }
            }
        }
        told.below = left.iter().filter(|&&both| both < told.least_alone).count() as u64;
        for least in [&mut told.least_alone, &mut told.least] {
            *least = if *least == u64::MAX { 0 } else { *least };
        }
        told
    };
    Ok(counts.into_iter().map(tell).collect())
}

/// How many candidate values every row of `people` has, for every sensitive column that both releases have.
///
/// # Errors
/// As [`intersect`].
pub fn candidate_counts(
    first: &ReleaseData,
    second: &ReleaseData,
    people: &RawTable,
    monitor: Monitor<'_>,
) -> Result<Vec<(String, CandidateCounts)>> {
    let (one, other) = (Laid::new(first, people, monitor)?, Laid::new(second, people, monitor)?);
    let mut all = Vec::new();
    for column in one.columns() {
        let (Some(a), Some(b)) = (one.candidates(&column, monitor)?, other.candidates(&column, monitor)?) else {
            continue;
        };
        let to_first = a.codes_of(&b);
        let count = |row: usize| {
            let (mine, mut theirs) = (a.of_row(row), b.of_row(row));
            let n = theirs.len() as u32;
            theirs.iter_mut().for_each(|code| *code = to_first[*code as usize]);
            theirs.sort_unstable();
            (mine.len() as u32, n, common(&mine, &theirs))
        };
        monitor.check()?;
        let counted = (0..people.n_rows).into_par_iter().with_min_len(1 << 10).map(|row| {
            if row.is_multiple_of(1 << 10) {
                monitor.check()?;
            }
            Ok(count(row))
        });
        all.push((column, counted.collect::<Result<CandidateCounts>>()?));
    }
    Ok(all)
}

/// A release with the people who are looked for in it.
struct Laid {
    tables: Vec<(PeopleTable, PeopleIndex)>,
}

impl Laid {
    fn new(release: &ReleaseData, people: &RawTable, monitor: Monitor<'_>) -> Result<Laid> {
        let quasi = release.reader().columns().iter().filter(|column| column.role() == Role::Quasi);
        let known: Vec<String> =
            quasi.map(|column| column.name().to_string()).filter(|name| people.names.contains(name)).collect();
        let placed = |table: PeopleTable| {
            let index = PeopleIndex::new(&table, people, "source", monitor)?;
            Ok((table, index))
        };
        let tables = PeopleTable::from_release(release, &known, monitor)?;
        Ok(Laid { tables: tables.into_iter().map(placed).collect::<Result<_>>()? })
    }

    /// Names of the sensitive columns.
    fn columns(&self) -> Vec<String> {
        let first = self.tables.first();
        first.map_or(Vec::new(), |(table, _)| table.sensitive.iter().map(|column| column.name.clone()).collect())
    }

    /// The candidates of all people in a column; nothing where the release has no such column.
    fn candidates(&self, column: &str, monitor: Monitor<'_>) -> Result<Option<Candidates<'_>>> {
        let mut views = Vec::new();
        let mut shown = None;
        for (table, index) in &self.tables {
            let Some(sensitive) = table.sensitive.iter().find(|known| known.name == column) else { return Ok(None) };
            views.push(Units::around(table, index, sensitive, monitor)?);
            shown = shown.or(Some(sensitive));
        }
        Ok(shown.map(|column| Candidates { column, views }))
    }
}

/// The candidates of people in one column of a release.
struct Candidates<'a> {
    column: &'a SensitiveColumn,
    /// What each table of people tells.
    views: Vec<Units>,
}

impl Candidates<'_> {
    /// The values that somebody may have, as rising codes of the release.
    fn of_row(&self, row: usize) -> Vec<Code> {
        let Some((first, others)) = self.views.split_first() else { return Vec::new() };
        let mut units = first.of_row(row).to_vec();
        others.iter().for_each(|view| {
            let also = view.of_row(row);
            units.retain(|unit| also.binary_search(unit).is_ok());
        });
        match &self.column.disclosure {
            Disclosure::Value(_) => units,
            Disclosure::Group { groups, .. } => {
                let values = units.iter().flat_map(|&group| groups.values(group)).map(|pair| pair.0);
                let mut values: Vec<Code> = values.collect();
                values.sort_unstable();
                values.dedup();
                values
            }
        }
    }

    /// The code that each value of another release has here; one that no value has where it is not here.
    fn codes_of(&self, other: &Candidates<'_>) -> Vec<Code> {
        let (mine, theirs) = (&self.column.domain, &other.column.domain);
        let known: HashMap<Cow<'_, str>, Code> = mine.codes().map(|code| (mine.text(code), code)).collect();
        let code = |code: Code| known.get(&theirs.text(code)).copied().unwrap_or(SUPPRESSED);
        std::iter::once(NULL).chain(theirs.codes().map(code)).collect()
    }
}

/// For each person what the rows that could be theirs lead to: values, or groups of values.
struct Units {
    /// Number of the list of each person; one beyond all where no row can be theirs.
    list_of_row: Vec<u32>,
    /// Rising units of each list, end to end.
    starts: Vec<usize>,
    units: Vec<u32>,
}

impl Units {
    fn of_row(&self, row: usize) -> &[u32] {
        let list = self.list_of_row[row] as usize;
        match self.starts.get(list + 1) {
            Some(&end) => &self.units[self.starts[list]..end],
            None => &[],
        }
    }

    fn around(
        table: &PeopleTable,
        index: &PeopleIndex,
        column: &SensitiveColumn,
        monitor: Monitor<'_>,
    ) -> Result<Units> {
        let chosen: Vec<usize> = (0..table.columns.len()).collect();
        let matching = Matching { table, index, chosen: &chosen, monitor };
        let unit = |row: usize| match &column.disclosure {
            Disclosure::Value(codes) => codes.get(row),
            Disclosure::Group { of_row, .. } => of_row[row],
        };
        if matching.is_exact() {
            let (records, list_of_row) = matching.records_with_people()?;
            let (starts, units) = units_of_classes(&records.of_row, records.len(), unit);
            return Ok(Units { list_of_row, starts, units });
        }
        let cover = matching.cover()?;
        let (starts, units) = units_of_classes(&cover.boxes.of_row, cover.boxes.len(), unit);
        let gather = |room: &mut Vec<(u32, Vec<u32>)>, point: u32, boxes: &[u32]| {
            let lists = boxes.iter().map(|&a_box| &units[starts[a_box as usize]..starts[a_box as usize + 1]]);
            let mut all: Vec<u32> = lists.flatten().copied().collect();
            all.sort_unstable();
            all.dedup();
            room.push((point, all));
        };
        let mut points: Vec<(u32, Vec<u32>)> = cover.visit(Vec::new, gather, monitor)?.into_iter().flatten().collect();
        points.sort_unstable_by_key(|(point, _)| *point);
        if points.len() != cover.points.len() {
            return Err(Error::bug("some people were not looked for"));
        }
        let mut lists = Units { list_of_row: cover.points.of_row, starts: vec![0], units: Vec::new() };
        for (_, units) in points {
            lists.units.extend(units);
            lists.starts.push(lists.units.len());
        }
        Ok(lists)
    }
}

/// The different units of the rows of each class, rising, end to end.
fn units_of_classes(class_of_row: &[u32], n_classes: usize, unit: impl Fn(usize) -> u32) -> (Vec<usize>, Vec<u32>) {
    let mut pairs: Vec<(u32, u32)> = class_of_row.iter().enumerate().map(|(row, &class)| (class, unit(row))).collect();
    pairs.par_sort_unstable();
    pairs.dedup();
    let mut starts = vec![0; n_classes + 1];
    pairs.iter().for_each(|&(class, _)| starts[class as usize + 1] += 1);
    (1..starts.len()).for_each(|at| starts[at] += starts[at - 1]);
    (starts, pairs.into_iter().map(|pair| pair.1).collect())
}

/// How many values two rising lists have in common.
fn common(one: &[Code], other: &[Code]) -> u32 {
    let (mut at, mut n) = (0, 0);
    for value in one {
        while other.get(at).is_some_and(|known| known < value) {
            at += 1;
        }
        n += u32::from(other.get(at) == Some(value));
    }
    n
}
