//! Figures 1 to 4 of Zhang, Koudas, Srivastava, Yu: salaries in thousands.

use scumble_answer::{Aggregate, Answer, Exact, Pool, UncertainRows};

const SALARIES: [i128; 9] = [54, 55, 56, 65, 75, 70, 80, 75, 85];

fn figure3() -> Pool {
    let keys: Vec<u32> = (0..9).collect();
    Pool::new(vec![0, 3, 6, 9], &keys, 9, |key| Some(SALARIES[key as usize])).unwrap()
}

fn ask(pool: &Pool, aggregate: Aggregate, hits: &[(u32, u32)]) -> Answer {
    pool.matching(None).unwrap().answer(aggregate, hits, None).unwrap()
}

fn bounds(answer: &Answer) -> (i128, i128) {
    let whole = |exact: Option<Exact>| exact.filter(|exact| exact.denom == 1).map(|exact| exact.numer).unwrap();
    (whole(answer.lower), whole(answer.upper))
}

#[test]
fn paper5_queries() {
    let pool = figure3();
    // Query 1: the average of those over 50 is all of group 3.
    let q1 = ask(&pool, Aggregate::Avg, &[(2, 3)]);
    assert_eq!((bounds(&q1), q1.estimate, q1.deviation), ((80, 80), Some(80.0), Some(0.0)));
    // Query 2: the sum of those between 35 and 55 is all but one of group 3.
    let q2 = ask(&pool, Aggregate::Sum, &[(0, 3), (1, 3), (2, 2)]);
    assert_eq!(bounds(&q2), (530, 540));
    assert!((q2.estimate.unwrap() - 535.0).abs() < 1e-9);
    assert!((q2.deviation.unwrap().powi(2) - 50.0 / 3.0).abs() < 1e-9);
    // Query 3: two women in group 2 and one in group 3; the paper prints 75 by a slip, its own help table has 70.
    assert_eq!(bounds(&ask(&pool, Aggregate::Min, &[(1, 2), (2, 1)])), (65, 70));
}

#[test]
fn paper5_query2_generalized() {
    // Group 2 lies inside the question, groups 1 and 3 only in part.
    let mut rows = UncertainRows::new();
    for (at, salary) in SALARIES.into_iter().enumerate() {
        if (3..6).contains(&at) {
            rows.add_certain(Some(salary));
        } else {
            rows.add_uncertain(Some(salary), 0.5).unwrap();
        }
    }
    assert_eq!(bounds(&rows.answer(Aggregate::Sum, None).unwrap()), (210, 615));
    let avg = rows.answer(Aggregate::Avg, None).unwrap();
    assert_eq!((avg.lower.unwrap().to_f64(), avg.upper.unwrap().to_f64()), (62.5, 75.0));
}

#[test]
fn paper5_figure4_help_table() {
    let pool = figure3();
    let rows = [
        (1, 1, (54, 56), (54, 56)),
        (1, 2, (109, 111), (54, 55)),
        (1, 3, (165, 165), (54, 54)),
        (2, 1, (65, 75), (65, 75)),
        (2, 2, (135, 145), (65, 70)),
        (2, 3, (210, 210), (65, 65)),
        (3, 1, (75, 85), (75, 85)),
        (3, 2, (155, 165), (75, 80)),
        (3, 3, (240, 240), (75, 75)),
    ];
    for (group, hits, sum, min) in rows {
        let hits = [(group - 1, hits)];
        assert_eq!(bounds(&ask(&pool, Aggregate::Sum, &hits)), sum);
        assert_eq!(bounds(&ask(&pool, Aggregate::Min, &hits)), min);
    }
    let max: Vec<_> = (1..4).map(|hits| bounds(&ask(&pool, Aggregate::Max, &[(0, hits)]))).collect();
    assert_eq!(max, [(54, 56), (55, 56), (56, 56)]);
}
