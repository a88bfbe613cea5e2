//! Method `permute`: exact quasi-identifiers, and sensitive values that were shuffled inside groups (Zhang, Koudas,
//! Srivastava, Yu, ICDE 2007, section 4).
//!
//! Three things are drawn, each from coins of its own: the order of the people, which is also their numbering; the
//! numbers of the groups; and in each group who shows whose values, every assignment being as likely as any other.
//! Since the last is independent of the first, a place in the table tells nothing about whose
//! value stands there. People show their exact quasi-identifiers: who is in the release is not hidden.

use super::help::help;
use super::people::{columns_by_role, manifest_column, present, published_numbers, shown, value_column};
use crate::coins::{Coins, Purpose};
use crate::shuffle::random_order;
use rayon::prelude::*;
use scumble_release::{Grouping, ManifestColumn, Permuted, PermutedTables};
use scumble_table::{Error, Kind, Monitor, Partition, Result, Role, Table};

/// Groups that are shuffled with one stream of coins.
const BLOCK: usize = 1 << 12;

/// Groups inside which sensitive values are shuffled.
#[derive(Debug, Clone, Copy)]
pub struct Permutation<'a> {
    /// The groups; every row is in one.
    pub partition: &'a Partition,
    /// What the numbers of the groups and the shuffles are drawn from. Columns that are shuffled apart have coins of
    /// their own, [`Coins::for_column`].
    pub coins: &'a Coins,
}

/// Builds the permuted form, and the columns as its manifest states them. Given is one permutation, under which the
/// sensitive values of a person move as one, or one for each sensitive column. The order of people is drawn from `coins`.
///
/// # Errors
/// If sums of sensitive values have more digits than can be written exactly, or the work was cancelled.
pub fn permute(
    table: &Table,
    permutations: &[Permutation<'_>],
    coins: &Coins,
    monitor: Monitor<'_>,
) -> Result<(Permuted, Vec<ManifestColumn>)> {
    monitor.check()?;
    let sensitive = table.schema().of_role(Role::Sensitive);
    if permutations.len() != 1 && permutations.len() != sensitive.len() {
        return Err(Error::bug("there is neither one permutation for all sensitive columns nor one for each"));
    }
    if permutations.iter().any(|permutation| permutation.partition.n_suppressed() > 0) {
        return Err(Error::bug("a permuted release has no suppressed rows"));
    }
    let order = random_order(table.n_rows(), coins, Purpose::RowOrder);
    let drawn: Vec<DrawnPermutation> =
        permutations.iter().map(|permutation| DrawnPermutation::draw(permutation, &order, monitor)).collect();
    monitor.check()?;
    let (mut values, mut columns) = (Vec::new(), Vec::new());
    for (role, place, column) in columns_by_role(table) {
        monitor.check()?;
        let attribute = table.attribute(column);
        let present = present(table, column, permutations[0].partition);
        columns.push(manifest_column(attribute, shown(&attribute.domain, &present)));
        let rows = match role {
            Role::Sensitive => &drawn.get(place).unwrap_or(&drawn[0]).donors,
            Role::Quasi | Role::Kept => &order,
        };
        values.push(value_column(attribute, table.column(column).gather(rows), &present));
    }
    let described: Vec<(&str, Kind)> =
        sensitive.iter().map(|&at| (table.attribute(at).name.as_str(), table.attribute(at).domain.kind())).collect();
    let plan = PermutedTables::new(&described, permutations.len() == 1);
    let helps = plan.helps.iter().map(|&(_, column)| {
        let groups = &drawn.get(column).unwrap_or(&drawn[0]).groups;
        let partition = permutations.get(column).unwrap_or(&permutations[0]).partition;
        help(table, sensitive[column], column, partition, groups, monitor)
    });
    let helps = monitor.conclude(helps.collect::<Result<_>>())?;
    let groupings = drawn
        .into_iter()
        .map(|drawn| Grouping { n_groups: drawn.groups.len() as u32, row_group: drawn.row_group })
        .collect();
    Ok((Permuted { n_rows: table.n_rows(), values, groupings, helps }, columns))
}

/// What was drawn for one permutation.
struct DrawnPermutation {
    /// Group of the partition behind each published number.
    groups: Vec<u32>,
    /// Published group of each published person.
    row_group: Vec<u32>,
    /// Row of the table whose sensitive values each published person shows.
    donors: Vec<u32>,
}

impl DrawnPermutation {
    fn draw(permutation: &Permutation<'_>, order: &[u32], monitor: Monitor<'_>) -> DrawnPermutation {
        let Permutation { partition, coins } = *permutation;
        let groups = random_order(partition.n_groups(), coins, Purpose::GroupOrder);
        let group_of = published_numbers(partition, &groups);
        let mut donor_of = vec![0u32; order.len()];
        let shuffled: Vec<Vec<u32>> = (0..partition.n_groups())
            .into_par_iter()
            .step_by(BLOCK)
            .map(|first| {
                if monitor.is_cancelled() {
                    return Vec::new();
                }
                let last = (first + BLOCK).min(partition.n_groups());
                let (from, to) = (partition.starts()[first] as usize, partition.starts()[last] as usize);
                let mut donors = partition.rows()[from..to].to_vec();
                let mut stream = coins.stream(Purpose::Permutation, (first / BLOCK) as u64);
                for group in first..last {
                    let bounds = &partition.starts()[group..=group + 1];
                    stream.shuffle(&mut donors[bounds[0] as usize - from..bounds[1] as usize - from]);
                }
                donors
            })
            .collect();
        for (&row, donor) in partition.rows().iter().zip(shuffled.into_iter().flatten()) {
            donor_of[row as usize] = donor;
        }
        DrawnPermutation {
            row_group: order.iter().map(|&row| group_of[row as usize]).collect(),
            donors: order.iter().map(|&row| donor_of[row as usize]).collect(),
            groups,
        }
    }
}
