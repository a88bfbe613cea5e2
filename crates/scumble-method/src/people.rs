//! What is said and checked where some people have several rows.
//!
//! Somebody who is in two groups may make both together fail, so nothing follows for all rows from parts that pass. A search
//! that begins with all rows as one group may therefore begin with one that fails, and end there.

use crate::task::Task;
use scumble_table::{Error, Partition, Result};

/// A partition that a search by cutting has found. Every half of a cut was judged, so only one group of all rows that are
/// left can fail.
pub(crate) fn checked_if_one(task: &Task<'_>, partition: Partition) -> Result<Partition> {
    if task.bound.by_person().is_none() || partition.n_groups() != 1 || task.monitor.is_cancelled() {
        return Ok(partition);
    }
    let rebound = if partition.n_suppressed() > 0 { Some((task.rebind)(partition.rows())?) } else { None };
    let bound = rebound.as_ref().unwrap_or(task.bound);
    match bound.rows_hold(task.table, partition.group(0)) {
        true => Ok(partition),
        false => Err(none_found(task)),
    }
}

/// The refusal where no groups were found that pass when people are counted, with what stands in the way of all rows together.
pub(crate) fn none_found(task: &Task<'_>) -> Error {
    let (mut reason, mut allows) = ("no groups were found that meet it".to_string(), String::new());
    let mut report = Vec::new();
    if let Some(people) = task.bound.by_person() {
        let (persons, rows) = (people.persons().n(), task.table.n_rows());
        let mut all = String::new();
        // What principles that are not monotone say of all rows is about their divisions, of which people know another.
        let whole = people.with_group(&task.all_rows(), |bound, group| match bound.monotone() {
            true => bound.feasible(group),
            false => Ok(()),
        });
        if let Err(Error::Infeasible { reason, allows: data, nearest, .. }) = whole {
            (all, allows) = (format!("{reason}, and "), format!("; for all rows as one group, {data}"));
            report.extend(nearest.into_iter().map(|nearest| ("nearest_for_all_rows".to_string(), nearest)));
        }
        reason = format!("counting each of {persons} people once, not their {rows} rows: {all}{reason}");
    }
    Error::NotFound {
        requirement: task.requirements("` and `"),
        reason,
        hint: format!("ask for less{allows}; that nothing was found is no proof that nothing exists"),
        report,
    }
}
