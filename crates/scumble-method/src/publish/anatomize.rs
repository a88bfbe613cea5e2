//! Method `anatomy`: exact quasi-identifiers in one table, the sensitive values of each group counted in another.
//!
//! Only the number of the group ties a person to values. Group numbers and the order of people are drawn from
//! secret coins; counted values rise in each group, so that their order tells nothing. People
//! show their exact quasi-identifiers: who is in the release is not hidden.

use super::counted::count;
use super::people::{Order, columns_by_role, manifest_column, present, shown, value_column};
use crate::coins::Coins;
use scumble_release::{Anatomy, ManifestColumn};
use scumble_table::{Monitor, Partition, Result, Role, Table};

/// Builds the anatomy form of a partition, and the columns as its manifest states them. Rows in no group are
/// published as stars among the people, and their values are not counted.
///
/// # Errors
/// If the work was cancelled.
pub fn anatomize(
    table: &Table,
    partition: &Partition,
    coins: &Coins,
    monitor: Monitor<'_>,
) -> Result<(Anatomy, Vec<ManifestColumn>)> {
    monitor.check()?;
    let Order { groups, rows, row_group } = Order::draw(partition, coins);
    let sensitive = count(table, partition, &groups, monitor)?;
    let (mut people, mut columns) = (Vec::new(), Vec::new());
    for (role, _, column) in columns_by_role(table) {
        monitor.check()?;
        let attribute = table.attribute(column);
        let present = present(table, column, partition);
        columns.push(manifest_column(attribute, shown(&attribute.domain, &present)));
        if role != Role::Sensitive {
            people.push(value_column(attribute, table.column(column).gather(&rows), &present));
        }
    }
    monitor.check()?;
    Ok((Anatomy { n_groups: partition.n_groups() as u32, row_group, people, sensitive }, columns))
}
