//! (epsilon, m)-anonymity on thousands of small random tables, judged by the definition written out
//! once more: every group passes, every row is in one group, and what is feasible is found.

use proptest::prelude::*;
use scumble_method::Coins;
use scumble_method::epsilon_m::{Aim, EpsilonM};
use scumble_method::{Profile, Task, Variant};
use scumble_principle::{BoundRequirements, Requirement};
use scumble_table::{
    Attribute, Bag, Code, Codes, Decimal, Domain, Hierarchy, Monitor, Partition, Result, Role, Schema, Table,
};
use std::sync::Arc;

/// The three forms, in hundredths and thousandths so that the naive test needs no fractions.
#[derive(Debug, Clone, Copy)]
enum Form {
    /// Below and above, in hundredths.
    Interval(i64, i64),
    /// In thousandths.
    Relative(i64),
}

impl Form {
    fn requirement(self, m: u64) -> Requirement {
        let hundredths = |e: i64| Decimal::new(i128::from(e), 2);
        let text = match self {
            Form::Interval(a, b) if a == b => format!("proximity-absolute({}, {m})", hundredths(a)),
            Form::Interval(a, b) => format!("proximity-interval({}, {}, {m})", hundredths(a), hundredths(b)),
            Form::Relative(e) => format!("proximity-relative({}, {m})", Decimal::new(i128::from(e), 3)),
        };
        text.parse().unwrap()
    }

    /// Is y near x? Both in hundredths.
    fn near(self, x: i64, y: i64) -> bool {
        match self {
            Form::Interval(below, above) => x - below <= y && y <= x + above,
            Form::Relative(e) => 1000 * (x - y).abs() <= e * x.abs(),
        }
    }

    fn holds(self, m: u64, group: &[i64]) -> bool {
        let near = |&x: &i64| group.iter().filter(|&&y| self.near(x, y)).count() as u64;
        !group.is_empty() && group.iter().all(|x| near(x) * m <= group.len() as u64)
    }

    /// Theorem 1: the most rows at or below a row that conflict with it.
    fn feasible(self, m: u64, values: &[i64]) -> bool {
        let conflict = |x: i64, y: i64| self.near(x, y) || self.near(y, x);
        let left = |&x: &i64| values.iter().filter(|&&y| y <= x && conflict(x, y)).count() as u64;
        !values.is_empty() && values.iter().map(left).max().unwrap() * m <= values.len() as u64
    }
}

/// A table with an interval, a set and a tree as quasi-identifiers, one number and one label sensitive.
#[derive(Debug, Clone)]
struct Case {
    table: Table,
    /// The sensitive numbers in hundredths.
    values: Vec<i64>,
}

fn case(rows: Vec<(Code, Code, Code, i64, Code)>) -> Case {
    let values: Vec<i64> = rows.iter().map(|row| row.3).collect();
    let mut distinct = values.clone();
    distinct.sort_unstable();
    distinct.dedup();
    let labels = |n: usize| Domain::nominal((0..n).map(|i| format!("l{i}").into()).collect());
    let lines: Vec<Vec<String>> =
        (0..6).map(|i| vec![format!("l{i}"), format!("g{}", i / 2), "*".to_string()]).collect();
    let tree = Arc::new(Hierarchy::from_rows("h", &lines, &[1, 2, 3, 4, 5, 6]).unwrap());
    let numbers = Domain::numbers((0..9).map(|i| Decimal::from(i * i)).collect()).unwrap();
    let secret = Domain::numbers(distinct.iter().map(|&v| Decimal::new(i128::from(v), 2)).collect()).unwrap();
    let code = |v: i64| distinct.binary_search(&v).unwrap() as Code + 1;
    let columns: Vec<(Role, Domain, Codes)> = vec![
        (Role::Quasi, numbers, rows.iter().map(|row| row.0).collect()),
        (Role::Quasi, labels(5), rows.iter().map(|row| row.1).collect()),
        (Role::Quasi, labels(6).with_hierarchy("h", "c2", tree).unwrap(), rows.iter().map(|row| row.2).collect()),
        (Role::Sensitive, secret, rows.iter().map(|row| code(row.3)).collect()),
        (Role::Sensitive, labels(3), rows.iter().map(|row| row.4).collect()),
    ];
    let attribute = |(i, (role, domain, _)): (usize, &(Role, Domain, Codes))| Attribute {
        name: format!("c{i}"),
        role: *role,
        domain: domain.clone(),
    };
    let schema = Schema::new(columns.iter().enumerate().map(attribute).collect()).unwrap();
    let table = Table::new(schema, columns.into_iter().map(|column| column.2).collect(), rows.len()).unwrap();
    Case { table, values }
}

