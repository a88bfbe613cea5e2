//! Mondrian on thousands of small random tables: every group passes, nothing is lost, no group
//! could have been cut, and the number of threads leaves no trace.

use proptest::prelude::*;
use scumble_method::Coins;
use scumble_method::mondrian::{CutRule, Mondrian};
use scumble_method::{Profile, Task};
use scumble_principle::{BoundRequirements, Group, Requirement};
use scumble_table::{Attribute, Bag, Code, Codes, Decimal, Domain, Hierarchy, Monitor, Partition, Role, Schema, Table};
use std::sync::Arc;

/// A column of a random table.
#[derive(Debug, Clone)]
struct Column {
    role: Role,
    domain: Domain,
    codes: Vec<Code>,
}

fn table(columns: Vec<Column>) -> Table {
    let n = columns[0].codes.len();
    let mut attributes = Vec::new();
    let mut codes = Vec::new();
    for (i, column) in columns.into_iter().enumerate() {
        attributes.push(Attribute { name: format!("c{i}"), role: column.role, domain: column.domain });
        codes.push(column.codes.into_iter().collect::<Codes>());
    }
    Table::new(Schema::new(attributes).unwrap(), codes, n).unwrap()
}

fn numbers(values: &[i64]) -> Domain {
    Domain::numbers(values.iter().map(|&v| Decimal::from(v)).collect()).unwrap()
}

fn labels(n: usize) -> Domain {
    Domain::nominal((0..n).map(|i| format!("l{i}").into()).collect())
}

fn tree(n: usize) -> Domain {
    let rows: Vec<Vec<String>> =
        (0..n).map(|i| vec![format!("l{i}"), format!("g{}", i / 2), format!("h{}", i / 4), "*".into()]).collect();
    let lines: Vec<u64> = (1..=n as u64).collect();
    labels(n).with_hierarchy("h", "c", Arc::new(Hierarchy::from_rows("h", &rows, &lines).unwrap())).unwrap()
}

/// Random tables with an interval, a flat nominal, a hierarchy and a sensitive column; nulls in all.
fn tables() -> impl Strategy<Value = Table> {
    (1usize..40, 1usize..6, 1usize..7, 1usize..5).prop_flat_map(|(n, v, l, s)| {
        let column = |size: usize| prop::collection::vec(0..=size as Code, n);
        (column(v), column(l), column(8), column(s)).prop_map(move |(a, b, c, sensitive)| {
            let spread: Vec<i64> = (0..v as i64).map(|i| i * i).collect();
            table(vec![
                Column { role: Role::Quasi, domain: numbers(&spread), codes: a },
                Column { role: Role::Quasi, domain: labels(l), codes: b },
                Column { role: Role::Quasi, domain: tree(8), codes: c },
                Column { role: Role::Sensitive, domain: labels(s), codes: sensitive },
            ])
        })
    })
}

fn rules() -> impl Strategy<Value = Mondrian> {
    (
        prop::sample::select(vec![CutRule::LeastLoss, CutRule::WidestMedian]),
        any::<bool>(),
        prop::sample::select(vec![Profile::MaxUtility, Profile::Standard, Profile::Hardened]),
    )
        .prop_map(|(cuts, relaxed, profile)| Mondrian { cuts, relaxed, profile })
}

fn requirements() -> impl Strategy<Value = Vec<Requirement>> {
    prop::sample::select(vec![
        vec!["k-anonymity(2)"],
        vec!["k-anonymity(5)"],
        vec!["k-anonymity(3)", "distinct-l-diversity(2)"],
        vec!["frequency-l-diversity(2)"],
        vec!["t-closeness(0.3)"],
        vec!["beta-likeness(0.6)"],
        vec!["beta-likeness(0.8, enhanced-two-sided)"],
        vec!["delta-disclosure(1)"],
        vec!["k-anonymity(2)", "t-closeness(0.5)", "entropy-l-diversity(1.5)"],
        vec!["alpha-k-anonymity(0.7, 3)"],
    ])
    .prop_map(|texts| texts.iter().map(|text| text.parse().unwrap()).collect())
}

fn bags(table: &Table, rows: &[u32]) -> Vec<Bag> {
    let sensitive = table.schema().of_role(Role::Sensitive);
    sensitive.iter().map(|&c| Bag::from_codes(rows.iter().map(|&row| table.column(c).get(row as usize)))).collect()
}

fn holds(table: &Table, bound: &BoundRequirements, rows: &[u32]) -> bool {
    bound.holds(Group { size: rows.len() as u64, bags: &bags(table, rows) })
}

