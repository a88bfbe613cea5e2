//! What is said of requirements that no grouping can meet.

use super::{BoundRequirements, BoundTest, Group};
use crate::{Attained, Requirement};
use scumble_table::{Bag, Error, NULL, Result};
use std::borrow::Cow;

/// The refusal of a test that no division of the whole passes, with what the data would allow.
pub(super) fn error(bound: &BoundRequirements, failed: &BoundTest, whole: Group<'_>) -> Error {
    let requirement = &bound.requirements[failed.requirement];
    let principle = requirement.principle();
    if whole.size == 0 {
        return Error::Infeasible {
            requirement: requirement.to_string(),
            reason: "the table has no rows".into(),
            allows: "there is nothing to publish".into(),
            nearest: Vec::new(),
        };
    }
    // What the data allows must hold in every column that the requirement is about.
    let all = bound.tests.iter().filter(|bound| bound.requirement == failed.requirement);
    let common = all.clone().map(|bound| bound.ask(whole, |test, bag| test.best(bag))).reduce(Attained::common);
    let columns = all.filter_map(|bound| {
        let bag = whole.bags.get(bound.bag?)?;
        Some(if bound.test.ignores_missing() { Cow::Owned(bag.without_missing()) } else { Cow::Borrowed(bag) })
    });
    let columns: Vec<Cow<'_, Bag>> = columns.collect();
    let columns: Vec<&Bag> = columns.iter().map(|bag| &**bag).collect();
    let suggestions = common.as_ref().map_or(Vec::new(), |common| principle.alternatives(common, &columns));
    let column = requirement.column.as_ref().map_or(String::new(), |column| format!("{column}: "));
    let suggestions: Vec<String> = suggestions.iter().map(|notation| format!("{column}{notation}")).collect();
    let shown: Vec<String> = suggestions.iter().map(|notation| format!("`{notation}`")).collect();
    let at_most = if requirement.entry().larger_is_stricter { "at most " } else { "" };
    // What a clique does not rule out is an upper bound; whether it can be had only a search tells.
    let is_bound = common.as_ref().is_some_and(|common| common.figure("clique").is_some());
    let shown = shown.join(" or ");
    let allows = match (shown.is_empty(), is_bound) {
        (true, _) => format!("the data allows no `{}`", requirement.name()),
        (false, true) => format!("{shown} is not ruled out in this way, but may be out of reach too"),
        (false, false) => format!("the data allows {at_most}{shown}"),
    };
    Error::Infeasible {
        requirement: requirement.to_string(),
        reason: principle.reason(&failed.ask(whole, |test, bag| test.best(bag)), &failed.name),
        allows,
        nearest: if is_bound { Vec::new() } else { suggestions },
    }
}

/// Refuses missing numbers in a column whose numbers must not be nearly known.
pub(super) fn no_missing(requirement: &Requirement, bound: &BoundTest, whole: Group<'_>) -> Result<()> {
    let missing = bound.bag.and_then(|at| whole.bags.get(at)).map_or(0, |bag| bag.count(NULL));
    if missing == 0 {
        return Ok(());
    }
    let rows = if missing == 1 { "1 row".into() } else { format!("{missing} rows") };
    let reason = format!("`{}` has no number in {rows}, and a missing number is neither near nor far", bound.name);
    Err(Error::request("requirement", requirement.to_string(), reason)
        .hint("remove these rows, or fill in the numbers they stand for (such as 0 for no income)"))
}
