//! People who are selected perhaps, with values known by group.

use crate::groups::{NUMBERS, pool};
use crate::worlds::{ALL, Worlds};
use proptest::prelude::*;
use scumble_answer::{Aggregate, Answer, Confidence, Selection};

/// People of a group: how many are certain, and the probabilities of the open ones.
type People = (u32, Vec<f64>);

fn selection(people: &[People]) -> Selection {
    let mut rows = Vec::new();
    // Last group first: the order of people is of no matter.
    for (group, (certain, open)) in people.iter().enumerate().rev() {
        rows.extend(open.iter().map(|p| (group as u32, Some(*p))));
        rows.extend((0..*certain).map(|_| (group as u32, None)));
    }
    Selection::new(rows).unwrap()
}

/// Groups of keys, of each at most as many people as it has keys, and the keys that match.
fn question() -> impl Strategy<Value = (Vec<Vec<u32>>, Vec<People>, Option<Vec<bool>>)> {
    let group = prop::collection::vec(0u32..NUMBERS.len() as u32, 1..5).prop_flat_map(|keys| {
        let n = keys.len() as u32;
        let people = (0..=n).prop_flat_map(move |certain| {
            let p = prop::sample::select(vec![0.1, 0.25, 0.5, 0.9, 0.99]);
            (Just(certain), prop::collection::vec(p, 0..=(n - certain) as usize))
        });
        (Just(keys), people)
    });
    let marks = prop::option::of(prop::collection::vec(any::<bool>(), NUMBERS.len()));
    (prop::collection::vec(group, 0..4), marks).prop_map(|(groups, marks)| {
        let (keys, people) = groups.into_iter().unzip();
        (keys, people, marks)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn answers_are_those_of_all_worlds((groups, people, marks) in question()) {
        let level = 0.8;
        let confidence = Some(Confidence::new(level).unwrap());
        let pool = pool(&groups, &NUMBERS);
        let matching = pool.matching(marks.as_deref()).unwrap();
        let selection = selection(&people);
        let seen = |key: &u32| (NUMBERS[*key as usize], marks.as_ref().is_none_or(|m| m[*key as usize]));
        let values: Vec<Vec<_>> = groups.iter().map(|group| group.iter().map(seen).collect()).collect();
        for aggregate in ALL {
            let answer = matching.answer_uncertain(aggregate, &selection, confidence).unwrap();
            prop_assert!(answer.interval.is_none_or(|interval| interval.guaranteed.is_none()));
            Worlds::of_selection(aggregate, &values, &people).check(&answer, level, &format!("{aggregate:?}"));
        }
    }

    /// Where all are certain the answer is that of exact people.
    #[test]
    fn certain_people_are_exact_people((groups, people, marks) in question()) {
        let pool = pool(&groups, &NUMBERS);
        let matching = pool.matching(marks.as_deref()).unwrap();
        let sure: Vec<People> = people.iter().map(|(certain, _)| (*certain, Vec::new())).collect();
        let hits: Vec<(u32, u32)> = (0u32..).zip(&sure).map(|(g, (n, _))| (g, *n)).filter(|(_, n)| *n > 0).collect();
        for aggregate in ALL {
            let wanted = matching.answer(aggregate, &hits, None).unwrap();
            let found = matching.answer_uncertain(aggregate, &selection(&sure), None).unwrap();
            prop_assert_eq!((found.lower, found.upper, found.certain), (wanted.lower, wanted.upper, wanted.certain));
            let near = |a: Option<f64>, b: Option<f64>| match (a, b) {
                (Some(a), Some(b)) => (a - b).abs() < 1e-6,
                (a, b) => a == b,
            };
            prop_assert!(near(found.estimate, wanted.estimate) && near(found.deviation, wanted.deviation));
        }
    }
}

/// Moments by drawing worlds, for groups that are too large to enumerate. Numbers come from a generator of the test's own.
fn drawn(aggregate: Aggregate, values: &[i128], open: &[f64], matches: impl Fn(i128) -> bool) -> (f64, f64) {
    let mut state = 1u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1u64 << 53) as f64
    };
    let mut results = Vec::new();
    for _ in 0..4000 {
        let mut left = values.to_vec();
        let mut taken = Vec::new();
        for p in open {
            let at = ((next() * left.len() as f64) as usize).min(left.len() - 1);
            let value = left.swap_remove(at);
            if next() < *p && matches(value) {
                taken.push(value as f64);
            }
        }
        let sum: f64 = taken.iter().sum();
        match aggregate {
            Aggregate::Sum => results.push(sum),
            Aggregate::Count => results.push(taken.len() as f64),
            _ if taken.is_empty() => {}
            Aggregate::Avg => results.push(sum / taken.len() as f64),
            Aggregate::Min => results.push(taken.iter().copied().fold(f64::INFINITY, f64::min)),
            _ => results.push(taken.iter().copied().fold(f64::NEG_INFINITY, f64::max)),
        }
    }
    let mean = results.iter().sum::<f64>() / results.len() as f64;
    let variance = results.iter().map(|r| (r - mean).powi(2)).sum::<f64>() / results.len() as f64;
    (mean, variance.sqrt())
}

