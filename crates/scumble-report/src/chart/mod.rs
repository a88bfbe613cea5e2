//! Charts as inline SVG.
//!
//! | chart | shows |
//! |---|---|
//! | [`histogram()`] | how many there are of each size |
//! | [`bars()`] | one figure for each of several names |
//! | [`grouped_bars()`] | a few figures for each of several names |
//! | [`line()`] | how one quantity follows another: distributions, trade-off curves |
//! | [`scatter()`] | many points of two quantities, and those that no other beats |
//! | [`heat()`] | one quantity over two others, with lines that join equal ones |
//! | [`crosstab()`] | shares over two lists of names |
//! | [`icicle()`] | a tree of intervals, level by level |
//! | [`pairs()`] | one quantity for each pair of several names |
//!
//! A chart is drawn in a fixed frame [`WIDTH`] units wide, which the page scales to the screen. Colours and
//! letter sizes come from the page's style sheet, so that light, dark and printed pages each get their own;
//! positions leave room for the larger letters that narrow screens get. Each chart carries a title, a
//! description in words and the table of its figures, for readers who cannot see it or want to calculate.
//!
//! Any input gives a chart: values that are not finite numbers are left out and said to be not known.

mod bars;
mod contour;
mod crosstab;
mod draw;
mod grouped_bars;
mod heat;
mod histogram;
mod icicle;
mod line;
mod marker;
mod pairs;
mod plot;
mod scale;
mod scatter;
mod size_bins;
mod tints;

pub use bars::{Bar, bars};
pub use crosstab::{Crosstab, crosstab};
pub use grouped_bars::{Cluster, grouped_bars};
pub use heat::{Heat, heat};
pub use histogram::{Bin, histogram};
pub use icicle::{Part, Rung, Span, icicle};
pub use line::{Series, Shape, line};
pub use pairs::{Pairs, pairs};
pub use scatter::{Cloud, Spot, scatter};
pub use size_bins::size_bins;

use crate::escape::escape;
use crate::page::STYLE;
use crate::table::Table;
use scumble_table::figures::{NOT_KNOWN, measure};

/// Width of the frame of every chart, in its own units; about the width of a column of text in pixels.
pub const WIDTH: f64 = 640.0;

/// What an axis measures.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Axis {
    label: String,
    unit: String,
    powers: bool,
}

impl Axis {
    /// An axis of plain numbers.
    pub fn new(label: &str) -> Self {
        Self { label: label.to_owned(), ..Self::default() }
    }

    /// Sets equal ratios equally far apart, for quantities of many orders of magnitude. What is not above 0 has no place on
    /// such an axis and is left out of the picture; the table of figures has it. Only charts of points and lines ask.
    pub fn by_powers(mut self) -> Self {
        self.powers = true;
        self
    }

    /// States the unit, such as `%` or `people`.
    pub fn unit(mut self, unit: &str) -> Self {
        self.unit = unit.to_owned();
        self
    }

    /// The label with its unit, but for the per cent sign, which stands with each number.
    fn title(&self) -> String {
        if matches!(self.unit.as_str(), "" | "%") {
            self.label.clone()
        } else {
            format!("{} ({})", self.label, self.unit)
        }
    }

    /// The title as it stands at the axis of a chart that may be logarithmic, which readers must be told.
    fn drawn_title(&self) -> String {
        if self.powers { format!("{}, logarithmic", self.title()) } else { self.title() }
    }

    /// Whether a value has a place on the axis.
    fn holds(&self, value: f64) -> bool {
        value.is_finite() && (!self.powers || value > 0.0)
    }

    /// A value as it stands at a tick or in a table, below the title of the axis.
    fn marked(&self, text: String) -> String {
        if self.unit == "%" { text + "%" } else { text }
    }

    /// A figure as it stands in a table or next to a mark.
    fn cell(&self, value: f64) -> String {
        if value.is_finite() { self.marked(measure(value)) } else { NOT_KNOWN.to_owned() }
    }

    /// A figure as it stands in a sentence.
    fn figure(&self, value: f64) -> String {
        if value.is_finite() { self.measured(measure(value)) } else { NOT_KNOWN.to_owned() }
    }

