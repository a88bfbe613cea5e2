//! Method `generalize`: every group shows one box, every row its exact sensitive values.
//!
//! Boxes come from the members of a group alone, never from the search that found it, unless cells are asked for; group
//! numbers and row order are drawn from secret coins.

use super::outline::{BoxSide, Outline, ShownBoxes, drawn_column};
use super::people::{Order, columns_by_role, manifest_column, present, shown, value_column};
use crate::coins::Coins;
use rayon::prelude::*;
use scumble_release::notation::{self, Cover};
use scumble_release::{Generalized, ManifestColumn, QuasiColumn};
use scumble_table::{Attribute, Code, Codes, Domain, Kind, Monitor, NULL, Partition, Result, Role, Table};
use std::collections::HashMap;

/// Groups whose boxes are worked out together.
const BLOCK: usize = 1 << 12;

/// Builds the generalized form of a partition with boxes of a kind, and the columns as its manifest states them. Rows in
/// no group are published as stars.
///
/// # Errors
/// If the work was cancelled.
pub fn generalize(
    table: &Table,
    partition: &Partition,
    outline: &Outline<'_>,
    coins: &Coins,
    monitor: Monitor<'_>,
) -> Result<(Generalized, Vec<ManifestColumn>)> {
    with_columns(table, partition, coins, monitor, |column, groups, present| {
        outline.column(table, column, partition, groups, present, coins, monitor)
    })
}

/// The same with the cover that `cover` gives for a group of a column.
pub(super) fn generalize_by(
    table: &Table,
    partition: &Partition,
    coins: &Coins,
    monitor: Monitor<'_>,
    cover: impl Fn(usize, usize) -> Cover + Sync,
) -> Result<(Generalized, Vec<ManifestColumn>)> {
    with_columns(table, partition, coins, monitor, |column, groups, present| {
        let attribute = table.attribute(column);
        if attribute.domain.bands().is_some() {
            let drawn = (0..partition.n_groups()).map(|group| BoxSide::Plain(cover(column, group))).collect();
            return drawn_column(attribute, drawn, groups, present, monitor);
        }
        quasi_column(attribute, &attribute.domain, |group| cover(column, group), groups, present, monitor)
    })
}

fn with_columns(
    table: &Table,
    partition: &Partition,
    coins: &Coins,
    monitor: Monitor<'_>,
    quasi_column: impl Fn(usize, &[u32], &[bool]) -> ShownBoxes,
) -> Result<(Generalized, Vec<ManifestColumn>)> {
    monitor.check()?;
    let Order { groups, rows, row_group } = Order::draw(partition, coins);
    let (mut quasi, mut values, mut columns) = (Vec::new(), Vec::new(), Vec::new());
    for (role, _, column) in columns_by_role(table) {
        let attribute = table.attribute(column);
        let present = present(table, column, partition);
        let domain = if role == Role::Quasi {
            let built = quasi_column(column, &groups, &present);
            let extent = ShownBoxes::extent([&built], &attribute.domain);
            quasi.push(built.column);
            extent
        } else {
            values.push(value_column(attribute, table.column(column).gather(&rows), &present));
            shown(&attribute.domain, &present)
        };
        columns.push(manifest_column(attribute, domain));
        monitor.check()?;
    }
    Ok((Generalized { n_groups: partition.n_groups() as u32, row_group, quasi, values }, columns))
}

/// The boxes that [`generalize`] gives the groups of a partition, in the order of its groups, and the quasi-identifiers
/// as a manifest states them.
///
/// # Errors
/// If the work was cancelled.
pub fn group_boxes(
    table: &Table,
    partition: &Partition,
    outline: &Outline<'_>,
    coins: &Coins,
    monitor: Monitor<'_>,
) -> Result<(Vec<QuasiColumn>, Vec<ManifestColumn>)> {
    monitor.check()?;
    let order: Vec<u32> = (0..partition.n_groups() as u32).collect();
    let one = |column: usize| {
        let (attribute, present) = (table.attribute(column), present(table, column, partition));
        let built = outline.column(table, column, partition, &order, &present, coins, monitor);
        let domain = ShownBoxes::extent([&built], &attribute.domain);
        (built.column, manifest_column(attribute, domain))
    };
    monitor.conclude(Ok(table.schema().of_role(Role::Quasi).into_iter().map(one).unzip()))
}

