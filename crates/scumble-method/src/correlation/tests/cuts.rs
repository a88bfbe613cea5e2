//! Cuts compared with every possible division.

use super::Dice;
use crate::correlation::{Rule, cuts, loss};
use proptest::prelude::*;
use scumble_table::Monitor;
use std::time::Instant;

/// The loss of a division.
fn total(rows: &[u64], cuts: &[usize]) -> f64 {
    intervals(rows, cuts).into_iter().map(loss).sum()
}

fn intervals(rows: &[u64], cuts: &[usize]) -> Vec<u64> {
    let mut first = 0;
    let ends = cuts.iter().map(|cut| cut + 1).chain([rows.len()]);
    ends.map(|end| rows[std::mem::replace(&mut first, end)..end].iter().sum()).collect()
}

/// The least loss of all divisions into intervals with enough rows, by looking at each; one interval if none passes.
fn least_of_all(rows: &[u64], least: u64) -> f64 {
    let mut best = f64::INFINITY;
    for mask in 0u32..1 << (rows.len() - 1) {
        let cuts: Vec<usize> = (0..rows.len() - 1).filter(|at| mask >> at & 1 == 1).collect();
        if intervals(rows, &cuts).into_iter().all(|n| n >= least) {
            best = best.min(total(rows, &cuts));
        }
    }
    if best.is_finite() { best } else { total(rows, &[]) }
}

/// All pairs of cuts, as the design has it: O(V^2).
fn quadratic(rows: &[u64], least: u64) -> f64 {
    let mut best = vec![f64::INFINITY; rows.len() + 1];
    best[0] = 0.0;
    for end in 1..=rows.len() {
        let mut held = 0;
        for start in (0..end).rev() {
            held += rows[start];
            if held >= least {
                best[end] = best[end].min(best[start] + loss(held));
            }
        }
    }
    if best[rows.len()].is_finite() { best[rows.len()] } else { total(rows, &[]) }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn no_division_loses_less(rows in proptest::collection::vec(0u64..9, 1..12), least in 1u64..20) {
        let found = cuts(&rows, least, Rule::Optimal, Monitor::silent());
        prop_assert!(found.windows(2).all(|pair| pair[0] < pair[1]) && found.last().is_none_or(|last| *last < rows.len() - 1));
        if !found.is_empty() {
            prop_assert!(intervals(&rows, &found).into_iter().all(|n| n >= least));
        }
        let (found, wanted) = (total(&rows, &found), least_of_all(&rows, least));
        prop_assert!((found - wanted).abs() <= 1e-9 * (1.0 + wanted), "{found} against {wanted}");
    }

    #[test]
    fn a_sweep_leaves_no_interval_short(rows in proptest::collection::vec(0u64..9, 1..30), least in 1u64..20) {
        let found = cuts(&rows, least, Rule::Sweep, Monitor::silent());
        if rows.iter().sum::<u64>() >= least {
            prop_assert!(intervals(&rows, &found).into_iter().all(|n| n >= least));
        } else {
            prop_assert!(found.is_empty());
        }
        // All but the last are as short as they can be.
        let mut first = 0;
        for cut in found {
            let without_the_last: u64 = rows[first..cut].iter().sum();
            prop_assert!(without_the_last < least);
            first = cut + 1;
        }
    }
}

#[test]
fn edges() {
    for rule in [Rule::Optimal, Rule::Sweep] {
        assert_eq!(cuts(&[], 1, rule, Monitor::silent()), [0usize; 0]);
        assert_eq!(cuts(&[5], 3, rule, Monitor::silent()), [0usize; 0]);
        assert_eq!(cuts(&[1, 1], 3, rule, Monitor::silent()), [0usize; 0], "too few for one interval");
        assert_eq!(cuts(&[3, 3], 3, rule, Monitor::silent()), [0]);
        assert_eq!(cuts(&[3, 3], 4, rule, Monitor::silent()), [0usize; 0]);
        assert_eq!(cuts(&[1, 1, 1, 1], 0, rule, Monitor::silent()), [0, 1, 2], "no rows wanted is one row");
    }
    // A sweep closes at 4 and leaves 6; the optimum is 5 and 5.
    assert_eq!(cuts(&[4, 1, 1, 1, 3], 4, Rule::Sweep, Monitor::silent()), [0]);
    assert_eq!(cuts(&[4, 1, 1, 1, 3], 4, Rule::Optimal, Monitor::silent()), [1]);
    assert_eq!(cuts(&[3, 1, 2], 3, Rule::Optimal, Monitor::silent()), [0]);
}

#[test]
fn many_values_are_as_good_as_all_pairs_and_quick() {
    let mut dice = Dice::new(7);
    for (n, least) in [(300, 40), (1_000, 100), (1_000, 3), (2_000, 500)] {
        let rows: Vec<u64> = (0..n).map(|_| dice.below(20)).collect();
        let (found, wanted) =
            (total(&rows, &cuts(&rows, least, Rule::Optimal, Monitor::silent())), quadratic(&rows, least));
        assert!((found - wanted).abs() <= 1e-9 * wanted, "{found} against {wanted}");
    }
    let rows: Vec<u64> = (0..1_000_000).map(|_| 1 + dice.below(20)).collect();
    let begin = Instant::now();
    let found = cuts(&rows, 1_000, Rule::Optimal, Monitor::silent());
    assert!(intervals(&rows, &found).into_iter().all(|n| n >= 1_000) && found.len() > 5_000);
    assert!(begin.elapsed().as_secs() < 30, "{:?} for a million values", begin.elapsed());
}
