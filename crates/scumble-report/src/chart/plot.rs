//! Two axes, and what stands along them.

use super::draw::{LETTER, name, rule, text};
use super::scale::Scale;
use super::{Axis, WIDTH};

const TOP: f64 = 44.0;
const RIGHT: f64 = WIDTH - 28.0;
const LEGEND_ROW: f64 = 28.0;

/// A plot with its axes drawn.
pub(super) struct Plot {
    pub(super) marks: String,
    left: f64,
    level: Scale,
    upright: Scale,
    /// Where the next line of the legend begins.
    pub(super) height: f64,
}

impl Plot {
    /// Axes around points, `height` high.
    pub(super) fn new(x: &Axis, y: &Axis, points: impl Iterator<Item = (f64, f64)> + Clone, height: f64) -> Self {
        let bottom = TOP + height;
        let upright = Scale::along(y, points.clone().map(|point| point.1), 5, bottom, TOP);
        let left = 18.0 + LETTER * upright.widest_label(y) as f64;
        let level = Scale::along(x, points.map(|point| point.0), 5, left, RIGHT);
        let marks = [
            text(4.0, 20.0, "start", "label", &y.drawn_title()),
            upright.draw_upright(y, left, RIGHT),
            level.draw_level(x, TOP, bottom),
            rule("axis", (left, bottom), (RIGHT, bottom)),
            rule("axis", (left, TOP), (left, bottom)),
        ];
        Plot { marks: marks.concat(), left, level, upright, height: bottom + 68.0 }
    }

    /// Where a point stands.
    pub(super) fn at(&self, (x, y): (f64, f64)) -> (f64, f64) {
        (self.level.at(x), self.upright.at(y))
    }

    /// Names the level axis, below everything that was drawn.
    pub(super) fn name_level(&mut self, x: &Axis) {
        let bottom = self.height - 68.0;
        self.marks.push_str(&text((self.left + RIGHT) / 2.0, bottom + 50.0, "middle", "label", &x.drawn_title()));
    }

    /// Adds a name to the legend, behind a line of a class, a mark around a place, or both.
    pub(super) fn legend(&mut self, line: Option<&str>, mark: impl FnOnce((f64, f64)) -> String, of: &str) {
        let (left, y) = (self.left, self.height + LEGEND_ROW * 0.5);
        self.marks.extend(line.map(|class| rule(class, (left, y - 5.0), (left + 36.0, y - 5.0))));
        self.marks.push_str(&mark((left + 18.0, y - 5.0)));
        self.marks.push_str(&name(left + 46.0, y, "start", "tick", of, WIDTH - left - 46.0));
        self.height += LEGEND_ROW;
    }

    /// Adds a line of a class to the legend, with what it means.
    pub(super) fn legend_line(&mut self, class: &str, means: &str) {
        let (left, y) = (self.left, self.height + LEGEND_ROW * 0.5);
        self.marks.push_str(&rule(class, (left, y - 5.0), (left + 36.0, y - 5.0)));
        self.marks.push_str(&text(left + 46.0, y, "start", "tick", means));
        self.height += LEGEND_ROW;
    }
}
