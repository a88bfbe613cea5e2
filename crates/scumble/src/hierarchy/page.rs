//! The hierarchies as a page with charts.

use super::facts::{BuiltHierarchies, ContextFacts, CorrelationFacts, HierarchyFacts, LevelFacts};
use scumble_method::correlation::Measure;
use scumble_report::chart::{Axis, Bar, Crosstab, Part, Rung, Span, bars, crosstab, icicle};
use scumble_report::{Note, Page, Table, Text, counted, grouped};

/// A tree of more boxes than this is a smear; the levels are told in a table all the same.
const MOST_BOXES: usize = 400;

/// Writes the page.
pub(super) fn page(built: &BuiltHierarchies) -> String {
    let mut page = Page::new("Which values belong together");
    page.kicker("Scumble · Hierarchies")
        .lead("Hierarchies of columns: what belongs together at which level, and which other columns that depends on.");
    let files = match built.tells_of_data() {
        true => "But their cuts come from the data, or the files list values, so they too tell a little about it.",
        false => "They hold rules, and nothing of the data.",
    };
    let note = format!(
        "Counts of people enter this page, and they are protected by nothing: keep it to yourself. The hierarchy files \
         hold no counts. {files}"
    );
    page.note(Note::Warning, "for the publisher's eyes", note);
    page.section("What was built");
    let mut figures = vec![(Text::from("Rows"), Text::from(grouped(built.rows)))];
    if let Some(least) = built.min_count {
        let name =
            if built.min_count_given { "Least rows of an interval" } else { "Least rows of an interval (a tenth)" };
        figures.push((Text::from(name), Text::from(grouped(least))));
    }
    page.key_figures(figures);
    let file = |name: &String| Text::new().code(name);
    page.list(built.hierarchies.iter().flat_map(|hierarchy| hierarchy.files.iter().map(file)));
    for hierarchy in &built.hierarchies {
        section(&mut page, built, hierarchy);
    }
    page.foot("Made by Scumble. This page has no script and loads nothing.");
    page.finish()
}

fn section(page: &mut Page, built: &BuiltHierarchies, hierarchy: &HierarchyFacts) {
    page.section(&hierarchy.column);
    for note in &hierarchy.notes {
        page.note(Note::Remark, "Good to know", sentence(note));
    }
    if !hierarchy.correlations.is_empty() {
        correlations(page, built, hierarchy);
    }
    tree(page, hierarchy);
    if hierarchy.contexts.is_empty() {
        page.table(&levels("Levels", &hierarchy.levels));
    }
    for context in &hierarchy.contexts {
        page.table(&levels(
            &format!("Where {}: {}", context.says, counted(context.rows, "row", "rows")),
            &context.levels,
        ));
    }
}

/// A remark of the command line as a sentence of a page.
fn sentence(note: &str) -> String {
    let words = note.replace('`', "");
    let mut letters = words.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}.", letters.as_str())
}

fn correlations(page: &mut Page, built: &BuiltHierarchies, hierarchy: &HierarchyFacts) {
    let name = &hierarchy.column;
    let measure = Measure::ALL.into_iter().find(|measure| Some(measure.name()) == built.correlation);
    let measure = measure.map_or("correlation", Measure::title);
    page.subsection("What it goes with");
    let bar = |found: &CorrelationFacts| Bar { label: found.column.clone(), value: found.value.unwrap_or(f64::NAN) };
    let list: Vec<Bar> = hierarchy.correlations.iter().map(bar).collect();
    page.chart(&bars(&format!("Correlation of {name} with each given column"), &Axis::new(measure), &list));
    if hierarchy.correlations.iter().any(|found| found.division.is_some()) {
        page.paragraph(
            "A column divides the rows into contexts if that is worth more than it costs to say (the gain, in nats, is \
             above 0) and leaves every part rows enough. Of several the one with the largest gain is taken first.",
        );
        let heading = ["Column", "Gain", "Parts", "Rows of the smallest", "Divides"];
        let mut table = Table::new("Dividing all rows", &heading).figures_in(&[1, 2, 3]).named_rows();
        for found in &hierarchy.correlations {
            let Some(division) = found.division else { continue };
            let made = if division.made { "yes" } else { "no" };
            let gain = format!("{:.1}", division.gain).replace('-', "−");
            let figures = [gain, division.parts.to_string(), grouped(division.least_rows)];
            let cells = figures.into_iter().map(Text::from).chain([Text::from(made)]);
            table.row(std::iter::once(Text::new().name(&found.column)).chain(cells));
        }
        page.table(&table);
    }
    page.paragraph(
        "The maps show how the values are distributed for each value of a given column: the darker a field, the larger \
         its share of the column it is in. Columns that look alike say that the two have nothing to do with each other.",
    );
    for found in &hierarchy.correlations {
        let title = format!("{name} by {}", found.column);
        page.chart(&crosstab(&title, &found.column, name, &map(found)));
    }
}

