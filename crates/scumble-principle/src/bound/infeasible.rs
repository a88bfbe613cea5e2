//! What is said of requirements that no grouping can meet.

use super::{BoundRequirements, BoundTest, Group};
use crate::parameter::Range;
use crate::{Attained, Requirement};
use scumble_table::{Bag, Counted, Decimal, Domain, Error, NULL, Result};
use std::borrow::Cow;

/// The refusal of a test that no division of the whole passes, with what the data would allow.
pub(super) fn error(bound: &BoundRequirements, failed: &BoundTest, whole: Group<'_>) -> Error {
    let requirement = &bound.requirements[failed.requirement];
    if whole.size == 0 {
        return nothing(requirement);
    }
    let (common, suggestions) = alternatives(bound, failed, whole);
    let suggestions: Vec<String> = suggestions.iter().map(|notation| on_column(requirement, notation)).collect();
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
        reason: reason(bound, failed, whole),
        allows,
        nearest: if is_bound { Vec::new() } else { suggestions },
    }
}

/// The refusal of a test that no groups of people pass, with what is not refused for the same reason. `domains` are those of the
/// sensitive columns.
///
/// What all people attain as one group bounds nothing: somebody who is in two groups that pass may make both together fail. So
/// the parameters that count are lowered until nothing rules the requirement out. Only where all people pass it as one group it
/// is said that the data allows it.
pub(super) fn by_people(bound: &BoundRequirements, domains: &[Domain], failed: &BoundTest, whole: Group<'_>) -> Error {
    let requirement = &bound.requirements[failed.requirement];
    if whole.size == 0 {
        return nothing(requirement);
    }
    let least = failed.test.least_size();
    let reason = match whole.size < least {
        true => {
            let (people, takes) = (Counted::People.noun(whole.size), Counted::People.noun(least));
            format!("the table has {} {people}, and a group takes at least {least} {takes}", whole.size)
        }
        false => reason(bound, failed, whole),
    };
    let same: Vec<&BoundTest> = bound.tests.iter().filter(|one| one.requirement == failed.requirement).collect();
    // Whether it is not ruled out, and then whether all people pass it as one group.
    let judge = |notation: &str| -> Option<bool> {
        let other: Requirement = notation.parse().ok()?;
        if other.to_string() == requirement.principle().notation() {
            return None;
        }
        let mut holds = true;
        for one in &same {
            let test = match one.bag {
                _ if one.is_joint => return None,
                None => other.bind(&Domain::nominal(Vec::new()), &Bag::default()).ok()?,
                Some(at) => other.bind(domains.get(at)?, whole.bags.get(at)?).ok()?,
            };
            let (bag, name) = (one.bag, String::new());
            let test = BoundTest { requirement: 0, bag, is_joint: false, name, test };
            if !test.may_hold_in_parts(whole) {
                return None;
            }
            holds &= test.ask(whole, |test, bag| test.holds(bag));
        }
        Some(holds)
    };
    let bases = std::iter::once(requirement.principle().notation()).chain(alternatives(bound, failed, whole).1);
    let found = bases.into_iter().find_map(|base| less_strict(requirement, &base, &judge));
    let (allows, nearest) = match found.map(|(notation, holds)| (on_column(requirement, &notation), holds)) {
        None => ("ask for less, or publish data of more people".into(), Vec::new()),
        Some((notation, true)) => {
            let at_most = if requirement.entry().larger_is_stricter { "at most " } else { "" };
            (format!("the data allows {at_most}`{notation}`"), vec![notation])
        }
        Some((notation, false)) => {
            (format!("`{notation}` is not ruled out in this way, but may be out of reach too"), Vec::new())
        }
    };
    Error::Infeasible { requirement: requirement.to_string(), reason, allows, nearest }
}

/// The requirement of a notation with its counting parameter as great as the judge admits, and whether all people pass it as
/// one group; the notation itself where it has no such parameter.
fn less_strict(requirement: &Requirement, base: &str, judge: &impl Fn(&str) -> Option<bool>) -> Option<(String, bool)> {
    if let Some(holds) = judge(base) {
        return Some((base.to_string(), holds));
    }
    let (name, texts) = base.strip_suffix(')')?.split_once('(')?;
    let texts: Vec<&str> = texts.split(", ").collect();
    let parameters = requirement.entry().parameters;
    let whole = |at: &usize| matches!(parameters[*at].range, Range::Whole(_));
    let counting = (0..parameters.len()).find(whole).or((parameters.len() == 1).then_some(0))?;
    let (least, asked) = match parameters[counting].range {
        Range::Whole(least) | Range::AtLeast(least) => (u64::from(least), Decimal::parse(texts.get(counting)?)?),
        _ => return None,
    };
    let written = |value: u64| {
        let value = value.to_string();
        let texts: Vec<&str> =
            texts.iter().enumerate().map(|(at, text)| if at == counting { value.as_str() } else { text }).collect();
        format!("{name}({})", texts.join(", "))
    };
    // Whatever is admitted stays so for less.
    let (mut from, mut to) = (least, u64::try_from(asked.to_f64().ceil() as u128).ok()?.max(least));
    judge(&written(from)).filter(|_| from < to)?;
    while to - from > 1 {
        let middle = from + (to - from) / 2;
        match judge(&written(middle)) {
            Some(_) => from = middle,
            None => to = middle,
        }
    }
    let notation = written(from);
    judge(&notation).map(|holds| (notation, holds))
}

fn nothing(requirement: &Requirement) -> Error {
    Error::Infeasible {
        requirement: requirement.to_string(),
        reason: "the table has no rows".into(),
        allows: "there is nothing to publish".into(),
        nearest: Vec::new(),
    }
}

/// What the whole attains in all columns that a requirement is about, and what its principle makes of that.
fn alternatives(bound: &BoundRequirements, failed: &BoundTest, whole: Group<'_>) -> (Option<Attained>, Vec<String>) {
    let principle = bound.requirements[failed.requirement].principle();
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
    (common, suggestions)
}

/// A notation as a requirement on the same column.
fn on_column(requirement: &Requirement, notation: &str) -> String {
    match &requirement.column {
        Some(column) => format!("{column}: {notation}"),
        None => notation.to_string(),
    }
}

/// Why the whole falls short. Principles speak of rows; where people are counted, these are the people.
fn reason(bound: &BoundRequirements, failed: &BoundTest, whole: Group<'_>) -> String {
    let principle = bound.requirements[failed.requirement].principle();
    let reason = principle.reason(&failed.ask(whole, |test, bag| test.best(bag)), &failed.name);
    match bound.counted {
        Counted::Rows => reason,
        Counted::People => {
            let words = [("of the rows have", "of the people have"), ("all rows together", "all people together")];
            words.iter().fold(reason, |text, (rows, people)| text.replace(rows, people))
        }
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
