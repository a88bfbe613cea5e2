//! Codes as the texts that a file or a page shows.

use super::bins::Part;
use super::contexts::Clause;
use super::nesting::LevelCuts;
use scumble_table::{Code, ContextCondition, Cuts, Domain, Is, Table};

/// Cuts as values.
pub(super) fn cut_texts(cuts: &LevelCuts, domain: &Domain) -> Cuts {
    cuts.iter().map(|&code| domain.text(code).into()).collect()
}

/// Clauses as conditions on named columns.
pub(super) fn conditions(when: &[Clause], table: &Table) -> Vec<ContextCondition> {
    let condition = |clause: &Clause| {
        let attribute = table.attribute(clause.column);
        let text = |code: Code| -> Box<str> { attribute.domain.text(code).into() };
        let is = match &clause.part {
            Part::Codes(codes) => Is::OneOf(codes.iter().map(|&code| text(code)).collect()),
            Part::Range { from, to } => Is::Between(from.map(text), to.map(text)),
        };
        ContextCondition { column: attribute.name.clone(), is }
    };
    when.iter().map(condition).collect()
}

/// Labels named before a list is cut short.
const MOST_LABELS: usize = 3;

/// A bin in words.
pub(super) fn part(part: &Part, domain: &Domain) -> String {
    let text = |code: Code| domain.text(code).into_owned();
    match part {
        Part::Codes(codes) if part.is_missing() || codes.is_empty() => "missing".into(),
        Part::Codes(codes) => {
            let named: Vec<String> = codes.iter().take(MOST_LABELS).map(|&code| text(code)).collect();
            match codes.len() - named.len() {
                0 => named.join(", "),
                more => format!("{} and {more} more", named.join(", ")),
            }
        }
        Part::Range { from: Some(from), to: Some(to) } if from == to => text(*from),
        Part::Range { from: Some(from), to: Some(to) } => format!("{} to {}", text(*from), text(*to)),
        Part::Range { from: None, to: Some(to) } => format!("up to {}", text(*to)),
        Part::Range { from: Some(from), to: None } => format!("from {}", text(*from)),
        Part::Range { from: None, to: None } => "all".into(),
    }
}
