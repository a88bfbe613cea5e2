//! Every multiset over 0..=6 with least value 0 and at most seven rows, k <= 4, e <= 4: the same 29,490
//! feasible cases that the programs were first checked on; and random tables of nine rows.

use super::{both, pairs, passes, range, runs};
use crate::ke_permutation::min_max_overlap::{MOST_STATES, Optimum};
use crate::ke_permutation::{expected_width, max_groups, min_max, min_max_overlap, min_sum};
use proptest::prelude::*;
use scumble_table::Monitor;

const KS: usize = 5;
const ES: usize = 5;

/// A number that all of 2..=10 divide, so that widths of groups of up to nine rows are whole.
const UNIT: u64 = 2520;

/// The best of some partitions for every k and e: sum of ranges, greatest range, groups, width.
#[derive(Clone, Copy)]
struct Best {
    sum: u64,
    max: u64,
    groups: u64,
    width: u64,
}

const NOTHING: Best = Best { sum: u64::MAX, max: u64::MAX, groups: 0, width: u64::MAX };

type Table = [[Best; ES]; KS];

fn note(table: &mut Table, partition: &[Vec<u64>]) {
    let distinct = |group: &Vec<u64>| (1..group.len()).filter(|&i| group[i] != group[i - 1]).count() + 1;
    let k = partition.iter().map(distinct).min().unwrap_or(0).min(KS - 1);
    let e = (partition.iter().map(|group| range(group)).min().unwrap_or(0) as usize).min(ES - 1);
    let ranges = || partition.iter().map(|group| range(group));
    let (sum, max, groups) = (ranges().sum(), ranges().max().unwrap(), partition.len() as u64);
    let width = partition.iter().map(|group| pairs(group) * UNIT / (group.len() as u64 + 1)).sum();
    for row in &mut table[..=k] {
        for best in &mut row[..=e] {
            best.sum = best.sum.min(sum);
            best.max = best.max.min(max);
            best.groups = best.groups.max(groups);
            best.width = best.width.min(width);
        }
    }
}

/// Tries every set partition of the sorted numbers from `at` on.
fn all(sorted: &[u64], at: usize, partition: &mut Vec<Vec<u64>>, table: &mut Table) {
    if at == sorted.len() {
        return note(table, partition);
    }
    for i in 0..partition.len() {
        partition[i].push(sorted[at]);
        all(sorted, at + 1, partition, table);
        partition[i].pop();
    }
    partition.push(vec![sorted[at]]);
    all(sorted, at + 1, partition, table);
    partition.pop();
}

fn every(sorted: &[u64]) -> (Table, Table) {
    let (mut general, mut contiguous) = ([[NOTHING; ES]; KS], [[NOTHING; ES]; KS]);
    all(sorted, 0, &mut Vec::new(), &mut general);
    for mask in 0u32..1 << (sorted.len() - 1) {
        let mut partition = vec![vec![sorted[0]]];
        for (i, &value) in sorted.iter().enumerate().skip(1) {
            if mask >> (i - 1) & 1 == 1 {
                partition.push(Vec::new());
            }
            partition.last_mut().unwrap().push(value);
        }
        note(&mut contiguous, &partition);
    }
    (general, contiguous)
}

