//! `--method anatomy`: exact quasi-identifiers in one table, the sensitive values of each group counted in another.
//!
//! Only the number of the group ties a person to values. Group numbers and the order of people are drawn from
//! secret coins; counted values rise in each group, so that their order tells nothing (ALGORITHMS.md T3). People
//! show their exact quasi-identifiers: who is in the release is not hidden (T5).

use super::people::{Order, present, shown, value_column};
use crate::coins::Coins;
use rayon::prelude::*;
use scumble_release::{Anatomy, ManifestColumn, SensitiveCounts};
use scumble_table::{Codes, Partition, Role, Table};
use std::cmp::Ordering;

/// Groups whose values are counted together.
const BLOCK: usize = 1 << 12;

/// Builds the anatomy form of a partition, and the columns as its manifest states them. Rows in no group are
/// published as stars among the people, and their values are not counted.
pub fn anatomize(table: &Table, partition: &Partition, coins: &Coins) -> (Anatomy, Vec<ManifestColumn>) {
    let Order { groups, rows, row_group } = Order::draw(partition, coins);
    let sensitive = table.schema().of_role(Role::Sensitive);
    let counted = count(table, partition, &groups, &sensitive);
    let (mut people, mut values, mut columns) = (Vec::new(), Vec::new(), Vec::new());
    for role in [Role::Quasi, Role::Sensitive, Role::Kept] {
        for column in table.schema().of_role(role) {
            let attribute = table.attribute(column);
            let present = present(table, column, partition);
            let domain = shown(&attribute.domain, &present);
            columns.push(ManifestColumn { name: attribute.name.clone(), role, kind: attribute.domain.kind(), domain });
            if role == Role::Sensitive {
                values.push(value_column(attribute, table.column(column).gather(&counted.example), &present));
            } else {
                people.push(value_column(attribute, table.column(column).gather(&rows), &present));
            }
        }
    }
    let sensitive = SensitiveCounts { row_group: counted.row_group, values, counts: counted.counts };
    (Anatomy { n_groups: partition.n_groups() as u32, row_group, people, sensitive }, columns)
}

/// Combinations of sensitive values, by published group and then by their codes.
#[derive(Default)]
struct Counted {
    row_group: Vec<u32>,
    /// A row of the table that has the combination.
    example: Vec<u32>,
    counts: Vec<u32>,
}

fn count(table: &Table, partition: &Partition, groups: &[u32], sensitive: &[usize]) -> Counted {
    let columns: Vec<&Codes> = sensitive.iter().map(|&column| table.column(column)).collect();
    let compare = |a: &u32, b: &u32| {
        let mut values = columns.iter().map(|codes| codes.get(*a as usize).cmp(&codes.get(*b as usize)));
        values.find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
    };
    let blocks: Vec<Counted> = groups
        .par_chunks(BLOCK)
        .enumerate()
        .map(|(block, groups)| {
            let mut out = Counted::default();
            let mut members = Vec::new();
            for (number, &group) in (block * BLOCK..).zip(groups) {
                members.clear();
                members.extend_from_slice(partition.group(group as usize));
                members.sort_unstable_by(compare);
                for alike in members.chunk_by(|a, b| compare(a, b).is_eq()) {
                    out.row_group.push(number as u32);
                    out.example.push(alike[0]);
                    out.counts.push(alike.len() as u32);
                }
            }
            out
        })
        .collect();
    let mut all = Counted::default();
    for block in blocks {
        all.row_group.extend(block.row_group);
        all.example.extend(block.example);
        all.counts.extend(block.counts);
    }
    all
}
