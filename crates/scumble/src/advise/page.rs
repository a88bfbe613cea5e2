//! The advice as a page with charts.

use super::{Advice, AtEpsilon, Bounds, Curve};
use scumble_report::chart::{Axis, Series, Shape, line};
use scumble_report::{Note, Page, Table, Text, counted, grouped};

/// What figures are worth where people have several rows.
pub(super) const BOUNDS: &str = "Some people have several rows. Every epsilon and m that is ruled out here is ruled out for people \
                                 too; what is left may still fail, since the rows of one person cannot stand in for other people.";

/// Writes the page.
pub(super) fn page(advice: &Advice) -> String {
    let mut page = Page::new("Which epsilon goes with which m");
    page.kicker("Scumble: for the publisher only").lead(Text::from("What the numbers of ").name(&advice.column).plain(
        " allow the proximity requirements, whatever the grouping. The smaller the share 1/m of a group that may lie \
             near any of its numbers, the less can count as near.",
    ));
    page.section("The column");
    page.key_figures([
        (Text::from("Rows with a number"), Text::from(grouped(advice.rows))),
        (Text::from("Rows without one"), Text::from(grouped(advice.missing))),
    ]);
    if let Some(persons) = advice.persons {
        page.paragraph(format!(
            "These are the numbers of {}, each counted once.",
            counted(persons, "person", "people")
        ));
    }
    if !advice.exact {
        page.note(Note::Remark, "bounds, not exact", BOUNDS);
    }
    page.note(
        Note::Warning,
        "not for publication",
        "These figures are worked out from the sensitive numbers themselves: the bounds tell how close together some of \
         them lie. Keep this page with the data and out of every release.",
    );
    if advice.missing > 0 {
        page.note(
            Note::Remark,
            "rows without a number are left out here",
            "Publishing with a proximity requirement refuses them: remove these rows, or fill in the numbers they stand \
             for.",
        );
    }
    answer(&mut page, advice);
    if let Some(curve) = &advice.curve {
        trade_off(&mut page, curve);
    }
    page.finish()
}

fn answer(page: &mut Page, advice: &Advice) {
    let facts = facts(advice);
    if facts.is_empty() {
        return;
    }
    page.section("The answer").definitions(facts.into_iter().map(|(name, value)| (name.into(), value.into())));
    if let (Some(requirement), Some(achievable)) = (advice.requirement(), advice.achievable) {
        let words = if achievable { "Some grouping meets it." } else { "No grouping can meet it." };
        page.statement(&requirement, words);
    }
    if let Some(beyond) = advice.beyond() {
        page.paragraph(format!("No grouping can meet it: {beyond}."));
    }
    if let Some(nearest) = &advice.nearest {
        page.paragraph("The nearest that some grouping meets:");
        page.list(nearest.requirements.iter().map(|requirement| Text::new().code(requirement)));
    }
}

/// The answer as names and values, for the page and for the terminal.
pub(super) fn facts(advice: &Advice) -> Vec<(&'static str, String)> {
    let mut facts = Vec::new();
    if let Some(epsilon) = &advice.epsilon {
        facts.push(("epsilon, absolute", epsilon.clone()));
    }
    if let Some(epsilon) = &advice.relative {
        facts.push(("epsilon, relative", epsilon.clone()));
    }
    if let (Some(maxsize), Some(m_max)) = (advice.maxsize, advice.m_max) {
        facts.push(("most rows near one another (maxsize)", maxsize.to_string()));
        match advice.m_guaranteed {
            Some(met) if met < m_max => {
                facts.push(("m that is certain", format!("up to {met}")));
                facts.push(("m that is ruled out", format!("above {m_max}; in between only a search can tell")));
            }
            _ => facts.push(("largest m", m_max.to_string())),
        }
    }
    if let Some(bounds) = &advice.bounds {
        facts.push(("m", bounds.m.to_string()));
        if let (None, Some(m_max)) = (advice.maxsize, advice.m_max) {
            facts.push(("largest m, with epsilon 0", m_max.to_string()));
        }
        facts.push(("absolute epsilon must be", below(&bounds.epsilon_supremum, None)));
        facts.push(("largest at the column's resolution", usable(&bounds.epsilon_supremum, &bounds.epsilon_largest)));
        let exact = bounds.relative_supremum_exact.as_deref();
        facts.push(("relative epsilon must be", below(&bounds.relative_supremum, exact)));
        facts.push(("such as", usable(&bounds.relative_supremum, &bounds.relative_largest)));
    }
    facts
}

