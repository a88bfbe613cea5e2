//! Bounds hold the truth, and theorem 2: a generalization of the same groups never tells more.

use super::*;
use crate::{Axis, Positions};
use proptest::prelude::*;
use scumble_release::SUPPRESSED;
use scumble_table::{Attribute, Codes, Decimal, Domain, Monitor, Partition, Role, Schema, Table};

/// Ages 0 to 19 or null, numbers -4 to 9 or null, and groups.
fn grouped(rows: &[(Option<u8>, Option<i8>, u32)]) -> (GroupedNumbers, Truth) {
    let groups: Vec<u32> = rows.iter().map(|row| row.2).collect();
    let numbers: Vec<Option<i128>> = std::iter::once(None).chain((-4..10).map(Some)).collect();
    let codes: Vec<u32> = rows.iter().map(|row| row.1.map_or(0, |n| (n + 5) as u32)).collect();
    let places: Vec<f64> = rows.iter().map(|row| row.0.map_or(f64::NAN, f64::from)).collect();
    let column = Positions::from_places(Axis::between("age", true, 0.0, 19.0), &places);
    let grouped = GroupedNumbers::new(groups.clone(), 4, &codes, &numbers, 0).unwrap().with_places(&column, &groups);
    let truth = Truth::new(grouped.numbers()).with_range(&column, grouped.numbers().into_iter());
    (grouped, truth)
}

fn contains(outer: Ends, inner: Ends) -> bool {
    match (outer, inner) {
        (Some((a, b)), Some((c, d))) => a <= c + 1e-9 && d <= b + 1e-9,
        (_, inner) => inner.is_none(),
    }
}

fn holds(ends: Ends, truth: Option<f64>) -> bool {
    truth.is_none_or(|truth| contains(ends, Some((truth, truth))))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn paper5_theorem2(
        rows in prop::collection::vec(
            (prop::option::weighted(0.95, 0u8..20), prop::option::weighted(0.95, -4i8..10), 0u32..4), 1..40,
        ),
        (from, to) in (0u8..20, 0u8..20), chosen in prop::collection::vec(any::<bool>(), 40),
    ) {
        let (grouped, truth) = grouped(&rows);
        let range = (f64::from(from.min(to)), f64::from(from.max(to)));
        let mut people = Selection::none(rows.len());
        (0..rows.len()).filter(|&person| chosen[person]).for_each(|person| people.add(person));
        for aggregate in [Aggregate::Avg, Aggregate::Sum] {
            let exact = grouped.exact().range_bounds(aggregate, range).unwrap();
            let boxed = grouped.boxed().range_bounds(aggregate, range).unwrap();
            prop_assert!(holds(exact, truth.of_range(aggregate, range)) && contains(boxed, exact), "{:?} {:?}", boxed, exact);
            let exact = grouped.exact().people_bounds(aggregate, &people).unwrap();
            let boxed = grouped.boxed().people_bounds(aggregate, &people).unwrap();
            prop_assert!(holds(exact, truth.of_people(aggregate, &people)) && contains(boxed, exact), "{:?} {:?}", boxed, exact);
        }
    }

    /// Bounds after swapping hold the truth, and are exact where nothing may be swapped.
    #[test]
    fn rank_swapping_is_bounded(
        numbers in prop::collection::vec(prop::option::weighted(0.95, -4i8..30), 2..60), k in 1u64..4, e in 0i128..6,
        chosen in prop::collection::vec(any::<bool>(), 60), seed in any::<u64>(),
    ) {
        let people: Vec<Option<i128>> = numbers.iter().map(|n| n.map(i128::from)).collect();
        let Ok(swapped) = RankSwapped::new(&people, (k, e), 0, seed, Monitor::silent()) else { return Ok(()) };
        let truth = Truth::new(numbers.iter().map(|n| n.map_or(f64::NAN, f64::from)).collect());
        let mut selection = Selection::none(people.len());
        (0..people.len()).filter(|&person| chosen[person]).for_each(|person| selection.add(person));
        for aggregate in [Aggregate::Avg, Aggregate::Sum] {
            let ends = swapped.people_bounds(aggregate, &selection).unwrap();
            let real = truth.of_people(aggregate, &selection);
            prop_assert!(holds(ends, real), "{:?} {:?}", ends, real);
            if k == 1 && e == 0 && let (Some((a, b)), Some(real)) = (ends, real) {
                prop_assert!((a - real).abs() < 1e-9 && (b - real).abs() < 1e-9);
            }
        }
    }
}

