//! What is not published although every requirement could be met, because it would give people away all the same; and what
//! a publisher may take upon themselves nevertheless.
//!
//! | refused | unless |
//! |---|---|
//! | a nominal quasi-identifier most of whose rows have a label that fewer than k have, listed in sets | `allow_sets` |
//! | a kept column that leaves somebody among fewer than k, that determines a quasi-identifier or sensitive column, or a label of which tells a sensitive value | `accept_keep` |
//!
//! k is the least number of people that the requirements ask of a group, and at least 2.

mod kept;
mod near_unique;
pub(crate) mod notation;
mod telling;

pub(crate) use kept::{cannot_determine, determines};
pub(crate) use near_unique::is_near_unique;

use crate::grouping::GroupingResult;
use crate::job::{Method, Plan};
use scumble_principle::{BoundRequirements, Dissimilarity, Requirement};
use scumble_release::{ACCEPT_OVERLAP, ROWS_ARE_PEOPLE, accept_keep, allow_sets};
use scumble_table::{Error, Monitor, Partition, Result, Role, Table};

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

/// What the manifest says that the publisher took upon themselves, in the order of the columns: what would have been refused
/// without their word. The publisher hears which words set nothing aside. That every row is a person, and that people may be in
/// earlier releases, is listed whether it was needed or not: left out, the second would tell whether anybody is.
///
/// # Errors
/// If the work is cancelled.
pub(crate) fn accepted(
    table: &Table,
    plan: &Plan,
    found: &GroupingResult,
    monitor: Monitor<'_>,
) -> Result<Vec<String>> {
    let mut words = Vec::new();
    if plan.rows_are_people {
        words.push(ROWS_ARE_PEOPLE.to_string());
    }
    match (plan.accept_overlap, plan.ledger.is_some()) {
        (true, true) => words.push(ACCEPT_OVERLAP.to_string()),
        (true, false) => monitor.warn(
            "«accept_overlap» sets nothing aside, since no «ledger» is named that could tell who was published before: the manifest \
             does not list it",
        ),
        (false, _) => {}
    }
    let mut list = |field: &str, names: &[String], needed: &[String], word: fn(&str) -> String| {
        for (name, _) in plan.columns.iter().filter(|(name, _)| names.contains(name)) {
            match needed.contains(name) {
                true => words.push(word(name)),
                false => monitor.warn(&format!(
                    "«{field}» {name} sets nothing aside, since the column would not be refused: the manifest does not list it"
                )),
            }
        }
    };
    list("accept_keep", &plan.accept_keep, &needed_keep(table, plan, found, monitor)?, accept_keep);
    list("allow_sets", &plan.allow_sets, &needed_sets(table, plan, monitor)?, allow_sets);
    Ok(words)
}

/// The quasi-identifiers of `allow_sets` that would be refused.
fn needed_sets(table: &Table, plan: &Plan, monitor: Monitor<'_>) -> Result<Vec<String>> {
    let is_needed = |name: &&String| {
        let allow_sets = plan.allow_sets.iter().filter(|other| other != name).cloned().collect();
        is_refused(near_unique::refuse(table, &Plan { allow_sets, ..plan.clone() }, monitor))
    };
    needed(&plan.allow_sets, is_needed)
}

/// The kept columns of `accept_keep` that something would be refused without. Where each of several could be left out, but not all
/// of them, all are needed: the publisher vouched for what they tell together.
fn needed_keep(table: &Table, plan: &Plan, found: &GroupingResult, monitor: Monitor<'_>) -> Result<Vec<String>> {
    let is_refused_with = |names: Vec<String>| {
        let plan = Plan { accept_keep: names, ..plan.clone() };
        let determining = kept::refuse_determining(table, &plan, None, monitor);
        is_refused(determining.and_then(|()| after_grouping(table, &plan, found, monitor)))
    };
    let without =
        |name: &&String| is_refused_with(plan.accept_keep.iter().filter(|other| other != name).cloned().collect());
    let needed = needed(&plan.accept_keep, without)?;
    let is_enough = needed.len() + 1 >= plan.accept_keep.len() || !is_refused_with(needed.clone())?;
    Ok(if is_enough { needed } else { plan.accept_keep.clone() })
}

fn needed(names: &[String], is_needed: impl Fn(&&String) -> Result<bool>) -> Result<Vec<String>> {
    let mut needed = Vec::new();
    for name in names {
        if is_needed(&name)? {
            needed.push(name.clone());
        }
    }
    Ok(needed)
}

/// Whether something was refused.
///
/// # Errors
/// Whatever is no refusal.
fn is_refused(outcome: Result<()>) -> Result<bool> {
    match outcome {
        Ok(()) => Ok(false),
        Err(Error::Request { .. }) => Ok(true),
        Err(other) => Err(other),
    }
}

/// The least number of people that the requirements ask of every group, and at least 2: among one nobody is hidden. Of an
/// angel release it is the number that shares every box.
fn least_people(table: &Table, plan: &Plan) -> u64 {
    let stated = plan.asked_k().unwrap_or(0);
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
