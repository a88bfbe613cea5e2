//! Two releases laid over each other: what they tell together about people who are in both.
//!
//! *Definition.* An attacker knows a person's rows: how many they are, and the quasi-identifiers of each. They know that these
//! rows are in both releases, as far as there is room for them, and that the sensitive value is the same in all of them. In one
//! release the *candidate values* of the person are the values that all rows of the person may have together. For one row they
//! are those of all rows of the release that could be it: of a generalized release the rows whose box covers the person; of an
//! anatomy or permuted release all values of the groups that have a row with the person's quasi-identifiers; of an angel release
//! all values of the batches that a covering row of every table has. Of several rows with the same quasi-identifiers a value is a
//! candidate if as many rows of the release can be theirs and have it at the same time: of a group no more than have these
//! quasi-identifiers, and no more than the value is counted in it. Rows that differ in their quasi-identifiers are judged each by
//! itself, and a candidate is one of all. In both releases candidates are those of the one and of the other. Somebody whose rows
//! have different values has no value in common: each of their rows is judged as if it were all that is known, and the one
//! counts that leaves the fewest values.
//!
//! *Exact.* For an attacker who knows this person and nobody else, and if the person's rows have the same quasi-identifiers, a
//! value is a candidate if and only if there is a pair of assignments of values to rows, one consistent with each release, in
//! which all rows of the person have it: the other rows may be anybody's. Tests compare the sets with all such pairs on small
//! tables. Where the rows differ, two of them may need the same row of a release, which is not ruled out: the true set may be
//! smaller than what is computed here, never larger.
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
    /// Those of them of whom one of the releases alone leaves one value, to somebody who knows all their rows.
    pub one_alone: u64,
    /// People who are left with fewer values than either release leaves them.
    pub narrowed: u64,
    /// The fewest values that either release by itself leaves to anybody of them.
    pub least_alone: u64,
    /// People who are left with fewer values than that.
    pub below: u64,
    /// The fewest values that are left to somebody who has any.
    pub least: u64,
}

/// How many candidate values every person has in the first release, in the second, and in both; nothing for people whom no row
/// of one of the releases can be.
pub type CandidateCounts = Vec<Option<(u32, u32, u32)>>;

/// People who are in two releases.
#[derive(Clone, Copy)]
pub struct PeopleInBoth<'a> {
    /// Their rows, with their quasi-identifiers as texts.
    pub rows: &'a RawTable,
    /// Whose each row is, numbered from 0.
    pub person_of_row: &'a [u32],
    /// For sensitive columns whether each person has several values in them. Nobody has in columns that are not named.
    pub varying: &'a [(String, Vec<bool>)],
}

/// Lays two releases over each other, for every sensitive column that both have.
///
/// # Errors
/// If a value is not of the type that a release states, or the work was cancelled.
pub fn intersect(
    first: &ReleaseData,
    second: &ReleaseData,
    people: PeopleInBoth<'_>,
    monitor: Monitor<'_>,
) -> Result<Vec<Intersection>> {
    let counts = candidate_counts(first, second, people, monitor)?;
    let tell = |(column, counts): (String, CandidateCounts)| {
        let placed = || counts.iter().flatten();
        // Whose value is not the same in all rows of a release has no candidate there, and tells nothing about what it leaves.
        let alone = placed().map(|&(one, other, _)| one.min(other)).filter(|&n| n > 0);
        let least_alone = alone.min().unwrap_or(0);
        let left = || placed().filter(|(.., both)| *both > 0);
        let n = |found: usize| found as u64;
        Intersection {
            column,
            people: n(counts.len()),
            unplaced: n(counts.len() - placed().count()),
            none: n(placed().count() - left().count()),
            one: n(left().filter(|(.., both)| *both == 1).count()),
            one_alone: n(left().filter(|(one, other, _)| *one.min(other) == 1).count()),
            narrowed: n(left().filter(|(one, other, both)| both < one.min(other)).count()),
            least_alone: u64::from(least_alone),
            below: n(left().filter(|(.., both)| *both < least_alone).count()),
            least: left().map(|(.., both)| u64::from(*both)).min().unwrap_or(0),
        }
    };
    Ok(counts.into_iter().map(tell).collect())
}