#[test]
fn groups_too_large_to_enumerate_agree_with_draws() {
    for (n, rare) in [(600usize, 0.004), (5000, 0.9)] {
        let values: Vec<i128> = (0..n as i128).map(|i| (i * i) % 997 - 100).collect();
        let keys: Vec<u32> = (0..n as u32).collect();
        let numbers: Vec<Option<i128>> = values.iter().copied().map(Some).collect();
        let marks: Vec<bool> = values.iter().map(|v| v % 3 != 0).collect();
        let pool = pool(std::slice::from_ref(&keys), &numbers);
        let open: Vec<f64> = (0..n).map(|i| rare * (0.2 + 0.8 * (i as f64 / n as f64))).collect();
        let selection = selection(&[(0, open.clone())]);
        let matching = pool.matching(Some(&marks)).unwrap();
        for aggregate in [Aggregate::Count, Aggregate::Sum, Aggregate::Avg, Aggregate::Min, Aggregate::Max] {
            let answer: Answer = matching.answer_uncertain(aggregate, &selection, None).unwrap();
            let (mean, deviation) = drawn(aggregate, &values, &open, |v| v % 3 != 0);
            let (found, spread) = (answer.estimate.unwrap(), answer.deviation.unwrap());
            // Four standard errors of the drawn mean, and a tenth of the drawn deviation.
            let off = (found - mean).abs();
            assert!(off < 4.0 * deviation / 60.0 + 1e-9, "{n} {aggregate:?}: {found}, {mean} drawn");
            assert!((spread - deviation).abs() < 0.1 * deviation + 1e-9, "{n} {aggregate:?}: {spread}, {deviation}");
        }
    }
}

#[test]
fn rounded_probabilities_stay_open() {
    let pool = pool(&[vec![1, 7]], &NUMBERS);
    let matching = pool.matching(None).unwrap();
    let rare = selection(&[(0, vec![0.0, 0.0])]);
    for aggregate in [Aggregate::Avg, Aggregate::Min, Aggregate::Max] {
        let answer = matching.answer_uncertain(aggregate, &rare, None).unwrap();
        assert_eq!((answer.lower.unwrap().numer, answer.upper.unwrap().numer), (-7, 9));
        assert!((answer.estimate.unwrap() - 1.0).abs() < 1e-9 && !answer.certain, "{aggregate:?} {answer:?}");
        assert!((answer.deviation.unwrap() - 8.0).abs() < 1e-9, "{aggregate:?} {answer:?}");
    }
    for p in [1.5, -0.1, f64::NAN] {
        assert!(Selection::new(vec![(0, Some(p))]).is_err());
    }
    // More people than the group has places are our own fault.
    assert!(matching.answer_uncertain(Aggregate::Count, &selection(&[(1, vec![0.5, 0.5])]), None).is_err());
    assert!(matching.answer_uncertain(Aggregate::Sum, &Selection::default(), None).unwrap().estimate == Some(0.0));
}
