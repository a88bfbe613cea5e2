//! Runs of sorted rows that need enough people, against every way to cut the line.

use super::super::people::People;
use super::super::solve::{Shape, solve_numbers};
use super::super::{Objective, Rule};
use proptest::prelude::*;
use scumble_table::Monitor;
use std::collections::BTreeSet;

/// Different numbers, span and different people of a run.
fn passes(rows: &[(i64, u32)], k: usize, e: i64, least: usize) -> bool {
    let numbers: BTreeSet<i64> = rows.iter().map(|row| row.0).collect();
    let people: BTreeSet<u32> = rows.iter().map(|row| row.1).collect();
    let span = numbers.last().zip(numbers.first()).map_or(0, |(last, first)| last - first);
    numbers.len() >= k && span >= e && people.len() >= least
}

/// The mean width of the bounds of a sum over some rows of a run.
fn width(rows: &[(i64, u32)]) -> f64 {
    let pairs: i64 = rows.iter().enumerate().map(|(i, a)| rows[i + 1..].iter().map(|b| b.0 - a.0).sum::<i64>()).sum();
    pairs as f64 / (rows.len() as f64 + 1.0)
}

fn range(rows: &[(i64, u32)]) -> i64 {
    rows[rows.len() - 1].0 - rows[0].0
}

/// All ways to cut the line into runs that pass.
fn every_way(rows: &[(i64, u32)], k: usize, e: i64, least: usize) -> Vec<Vec<&[(i64, u32)]>> {
    let n = rows.len();
    let cut = |ways: u32| {
        let ends = (1..n).filter(|end| ways >> (end - 1) & 1 == 1).chain([n]);
        let mut start = 0;
        ends.map(|end| &rows[std::mem::replace(&mut start, end)..end]).collect::<Vec<_>>()
    };
    let all = (0..1u32 << (n - 1)).map(cut);
    all.filter(|groups| groups.iter().all(|group| passes(group, k, e, least))).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { max_global_rejects: 100_000, ..ProptestConfig::with_cases(2500) })]

    #[test]
    fn the_best_runs_are_found(
        rows in prop::collection::vec((0i64..9, 0u32..5), 1..11), k in 1usize..4, e in 0i64..5, least in 1usize..5,
    ) {
        let mut rows = rows;
        rows.sort_by_key(|row| row.0);
        let ways = every_way(&rows, k, e, least);
        prop_assume!(!ways.is_empty());
        let people = People { of: rows.iter().map(|row| row.1).collect(), n: 5, least: least as u64 };
        for rule in [Rule::ExpectedWidth, Rule::MinSum, Rule::MinMax, Rule::MaxGroups, Rule::MinMaxOverlap] {
            let number = |at: usize| i128::from(rows[at].0);
            let among = Some((people.of.as_slice(), &people));
            let found =
                solve_numbers(rule, rows.len(), number, 0, k as u64, e as u128, among, Monitor::silent()).unwrap();
            let Shape::Contiguous(starts) = found.shape else { panic!("runs are wanted") };
            let groups: Vec<&[(i64, u32)]> =
                starts.windows(2).map(|pair| &rows[pair[0] as usize..pair[1] as usize]).collect();
            prop_assert!(groups.iter().all(|group| passes(group, k, e, least)), "{rule} {rows:?} {starts:?}");
            let sum = |groups: &[&[(i64, u32)]]| groups.iter().map(|group| range(group)).sum::<i64>();
            let most = |groups: &[&[(i64, u32)]]| groups.iter().map(|group| range(group)).max().unwrap();
            let wide = |groups: &[&[(i64, u32)]]| groups.iter().map(|group| width(group)).sum::<f64>();
            match rule {
                Rule::ExpectedWidth => {
                    let least = ways.iter().map(|way| wide(way)).fold(f64::INFINITY, f64::min);
                    prop_assert!((wide(&groups) - least).abs() < 1e-6, "{rows:?} {starts:?}");
                }
                Rule::MinSum => prop_assert_eq!(sum(&groups), ways.iter().map(|way| sum(way)).min().unwrap()),
                Rule::MaxGroups => prop_assert_eq!(groups.len(), ways.iter().map(Vec::len).max().unwrap()),
                _ => prop_assert_eq!(most(&groups), ways.iter().map(|way| most(way)).min().unwrap()),
            }
            if let Objective::Groups(n) = found.objective {
                prop_assert_eq!(n as usize, groups.len());
            }
        }
    }

    /// Where nobody has two rows and one person is enough, the three cuts of each number lose nothing.
    #[test]
    fn all_cuts_are_as_good_as_three(rows in prop::collection::vec(0i64..6, 1..40), k in 1u64..4, e in 0u128..4) {
        let mut numbers = rows;
        numbers.sort_unstable();
        prop_assume!(k > 1 || e > 0);
        let ends = (numbers[0], numbers[numbers.len() - 1]);
        let distinct = numbers.iter().collect::<BTreeSet<_>>().len() as u64;
        prop_assume!(distinct >= k && (ends.1 - ends.0) as u128 >= e);
        let people = People { of: (0..numbers.len() as u32).collect(), n: numbers.len(), least: 1 };
        for rule in [Rule::ExpectedWidth, Rule::MinSum, Rule::MinMax, Rule::MaxGroups] {
            let number = |at: usize| i128::from(numbers[at]);
            let solved = |among| {
                solve_numbers(rule, numbers.len(), number, 0, k, e, among, Monitor::silent()).unwrap().objective
            };
            match (solved(None), solved(Some((people.of.as_slice(), &people)))) {
                (Objective::ExpectedWidth(a), Objective::ExpectedWidth(b)) => prop_assert!((a - b).abs() < 1e-6),
                (a, b) => prop_assert_eq!(a, b),
            }
        }
    }
}