fn map(found: &CorrelationFacts) -> Crosstab {
    let totals = found.map.table.across_totals();
    let share = |at: usize, line: &[u64]| 100.0 * line[at] as f64 / totals[at] as f64;
    let column = |at: usize| found.map.table.lines().map(|line| share(at, line)).collect();
    Crosstab {
        across: found.map.across.clone(),
        up: found.map.down.clone(),
        percent: (0..found.map.across.len()).map(column).collect(),
    }
}

fn tree(page: &mut Page, hierarchy: &HierarchyFacts) {
    page.subsection("The tree");
    let all = Rung {
        label: "everything".into(),
        spans: vec![Span { label: "*".into(), short: "*".into(), share: 1.0, count: hierarchy.rows }],
    };
    let mut rungs = vec![all];
    rungs.extend(drawn(&hierarchy.levels, "common level"));
    let mut parts = vec![Part { heading: String::new(), rungs }];
    let n_common = hierarchy.levels.len();
    for ContextFacts { says, rows, levels, .. } in &hierarchy.contexts {
        // The finest common level is drawn once more, as the roof of what is the context's own.
        let own = &levels[..levels.len() + 1 - n_common.min(levels.len())];
        parts.push(Part { heading: format!("{says}: {}", counted(*rows, "row", "rows")), rungs: drawn(own, "level") });
    }
    let boxes = |parts: &[Part]| parts.iter().flat_map(|part| &part.rungs).map(|rung| rung.spans.len()).sum::<usize>();
    let all = boxes(&parts);
    // The finest levels are the ones that are too much to see.
    while boxes(&parts) > MOST_BOXES && parts.iter().any(|part| part.rungs.len() > 1) {
        for part in parts.iter_mut().filter(|part| part.rungs.len() > 1) {
            part.rungs.pop();
        }
    }
    if boxes(&parts) < all {
        page.paragraph(format!(
            "The tree has {} boxes, too many to be seen; its finest levels are not drawn.",
            grouped(all as u64)
        ));
    }
    page.chart(&icicle(&format!("The hierarchy of {}", hierarchy.column), "rows", &parts));
    if !hierarchy.contexts.is_empty() {
        page.paragraph(
            "A box is as wide as its share of the rows of its part. The first row of every context has the intervals \
             that all contexts share; below it are its own.",
        );
    }
}

/// Levels from the coarsest down.
fn drawn(levels: &[LevelFacts], word: &str) -> Vec<Rung> {
    let rung = |(nth, level): (usize, &LevelFacts)| {
        let total: u64 = level.rows.iter().sum::<u64>().max(1);
        let span = |(label, &count): (&String, &u64)| Span {
            label: label.clone(),
            short: label.replace("up to ", "≤ ").replace("from ", "≥ ").replace(" to ", "–"),
            share: count as f64 / total as f64,
            count,
        };
        Rung { label: format!("{word} {}", nth + 1), spans: level.labels.iter().zip(&level.rows).map(span).collect() }
    };
    levels.iter().enumerate().rev().map(rung).collect()
}

fn levels(title: &str, levels: &[LevelFacts]) -> Table {
    let heading = ["Level", "Groups", "Rows of the smallest", "Groups, fine to coarse from above"];
    let mut table = Table::new(title, &heading).figures_in(&[1, 2]).named_rows();
    for (nth, level) in levels.iter().enumerate() {
        let shown = match level.labels.len() {
            n if n <= 40 => level.labels.join(" | "),
            n => format!("{} and {} more", level.labels[..20].join(" | "), n - 20),
        };
        let figures = [(nth + 1).to_string(), level.groups.to_string(), grouped(level.least_rows)];
        table.row(figures.into_iter().map(Text::from).chain([Text::new().name(&shown)]));
    }
    table
}
