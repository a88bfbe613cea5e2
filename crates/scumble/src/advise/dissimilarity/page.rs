//! The advice as a page with charts.

use super::{AtDistance, AtK, DissimilarityAdvice};
use scumble_report::chart::{Axis, Series, Shape, line};
use scumble_report::{Note, Page, Table, Text, grouped};

/// Writes the page.
pub(super) fn page(advice: &DissimilarityAdvice) -> String {
    let mut page = Page::new("How unlike each other the values of a group can be");
    let mut lead = Text::from("What the values of ");
    for (i, column) in advice.columns.iter().enumerate() {
        lead = if i > 0 { lead.plain(", ") } else { lead }.name(column);
    }
    page.kicker("Scumble: for the publisher only").lead(lead.plain(
        " allow the dissimilarity requirement. Delta is the share of the others in a group that must be farther than epsilon \
         from each of its values, and k the least number of rows of a group.",
    ));
    page.section("The columns");
    page.key_figures([
        (Text::from("Rows"), Text::from(grouped(advice.rows))),
        (Text::from("Distinct values"), Text::from(grouped(advice.values))),
    ]);
    page.definitions([(Text::from("distance"), Text::new().code(&advice.distance))]);
    page.note(
        Note::Warning,
        "not for publication",
        "These figures are worked out from the sensitive values themselves: they tell how many people have values near one \
         another. Keep this page with the data and out of every release.",
    );
    page.section("The answer").definitions(advice.facts().into_iter().map(|(name, value)| (name.into(), value.into())));
    match advice.requirement() {
        // The statement stands under its requirement.
        Some(requirement) => page.statement(&requirement, advice.verdict().replacen(&requirement, "It", 1)),
        None => page.paragraph(advice.verdict()),
    };
    if let Some(trade_off) = &advice.trade_off {
        charts(&mut page, trade_off);
    }
    page.finish()
}

fn charts(page: &mut Page, trade_off: &[AtDistance]) {
    page.section("Epsilon, delta and k");
    page.paragraph(
        "Up to the guaranteed delta some grouping exists, since no row is near too many others. From the disproved delta on \
         there is none, since too many rows are near one another. Between the two only a search can tell; it often finds \
         more than is guaranteed.",
    );
    for (title, axis, pick) in [
        ("Guaranteed delta", "delta, guaranteed up to", guaranteed as fn(&AtK) -> Option<f64>),
        ("Disproved delta", "delta, disproved from", disproved),
    ] {
        let series: Vec<Series> = ks(trade_off).into_iter().map(|k| series(trade_off, k, pick)).collect();
        if series.iter().all(|one| one.points.is_empty()) {
            page.paragraph("No delta is disproved for any of these epsilons.");
            continue;
        }
        page.chart(&line(title, &Axis::new("epsilon"), &Axis::new(axis), &series));
        page.table(&table(title, trade_off, pick));
    }
}

fn guaranteed(at: &AtK) -> Option<f64> {
    Some(at.guaranteed_delta)
}

fn disproved(at: &AtK) -> Option<f64> {
    at.infeasible_delta
}

fn ks(trade_off: &[AtDistance]) -> Vec<u64> {
    trade_off.first().map_or(Vec::new(), |first| first.by_k.iter().map(|at| at.k).collect())
}

/// Texts become floats here, for places on a chart only.
fn series(trade_off: &[AtDistance], k: u64, pick: fn(&AtK) -> Option<f64>) -> Series {
    let point = |row: &AtDistance| {
        let at = row.by_k.iter().find(|at| at.k == k)?;
        Some((row.epsilon.parse().ok()?, pick(at)?))
    };
    Series { name: format!("k = {k}"), points: trade_off.iter().filter_map(point).collect(), shape: Shape::Straight }
}

fn table(title: &str, trade_off: &[AtDistance], pick: fn(&AtK) -> Option<f64>) -> Table {
    let ks = ks(trade_off);
    let heading: Vec<String> = ["epsilon", "rows near one row", "rows near one another"]
        .map(String::from)
        .into_iter()
        .chain(ks.iter().map(|k| format!("k = {k}")))
        .collect();
    let heading: Vec<&str> = heading.iter().map(String::as_str).collect();
    let figures: Vec<usize> = (0..heading.len()).collect();
    let mut table = Table::new(title, &heading).figures_in(&figures).named_rows();
    for row in trade_off {
        let cells = row.by_k.iter().map(|at| pick(at).map_or("none".into(), |delta| delta.to_string()));
        let first = [row.epsilon.clone(), grouped(row.max_degree), grouped(row.clique_rows)];
        table.row(first.into_iter().chain(cells).map(Text::from));
    }
    table
}
