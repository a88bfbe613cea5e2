//! Many points of two quantities, told apart by shape and colour, with the front that no point beats.

use super::draw::px;
use super::marker::marker;
use super::plot::Plot;
use super::{Axis, Chart};
use crate::table::Table;
use crate::text::Text;
use scumble_table::figures::counted;

const PLOT_HEIGHT: f64 = 340.0;

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
    let mut plot = Plot::new(x, y, points().map(|spot| (spot.x, spot.y)), PLOT_HEIGHT);
    plot.marks.push_str(&staircase(&front, &plot));
    for (i, cloud) in clouds.iter().enumerate() {
        for spot in finite(cloud) {
            let (at_x, at_y) = (x.figure(spot.x), y.figure(spot.y));
            let says = format!("{}: {}; {} {at_x}; {} {at_y}", cloud.name, spot.says, x.title(), y.title());
            plot.marks.push_str(&marker(i, plot.at((spot.x, spot.y)), HALF, &says));
        }
    }
    plot.name_level(x);
    for (i, cloud) in clouds.iter().enumerate() {
        plot.legend(None, |place| marker(i, place, HALF, &cloud.name), &cloud.name);
    }
    plot.legend_line("front", "front: nothing is better on both axes");
    let Plot { marks, height, .. } = plot;
    let description = describe(x, y, clouds, &front);
    Chart { title: title.to_owned(), description, height: height + 8.0, marks, figures }
}

fn finite(cloud: &Cloud) -> impl Iterator<Item = &Spot> + Clone + '_ {
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
fn staircase(front: &[(f64, f64)], plot: &Plot) -> String {
    if front.len() < 2 {
        return String::new();
    }
    let step = |(i, &point): (usize, &(f64, f64))| {
        let (a, b) = plot.at(point);
        if i == 0 { format!("M{} {}", px(a), px(b)) } else { format!("H{}V{}", px(a), px(b)) }
    };
    let path: String = front.iter().enumerate().map(step).collect();
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
            x.cell(spot.x).into(),
            y.cell(spot.y).into(),
            if front.contains(&(spot.x, spot.y)) { "yes" } else { "" }.into(),
        ]);
    }
    table
}

fn describe(x: &Axis, y: &Axis, clouds: &[Cloud], front: &[(f64, f64)]) -> String {
    let n = clouds.iter().flat_map(finite).count() as u64;
    let (points, kinds) = (counted(n, "point", "points"), counted(clouds.len() as u64, "kind", "kinds"));
    let (x_title, y_title) = (x.title(), y.title());
    let mut words =
        format!("A chart of {y_title} against {x_title} with {points} of {kinds}. Less is better on both axes.");
    if let (Some(first), Some(last)) = (front.first(), front.last()) {
        let at = |point: &(f64, f64)| format!("{} at {}", y.figure(point.1), x.figure(point.0));
        let places = counted(front.len() as u64, "place is", "places are");
        words.push_str(&format!(" {places} on the front, from {} to {}.", at(first), at(last)));
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
