//! One quantity over two others.

use super::contour::contour;
use super::draw::{LETTER, longest, px, rule, text};
use super::tints::{Tints, value_at};
use super::{Axis, Chart, WIDTH, extremes};
use crate::table::Table;
use crate::text::Text;
use scumble_table::figures::counted;

const TOP: f64 = 44.0;
const RIGHT: f64 = WIDTH - 28.0;

/// More columns or rows than this are too small to be seen; of more, this many are drawn, evenly picked.
const MOST: usize = 40;

/// A quantity over a grid.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Heat {
    /// The values along the level axis.
    pub xs: Vec<f64>,
    /// The values along the upright axis.
    pub ys: Vec<f64>,
    /// The quantity, for each of `xs` one for each of `ys`; not a finite number where it is not known.
    pub values: Vec<Vec<f64>>,
    /// The quantities at which the tint changes and a line is drawn, rising; at most five are looked at.
    pub levels: Vec<f64>,
}

/// Draws a tinted field for each pair of values, with lines that join equal quantities.
pub fn heat(title: &str, x: &Axis, y: &Axis, quantity: &Axis, heat: &Heat) -> Chart {
    let figures = listed(title, x, y, quantity, heat);
    let (across, up) = (picked(heat.xs.len()), picked(heat.ys.len()));
    let heights: Vec<Vec<f64>> =
        across.iter().map(|&of_x| up.iter().map(|&of_y| value_at(&heat.values, of_x, of_y)).collect()).collect();
    if !heights.iter().flatten().any(|value| value.is_finite()) {
        return Chart::empty(title, figures);
    }

    let tints = Tints::new(quantity, &heat.levels);
    let widest = |axis: &Axis, values: &[f64]| longest(values.iter().map(|value| axis.cell(*value)));
    let left = 18.0 + LETTER * widest(y, &heat.ys) as f64;
    let row = (300.0 / up.len() as f64).clamp(8.0, 44.0);
    let bottom = TOP + row * up.len() as f64;
    let column = (RIGHT - left) / across.len() as f64;
    // Middle of a field, in units of the grid.
    let at = |(i, j): (f64, f64)| (left + column * (i + 0.5), bottom - row * (j + 0.5));

    let mut marks = text(4.0, 20.0, "start", "label", &y.title());
    for (i, &of_x) in across.iter().enumerate() {
        for (j, &of_y) in up.iter().enumerate() {
            let (at_x, at_y) = (x.figure(heat.xs[of_x]), y.figure(heat.ys[of_y]));
            let name = format!("{} {at_x}, {} {at_y}", x.label, y.label);
            let corner = (left + column * i as f64, bottom - row * (j + 1) as f64);
            marks.push_str(&tints.field(corner, (column, row), &name, heights[i][j]));
        }
    }
    let mut names = String::new();
    for (nth, &level) in tints.levels.iter().enumerate() {
        let pieces = contour(&heights, level);
        let path: String = pieces.iter().map(|&(a, b)| format!("M{}L{}", point(at(a)), point(at(b)))).collect();
        if path.is_empty() {
            continue;
        }
        marks.push_str(&format!(
            "<path class=\"contour under\" d=\"{path}\"/>\n<path class=\"contour\" d=\"{path}\"/>\n"
        ));
        // Each name stands elsewhere along its line, so that those of neighbouring lines do not meet.
        let mut middles: Vec<(f64, f64)> =
            pieces.iter().map(|&(a, b)| at(((a.0 + b.0) / 2.0, (a.1 + b.1) / 2.0))).collect();
        let extent = |of: fn(&(f64, f64)) -> f64| {
            let places = || middles.iter().map(of);
            places().fold(f64::MIN, f64::max) - places().fold(f64::MAX, f64::min)
        };
        let along: fn(&(f64, f64)) -> f64 = if extent(|m| m.0) >= extent(|m| m.1) { |m| m.0 } else { |m| m.1 };
        middles.sort_by(|a, b| along(a).total_cmp(&along(b)));
        let (a, b) = middles[middles.len() * (nth + 1) / (tints.levels.len() + 1)];
        names.push_str(&text(a, b + 4.5, "middle", "label halo", &quantity.cell(level)));
    }
    marks.push_str(&names);
    marks.push_str(&rule("axis", (left, bottom), (RIGHT, bottom)));
    marks.push_str(&rule("axis", (left, TOP), (left, bottom)));
    let every = (1 + (LETTER * widest(x, &heat.xs) as f64 + 10.0) as usize / (column as usize).max(1)).max(1);
    for (i, &of_x) in across.iter().enumerate().step_by(every) {
        let place = at((i as f64, 0.0)).0;
        marks.push_str(&rule("axis", (place, bottom), (place, bottom + 5.0)));
        marks.push_str(&text(place, bottom + 22.0, "middle", "tick", &x.cell(heat.xs[of_x])));
    }
    let every = 1 + (22.0 / row) as usize;
    for (j, &of_y) in up.iter().enumerate().step_by(every) {
        marks.push_str(&text(left - 8.0, at((0.0, j as f64)).1 + 4.5, "end", "tick", &y.cell(heat.ys[of_y])));
    }
    marks.push_str(&text((left + RIGHT) / 2.0, bottom + 50.0, "middle", "label", &x.title()));
    let (legend, height) = tints.legend(left, bottom + 68.0);
    marks.push_str(&legend);
    Chart { title: title.to_owned(), description: describe(x, y, quantity, heat), height, marks, figures }
}