/// A column that shows one text per group, and what its texts cover, in codes of `domain`. `cover` is asked for the groups
/// of a partition; `group_order` says which of them stands behind each published number. Once the work is cancelled, the
/// rest of the groups is left out.
pub(super) fn quasi_column(
    attribute: &Attribute,
    domain: &Domain,
    cover: impl Fn(usize) -> Cover + Sync,
    group_order: &[u32],
    present: &[bool],
    monitor: Monitor<'_>,
) -> ShownBoxes {
    let n_labels = present[1..].iter().filter(|&&there| there).count();
    let blocks: Vec<(Vec<Cover>, Vec<u32>)> = group_order
        .par_chunks(BLOCK)
        .map(|groups| {
            let mut distinct = Distinct::default();
            let covers =
                groups.iter().take_while(|_| !monitor.is_cancelled()).map(|&group| match cover(group as usize) {
                    // A set of all labels is everything.
                    Cover::Set(labels) if labels.len() == n_labels => Cover::All,
                    other => other,
                });
            let of_group = covers.map(|cover| distinct.place(cover)).collect();
            (distinct.covers, of_group)
        })
        .collect();
    let mut all = Distinct::default();
    let mut of_group = Vec::with_capacity(group_order.len());
    for (covers, block) in blocks {
        let places: Vec<u32> = covers.into_iter().map(|cover| all.place(cover)).collect();
        of_group.extend(block.into_iter().map(|i| places[i as usize]));
    }
    let texts = all.covers.iter().map(|cover| notation::text(cover, domain)).collect();
    let column = QuasiColumn { name: attribute.name.clone(), texts, of_group, ends: None };
    ShownBoxes { column, covers: all.covers, moved: None }
}

/// Distinct covers in order of first appearance.
#[derive(Default)]
struct Distinct {
    covers: Vec<Cover>,
    places: HashMap<Cover, u32>,
}

impl Distinct {
    fn place(&mut self, cover: Cover) -> u32 {
        if let Some(&place) = self.places.get(&cover) {
            return place;
        }
        let place = self.covers.len() as u32;
        self.covers.push(cover.clone());
        self.places.insert(cover, place);
        place
    }
}

/// The least cover of some rows.
pub(super) fn least_cover(table: &Table, column: usize, rows: &[u32]) -> Cover {
    let (domain, codes) = (&table.attribute(column).domain, table.column(column));
    let first = rows.first().map_or(NULL, |&row| codes.get(row as usize));
    let (mut low, mut high) = (first, first);
    for &row in rows {
        let code = codes.get(row as usize);
        (low, high) = (low.min(code), high.max(code));
    }
    match (low, high) {
        (NULL, NULL) => Cover::Null,
        (NULL, _) => Cover::All,
        _ if low == high => Cover::One(low),
        _ if domain.hierarchy().is_some() => node_over(domain, codes, rows),
        _ if domain.kind() != Kind::Nominal => Cover::Interval(low, high),
        _ => {
            let mut members: Vec<Code> = rows.iter().map(|&row| codes.get(row as usize)).collect();
            members.sort_unstable();
            members.dedup();
            Cover::Set(members)
        }
    }
}

fn node_over(domain: &Domain, codes: &Codes, rows: &[u32]) -> Cover {
    let leaves = rows.iter().filter_map(|&row| domain.leaf(codes.get(row as usize)));
    match (domain.hierarchy(), leaves.clone().min(), leaves.max()) {
        (Some(tree), Some(low), Some(high)) => Cover::Node(tree.lowest_over(low, high)),
        _ => Cover::All,
    }
}
