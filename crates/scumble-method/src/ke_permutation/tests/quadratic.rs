//! Random tables of up to two hundred rows against the quadratic program of the paper, corrected, over all rows and all cuts; narrow numbers against wide ones.

use super::{both, pairs, passes, range, runs};
use crate::ke_permutation::min_max_overlap::{MOST_STATES, Optimum};
use crate::ke_permutation::{expected_width, max_groups, min_max, min_max_overlap, min_sum};
use proptest::prelude::*;
use scumble_table::Monitor;

/// The least of a sum or a maximum over contiguous groups of a cost per group.
fn program(sorted: &[u64], k: u64, e: u64, cost: impl Fn(&[u64]) -> f64, joint: impl Fn(f64, f64) -> f64) -> f64 {
    let mut least = vec![f64::INFINITY; sorted.len() + 1];
    least[0] = 0.0;
    for i in 1..=sorted.len() {
        for d in 0..i {
            if least[d] < f64::INFINITY && passes(&sorted[d..i], k, e) {
                least[i] = least[i].min(joint(least[d], cost(&sorted[d..i])));
            }
        }
    }
    least[sorted.len()]
}

fn width(group: &[u64]) -> f64 {
    pairs(group) as f64 / (group.len() as f64 + 1.0)
}

fn tables() -> impl Strategy<Value = Vec<u64>> {
    let table = (1u64..120, 1usize..90).prop_flat_map(|(greatest, n)| {
        let value = prop_oneof![3 => 0..=greatest, 1 => Just(greatest / 2), 1 => (0..=greatest).prop_map(|v| v * v)];
        prop::collection::vec(value, n)
    });
    table.prop_map(|mut values| {
        values.sort_unstable();
        values
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn optima_are_those_of_the_program(sorted in tables(), k in 1u64..8, e in 0u64..60) {
        prop_assume!(passes(&sorted, k, e) && (k > 1 || e > 0));
        let (line, cuts) = both::<u64>(&sorted, k, e);
        let of = |group: &[u64]| range(group) as f64;
        let (sum, _) = min_sum::groups(&line, &cuts).unwrap();
        prop_assert_eq!(sum as f64, program(&sorted, k, e, of, |a, b| a + b));
        let (max, _) = min_max::groups(&line, &cuts).unwrap();
        prop_assert_eq!(max as f64, program(&sorted, k, e, of, f64::max));
        let most = -program(&sorted, k, e, |_| -1.0, |a, b| a + b);
        prop_assert_eq!(max_groups::groups(&cuts).unwrap().len() as f64 - 1.0, most);
        // Exact where the type is wide, and the same where it is not.
        let (wide, wide_cuts) = both::<u128>(&sorted, k, e);
        prop_assert_eq!(min_sum::groups(&wide, &wide_cuts).unwrap().0, u128::from(sum));
        prop_assert_eq!(min_max::groups(&wide, &wide_cuts).unwrap().0, u128::from(max));
        let (least, found) = min_max_overlap::groups(&line, &cuts, k, e, MOST_STATES, Monitor::silent()).unwrap();
        prop_assert!(least <= max && max <= 2 * least, "Theorem 4: {} and {}", least, max);
        if let Optimum::Overlapping(groups) = found {
            let groups: Vec<Vec<u64>> =
                groups.iter().map(|group| group.iter().map(|&place| sorted[place as usize]).collect()).collect();
            prop_assert!(groups.iter().all(|group| passes(group, k, e)) && least < max);
            prop_assert_eq!(groups.iter().map(|group| range(group)).max(), Some(least));
        }
        let (found, starts) = expected_width::groups(line, cuts, Monitor::silent()).unwrap();
        let best = program(&sorted, k, e, width, |a, b| a + b);
        let own: f64 = runs(&sorted, &starts).into_iter().map(width).sum();
        prop_assert!((found - best).abs() < 1e-4 && (own - best).abs() < 1e-4, "{} {} {}", found, own, best);
        let (again, _) = expected_width::groups(wide, wide_cuts, Monitor::silent()).unwrap();
        prop_assert!((again - best).abs() < 1e-4);
    }

    #[test]
    fn long_numbers_take_wide_sums(sorted in tables(), k in 2u64..5) {
        prop_assume!(passes(&sorted, k, 0));
        // So long that 64 bits do not hold the sums of pairs.
        let long: Vec<u64> = sorted.iter().map(|&x| x << 48).collect();
        let (line, cuts) = both::<u64>(&sorted, k, 0);
        let (short, starts) = expected_width::groups(line, cuts, Monitor::silent()).unwrap();
        let (line, cuts) = both::<u64>(&long, k, 0);
        let (wide, same) = expected_width::groups(line, cuts, Monitor::silent()).unwrap();
        prop_assert!((wide / (1u64 << 48) as f64 - short).abs() < 1e-4);
        let of = |starts: &[u32]| runs(&sorted, starts).into_iter().map(width).sum::<f64>();
        prop_assert!((of(&starts) - of(&same)).abs() < 1e-4);
    }
}

/// Two hundred thousand rows of which a third have one number, a group that spans a tenth of the range: nothing
/// here may take time that grows with the rows of a number or with the span of a group.
#[test]
fn wide_groups_and_heavy_ties_take_no_time() {
    let mut sorted: Vec<u64> =
        (0..200_000u64).map(|i| if i % 3 == 0 { 500_000 } else { i.wrapping_mul(2_654_435_761) % 1_000_000 }).collect();
    sorted.sort_unstable();
    let start = std::time::Instant::now();
    let (line, cuts) = both::<u64>(&sorted, 5, 100_000);
    assert!(min_max::groups(&line, &cuts).is_some());
    let (width, starts) = expected_width::groups(line, cuts, Monitor::silent()).unwrap();
    assert!(width > 0.0 && starts.len() > 5);
    assert!(runs(&sorted, &starts).iter().all(|group| passes(group, 5, 100_000)));
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
}
