//! Pools of exact people.

use crate::worlds::{ALL, Worlds};
use proptest::prelude::*;
use scumble_answer::{Aggregate, Confidence, Pool};

/// A key is a number (or null) together with something else that a predicate may look at.
pub(crate) const NUMBERS: [Option<i128>; 8] = [None, Some(-7), Some(-2), Some(0), Some(1), Some(1), Some(4), Some(9)];

pub(crate) fn pool(groups: &[Vec<u32>], numbers: &[Option<i128>]) -> Pool {
    let mut starts = vec![0];
    let mut keys = Vec::new();
    for group in groups {
        keys.extend(group);
        starts.push(keys.len() as u32);
    }
    Pool::new(starts, &keys, numbers.len(), |key| numbers[key as usize]).unwrap()
}

/// Groups of keys, hits of each, and the keys that match.
fn question() -> impl Strategy<Value = (Vec<Vec<u32>>, Vec<u32>, Option<Vec<bool>>)> {
    let group = prop::collection::vec(0u32..NUMBERS.len() as u32, 1..6)
        .prop_flat_map(|keys| (0..=keys.len() as u32).prop_map(move |hits| (keys.clone(), hits)));
    let marks = prop::option::of(prop::collection::vec(any::<bool>(), NUMBERS.len()));
    (prop::collection::vec(group, 0..4), marks).prop_map(|(groups, marks)| {
        let (keys, hits) = groups.into_iter().unzip();
        (keys, hits, marks)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn answers_are_those_of_all_worlds(
        (groups, hits, marks) in question(), unit in prop::sample::select(vec![1i128, 1 << 50]), offset in -3i128..4,
    ) {
        let numbers: Vec<_> = NUMBERS.iter().map(|n| n.map(|n| n + offset)).collect();
        let level = 0.8;
        let confidence = Some(Confidence::new(level).unwrap());
        let pool = pool(&groups, &numbers);
        let matching = pool.matching(marks.as_deref()).unwrap();
        let asked: Vec<(u32, u32)> = (0u32..).zip(hits.iter().copied()).filter(|(_, h)| *h > 0).collect();
        let seen = |key: &u32| (numbers[*key as usize], marks.as_ref().is_none_or(|m| m[*key as usize]));
        let values: Vec<Vec<_>> = groups.iter().map(|group| group.iter().map(seen).collect()).collect();
        for aggregate in ALL {
            let answer = matching.answer(aggregate, &asked, confidence).unwrap();
            Worlds::of_groups(aggregate, &values, &hits).check(&answer, level, &format!("{aggregate:?}"));
            let bounds = matching.bounds(aggregate, &asked).unwrap();
            prop_assert_eq!(bounds, answer.lower.zip(answer.upper));
            // The same in another unit: bounds scale exactly.
            if aggregate != Aggregate::Count && aggregate != Aggregate::CountRows {
                let large: Vec<_> = numbers.iter().map(|n| n.map(|n| n * unit)).collect();
                let pool = self::pool(&groups, &large);
                let scaled = pool.matching(marks.as_deref()).unwrap().answer(aggregate, &asked, None).unwrap();
                for (a, b) in [(answer.lower, scaled.lower), (answer.upper, scaled.upper)] {
                    prop_assert_eq!(a.is_some(), b.is_some());
                    if let (Some(a), Some(b)) = (a, b) {
                        prop_assert_eq!(a.numer * unit * i128::from(b.denom), b.numer * i128::from(a.denom));
                    }
                }
            }
        }
    }

    /// Where the number of people selected is only known to lie between two, bounds are those over all numbers between.
    #[test]
    fn bounds_between_are_those_of_all_numbers_of_hits(
        (groups, hits, marks) in question(), more in prop::collection::vec(0u32..4, 4),
    ) {
        let pool = pool(&groups, &NUMBERS);
        let matching = pool.matching(marks.as_deref()).unwrap();
        let most = |g: usize| (hits[g] + more[g]).min(groups[g].len() as u32);
        let spans: Vec<(u32, u32, u32)> = (0..groups.len()).map(|g| (g as u32, hits[g], most(g))).collect();
        let mut counts = vec![vec![]];
        for &(g, least, most) in &spans {
            let longer = counts.iter().flat_map(|c| (least..=most).map(move |n| [c.clone(), vec![(g, n)]].concat()));
            counts = longer.collect();
        }
        for aggregate in ALL {
            let found = matching.bounds_between(aggregate, spans.iter().copied()).unwrap();
            let each = counts.iter().filter_map(|hits| {
                let hits: Vec<_> = hits.iter().copied().filter(|(_, n)| *n > 0).collect();
                matching.bounds(aggregate, &hits).unwrap().map(|(a, b)| (a.to_f64(), b.to_f64()))
            });
            let wanted = each.reduce(|x, y| (x.0.min(y.0), x.1.max(y.1)));
            prop_assert_eq!(found.map(|(a, b)| (a.to_f64(), b.to_f64())), wanted, "{:?}", aggregate);
        }
    }

    /// The interval for any distribution, at levels where it bites, over all worlds of one larger group.
    #[test]
    fn guaranteed_intervals_cover(
        keys in prop::collection::vec(0u32..NUMBERS.len() as u32, 6..11), hits in 1u32..11, level in 0.3f64..0.99,
    ) {
        let hits = hits.min(keys.len() as u32);
        let pool = pool(std::slice::from_ref(&keys), &NUMBERS);
        let values: Vec<_> = keys.iter().map(|&key| (NUMBERS[key as usize], true)).collect();
        let confidence = Some(Confidence::new(level).unwrap());
        for aggregate in ALL {
            let answer = pool.matching(None).unwrap().answer(aggregate, &[(0, hits)], confidence).unwrap();
            Worlds::of_groups(aggregate, std::slice::from_ref(&values), &[hits]).check(&answer, level, "one group");
        }
    }
}

#[test]
fn nothing_selected_is_zero_or_null() {
    let pool = pool(&[vec![3, 4], vec![0]], &NUMBERS);
    let confidence = Some(Confidence::new(0.95).unwrap());
    for aggregate in ALL {
        let answer = pool.matching(None).unwrap().answer(aggregate, &[], confidence).unwrap();
        if matches!(aggregate, Aggregate::CountRows | Aggregate::Count | Aggregate::Sum) {
            assert_eq!((answer.estimate, answer.deviation, answer.certain), (Some(0.0), Some(0.0), true));
            assert_eq!(answer.lower.unwrap().numer, 0);
            assert_eq!(answer.interval.unwrap().guaranteed, Some((0.0, 0.0)));
        } else {
            assert!(answer.lower.is_none() && answer.estimate.is_none() && !answer.certain);
        }
    }
    // A group whose only value is null.
    let sum = pool.matching(None).unwrap().answer(Aggregate::Sum, &[(1, 1)], None).unwrap();
    assert_eq!((sum.lower.unwrap().numer, sum.upper.unwrap().numer), (0, 0));
    assert!(pool.matching(None).unwrap().answer(Aggregate::Max, &[(1, 1)], None).unwrap().upper.is_none());
}

#[test]
fn contradictions_are_our_own_fault_and_no_panic() {
    assert!(Pool::new(vec![0, 3], &[0, 1], 2, |_| None).is_err());
    assert!(Pool::new(vec![0, 2, 1], &[0], 2, |_| None).is_err());
    assert!(Pool::new(vec![], &[], 2, |_| None).is_err());
    assert!(Pool::new(vec![0, 1], &[7], 2, |_| None).is_err());
    let pool = pool(&[vec![3, 4], vec![5]], &NUMBERS);
    assert!(pool.matching(Some(&[true])).is_err());
    let matching = pool.matching(None).unwrap();
    for hits in [&[(0, 3)][..], &[(2, 1)], &[(1, 1), (0, 1)], &[(0, 1), (0, 1)], &[(0, 0)]] {
        assert!(matching.answer(Aggregate::Count, hits, None).is_err(), "{hits:?}");
    }
    for span in [(0, 1, 3), (2, 0, 0), (0, 2, 1)] {
        assert!(matching.bounds_between(Aggregate::Count, [span]).is_err(), "{span:?}");
    }
}

#[test]
fn sums_beyond_38_digits_are_refused_and_only_those() {
    let big = 10i128.pow(38) - 1;
    let numbers = [Some(big), Some(-big), Some(1), Some(5)];
    let pool = pool(&[vec![0, 0, 1], vec![1, 1, 2], vec![2, 3]], &numbers);
    let matching = pool.matching(None).unwrap();
    let ask = |aggregate, hits: &[(u32, u32)]| matching.answer(aggregate, hits, None);
    let sum = ask(Aggregate::Sum, &[(0, 3), (1, 3)]).unwrap();
    assert_eq!((sum.lower.unwrap().numer, sum.upper.unwrap().numer), (1 - big, 1 - big));
    let error = ask(Aggregate::Sum, &[(0, 2)]).unwrap_err();
    assert!(error.to_string().contains("the sum has more than 38 digits"), "{error}");
    assert_eq!(error.exit_code(), 2);
    assert!(ask(Aggregate::Avg, &[(0, 2)]).is_err());
    let least = ask(Aggregate::Min, &[(0, 2), (1, 3)]).unwrap();
    assert_eq!((least.lower.unwrap().numer, least.upper.unwrap().numer), (-big, -big));
    let sum = ask(Aggregate::Sum, &[(2, 1)]).unwrap();
    assert_eq!((sum.lower.unwrap().numer, sum.upper.unwrap().numer), (1, 5));
}
