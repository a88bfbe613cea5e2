//! Random tables: every group passes, what is feasible is found, and the objective is that of the groups.

use super::{bind, holds, labels, numbers, range, run, table, width};
use proptest::prelude::*;
use scumble_method::ke_permutation::{Objective, Rule};
use scumble_principle::Group;
use scumble_table::{Code, Decimal};

/// Tables with ties, negative numbers and, where asked for, nulls.
fn tables(nulls: bool) -> impl Strategy<Value = (Vec<Option<i64>>, Vec<Code>)> {
    let row = (0u32..10, -20i64..20, 0u32..5, -3000i64..3000).prop_map(move |(kind, small, label, any)| {
        let number = match kind {
            0 | 1 if nulls => None,
            0..=5 => Some(small * 50),
            6 => Some(100),
            _ => Some(any),
        };
        (number, label)
    });
    prop::collection::vec(row, 1..80).prop_map(|rows| rows.into_iter().unzip())
}

fn rules() -> impl Strategy<Value = Rule> {
    prop::sample::select(Rule::ALL.to_vec())
}

fn distinct(numbers: &[Option<i64>]) -> usize {
    let mut own = numbers.to_vec();
    own.sort_unstable();
    own.dedup();
    own.len()
}

proptest! {
    #![proptest_config(ProptestConfig { max_global_rejects: 100_000, ..ProptestConfig::with_cases(1500) })]

    #[test]
    fn groups_pass_and_the_objective_is_theirs(
        (values, labels) in tables(false), k in 1u64..9, e in 0i64..4000, rule in rules(), seed in 0u64..99,
    ) {
        let table = table(&values, &labels);
        let wanted = format!("x: ke-anonymity({k}, {})", Decimal::new(i128::from(e), 3));
        let wanted = [wanted.as_str()];
        // e is in thousandths, and the numbers in hundredths.
        let span = values.iter().flatten().max().unwrap() - values.iter().flatten().min().unwrap();
        let feasible = distinct(&values) as u64 >= k && span * 10 >= e;
        let found = run(&table, &wanted, rule, seed);
        prop_assert_eq!(feasible, found.is_ok());
        let Ok(grouped) = found else { return Ok(()) };
        prop_assert!(holds(&table, &wanted, &grouped));
        prop_assert!(grouped.optimal == (rule != Rule::Random) && grouped.note.is_none() && grouped.missing == 0);
        let groups = numbers(&values, &grouped);
        let naive = |group: &Vec<i64>| {
            let mut own = group.clone();
            own.dedup();
            own.len() as u64 >= k && range(group) * 10 >= e
        };
        prop_assert!(groups.iter().all(naive));
        let hundredths = |n: i64| Decimal::new(i128::from(n), 2);
        let ranges = || groups.iter().map(|group| range(group));
        match grouped.objective {
            Some(Objective::SumOfRanges(sum)) => prop_assert_eq!(sum, hundredths(ranges().sum())),
            Some(Objective::GreatestRange(most)) => prop_assert_eq!(most, hundredths(ranges().max().unwrap())),
            Some(Objective::Groups(n)) => prop_assert_eq!(n, groups.len() as u64),
            Some(Objective::ExpectedWidth(sum)) => {
                let own: f64 = groups.iter().map(|group| width(group)).sum();
                prop_assert!((sum - own / 100.0).abs() < 1e-6);
            }
            None => prop_assert_eq!(rule, Rule::Random),
        }
    }

    #[test]
    fn nulls_are_spread_and_may_be_the_kth_value(
        (values, labels) in tables(true), k in 1u64..9, e in 0i64..3000, rule in rules(),
    ) {
        let table = table(&values, &labels);
        let wanted = format!("x: ke-anonymity({k}, {})", Decimal::new(i128::from(e), 2));
        let wanted = [wanted.as_str()];
        let known: Vec<i64> = values.iter().flatten().copied().collect();
        let span = known.iter().max().zip(known.iter().min()).map_or(0, |(max, min)| max - min);
        let found = run(&table, &wanted, rule, 3);
        prop_assert_eq!(distinct(&values) as u64 >= k && span >= e, found.is_ok());
        let Ok(grouped) = found else { return Ok(()) };
        prop_assert!(holds(&table, &wanted, &grouped));
        prop_assert_eq!(grouped.missing, values.len() - known.len());
        if rule == Rule::Random || (k, e) == (1, 0) {
            return Ok(());
        }
        let only: Vec<Option<i64>> = known.iter().copied().map(Some).collect();
        let enough = distinct(&only) as u64 >= k;
        prop_assert_eq!(grouped.optimal, enough);
        prop_assert_eq!(grouped.note.is_some(), !enough || grouped.missing > 0);
        if enough {
            // The same optimum as without these rows, which follow the sizes of the groups.
            let without = run(&self::table(&only, &self::labels(only.len())), &wanted, rule, 3).unwrap();
            prop_assert_eq!(without.objective, grouped.objective);
            for group in grouped.partition.groups() {
                let nulls = group.iter().filter(|&&row| values[row as usize].is_none()).count();
                let share = (group.len() - nulls) * grouped.missing;
                prop_assert!(nulls * known.len() <= share + known.len() && share <= nulls * known.len() + known.len());
            }
        }
    }

    #[test]
    fn further_requirements_hold_too(
        (values, labels) in tables(false), k in 1u64..5, e in 0i64..20, rule in rules(),
        others in prop::sample::select(vec![
            vec!["k-anonymity(7)"], vec!["x: frequency-l-diversity(2.5)"], vec!["y: distinct-l-diversity(2)"],
            vec!["y: t-closeness(0.3)", "k-anonymity(3)"], vec!["x: ke-anonymity(3, 8)"], vec!["x: distinct-l-diversity(6)"],
            vec!["x: variance(20)"], vec!["x: t-closeness(0.3, ordered)"], vec!["y: beta-likeness(0.9, two-sided)"],
            vec!["y: delta-disclosure(1)"],
        ]),
    ) {
        let table = table(&values, &labels);
        let wanted = format!("x: ke-anonymity({k}, {e})");
        let mut all = others.clone();
        all.push(&wanted);
        let bags = [table.column_bag(1), table.column_bag(2)];
        let whole = Group { size: values.len() as u64, bags: &bags };
        let feasible = bind(&table, &all).feasible(whole);
        let found = run(&table, &all, rule, 5);
        // All of these are monotone: what is feasible is found.
        prop_assert_eq!(feasible.is_ok(), found.is_ok());
        let Ok(grouped) = found else { return Ok(()) };
        prop_assert!(holds(&table, &all, &grouped));
        prop_assert!(grouped.optimal || grouped.objective.is_none());
        prop_assert!(grouped.optimal || grouped.note.is_some() || rule == Rule::Random);
        // These two are about nothing but different numbers and their span.
        if others[0].contains("ke-anonymity") || others[0].starts_with("x: distinct") {
            prop_assert_eq!(grouped.optimal, rule != Rule::Random);
        }
    }

    #[test]
    fn beside_proximity_what_is_found_holds(
        (values, labels) in tables(false), rule in rules(), epsilon in 0u32..8, m in 2u32..4,
    ) {
        let table = table(&values, &labels);
        let near = format!("x: proximity-absolute({epsilon}, {m})");
        let wanted = ["x: ke-anonymity(2, 1)", &near];
        match run(&table, &wanted, rule, 5) {
            Ok(grouped) => prop_assert!(holds(&table, &wanted, &grouped)),
            Err(error) => prop_assert!(error.to_string().starts_with("no release"), "{error}"),
        }
    }

    #[test]
    fn threads_leave_no_trace((values, labels) in tables(true), rule in rules()) {
        let table = table(&values, &labels);
        let with = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| run(&table, &["x: ke-anonymity(2, 1)", "y: frequency-l-diversity(1.2)"], rule, 9))
        };
        prop_assert_eq!(with(1), with(8));
    }
}
