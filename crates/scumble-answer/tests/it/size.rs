//! Many groups at once: closed forms, walks and approximations stay in bounds and finish.

use scumble_answer::{Aggregate, Confidence, Pool};

/// Groups of ten numbers around a centre that moves from group to group.
fn many(n_groups: u32) -> Pool {
    let starts = (0..=n_groups).map(|g| g * 10).collect();
    let keys: Vec<u32> = (0..u64::from(n_groups) * 10).map(|at| (at * 7919 % 100_003) as u32).collect();
    Pool::new(starts, &keys, 100_003, |key| Some(i128::from(key) * 100 - 1_000_000)).unwrap()
}

#[test]
fn a_hundred_thousand_groups() {
    let pool = many(100_000);
    let hits: Vec<(u32, u32)> = (0..100_000).map(|g| (g, 1 + g % 9)).collect();
    let even: Vec<bool> = (0..100_003).map(|key| key % 2 == 0).collect();
    let confidence = Some(Confidence::new(0.95).unwrap());
    for marks in [None, Some(&even[..])] {
        let matching = pool.matching(marks).unwrap();
        for aggregate in [Aggregate::Count, Aggregate::Sum, Aggregate::Avg, Aggregate::Min, Aggregate::Max] {
            let answer = matching.answer(aggregate, &hits, confidence).unwrap();
            let (lower, upper) = (answer.lower.unwrap().to_f64(), answer.upper.unwrap().to_f64());
            let (estimate, deviation) = (answer.estimate.unwrap(), answer.deviation.unwrap());
            assert!(lower <= estimate && estimate <= upper && answer.certain, "{aggregate:?} {answer:?}");
            assert!(deviation <= (upper - lower) / 2.0 + 1e-9, "{aggregate:?} {answer:?}");
            let interval = answer.interval.unwrap();
            // The quantiles of a skewed MIN or MAX may leave its mean outside.
            let skewed = matches!(aggregate, Aggregate::Min | Aggregate::Max);
            let (low, high) = interval.normal.unwrap();
            let (from, to) = interval.guaranteed.unwrap_or((lower, upper));
            assert!(lower <= from && to <= upper, "{aggregate:?} {answer:?}");
            assert!(skewed || from <= low && high <= to, "{aggregate:?} {answer:?}");
        }
    }
}

#[test]
fn one_group_of_all() {
    let keys: Vec<u32> = (0..200_000).collect();
    let pool = Pool::new(vec![0, 200_000], &keys, 200_000, |key| Some(i128::from(key))).unwrap();
    let matching = pool.matching(None).unwrap();
    // The least of h of N evenly spaced numbers 0..N-1 has mean (N + 1) / (h + 1) - 1.
    for hits in [1u32, 10, 1000, 100_000] {
        let answer = matching.answer(Aggregate::Min, &[(0, hits)], None).unwrap();
        let wanted = 200_001.0 / (f64::from(hits) + 1.0) - 1.0;
        assert!((answer.estimate.unwrap() / wanted - 1.0).abs() < 1e-9, "{hits} {answer:?}");
    }
}
