//! Levels of random contexts: nested, with common parents, and with rows enough.

use crate::correlation::nesting::refine;
use crate::correlation::{LevelCuts, Nested, Rule, Sizes, nest};
use proptest::prelude::*;
use scumble_table::Monitor;

fn rows(histogram: &[u64], first: u32, last: u32) -> u64 {
    histogram[first as usize..=last as usize].iter().sum()
}

/// First and last code of every interval.
fn intervals(cuts: &[u32], last: u32) -> Vec<(u32, u32)> {
    let starts = std::iter::once(1).chain(cuts.iter().map(|cut| cut + 1));
    starts.zip(cuts.iter().copied().chain([last])).collect()
}

fn check(nested: &Nested, whole: &[u64], contexts: &[Vec<u64>], sizes: Sizes) -> Result<(), TestCaseError> {
    let last = whole.len() as u32 - 1;
    let within = |coarse: &LevelCuts, fine: &LevelCuts| coarse.iter().all(|cut| fine.contains(cut));
    let shared = nested.common.first().cloned().unwrap_or_default();
    prop_assert_eq!(nested.contexts.len(), contexts.len());
    for (own, histogram) in nested.contexts.iter().zip(contexts) {
        prop_assert_eq!(own.len(), nested.contexts[0].len(), "as many levels in every context");
        let ladder: Vec<&LevelCuts> = own.iter().chain(&nested.common).collect();
        for pair in ladder.windows(2) {
            prop_assert!(within(pair[1], pair[0]), "{:?} is not within {:?}", pair[1], pair[0]);
        }
        for cuts in own {
            prop_assert!(cuts.windows(2).all(|pair| pair[0] < pair[1]) && within(&shared, cuts));
            let parents = intervals(&shared, last);
            for interval in intervals(cuts, last) {
                let held = rows(histogram, interval.0, interval.1);
                prop_assert!(held >= sizes.least || parents.contains(&interval), "{interval:?} holds {held}");
            }
        }
    }
    let n: u64 = whole.iter().sum();
    for cuts in &nested.common {
        prop_assert!(!cuts.is_empty());
        for interval in intervals(cuts, last) {
            let held = rows(whole, interval.0, interval.1);
            prop_assert!(
                held * (10 * sizes.groups + 6) >= 10 * n && held >= sizes.least,
                "{interval:?} holds {held} of {n}"
            );
        }
        prop_assert!(cuts.len() < sizes.groups as usize, "no more intervals than asked for");
    }
    // No level is told twice.
    for pair in nested.common.windows(2) {
        prop_assert!(pair[0] != pair[1]);
    }
    for level in 1..nested.contexts[0].len() {
        prop_assert!(nested.contexts.iter().any(|own| own[level] != own[level - 1]));
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn levels_are_nested_and_have_rows_enough(
        contexts in proptest::collection::vec(proptest::collection::vec(0u64..6, 1..25), 1..4),
        least in 1u64..20,
        groups in 1u64..7,
    ) {
        // All contexts share one domain; its last value may occur in none.
        let longest = contexts.iter().map(Vec::len).max().unwrap();
        let contexts: Vec<Vec<u64>> = contexts
            .into_iter()
            .map(|mut rows| { rows.insert(0, 0); rows.resize(longest + 1, 0); rows })
            .collect();
        let whole: Vec<u64> = (0..=longest).map(|code| contexts.iter().map(|context| context[code]).sum()).collect();
        let sizes = Sizes { least, groups };
        check(&nest(&whole, &contexts, sizes, Monitor::silent()), &whole, &contexts, sizes)?;
    }
}

#[test]
fn values_that_do_not_occur_belong_to_the_interval_above() {
    // Codes 1 and 4 have rows; 2 and 3 none.
    assert_eq!(refine(&[0, 5, 0, 0, 5], &[], None, 5, Rule::Optimal, Monitor::silent()), [1]);
    assert_eq!(refine(&[0, 5, 0, 0, 5], &[2], None, 5, Rule::Optimal, Monitor::silent()), [2]);
    assert_eq!(refine(&[0, 5, 0, 0, 5], &[], Some(&[1, 2, 3]), 5, Rule::Optimal, Monitor::silent()), [1]);
    assert_eq!(refine(&[0], &[], None, 5, Rule::Optimal, Monitor::silent()), [0u32; 0]);
}

#[test]
fn a_parent_that_cannot_hold_enough_stays_whole() {
    let whole = [0, 10, 10, 10, 10, 10, 10];
    let few = vec![0, 10, 10, 10, 1, 1, 1];
    let rest: Vec<u64> = whole.iter().zip(&few).map(|(all, few)| all - few).collect();
    let nested = nest(&whole, &[few, rest], Sizes { least: 9, groups: 2 }, Monitor::silent());
    assert_eq!(nested.common, [vec![3]]);
    assert_eq!(nested.contexts[0][0], [1, 2, 3]);
    assert_eq!(nested.contexts[1][0], [3, 4, 5]);
}