fn cases() -> impl Strategy<Value = Case> {
    let value = prop_oneof![3 => -4000i64..20000, 2 => (0i64..12).prop_map(|v| v * 1000), 1 => Just(0i64)];
    prop::collection::vec((0u32..10, 0u32..6, 0u32..7, value, 0u32..4), 1..60).prop_map(case)
}

fn forms() -> impl Strategy<Value = Form> {
    prop_oneof![
        (0i64..3000).prop_map(|e| Form::Interval(e, e)),
        Just(Form::Interval(1000, 1000)),
        (0i64..2000, 0i64..3000).prop_map(|(a, b)| Form::Interval(a, b)),
        (0i64..1000).prop_map(Form::Relative),
    ]
}

/// The paper's variant, and every profile of ours.
const WAYS: [(Variant, Profile); 4] = [
    (Variant::Paper, Profile::Standard),
    (Variant::Ours, Profile::Hardened),
    (Variant::Ours, Profile::Standard),
    (Variant::Ours, Profile::MaxUtility),
];

fn ways() -> impl Strategy<Value = EpsilonM> {
    (prop::sample::select(WAYS.to_vec()), prop::sample::select(Aim::ALL.to_vec()))
        .prop_map(|((variant, profile), aim)| EpsilonM { variant, profile, aim })
}

fn bind(table: &Table, requirements: &[Requirement]) -> BoundRequirements {
    BoundRequirements::bind(requirements, table.schema(), |column| table.column_bag(column)).unwrap()
}

fn run(case: &Case, requirements: &[Requirement], way: EpsilonM, seed: u64) -> Result<Partition> {
    let bound = bind(&case.table, requirements);
    way.partition(&Task {
        table: &case.table,
        bound: &bound,
        rebind: &|_| Ok(bind(&case.table, requirements)),
        most_suppressed: 0,
        coins: &Coins::from_seed(seed),
        monitor: Monitor::silent(),
    })
}

fn values(case: &Case, group: &[u32]) -> Vec<i64> {
    group.iter().map(|&row| case.values[row as usize]).collect()
}

fn is_whole(partition: &Partition, n: usize) -> bool {
    let mut rows = partition.rows().to_vec();
    rows.sort_unstable();
    rows == (0..n as u32).collect::<Vec<u32>>()
}

