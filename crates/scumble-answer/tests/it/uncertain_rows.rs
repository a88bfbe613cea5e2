//! Rows of boxes.

use crate::worlds::{ALL, Worlds};
use proptest::prelude::*;
use scumble_answer::{Aggregate, Confidence, UncertainRows};

fn likely(rows: &[(Option<i128>, Option<f64>)]) -> UncertainRows {
    let mut likely = UncertainRows::new();
    for &(number, p) in rows {
        match p {
            Some(p) => likely.add_uncertain(number, p).unwrap(),
            None => likely.add_certain(number),
        }
    }
    likely
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn answers_are_those_of_all_sets_of_rows(
        rows in prop::collection::vec(
            (
                prop::option::weighted(0.85, -6i128..7),
                prop::option::weighted(0.75, prop::sample::select(vec![0.1, 0.25, 0.5, 0.9, 0.99])),
            ),
            0..9,
        ),
        level in 0.3f64..0.99,
    ) {
        let confidence = Some(Confidence::new(level).unwrap());
        let likely = likely(&rows);
        for aggregate in ALL {
            let answer = likely.answer(aggregate, confidence).unwrap();
            Worlds::of_rows(aggregate, &rows).check(&answer, level, &format!("{aggregate:?}"));
        }
    }
}

#[test]
fn rounded_probabilities_stay_open() {
    let rows = likely(&[(Some(3), Some(0.0)), (Some(8), Some(1.0))]);
    let sum = rows.answer(Aggregate::Sum, None).unwrap();
    assert_eq!((sum.lower.unwrap().numer, sum.upper.unwrap().numer), (0, 11));
    let rare = likely(&[(Some(3), Some(0.0)), (Some(9), Some(0.0))]);
    for aggregate in [Aggregate::Avg, Aggregate::Min, Aggregate::Max] {
        let answer = rare.answer(aggregate, None).unwrap();
        assert!((answer.estimate.unwrap() - 6.0).abs() < 1e-9, "{aggregate:?} {answer:?}");
        assert!((answer.deviation.unwrap() - 3.0).abs() < 1e-9 && !answer.certain, "{aggregate:?} {answer:?}");
    }
    assert!(
        UncertainRows::new().add_uncertain(None, 1.5).is_err()
            && UncertainRows::new().add_uncertain(None, f64::NAN).is_err()
    );
}

#[test]
fn sums_beyond_38_digits_are_refused() {
    let big = 10i128.pow(38) - 1;
    let rows = likely(&[(Some(big), None), (Some(big), Some(0.5))]);
    assert!(rows.answer(Aggregate::Sum, None).unwrap_err().to_string().contains("38 digits"));
    assert_eq!(rows.answer(Aggregate::Avg, None).unwrap().lower.unwrap().numer, big);
    assert_eq!(rows.answer(Aggregate::Max, None).unwrap().upper.unwrap().numer, big);
}