/// Compares all rules on one table; returns how many k and e were feasible.
fn compare(sorted: &[u64]) -> usize {
    let (general, contiguous) = every(sorted);
    let mut feasible = 0;
    for k in 1..KS as u64 {
        for e in 0..ES as u64 {
            let (general, contiguous) = (general[k as usize][e as usize], contiguous[k as usize][e as usize]);
            let is_feasible = passes(sorted, k, e);
            assert_eq!(is_feasible, general.groups > 0);
            feasible += usize::from(is_feasible);
            if !is_feasible || (k, e) == (1, 0) {
                continue;
            }
            let (line, cuts) = both::<u64>(sorted, k, e);
            let context = || format!("{sorted:?} ({k}, {e})");
            let check = |starts: &[u32]| {
                let groups: Vec<Vec<u64>> = runs(sorted, starts).iter().map(|run| run.to_vec()).collect();
                assert!(groups.iter().all(|group| passes(group, k, e)), "{}: {groups:?}", context());
                groups
            };
            let (sum, starts) = min_sum::groups(&line, &cuts).unwrap();
            assert_eq!(sum, general.sum, "{}", context());
            assert_eq!(check(&starts).iter().map(|group| range(group)).sum::<u64>(), sum);
            let (max, starts) = min_max::groups(&line, &cuts).unwrap();
            assert_eq!(max, contiguous.max, "{}", context());
            assert_eq!(check(&starts).iter().map(|group| range(group)).max(), Some(max));
            let starts = max_groups::groups(&cuts).unwrap();
            assert_eq!(check(&starts).len() as u64, contiguous.groups, "{}", context());
            let (max, found) = min_max_overlap::groups(&line, &cuts, k, e, MOST_STATES, Monitor::silent()).unwrap();
            assert_eq!(max, general.max, "{}", context());
            let groups = match found {
                Optimum::Contiguous(starts) => check(&starts),
                Optimum::Overlapping(groups) => listed(sorted, &groups),
            };
            assert!(groups.iter().all(|group| passes(group, k, e)), "{}: {groups:?}", context());
            assert_eq!(groups.iter().map(|group| range(group)).max(), Some(max));
            let (width, starts) = expected_width::groups(line, cuts, Monitor::silent()).unwrap();
            let exact: u64 = check(&starts).iter().map(|group| pairs(group) * UNIT / (group.len() as u64 + 1)).sum();
            assert_eq!(exact, contiguous.width, "{}", context());
            assert!((width - exact as f64 / UNIT as f64).abs() < 1e-6);
        }
    }
    feasible
}

/// Numbers of groups that are given by their places, each of which must occur once.
fn listed(sorted: &[u64], groups: &[Vec<u32>]) -> Vec<Vec<u64>> {
    let mut places = groups.concat();
    places.sort_unstable();
    assert_eq!(places, (0..sorted.len() as u32).collect::<Vec<_>>());
    groups.iter().map(|group| group.iter().map(|&place| sorted[place as usize]).collect()).collect()
}

#[test]
fn all_small_multisets() {
    fn extend(sorted: &mut Vec<u64>, feasible: &mut usize) {
        *feasible += compare(sorted);
        if sorted.len() < 7 {
            for value in *sorted.last().unwrap()..=6 {
                sorted.push(value);
                extend(sorted, feasible);
                sorted.pop();
            }
        }
    }
    let mut feasible = 0;
    extend(&mut vec![0], &mut feasible);
    assert_eq!(feasible, 29_490);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn random_tables_of_nine_rows(mut values in prop::collection::vec(0u64..14, 8..=9)) {
        values.sort_unstable();
        compare(&values);
    }
}

#[test]
fn paper5_overlap_is_better() {
    let sorted = [1, 2, 3, 5, 5, 6, 6, 8];
    let (line, cuts) = both::<u64>(&sorted, 4, 5);
    let (max, found) = min_max_overlap::groups(&line, &cuts, 4, 5, MOST_STATES, Monitor::silent()).unwrap();
    let Optimum::Overlapping(groups) = found else { panic!("contiguous groups cannot do it") };
    let mut groups = listed(&sorted, &groups);
    groups.iter_mut().for_each(|group| group.sort_unstable());
    assert_eq!((max, groups), (5, vec![vec![1, 2, 5, 6], vec![3, 5, 6, 8]]));
    assert_eq!(min_max::groups(&line, &cuts).unwrap(), (7, vec![0, 8]));
    assert_eq!(min_sum::groups(&line, &cuts).unwrap(), (7, vec![0, 8]));
    assert_eq!(max_groups::groups(&cuts).unwrap(), [0, 8]);
    let states = min_max_overlap::groups(&line, &cuts, 4, 5, 3, Monitor::silent()).err().unwrap();
    assert!(matches!(states, min_max_overlap::Failure::TooMany(n) if n > 3));
}

#[test]
fn heavy_ties_and_the_printed_algorithm_2() {
    let (_, cuts) = both::<u64>(&[1, 1, 1, 2, 2, 2], 2, 1);
    assert_eq!(max_groups::groups(&cuts).unwrap(), [0, 6]);
    // Algorithm 2 as printed says 1.
    let (line, cuts) = both::<u64>(&[1, 2, 2, 9, 9], 2, 1);
    assert_eq!(min_max::groups(&line, &cuts).unwrap().0, 7);
}
