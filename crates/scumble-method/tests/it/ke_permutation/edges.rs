//! Large tables, refusals, the longest numbers.

use super::{bind, holds, labels, run, table};
use scumble_method::Coins;
use scumble_method::Task;
use scumble_method::ke_permutation::{KePermutation, Objective, Rule, partition_sorted};
use scumble_table::{Attribute, Codes, Decimal, Domain, Monitor, Role, Schema, Table};

#[test]
fn large_tables_too_leave_no_trace_of_threads_or_source() {
    let n = 150_000usize;
    let values: Vec<Option<i64>> = (0..n as i64).map(|i| (i % 11 > 0).then_some(i * i % 5000)).collect();
    let table = table(&values, &labels(n));
    let wanted = ["x: ke-anonymity(5, 1)"];
    for rule in Rule::ALL {
        let with = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| run(&table, &wanted, rule, 9).unwrap())
        };
        let one = with(1);
        assert!(holds(&table, &wanted, &one));
        assert_eq!(one, with(4));
    }
    // Rows of one number are divided between groups by coins.
    let other = run(&table, &wanted, Rule::MaxGroups, 10).unwrap();
    assert_ne!(other.partition.rows(), run(&table, &wanted, Rule::MaxGroups, 9).unwrap().partition.rows());
}

#[test]
fn refusals_say_what_the_data_allows() {
    let values: Vec<Option<i64>> = [100, 200, 200, 350, 900].map(Some).to_vec();
    let small = table(&values, &labels(5));
    let message = |requirements: &[&str], rule| run(&small, requirements, rule, 1).unwrap_err().to_string();
    assert_eq!(
        message(&["x: ke-anonymity(5, 1)"], Rule::MinSum),
        "no release of this data can meet `x: ke-anonymity(5, 1)`: `x` has 4 different values; hint: the data allows at \
         most `x: ke-anonymity(4, 1)`"
    );
    assert_eq!(
        message(&["x: ke-anonymity(3, 8.01)"], Rule::ExpectedWidth),
        "no release of this data can meet `x: ke-anonymity(3, 8.01)`: the numbers of `x` span 8; hint: the data allows \
         at most `x: ke-anonymity(3, 8)`"
    );
    let text = message(&["k-anonymity(2)"], Rule::MinMax);
    assert!(text.contains("`min-max`: no requirement is `ke-anonymity(k, e)`"), "{text}");
    let bound = bind(&small, &["x: ke-anonymity(2, 1)"]);
    let task = Task {
        table: &small,
        bound: &bound,
        rebind: &|_| Ok(bind(&small, &["x: ke-anonymity(2, 1)"])),
        most_suppressed: 1,
        coins: &Coins::from_seed(1),
        monitor: Monitor::silent(),
    };
    let text = KePermutation { rule: Rule::MinSum }.partition(&task).unwrap_err().to_string();
    assert!(text.contains("none is suppressed"), "{text}");
}

#[test]
fn sorted_numbers_alone() {
    let numbers = [1, 2, 3, 5, 5, 6, 6, 8];
    assert_eq!(partition_sorted(Rule::MinSum, &numbers, 2, 1, Monitor::silent()).unwrap().starts(), [0, 2, 5, 8]);
    assert_eq!(partition_sorted(Rule::MinMaxOverlap, &numbers, 4, 5, Monitor::silent()).unwrap().n_groups(), 2);
    assert_eq!(partition_sorted(Rule::ExpectedWidth, &numbers, 1, 0, Monitor::silent()).unwrap().n_groups(), 8);
    let text = partition_sorted(Rule::MinSum, &numbers, 7, 1, Monitor::silent()).unwrap_err().to_string();
    assert!(text.contains("there are 6 different numbers; hint: they span 7"), "{text}");
    assert!(
        partition_sorted(Rule::MinSum, &[], 1, 0, Monitor::silent()).is_err()
            && partition_sorted(Rule::MinSum, &[2, 1], 1, 0, Monitor::silent()).is_err()
    );
    assert!(
        partition_sorted(Rule::Random, &numbers, 2, 1, Monitor::silent())
            .unwrap_err()
            .to_string()
            .contains("no optimum")
    );
}

