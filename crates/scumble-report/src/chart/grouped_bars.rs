//! A few figures for each of several names, one below the other.

use super::bars::{Bar, extent};
use super::draw::{LETTER, bar, longest, remark, rule, shortened, text};
use super::marker::COLOURS;
use super::scale::Scale;
use super::{Axis, Chart, WIDTH, draw, extremes};
use crate::table::Table;
use crate::text::Text;
use scumble_table::figures::counted;

const LEFT: f64 = 4.0;
const RIGHT: f64 = WIDTH - 14.0;
const TOP: f64 = 4.0;

/// The name of a group, a bar below it, and what is left free between groups.
const HEADING: f64 = 30.0;
const ROW: f64 = 28.0;
const GAP: f64 = 12.0;
const BAR: f64 = 16.0;

/// The most letters of the name of a bar, which stands next to it.
const NAME_LETTERS: usize = 16;

/// More bars than this are a wall; the first groups are drawn, and the table has all.
const MOST_BARS: usize = 60;

/// Bars that belong together.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cluster {
    /// What they are about.
    pub label: String,
    /// The bars, in the same order in every cluster.
    pub bars: Vec<Bar>,
}

/// Draws the bars of each cluster under its name. Every bar carries its own name and figure, so that nothing depends on
/// its colour, which only helps to find the same bar in the next cluster.
pub fn grouped_bars(title: &str, values: &Axis, clusters: &[Cluster]) -> Chart {
    let mut figures = Table::new(title, &["", "Name", &values.title()]).figures_in(&[2]).named_rows();
    for cluster in clusters {
        for one in &cluster.bars {
            let names = [&cluster.label, &one.label].map(|name| Text::new().name(name));
            figures.row(names.into_iter().chain([values.cell(one.value).into()]));
        }
    }
    let drawn = first(clusters);
    let all = || drawn.iter().flat_map(|cluster| &cluster.bars);
    if all().next().is_none() {
        return Chart::empty(title, figures);
    }
    let name = |one: &Bar| shortened(&one.label, NAME_LETTERS);
    let left = LEFT + LETTER * longest(all().map(name)) as f64 + 10.0;
    let right = (RIGHT - LETTER * longest(all().map(|one| values.figure(one.value))) as f64).max(left + 60.0);
    let scale = Scale::covering(all().map(|one| one.value).chain([0.0]), 4, left, right);
    let zero = scale.at(0.0);

    let mut rows = String::new();
    let mut y = TOP;
    for cluster in &drawn {
        rows.push_str(&draw::name(LEFT, y + 20.0, "start", "label", &cluster.label, RIGHT - LEFT));
        y += HEADING;
        for (nth, one) in cluster.bars.iter().enumerate() {
            let figure = values.figure(one.value);
            let middle = y + ROW / 2.0;
            rows.push_str(&text(left - 10.0, middle + 5.0, "end", "tick", &name(one)));
            let mut end = zero;
            if one.value.is_finite() {
                let (start, length) = extent(&scale, one.value);
                let says = format!("{}, {}: {figure}", cluster.label, one.label);
                let class = format!("mark series{}", nth % COLOURS);
                rows.push_str(&bar(&class, (start, middle - BAR / 2.0), (length, BAR), &says));
                end = zero.max(scale.at(one.value));
            }
            rows.push_str(&text(end + 6.0, middle + 5.0, "start", "tick halo", &figure));
            y += ROW;
        }
        y += GAP;
    }
    let mut marks = scale.draw_level(values, TOP + HEADING, y);
    marks.push_str(&rows);
    marks.push_str(&rule("axis", (zero, TOP + HEADING), (zero, y)));
    marks.push_str(&rule("axis", (left, y), (right, y)));
    marks.push_str(&text(WIDTH / 2.0, y + 50.0, "middle", "label", &values.title()));
    let mut description = describe(values, &drawn);
    let mut height = y + 62.0;
    if n_bars(&drawn) < n_bars(clusters) {
        let words = format!("The first {} of {} bars are drawn.", n_bars(&drawn), n_bars(clusters));
        remark(&mut marks, &mut description, (WIDTH / 2.0, y + 78.0), &words);
        height += 28.0;
    }
    Chart { title: title.to_owned(), description, height, marks, figures }
}