fn bind(table: &Table, requirements: &[Requirement], rows: &[u32]) -> BoundRequirements {
    BoundRequirements::bind(requirements, table.schema(), |c| {
        Bag::from_codes(rows.iter().map(|&row| table.column(c).get(row as usize)))
    })
    .unwrap()
}

fn run(
    table: &Table,
    requirements: &[Requirement],
    rule: &Mondrian,
    most_suppressed: usize,
) -> Option<(Partition, BoundRequirements)> {
    let all: Vec<u32> = (0..table.n_rows() as u32).collect();
    let bound = bind(table, requirements, &all);
    if !holds(table, &bound, &all) {
        return None;
    }
    let task = Task {
        table,
        bound: &bound,
        rebind: &|rows| Ok(bind(table, requirements, rows)),
        most_suppressed,
        coins: &Coins::from_seed(3),
        monitor: Monitor::silent(),
    };
    let partition = rule.partition(&task).unwrap();
    Some((partition, bound))
}

/// Loss of a group by the definition: NCP summed over the quasi-identifiers, suppressed rows 1 each.
fn ncp(table: &Table, rows: &[u32]) -> f64 {
    let quasi = table.schema().of_role(Role::Quasi);
    quasi
        .iter()
        .map(|&c| {
            let domain = &table.attribute(c).domain;
            let mut codes: Vec<Code> = rows.iter().map(|&row| table.column(c).get(row as usize)).collect();
            codes.sort_unstable();
            codes.dedup();
            let (first, last) = (codes[0], codes[codes.len() - 1]);
            if codes.len() == 1 {
                0.0
            } else if first == 0 {
                1.0
            } else if let Some(tree) = domain.hierarchy() {
                let leaves = codes.iter().filter_map(|&code| domain.leaf(code));
                let node = tree.node(tree.lowest_over(leaves.clone().min().unwrap(), leaves.max().unwrap()));
                let under = domain
                    .codes()
                    .filter(|&c| domain.leaf(c).is_some_and(|l| (node.first_leaf..node.end_leaf).contains(&l)))
                    .count();
                (under - 1) as f64 / (domain.len() - 1) as f64
            } else if domain.kind().is_ordered() {
                (domain.place(last) - domain.place(first)) / (domain.place(domain.len() as Code) - domain.place(1))
            } else {
                (codes.len() - 1) as f64 / (domain.len() - 1) as f64
            }
        })
        .sum()
}

fn loss(table: &Table, partition: &Partition) -> f64 {
    let groups: f64 = partition.groups().map(|rows| rows.len() as f64 * ncp(table, rows)).sum();
    groups + (partition.n_suppressed() * table.schema().of_role(Role::Quasi).len()) as f64
}

/// Every straight cut of a group: on each attribute, every threshold of ordered values, every
/// single label or child against the rest.
fn straight_cuts(table: &Table, rows: &[u32]) -> Vec<(Vec<u32>, Vec<u32>)> {
    let mut cuts = Vec::new();
    for c in table.schema().of_role(Role::Quasi) {
        let code = |row: u32| table.column(c).get(row as usize);
        let domain = &table.attribute(c).domain;
        for at in 0..domain.n_codes() as Code {
            let side = |row: &u32| if domain.kind().is_ordered() { code(*row) <= at } else { code(*row) == at };
            // A hierarchy is cut between children, so a single leaf is a side only at the lowest level.
            if domain.hierarchy().is_none() {
                cuts.push(rows.iter().copied().partition(side));
            }
        }
    }
    cuts.retain(|(a, b): &(Vec<u32>, Vec<u32>)| !a.is_empty() && !b.is_empty());
    cuts
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn every_group_passes_and_no_row_is_lost(table in tables(), rule in rules(), requirements in requirements()) {
        if let Some((partition, bound)) = run(&table, &requirements, &rule, 0) {
            prop_assert_eq!(partition.n_suppressed(), 0);
            for rows in partition.groups() {
                prop_assert!(holds(&table, &bound, rows));
            }
        }
    }

    #[test]
    fn no_group_could_have_been_cut_straight(table in tables(), relaxed in any::<bool>(), requirements in requirements()) {
        let rule = Mondrian { cuts: CutRule::LeastLoss, relaxed, profile: Profile::MaxUtility };
        if let Some((partition, bound)) = run(&table, &requirements, &rule, 0) {
            for rows in partition.groups() {
                for (a, b) in straight_cuts(&table, rows) {
                    prop_assert!(!(holds(&table, &bound, &a) && holds(&table, &bound, &b)), "{a:?} | {b:?}");
                }
            }
        }
    }

    #[test]
    fn suppression_stays_within_its_bound_and_lowers_the_loss(table in tables(), rule in rules(), requirements in requirements(), most in 0usize..8) {
        if let Some((all, _)) = run(&table, &requirements, &rule, 0) {
            let (fewer, _) = run(&table, &requirements, &rule, most).unwrap();
            prop_assert!(fewer.n_suppressed() <= most);
            prop_assert!(loss(&table, &fewer) <= loss(&table, &all) + 1e-9);
            // Everything is judged on what is published.
            let bound = bind(&table, &requirements, fewer.rows());
            for rows in fewer.groups() {
                prop_assert!(holds(&table, &bound, rows));
            }
        }
    }

    #[test]
    fn strict_groups_of_ordered_values_do_not_overlap(table in tables()) {
        let rule = Mondrian { cuts: CutRule::LeastLoss, relaxed: false, profile: Profile::MaxUtility };
        let requirements: Vec<Requirement> = vec!["k-anonymity(2)".parse().unwrap()];
        if let Some((partition, _)) = run(&table, &requirements, &rule, 0) {
            // Equal rows never part.
            let quasi = table.schema().of_role(Role::Quasi);
            let mut home = std::collections::BTreeMap::new();
            for (group, rows) in partition.groups().enumerate() {
                for &row in rows {
                    let key: Vec<Code> = quasi.iter().map(|&c| table.column(c).get(row as usize)).collect();
                    prop_assert_eq!(*home.entry(key).or_insert(group), group);
                }
            }
        }
    }
}

