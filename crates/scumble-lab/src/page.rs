//! A reproduction as a page.

use crate::{Claim, Reproduction, Standing};
use scumble_report::{Note, Page, Table, Text, grouped};

/// The page of a paper's experiments.
pub fn reproduction_page(found: &Reproduction) -> String {
    let mut page = Page::new(&format!("{}, done again", found.paper.name()));
    page.kicker("Scumble · Lab").lead(found.reference);
    if found.from_file {
        page.note(
            Note::Warning,
            "for the publisher's eyes",
            "The figures are worked out from the data itself, some of them from few people. Keep this page as you keep the data.",
        );
    }
    if found.quick {
        page.note(
            Note::Remark,
            "a first look",
            "This was a quick run: fewer rows, parameters and questions than the paper has. Run it without --quick for all of it.",
        );
    }
    data(&mut page, found);
    claims(&mut page, found);
    page.section("Figures and tables");
    for figure in &found.figures {
        page.subsection(&figure.number);
        page.paragraph(&figure.setting);
        if let Some(chart) = figure.chart() {
            page.chart_called(&figure.number, &chart);
        }
        if let Some(table) = figure.table() {
            page.table(&table);
        }
    }
    if !found.left_out.is_empty() {
        page.section("What is not here");
        page.list(found.left_out.iter().map(Text::from));
    }
    page.foot("Made by Scumble. This page has no script and loads nothing.");
    page.finish()
}

fn data(page: &mut Page, found: &Reproduction) {
    page.section("Data");
    let heading = ["Table", "Rows", "Columns", "Stands for", "The paper's own"];
    let mut table = Table::new("Tables that were used", &heading).figures_in(&[1]).named_rows();
    for one in &found.data {
        let own = if one.is_papers_own { "yes" } else { "no" };
        let columns = one.columns.join(", ");
        let rows = match one.without_value {
            0 => grouped(one.rows),
            missing => format!("{} ({} more miss a value)", grouped(one.rows), grouped(missing)),
        };
        table.row([Text::new().name(&one.name), rows.into(), columns.into(), Text::from(&one.stands_for), own.into()]);
    }
    page.table(&table);
}

fn claims(page: &mut Page, found: &Reproduction) {
    page.section("What the paper claims");
    let count = |standing| found.claims.iter().filter(|claim| claim.standing == standing).count() as u64;
    let standings = [Standing::Held, Standing::NotHeld, Standing::NotComparable];
    page.key_figures(standings.map(|one| (Text::from(one.name()), Text::from(grouped(count(one))))));
    page.paragraph(
        "A claim is held or not by the numbers of this run and the test next to it. Figures that are about the \
         paper's own table are compared only where that table was used.",
    );
    let heading = ["Standing", "The paper says", "Found here", "Tested"];
    let mut table = Table::new("Claims", &heading).named_rows();
    for Claim { place, says, found, test, standing } in &found.claims {
        let says = Text::new().plain(&format!("{says} ({place})"));
        table.row([standing.name().into(), says, found.into(), test.into()]);
    }
    page.table(&table);
}