/// How many candidate values every person has, for every sensitive column that both releases have.
///
/// # Errors
/// As [`intersect`].
pub fn candidate_counts(
    first: &ReleaseData,
    second: &ReleaseData,
    people: PeopleInBoth<'_>,
    monitor: Monitor<'_>,
) -> Result<Vec<(String, CandidateCounts)>> {
    let PeopleInBoth { rows: people, person_of_row, varying } = people;
    let n_persons = person_of_row.iter().max().map_or(0, |&last| last as usize + 1);
    let rows = rows_by_group(person_of_row, n_persons);
    let (one, other) = (PeopleInRelease::new(first, people, monitor)?, PeopleInRelease::new(second, people, monitor)?);
    let mut all = Vec::new();
    for column in one.columns() {
        let (Some(a), Some(b)) = (one.candidates(&column, monitor)?, other.candidates(&column, monitor)?) else {
            continue;
        };
        let to_first = a.codes_of(&b);
        let varies = varying.iter().find(|(name, _)| *name == column).map(|(_, varies)| varies.as_slice());
        let count_rows = |own: &[u32]| {
            let (mine, mut theirs) = (a.of_person(own)?, b.of_person(own)?);
            let n = theirs.len() as u32;
            theirs.iter_mut().for_each(|code| *code = to_first[*code as usize]);
            theirs.sort_unstable();
            Some((mine.len() as u32, n, common(&mine, &theirs).len() as u32))
        };
        let count = |person: usize| {
            let own = &rows.rows[rows.starts[person] as usize..rows.starts[person + 1] as usize];
            if !varies.is_some_and(|varies| varies[person]) {
                return count_rows(own);
            }
            // No candidate in common is worse than many, but less is known for certain: another row comes first.
            own.iter().filter_map(|&row| count_rows(&[row])).min_by_key(|&(.., both)| (both == 0, both))
        };
        monitor.check()?;
        let counted = (0..n_persons).into_par_iter().with_min_len(1 << 10).map(|person| {
            if person.is_multiple_of(1 << 10) {
                monitor.check()?;
            }
            Ok(count(person))
        });
        all.push((column, counted.collect::<Result<CandidateCounts>>()?));
    }
    Ok(all)
}

/// A release with the people who are looked for in it.
struct PeopleInRelease {
    tables: Vec<(PeopleTable, PeopleIndex)>,
}

impl PeopleInRelease {
    fn new(release: &ReleaseData, people: &RawTable, monitor: Monitor<'_>) -> Result<PeopleInRelease> {
        let quasi = release.reader().columns().iter().filter(|column| column.role() == Role::Quasi);
        let known: Vec<String> =
            quasi.map(|column| column.name().to_string()).filter(|name| people.names.contains(name)).collect();
        let placed = |table: PeopleTable| {
            let index = PeopleIndex::new(&table, people, "source", monitor)?;
            Ok((table, index))
        };
        let tables = PeopleTable::from_release(release, &known, monitor)?;
        Ok(PeopleInRelease { tables: tables.into_iter().map(placed).collect::<Result<_>>()? })
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
            views.push(CandidateUnits::around(table, index, sensitive, monitor)?);
            shown = shown.or(Some(sensitive));
        }
        Ok(shown.map(|column| Candidates { column, views }))
    }
}

/// The candidates of people in one column of a release.
struct Candidates<'a> {
    column: &'a SensitiveColumn,
    /// What each table of people tells.
    views: Vec<CandidateUnits>,
}