/// A supremum in words.
fn below(supremum: &Option<String>, exact: Option<&str>) -> String {
    match (supremum.as_deref(), exact) {
        (None, _) => "any".into(),
        (Some("0"), _) => "none is small enough".into(),
        (Some(supremum), None) => format!("below {supremum}"),
        (Some(_), Some(exact)) => format!("below {exact}"),
    }
}

/// A usable epsilon in words.
fn usable(supremum: &Option<String>, largest: &Option<String>) -> String {
    match (supremum, largest) {
        (None, _) => "any".into(),
        (_, Some(largest)) => largest.clone(),
        (_, None) => "none".into(),
    }
}

fn trade_off(page: &mut Page, curve: &Curve) {
    page.section("Largest m for an epsilon");
    page.paragraph(
        "At a given epsilon the rows whose numbers are near one another must be spread over as many groups as there are of \
         them, and each group needs m rows: the largest m is the number of rows divided by that count.",
    );
    for (points, word, unit) in [
        (&curve.absolute, "absolute", "in the column's own unit"),
        (&curve.relative, "relative", "share of the number"),
    ] {
        let title = format!("Largest m, {word} epsilon");
        let axis = Axis::new(&format!("{word} epsilon, {unit}")).by_powers();
        let largest = Axis::new("largest m").by_powers();
        page.chart(&line(&title, &axis, &largest, &[points_of(&title, points)]));
        page.table(&at_epsilons(&title, points));
    }
    if curve.by_m.is_empty() {
        return;
    }
    page.section("Epsilons for an m");
    page.paragraph("Every epsilon below the bound goes with its m, and none from the bound on does.");
    for (word, pick) in
        [("absolute", supremum_absolute as fn(&Bounds) -> &Option<String>), ("relative", supremum_relative)]
    {
        let title = format!("Bound of the {word} epsilon for an m");
        let points = curve.by_m.iter().filter_map(|b| Some((b.m as f64, pick(b).as_ref()?.parse().ok()?))).collect();
        let series = Series { name: title.clone(), points, shape: Shape::Straight };
        let (m, bound) = (Axis::new("m").by_powers(), Axis::new(&format!("{word} epsilon, below")).by_powers());
        page.chart(&line(&title, &m, &bound, &[series]));
    }
    let mut table =
        Table::new("Epsilons for an m", &["m", "absolute, below", "largest usable", "relative, below", "usable"])
            .figures_in(&[0, 1, 2, 3, 4])
            .named_rows();
    for b in &curve.by_m {
        let shown = |text: &Option<String>| Text::from(text.as_deref().unwrap_or("none"));
        table.row([
            Text::from(grouped(b.m)),
            shown(&b.epsilon_supremum),
            shown(&b.epsilon_largest),
            shown(&b.relative_supremum),
            shown(&b.relative_largest),
        ]);
    }
    page.table(&table);
}

fn supremum_absolute(bounds: &Bounds) -> &Option<String> {
    &bounds.epsilon_supremum
}

fn supremum_relative(bounds: &Bounds) -> &Option<String> {
    &bounds.relative_supremum
}

/// Texts become floats here, for places on a chart only.
fn points_of(name: &str, points: &[AtEpsilon]) -> Series {
    let points = points.iter().filter_map(|p| Some((p.epsilon.parse().ok()?, p.m_max as f64))).collect();
    Series { name: name.into(), points, shape: Shape::Straight }
}

fn at_epsilons(title: &str, points: &[AtEpsilon]) -> Table {
    let mut table =
        Table::new(title, &["epsilon", "most rows near one another", "largest m"]).figures_in(&[0, 1, 2]).named_rows();
    for point in points {
        table.row([point.epsilon.clone(), grouped(point.maxsize), grouped(point.m_max)].map(Text::from));
    }
    table
}
