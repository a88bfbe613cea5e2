//! From values to positions, with ticks at round numbers.

use super::{Axis, draw};
use crate::number;

/// Beyond this the difference of two values could overflow; values are held within it on both sides.
const LARGEST: f64 = 1e300;

/// Spans smaller than this, by themselves or compared to the values, are drawn as one value: their ticks
/// could not be told apart as numbers.
const SMALLEST_SPAN: f64 = 1e-12;

/// An axis from one round number to another, even or by powers of ten.
#[derive(Clone, Debug)]
pub(super) struct Scale {
    /// Whether `low`, `high` and `step` are logarithms to the base of ten.
    powers: bool,
    low: f64,
    high: f64,
    step: f64,
    /// Position of `low`.
    start: f64,
    /// Position of `high`.
    end: f64,
}

impl Scale {
    /// An axis that covers all finite `values`, with about `n_ticks` ticks, drawn from position `start` to
    /// position `end`. Without any value it runs from 0 to 1.
    pub(super) fn covering(values: impl Iterator<Item = f64>, n_ticks: u32, start: f64, end: f64) -> Self {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for value in values.filter(|v| v.is_finite()) {
            low = low.min(value.clamp(-LARGEST, LARGEST));
            high = high.max(value.clamp(-LARGEST, LARGEST));
        }
        if low > high {
            (low, high) = (0.0, 1.0);
        }
        let size = low.abs().max(high.abs());
        if high - low <= size * SMALLEST_SPAN || high - low < f64::MIN_POSITIVE / SMALLEST_SPAN {
            // One value only: it is drawn in the middle of a span of its own size.
            let half = if size < f64::MIN_POSITIVE / SMALLEST_SPAN { 1.0 } else { (size / 2.0).min(LARGEST) };
            (low, high) = if low >= 0.0 { ((low - half).max(0.0), high + half) } else { (low - half, high + half) };
        }
        let step = round_step((high - low) / f64::from(n_ticks.max(1)));
        Self { powers: false, low: (low / step).floor() * step, high: (high / step).ceil() * step, step, start, end }
    }

    /// The same by powers of ten, for values above 0; others are drawn at its lower end.
    pub(super) fn powers(values: impl Iterator<Item = f64>, n_ticks: u32, start: f64, end: f64) -> Self {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for value in values.filter(|v| v.is_finite() && *v > 0.0) {
            let value = value.clamp(1.0 / LARGEST, LARGEST);
            low = low.min(value.log10().floor());
            high = high.max(value.log10().ceil());
        }
        if low > high {
            (low, high) = (0.0, 1.0);
        }
        // A hair above a power of ten the logarithm may round onto it.
        let high = high.max(low + 1.0);
        let step = ((high - low) / f64::from(n_ticks.max(1))).ceil().max(1.0);
        Self { powers: true, low, high: low + ((high - low) / step).ceil() * step, step, start, end }
    }

    /// The same, for counts: from 0, with ticks at whole numbers.
    pub(super) fn counting(largest: u64, n_ticks: u32, start: f64, end: f64) -> Self {
        let high = (largest as f64).max(1.0);
        let step = round_step(high / f64::from(n_ticks.max(1))).max(1.0);
        Self { powers: false, low: 0.0, high: (high / step).ceil() * step, step, start, end }
    }

    /// Where a value is drawn. Values outside the axis are drawn at its nearest end.
    pub(super) fn at(&self, value: f64) -> f64 {
        let value = if self.powers { value.max(f64::MIN_POSITIVE).log10() } else { value };
        let share = (value.clamp(self.low, self.high) - self.low) / (self.high - self.low);
        if share.is_finite() { self.start + share * (self.end - self.start) } else { self.start }
    }

    /// The round values on the axis, with their labels.
    pub(super) fn ticks(&self) -> Vec<(f64, String)> {
        let largest = self.low.abs().max(self.high.abs());
        let first = (self.low / self.step).round();
        let n = ((self.high - self.low) / self.step).round().clamp(0.0, 40.0) as u32;
        (0..=n)
            .map(|i| {
                if self.powers {
                    let value = 10f64.powf(self.low + f64::from(i) * self.step);
                    return (value, number::measure(value));
                }
                let value = (first + f64::from(i)) * self.step;
                (value, number::tick(value, self.step, largest))
            })
            .collect()
    }

    /// The number of letters of the longest label.
    pub(super) fn widest_label(&self, axis: &Axis) -> usize {
        self.ticks().into_iter().map(|(_, label)| axis.marked(label).chars().count()).max().unwrap_or(0)
    }

    /// Grid lines and labels of a vertical axis at the left of a plot that reaches from `left` to `right`.
    pub(super) fn draw_upright(&self, axis: &Axis, left: f64, right: f64) -> String {
        let mut out = String::new();
        for (value, label) in self.ticks() {
            let y = self.at(value);
            out.push_str(&draw::rule("grid", (left, y), (right, y)));
            out.push_str(&draw::text(left - 8.0, y + 4.5, "end", "tick", &axis.marked(label)));
        }
        out
    }

