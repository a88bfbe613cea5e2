//! Many points of two quantities, told apart by shape and colour, with the front that no point beats.

use super::draw::{LETTER, name, px, rule, text};
use super::marker::marker;
use super::scale::Scale;
use super::{Axis, Chart, WIDTH};
use crate::number::{counted, measure};
use crate::table::Table;
use crate::text::Text;

const TOP: f64 = 44.0;
const PLOT_HEIGHT: f64 = 340.0;
const RIGHT: f64 = WIDTH - 28.0;
const LEGEND_ROW: f64 = 28.0;

/// Half the width of a mark: large enough that its shape can be told, small enough that hundreds fit.
const HALF: f64 = 5.5;

/// The table of figures has at most this many points.
const MOST_LISTED: usize = 500;

/// Points that belong together and share a mark.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cloud {
    /// What the points are.
    pub name: String,
    /// The points. Those that are not finite numbers are left out.
    pub points: Vec<Spot>,
}

/// One point.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Spot {
    /// Where it is on the level axis.
    pub x: f64,
    /// Where it is on the upright axis.
    pub y: f64,
    /// What it is, shown where it is pointed at and in the table.
    pub says: String,
}

/// Draws each cloud with a mark of its own. Less is better on both axes, and the points that no other beats on both are
/// joined by a line in steps: below and left of it lies what nothing reached.
pub fn scatter(title: &str, x: &Axis, y: &Axis, clouds: &[Cloud]) -> Chart {
    let front = front(clouds.iter().flat_map(finite).map(|spot| (spot.x, spot.y)));
    let figures = listed(title, x, y, clouds, &front);
    let points = || clouds.iter().flat_map(finite);
    if points().next().is_none() {
        return Chart::empty(title, figures);
    }
    let bottom = TOP + PLOT_HEIGHT;
    let upright = Scale::covering(points().map(|spot| spot.y), 5, bottom, TOP);
    let left = 18.0 + LETTER * upright.widest_label(y) as f64;
    let level = Scale::covering(points().map(|spot| spot.x), 5, left, RIGHT);

    let mut marks = text(4.0, 20.0, "start", "label", &y.title());
    marks.push_str(&upright.draw_upright(y, left, RIGHT));
    marks.push_str(&level.draw_level(x, TOP, bottom));
    marks.push_str(&rule("axis", (left, bottom), (RIGHT, bottom)));
    marks.push_str(&rule("axis", (left, TOP), (left, bottom)));
    marks.push_str(&staircase(&front, &level, &upright));
    for (i, cloud) in clouds.iter().enumerate() {
        for spot in finite(cloud) {
            let says = format!(
                "{}: {}; {} {}; {} {}",
                cloud.name,
                spot.says,
                x.title(),
                x.measured(measure(spot.x)),
                y.title(),
                y.measured(measure(spot.y))
            );
            marks.push_str(&marker(i, (level.at(spot.x), upright.at(spot.y)), HALF, &says));
        }
    }
    marks.push_str(&text((left + RIGHT) / 2.0, bottom + 50.0, "middle", "label", &x.title()));

    let mut height = bottom + 68.0;
    for (i, cloud) in clouds.iter().enumerate() {
        let at = height + LEGEND_ROW * (i as f64 + 0.5);
        marks.push_str(&marker(i, (left + 18.0, at - 5.0), HALF, &cloud.name));
        marks.push_str(&name(left + 46.0, at, "start", "tick", &cloud.name, WIDTH - left - 46.0));
    }
    height += LEGEND_ROW * clouds.len() as f64;
    let at = height + LEGEND_ROW * 0.5;
    marks.push_str(&rule("front", (left, at - 5.0), (left + 36.0, at - 5.0)));
    marks.push_str(&text(left + 46.0, at, "start", "tick", "front: nothing is better on both axes"));
    height += LEGEND_ROW + 8.0;
    Chart { title: title.to_owned(), description: describe(x, y, clouds, &front), height, marks, figures }
}

fn finite(cloud: &Cloud) -> impl Iterator<Item = &Spot> + '_ {
    cloud.points.iter().filter(|spot| spot.x.is_finite() && spot.y.is_finite())
}

/// The points that no other point beats on one axis without being worse on the other, from left to right, each place once.
fn front(points: impl Iterator<Item = (f64, f64)>) -> Vec<(f64, f64)> {
    let mut points: Vec<(f64, f64)> = points.collect();
    points.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    let mut kept: Vec<(f64, f64)> = Vec::new();
    for point in points {
        if kept.last().is_none_or(|last| point.1 < last.1) {
            kept.push(point);
        }
    }
    kept
}

