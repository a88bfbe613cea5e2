//! Groups along the order of a sensitive number: on the table of the paper, on random tables with ties,
//! negative and decimal numbers and nulls, and at the edges. Every group is judged by the definition written
//! out once more and by the principle.

mod capital_loss;
mod edges;
mod random_tables;

use scumble_method::Coins;
use scumble_method::Task;
use scumble_method::ke_permutation::{Grouped, KePermutation, Rule};
use scumble_principle::{BoundRequirements, Group, Requirement};
use scumble_table::{Attribute, Bag, Code, Codes, Decimal, Domain, Monitor, Result, Role, Schema, Table};

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
    BoundRequirements::bind(&requirements, table.schema(), |column| table.column_bag(column)).unwrap()
}

fn run(table: &Table, requirements: &[&str], rule: Rule, seed: u64) -> Result<Grouped> {
    let bound = bind(table, requirements);
    KePermutation { rule }.partition(&Task {
        table,
        bound: &bound,
        rebind: &|_| Ok(bind(table, requirements)),
        most_suppressed: 0,
        coins: &Coins::from_seed(seed),
        monitor: Monitor::silent(),
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
