//! Whether mixtures of groups are bounded as the manifest says: see [`crate::mixture`] for the criterion and its proof.

use super::census::Census;
use super::distance::refused;
use super::judge::concerned_censuses;
use super::requirements::DistanceUsed;
use super::verdict::Verdict;
use crate::mixture::{GroupValues, Nearness, Overlap, Places, overlap};
use scumble_principle::{BoundRequirements, Dissimilarity, Requirement};
use scumble_release::{Manifest, Mixtures, PublishedTables};
use scumble_table::{Error, Result};

/// Notes for every requirement that groups may fail together whether they do, where the manifest says that none does.
pub(super) fn check(
    manifest: &Manifest,
    tables: &PublishedTables,
    censuses: &[Census],
    stated: &[Requirement],
    by: DistanceUsed<'_>,
    verdict: &mut Verdict,
) -> Result<()> {
    match (manifest.mixtures, tables) {
        // Claims of boxes are judged with their batches.
        (None, _) | (Some(Mixtures::Claimed), PublishedTables::Angel(_)) => return Ok(()),
        (Some(Mixtures::Claimed), _) => {
            verdict.note("mixtures", Err("only boxes of an angel release claim mixtures".into()));
            return Ok(());
        }
        (Some(Mixtures::Hold), _) => {}
    }
    let places = match tables {
        PublishedTables::Generalized(boxed) => vec![Places::from_boxed_table(boxed)?],
        PublishedTables::Exact(tables) => Places::from_exact_tables(tables),
        PublishedTables::Angel(_) => {
            verdict.note("mixtures", Err("an angel release has nothing to promise of mixtures".into()));
            return Ok(());
        }
    };
    // Groups that meet a requirement one by one may fail it together only where it is not monotone.
    let concerned: Vec<&Requirement> = stated.iter().filter(|requirement| !requirement.entry().monotone).collect();
    if concerned.is_empty() {
        verdict.note("mixtures", Err("no requirement is one that groups may fail together".into()));
    }
    for requirement in concerned {
        let name = format!("mixtures[{requirement}]");
        if matches!(by, DistanceUsed::Broken) && requirement.is::<Dissimilarity>() {
            verdict.note(name, Err("it cannot be judged by the distance that is stated".into()));
            continue;
        }
        // What cannot be put to these columns has been noted where it was judged group by group.
        let found = refused(judged(&places, censuses, requirement, by))?.and_then(|overlap| match overlap {
            None => Ok("wherever groups meet, no more of one is near a value of the other than is allowed".into()),
            Some(Overlap { group, other }) if group == other => {
                Err(format!("group {} fails the requirement itself", group + 1))
            }
            Some(Overlap { group, other }) => {
                let (group, other) = (group + 1, other + 1);
                Err(format!(
                    "somebody may be in group {group} or {other}, and too much of the first is near a value of the second"
                ))
            }
        });
        verdict.note(name, found);
    }
    Ok(())
}

/// The first groups that break the criterion for a requirement, grouping by grouping.
fn judged(
    places: &[Places],
    censuses: &[Census],
    requirement: &Requirement,
    by: DistanceUsed<'_>,
) -> Result<Option<Overlap>> {
    for at in concerned_censuses(censuses, requirement)? {
        let census = &censuses[at];
        let together = census.joint_columns(requirement, by.distance())?;
        let bound = BoundRequirements::bind_joint(
            std::slice::from_ref(requirement),
            census.schema(),
            |column: usize| census.whole(column).clone(),
            together.as_ref(),
        )?;
        for test in bound.tests() {
            let Some(nearness) = Nearness::from_test(test.test()) else {
                let reason = "whether mixtures of groups meet it cannot be told";
                return Err(Error::request("requirement", requirement.to_string(), reason));
            };
            let values = GroupValues::read(census.n_groups(), |group, bag| match (test.column(), bound.joint()) {
                (Some(column), _) => census.fill(group, column, bag),
                (None, Some(together)) => census.fill_joint(group, together, &mut Vec::new(), bag),
                (None, None) => {}
            });
            if let Some(found) = overlap(&places[at], &values, nearness) {
                return Ok(Some(found));
            }
        }
    }
    Ok(None)
}