/// The front as steps: from each point along its height to the next, then down.
fn staircase(front: &[(f64, f64)], level: &Scale, upright: &Scale) -> String {
    if front.len() < 2 {
        return String::new();
    }
    let mut path = String::new();
    for (i, &(a, b)) in front.iter().enumerate() {
        let (a, b) = (px(level.at(a)), px(upright.at(b)));
        path.push_str(&if i == 0 { format!("M{a} {b}") } else { format!("H{a}V{b}") });
    }
    format!("<path class=\"front\" d=\"{path}\"><title>Front: no other point is better on both axes</title></path>\n")
}

fn listed(title: &str, x: &Axis, y: &Axis, clouds: &[Cloud], front: &[(f64, f64)]) -> Table {
    let n = clouds.iter().flat_map(finite).count();
    let caption = if n > MOST_LISTED { format!("{title} (the first {MOST_LISTED} points)") } else { title.to_owned() };
    let heading = ["Mark", "Point", &x.title(), &y.title(), "On the front"];
    let mut table = Table::new(&caption, &heading).figures_in(&[2, 3]).named_rows();
    let all = clouds.iter().flat_map(|cloud| finite(cloud).map(move |spot| (cloud, spot)));
    for (cloud, spot) in all.take(MOST_LISTED) {
        table.row([
            Text::new().name(&cloud.name),
            Text::from(&spot.says),
            x.marked(measure(spot.x)).into(),
            y.marked(measure(spot.y)).into(),
            if front.contains(&(spot.x, spot.y)) { "yes" } else { "" }.into(),
        ]);
    }
    table
}

fn describe(x: &Axis, y: &Axis, clouds: &[Cloud], front: &[(f64, f64)]) -> String {
    let n = clouds.iter().flat_map(finite).count() as u64;
    let mut words = format!(
        "A chart of {} against {} with {} of {}. Less is better on both axes.",
        y.title(),
        x.title(),
        counted(n, "point", "points"),
        counted(clouds.len() as u64, "kind", "kinds")
    );
    if let (Some(first), Some(last)) = (front.first(), front.last()) {
        words.push_str(&format!(
            " {} on the front, from {} at {} to {} at {}.",
            counted(front.len() as u64, "place is", "places are"),
            y.measured(measure(first.1)),
            x.measured(measure(first.0)),
            y.measured(measure(last.1)),
            x.measured(measure(last.0))
        ));
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cloud(name: &str, points: &[(f64, f64)]) -> Cloud {
        let spot = |&(x, y): &(f64, f64)| Spot { x, y, says: "a".into() };
        Cloud { name: name.into(), points: points.iter().map(spot).collect() }
    }

    #[test]
    fn the_front_holds_what_nothing_beats() {
        let points = [(1.0, 5.0), (2.0, 5.0), (2.0, 3.0), (3.0, 3.0), (4.0, 1.0), (0.5, 9.0), (4.0, 2.0), (4.0, 1.0)];
        assert_eq!(front(points.into_iter()), [(0.5, 9.0), (1.0, 5.0), (2.0, 3.0), (4.0, 1.0)]);
        assert!(front(std::iter::empty()).is_empty());
    }

    #[test]
    fn clouds_differ_in_shape_and_colour() {
        let clouds: Vec<Cloud> = (0..8).map(|i| cloud(&format!("c{i}"), &[(f64::from(i), 1.0)])).collect();
        let svg = scatter("t", &Axis::new("x"), &Axis::new("y"), &clouds).svg("a");
        assert!(svg.contains("dot series0") && svg.contains("dot series5"));
        // Each mark is drawn in the plot and in the legend; the first and the eighth are circles, in two colours.
        assert_eq!(svg.matches("<circle").count(), 4);
        assert_eq!(svg.matches("<circle class=\"dot series0 ").count(), 2);
    }

    #[test]
    fn a_point_tells_what_it_is() {
        let one = Cloud { name: "m<1".into(), points: vec![Spot { x: 0.5, y: 2.0, says: "k 5".into() }] };
        let chart = scatter("t", &Axis::new("belief"), &Axis::new("error"), &[one]);
        assert!(chart.svg("a").contains("<title>m&lt;1: k 5; belief 0.5; error 2</title>"));
        assert_eq!(chart.figures().len(), 1);
    }
}
