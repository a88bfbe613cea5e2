//! Small sets of columns: how many people each picks out alone.

use super::{ColumnProfile, Proposal};
use rayon::prelude::*;
use scumble_io::{RawColumn, RawTable};
use scumble_table::Codes;
use serde::Serialize;
use std::collections::HashMap;

/// Rows visited in all before the search of larger sets is narrowed: some seconds of work.
const BUDGET: usize = 2_000_000_000;

/// Sets shown, the most telling first.
const SHOWN: usize = 12;

/// A set of columns and how far it singles people out.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SetProfile {
    /// The columns.
    pub columns: Vec<String>,
    /// Rows whose combination of values nobody else has.
    pub unique_rows: u64,
    /// Distinct combinations.
    pub classes: u64,
}

/// Looks at pairs and triples of the columns that could be quasi-identifying. Returns the most
/// telling sets and the number of sets examined.
pub(crate) fn profile(raw: &RawTable, columns: &[ColumnProfile]) -> (Vec<SetProfile>, usize) {
    let candidates: Vec<(&str, &Codes, usize)> = columns
        .iter()
        .filter(|column| column.proposal == Proposal::Quasi)
        .filter_map(|column| {
            let at = raw.names.iter().position(|name| *name == column.name)?;
            match &raw.columns[at] {
                RawColumn::Text { dictionary, codes } => Some((column.name.as_str(), codes, dictionary.len() + 1)),
                _ => None,
            }
        })
        .collect();
    let n = candidates.len();
    let mut pairs: Vec<Vec<usize>> = (0..n).flat_map(|i| (i + 1..n).map(move |j| vec![i, j])).collect();
    pairs.truncate((BUDGET / raw.n_rows.max(1)).max(1));
    let count = |sets: &[Vec<usize>]| -> Vec<(Vec<usize>, u64, u64)> {
        sets.par_iter()
            .map(|set| {
                let chosen: Vec<(&Codes, usize)> = set.iter().map(|&i| (candidates[i].1, candidates[i].2)).collect();
                let (unique, classes) = classes(&chosen, raw.n_rows);
                (set.clone(), unique, classes)
            })
            .collect()
    };
    let mut found = count(&pairs);
    let by_uniqueness =
        |a: &(Vec<usize>, u64, u64), b: &(Vec<usize>, u64, u64)| b.1.cmp(&a.1).then(b.2.cmp(&a.2)).then(a.0.cmp(&b.0));
    found.sort_by(by_uniqueness);
    // Triples grow from the most telling pairs as far as the budget goes.
    let mut triples: Vec<Vec<usize>> = found
        .iter()
        .flat_map(|(pair, ..)| {
            (0..n).filter(|i| !pair.contains(i)).map(|i| {
                let mut set = pair.clone();
                set.push(i);
                set.sort_unstable();
                set
            })
        })
        .collect();
    let mut seen = std::collections::BTreeSet::new();
    triples.retain(|set| seen.insert(set.clone()));
    triples.truncate((BUDGET / raw.n_rows.max(1)).saturating_sub(pairs.len()));
    found.extend(count(&triples));
    let examined = found.len();
    found.sort_by(by_uniqueness);
    found.truncate(SHOWN);
    let named = found
        .into_iter()
        .map(|(set, unique_rows, classes)| SetProfile {
            columns: set.iter().map(|&i| candidates[i].0.to_string()).collect(),
            unique_rows,
            classes,
        })
        .collect();
    (named, examined)
}

/// Rows that are alone with their tuple of codes, and the number of distinct tuples. Keys are
/// numbers built from codes, never joined texts.
fn classes(columns: &[(&Codes, usize)], n_rows: usize) -> (u64, u64) {
    let space = columns.iter().try_fold(1usize, |product, (_, n)| product.checked_mul(*n));
    let key = |row: usize| columns.iter().fold(0u128, |key, (codes, n)| key * *n as u128 + u128::from(codes.get(row)));
    match space {
        // A dense table of saturating counters while it is not much larger than the data.
        Some(space) if space <= 4 * n_rows.max(1 << 16) => {
            let mut counts = vec![0u8; space];
            for row in 0..n_rows {
                let count = &mut counts[key(row) as usize];
                *count = (*count).saturating_add(1).min(2);
            }
            (counts.iter().filter(|&&n| n == 1).count() as u64, counts.iter().filter(|&&n| n > 0).count() as u64)
        }
        _ => {
            let mut counts: HashMap<u128, u8> = HashMap::new();
            for row in 0..n_rows {
                let count = counts.entry(key(row)).or_insert(0);
                *count = (*count + 1).min(2);
            }
            (counts.values().filter(|&&n| n == 1).count() as u64, counts.len() as u64)
        }
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
        assert_eq!(classes(&[(&a, 7), (&b, 11)], 500), wanted);
        // A pretended huge domain takes the sparse way.
        assert_eq!(classes(&[(&a, 1 << 40), (&b, 1 << 40)], 500), wanted);
    }
}
