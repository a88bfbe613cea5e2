//! The advice as a page with tables and charts.

use super::{Choice, Choices, OF_CHANCES, PrincipleChoice, choice_heading, choice_rows};
use scumble_report::chart::{Axis, Chart, Series, Shape, line};
use scumble_report::{Note, Page, Table, Text, counted, fine_percent, grouped};

/// Writes the page.
pub(super) fn page(choices: &Choices) -> String {
    let mut page = Page::new("Which parameters to ask for");
    page.kicker("Scumble: for the publisher only").lead(
        "What each requirement allows on this table and what it costs, over a grid of its parameters. Nothing was published: the \
         releases that were tried have been thrown away.",
    );
    page.note(
        Note::Warning,
        "not for publication",
        "Which requirements can be met tells how often values occur and how close together numbers lie. Keep this page with the data \
         and out of every release.",
    );
    page.section("The table");
    let mut figures = vec![(Text::from("Rows"), Text::from(grouped(choices.rows)))];
    figures.extend(choices.persons.map(|persons| (Text::from("People"), Text::from(grouped(persons)))));
    figures.push((Text::from("Rows that requirements were tried on"), Text::from(grouped(choices.sample.rows))));
    page.key_figures(figures);
    if !choices.sample.whole {
        page.note(Note::Remark, "costs are those of a sample", of_sample(choices));
    }
    for one in &choices.advice {
        principle(&mut page, one);
        if choices.beside_thresholds().is_some_and(|beside| std::ptr::eq(beside, one)) {
            thresholds(&mut page, choices);
        }
    }
    if !choices.without_advice.is_empty() {
        page.section("Without advice");
        let mut table =
            Table::new("Requirements that cannot be put to a column", &["requirement", "column", "why"]).named_rows();
        for one in &choices.without_advice {
            table.row([one.principle, one.column.as_deref().unwrap_or(""), &one.reason].map(Text::from));
        }
        page.table(&table);
    }
    page.finish()
}

/// What figures of a sample are worth.
pub(super) fn of_sample(choices: &Choices) -> String {
    let people = match (choices.sample.persons, choices.persons) {
        (Some(drawn), Some(all)) => format!(" of {} of {}", grouped(drawn), counted(all, "person", "people")),
        _ => String::new(),
    };
    format!(
        "Groups, chances and NCP are those of releases of {} of {}{people}, drawn by lot. Whether a requirement can be met at all is told of the whole \
         table. A group of a sample is a larger part of it than a group of the whole, so that the whole table usually loses less.",
        grouped(choices.sample.rows),
        counted(choices.rows, "row", "rows")
    )
}

fn principle(page: &mut Page, choice: &PrincipleChoice) {
    let name = match &choice.column {
        Some(column) => format!("{} on {column}", choice.principle),
        None => choice.principle.into(),
    };
    page.section(&name);
    page.paragraph(format!("It asks: {}.", choice.asks));
    if let Some(strictest) = &choice.strictest {
        page.paragraph(Text::from("The most that everybody as one group meets: ").code(strictest).plain("."));
    }
    if choice.whole_table {
        page.paragraph("It was tried on the whole table: what share of a population is in a release depends on how many rows there are.");
    }
    let heading = choice_heading(choice);
    let columns: Vec<&str> = heading.iter().map(String::as_str).collect();
    let figures: Vec<usize> =
        (0..columns.len()).filter(|&at| columns[at] != "reached" && columns[at] != "can be met").collect();
    let mut table = Table::new(&name, &columns).figures_in(&figures);
    for row in choice_rows(choice, |part, whole| fine_percent(part as f64 / whole.max(1) as f64)) {
        table.row(row.into_iter().map(Text::from));
    }
    page.table(&table);
    charts(choice).iter().for_each(|chart| {
        page.chart(chart);
    });
    let not_tried: Vec<Text> = choice
        .points
        .iter()
        .filter_map(|point| {
            let reason = point.reason.as_ref().or(point.not_tried.as_ref())?;
            Some(Text::new().code(&point.requirement).plain(&format!(": {reason}")))
        })
        .collect();
    let mut remarks: Vec<&str> = choice.points.iter().filter_map(|point| point.publish_refuses.as_deref()).collect();
    remarks.sort_unstable();
    remarks.dedup();
    if !remarks.is_empty() {
        page.list(remarks.into_iter().map(Text::from));
    }
    if !not_tried.is_empty() {
        page.paragraph("Why there are no figures:");
        page.list(not_tried);
    }
}

