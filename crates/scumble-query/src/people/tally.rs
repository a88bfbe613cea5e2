//! Who was chosen, and how many of each group they are.

use crate::value::Value;
use arrow_array::{Array, BooleanArray};
use rayon::prelude::*;
use scumble_release::{SUPPRESSED, SensitiveSet, ShownColumn};
use scumble_table::{Code, NULL};

/// Who was chosen.
pub(super) enum Chosen {
    /// Everybody, so many.
    All(usize),
    /// Those for whom the condition is true, batch by batch.
    Some(Vec<BooleanArray>),
}

impl Chosen {
    /// Calls with every row that was chosen.
    fn each(&self, mut call: impl FnMut(usize)) {
        match self {
            Chosen::All(n) => (0..*n).for_each(call),
            Chosen::Some(masks) => {
                let mut base = 0;
                for mask in masks {
                    let truth = mask.values();
                    match mask.nulls() {
                        None => truth.set_indices().for_each(|i| call(base + i)),
                        Some(known) => truth.set_indices().filter(|&i| known.is_valid(i)).for_each(|i| call(base + i)),
                    }
                    base += mask.len();
                }
            }
        }
    }
}

/// Hits per group for each combination of keys.
pub(super) struct Tally {
    pub(super) keys: Vec<Vec<Value>>,
    starts: Vec<usize>,
    hits: Vec<(u32, u32)>,
}

impl Tally {
    pub(super) fn of(set: &SensitiveSet, chosen: &Chosen, keys: &[&ShownColumn]) -> Tally {
        if keys.is_empty() {
            return Tally::whole(set, chosen);
        }
        let radix = |column: &ShownColumn| column.domain.n_codes() as u128;
        // Null, which has code 0, comes last.
        let digit = |column: &ShownColumn, row: usize| match column.codes.get(row) {
            NULL => radix(column) - 1,
            code => u128::from(code) - 1,
        };
        let mut found: Vec<(u128, u32)> = Vec::new();
        chosen.each(|row| {
            let group = set.row_group[row];
            if group != SUPPRESSED {
                found.push((keys.iter().fold(0, |key, column| key * radix(column) + digit(column, row)), group));
            }
        });
        found.par_sort_unstable();
        let mut tally = Tally { keys: Vec::new(), starts: vec![0], hits: Vec::new() };
        for alike in found.chunk_by(|a, b| a.0 == b.0) {
            let mut rest = alike[0].0;
            let mut values = Vec::with_capacity(keys.len());
            for column in keys.iter().rev() {
                let code = ((rest % radix(column)) as Code + 1) % radix(column) as Code;
                values.push(Value::of_code(&column.domain, code));
                rest /= radix(column);
            }
            values.reverse();
            tally.keys.push(values);
            tally.hits.extend(alike.chunk_by(|a, b| a.1 == b.1).map(|run| (run[0].1, run.len() as u32)));
            tally.starts.push(tally.hits.len());
        }
        tally
    }

    /// Without keys there is one row whatever was chosen.
    fn whole(set: &SensitiveSet, chosen: &Chosen) -> Tally {
        let mut counts = vec![0u32; set.n_groups];
        chosen.each(|row| {
            if let Some(count) = counts.get_mut(set.row_group[row] as usize) {
                *count += 1;
            }
        });
        let hits: Vec<(u32, u32)> = (0u32..).zip(counts).filter(|&(_, count)| count > 0).collect();
        Tally { keys: vec![Vec::new()], starts: vec![0, hits.len()], hits }
    }

    pub(super) fn hits(&self, key: usize) -> &[(u32, u32)] {
        &self.hits[self.starts[key]..self.starts[key + 1]]
    }
}
