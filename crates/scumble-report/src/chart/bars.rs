//! One figure for each of several names.

use super::draw::{LETTER, bar, name, remark, rule, shortened, text};
use super::scale::Scale;
use super::{Axis, Chart, WIDTH, extremes};
use crate::table::Table;
use crate::text::Text;
use scumble_table::figures::counted;

const LEFT: f64 = 20.0;
const RIGHT: f64 = WIDTH - 28.0;
const TOP: f64 = 8.0;

/// A name stands above its bar, not next to it: long names stay readable on a phone.
const ROW: f64 = 46.0;
const BAR: f64 = 12.0;

/// Names and figures keep clear of the axis and of the last grid line.
const INSET: f64 = 8.0;

/// More bars than this would be a page of their own; the table of figures still has them all.
const MOST_BARS: usize = 40;

/// A name and its figure.
#[derive(Clone, Debug, PartialEq)]
pub struct Bar {
    /// The name.
    pub label: String,
    /// The figure; not a finite number where it is not known.
    pub value: f64,
}

/// Draws a horizontal bar for each name, in the order given, from 0 to its figure.
///
/// Of very many bars only the longest are drawn, and the chart says so.
pub fn bars(title: &str, values: &Axis, bars: &[Bar]) -> Chart {
    let mut figures = Table::new(title, &["Name", &values.title()]).figures_in(&[1]).named_rows();
    for bar in bars {
        figures.row([Text::new().name(&bar.label), values.cell(bar.value).into()]);
    }
    let drawn = longest(bars);
    if drawn.is_empty() {
        return Chart::empty(title, figures);
    }

    let bottom = TOP + ROW * drawn.len() as f64;
    let scale = Scale::covering(drawn.iter().map(|b| b.value).chain([0.0]), 5, LEFT, RIGHT);
    let zero = scale.at(0.0);
    let mut marks = scale.draw_level(values, TOP, bottom);
    for (i, item) in drawn.iter().enumerate() {
        let base = TOP + ROW * i as f64;
        let figure = values.figure(item.value);
        let room = RIGHT - LEFT - 3.0 * INSET - LETTER * figure.chars().count() as f64;
        marks.push_str(&name(LEFT + INSET, base + 20.0, "start", "label halo", &item.label, room));
        marks.push_str(&text(RIGHT - INSET, base + 20.0, "end", "tick halo", &figure));
        if item.value.is_finite() {
            let (start, length) = extent(&scale, item.value);
            marks.push_str(&bar("mark", (start, base + 27.0), (length, BAR), &format!("{}: {figure}", item.label)));
        }
    }
    marks.push_str(&rule("axis", (zero, TOP), (zero, bottom)));
    marks.push_str(&rule("axis", (LEFT, bottom), (RIGHT, bottom)));
    marks.push_str(&text((LEFT + RIGHT) / 2.0, bottom + 50.0, "middle", "label", &values.title()));

    let mut description = describe(values, &drawn);
    let mut height = bottom + 62.0;
    if drawn.len() < bars.len() {
        let words = format!("The {} longest of {} bars are drawn.", drawn.len(), bars.len());
        remark(&mut marks, &mut description, ((LEFT + RIGHT) / 2.0, bottom + 78.0), &words);
        height += 28.0;
    }
    Chart { title: title.to_owned(), description, height, marks, figures }
}

/// All bars, or the longest of too many, in the order given.
fn longest(bars: &[Bar]) -> Vec<&Bar> {
    if bars.len() <= MOST_BARS {
        return bars.iter().collect();
    }
    let length = |i: &usize| if bars[*i].value.is_finite() { bars[*i].value.abs() } else { -1.0 };
    let mut order: Vec<usize> = (0..bars.len()).collect();
    order.sort_by(|a, b| length(b).total_cmp(&length(a)));
    order.truncate(MOST_BARS);
    order.sort_unstable();
    order.into_iter().map(|i| &bars[i]).collect()
}

/// Where a bar from 0 to a figure begins, and how long it is: one that is not 0 can always be seen.
pub(super) fn extent(scale: &Scale, value: f64) -> (f64, f64) {
    let (zero, end) = (scale.at(0.0), scale.at(value));
    (zero.min(end), if value == 0.0 { 0.0 } else { (end - zero).abs().max(1.5) })
}

fn describe(values: &Axis, drawn: &[&Bar]) -> String {
    let mut words = format!("A bar chart of {} for {}.", values.title(), counted(drawn.len() as u64, "name", "names"));
    if let Some((least, most)) = extremes(drawn.iter().map(|bar| (*bar, bar.value))) {
        let of = |(bar, value): (&Bar, f64)| format!("{} ({})", shortened(&bar.label, 80), values.figure(value));
        words.push_str(&format!(" The greatest is {}, the least {}.", of(most), of(least)));
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use scumble_table::figures::NOT_KNOWN;

    fn draw(values: &[f64]) -> Chart {
        let list: Vec<Bar> =
            values.iter().enumerate().map(|(i, &value)| Bar { label: format!("c{i}"), value }).collect();
        bars("t", &Axis::new("loss").unit("%"), &list)
    }

    #[test]
    fn what_is_not_known_has_no_bar() {
        let svg = draw(&[1.0, f64::NAN, f64::INFINITY]).svg("a");
        assert_eq!(svg.matches("<rect").count(), 1);
        assert_eq!(svg.matches(NOT_KNOWN).count(), 2);
        assert!(!svg.contains("NaN") && !svg.contains(">inf"));
    }

    #[test]
    fn negative_figures_go_to_the_left() {
        let svg = draw(&[-5.0, 5.0]).svg("a");
        assert!(svg.contains("−5%") && svg.contains(">5%"));
    }

    #[test]
    fn of_too_many_the_longest_are_drawn() {
        let values: Vec<f64> = (0..100).map(f64::from).collect();
        let chart = draw(&values);
        assert_eq!(chart.svg("a").matches("<rect").count(), MOST_BARS);
        assert_eq!(chart.figures().len(), 100);
        assert!(chart.description().contains("The 40 longest of 100"));
    }
}
