//! Small sets of columns: how many people each picks out alone.

use super::ColumnProfile;
use super::unfit::coded;
use crate::job::ColumnRole;
use rayon::prelude::*;
use scumble_io::{RawColumn, RawTable};
use scumble_table::{Codes, Monitor, NULL, Persons, Result, RowClasses, Stage};
use serde::Serialize;
use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

/// Rows visited in all before the search of larger sets is narrowed: some seconds of work.
const BUDGET: usize = 2_000_000_000;

/// Sets looked at, whatever the rows: more would fill the memory where a small table has a thousand columns.
const MOST_SETS: usize = 1_000_000;

/// Sets shown, the most telling first.
const SHOWN: usize = 12;

/// Rows that are counted between two looks at a cancellation.
const BLOCK: usize = 1 << 16;

/// A set of columns and how far it singles people out.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SetProfile {
    /// The columns.
    pub columns: Vec<String>,
    /// Rows whose combination of values occurs once.
    pub unique_rows: u64,
    /// People who have a combination of values that nobody else has, where it is known whose rows are whose and somebody has
    /// several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unique_people: Option<u64>,
    /// Distinct combinations.
    pub classes: u64,
}

/// A column with the number of its codes.
type Coded<'a> = (&'a Codes, usize);

/// A set of candidates by their positions, with the rows that are alone in it, the people where these are counted, and its
/// distinct combinations.
type Counted = (Vec<usize>, u64, Option<u64>, u64);

