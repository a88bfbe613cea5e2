//! What all forms share: people in a random order, and columns that show their values as they are.

use crate::coins::{Coins, Purpose};
use crate::shuffle::random_order;
use rayon::prelude::*;
use scumble_release::{Extent, ManifestColumn, SUPPRESSED, ValueColumn};
use scumble_table::{
    Attribute, Code, Codes, Domain, Kind, Monitor, NULL, Partition, Role, Stored, Table, parse_date, with_codes,
};

/// The order in which groups and people are published, drawn from coins and unrelated to the source.
pub(super) struct Order {
    /// Group of the partition behind each published number.
    pub(super) groups: Vec<u32>,
    /// Row of the table behind each published person, suppressed ones included.
    pub(super) rows: Vec<u32>,
    /// Published group of each published person, or [`SUPPRESSED`].
    pub(super) row_group: Vec<u32>,
}

impl Order {
    /// Draws an order.
    pub(super) fn draw(partition: &Partition, coins: &Coins) -> Order {
        let group_order = random_order(partition.n_groups(), coins, Purpose::GroupOrder);
        let mut number_of = vec![0u32; group_order.len()];
        for (number, &group) in group_order.iter().enumerate() {
            number_of[group as usize] = number as u32;
        }
        // Lay all rows end to end, grouped ones first, and their groups in the same order.
        let mut rows = Vec::with_capacity(partition.n_rows());
        rows.extend_from_slice(partition.rows());
        let mut groups = Vec::with_capacity(partition.n_rows());
        for (group, members) in partition.groups().enumerate() {
            groups.resize(groups.len() + members.len(), number_of[group]);
        }
        if partition.n_suppressed() > 0 {
            let mut grouped = vec![false; partition.n_rows()];
            for &row in partition.rows() {
                grouped[row as usize] = true;
            }
            rows.extend((0..partition.n_rows() as u32).filter(|&row| !grouped[row as usize]));
            groups.resize(partition.n_rows(), SUPPRESSED);
        }
        let order = random_order(rows.len(), coins, Purpose::RowOrder);
        let (rows, row_group) = rayon::join(
            || order.par_iter().map(|&i| rows[i as usize]).collect(),
            || order.par_iter().map(|&i| groups[i as usize]).collect(),
        );
        Order { groups: group_order, rows, row_group }
    }
}

/// The number of the published group of each row of the table; `groups` holds the group of the partition behind each
/// published number. Suppressed rows have the number 0.
pub(super) fn published_numbers(partition: &Partition, groups: &[u32]) -> Vec<u32> {
    let mut numbers = vec![0u32; partition.n_rows()];
    for (number, &group) in groups.iter().enumerate() {
        partition.group(group as usize).iter().for_each(|&row| numbers[row as usize] = number as u32);
    }
    numbers
}

/// Groups that are worked on together.
const BLOCK: usize = 1 << 12;

/// Adds every published group to the output of its block, in the order of published numbers: `add` is given the number, a
/// copy of the members that it may change, and the output. Once the work is cancelled, the rest of the groups is left out.
pub(super) fn in_blocks<B: Default + Send>(
    partition: &Partition,
    groups: &[u32],
    monitor: Monitor<'_>,
    add: impl Fn(u32, &mut Vec<u32>, &mut B) + Sync,
) -> Vec<B> {
    let block = |(block, groups): (usize, &[u32])| {
        let (mut out, mut members) = (B::default(), Vec::new());
        for (number, &group) in (block * BLOCK..).zip(groups).take_while(|_| !monitor.is_cancelled()) {
            members.clear();
            members.extend_from_slice(partition.group(group as usize));
            add(number as u32, &mut members, &mut out);
        }
        out
    };
    groups.par_chunks(BLOCK).enumerate().map(block).collect()
}

/// A column as the manifest states it.
pub(super) fn manifest_column(attribute: &Attribute, domain: Extent) -> ManifestColumn {
    let name = attribute.name.clone();
    let kind = match &domain {
        Extent::Days(_) => Kind::Date,
        _ => attribute.domain.kind(),
    };
    ManifestColumn { name, role: attribute.role, kind, domain, published: false }
}

/// The columns of a table in the order in which a manifest states them, each with its place among those of its role.
pub(super) fn columns_by_role(table: &Table) -> impl Iterator<Item = (Role, usize, usize)> + '_ {
    [Role::Quasi, Role::Sensitive, Role::Kept].into_iter().flat_map(|role| {
        table.schema().of_role(role).into_iter().enumerate().map(move |(place, column)| (role, place, column))
    })
}

/// Which codes occur in the rows that are published with values.
pub(super) fn present(table: &Table, column: usize, partition: &Partition) -> Vec<bool> {
    let mut present = vec![false; table.attribute(column).domain.n_codes()];
    with_codes!(table.column(column), |codes| for &row in partition.rows() {
        present[codes[row as usize] as usize] = true;
    });
    present
}

/// The domain of a column that shows its values one by one.
pub(super) fn shown(domain: &Domain, present: &[bool]) -> Extent {
    if let Some(days) = days_of_moments(domain, present) {
        return Extent::Days(Some(days));
    }
    Extent::from_codes(domain, domain.codes().filter(|&code| present[code as usize]))
}

/// The first and the last of moments that are shown, if all of these are days. Moments are dates where all are days and labels otherwise, and
/// whether some that nobody is shown has a time of day must not be told by the type.
fn days_of_moments(domain: &Domain, present: &[bool]) -> Option<(i32, i32)> {
    if domain.kind() != Kind::Nominal || !matches!(domain.stored(), Stored::Timestamp { .. }) {
        return None;
    }
    let shown = domain.codes().filter(|&code| present[code as usize]);
    let days = shown.map(|code| parse_date(&domain.text(code))).collect::<Option<Vec<i32>>>()?;
    days.iter().min().copied().zip(days.iter().max().copied())
}

/// A column that shows these codes of its domain. Values that only suppressed rows have do not even enter
/// the texts of the release.
pub(super) fn value_column(attribute: &Attribute, codes: Codes, present: &[bool]) -> ValueColumn {
    let domain = &attribute.domain;
    let mut map: Vec<Code> = vec![NULL; domain.n_codes()];
    let mut texts = vec![String::new()];
    for code in domain.codes().filter(|&code| present[code as usize]) {
        map[code as usize] = texts.len() as Code;
        texts.push(domain.text(code).into_owned());
    }
    let codes = if texts.len() == domain.n_codes() { codes } else { codes.mapped(&map) };
    ValueColumn {
        name: attribute.name.clone(),
        role: attribute.role,
        texts,
        codes,
        kind: if days_of_moments(domain, present).is_some() { Kind::Date } else { domain.kind() },
        stored: domain.stored().clone(),
    }
}