/// A table large enough for forks, samples and wide lanes.
fn large(n: usize) -> Table {
    let mut state = 1u64;
    let mut draw = move |bound: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) % bound) as Code
    };
    let column = |draw: &mut dyn FnMut(u64) -> Code, size: u64| (0..n).map(|_| draw(size + 1)).collect::<Vec<Code>>();
    let wide: Vec<i64> = (0..5000).collect();
    table(vec![
        Column { role: Role::Quasi, domain: numbers(&wide), codes: column(&mut draw, 5000) },
        Column { role: Role::Quasi, domain: labels(90), codes: column(&mut draw, 90) },
        Column { role: Role::Quasi, domain: tree(8), codes: column(&mut draw, 8) },
        Column { role: Role::Sensitive, domain: labels(12), codes: column(&mut draw, 12) },
    ])
}

#[test]
fn threads_leave_no_trace() {
    let table = large(60_000);
    for texts in [&["k-anonymity(5)"][..], &["k-anonymity(3)", "frequency-l-diversity(3)"]] {
        let requirements: Vec<Requirement> = texts.iter().map(|text| text.parse().unwrap()).collect();
        for relaxed in [false, true] {
            let rule = Mondrian { cuts: CutRule::LeastLoss, relaxed, profile: Profile::Standard };
            let with = |threads| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                pool.install(|| run(&table, &requirements, &rule, 100).unwrap().0)
            };
            let one = with(1);
            assert!(one.n_groups() > 1000, "{}", one.n_groups());
            assert_eq!(one, with(2));
            assert_eq!(one, with(8));
        }
    }
}

#[test]
fn the_best_cut_loses_less_than_the_median_of_the_widest() {
    let table = large(20_000);
    let requirements: Vec<Requirement> = vec!["k-anonymity(5)".parse().unwrap()];
    let of = |cuts| {
        loss(
            &table,
            &run(&table, &requirements, &Mondrian { cuts, relaxed: false, profile: Profile::MaxUtility }, 0).unwrap().0,
        )
    };
    let (best, median) = (of(CutRule::LeastLoss), of(CutRule::WidestMedian));
    assert!(best < 0.95 * median, "{best} against {median}");
}

/// A column with nearly as many labels as rows must not make the tree deep or its memory large.
#[test]
fn many_labels_do_not_overflow_the_stack() {
    let n = 120_000u32;
    let labels = Domain::nominal((0..n / 3).map(|i| format!("l{i:06}").into()).collect());
    let table = table(vec![
        Column { role: Role::Quasi, domain: labels, codes: (0..n).map(|i| i / 3 + 1).collect() },
        Column { role: Role::Sensitive, domain: numbers(&[0, 1, 2]), codes: (0..n).map(|i| i % 3 + 1).collect() },
    ]);
    let requirements: Vec<Requirement> = vec!["k-anonymity(5)".parse().unwrap()];
    let rule = Mondrian { cuts: CutRule::LeastLoss, relaxed: false, profile: Profile::MaxUtility };
    let (partition, _) = run(&table, &requirements, &rule, 0).unwrap();
    assert!(partition.n_groups() > 15_000, "{}", partition.n_groups());
}
