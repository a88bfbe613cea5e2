//! What is not published although every requirement could be met, because it would give people away all the same; and what
//! a publisher may take upon themselves nevertheless.
//!
//! | refused | unless |
//! |---|---|
//! | a nominal quasi-identifier most of whose rows have a label that fewer than k have, listed in sets | `allow_sets` |
//! | a kept column that leaves somebody among fewer than k, or that determines a quasi-identifier or sensitive column | `accept_keep` |
//!
//! k is the least number of people that the requirements ask of a group, and at least 2.

mod kept;
mod near_unique;
pub(crate) mod notation;

pub(crate) use kept::determines;
pub(crate) use near_unique::is_near_unique;

use crate::grouping::GroupingResult;
use crate::job::{Method, Plan};
use scumble_principle::{BoundRequirements, Dissimilarity, Requirement};
use scumble_release::{ACCEPT_OVERLAP, ROWS_ARE_PEOPLE, accept_keep, allow_sets};
use scumble_table::{Monitor, Partition, Result, Role, Table};

/// Refuses what can be told of the table alone.
///
/// # Errors
/// Names the column, why, and what would be accepted.
pub(crate) fn before_grouping(table: &Table, plan: &Plan, monitor: Monitor<'_>) -> Result<()> {
    near_unique::refuse(table, plan, monitor)?;
    kept::refuse_determining(table, plan, None, monitor)
}

/// Refuses what only the groups tell, before anything is made of them.
///
/// # Errors
/// As [`before_grouping`].
pub(crate) fn after_grouping(table: &Table, plan: &Plan, found: &GroupingResult, monitor: Monitor<'_>) -> Result<()> {
    let Some(boxes) = boxes(found, plan) else { return Ok(()) };
    if boxes.n_suppressed() > 0 {
        kept::refuse_determining(table, plan, Some(boxes.rows()), monitor)?;
    }
    kept::refuse_narrowing(table, plan, boxes, monitor)
}

/// The groups whose people show the same box; none where quasi-identifiers are exact, and tell who is who anyway.
fn boxes<'a>(found: &'a GroupingResult, plan: &Plan) -> Option<&'a Partition> {
    match plan.method {
        Method::Generalize | Method::FullDomain => found.groupings.first().map(|grouping| &grouping.partition),
        Method::Angel => found.buckets.first().map(|bucket| &bucket.partition),
        Method::Permute | Method::Anatomy => None,
    }
}

/// What the manifest says that the publisher took upon themselves, in the order of the columns.
pub(crate) fn accepted(plan: &Plan) -> Vec<String> {
    let mut words = Vec::new();
    if plan.rows_are_people {
        words.push(ROWS_ARE_PEOPLE.to_string());
    }
    if plan.accept_overlap {
        words.push(ACCEPT_OVERLAP.to_string());
    }
    let named = |names: &[String], word: fn(&str) -> String| -> Vec<String> {
        plan.columns.iter().map(|(name, _)| name).filter(|name| names.contains(name)).map(|name| word(name)).collect()
    };
    words.extend(named(&plan.accept_keep, accept_keep));
    words.extend(named(&plan.allow_sets, allow_sets));
    words
}

/// The least number of people that the requirements ask of every group, and at least 2: among one nobody is hidden. Of an
/// angel release it is the number that shares every box.
fn least_people(table: &Table, plan: &Plan) -> u64 {
    let stated = plan.required_k().max(plan.angel_k.filter(|_| plan.method == Method::Angel)).unwrap_or(0);
    // What needs a distance is bound when groups are sought, and says how many people it asks for by itself. A requirement that
    // cannot be bound is refused there too, in better words.
    let plain: Vec<Requirement> = plan.requirements.iter().filter(|one| !one.is::<Dissimilarity>()).cloned().collect();
    let asked = match plan.method {
        Method::Angel => None,
        _ => BoundRequirements::bind(&plain, table.schema(), |column| table.column_bag(column)).ok(),
    };
    asked.map_or(0, |bound| bound.least_size()).max(stated).max(2)
}

/// The columns of a role that are not among these names.
fn others(table: &Table, role: Role, names: &[String]) -> Vec<usize> {
    table.schema().of_role(role).into_iter().filter(|&at| !names.contains(&table.attribute(at).name)).collect()
}
