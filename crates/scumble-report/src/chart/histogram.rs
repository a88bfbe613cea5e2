//! How many there are of each size.

use super::draw::{LETTER, bar, rule, text};
use super::scale::Scale;
use super::{Axis, Chart, WIDTH};
use crate::number::compact;
use crate::table::Table;
use scumble_table::figures::{counted, grouped};

const TOP: f64 = 44.0;
const PLOT_HEIGHT: f64 = 220.0;
const RIGHT: f64 = WIDTH - 20.0;

/// Few bins stand in the middle of the frame instead of filling it with broad slabs.
const WIDEST: f64 = 96.0;

/// A range of whole numbers, both ends included, and how many fell into it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bin {
    /// The least number of the bin.
    pub from: u64,
    /// The greatest number of the bin.
    pub to: u64,
    /// How many fell into it.
    pub count: u64,
}

impl Bin {
    fn range(&self) -> String {
        if self.from == self.to {
            grouped(self.from)
        } else {
            format!("{} to {}", grouped(self.from), grouped(self.to))
        }
    }
}

/// Draws `bins` side by side, all of one width on the page even where they are not as numbers, each as high
/// as its count. `sizes` names what the bins divide and `counts` what is counted.
///
/// Bins of single numbers carry them below their middle; wider bins carry their least number below their
/// left edge. A count that is not 0 is always visible.
pub fn histogram(title: &str, sizes: &Axis, counts: &Axis, bins: &[Bin]) -> Chart {
    let mut figures = Table::new(title, &[&sizes.title(), &counts.title()]).figures_in(&[0, 1]).named_rows();
    for bin in bins {
        figures.row([bin.range().into(), grouped(bin.count).into()]);
    }
    let Some(highest) = bins.iter().max_by_key(|bin| bin.count) else {
        return Chart::empty(title, figures);
    };

    let bottom = TOP + PLOT_HEIGHT;
    let scale = Scale::counting(highest.count, 5, bottom, TOP);
    let left = 18.0 + LETTER * scale.widest_label(counts) as f64;
    let pitch = ((RIGHT - left) / bins.len() as f64).min(WIDEST);
    let first = (left + RIGHT - pitch * bins.len() as f64) / 2.0;
    let gap = (pitch * 0.12).min(6.0);

    let mut marks = text(4.0, 20.0, "start", "label", &counts.title());
    marks.push_str(&scale.draw_upright(counts, left, RIGHT));
    for (i, bin) in bins.iter().enumerate() {
        let says = format!("{}: {}", bin.range(), counts.measured(grouped(bin.count)));
        let height = if bin.count == 0 { 0.0 } else { (bottom - scale.at(bin.count as f64)).max(1.5) };
        let x = first + pitch * i as f64 + gap / 2.0;
        marks.push_str(&bar("mark", (x, bottom - height), (pitch - gap, height), &says));
    }
    marks.push_str(&rule("axis", (left, bottom), (RIGHT, bottom)));
    marks.push_str(&size_labels(bins, first, pitch, bottom));
    marks.push_str(&text((left + RIGHT) / 2.0, bottom + 50.0, "middle", "label", &title_of(sizes, bins)));

    Chart {
        title: title.to_owned(),
        description: describe(sizes, counts, bins, highest),
        height: bottom + 62.0,
        marks,
        figures,
    }
}

/// What the level axis measures. Readers are told where bins differ in width, for then heights alone mislead.
fn title_of(sizes: &Axis, bins: &[Bin]) -> String {
    let width = |bin: &Bin| bin.to.wrapping_sub(bin.from);
    let widening = bins.iter().any(|bin| width(bin) != width(&bins[0]));
    if widening { format!("{}, in bins that widen", sizes.title()) } else { sizes.title() }
}

/// Labels below the bins, as many as fit without touching.
fn size_labels(bins: &[Bin], first: f64, pitch: f64, bottom: f64) -> String {
    let single = bins.iter().all(|bin| bin.from == bin.to);
    let labels: Vec<String> = bins.iter().map(|bin| compact(bin.from)).collect();
    let widest = labels.iter().map(|label| label.chars().count()).max().unwrap_or(0) as f64 * LETTER + 6.0;
    let every = (widest / pitch).ceil().max(1.0) as usize;
    let mut out = String::new();
    for (i, label) in labels.iter().enumerate().step_by(every) {
        let x = first + pitch * (i as f64 + if single { 0.5 } else { 0.0 });
        if !single {
            out.push_str(&rule("axis", (x, bottom), (x, bottom + 5.0)));
        }
        out.push_str(&text(x, bottom + 22.0, "middle", "tick", label));
    }
    out
}

fn describe(sizes: &Axis, counts: &Axis, bins: &[Bin], highest: &Bin) -> String {
    let total = bins.iter().fold(0u64, |sum, bin| sum.saturating_add(bin.count));
    let (Some(first), Some(last)) = (bins.first(), bins.last()) else { return String::new() };
    let whole = Bin { from: first.from, to: last.to, count: total };
    if let [only] = bins {
        let range = if only.from == only.to { only.range() } else { format!("from {}", only.range()) };
        return format!(
            "A histogram in 1 bin of {}, {range}. It counts {}.",
            sizes.title(),
            counts.measured(grouped(total))
        );
    }
    format!(
        "A histogram in {} of {}, from {}. It counts {} in all. The highest bin is {}, with {}.",
        counted(bins.len() as u64, "bin", "bins"),
        sizes.title(),
        whole.range(),
        counts.measured(grouped(total)),
        highest.range(),
        grouped(highest.count)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draw(bins: &[Bin]) -> String {
        histogram("t", &Axis::new("size"), &Axis::new("groups").unit("groups"), bins).svg("a")
    }

    #[test]
    fn one_bar_for_each_bin() {
        let bins: Vec<Bin> = (0..7).map(|i| Bin { from: i, to: i, count: i }).collect();
        assert_eq!(draw(&bins).matches("<rect").count(), 7);
    }

    #[test]
    fn one_bin_is_no_range_from_a_number_to_itself() {
        let words = |bins: &[Bin]| {
            let (size, groups) = (Axis::new("size"), Axis::new("groups").unit("groups"));
            describe(&size, &groups, bins, bins.last().unwrap())
        };
        let one = words(&[Bin { from: 8, to: 8, count: 3 }]);
        assert!(one.contains("1 bin of size, 8. It counts 3") && !one.contains("8 to 8"), "{one}");
        assert!(words(&[Bin { from: 8, to: 9, count: 3 }]).contains("1 bin of size, from 8 to 9."));
        let two = words(&[Bin { from: 1, to: 1, count: 3 }, Bin { from: 2, to: 2, count: 4 }]);
        assert!(
            two.contains("2 bins of size, from 1 to 2. It counts 7") && two.contains("The highest bin is 2, with 4"),
            "{two}"
        );
    }

    #[test]
    fn a_single_group_among_billions_is_visible() {
        let svg = draw(&[Bin { from: 1, to: 1, count: 1 }, Bin { from: 2, to: 2, count: u64::MAX }]);
        assert!(svg.contains("height=\"1.5\""));
        assert!(!svg.contains("NaN") && !svg.contains("inf"));
    }

    #[test]
    fn labels_do_not_touch() {
        let bins: Vec<Bin> = (0..50).map(|i| Bin { from: 1000 + i, to: 1000 + i, count: 1 }).collect();
        assert!(draw(&bins).matches("1,0").count() < 50 + 50 / 2);
    }
}