/// Figure 1 of the paper with the groups of figure 3.
fn figure1() -> (Table, Partition) {
    let ages = [35, 38, 40, 41, 43, 47, 52, 53, 58];
    let pay = [54, 55, 56, 65, 75, 70, 80, 75, 85];
    let numbers = |values: &[i64]| Domain::numbers(values.iter().copied().map(Decimal::from).collect()).unwrap();
    let (age, salary) = (numbers(&ages), numbers(&pay));
    let codes = |domain: &Domain, values: &[i64]| -> Codes {
        values.iter().map(|value| domain.code_of(&value.to_string()).unwrap()).collect()
    };
    let columns = vec![codes(&age, &ages), codes(&salary, &pay)];
    let attribute = |name: &str, role, domain| Attribute { name: name.into(), role, domain };
    let sex = Domain::nominal(["F", "M"].map(Into::into).to_vec());
    let schema = Schema::new(vec![
        attribute("age", Role::Quasi, age),
        attribute("salary", Role::Sensitive, salary),
        attribute("gender", Role::Quasi, sex),
    ]);
    let columns = [columns, vec![[2, 2, 2, 1, 1, 2, 2, 1, 2].into_iter().collect()]].concat();
    let table = Table::new(schema.unwrap(), columns, 9).unwrap();
    (table, Partition::new((0..9).collect(), vec![0, 3, 6, 9], 9).unwrap())
}

#[test]
fn paper5_query2_as_a_partition() {
    let (table, partition) = figure1();
    let ask = |aggregate| {
        let questions = BoundQuestions { aggregate, sizes: vec![], spans: vec![20.0], ..BoundQuestions::default() };
        bounds_of_partition(&table, &partition, "salary", Some("age"), &questions, Monitor::silent()).unwrap()
    };
    let found = ask(Aggregate::Sum);
    // All starts, 35 to 38. From 35, query 2: [530, 540] where 530 is true. From 36 and 37 one of group 1 is left out and one
    // of group 3; from 38 one of group 1 alone.
    let widths = found.exact[0].widths;
    assert_eq!((widths.questions, widths.without_answer, widths.outside), (4, 0, 0));
    let by_hand = [10.0 / 530.0, 12.0 / 476.0, 12.0 / 476.0, 2.0 / 561.0];
    assert!((widths.mean.unwrap() - by_hand.iter().sum::<f64>() / 4.0).abs() < 1e-12, "{widths:?}");
    let boxed = found.boxed[0].widths;
    assert!(boxed.mean > widths.mean && boxed.median > widths.median && boxed.outside == 0);
    let avg = ask(Aggregate::Avg);
    // Where it is known how many are selected, an average is as sure as the sum.
    assert!((avg.exact[0].widths.mean.unwrap() - widths.mean.unwrap()).abs() < 1e-12);
    assert!(avg.boxed[0].widths.mean > avg.exact[0].widths.mean);
}

