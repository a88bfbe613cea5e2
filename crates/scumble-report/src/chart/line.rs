//! How one quantity follows another.

use super::draw::{px, shortened};
use super::marker::marker;
use super::plot::Plot;
use super::{Axis, Chart};
use crate::escape::escape;
use crate::table::Table;
use crate::text::Text;
use scumble_table::figures::counted;

const PLOT_HEIGHT: f64 = 260.0;

/// The style sheet has this many line styles, which differ in colour and in dashes; further series begin again with the
/// first, and their points have other marks.
const STYLES: usize = 6;

/// The words that stand for a picture tell of at most this many lines.
const MOST_DESCRIBED: usize = 8;

/// Half the width of a mark.
const HALF: f64 = 4.0;

/// Up to this many points of a series are marked, for then each of them is likely to mean something.
const MOST_MARKED: usize = 40;

/// The table of figures has at most this many points of a series, evenly picked.
const MOST_LISTED: usize = 50;

/// How two neighbouring points are joined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shape {
    /// By a straight line.
    #[default]
    Straight,
    /// By a step at the second point, as a distribution function needs.
    Steps,
}

/// A named sequence of points, joined in the order given.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Series {
    /// What the points are.
    pub name: String,
    /// The points as pairs of x and y. Points that are not finite numbers are left out.
    pub points: Vec<(f64, f64)>,
    /// How they are joined.
    pub shape: Shape,
}

/// Draws each series as a line over common axes. Where an axis goes by powers of ten, points that are not above 0 are
/// not drawn.
///
/// Lines of very many points are thinned to what the frame can show: of the points in a row that fall on
/// one column of pixels the first, the lowest, the highest and the last are kept.
pub fn line(title: &str, x: &Axis, y: &Axis, series: &[Series]) -> Chart {
    let figures = listed(title, x, y, series);
    let points = || series.iter().flat_map(|one| placed(one, x, y));
    if points().next().is_none() {
        return Chart::empty(title, figures);
    }

    let mut plot = Plot::new(x, y, points(), PLOT_HEIGHT);
    for (i, one) in series.iter().enumerate() {
        let places: Vec<(f64, f64)> = placed(one, x, y).map(|point| plot.at(point)).collect();
        plot.marks.push_str(&draw_series(one, i, x, y, &places));
    }
    plot.name_level(x);
    // A single series is named by the title of the chart.
    if series.len() > 1 {
        for (i, one) in series.iter().enumerate() {
            let mark = |place| if is_marked(one) { marker(i, place, HALF, &one.name) } else { String::new() };
            plot.legend(Some(&style(i)), mark, &one.name);
        }
        plot.height += 8.0;
    }
    let Plot { marks, height, .. } = plot;
    Chart { title: title.to_owned(), description: describe(x, y, series), height, marks, figures }
}

/// The classes of a line. Those that must share a colour differ in their dashes.
fn style(nth: usize) -> String {
    format!("line series{}{}", nth % STYLES, if nth / STYLES % 2 == 1 { " again" } else { "" })
}

/// The points that have a place on both axes.
fn placed<'a>(series: &'a Series, x: &'a Axis, y: &'a Axis) -> impl Iterator<Item = (f64, f64)> + Clone + 'a {
    finite(series).filter(|(a, b)| x.holds(*a) && y.holds(*b))
}

fn finite(series: &Series) -> impl Iterator<Item = (f64, f64)> + Clone + '_ {
    series.points.iter().copied().filter(|(a, b)| a.is_finite() && b.is_finite())
}

/// Whether each point of a series has a mark: where there are few, for then each is likely to mean something.
fn is_marked(series: &Series) -> bool {
    let n = finite(series).count();
    n == 1 || series.shape == Shape::Straight && n <= MOST_MARKED
}

/// A line through `places`, where the points of a series stand.
fn draw_series(series: &Series, nth: usize, x: &Axis, y: &Axis, places: &[(f64, f64)]) -> String {
    let step = |(i, (a, b)): (usize, (f64, f64))| match (i, series.shape) {
        (0, _) => format!("M{} {}", px(a), px(b)),
        (_, Shape::Straight) => format!("L{} {}", px(a), px(b)),
        (_, Shape::Steps) => format!("H{}V{}", px(a), px(b)),
    };
    let path: String = thinned(places).into_iter().enumerate().map(step).collect();
    if path.is_empty() {
        return path;
    }
    let name = escape(&series.name);
    let mut out = format!("<path class=\"{}\" d=\"{path}\"><title>{name}</title></path>\n", style(nth));
    if is_marked(series) {
        for (&place, (a, b)) in places.iter().zip(placed(series, x, y)) {
            let says = format!("{}: {} at {}", series.name, y.figure(b), x.figure(a));
            out.push_str(&marker(nth, place, HALF, &says));
        }
    }
    out
}