    /// Grid lines and labels of a horizontal axis below a plot that reaches from `top` to `bottom`.
    pub(super) fn draw_level(&self, axis: &Axis, top: f64, bottom: f64) -> String {
        let mut out = String::new();
        for (value, label) in self.ticks() {
            let x = self.at(value);
            out.push_str(&draw::rule("grid", (x, top), (x, bottom)));
            out.push_str(&draw::rule("axis", (x, bottom), (x, bottom + 5.0)));
            out.push_str(&draw::text(x, bottom + 22.0, "middle", "tick", &axis.marked(label)));
        }
        out
    }
}

/// The least of 1, 2, 5 times a power of ten that is not below `rough`.
fn round_step(rough: f64) -> f64 {
    let power = 10f64.powf(rough.log10().floor());
    if !power.is_normal() {
        return 1.0;
    }
    // A hair of slack keeps 0.2 from becoming 0.5 by a rounding error.
    [1.0, 2.0, 5.0].into_iter().map(|m| m * power).find(|&s| s >= rough * (1.0 - 1e-9)).unwrap_or(10.0 * power)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(values: &[f64]) -> Vec<String> {
        Scale::covering(values.iter().copied(), 5, 0.0, 100.0).ticks().into_iter().map(|(_, label)| label).collect()
    }

    #[test]
    fn ticks_are_round() {
        assert_eq!(labels(&[0.0, 1.0]), ["0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        assert_eq!(labels(&[0.0, 97.0]), ["0", "20", "40", "60", "80", "100"]);
        assert_eq!(labels(&[-3.0, 4.0]), ["−4", "−2", "0", "2", "4"]);
    }

    #[test]
    fn every_input_gives_a_scale() {
        for values in [
            &[][..],
            &[f64::NAN],
            &[f64::INFINITY, f64::NEG_INFINITY],
            &[0.0],
            &[-0.0],
            &[7.0],
            &[-7.0],
            &[f64::MAX, f64::MIN],
            &[f64::MAX],
            &[f64::MIN_POSITIVE],
            &[5e-324],
            &[0.0, 5e-324],
            &[0.0, 1e-300],
            &[1e15, 1e15 + 1.0],
            &[1e300, 1e300 * (1.0 + 1e-15)],
        ] {
            let scale = Scale::covering(values.iter().copied(), 5, 10.0, 90.0);
            assert!(scale.low < scale.high, "{values:?}: {scale:?}");
            let ticks = scale.ticks();
            assert!((2..=14).contains(&ticks.len()), "{values:?}: {ticks:?}");
            for &value in values.iter().filter(|v| v.is_finite()) {
                let x = scale.at(value);
                assert!((10.0..=90.0).contains(&x), "{values:?} at {x}");
            }
        }
    }

    #[test]
    fn powers_of_ten_are_evenly_apart() {
        let labels = |values: &[f64]| -> Vec<String> {
            let scale = Scale::powers(values.iter().copied(), 5, 0.0, 100.0);
            scale.ticks().into_iter().map(|(_, label)| label).collect()
        };
        assert_eq!(labels(&[0.02, 3.0, 0.0, f64::NAN]), ["0.01", "0.1", "1", "10"]);
        assert_eq!(labels(&[1.0]), ["1", "10"]);
        assert_eq!(labels(&[]), ["1", "10"]);
        assert_eq!(labels(&[0.01, 90_000.0]).len(), 5);
        for values in [&[5e-324, f64::MAX][..], &[1e300], &[-3.0]] {
            let scale = Scale::powers(values.iter().copied(), 5, 10.0, 90.0);
            assert!((2..=14).contains(&scale.ticks().len()), "{values:?}: {scale:?}");
            assert!(values.iter().all(|&value| (10.0..=90.0).contains(&scale.at(value))));
        }
        let scale = Scale::powers([1.0, 100.0].into_iter(), 5, 0.0, 100.0);
        assert_eq!([1.0, 10.0, 100.0, 0.0, -1.0].map(|value| scale.at(value)), [0.0, 50.0, 100.0, 0.0, 0.0]);
    }

    #[test]
    fn counts_have_whole_ticks() {
        for largest in [0, 1, 2, 3, 7, 1_000_000, u64::MAX] {
            let scale = Scale::counting(largest, 5, 100.0, 0.0);
            assert!(scale.step >= 1.0 && scale.high >= largest as f64 && scale.high.is_finite());
        }
        let one: Vec<String> = Scale::counting(1, 5, 1.0, 0.0).ticks().into_iter().map(|(_, label)| label).collect();
        assert_eq!(one, ["0", "1"]);
    }
}
