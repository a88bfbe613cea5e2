//! Method `angel`: sensitive values counted by batch, and boxes with batch numbers in any number of tables.
//!
//! Batches are numbered from secret coins, and people stand in every table in an order of its own: a reader who laid two
//! tables side by side would otherwise join their boxes row by row. Boxes come from the members of a bucket alone.

use super::counted::count;
use super::outline::{Outline, ShownBoxes};
use super::people::{Order, columns_by_role, manifest_column, present, published_numbers, shown, value_column};
use crate::coins::{Coins, Purpose};
use crate::shuffle::random_order;
use scumble_release::{Angel, BucketTable, ManifestColumn};
use scumble_table::{Error, Monitor, Partition, Result, Role, Table};

/// The buckets of one table.
pub struct Buckets<'a> {
    /// Its quasi-identifiers, as columns of the microdata, in the order in which they are shown.
    pub columns: Vec<usize>,
    /// All rows, in buckets.
    pub partition: &'a Partition,
}

/// An angel release in the making.
pub struct Angelization {
    /// What is published.
    pub form: Angel,
    /// The columns as the manifest states them.
    pub columns: Vec<ManifestColumn>,
    /// Published batch of each row of the microdata, from 0; never published itself.
    pub batch_of_row: Vec<u32>,
}

/// Builds the angel form of batches and of buckets for each table, that over all quasi-identifiers first, with boxes of a
/// kind.
///
/// # Errors
/// If the work was cancelled. A partition that leaves rows out is a bug of its partitioner.
pub fn angelize(
    table: &Table,
    batches: &Partition,
    buckets: &[Buckets<'_>],
    outline: &Outline<'_>,
    coins: &Coins,
    monitor: Monitor<'_>,
) -> Result<Angelization> {
    monitor.check()?;
    if batches.n_suppressed() > 0 || buckets.iter().any(|one| one.partition.n_suppressed() > 0) {
        return Err(Error::bug("an angel release publishes all rows"));
    }
    let order = random_order(batches.n_groups(), coins, Purpose::GroupOrder);
    let batch_of_row = published_numbers(batches, &order);
    let quasi = table.schema().of_role(Role::Quasi);
    let mut shown_by: Vec<Vec<ShownBoxes>> = quasi.iter().map(|_| Vec::new()).collect();
    let mut tables = Vec::new();
    for (at, one) in buckets.iter().enumerate() {
        let (mut built, shown) =
            bucket_table(table, one, &batch_of_row, outline, &coins.for_column(at), at == 0, monitor)?;
        if at == 0 {
            built.name = Angel::GENERALIZED.into();
        }
        for (column, shown) in one.columns.iter().zip(shown) {
            if let Some(place) = quasi.iter().position(|known| known == column) {
                shown_by[place].push(shown);
            }
        }
        tables.push(built);
    }
    let mut columns = Vec::new();
    for (role, place, column) in columns_by_role(table) {
        let attribute = table.attribute(column);
        let domain = match role {
            Role::Quasi => ShownBoxes::extent(&shown_by[place], &attribute.domain),
            _ => shown(&attribute.domain, &present(table, column, batches)),
        };
        columns.push(manifest_column(attribute, domain));
    }
    let sensitive = count(table, batches, &order, monitor)?;
    let form = Angel { n_batches: batches.n_groups() as u32, sensitive, tables };
    Ok(Angelization { form, columns, batch_of_row })
}

/// A table of boxes and the batches of its people, named as a marginal, and what each of its columns shows. Kept columns
/// are shown `with_kept`.
///
/// # Errors
/// If the work was cancelled.
pub fn bucket_table(
    table: &Table,
    buckets: &Buckets<'_>,
    batch_of_row: &[u32],
    outline: &Outline<'_>,
    coins: &Coins,
    with_kept: bool,
    monitor: Monitor<'_>,
) -> Result<(BucketTable, Vec<ShownBoxes>)> {
    monitor.check()?;
    let schema = table.schema();
    let Order { groups, rows, row_group } = Order::draw(buckets.partition, coins);
    let all = schema.of_role(Role::Quasi);
    let names: Vec<&str> = all.iter().map(|&column| table.attribute(column).name.as_str()).collect();
    let chosen: Vec<usize> =
        buckets.columns.iter().filter_map(|column| all.iter().position(|known| known == column)).collect();
    let (mut quasi, mut covers) = (Vec::new(), Vec::new());
    for &column in &buckets.columns {
        let present = present(table, column, buckets.partition);
        let shown = outline.column(table, column, buckets.partition, &groups, &present, coins, monitor);
        quasi.push(shown.column.clone());
        covers.push(shown);
    }
    let kept = if with_kept { schema.of_role(Role::Kept) } else { Vec::new() };
    let kept = kept.into_iter().map(|column| {
        let present = present(table, column, buckets.partition);
        value_column(table.attribute(column), table.column(column).gather(&rows), &present)
    });
    let built = BucketTable {
        name: Angel::marginal_name(&names, &chosen),
        n_buckets: buckets.partition.n_groups() as u32,
        row_bucket: row_group,
        row_batch: rows.iter().map(|&row| batch_of_row[row as usize]).collect(),
        quasi,
        kept: kept.collect(),
    };
    monitor.conclude(Ok((built, covers)))
}
