//! The best groups along the order of numbers for (k, e)-anonymity: how many there are, and how wide the bounds of one person's number.
//!
//! They are those that `permute` makes of the whole table, so nothing here is estimated.

use super::Widths;
use crate::job::Plan;
use scumble_method::ke_permutation::Rule;
use scumble_method::{Coins, KePermutation, Task};
use scumble_principle::BoundRequirements;
use scumble_table::{Decimal, Error, Monitor, Partition, Result, Role, Table};

/// The groups of a requirement that some grouping meets.
///
/// # Errors
/// If the work is cancelled, or the optimum of a rule fails with the people of the table.
pub(super) fn widths(
    table: &Table,
    plan: &Plan,
    bound: &BoundRequirements,
    seed: u64,
    monitor: Monitor<'_>,
) -> Result<Widths> {
    let coins = Coins::from_seed(seed);
    // Nobody is suppressed, so that requirements are never tied to fewer rows.
    let rebind = |_: &[u32]| Err(Error::bug("rows were suppressed where none may be"));
    let task =
        Task { table, bound, rebind: &rebind, most_suppressed: 0, coins: &coins, monitor: monitor.without_progress() };
    let column = sensitive_number(table, plan)?;
    let narrow = KePermutation { rule: Rule::ExpectedWidth }.partition(&task)?;
    let many = KePermutation { rule: Rule::MaxGroups }.partition(&task)?;
    let even = KePermutation { rule: Rule::MinMax }.partition(&task)?;
    let (mean_range, greatest_range) = ranges(table, column, &narrow.partition);
    let (_, least_greatest) = ranges(table, column, &even.partition);
    let scale = table.attribute(column).domain.scale();
    let shown = |units: i128| Decimal::new(units, scale).to_string();
    Ok(Widths {
        groups: narrow.partition.n_groups() as u64,
        mean_range,
        greatest_range: shown(greatest_range),
        most_groups: many.partition.n_groups() as u64,
        least_greatest_range: shown(least_greatest),
        optimal: [&narrow, &many, &even].iter().all(|grouped| grouped.optimal),
    })
}

/// The column whose numbers are looked at: the only sensitive one of the plan.
fn sensitive_number(table: &Table, plan: &Plan) -> Result<usize> {
    let named = plan.requirements.first().and_then(|requirement| requirement.column.as_deref());
    let sensitive = table.schema().of_role(Role::Sensitive);
    let found = sensitive.iter().find(|&&at| named.is_none_or(|name| table.attribute(at).name.trim() == name));
    found.copied().ok_or_else(|| Error::bug("groups along numbers without a column"))
}

/// The mean over rows of the range of their group, in the column's unit, and the greatest range in units of its last digit.
/// Rows without a number have no part in the range of their group.
fn ranges(table: &Table, column: usize, partition: &Partition) -> (f64, i128) {
    let (codes, domain) = (table.column(column), &table.attribute(column).domain);
    let unit = 10f64.powi(-i32::from(domain.scale()));
    let (mut sum, mut rows, mut greatest) = (0.0, 0u64, 0i128);
    for group in partition.groups() {
        let numbers = group.iter().filter_map(|&row| domain.number(codes.get(row as usize)));
        let (least, most) = numbers.fold((i128::MAX, i128::MIN), |(least, most), x| (least.min(x), most.max(x)));
        let range = if least <= most { most.saturating_sub(least) } else { 0 };
        sum += range as f64 * unit * group.len() as f64;
        rows += group.len() as u64;
        greatest = greatest.max(range);
    }
    (if rows == 0 { 0.0 } else { sum / rows as f64 }, greatest)
}