#[test]
fn the_same_questions_are_put_to_all() {
    let (table, partition) = figure1();
    let whole = Partition::new((0..9).collect(), vec![0, 9], 9).unwrap();
    let alone = Partition::new((0..9).collect(), (0..=9).collect(), 9).unwrap();
    let questions = BoundQuestions { questions: 200, ..BoundQuestions::default() };
    let ask =
        |partition| bounds_of_partition(&table, partition, "salary", None, &questions, Monitor::silent()).unwrap();
    let (three, one, nine) = (ask(&partition), ask(&whole), ask(&alone));
    assert_eq!(three, ask(&partition));
    assert_eq!((three.exact.len(), three.exact[4].size), (5, Some(0.5)));
    for at in 0..5 {
        let mean = |widths: &PartitionWidths| widths.exact[at].widths.mean.unwrap();
        assert_eq!((mean(&nine), nine.exact[at].widths.outside), (0.0, 0));
        assert!(0.0 < mean(&three) && mean(&three) < mean(&one));
        // Boxes tell nothing about arbitrary questions, whatever the groups.
        let boxed = |widths: &PartitionWidths| widths.boxed[at].widths.mean.unwrap();
        assert!(mean(&one) <= boxed(&one) && boxed(&one) == boxed(&three) && boxed(&three) == boxed(&nine));
    }
    let swapped = bounds_of_rank_swap(&table, (2, 2), "salary", Some("age"), &questions, Monitor::silent()).unwrap();
    assert_eq!(swapped.len(), 5 + 4);
    assert!(swapped.iter().all(|asked| asked.widths.outside == 0 && asked.widths.mean.is_some()), "{swapped:?}");
}

#[test]
fn what_cannot_be_asked_is_refused() {
    let (table, partition) = figure1();
    let ask = |sensitive: &str, over: &str, questions: &BoundQuestions| {
        bounds_of_partition(&table, &partition, sensitive, Some(over), questions, Monitor::silent())
            .unwrap_err()
            .to_string()
    };
    let usual = BoundQuestions::default();
    assert!(ask("gender", "age", &usual).contains("no numbers"));
    assert!(ask("salary", "gender", &usual).contains("no order"));
    assert!(ask("salry", "age", &usual).contains("salary"));
    for size in [0.0, -1.0, 1.5, f64::NAN] {
        assert!(ask("salary", "age", &BoundQuestions { sizes: vec![size], ..usual.clone() }).contains("sizes"));
    }
    for span in [-1.0, f64::INFINITY, f64::NAN] {
        assert!(ask("salary", "age", &BoundQuestions { spans: vec![span], ..usual.clone() }).contains("spans"));
    }
    let swap = bounds_of_rank_swap(&table, (10, 0), "salary", None, &usual, Monitor::silent()).unwrap_err().to_string();
    assert!(swap.contains("rank-swap"), "{swap}");
}

#[test]
fn suppressed_rows_may_leave_the_truth_outside() {
    let rows = [(Some(1), Some(9), SUPPRESSED), (Some(2), Some(1), 0), (Some(3), Some(2), 0), (Some(4), Some(2), 0)];
    let (grouped, truth) = grouped(&rows);
    let questions = BoundQuestions { sizes: vec![1.0], spans: vec![30.0], ..BoundQuestions::default() };
    let found = bound_widths(&grouped.exact(), &truth, &questions, Monitor::silent()).unwrap();
    assert_eq!(found.iter().map(|asked| asked.widths.outside).collect::<Vec<_>>(), [1000, 1]);
}

#[test]
fn sets_of_people_are_drawn_evenly() {
    let questions = BoundQuestions::default();
    let mut counts = [0; 10];
    for question in 0..2000 {
        let people = questions.people(0.3, question, 10);
        let chosen: Vec<usize> = people.iter().collect();
        assert!(chosen.len() == 3 && chosen.iter().all(|&person| people.holds(person)));
        chosen.into_iter().for_each(|person| counts[person] += 1);
    }
    assert!(counts.iter().all(|n| (520..680).contains(n)), "{counts:?}");
    assert_eq!(questions.people(0.001, 0, 10).iter().count(), 1);
    assert_eq!(questions.people(0.5, 0, 0).iter().count(), 0);
}
