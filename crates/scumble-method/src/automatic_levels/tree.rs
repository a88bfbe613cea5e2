//! Levels of intervals in the common form of hierarchies, a line for each value.

use super::calendar::{Step, span};
use scumble_table::{
    Attribute, Code, ConditionalHierarchy, Cuts, Domain, Hierarchy, Kind, Result, Role, Schema, parse_date,
};

/// The part of a hierarchy that does not depend on contexts, as a tree over the values of a domain. An interval is
/// called `160 to 164` by the first and last of the values in it, or by the calendar where its level follows that.
///
/// # Errors
/// If the domain has no values, or the levels do not suit it.
pub fn plain_tree(hierarchy: &ConditionalHierarchy, domain: &Domain) -> Result<Hierarchy> {
    let file = format!("the intervals of `{}`", hierarchy.column);
    let attribute = Attribute { name: hierarchy.column.clone(), role: Role::Quasi, domain: domain.clone() };
    let plain = ConditionalHierarchy::plain(&hierarchy.column, hierarchy.common.clone());
    let bound = plain.bind(&file, &Schema::new(vec![attribute])?)?;
    let mut lines: Vec<Vec<String>> = domain.codes().map(|code| vec![domain.text(code).into_owned()]).collect();
    for (level, cuts) in plain.common.iter().enumerate() {
        // A level that nothing cuts is the root.
        if cuts.is_empty() {
            continue;
        }
        let step = (domain.kind() == Kind::Date).then(|| step_of(cuts, domain)).flatten();
        let mut first: Code = 1;
        while first <= domain.len() as Code {
            let interval = bound.interval(0, level, first);
            let run = (first..=domain.len() as Code).take_while(|&code| bound.interval(0, level, code) == interval);
            let last = run.last().unwrap_or(first);
            let label = label(domain, step, first, last);
            for code in first..=last {
                lines[code as usize - 1].push(label.clone());
            }
            first = last + 1;
        }
    }
    for line in &mut lines {
        line.push("*".into());
    }
    Hierarchy::from_rows(&file, &lines, &[])
}

fn label(domain: &Domain, step: Option<Step>, first: Code, last: Code) -> String {
    let day = domain.amount(first).and_then(|day| i32::try_from(day).ok());
    match (step, day) {
        (Some(step), Some(day)) => step.name(step.period(day)),
        _ if first == last => domain.text(first).into_owned(),
        _ => format!("{} to {}", domain.text(first), domain.text(last)),
    }
}

/// The step of the calendar whose periods a level has, if all its intervals are such periods.
fn step_of(cuts: &Cuts, domain: &Domain) -> Option<Step> {
    let (first, last) = span(domain)?;
    let ends: Vec<i32> = cuts.iter().filter_map(|cut| parse_date(cut)).collect();
    Step::all().into_iter().find(|step| {
        let periods: Vec<i32> = (step.period(first)..step.period(last)).map_while(|period| step.end(period)).collect();
        // The cuts beyond the values do not matter.
        let inside: Vec<i32> = ends.iter().copied().filter(|end| (first..last).contains(end)).collect();
        periods == inside
    })
}
