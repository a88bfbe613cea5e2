//! How vulnerable a release is to attacks that it does not promise anything about.

use super::judge::{judge, owned};
use super::requirements::{DistanceUsed, RequirementCheck};
use scumble_principle::Requirement;
use scumble_release::serialize_figures;
use scumble_table::Result;
use serde::Serialize;

/// What a requirement that a release need not meet would find in it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Against {
    /// The requirement in canonical notation.
    pub requirement: String,
    /// The distance that it was judged by, with its bounds written out, where it is about distances.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub distance: Option<String>,
    /// What was judged: `groups`, or the `batches` of an angel release.
    pub judged: &'static str,
    /// How many of them there are.
    pub groups: u64,
    /// How many of them do not meet it.
    pub failing: u64,
    /// Their share, from 0 to 1; 0 where there is none at all.
    pub share: f64,
    /// Groups with a value that too many others are near, where it is about distances.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub breached: Option<u64>,
    /// Groups with fewer rows than it asks for.
    pub small: u64,
    /// Rows in groups that do not meet it.
    pub rows_failing: u64,
    /// The worst figures of all groups.
    #[serde(serialize_with = "serialize_figures")]
    pub worst: Vec<(String, String)>,
}

/// Judges the groups by requirements that the release does not promise.
pub(super) fn judged(
    check: &RequirementCheck<'_>,
    requirements: &[Requirement],
    by: DistanceUsed<'_>,
) -> Result<Vec<Against>> {
    let against = |requirement: &Requirement| {
        let found = judge(check.censuses, requirement, by.distance())?;
        let groups = found.n_groups as u64;
        Ok(Against {
            requirement: requirement.to_string(),
            distance: found.distance.map(|distance| distance.to_string()),
            judged: check.groups,
            groups,
            failing: found.failing,
            share: if groups == 0 { 0.0 } else { found.failing as f64 / groups as f64 },
            breached: found.breached,
            small: found.small,
            rows_failing: found.rows_failing,
            worst: found.common.map_or(Vec::new(), |attained| owned(&attained.figures)),
        })
    };
    requirements.iter().map(against).collect()
}