fn point((a, b): (f64, f64)) -> String {
    format!("{} {}", px(a), px(b))
}

/// All places, or some of too many, the first and the last among them.
fn picked(n: usize) -> Vec<usize> {
    if n <= MOST { (0..n).collect() } else { (0..MOST).map(|i| i * (n - 1) / (MOST - 1)).collect() }
}

fn listed(title: &str, x: &Axis, y: &Axis, quantity: &Axis, heat: &Heat) -> Table {
    let mut heading = vec![x.title()];
    heading.extend(heat.ys.iter().map(|value| format!("{} {}", y.label, y.cell(*value))));
    let columns: Vec<usize> = (1..heading.len()).collect();
    let caption = format!("{title}: {}", quantity.title());
    let mut table = Table::new(&caption, &heading.iter().map(String::as_str).collect::<Vec<_>>());
    table = table.figures_in(&columns).named_rows();
    for (at, value) in heat.xs.iter().enumerate() {
        let cells = (0..heat.ys.len()).map(|of_y| quantity.cell(value_at(&heat.values, at, of_y)));
        table.row(std::iter::once(x.cell(*value)).chain(cells).map(Text::from));
    }
    table
}

fn describe(x: &Axis, y: &Axis, quantity: &Axis, heat: &Heat) -> String {
    let mut words = format!(
        "A map of {} over {} of {} and {} of {}.",
        quantity.title(),
        counted(heat.xs.len() as u64, "value", "values"),
        x.title(),
        counted(heat.ys.len() as u64, "value", "values"),
        y.title()
    );
    let points = (0..heat.xs.len()).flat_map(|i| (0..heat.ys.len()).map(move |j| (i, j)));
    if let Some((least, greatest)) = extremes(points.map(|(i, j)| ((i, j), value_at(&heat.values, i, j)))) {
        let of = |((i, j), value): ((usize, usize), f64)| {
            format!("{} at {} and {}", quantity.figure(value), x.figure(heat.xs[i]), y.figure(heat.ys[j]))
        };
        words.push_str(&format!(" The least is {}, the greatest {}.", of(least), of(greatest)));
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slope() -> Heat {
        Heat {
            xs: vec![0.1, 0.2, 0.3],
            ys: vec![0.5, 0.9],
            values: vec![vec![0.0, 10.0], vec![20.0, 50.0], vec![60.0, 100.0]],
            levels: vec![20.0, 40.0, 60.0, 80.0],
        }
    }

    fn draw(values: &Heat) -> Chart {
        heat("t", &Axis::new("epsilon"), &Axis::new("delta"), &Axis::new("Groups").unit("%"), values)
    }

    #[test]
    fn fields_are_tinted_by_level() {
        let svg = draw(&slope()).svg("a");
        for (class, n) in [("heat0", 2), ("heat1", 1), ("heat2", 1), ("heat3", 1), ("heat4", 1)] {
            assert_eq!(svg.matches(&format!("\"heat {class}\"")).count(), n, "{class}");
            assert_eq!(svg.matches(&format!("\"swatch {class}\"")).count(), 1, "{class}");
        }
        assert!(svg.contains("epsilon 0.2, delta 0.9: 50%</title>"), "{svg}");
        assert!(svg.contains(">40% to 60%</text>") && svg.contains(">80% and more</text>"), "{svg}");
        assert_eq!(svg.matches("class=\"contour\"").count(), 4);
    }

    #[test]
    fn the_words_and_the_table_say_the_same() {
        let chart = draw(&slope());
        assert!(chart.description().ends_with("The least is 0% at 0.1 and 0.5, the greatest 100% at 0.3 and 0.9."));
        let html = chart.figures().html();
        assert!(html.contains("<th scope=\"col\" class=\"figure\">delta 0.9</th>"), "{html}");
        assert!(html.contains("<th scope=\"row\">0.2</th><td class=\"figure\">20%</td><td class=\"figure\">50%</td>"));
    }

    #[test]
    fn what_is_not_known_is_blank() {
        let mut heat = slope();
        heat.values[1] = vec![f64::NAN];
        let svg = draw(&heat).svg("a");
        assert_eq!(svg.matches("\"heat blank\"").count(), 2);
        assert_eq!(svg.matches("class=\"contour\"").count(), 0);
        heat.values.clear();
        assert!(draw(&heat).svg("a").contains("There is nothing to show."));
    }
}
