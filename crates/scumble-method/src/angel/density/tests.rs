//! The gain of the best cut against the definition, over all cuts of small tables.

use super::*;
use crate::mondrian::axes_along;
use crate::mondrian::rows::pack;
use proptest::prelude::*;
use scumble_table::{Attribute, Code, Codes, Domain, Hierarchy, Role, Schema, Table};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Values of each column.
const VALUES: usize = 6;

/// A column of squares, one of labels, and one of labels in pairs below threes.
fn table(columns: [Vec<Code>; 3]) -> Table {
    let labels = || Domain::nominal((0..VALUES).map(|i| format!("l{i}").into()).collect());
    let rows: Vec<Vec<String>> =
        (0..VALUES).map(|i| vec![format!("l{i}"), format!("pair {}", i / 2), "*".into()]).collect();
    let tree = Arc::new(Hierarchy::from_rows("h", &rows, &[1, 2, 3, 4, 5, 6]).unwrap());
    let squares = Domain::numbers((0..VALUES as i64).map(|i| (i * i).into()).collect()).unwrap();
    let domains = [squares, labels(), labels().with_hierarchy("h", "c", tree).unwrap()];
    let attribute = |(i, domain)| Attribute { name: format!("q{i}"), role: Role::Quasi, domain };
    let schema = Schema::new(domains.into_iter().enumerate().map(attribute).collect()).unwrap();
    let n = columns[0].len();
    Table::new(schema, columns.map(|codes| codes.into_iter().collect::<Codes>()).to_vec(), n).unwrap()
}

/// |R| by the definition, for codes of one of the three columns.
fn points(column: usize, codes: &[Code]) -> f64 {
    let mut held = codes.to_vec();
    held.sort_unstable();
    held.dedup();
    let (low, high) = (held[0], held[held.len() - 1]);
    let square = |code: Code| f64::from((code - 1) * (code - 1));
    match (held.len(), low, column) {
        (1, ..) => 1.0,
        (_, 0, 0) => square(VALUES as Code) + 2.0,
        (_, 0, _) => VALUES as f64 + 1.0,
        (_, _, 0) => square(high) - square(low) + 1.0,
        (n, _, 1) => n as f64,
        _ => {
            if (low - 1) / 2 == (high - 1) / 2 {
                2.0
            } else {
                VALUES as f64
            }
        }
    }
}

fn worth(table: &Table, rows: &[u32]) -> f64 {
    let n = rows.len() as f64;
    let of = |column: usize| rows.iter().map(|&row| table.column(column).get(row as usize)).collect::<Vec<_>>();
    n * (n.ln() - (0..3).map(|column| points(column, &of(column)).ln()).sum::<f64>())
}

/// All ways to divide the rows along a column, as the part of each code.
fn divisions(table: &Table, column: usize, least: usize) -> Vec<BTreeMap<Code, usize>> {
    let counts: BTreeMap<Code, usize> = table.column(column).iter().fold(BTreeMap::new(), |mut counts, code| {
        *counts.entry(code).or_insert(0) += 1;
        counts
    });
    let codes: Vec<Code> = counts.keys().copied().collect();
    let two = |left: &dyn Fn(Code) -> bool| codes.iter().map(|&code| (code, usize::from(left(code)))).collect();
    match column {
        0 => codes.iter().map(|&at| two(&|code| code <= at)).collect(),
        // By falling frequency, null first, and labels one by one. In the table labels of equal frequency follow the
        // order of the whole column, which is this one.
        1 => {
            let mut order = codes.clone();
            order.sort_by_key(|&code| (code != 0, std::cmp::Reverse(counts[&code]), code));
            let prefix = |n: usize| two(&|code| order[..n].contains(&code));
            let alone = |&at: &Code| two(&|code| code == at);
            (1..order.len()).map(prefix).chain(order.iter().skip(1).map(alone)).collect()
        }
        _ => {
            let values: Vec<Code> = codes.iter().copied().filter(|&code| code > 0).collect();
            let one_pair = values.iter().all(|&code| (code - 1) / 2 == (values[0] - 1) / 2);
            let child = |code: Code| if one_pair { code as usize } else { 10 + (code as usize - 1) / 2 };
            let mut sizes: BTreeMap<usize, usize> = BTreeMap::new();
            values.iter().for_each(|&code| *sizes.entry(child(code)).or_insert(0) += counts[&code]);
            let smallest = sizes.iter().min_by_key(|(child, n)| (**n, **child)).map_or(0, |(child, _)| *child);
            let null = counts.get(&0).copied().unwrap_or(0);
            let home = |code: Code| match code {
                0 if null >= least => 0,
                0 => smallest,
                _ => child(code),
            };
            let mut all = vec![two(&|code| code == 0)];
            if sizes.len() > 1 {
                all.push(codes.iter().map(|&code| (code, home(code))).collect());
            }
            all
        }
    }
}

/// The greatest gain over all cuts.
fn by_definition(table: &Table, least: usize) -> Option<f64> {
    let all: Vec<u32> = (0..table.n_rows() as u32).collect();
    let mut best: Option<f64> = None;
    for column in 0..3 {
        for part_of in divisions(table, column, least) {
            let mut parts: BTreeMap<usize, Vec<u32>> = BTreeMap::new();
            all.iter().for_each(|&row| {
                parts.entry(part_of[&table.column(column).get(row as usize)]).or_default().push(row);
            });
            if parts.len() > 1 && parts.values().all(|rows| rows.len() >= least) {
                let gain = parts.values().map(|rows| worth(table, rows)).sum::<f64>() - worth(table, &all);
                best = Some(best.map_or(gain, |known| known.max(gain)));
            }
        }
    }
    // Buckets of one are cut as long as there is something to cut.
    best.filter(|gain| least == 1 || *gain > LEAST_GAIN)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn the_gain_is_that_of_the_best_cut(
        rows in prop::collection::vec((0..=VALUES as Code, 0..=VALUES as Code, 0..=VALUES as Code), 1..30),
        least in 1usize..6,
    ) {
        let columns = [
            rows.iter().map(|row| row.0).collect(),
            rows.iter().map(|row| row.1).collect(),
            rows.iter().map(|row| row.2).collect(),
        ];
        let table = table(columns);
        let axes = axes_along(&table, &[0, 1, 2]);
        let points: Vec<Points> =
            axes.iter().enumerate().map(|(a, axis)| Points::new(&table.attribute(a).domain, axis)).collect();
        let packed = pack::<u8, 8>(&table, &[0, 1, 2], &axes);
        let found = Finder::new(&axes, &points).find(&packed, least).map(|cut| cut.gain);
        let expected = by_definition(&table, least);
        prop_assert_eq!(found.is_some(), expected.is_some());
        if let (Some(found), Some(expected)) = (found, expected) {
            prop_assert!((found - expected).abs() < 1e-8, "{found} against {expected}");
        }
    }
}
