//! Buckets and batches of ANGEL on thousands of small random tables with every kind of column.

mod batches;
mod buckets;
mod paper4;
mod threads;

use proptest::prelude::*;
use scumble_method::Coins;
use scumble_method::Task;
use scumble_method::{Angel, Profile, Variant};
use scumble_principle::{BoundRequirements, Group, Requirement};
use scumble_table::{
    Attribute, Bag, Code, Codes, Decimal, Domain, Hierarchy, Kind, Monitor, Partition, Result, Role, Schema, Table,
    date_text,
};
use std::sync::Arc;

fn labels(n: usize) -> Vec<Box<str>> {
    (0..n).map(|i| format!("l{i}").into()).collect()
}

fn numbers(texts: impl IntoIterator<Item = String>) -> Domain {
    Domain::numbers(texts.into_iter().map(|text| Decimal::parse(&text).unwrap()).collect()).unwrap()
}

/// Pairs below fours below the root; the last value, if `filled`, hangs at the root by labels that repeat the root's.
fn tree(values: &[String], filled: bool) -> Arc<Hierarchy> {
    let rows: Vec<Vec<String>> = values
        .iter()
        .enumerate()
        .map(|(i, value)| {
            let (pair, four) = match filled && i + 2 >= values.len() {
                true => ("*".to_string(), "*".to_string()),
                false => (format!("pair {}", i / 2), format!("four {}", i / 4)),
            };
            vec![value.clone(), pair, four, "*".into()]
        })
        .collect();
    let lines: Vec<u64> = (1..=values.len() as u64).collect();
    Arc::new(Hierarchy::from_rows("h", &rows, &lines).unwrap())
}

/// A domain of `n` values of one of the kinds that a quasi-identifier can have.
fn domain(kind: usize, n: usize) -> Domain {
    let squares = (0..n).map(|i| (i * i) as i32);
    let with = |domain: Domain, filled: bool| {
        let values: Vec<String> = domain.codes().map(|code| domain.text(code).into_owned()).collect();
        domain.with_hierarchy("h", "c", tree(&values, filled)).unwrap()
    };
    match kind {
        0 => numbers(squares.map(|v| (v - 3).to_string())),
        1 => numbers(squares.map(|v| format!("{}.{}", v / 10, v % 10))),
        2 => Domain::dates(squares.collect()),
        3 => Domain::ordinal(labels(n)),
        4 => Domain::nominal(labels(n)),
        5 => with(Domain::nominal(labels(n)), false),
        6 => with(Domain::nominal(labels(n)), true),
        7 => with(numbers(squares.map(|v| v.to_string())), false),
        _ => with(Domain::dates(squares.collect()), false),
    }
}

/// The kinds that [`domain`] knows.
const KINDS: usize = 9;

/// One to four quasi-identifiers of any kind, a sensitive label and a sensitive number; nulls where `nulls`.
fn tables(nulls: bool) -> impl Strategy<Value = Table> {
    let quasi = prop::collection::vec((0..KINDS, 1usize..10), 1..5);
    (quasi, 1usize..60, 1usize..6).prop_flat_map(move |(quasi, n, s)| {
        let least = Code::from(!nulls);
        let column = move |size: usize| prop::collection::vec(least..=size as Code, n);
        let codes: Vec<_> = quasi.iter().map(|&(_, size)| column(size)).chain([column(s), column(5)]).collect();
        codes.prop_map(move |codes| {
            let mut attributes: Vec<Attribute> = quasi
                .iter()
                .enumerate()
                .map(|(i, &(kind, size))| Attribute {
                    name: format!("q{i}"),
                    role: Role::Quasi,
                    domain: domain(kind, size),
                })
                .collect();
            attributes.push(Attribute { name: "s".into(), role: Role::Sensitive, domain: Domain::nominal(labels(s)) });
            attributes.push(Attribute { name: "t".into(), role: Role::Sensitive, domain: domain(0, 5) });
            let columns = codes.into_iter().map(|codes| codes.into_iter().collect::<Codes>()).collect();
            Table::new(Schema::new(attributes).unwrap(), columns, n).unwrap()
        })
    })
}