    /// A value as it stands in a sentence, with its unit.
    fn measured(&self, text: String) -> String {
        match self.unit.as_str() {
            "" => text,
            "%" => format!("{text}%"),
            unit => format!("{text} {unit}"),
        }
    }
}

/// A finished chart.
#[derive(Clone, Debug)]
pub struct Chart {
    title: String,
    description: String,
    height: f64,
    marks: String,
    figures: Table,
}

impl Chart {
    /// What the chart shows, in a few words.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// What there is to see, in words.
    pub fn description(&self) -> &str {
        &self.description
    }

    /// The figures behind the chart.
    pub fn figures(&self) -> &Table {
        &self.figures
    }

    /// The markup. `id` tells this chart from the others of its page and must be a plain word; characters
    /// that are none become a hyphen.
    pub fn svg(&self, id: &str) -> String {
        let id: String = id.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
        format!(
            "<svg class=\"chart\" viewBox=\"0 0 {} {}\" role=\"img\" aria-labelledby=\"{id}-title {id}-desc\">\n\
             <title id=\"{id}-title\">{}</title>\n<desc id=\"{id}-desc\">{}</desc>\n{}</svg>\n",
            draw::px(WIDTH),
            draw::px(self.height),
            escape(&self.title),
            escape(&self.description),
            self.marks
        )
    }

    /// The chart as a picture that stands by itself: its own style, on its own light ground, so that it can be read on
    /// light and on dark pages that know nothing of ours.
    pub fn picture(&self) -> String {
        let (width, height) = (draw::px(WIDTH), draw::px(self.height));
        let plain = self.svg("chart");
        let (_, inside) = plain.split_once('\n').unwrap_or_default();
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"chart\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"-12 -6 {} {}\" role=\"img\" aria-labelledby=\"chart-title chart-desc\">\n<style>\n{}text {{ font-family: \
             system-ui, sans-serif; }}\n</style>\n<rect x=\"-12\" y=\"-6\" width=\"100%\" height=\"100%\" rx=\"8\" \
             fill=\"#ffffff\"/>\n{inside}",
            draw::px(WIDTH + 24.0),
            draw::px(self.height + 12.0),
            picture_style()
        )
    }

    /// The chart of nothing: a frame that says so.
    fn empty(title: &str, figures: Table) -> Self {
        let marks = draw::text(WIDTH / 2.0, 40.0, "middle", "quiet", "There is nothing to show.");
        Self {
            title: title.to_owned(),
            description: "There is nothing to show.".to_owned(),
            height: 70.0,
            marks,
            figures,
        }
    }
}

/// What has the least and what has the greatest figure, among those that are known.
fn extremes<T>(figures: impl Iterator<Item = (T, f64)> + Clone) -> Option<((T, f64), (T, f64))> {
    let known = figures.filter(|(_, value)| value.is_finite());
    Some((known.clone().min_by(|a, b| a.1.total_cmp(&b.1))?, known.max_by(|a, b| a.1.total_cmp(&b.1))?))
}

/// The light colours and the rules about charts, of the style sheet that pages have.
fn picture_style() -> String {
    let colours = STYLE.find(":root {").and_then(|from| {
        let rest = &STYLE[from..];
        Some(&rest[..=rest.find('}')?])
    });
    let colours = colours.unwrap_or_default().replace("color-scheme: light dark;", "color-scheme: light;");
    let rules = STYLE.lines().filter(|line| line.starts_with(".chart "));
    [colours.as_str()].into_iter().chain(rules).map(|rule| format!("{rule}\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_brings_its_own_colours() {
        let series = [Series { name: "s < t".into(), points: vec![(0.0, 1.0), (1.0, 2.0)], shape: Shape::Straight }];
        let picture = line("a & b", &Axis::new("x"), &Axis::new("y"), &series).picture();
        assert!(picture.starts_with("<svg xmlns=") && picture.ends_with("</svg>\n"));
        for part in
            ["--series0: #", ".chart .line.series0 {", "<title id=\"chart-title\">a &amp; b</title>", "<rect x=\"-12\""]
        {
            assert!(picture.contains(part), "{part}");
        }
        assert!(!picture.contains("prefers-color-scheme") && !picture.contains("light dark"));
        assert_eq!(picture.matches("<svg").count(), 1);
    }
}
