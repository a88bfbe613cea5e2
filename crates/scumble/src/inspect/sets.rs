//! Small sets of columns: how many people each picks out alone.

use super::ColumnProfile;
use crate::job::ColumnRole;
use rayon::prelude::*;
use scumble_io::{RawColumn, RawTable};
use scumble_table::{Codes, Monitor, Result, Stage};
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
    /// Distinct combinations.
    pub classes: u64,
}

/// A column with the number of its codes.
type Coded<'a> = (&'a Codes, usize);

/// A set of candidates by their positions, with the rows that are alone in it and its distinct combinations.
type Counted = (Vec<usize>, u64, u64);

/// Looks at pairs and triples of the columns that could be quasi-identifying. Returns the most telling sets and the
/// number of sets examined.
pub(super) fn profile(
    raw: &RawTable,
    columns: &[ColumnProfile],
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
    let most = (BUDGET / raw.n_rows.max(1)).clamp(1, MOST_SETS);
    let pairs: Vec<Vec<usize>> = (0..n).flat_map(|i| (i + 1..n).map(move |j| vec![i, j])).take(most).collect();
    let n_triples = (n * n.saturating_sub(1) * n.saturating_sub(2) / 6).min(most - pairs.len());
    monitor.begin(Stage::Compare, Some(((pairs.len() + n_triples) * raw.n_rows) as u64))?;
    let mut found = count(&pairs, &candidates, raw.n_rows, monitor)?;
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
    found.extend(count(&triples, &candidates, raw.n_rows, monitor)?);
    let examined = found.len();
    sort_by_uniqueness(&mut found);
    let named = found.into_iter().take(SHOWN).map(|(set, unique_rows, classes)| SetProfile {
        columns: set.iter().map(|&i| names[i].to_string()).collect(),
        unique_rows,
        classes,
    });
    Ok((named.collect(), examined))
}

fn sort_by_uniqueness(found: &mut [Counted]) {
    found.sort_by(|a, b| b.1.cmp(&a.1).then(b.2.cmp(&a.2)).then_with(|| a.0.cmp(&b.0)));
}

fn count(sets: &[Vec<usize>], candidates: &[Coded<'_>], n_rows: usize, monitor: Monitor<'_>) -> Result<Vec<Counted>> {
    let one = |set: &Vec<usize>| {
        let chosen: Vec<Coded<'_>> = set.iter().map(|&i| candidates[i]).collect();
        let (unique, classes) = classes(&chosen, n_rows, monitor);
        (set.clone(), unique, classes)
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
