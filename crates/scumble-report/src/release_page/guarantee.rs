//! What was asked for, and what was reached.

use super::{Guards, ReleaseFacts, RequirementFacts, named};
use crate::page::{Note, Page};
use crate::table::Table;
use crate::text::Text;
use scumble_table::figures::{counted, grouped};

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
        .plain(&match facts.people_repeat() {
            true => format!(
                ", which reads nothing but them and counts rows, as the figures below do. That it holds for {} too, each \
                 counted once, can only be checked against the source.",
                facts.person_nouns().1
            ),
            false => ", which reads nothing but them.".into(),
        }),
    );
    if facts.people_repeat() {
        page.note(Note::Warning, "people may have several rows", several_rows(facts));
    }
    for requirement in &facts.requirements {
        page.statement(&requirement.notation, sentence(requirement));
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
            named(&unguarded).plain(&format!(
                ": the requirements bound the sizes of groups, not what a group shows in this respect. Where the {} \
                 of a group share a value, it is known for each of them.",
                facts.counted.many
            )),
        );
    }
}

/// What promises do not cover where people have several rows.
fn several_rows(facts: &ReleaseFacts) -> String {
    let unnamed = match facts.unnamed {
        0 => String::new(),
        1 => "1 row names no person, and counts as a person of its own. ".into(),
        n => format!(
            "{} rows name no person, and each of them counts as a person of its own, whosever it is. ",
            grouped(n)
        ),
    };
    format!(
        "{unnamed}What is promised is about each group by itself, and counts each person once in it. Whoever knows how many rows a \
         person has, or where all of them are, can do better: rows of one person may make up much of a group; and where a value does not \
         change from row to row, as a chronic illness or an income may not, what the groups of all rows of a person have in common is \
         less than what any one of them leaves."
    )
}

/// What a requirement demands, as a sentence.
fn sentence(requirement: &RequirementFacts) -> Text {
    let words = match &requirement.meaning {
        Some(meaning) => meaning.demands.trim().to_owned(),
        None => format!("every group meets the requirement {}", requirement.notation.trim()),
    };
    let stop = if words.ends_with(['.', '!', '?']) { "" } else { "." };
    Text::from(format!("{}{stop}", super::capital(&words)))
}

/// The sensitive columns that no requirement on values covers.
fn unguarded(facts: &ReleaseFacts) -> Vec<&str> {
    let mut open = facts.names("sensitive");
    for requirement in &facts.requirements {
        match &requirement.guards {
            Guards::Everything => open.clear(),
            Guards::Column(column) => open.retain(|name| name != column),
            Guards::Sizes => {}
        }
    }
    open
}

#[cfg(test)]
mod tests {
    use super::super::{ColumnFacts, Meaning};
    use super::*;

    fn facts(guards: &[Guards]) -> ReleaseFacts {
        ReleaseFacts {
            columns: ["pay", "illness"]
                .map(|name| ColumnFacts { name: name.into(), role: "sensitive".into(), ..ColumnFacts::default() })
                .to_vec(),
            requirements: guards
                .iter()
                .map(|guards| RequirementFacts { guards: guards.clone(), ..RequirementFacts::default() })
                .collect(),
            ..ReleaseFacts::default()
        }
    }

    #[test]
    fn columns_without_a_requirement_are_named() {
        assert_eq!(unguarded(&facts(&[Guards::Sizes])), ["pay", "illness"]);
        assert_eq!(unguarded(&facts(&[Guards::Sizes, Guards::Column("pay".into())])), ["illness"]);
        assert!(unguarded(&facts(&[Guards::Everything])).is_empty());
    }

    #[test]
    fn what_has_no_words_is_shown_as_it_stands() {
        let demands = |demands: &str| Some(Meaning { demands: demands.into(), ..Meaning::default() });
        let requirement =
            |meaning| RequirementFacts { notation: "new(1)".into(), meaning, ..RequirementFacts::default() };
        assert_eq!(sentence(&requirement(demands("so it is."))).html(), "So it is.");
        assert_eq!(sentence(&requirement(None)).html(), "Every group meets the requirement new(1).");
    }
}
