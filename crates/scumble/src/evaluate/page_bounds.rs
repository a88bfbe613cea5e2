//! The bounds of an evaluation on its page.

use super::{BoundLine, BoundsFacts, Evaluation};
use scumble_measure::AskedWidths;
use scumble_report::chart::{Axis, Series, Shape, line};
use scumble_report::{Page, Table, Text, fine_percent, grouped, rounded};

/// A section about bounds, where they were measured.
pub(super) fn bounds(page: &mut Page, evaluation: &Evaluation) {
    let (Some(facts), Some(sensitive)) = (&evaluation.bounds, &evaluation.sensitive) else { return };
    let what = if facts.aggregate == "sum" { "sums" } else { "averages" };
    page.section(&format!("Bounds of {what}")).paragraph(
        Text::from(&*format!("Between which bounds a reader can be sure that {what} of ")).name(sensitive).plain(
            " lie: the width of the bounds relative to the true answer. A question is about random people, or about the people \
             in a range of a quasi-identifier.",
        ),
    );
    page.definitions(facts.lines.iter().map(|line| (Text::new().code(&line.name), Text::from(meaning(&line.name)))));
    charts(page, facts, what);
    let heading = ["Question", "Bounds of", "Mean width", "Median", "Questions", "Truth outside"];
    let mut table = Table::new(&format!("Relative width, seed {}", facts.seed), &heading).figures_in(&[2, 3, 4, 5]);
    for band in 0..facts.n_questions() {
        for line in &facts.lines {
            let Some(asked) = line.asked().nth(band) else { continue };
            let width = |width: Option<f64>| Text::from(width.map_or("none".into(), fine_percent));
            table.row_in_band(
                band,
                vec![
                    facts.question(asked).into(),
                    Text::new().code(&line.name),
                    width(asked.widths.mean),
                    width(asked.widths.median),
                    grouped(asked.widths.questions as u64).into(),
                    grouped(asked.widths.outside as u64).into(),
                ],
            );
        }
    }
    page.table(&table);
}

/// Widths over the size of what is asked about, a line for each way to publish.
fn charts(page: &mut Page, facts: &BoundsFacts, what: &str) {
    let widths = widths(facts);
    let of_people = |line: &BoundLine| points(&line.arbitrary, |asked| Some(100.0 * asked.size?));
    let of_ranges = |line: &BoundLine| points(&line.ranges, |asked| asked.span);
    let people = Axis::new("Share of the people asked about").unit("%");
    let title = format!("How wide the bounds of {what} are for random people");
    if facts.lines.iter().any(|line| line.arbitrary.len() > 1) {
        page.chart(&line(&title, &people, &widths, &series(facts, of_people)));
    }
    let Some(column) = &facts.range_over else { return };
    let title = format!("How wide the bounds of {what} are for ranges of {column}");
    if facts.lines.iter().any(|line| line.ranges.len() > 1) {
        page.chart(&line(&title, &Axis::new("Length of the range"), &widths, &series(facts, of_ranges)));
    }
}

/// Ways to publish may differ by orders of magnitude; then ratios are what can be seen.
fn widths(facts: &BoundsFacts) -> Axis {
    let axis = Axis::new("Mean width of the bounds").unit("%");
    let means = || facts.lines.iter().flat_map(|line| line.asked().filter_map(|asked| asked.widths.mean));
    let (least, most) = (means().fold(f64::INFINITY, f64::min), means().fold(0.0, f64::max));
    if least > 0.0 && most > 10.0 * least { axis.by_powers() } else { axis }
}

fn series(facts: &BoundsFacts, points: impl Fn(&BoundLine) -> Vec<(f64, f64)>) -> Vec<Series> {
    let one = |line: &BoundLine| Series { name: line.name.clone(), points: points(line), shape: Shape::Straight };
    facts.lines.iter().map(one).collect()
}

fn points(asked: &[AskedWidths], place: impl Fn(&AskedWidths) -> Option<f64>) -> Vec<(f64, f64)> {
    asked.iter().filter_map(|asked| Some((place(asked)?, 100.0 * asked.widths.mean?))).collect()
}

impl BoundsFacts {
    /// Kinds of questions that were asked.
    pub fn n_questions(&self) -> usize {
        self.lines.first().map_or(0, |line| line.asked().count())
    }

    /// A kind of question in words.
    pub fn question(&self, asked: &AskedWidths) -> String {
        match (asked.size, asked.span, &self.range_over) {
            (Some(size), ..) => format!("{} % of the people", number(100.0 * size)),
            (_, Some(span), Some(column)) => format!("{column}, span {}", number(span)),
            _ => String::new(),
        }
    }
}

/// At most four digits after the point.
fn number(value: f64) -> String {
    match value.fract() == 0.0 && (0.0..1e15).contains(&value) {
        true => grouped(value as u64),
        false => rounded(value, 4),
    }
}

fn meaning(line: &str) -> &'static str {
    match line {
        "release" => "as this release was published",
        "generalized" => "the same groups, published as least boxes instead of exact quasi-identifiers",
        "expected-width" => "groups of the source for the least mean width of the bounds of a sum",
        "min-sum" => "groups of the source for the least sum of ranges",
        "min-max" => "groups of the source for the least greatest range, if groups may not overlap",
        "min-max-overlap" => "groups of the source for the least greatest range of all",
        "max-groups" => "as many groups of the source as there can be, if they may not overlap",
        "random" => "groups of the source in a random order, for comparison",
        "mondrian" => "groups of people with near quasi-identifiers, with exact values",
        "rank-swap" => "every number swapped with one of a near rank, under the same requirement; never published",
        _ => "other groups of the same data under the same requirement",
    }
}
