//! The `report.html` of a release: what anybody may know about it.
//!
//! The page is published together with the tables, so it holds only what the tables and the manifest hold
//! already, in words and pictures: nothing about the search that made them (failed cuts, repairs, timings),
//! nothing about single people or rows, no path, time, seed or host. [`ReleaseFacts`] has no field for any of
//! these. The example it shows is made up and the same in every report.

mod attacker;
mod cells;
mod example;
mod facts;
mod groups;
mod guarantee;
mod loss;
mod published;

pub use facts::{ColumnFacts, Guards, Meaning, ReleaseFacts, RequirementFacts};

use crate::method::Method;
use crate::page::{Note, Page};
use crate::text::Text;
use scumble_table::figures::{counted, grouped, measure, percent};

/// The whole report as one HTML file.
///
/// # Example
///
/// ```
/// use scumble_report::{ReleaseFacts, release_page};
///
/// let html = release_page(&ReleaseFacts { method: "generalize".into(), rows: 1200, ..ReleaseFacts::default() });
/// assert!(html.contains("1,200"));
/// ```
pub fn release_page(facts: &ReleaseFacts) -> String {
    let method = Method::named(&facts.method);
    let mut page = Page::new("What this release shows, and what it keeps");
    page.kicker("Scumble · Release report").lead(
        "The tables beside this page were made from records about people, so that they can be studied without giving any \
         of these people away. Here you find what was published, which guarantee was asked for, what was reached, and \
         what lies beyond the guarantee.",
    );
    if !facts.coins_secret {
        page.note(Note::Warning, "made with a seed, not for real people", seeded(method));
    }
    at_a_glance(&mut page, facts, method);
    published::write(&mut page, facts, method);
    guarantee::write(&mut page, facts);
    attacker::write(&mut page, facts, method);
    groups::write(&mut page, facts, method);
    loss::write(&mut page, facts, method);
    example::write(&mut page, method);
    cells::write(&mut page, facts, method);
    if !facts.accepted.is_empty() {
        page.section("What the publisher took upon themselves").paragraph(
            "For these the publisher answers in place of the program, which would have refused what they stand for. That a word is \
             listed here does not tell whether anything in this release needed it.",
        );
        page.list(facts.accepted.iter().map(Text::from));
    }
    if !facts.notes.is_empty() {
        page.section("Notes of the publisher").list(facts.notes.iter().map(Text::from));
    }
    page.foot(
        Text::from("Made by Scumble. This page has no script and loads nothing. ")
            .code("manifest.json")
            .plain(" holds the same facts for programs."),
    );
    page.finish()
}

/// What a seed gives away, in the first words of the page.
fn seeded(method: Method) -> String {
    let (_, many) = method.group();
    let undone = match method {
        Method::Generalize => format!(
            "can repeat the random choices: the order of the rows, the numbers of the {many} and the draws that keep the \
             algorithm from giving values away"
        ),
        Method::Permute => {
            "can undo the shuffling of the sensitive values, and so read everybody's own values from this release"
                .into()
        }
        _ => {
            format!("can repeat how people were put into {many}, and test guesses of their values against the release")
        }
    };
    format!(
        "The random choices of this release were made with a seed. Anybody who guesses the seed, or tries one after the \
         other, {undone}. It is for tests and for reproducing results with people who do not exist. Do not publish \
         it if its people are real."
    )
}

fn at_a_glance(page: &mut Page, facts: &ReleaseFacts, method: Method) {
    let (_, many) = method.group();
    page.section("At a glance");
    let mut figures = vec![
        (Text::from("Rows published"), Text::from(grouped(facts.rows))),
        (suppressed(facts), Text::from(grouped(facts.suppressed))),
        (Text::from(capital(many)), Text::from(grouped(facts.groups))),
    ];
    if let Some(persons) = facts.persons.filter(|_| facts.unnamed == 0 || facts.unnamed < facts.rows) {
        figures.insert(1, (Text::from(capital(facts.person_nouns().1)), Text::from(grouped(persons))));
    }
    if let Some(smallest) = facts.smallest_group() {
        let rows = facts.row().many;
        figures.push((Text::from(format!("Smallest {}, in {rows}", method.group().0)), Text::from(grouped(smallest))));
    }
    if let Some(ncp) = facts.ncp {
        figures.push((Text::from("NCP, summed over the quasi-identifiers"), Text::from(measure(ncp))));
    }
    page.key_figures(figures);
    if method.exact() {
        page.note(
            Note::Remark,
            "presence is not hidden",
            "The quasi-identifiers are published exactly. Whoever knows them of a person can see whether that person is in \
             the release; what is hidden is whose sensitive value is whose.",
        );
    }
    if facts.profile == "max-utility" {
        page.note(
            Note::Warning,
            "max-utility, not minimality-hardened",
            "The rows were grouped so as to keep the most detail. This profile is not hardened against an attacker who \
             knows the algorithm: from the choices it made, such an attacker may reason back to the values and learn \
             more than the figures on this page say.",
        );
    }
}

/// The label of the number of suppressed rows, with their share of all rows where there are any.
fn suppressed(facts: &ReleaseFacts) -> Text {
    match facts.rows.saturating_add(facts.suppressed) {
        all if facts.suppressed > 0 => {
            format!("Rows suppressed ({})", percent(facts.suppressed as f64 / all as f64)).into()
        }
        _ => "Rows suppressed".into(),
    }
}

/// With a capital, to begin a label.
fn capital(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// A few names in a sentence, set apart from each other; of many only the first are named.
fn named(names: &[&str]) -> Text {
    const MOST: usize = 8;
    let mut text = Text::new();
    let shown = if names.len() > MOST + 1 { MOST } else { names.len() };
    for (i, name) in names.iter().take(shown).enumerate() {
        text = match i {
            0 => text,
            i if i + 1 == names.len() => text.plain(" and "),
            _ => text.plain(", "),
        };
        text = text.name(name);
    }
    if shown < names.len() {
        text = text.plain(&format!(" and {}", counted((names.len() - shown) as u64, "other", "others")));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_listed_as_one_says_them() {
        assert_eq!(named(&[]).html(), "");
        assert_eq!(named(&["a"]).html(), "<bdi>a</bdi>");
        assert_eq!(named(&["a", "b", "c"]).html(), "<bdi>a</bdi>, <bdi>b</bdi> and <bdi>c</bdi>");
        assert!(named(&["x"; 12]).html().ends_with("</bdi> and 4 others"));
    }
}
