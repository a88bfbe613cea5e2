//! What is said of requirements that no grouping can meet.

use super::{BoundRequirements, BoundTest, Group};
use crate::{Attained, Principle, RecursiveLDiversity, Requirement, Spec};
use scumble_table::{Bag, Error, NULL, Result};

/// The refusal of a test that no division of the whole passes, with what the data would allow.
pub(super) fn error(bound: &BoundRequirements, failed: &BoundTest, whole: Group<'_>) -> Error {
    let requirement = &bound.requirements[failed.requirement];
    let principle = requirement.principle();
    if whole.size == 0 {
        return Error::Infeasible {
            requirement: requirement.to_string(),
            reason: "the table has no rows".into(),
            allows: "there is nothing to publish".into(),
        };
    }
    // What the data allows must hold in every column that the requirement is about.
    let all = bound.tests.iter().filter(|bound| bound.requirement == failed.requirement);
    let common = all.clone().map(|bound| bound.best(whole)).reduce(Attained::common);
    let bags = all.filter_map(|bound| whole.bags.get(bound.bag?));
    let mut suggestions = common.as_ref().map_or(Vec::new(), |common| principle.alternatives(common));
    suggestions.extend(if suggestions.is_empty() { shorter_tail(requirement, bags) } else { None });
    let shown: Vec<String> = suggestions
        .iter()
        .map(|notation| match &requirement.column {
            Some(column) => format!("`{column}: {notation}`"),
            None => format!("`{notation}`"),
        })
        .collect();
    let at_most = match requirement.spec {
        Spec::TCloseness(_) | Spec::AlphaKAnonymity(_) | Spec::RecursiveLDiversity(_) => "",
        _ => "at most ",
    };
    // What a clique does not rule out is an upper bound; whether it can be had only a search tells.
    let is_bound = common.as_ref().is_some_and(|common| common.figure("clique").is_some());
    let shown = shown.join(" or ");
    let allows = match (shown.is_empty(), is_bound) {
        (true, _) => format!("the data allows no `{}`", requirement.spec.name()),
        (false, true) => format!("{shown} is not ruled out in this way, but may be out of reach too"),
        (false, false) => format!("the data allows {at_most}{shown}"),
    };
    Error::Infeasible {
        requirement: requirement.to_string(),
        reason: principle.reason(&failed.best(whole), &failed.name),
        allows,
    }
}

/// Refuses missing numbers in a column whose numbers must not be nearly known.
pub(super) fn no_missing(requirement: &Requirement, bound: &BoundTest, whole: Group<'_>) -> Result<()> {
    let missing = bound.bag.and_then(|at| whole.bags.get(at)).map_or(0, |bag| bag.count(NULL));
    if missing == 0 {
        return Ok(());
    }
    let rows = if missing == 1 { "1 row".into() } else { format!("{missing} rows") };
    Err(Error::request(
        "requirement",
        requirement.to_string(),
        format!("`{}` has no number in {rows}, and a missing number is neither near nor far", bound.name),
    )
    .hint("remove these rows, or fill in the numbers they stand for (such as 0 for no income)"))
}

/// Where a column has fewer than l values no c will do, but a smaller l may: that of the column
/// with the fewest values.
fn shorter_tail<'a>(requirement: &Requirement, bags: impl Iterator<Item = &'a Bag> + Clone) -> Option<String> {
    let Spec::RecursiveLDiversity(asked) = requirement.spec else { return None };
    let l = bags.clone().map(Bag::distinct).min()? as u64;
    let shorter = RecursiveLDiversity::new(asked.c(), l.min(asked.l())).ok()?;
    shorter.nearest(&bags.map(|bag| shorter.level(bag)).reduce(Attained::common)?)
}