fn thresholds(page: &mut Page, choices: &Choices) {
    page.subsection("Thresholds in wide use");
    page.paragraph(
        "These are rules of institutions for what they publish, each for its own readers, and no theorem says which is enough for yours.",
    );
    let mut table = Table::new("Thresholds in wide use", &["k", "chance", "used for", "source"]).figures_in(&[0, 1]);
    for one in choices.thresholds {
        table.row([grouped(one.k).as_str(), one.chance, one.used_for, one.source].map(Text::from));
    }
    page.table(&table);
    page.paragraph(OF_CHANCES);
}

/// What the chart of a principle follows: a name and the figure of a point.
type Measure = (&'static str, fn(&Choice) -> Option<f64>);

const OF_SAMPLES: [Measure; 1] = [("NCP a column", |point| Some(point.sample.as_ref()?.ncp_per_attribute))];

const OF_NUMBERS: [Measure; 2] = [
    ("groups", |point| Some(point.widths.as_ref()?.groups as f64)),
    ("mean range of a group", |point| Some(point.widths.as_ref()?.mean_range)),
];

/// Lines over the parameter that takes most values, one for each combination of the others.
fn charts(choice: &PrincipleChoice) -> Vec<Chart> {
    let widths = choice.points.iter().any(|point| point.widths.is_some());
    let measures = if widths { &OF_NUMBERS[..] } else { &OF_SAMPLES[..] };
    let Some(over) = (0..choice.parameters.len()).rev().max_by_key(|&at| numbers(choice, at).len()) else {
        return Vec::new();
    };
    let axis = Axis::new(choice.parameters[over]);
    let chart = |(label, measure): &Measure| {
        let series = series(choice, over, *measure);
        // One place makes no line.
        let mut places: Vec<f64> = series.iter().flat_map(|one| &one.points).map(|point| point.0).collect();
        places.sort_by(f64::total_cmp);
        places.dedup();
        let title = match &choice.column {
            Some(column) => format!("{label}, {} on {column}", choice.principle),
            None => format!("{label}, {}", choice.principle),
        };
        (places.len() > 1).then(|| line(&title, &axis, &Axis::new(label), &series))
    };
    measures.iter().filter_map(chart).collect()
}

/// The different numbers that a parameter takes.
fn numbers(choice: &PrincipleChoice, at: usize) -> Vec<f64> {
    let mut numbers: Vec<f64> = choice.points.iter().filter_map(|point| point.values.get(at)?.parse().ok()).collect();
    numbers.sort_by(f64::total_cmp);
    numbers.dedup();
    numbers
}

fn series(choice: &PrincipleChoice, over: usize, measure: fn(&Choice) -> Option<f64>) -> Vec<Series> {
    let mut series: Vec<Series> = Vec::new();
    for point in &choice.points {
        let others = choice.parameters.iter().zip(&point.values).enumerate();
        let others = others.filter(|(at, (_, value))| *at != over && !value.is_empty());
        let name = others.map(|(_, (name, value))| format!("{name} {value}")).collect::<Vec<_>>().join(", ");
        let place = point.values.get(over).and_then(|value| value.parse::<f64>().ok()).zip(measure(point));
        let Some(place) = place else { continue };
        match series.iter_mut().find(|one| one.name == name) {
            Some(one) => one.points.push(place),
            None => series.push(Series { name, points: vec![place], shape: Shape::Straight }),
        }
    }
    series.iter_mut().for_each(|one| one.points.sort_by(|a, b| a.0.total_cmp(&b.0)));
    series
}
