//! Optima against every partition of small tables, and against a quadratic program on larger ones.

mod every_partition;
mod people;
mod quadratic;

use super::number_line::{Cuts, NumberLine};
use super::unsigned::Unsigned;

/// Some sorted numbers as a line.
fn line<T: Unsigned>(sorted: &[u64]) -> NumberLine<T> {
    let least = sorted[0];
    let (mut values, mut starts) = (Vec::new(), Vec::new());
    for (at, &value) in sorted.iter().enumerate() {
        if at == 0 || sorted[at - 1] != value {
            values.push(T::from_wide(u128::from(value - least)));
            starts.push(at as u32);
        }
    }
    starts.push(sorted.len() as u32);
    NumberLine { values, starts }
}

fn both<T: Unsigned>(sorted: &[u64], k: u64, e: u64) -> (NumberLine<T>, Cuts) {
    let line = line::<T>(sorted);
    let cuts = line.cuts(k, T::from_wide(u128::from(e)));
    (line, cuts)
}

/// The definition, once more.
fn passes(group: &[u64], k: u64, e: u64) -> bool {
    let mut distinct = group.to_vec();
    distinct.sort_unstable();
    distinct.dedup();
    distinct.len() as u64 >= k && range(group) >= e
}

fn range(group: &[u64]) -> u64 {
    group.iter().max().unwrap() - group.iter().min().unwrap()
}

/// The sum over all pairs of their distance: the expected width times size + 1.
fn pairs(group: &[u64]) -> u64 {
    let of = |i: usize| group[i + 1..].iter().map(|&x| x.abs_diff(group[i])).sum::<u64>();
    (0..group.len()).map(of).sum()
}

/// Runs of sorted numbers that start at these places.
fn runs<'a>(sorted: &'a [u64], starts: &[u32]) -> Vec<&'a [u64]> {
    starts.windows(2).map(|pair| &sorted[pair[0] as usize..pair[1] as usize]).collect()
}