fn angels() -> impl Strategy<Value = Angel> {
    let variant = prop::sample::select(vec![Variant::Ours, Variant::Ours, Variant::Ours, Variant::Paper]);
    let profile = prop::sample::select(vec![Profile::MaxUtility, Profile::Standard, Profile::Hardened]);
    (1u64..8, variant, profile).prop_map(|(k, variant, profile)| Angel { k, variant, profile })
}

fn quasi(table: &Table) -> Vec<usize> {
    table.schema().of_role(Role::Quasi)
}

fn bound(table: &Table, texts: &[&str]) -> BoundRequirements {
    let requirements: Vec<Requirement> = texts.iter().map(|text| text.parse().unwrap()).collect();
    BoundRequirements::bind(&requirements, table.schema(), |column| table.column_bag(column)).unwrap()
}

fn buckets(angel: &Angel, table: &Table, seed: u64) -> Partition {
    angel.buckets(table, &quasi(table), &Coins::from_seed(seed), Monitor::silent()).unwrap()
}

fn batches(
    angel: &Angel,
    table: &Table,
    bound: &BoundRequirements,
    buckets: &Partition,
    seed: u64,
) -> Result<Partition> {
    let task = Task {
        table,
        bound,
        rebind: &|_| unreachable!("nothing is suppressed"),
        most_suppressed: 0,
        coins: &Coins::from_seed(seed),
        monitor: Monitor::silent(),
    };
    angel.batches(&task, buckets)
}

fn holds(table: &Table, bound: &BoundRequirements, rows: &[u32]) -> bool {
    let bag = |column: usize| Bag::from_codes(rows.iter().map(|&row| table.column(column).get(row as usize)));
    let bags: Vec<Bag> = table.schema().of_role(Role::Sensitive).into_iter().map(bag).collect();
    bound.holds(Group { size: rows.len() as u64, bags: &bags })
}

/// The codes of a column in some rows.
fn codes<'a>(table: &'a Table, column: usize, rows: &'a [u32]) -> impl Iterator<Item = Code> + Clone + 'a {
    rows.iter().map(move |&row| table.column(column).get(row as usize))
}

/// The text of every point of a domain that a group's box covers: values between the ends also where no row has them.
fn points(table: &Table, column: usize, rows: &[u32]) -> Vec<String> {
    let domain = &table.attribute(column).domain;
    let mut held: Vec<Code> = codes(table, column, rows).collect();
    held.sort_unstable();
    held.dedup();
    let (first, last) = (held[0], held[held.len() - 1]);
    let all = |codes: &[Code]| codes.iter().map(|&code| domain.text(code).into_owned()).collect::<Vec<_>>();
    if held.len() == 1 {
        return all(&held);
    }
    // Null among values is `*`: all values, and null.
    if first == 0 {
        let mut points = vec![String::new()];
        points.extend(covered(domain, 1, domain.len() as Code, &held));
        return points;
    }
    covered(domain, first, last, &held)
}

/// The points of the box over values from `low` to `high`, of which some are held.
fn covered(domain: &Domain, low: Code, high: Code, held: &[Code]) -> Vec<String> {
    let null = held[0] == 0;
    if let Some(tree) = domain.hierarchy() {
        let leaves = held.iter().filter_map(|&code| domain.leaf(code));
        let over = tree.lowest_over(leaves.clone().min().unwrap(), leaves.max().unwrap());
        let node = tree.node(if null { tree.root() } else { over });
        return (node.first_leaf..node.end_leaf).map(|leaf| tree.value(leaf).to_string()).collect();
    }
    let text = |code: Code| domain.text(code).into_owned();
    match domain.amount(low).zip(domain.amount(high)) {
        Some((low, high)) if domain.kind() == Kind::Date => (low..=high).map(|day| date_text(day as i32)).collect(),
        Some((low, high)) => (low..=high).map(|unit| Decimal::new(unit, domain.scale()).to_string()).collect(),
        None if domain.kind().is_ordered() || null => (low..=high).map(text).collect(),
        None => held.iter().map(|&code| text(code)).collect(),
    }
}
