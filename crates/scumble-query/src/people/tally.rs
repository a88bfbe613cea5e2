//! Who was chosen, and how many of each group they are.

use crate::value::Value;
use rayon::prelude::*;
use scumble_release::{PlacedValues, SUPPRESSED, ShownColumn};
use scumble_table::{Code, NULL, RowMask};
use std::ops::Range;

/// Who was chosen.
pub(super) enum ChosenRows {
    /// All of this number of rows.
    All(usize),
    /// Those for whom the condition is true.
    Some(RowMask),
}

/// Counts of all keys and groups that are kept in a table.
const SMALL_TABLE: u128 = 1 << 20;

impl ChosenRows {
    /// How many of the chosen rows have each place among `n`. Parts of the people are counted in parallel.
    fn counted(&self, n: usize, place: impl Fn(usize) -> Option<usize> + Sync) -> Vec<u32> {
        let count = |rows: Range<usize>| {
            let mut counts = vec![0u32; n];
            self.each(rows, |row| {
                if let Some(count) = place(row).and_then(|place| counts.get_mut(place)) {
                    *count += 1;
                }
            });
            counts
        };
        let add = |mut all: Vec<u32>, more: Vec<u32>| {
            all.iter_mut().zip(more).for_each(|(count, more)| *count += more);
            all
        };
        let parts = self.parts(rayon::current_num_threads()).into_par_iter().map(count);
        parts.reduce_with(add).unwrap_or_else(|| vec![0; n])
    }

    fn n_rows(&self) -> usize {
        match self {
            ChosenRows::All(n_rows) => *n_rows,
            ChosenRows::Some(mask) => mask.n_rows(),
        }
    }

    /// All rows in at most `n` runs, which begin with a word of the mask.
    fn parts(&self, n: usize) -> Vec<Range<usize>> {
        let n_rows = self.n_rows();
        let size = n_rows.div_ceil(n.max(1)).next_multiple_of(64).max(64);
        (0..n_rows).step_by(size).map(|start| start..n_rows.min(start + size)).collect()
    }

    /// Calls with every row of a run that was chosen.
    fn each(&self, rows: Range<usize>, mut call: impl FnMut(usize)) {
        match self {
            ChosenRows::All(_) => rows.for_each(call),
            ChosenRows::Some(mask) => {
                let words = &mask.words()[rows.start / 64..rows.end.div_ceil(64)];
                for (&word, base) in words.iter().zip((rows.start..).step_by(64)) {
                    let mut rest = word;
                    while rest != 0 {
                        call(base + rest.trailing_zeros() as usize);
                        rest &= rest - 1;
                    }
                }
            }
        }
    }
}

/// The people chosen for one combination of keys.
pub(super) struct KeyHits {
    pub(super) key: Vec<Value>,
    /// Groups, rising, and how many people of each are chosen.
    pub(super) hits: Vec<(u32, u32)>,
}

/// Hits per group for each combination of keys that occurs, in the order of the keys; without keys there is one entry
/// whatever was chosen.
pub(super) fn tally(set: &PlacedValues, chosen: &ChosenRows, keys: &[&ShownColumn]) -> Vec<KeyHits> {
    let occurring = |counts: &[u32]| (0u32..).zip(counts.iter().copied()).filter(|&(_, count)| count > 0).collect();
    if keys.is_empty() {
        let counts = chosen.counted(set.n_groups, |row| Some(set.row_group[row] as usize));
        return vec![KeyHits { key: Vec::new(), hits: occurring(&counts) }];
    }
    let radix = |column: &ShownColumn| column.domain.n_codes() as u128;
    // Null, which has code 0, comes last.
    let digit = |column: &ShownColumn, row: usize| match column.codes.get(row) {
        NULL => radix(column) - 1,
        code => u128::from(code) - 1,
    };
    let key_of = |row: usize| keys.iter().fold(0, |key, column| key * radix(column) + digit(column, row));
    let values_of = |mut rest: u128| {
        let mut values = Vec::with_capacity(keys.len());
        for column in keys.iter().rev() {
            let code = ((rest % radix(column)) as Code + 1) % radix(column) as Code;
            values.push(Value::from_code(&column.domain, code));
            rest /= radix(column);
        }
        values.reverse();
        values
    };
    let combinations: u128 = keys.iter().map(|column| radix(column)).product();
    // Few keys and groups are counted in a table; else people are sorted.
    if combinations.saturating_mul(set.n_groups as u128) <= SMALL_TABLE {
        let counts = chosen.counted(combinations as usize * set.n_groups, |row| match set.row_group[row] {
            SUPPRESSED => None,
            group => Some(key_of(row) as usize * set.n_groups + group as usize),
        });
        let each = (0u128..).zip(counts.chunks(set.n_groups.max(1)).map(occurring));
        let each = each.filter(|(_, hits): &(u128, Vec<_>)| !hits.is_empty());
        return each.map(|(key, hits)| KeyHits { key: values_of(key), hits }).collect();
    }
    let mut found: Vec<(u128, u32)> = Vec::new();
    chosen.each(0..chosen.n_rows(), |row| {
        let group = set.row_group[row];
        if group != SUPPRESSED {
            found.push((key_of(row), group));
        }
    });
    found.par_sort_unstable();
    let entry = |alike: &[(u128, u32)]| KeyHits {
        key: values_of(alike[0].0),
        hits: alike.chunk_by(|a, b| a.1 == b.1).map(|run| (run[0].1, run.len() as u32)).collect(),
    };
    found.chunk_by(|a, b| a.0 == b.0).map(entry).collect()
}