/// Of each run of places on one column of pixels the first, the lowest, the highest and the last.
fn thinned(places: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let mut out: Vec<(f64, f64)> = Vec::new();
    for run in places.chunk_by(|a, b| a.0.floor() == b.0.floor()) {
        let mut kept = vec![0, run.len() - 1];
        let by_height = |a: &usize, b: &usize| run[*a].1.total_cmp(&run[*b].1);
        kept.extend((0..run.len()).min_by(by_height));
        kept.extend((0..run.len()).max_by(by_height));
        kept.sort_unstable();
        kept.dedup();
        out.extend(kept.into_iter().map(|i| run[i]));
    }
    out
}

fn listed(title: &str, x: &Axis, y: &Axis, series: &[Series]) -> Table {
    let long = series.iter().any(|one| finite(one).count() > MOST_LISTED);
    let caption = if long { format!("{title} ({MOST_LISTED} points of each line)") } else { title.to_owned() };
    let mut table = Table::new(&caption, &["Line", &x.title(), &y.title()]).figures_in(&[1, 2]).named_rows();
    for one in series {
        let points: Vec<(f64, f64)> = finite(one).collect();
        let n = points.len().min(MOST_LISTED);
        for i in 0..n {
            // The first and the last point are always among those picked.
            let at = if n == 1 { 0 } else { i * (points.len() - 1) / (n - 1) };
            let (a, b) = points[at];
            table.row([Text::new().name(&one.name), x.cell(a).into(), y.cell(b).into()]);
        }
    }
    table
}

fn describe(x: &Axis, y: &Axis, series: &[Series]) -> String {
    let lines = counted(series.len() as u64, "line", "lines");
    let mut words = format!("A chart of {} against {} with {lines}.", y.title(), x.title());
    for one in series.iter().take(MOST_DESCRIBED) {
        let name = shortened(&one.name, 80);
        match (finite(one).next(), finite(one).last()) {
            (Some(first), Some(last)) => {
                let at = |point: (f64, f64)| format!("{} at {}", y.figure(point.1), x.figure(point.0));
                words.push_str(&format!(" {name} goes from {} to {}.", at(first), at(last)));
            }
            _ => words.push_str(&format!(" {name} has no points.")),
        }
    }
    if let Some(more) = series.len().checked_sub(MOST_DESCRIBED).filter(|more| *more > 0) {
        words.push_str(&format!(" And {} more.", counted(more as u64, "line", "lines")));
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draw(points: Vec<(f64, f64)>, shape: Shape) -> String {
        line("t", &Axis::new("x"), &Axis::new("y"), &[Series { name: "s".into(), points, shape }]).svg("a")
    }

    #[test]
    fn one_point_is_a_dot() {
        let svg = draw(vec![(1.0, 2.0)], Shape::Steps);
        assert_eq!(svg.matches("<circle").count(), 1);
    }

    #[test]
    fn steps_go_along_then_up() {
        let svg = draw(vec![(0.0, 0.0), (1.0, 1.0)], Shape::Steps);
        assert!(svg.contains('H') && svg.contains('V') && !svg.contains("<circle"));
    }

    #[test]
    fn points_that_are_no_numbers_are_left_out() {
        let svg = draw(vec![(0.0, f64::NAN), (f64::INFINITY, 1.0), (1.0, 1.0), (2.0, 3.0)], Shape::Straight);
        assert_eq!(svg.matches("<circle").count(), 2);
    }

    #[test]
    fn an_axis_by_powers_has_no_place_for_zero() {
        let points = vec![(1.0, 0.0), (2.0, 0.01), (3.0, 100.0)];
        let series = [Series { name: "s".into(), points, shape: Shape::Straight }];
        let chart = line("t", &Axis::new("x"), &Axis::new("y").unit("%").by_powers(), &series);
        let svg = chart.svg("a");
        assert_eq!(svg.matches("<circle").count(), 2);
        assert!(svg.contains(">0.01%<") && svg.contains(">100%<"), "{svg}");
        assert_eq!(chart.figures().len(), 3);
    }

    #[test]
    fn a_million_points_make_a_small_chart_that_keeps_its_peak() {
        let mut points: Vec<(f64, f64)> = (0..1_000_000).map(|i| (f64::from(i), f64::from(i % 7))).collect();
        points[500_001].1 = 100.0;
        let svg = draw(points, Shape::Straight);
        assert!(svg.len() < 60_000, "{}", svg.len());
        assert!(svg.contains(" 44L"));
    }
}
