//! A tree of intervals: a row of boxes for each level, the broad ones above the narrow ones they hold.

use super::draw::{LETTER, bar, name, text};
use super::{Chart, WIDTH};
use crate::table::Table;
use crate::text::Text;
use scumble_table::figures::{counted, grouped};

const LEFT: f64 = 4.0;
const RIGHT: f64 = WIDTH - 4.0;
const TOP: f64 = 4.0;
const BOX: f64 = 30.0;
const HEADING: f64 = 34.0;

/// What is left free on both sides of a label.
const MARGIN: f64 = 6.0;

/// The style sheet's tints that dark letters are read on, light ones on a dark page.
const TINTS: usize = 3;

/// Below this width the usual line around a box would hide it.
const THIN: f64 = 6.0;

/// A box of a level.
#[derive(Clone, Debug, PartialEq)]
pub struct Span {
    /// What it stands for.
    pub label: String,
    /// The same in fewer letters, for a narrow box.
    pub short: String,
    /// How much of the whole it takes; what is not a finite number above 0 takes nothing.
    pub share: f64,
    /// Rows in it.
    pub count: u64,
}

/// One row of boxes, from left to right.
#[derive(Clone, Debug, PartialEq)]
pub struct Rung {
    /// What the level is called.
    pub label: String,
    /// Its boxes.
    pub spans: Vec<Span>,
}

/// Levels that belong together, under a heading; without one they continue those before.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Part {
    /// The heading.
    pub heading: String,
    /// Levels from the top.
    pub rungs: Vec<Rung>,
}

/// Draws levels of boxes. Those of one part are drawn without a gap, so that each box stands under the one that holds it.
/// `unit` says what is counted.
pub fn icicle(title: &str, unit: &str, parts: &[Part]) -> Chart {
    let mut figures = Table::new(title, &["Part", "Level", "Interval", unit]).figures_in(&[3]);
    let mut marks = String::new();
    let mut y = TOP;
    let (mut levels, mut boxes) = (0u64, 0u64);
    for part in parts.iter().filter(|part| !part.rungs.is_empty()) {
        if !part.heading.is_empty() {
            marks.push_str(&name(LEFT, y + 22.0, "start", "label", &part.heading, RIGHT - LEFT));
            y += HEADING;
        }
        for (depth, rung) in part.rungs.iter().enumerate() {
            let share = |span: &Span| if span.share.is_finite() { span.share.max(0.0) } else { 0.0 };
            let whole: f64 = rung.spans.iter().map(share).sum();
            let mut x = LEFT;
            for span in &rung.spans {
                let width = if whole > 0.0 { share(span) / whole * (RIGHT - LEFT) } else { 0.0 };
                let says = format!("{}, {}: {} {unit}", rung.label, span.label, grouped(span.count));
                let thin = if width < THIN { " thin" } else { "" };
                marks.push_str(&bar(&format!("heat heat{}{thin}", depth % TINTS), (x, y), (width, BOX), &says));
                let room = ((width - 2.0 * MARGIN) / LETTER).max(0.0) as usize;
                let label = [&span.label, &span.short].into_iter().find(|label| label.chars().count() <= room);
                if let Some(label) = label {
                    marks.push_str(&text(x + width / 2.0, y + 20.0, "middle", "tick inside", label));
                }
                figures.row([&part.heading, &rung.label, &span.label, &grouped(span.count)].map(Text::from));
                x = (x + width).min(RIGHT);
                boxes += 1;
            }
            levels += 1;
            y += BOX;
        }
        y += 8.0;
    }
    if boxes == 0 {
        return Chart::empty(title, figures);
    }
    let description = format!(
        "{} of boxes, {} in all; each box lies under the broader one that holds it, and is as wide as its share.",
        counted(levels, "row", "rows"),
        counted(boxes, "box", "boxes")
    );
    Chart { title: title.to_owned(), description, height: y, marks, figures }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rung(label: &str, spans: &[(&str, f64, u64)]) -> Rung {
        let span = |&(label, share, count): &(&str, f64, u64)| Span {
            label: label.into(),
            short: label.replace(" to ", "–"),
            share,
            count,
        };
        Rung { label: label.into(), spans: spans.iter().map(span).collect() }
    }

    #[test]
    fn boxes_lie_under_what_holds_them() {
        let part = Part {
            heading: "women".into(),
            rungs: vec![
                rung("common", &[("up to 160", 0.5, 500), ("from 161", 0.5, 500)]),
                rung("finest", &[("up to 150", 0.25, 250), ("151 to 160", 0.25, 250), ("from 161", 0.5, 500)]),
            ],
        };
        let chart = icicle("The tree", "rows", &[part]);
        let svg = chart.svg("a");
        assert_eq!(svg.matches("<rect").count(), 5);
        // Both levels have a box that begins in the middle.
        assert_eq!(svg.matches("x=\"320\" y=").count() - svg.matches("<text x=\"320\"").count(), 2, "{svg}");
        assert!(svg.contains("finest, 151 to 160: 250 rows</title>"), "{svg}");
        assert_eq!(chart.figures().len(), 5);
        assert!(chart.description().starts_with("2 rows of boxes, 5 boxes in all"), "{}", chart.description());
    }

    #[test]
    fn a_label_stands_only_where_it_fits() {
        let spans = [("a very long label indeed", 0.01, 1), ("1234567 to 7654321", 0.33, 9), ("short", 0.66, 90)];
        let svg = icicle("t", "rows", &[Part { heading: String::new(), rungs: vec![rung("l", &spans)] }]).svg("a");
        assert!(!svg.contains(">a very long label indeed</text>") && svg.contains(">short</text>"));
        assert!(svg.contains(">1234567–7654321</text>"), "{svg}");
    }

    #[test]
    fn nothing_and_nonsense_do_no_harm() {
        assert!(icicle("t", "rows", &[]).svg("a").contains("There is nothing to show."));
        let spans = [("a", f64::NAN, 1), ("b", -1.0, 1), ("c", 0.0, 0)];
        let svg = icicle("t", "rows", &[Part { heading: String::new(), rungs: vec![rung("l", &spans)] }]).svg("a");
        assert!(!svg.contains("NaN"));
    }
}
