//! How to read a cell, and what became of missing values.

use super::{ReleaseFacts, named};
use crate::method::Method;
use crate::page::Page;
use crate::table::Table;
use crate::text::Text;

pub(super) fn write(page: &mut Page, facts: &ReleaseFacts, method: Method) {
    page.section("Reading the tables");
    let mut forms = Table::new("What a cell can be", &["Cell", "Meaning"]);
    if !method.exact() {
        forms
            .row([Text::new().code("[17,24]"), "from 17 to 24, both included".into()])
            .row([Text::new().code("{north|west}"), "one of these".into()])
            .row([
                Text::from("a broader term"),
                "any value below it in the hierarchy published with the tables".into(),
            ]);
    }
    forms.row([Text::from("a plain value"), "exactly this value".into()]);
    if !method.exact() && facts.ends {
        forms.row([
            Text::new()
                .code("17")
                .plain(" in a column ")
                .code("…_lower")
                .plain(", ")
                .code("24")
                .plain(" in ")
                .code("…_upper"),
            "from 17 to 24, both included; the ends of the column’s domain stand for any value, a missing one too"
                .into(),
        ]);
    }
    let suppressed = if facts.stars { ", and throughout a suppressed row" } else { "" };
    if !method.exact() {
        forms.row([
            Text::new().code("*"),
            Text::from(format!("any value; also where missing and other values meet{suppressed}")),
        ]);
    } else if facts.stars {
        forms.row([Text::new().code("*"), "suppressed, in a row without a group".into()]);
    }
    forms.row([Text::from("an empty cell"), "a missing value".into()]);
    if method == Method::Permute {
        forms.row([Text::from("an empty bound"), "there is none: values without an order, or none at all".into()]);
    }
    if !method.exact() {
        forms
            .row([Text::new().code("\\"), "the next character stands for itself and has no meaning of its own".into()]);
    }
    page.table(&forms);
    if method == Method::Permute {
        bounds(page);
    }

    let counts = Text::from(
        "A missing value counts as a value of its own. No row is left out for missing one. It matches another missing \
         value and nothing else, and in a sensitive column it counts like any other value when a group is judged",
    );
    let ignored: Vec<&str> = facts.missing_ignored.iter().map(String::as_str).collect();
    page.subsection("Missing values").paragraph(match ignored[..] {
        [] => counts.plain("."),
        _ => counts.plain(", but for ").then(&named(&ignored)).plain(
            ": what is required of the diversity and closeness of values there counts only the members of a group who have one.",
        ),
    });
    if !method.exact() {
        page.paragraph(
            Text::from("In a generalized column an empty cell says that everybody in the group misses this value; where some miss it and others do not, the cell is ")
                .code("*")
                .plain("."),
        );
    }
}

/// How a help table answers a question.
fn bounds(page: &mut Page) {
    page.subsection("Questions about sensitive values").paragraph(
        Text::from(
            "Questions about quasi-identifiers alone have exact answers. For a sum, a minimum or a maximum of a sensitive \
             column, find the tuples that the question is about, count for each group how many of them it has (",
        )
        .code("hits")
        .plain(
            "), and look these rows up in the help table. The lower sums of all groups add up to the least that the true \
             sum can be, the upper ones to the most; of the bounds of minima take the least of each kind, of those of \
             maxima the greatest. Nothing in the help table is news: it follows from the other tables.",
        ),
    );
}