/// Looks at pairs and triples of the columns that could be quasi-identifying. Returns the most telling sets and the
/// number of sets examined. Where people have several rows, those are most telling that most people are alone in.
pub(super) fn profile(
    raw: &RawTable,
    columns: &[ColumnProfile],
    persons: Option<&Persons>,
    monitor: Monitor<'_>,
) -> Result<(Vec<SetProfile>, usize)> {
    let is_quasi =
        |name: &str| columns.iter().any(|column| column.name == name && column.proposal == ColumnRole::Quasi);
    let (names, candidates): (Vec<&str>, Vec<Coded<'_>>) = raw
        .names
        .iter()
        .zip(&raw.columns)
        .filter(|(name, _)| is_quasi(name))
        .filter_map(|(name, column)| match column {
            RawColumn::Text { dictionary, codes } => Some((name.as_str(), (codes, dictionary.len() + 1))),
            RawColumn::Integer(_) | RawColumn::Skipped => None,
        })
        .unzip();
    let n = candidates.len();
    // To count people rows are visited two times more.
    let visits = if persons.is_some() { 3 * raw.n_rows } else { raw.n_rows };
    let most = (BUDGET / visits.max(1)).clamp(1, MOST_SETS);
    let pairs: Vec<Vec<usize>> = (0..n).flat_map(|i| (i + 1..n).map(move |j| vec![i, j])).take(most).collect();
    let n_triples = (n * n.saturating_sub(1) * n.saturating_sub(2) / 6).min(most - pairs.len());
    monitor.begin(Stage::Compare, Some(((pairs.len() + n_triples) * raw.n_rows) as u64))?;
    let mut found = count(&pairs, &candidates, raw.n_rows, persons, monitor)?;
    sort_by_uniqueness(&mut found);
    // Triples grow from the most telling pairs as far as the budget goes.
    let mut triples = BTreeSet::new();
    let grown = found.iter().flat_map(|(pair, ..)| (0..n).filter(|i| !pair.contains(i)).map(move |i| (pair, i)));
    for (pair, more) in grown {
        if triples.len() >= n_triples {
            break;
        }
        let mut set = vec![pair[0], pair[1], more];
        set.sort_unstable();
        triples.insert(set);
    }
    let triples: Vec<Vec<usize>> = triples.into_iter().collect();
    found.extend(count(&triples, &candidates, raw.n_rows, persons, monitor)?);
    let examined = found.len();
    sort_by_uniqueness(&mut found);
    let named = found.into_iter().take(SHOWN).map(|(set, unique_rows, unique_people, classes)| SetProfile {
        columns: set.iter().map(|&i| names[i].to_string()).collect(),
        unique_rows,
        unique_people,
        classes,
    });
    Ok((named.collect(), examined))
}

fn sort_by_uniqueness(found: &mut [Counted]) {
    let telling = |one: &Counted| (one.2.unwrap_or(one.1), one.1, one.3);
    found.sort_by(|a, b| telling(b).cmp(&telling(a)).then_with(|| a.0.cmp(&b.0)));
}

fn count(
    sets: &[Vec<usize>],
    candidates: &[Coded<'_>],
    n_rows: usize,
    persons: Option<&Persons>,
    monitor: Monitor<'_>,
) -> Result<Vec<Counted>> {
    let one = |set: &Vec<usize>| {
        let chosen: Vec<Coded<'_>> = set.iter().map(|&i| candidates[i]).collect();
        let (unique, classes) = classes(&chosen, n_rows, monitor);
        let people = persons.map(|persons| people_alone(&chosen, persons, monitor));
        (set.clone(), unique, people, classes)
    };
    let counted = sets.par_iter().map(one).collect();
    monitor.check()?;
    Ok(counted)
}

/// Rows that are alone with their tuple of codes, and the number of distinct tuples. Keys are numbers built from codes,
/// never joined texts.
fn classes(columns: &[Coded<'_>], n_rows: usize, monitor: Monitor<'_>) -> (u64, u64) {
    let space = columns.iter().try_fold(1usize, |product, (_, n)| product.checked_mul(*n));
    let key = |row: usize| columns.iter().fold(0u128, |key, (codes, n)| key * *n as u128 + u128::from(codes.get(row)));
    // Counters stop at two: more rows with the same tuple make no difference.
    match space {
        // A dense table while it is not much larger than the data.
        Some(space) if space <= 4 * n_rows.max(1 << 16) => {
            let mut counts = vec![0u8; space];
            in_blocks(n_rows, monitor, |row| {
                let count = &mut counts[key(row) as usize];
                *count = (*count + 1).min(2);
            });
            (counts.iter().filter(|&&n| n == 1).count() as u64, counts.iter().filter(|&&n| n > 0).count() as u64)
        }
        _ => {
            let mut counts: HashMap<u128, u8> = HashMap::new();
            in_blocks(n_rows, monitor, |row| {
                let count = counts.entry(key(row)).or_insert(0);
                *count = (*count + 1).min(2);
            });
            (counts.values().filter(|&&n| n == 1).count() as u64, counts.len() as u64)
        }
    }
}

/// Notes how many people have a value that nobody else has, column by column.
pub(super) fn count_alone(
    raw: &RawTable,
    columns: &mut [ColumnProfile],
    persons: &Persons,
    monitor: Monitor<'_>,
) -> Result<()> {
    columns.par_iter_mut().for_each(|column| {
        // A missing value tells nobody apart, as in the rows that are alone with a value.
        let alone = coded(raw, &column.name).map(|codes| people_alone(&[codes], persons, monitor));
        column.unique_people = match (alone, column.nulls) {
            (alone, 0) => alone,
            (_, _) => coded(raw, &column.name).map(|codes| people_alone_with_value(codes, persons)),
        };
    });
    monitor.check()
}

/// The person of a combination that several people have.
const SEVERAL: u32 = u32::MAX;

/// People who are alone with a value that is not missing.
fn people_alone_with_value((codes, n): Coded<'_>, persons: &Persons) -> u64 {
    let mut owner = vec![None; n];
    let rows = || persons.of_rows().iter().enumerate().filter(|(row, _)| codes.get(*row) != NULL);
    for (row, &person) in rows() {
        note(&mut owner[codes.get(row) as usize], person);
    }
    alone(persons.n(), rows().filter(|(row, _)| owner[codes.get(*row) as usize] != Some(SEVERAL)).map(|row| *row.1))
}

/// People who have a combination of codes, in one of their rows, that nobody else has. Their own other rows hide nobody.
fn people_alone(columns: &[Coded<'_>], persons: &Persons, monitor: Monitor<'_>) -> u64 {
    let n_rows = persons.of_rows().len();
    let mut classes = RowClasses::new(n_rows);
    for (codes, n) in columns {
        if monitor.is_cancelled() {
            return 0;
        }
        classes.push(*n, |row| codes.get(row));
    }
    let (class, n) = classes.finish();
    let mut owner = vec![None; n];
    class.iter().zip(persons.of_rows()).for_each(|(&class, &person)| note(&mut owner[class as usize], person));
    let own = class.iter().zip(persons.of_rows()).filter(|(class, _)| owner[**class as usize] != Some(SEVERAL));
    alone(persons.n(), own.map(|(_, &person)| person))
}

/// Notes who has a combination.
fn note(owner: &mut Option<u32>, person: u32) {
    *owner = match *owner {
        None => Some(person),
        Some(known) if known == person => Some(person),
        Some(_) => Some(SEVERAL),
    };
}

/// How many different people there are.
fn alone(n: usize, people: impl Iterator<Item = u32>) -> u64 {
    let mut met = vec![false; n];
    people.for_each(|person| met[person as usize] = true);
    met.iter().filter(|met| **met).count() as u64
}

/// Visits all rows, and stops early where the work was cancelled.
fn in_blocks(n_rows: usize, monitor: Monitor<'_>, mut visit: impl FnMut(usize)) {
    for start in (0..n_rows).step_by(BLOCK) {
        if monitor.is_cancelled() {
            return;
        }
        let rows: Range<usize> = start..(start + BLOCK).min(n_rows);
        monitor.advance(rows.len() as u64);
        rows.for_each(&mut visit);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_other_rows_hide_nobody() {
        // Persons 0, 0, 1, 1, 2, 2: the first is alone with 1, the second and the third share 2, the third is alone with 3.
        let key: Codes = [1u32, 1, 2, 2, 3, 3].into_iter().collect();
        let persons = Persons::from_keys(6, &[(&key, 4)]);
        let values: Codes = [1u32, 1, 2, 2, 2, 3].into_iter().collect();
        assert_eq!(people_alone(&[(&values, 4)], &persons, Monitor::silent()), 2);
        assert_eq!(classes(&[(&values, 4)], 6, Monitor::silent()).0, 1, "by rows only the last is alone");
        let missing: Codes = [0u32, 0, 2, 2, 2, 3].into_iter().collect();
        assert_eq!(people_alone_with_value((&missing, 4), &persons), 1);
    }

    #[test]
    fn dense_and_sparse_counting_agree() {
        let a: Codes = (0..500u32).map(|i| i % 7).collect();
        let b: Codes = (0..500u32).map(|i| i * i % 11).collect();
        let mut naive: std::collections::BTreeMap<(u32, u32), u32> = Default::default();
        for row in 0..500 {
            *naive.entry((a.get(row), b.get(row))).or_default() += 1;
        }
        let wanted = (naive.values().filter(|&&n| n == 1).count() as u64, naive.len() as u64);
        assert_eq!(classes(&[(&a, 7), (&b, 11)], 500, Monitor::silent()), wanted);
        // A pretended huge domain is counted the sparse way.
        assert_eq!(classes(&[(&a, 1 << 40), (&b, 1 << 40)], 500, Monitor::silent()), wanted);
    }
}