proptest! {
    #![proptest_config(ProptestConfig { max_global_rejects: 100_000, ..ProptestConfig::with_cases(4000) })]

    #[test]
    fn what_is_feasible_is_found_and_holds(case in cases(), form in forms(), m in 1u64..7, way in ways(), seed in 0u64..1000) {
        prop_assume!(form.feasible(m, &case.values));
        let requirement = form.requirement(m).on("c3");
        let partition = run(&case, &[requirement], way, seed).unwrap();
        prop_assert!(is_whole(&partition, case.values.len()));
        for group in partition.groups() {
            prop_assert!(form.holds(m, &values(&case, group)), "{:?} fails {form:?}, m {m}", values(&case, group));
            if way.variant == Variant::Ours && way.profile != Profile::Hardened {
                prop_assert!((group.len() as u64) < 2 * m, "a group of {} for m {m}", group.len());
            }
        }
    }

    #[test]
    fn other_requirements_hold_too(
        case in cases(), form in forms(), m in 1u64..5, way in ways(),
        others in prop::sample::select(vec![
            vec!["k-anonymity(2)"], vec!["k-anonymity(7)"], vec!["c4: distinct-l-diversity(2)"],
            vec!["c4: frequency-l-diversity(2)", "k-anonymity(3)"], vec!["c4: t-closeness(0.4)"],
            vec!["c3: variance(1)"], vec!["c3: proximity-absolute(0.5, 2)"],
        ]),
    ) {
        let mut requirements: Vec<Requirement> = others.iter().map(|text| text.parse().unwrap()).collect();
        requirements.push(form.requirement(m).on("c3"));
        let bound = bind(&case.table, &requirements);
        let bags: Vec<Bag> = [3, 4].map(|column| case.table.column_bag(column)).to_vec();
        let whole = scumble_principle::Group { size: case.values.len() as u64, bags: &bags };
        prop_assume!(bound.feasible(whole).is_ok());
        let Ok(partition) = run(&case, &requirements, way, 5) else { return Ok(()) };
        prop_assert!(is_whole(&partition, case.values.len()));
        for group in partition.groups() {
            let bag = |column: usize| Bag::from_codes(group.iter().map(|&row| case.table.column(column).get(row as usize)));
            let bags = [bag(3), bag(4)];
            let passes = bound.holds(scumble_principle::Group { size: group.len() as u64, bags: &bags });
            prop_assert!(passes);
            prop_assert!(form.holds(m, &values(&case, group)));
        }
    }

    #[test]
    fn threads_leave_no_trace(case in cases(), way in ways()) {
        let requirement = Form::Interval(500, 500).requirement(2).on("c3");
        prop_assume!(Form::Interval(500, 500).feasible(2, &case.values));
        let with = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| run(&case, std::slice::from_ref(&requirement), way, 9).unwrap())
        };
        let (one, eight) = (with(1), with(8));
        prop_assert_eq!(one.rows(), eight.rows());
    }
}

/// k-anonymity with k above m is met by construction as long as k rows can be kept apart.
#[test]
fn a_larger_k_is_met_by_construction() {
    let rows = (0..40).map(|i| (i % 9 + 1, i % 5 + 1, i % 6 + 1, i64::from(i) * 100, 1)).collect();
    let case = case(rows);
    let requirements = ["c3: proximity-absolute(2, 3)".parse().unwrap(), "k-anonymity(8)".parse().unwrap()];
    for (variant, profile) in WAYS.into_iter().skip(1) {
        let partition = run(&case, &requirements, EpsilonM { variant, profile, aim: Aim::Loss }, 1).unwrap();
        let sizes: Vec<usize> = partition.groups().map(<[u32]>::len).collect();
        assert!(sizes.iter().all(|&size| (8..16).contains(&size)), "{sizes:?}");
    }
}

#[test]
fn paper1_table1_is_divided() {
    // Ages, zip codes as labels, salaries in hundredths.
    let salaries = [1000, 1010, 1020, 50000, 16000, 24000, 33000, 31000];
    let case = case(salaries.iter().enumerate().map(|(i, &s)| (i as Code + 1, 1, 1, s * 100, 1)).collect());
    let form = Form::Interval(2000, 1_000_000);
    for (variant, profile) in WAYS {
        let way = EpsilonM { variant, profile, aim: Aim::Loss };
        let partition = run(&case, &[form.requirement(2).on("c3")], way, 1).unwrap();
        assert!(partition.groups().all(|group| form.holds(2, &values(&case, group))));
    }
}

#[test]
fn suppression_and_foreign_requirements_are_refused() {
    let case = case((0..9).map(|i| (1, 1, 1, i64::from(i) * 100, 1)).collect());
    let way = EpsilonM { aim: Aim::Loss, ..EpsilonM::default() };
    let message = run(&case, &["k-anonymity(2)".parse().unwrap()], way, 1).unwrap_err().to_string();
    assert!(message.contains("no requirement is about proximity"), "{message}");
    let requirements = ["c3: proximity-absolute(0, 2)".parse().unwrap()];
    let bound = bind(&case.table, &requirements);
    let task = Task {
        table: &case.table,
        bound: &bound,
        rebind: &|_| Ok(bind(&case.table, &requirements)),
        most_suppressed: 1,
        coins: &Coins::from_seed(1),
        monitor: Monitor::silent(),
    };
    assert!(way.partition(&task).unwrap_err().to_string().contains("none is suppressed"));
}
