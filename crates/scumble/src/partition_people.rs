//! Groups where some people have several rows: what the algorithms find, and what is done where they find nothing.
//!
//! Every algorithm looks for groups that meet the requirements as rows and as people. Nothing follows for all rows from
//! parts that pass, or for parts from all rows: somebody who is in two groups may make both together fail. So an algorithm
//! that begins with all rows, or joins groups, may find nothing where there is something.

use crate::job::{Algorithm, Method, Plan};
use crate::partition::{PartitionResult, apart, plain};
use scumble_method::Task;
use scumble_release::BoxKind;
use scumble_table::{Error, Partition, Result};

/// Groups, and whether they were found by cutting.
pub(crate) struct FoundGroups {
    pub(crate) partition: Partition,
    pub(crate) cut: bool,
}

/// Tells the publisher where an algorithm is sure to find groups of rows, and not of people.
pub(crate) fn warn_of_search(task: &Task<'_>, plan: &Plan) {
    if task.bound.by_person().is_some() && (plan.about_proximity() || plan.about_dissimilarity()) {
        task.monitor.warn(
            "some people have several rows, and groups into which nobody comes twice cannot be guaranteed by construction: \
             they are found by search, each of them is checked, and the search may find none although there are some",
        );
    }
}

/// What an algorithm has found; where that is nothing that passes when people are counted, groups by cutting.
pub(crate) fn among_people(task: &Task<'_>, plan: &Plan, found: Result<PartitionResult>) -> Result<PartitionResult> {
    if task.bound.by_person().is_none() {
        return found;
    }
    match found {
        Err(Error::NotFound { .. } | Error::Infeasible { .. }) if may_be_cut(plan) => {
            let FoundGroups { partition, cut } = or_by_cutting(task, plan, found.map(|found| found.partition))?;
            Ok(PartitionResult { cut, ..plain(partition) })
        }
        other => other,
    }
}

/// Groups that were found; where there are none and people have several rows, groups by cutting, if there are such.
pub(crate) fn or_by_cutting(task: &Task<'_>, plan: &Plan, found: Result<Partition>) -> Result<FoundGroups> {
    let refused = match found {
        Ok(partition) => return Ok(FoundGroups { partition, cut: false }),
        Err(error @ (Error::NotFound { .. } | Error::Infeasible { .. })) if task.bound.by_person().is_some() => error,
        Err(other) => return Err(other),
    };
    match apart(plan.profile).partition_disjoint_boxes(&Task { most_suppressed: 0, ..*task })? {
        Some(partition) => {
            task.monitor.warn(&format!(
                "`{}` found no groups that meet the requirements when people are counted, of whom some have several rows: \
                 groups are found by cutting instead, as long as both halves meet them",
                plan.algorithm
            ));
            Ok(FoundGroups { partition, cut: true })
        }
        None => Err(refused),
    }
}

/// Cutting once more helps where the algorithm itself did something else.
fn may_be_cut(plan: &Plan) -> bool {
    let cuts = matches!(plan.algorithm, Algorithm::Mondrian | Algorithm::MondrianRelaxed | Algorithm::FullDomain);
    let own = matches!(plan.algorithm, Algorithm::Registered(_));
    !cuts && !own && plan.method != Method::FullDomain && plan.boxes != BoxKind::Cells
}