/// As many clusters as there is room for; of a first one that has more bars, as many of these.
fn first(clusters: &[Cluster]) -> Vec<Cluster> {
    let mut room = MOST_BARS;
    let mut drawn: Vec<Cluster> = Vec::new();
    for cluster in clusters.iter().filter(|cluster| !cluster.bars.is_empty()) {
        if cluster.bars.len() > room && !drawn.is_empty() {
            break;
        }
        let bars = cluster.bars.iter().take(room).cloned().collect();
        drawn.push(Cluster { label: cluster.label.clone(), bars });
        room = room.saturating_sub(cluster.bars.len());
    }
    drawn
}

fn n_bars(clusters: &[Cluster]) -> usize {
    clusters.iter().map(|cluster| cluster.bars.len()).sum()
}

fn describe(values: &Axis, drawn: &[Cluster]) -> String {
    let mut words = format!(
        "A bar chart of {} for {}, {} in all.",
        values.title(),
        counted(drawn.len() as u64, "name", "names"),
        counted(n_bars(drawn) as u64, "bar", "bars")
    );
    let all =
        drawn.iter().flat_map(|cluster| cluster.bars.iter().map(move |bar| ([&cluster.label, &bar.label], bar.value)));
    if let Some((least, most)) = extremes(all) {
        let of = |(names, value): ([&String; 2], f64)| {
            let [cluster, bar] = names.map(|name| shortened(name, 80));
            format!("{cluster}, {bar} ({})", values.figure(value))
        };
        words.push_str(&format!(" The greatest is {}, the least {}.", of(most), of(least)));
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cluster(label: &str, values: &[(&str, f64)]) -> Cluster {
        let bars = values.iter().map(|&(label, value)| Bar { label: label.into(), value }).collect();
        Cluster { label: label.into(), bars }
    }

    #[test]
    fn bars_are_named_and_paired_by_colour() {
        let clusters = [cluster("w = 2", &[("uniform", 3.0), ("ends", 1.5)]), cluster("w = 3", &[("uniform", 9.0)])];
        let chart = grouped_bars("t", &Axis::new("error").unit("%"), &clusters);
        let svg = chart.svg("a");
        assert_eq!(svg.matches("mark series0").count(), 2);
        assert_eq!(svg.matches(">uniform</text>").count(), 2);
        assert!(svg.contains(">w = 3</text>") && svg.contains(">1.5%</text>"), "{svg}");
        assert!(svg.contains("w = 2, ends: 1.5%</title>"), "{svg}");
        assert!(chart.description().ends_with("The greatest is w = 3, uniform (9%), the least w = 2, ends (1.5%)."));
        assert_eq!(chart.figures().len(), 3);
    }

    #[test]
    fn what_is_not_known_has_words_and_no_bar() {
        let svg = grouped_bars("t", &Axis::new("e"), &[cluster("c", &[("a", f64::NAN), ("b", 1.0)])]).svg("a");
        assert_eq!(svg.matches("<rect").count(), 1);
        assert!(svg.contains(">not known</text>"));
        assert!(grouped_bars("t", &Axis::new("e"), &[]).svg("a").contains("There is nothing to show."));
    }

    #[test]
    fn of_too_many_the_first_are_drawn() {
        let clusters: Vec<Cluster> = (0..40).map(|i| cluster(&format!("c{i}"), &[("a", 1.0), ("b", 2.0)])).collect();
        let chart = grouped_bars("t", &Axis::new("e"), &clusters);
        assert_eq!(chart.svg("a").matches("<rect").count(), MOST_BARS);
        assert!(chart.description().ends_with("The first 60 of 80 bars are drawn."));
        assert_eq!(chart.figures().len(), 80);
    }
}