/// Two ends and a far pair: 38 digits are compared exactly, and refused where they must be summed.
#[test]
fn longest_numbers() {
    let longest = 99_999_999_999_999_999_999_999_999_999_999_999_999i128;
    let all: Vec<Decimal> = [-longest, -longest + 7, 0, 5, longest].map(|m| Decimal::new(m, 0)).to_vec();
    let domain = Domain::numbers(all).unwrap();
    let attribute = |name: &str, role, domain| Attribute { name: name.into(), role, domain };
    let schema = Schema::new(vec![
        attribute("q", Role::Quasi, Domain::nominal(vec!["a".into()])),
        attribute("x", Role::Sensitive, domain),
        attribute("y", Role::Sensitive, Domain::nominal(vec!["a".into()])),
    ]);
    let one: Codes = [1u32; 5].into_iter().collect();
    let table = Table::new(schema.unwrap(), vec![one.clone(), (1..=5).collect(), one], 5).unwrap();
    for (rule, groups) in [(Rule::MinSum, 2), (Rule::MinMax, 2), (Rule::MaxGroups, 2), (Rule::MinMaxOverlap, 2)] {
        let grouped = run(&table, &["x: ke-anonymity(2, 5)"], rule, 1).unwrap();
        assert!(holds(&table, &["x: ke-anonymity(2, 5)"], &grouped));
        assert_eq!(grouped.partition.n_groups(), groups, "{rule:?}");
    }
    let text = run(&table, &["x: ke-anonymity(2, 5)"], Rule::ExpectedWidth, 1).unwrap_err().to_string();
    assert!(text.contains("too many digits for exact sums"), "{text}");
}

/// A span of 0.6 of all numbers leaves one contiguous group, and two that overlap: found where the pairs
/// of numbers within a group are few enough, and else refused with the limit.
#[test]
fn the_exact_optimum_names_its_limit() {
    let evenly = |n: i64| table(&(0..n).map(|i| Some(i * 100)).collect::<Vec<_>>(), &labels(n as usize));
    let found = |n, e: &str, rule| run(&evenly(n), &[&format!("x: ke-anonymity(2, {e})")], rule, 1);
    let least = |rule| found(2000, "1200", rule).unwrap().objective;
    assert_eq!(least(Rule::MinMax), Some(Objective::GreatestRange(Decimal::from(1999))));
    assert_eq!(least(Rule::MinMaxOverlap), Some(Objective::GreatestRange(Decimal::from(1200))));
    let text = found(10_000, "6000", Rule::MinMaxOverlap).unwrap_err().to_string();
    assert!(text.contains("would look at 50015000 pairs") && text.contains("takes at most 33554432"), "{text}");
    assert!(text.contains("use `min-max`"), "{text}");
}

/// One number has three rows in ten, so that groups along the numbers fail a diversity by the thousand, and
/// a closeness fails for all but groups like the whole: repairs take a few passes, not one per group.
#[test]
fn repairs_of_large_tables_end_soon() {
    let n = 200_000i64;
    let values: Vec<Option<i64>> =
        (0..n).map(|i| Some(if i % 10 < 3 { 0 } else { i * 7919 % 1_000_003 + 100 })).collect();
    let table = table(&values, &labels(n as usize));
    for other in ["x: frequency-l-diversity(3)", "x: t-closeness(0.05, ordered)", "x: proximity-absolute(20, 2)"] {
        let wanted = ["x: ke-anonymity(4, 1)", other];
        let start = std::time::Instant::now();
        let grouped = run(&table, &wanted, Rule::ExpectedWidth, 1).unwrap();
        assert!(holds(&table, &wanted, &grouped));
        assert!(!grouped.optimal && grouped.note.is_some() && grouped.partition.n_groups() > 100, "{other}");
        assert!(start.elapsed().as_secs() < 30, "{other}: {:?}", start.elapsed());
    }
}
