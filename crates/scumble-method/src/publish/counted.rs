//! The sensitive values of groups or batches, counted: what anatomy and angel publish alike.
//!
//! Counted values rise in each group, so that their order tells nothing.

use super::people::{in_blocks, present, value_column};
use scumble_release::SensitiveCounts;
use scumble_table::{Codes, Monitor, Partition, Result, Role, Table};
use std::cmp::Ordering;

/// Combinations of sensitive values, by published group and then by their codes.
#[derive(Default)]
struct Counted {
    row_group: Vec<u32>,
    /// A row of the table that has the combination.
    example: Vec<u32>,
    counts: Vec<u32>,
}

/// Counts the sensitive values of each group; `groups` holds the group of the partition behind each published number.
///
/// # Errors
/// If the work was cancelled.
pub(super) fn count(
    table: &Table,
    partition: &Partition,
    groups: &[u32],
    monitor: Monitor<'_>,
) -> Result<SensitiveCounts> {
    let sensitive = table.schema().of_role(Role::Sensitive);
    let columns: Vec<&Codes> = sensitive.iter().map(|&column| table.column(column)).collect();
    let compare = |a: &u32, b: &u32| {
        let mut values = columns.iter().map(|codes| codes.get(*a as usize).cmp(&codes.get(*b as usize)));
        values.find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
    };
    let blocks = in_blocks(partition, groups, monitor, |number, members, out: &mut Counted| {
        members.sort_unstable_by(compare);
        for alike in members.chunk_by(|a, b| compare(a, b).is_eq()) {
            out.row_group.push(number);
            out.example.push(alike[0]);
            out.counts.push(alike.len() as u32);
        }
    });
    monitor.check()?;
    let mut all = Counted::default();
    for block in blocks {
        all.row_group.extend(block.row_group);
        all.example.extend(block.example);
        all.counts.extend(block.counts);
    }
    let column = |&column: &usize| {
        let present = present(table, column, partition);
        value_column(table.attribute(column), table.column(column).gather(&all.example), &present)
    };
    let values = sensitive.iter().map(column).collect();
    Ok(SensitiveCounts { row_group: all.row_group, values, counts: all.counts })
}
