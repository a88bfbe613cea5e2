//! Groups along the order of a sensitive number: on the table of the paper, and on random tables with
//! ties, negative and decimal numbers and nulls. Every group is judged by the definition written out once
//! more and by the principle.

use proptest::prelude::*;
use scumble_method::Coins;
use scumble_method::ke_permutation::{Grouped, KePermutation, Objective, Rule, of_sorted};
use scumble_method::mondrian::Task;
use scumble_principle::{BoundRequirements, Group, Requirement};
use scumble_table::{Attribute, Bag, Code, Codes, Decimal, Domain, Result, Role, Schema, Table};
use std::path::PathBuf;

/// A table with one quasi-identifier, a sensitive number `x` (in hundredths, nulls among them) and a
/// sensitive label `y`.
fn table(numbers: &[Option<i64>], labels: &[Code]) -> Table {
    let mut distinct: Vec<i64> = numbers.iter().flatten().copied().collect();
    distinct.sort_unstable();
    distinct.dedup();
    let code = |x: &Option<i64>| x.map_or(0, |x| distinct.binary_search(&x).unwrap() as Code + 1);
    let domain = Domain::numbers(distinct.iter().map(|&x| Decimal::new(i128::from(x), 2)).collect()).unwrap();
    let nominal = |n: usize| Domain::nominal((0..n).map(|i| format!("l{i}").into()).collect());
    let attribute = |name: &str, role, domain| Attribute { name: name.into(), role, domain };
    let schema = Schema::new(vec![
        attribute("q", Role::Quasi, nominal(4)),
        attribute("x", Role::Sensitive, domain),
        attribute("y", Role::Sensitive, nominal(4)),
    ]);
    let columns: Vec<Codes> = vec![
        (0..numbers.len() as Code).map(|i| i % 4 + 1).collect(),
        numbers.iter().map(code).collect(),
        labels.iter().copied().collect(),
    ];
    Table::new(schema.unwrap(), columns, numbers.len()).unwrap()
}

fn bind(table: &Table, requirements: &[&str]) -> BoundRequirements {
    let requirements: Vec<Requirement> = requirements.iter().map(|text| text.parse().unwrap()).collect();
    BoundRequirements::bind(&requirements, table.schema(), |column| table.whole(column)).unwrap()
}

fn run(table: &Table, requirements: &[&str], rule: Rule, seed: u64) -> Result<Grouped> {
    let bound = bind(table, requirements);
    KePermutation { rule }.partition(&Task {
        table,
        bound: &bound,
        rebind: &|_| Ok(bind(table, requirements)),
        most_suppressed: 0,
        coins: &Coins::from_seed(seed),
        tick: &|_| (),
    })
}

/// Every row in one group, and every group passes the requirements.
fn holds(table: &Table, requirements: &[&str], grouped: &Grouped) -> bool {
    let bound = bind(table, requirements);
    let mut rows = grouped.partition.rows().to_vec();
    rows.sort_unstable();
    let passes = |group: &[u32]| {
        let bag = |column: usize| Bag::from_codes(group.iter().map(|&row| table.column(column).get(row as usize)));
        bound.holds(Group { size: group.len() as u64, bags: &[bag(1), bag(2)] })
    };
    rows == (0..table.n_rows() as u32).collect::<Vec<u32>>() && grouped.partition.groups().all(passes)
}

/// The numbers of each group in hundredths, rising, without nulls.
fn numbers(numbers: &[Option<i64>], grouped: &Grouped) -> Vec<Vec<i64>> {
    let of = |group: &[u32]| {
        let mut own: Vec<i64> = group.iter().filter_map(|&row| numbers[row as usize]).collect();
        own.sort_unstable();
        own
    };
    grouped.partition.groups().map(of).collect()
}

fn range(group: &[i64]) -> i64 {
    group.last().unwrap() - group.first().unwrap()
}

/// Expected width in hundredths.
fn width(group: &[i64]) -> f64 {
    let n = group.len() as i64;
    let pairs: i64 = group.iter().zip(0..).map(|(&x, i): (&i64, i64)| x * (2 * i + 1 - n)).sum();
    pairs as f64 / (n as f64 + 1.0)
}

fn labels(n: usize) -> Vec<Code> {
    (0..n as Code).map(|i| i % 3 + 1).collect()
}