impl Candidates<'_> {
    /// The values that all rows of a person may have together, as rising codes of the release; nothing where none of them can be
    /// found. Rows that cannot be found are ignored.
    fn of_person(&self, rows: &[u32]) -> Option<Vec<Code>> {
        let lists = |row: u32| self.views.iter().map(move |view| view.list_of_row[row as usize]);
        let mut rows = rows.to_vec();
        rows.sort_unstable_by(|&one, &other| lists(one).cmp(lists(other)));
        let alike = rows.chunk_by(|&one, &other| lists(one).eq(lists(other)));
        let sets = alike.filter_map(|alike| self.of_rows(alike[0] as usize, alike.len() as u64));
        sets.reduce(|left, also| common(&left, &also))
    }

    /// The values that `n` rows with the quasi-identifiers of this one may have together; nothing where no row can be theirs.
    fn of_rows(&self, row: usize, n: u64) -> Option<Vec<Code>> {
        let (first, others) = self.views.split_first()?;
        let mut units = first.of_row(row).to_vec();
        // Every table has a row for each row of the person.
        others.iter().for_each(|view| {
            let also = view.of_row(row);
            let n_also = |unit: u32| also.binary_search_by_key(&unit, |pair| pair.0).map_or(0, |at| also[at].1);
            units.iter_mut().for_each(|(unit, n)| *n = (*n).min(n_also(*unit)));
            units.retain(|pair| pair.1 > 0);
        });
        let room: u64 = units.iter().map(|&(_, n)| u64::from(n)).sum();
        if room == 0 {
            return None;
        }
        // Where there is room for fewer, the others have changed or were suppressed.
        let wanted = n.min(room);
        let mut values = match &self.column.disclosure {
            Disclosure::Value(_) => units,
            Disclosure::Group { groups, .. } => {
                let held = |&(group, n): &(u32, u32)| groups.values(group).iter().map(move |&(v, of)| (v, of.min(n)));
                summed(units.iter().flat_map(held).collect())
            }
        };
        values.retain(|&(_, n)| u64::from(n) >= wanted);
        Some(values.into_iter().map(|pair| pair.0).collect())
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
struct CandidateUnits {
    /// Number of the list of each person; one beyond all where no row can be theirs.
    list_of_row: Vec<u32>,
    /// Rising units of each list, end to end, with the number of rows that lead there.
    starts: Vec<usize>,
    units: Vec<(u32, u32)>,
}

impl CandidateUnits {
    fn of_row(&self, row: usize) -> &[(u32, u32)] {
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
    ) -> Result<CandidateUnits> {
        let chosen: Vec<usize> = (0..table.columns.len()).collect();
        let matching = Matching { table, index, chosen: &chosen, monitor };
        let unit = |row: usize| match &column.disclosure {
            Disclosure::Value(codes) => codes.get(row),
            Disclosure::Group { of_row, .. } => of_row[row],
        };
        if matching.is_exact() {
            let (records, list_of_row) = matching.records_with_people()?;
            let (starts, units) = units_of_classes(&records.of_row, records.len(), unit);
            return Ok(CandidateUnits { list_of_row, starts, units });
        }
        let cover = matching.cover()?;
        let (starts, units) = units_of_classes(&cover.boxes.of_row, cover.boxes.len(), unit);
        let gather = |room: &mut Vec<(u32, Vec<(u32, u32)>)>, point: u32, boxes: &[u32]| {
            let lists = boxes.iter().map(|&a_box| &units[starts[a_box as usize]..starts[a_box as usize + 1]]);
            room.push((point, summed(lists.flatten().copied().collect())));
        };
        let mut points: Vec<(u32, Vec<(u32, u32)>)> =
            cover.visit(Vec::new, gather, monitor)?.into_iter().flatten().collect();
        points.sort_unstable_by_key(|(point, _)| *point);
        if points.len() != cover.points.len() {
            return Err(Error::bug("some people were not looked for"));
        }
        let mut lists = CandidateUnits { list_of_row: cover.points.of_row, starts: vec![0], units: Vec::new() };
        for (_, units) in points {
            lists.units.extend(units);
            lists.starts.push(lists.units.len());
        }
        Ok(lists)
    }
}

/// The different units of the rows of each class, rising, end to end, with the number of rows of each.
fn units_of_classes(
    class_of_row: &[u32],
    n_classes: usize,
    unit: impl Fn(usize) -> u32,
) -> (Vec<usize>, Vec<(u32, u32)>) {
    let mut pairs: Vec<(u32, u32)> = class_of_row.iter().enumerate().map(|(row, &class)| (class, unit(row))).collect();
    pairs.par_sort_unstable();
    let mut starts = vec![0; n_classes + 1];
    let mut units = Vec::new();
    for same in pairs.chunk_by(|one, other| one == other) {
        starts[same[0].0 as usize + 1] += 1;
        units.push((same[0].1, same.len() as u32));
    }
    (1..starts.len()).for_each(|at| starts[at] += starts[at - 1]);
    (starts, units)
}

/// Pairs by rising first numbers, each once, with the sum of the second ones.
fn summed(mut pairs: Vec<(u32, u32)>) -> Vec<(u32, u32)> {
    pairs.sort_unstable();
    let one = |same: &[(u32, u32)]| (same[0].0, same.iter().map(|pair| pair.1).sum());
    pairs.chunk_by(|one, other| one.0 == other.0).map(one).collect()
}

/// The values that two rising lists have in common.
fn common(one: &[Code], other: &[Code]) -> Vec<Code> {
    let mut at = 0;
    let mut found = Vec::new();
    for value in one {
        while other.get(at).is_some_and(|known| known < value) {
            at += 1;
        }
        found.extend((other.get(at) == Some(value)).then_some(*value));
    }
    found
}
