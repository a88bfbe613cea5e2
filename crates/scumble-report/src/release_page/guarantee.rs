//! What was asked for, and what was reached.

use super::{ReleaseFacts, RequirementFacts, named};
use crate::method::Method;
use crate::notation::Request;
use crate::number::counted;
use crate::page::{Note, Page};
use crate::principle::{Meaning, meaning, plain_words};
use crate::table::Table;
use crate::text::Text;

pub(super) fn write(page: &mut Page, facts: &ReleaseFacts) {
    page.section("The guarantee");
    if facts.requirements.is_empty() {
        page.note(
            Note::Warning,
            "nothing was required",
            "This release was made without a requirement and promises nothing.",
        );
        return;
    }
    let mut notations: Vec<&str> = facts.requirements.iter().map(|requirement| requirement.notation.as_str()).collect();
    notations.sort_unstable();
    notations.dedup();
    let n = notations.len() as u64;
    page.paragraph(
        Text::from(format!(
            "{} asked for; {} in every group of the published tables. Whoever has the files can check it with ",
            counted(n, "requirement was", "requirements were"),
            if n == 1 { "it holds" } else { "all hold" }
        ))
        .code("scumble verify")
        .plain(", which reads nothing but them."),
    );
    for requirement in &facts.requirements {
        page.statement(&requirement.notation, sentence(requirement, facts));
    }
    let mut reached =
        Table::new("What was reached", &["Requirement", "Measured", "Reached"]).figures_in(&[2]).named_rows();
    for requirement in &facts.requirements {
        for (name, value) in &requirement.attained {
            let asked = Text::new().code(&requirement.notation);
            let asked = match &requirement.column {
                Some(column) => asked.plain(" on ").name(column),
                None => asked,
            };
            reached.row([asked, name.into(), value.into()]);
        }
    }
    if !reached.is_empty() {
        page.table(&reached);
    }
    let unguarded = unguarded(facts);
    if !unguarded.is_empty() {
        page.note(
            Note::Warning,
            "no requirement speaks of some sensitive values",
            named(&unguarded).plain(
                ": the requirements bound the sizes of groups, not what a group shows in this respect. Where the people \
                 of a group share a value, it is known for each of them.",
            ),
        );
    }
}

/// The words of a requirement as a sentence.
fn sentence(requirement: &RequirementFacts, facts: &ReleaseFacts) -> Text {
    let words = if requirement.plain_words.trim().is_empty() {
        meaning_of(requirement, facts, Method::Other).map_or_else(|| plain_words(&requirement.notation), |m| m.plain)
    } else {
        requirement.plain_words.trim().to_owned()
    };
    let stop = if words.ends_with(['.', '!', '?']) { "" } else { "." };
    Text::from(format!("{}{stop}", super::capital(&words)))
}

/// What a requirement means in this release. Where the notation names no column, the one given beside it counts,
/// or else the only sensitive column that there is.
pub(super) fn meaning_of(requirement: &RequirementFacts, facts: &ReleaseFacts, method: Method) -> Option<Meaning> {
    let mut request = Request::parse(&requirement.notation);
    request.column = request.column.or(requirement.column.as_deref());
    match facts.names("sensitive").as_slice() {
        &[only] => request.column = request.column.or(Some(only)),
        [] => {}
        _ => request.unnamed = "a sensitive column",
    }
    meaning(&request, method)
}

/// The sensitive columns that no requirement on values covers.
fn unguarded(facts: &ReleaseFacts) -> Vec<&str> {
    let mut open = facts.names("sensitive");
    for requirement in &facts.requirements {
        // What is not known to this crate is given the benefit of the doubt: the warning must be true.
        if !meaning_of(requirement, facts, Method::Other).is_none_or(|m| m.guards_values) {
            continue;
        }
        match requirement.column.as_deref().or(Request::parse(&requirement.notation).column) {
            Some(column) => open.retain(|name| *name != column),
            None => open.clear(),
        }
    }
    open
}

#[cfg(test)]
mod tests {
    use super::super::ColumnFacts;
    use super::*;

    fn facts(notations: &[&str]) -> ReleaseFacts {
        ReleaseFacts {
            columns: ["pay", "illness"]
                .map(|name| ColumnFacts { name: name.into(), role: "sensitive".into(), ..ColumnFacts::default() })
                .to_vec(),
            requirements: notations
                .iter()
                .map(|n| RequirementFacts { notation: (*n).into(), ..RequirementFacts::default() })
                .collect(),
            ..ReleaseFacts::default()
        }
    }

    #[test]
    fn columns_without_a_requirement_are_named() {
        assert_eq!(unguarded(&facts(&["k-anonymity(5)"])), ["pay", "illness"]);
        assert_eq!(unguarded(&facts(&["k-anonymity(5)", "pay: variance(9)"])), ["illness"]);
        assert!(unguarded(&facts(&["distinct-l-diversity(3)"])).is_empty());
        assert!(unguarded(&facts(&["something-new(3)"])).is_empty());
    }

    #[test]
    fn the_callers_words_come_first() {
        let requirement = RequirementFacts { plain_words: "so it is.".into(), ..RequirementFacts::default() };
        assert_eq!(sentence(&requirement, &ReleaseFacts::default()).html(), "So it is.");
    }
}