/// The capital losses of the paper's experiments, or nothing where the data is not there.
#[allow(clippy::print_stderr, reason = "tells the reader of a test log what was not tested")]
fn capital_losses() -> Option<Vec<Option<i64>>> {
    let root = std::env::var_os("SCUMBLE_DATA")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"), PathBuf::from);
    let path = root.join("adult/adult_capital_loss_1427.csv");
    let Ok(text) = std::fs::read_to_string(&path) else {
        eprintln!("skipped: {} is not there", path.display());
        return None;
    };
    let mut lines = text.lines();
    let at = lines.next()?.split(',').position(|name| name == "capital_loss")?;
    lines.map(|line| Some(Some(line.split(',').nth(at)?.parse::<i64>().ok()? * 100))).collect()
}

/// What `optimal_ke.py` of the oracle prints for this table, column capital_loss, k 4, e 100: min_sum 2828,
/// min_max 673, max_groups 17.
#[test]
fn paper5_capital_loss() {
    let Some(losses) = capital_losses() else { return };
    assert_eq!(losses.len(), 1427);
    let table = table(&losses, &labels(losses.len()));
    let wanted = ["x: ke-anonymity(4, 100)"];
    let mut widths = Vec::new();
    for rule in Rule::ALL {
        let grouped = run(&table, &wanted, rule, 7).unwrap();
        assert!(holds(&table, &wanted, &grouped), "{rule:?}");
        assert_eq!((grouped.optimal, grouped.missing), (rule != Rule::Random, 0));
        let groups = numbers(&losses, &grouped);
        widths.push(groups.iter().map(|group| width(group)).sum::<f64>());
        let ranges = || groups.iter().map(|group| range(group) / 100);
        match (rule, grouped.objective) {
            (Rule::MinSum, Some(Objective::SumOfRanges(sum))) => {
                assert_eq!((sum, ranges().sum::<i64>(), groups.len()), (Decimal::from(2828), 2828, 12));
            }
            (Rule::MinMax, Some(Objective::GreatestRange(range))) => {
                assert_eq!((range, ranges().max()), (Decimal::from(673), Some(673)));
            }
            (Rule::MinMaxOverlap, Some(Objective::GreatestRange(range))) => {
                assert_eq!(range, Decimal::from(ranges().max().unwrap()));
                assert!(range <= Decimal::from(673));
            }
            (Rule::MaxGroups, Some(Objective::Groups(n))) => assert_eq!((n, groups.len()), (17, 17)),
            (Rule::ExpectedWidth, Some(Objective::ExpectedWidth(width))) => {
                assert!((width * 100.0 - widths[0]).abs() < 1e-3, "{width} {}", widths[0]);
            }
            (Rule::Random, None) => {}
            (rule, objective) => panic!("{rule:?} {objective:?}"),
        }
    }
    assert!(widths[1..].iter().all(|&other| widths[0] <= other), "{widths:?}");
}

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
            vec!["x: variance(20)"], vec!["x: t-closeness(0.3, ordered)"],
        ]),
    ) {
        let table = table(&values, &labels);
        let wanted = format!("x: ke-anonymity({k}, {e})");
        let mut all = others.clone();
        all.push(&wanted);
        let bags = [table.whole(1), table.whole(2)];
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
        tick: &|_| (),
    };
    let text = KePermutation { rule: Rule::MinSum }.partition(&task).unwrap_err().to_string();
    assert!(text.contains("none is suppressed"), "{text}");
}

#[test]
fn sorted_numbers_alone() {
    let numbers = [1, 2, 3, 5, 5, 6, 6, 8];
    assert_eq!(of_sorted(Rule::MinSum, &numbers, 2, 1).unwrap().starts(), [0, 2, 5, 8]);
    assert_eq!(of_sorted(Rule::MinMaxOverlap, &numbers, 4, 5).unwrap().n_groups(), 2);
    assert_eq!(of_sorted(Rule::ExpectedWidth, &numbers, 1, 0).unwrap().n_groups(), 8);
    let text = of_sorted(Rule::MinSum, &numbers, 7, 1).unwrap_err().to_string();
    assert!(text.contains("there are 6 different numbers; hint: they span 7"), "{text}");
    assert!(of_sorted(Rule::MinSum, &[], 1, 0).is_err() && of_sorted(Rule::MinSum, &[2, 1], 1, 0).is_err());
    assert!(of_sorted(Rule::Random, &numbers, 2, 1).unwrap_err().to_string().contains("no optimum"));
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
