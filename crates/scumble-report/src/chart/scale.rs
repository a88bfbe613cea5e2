//! From values to positions, with ticks at round numbers.

use super::{Axis, WIDTH, draw};
use crate::number;

/// Beyond this the difference of two values could overflow; values are held within it on both sides.
const LARGEST: f64 = 1e300;

/// Spans smaller than this, by themselves or compared to the values, are drawn as one value: their ticks
/// could not be told apart as numbers.
const SMALLEST_SPAN: f64 = 1e-12;

/// More ticks than this of a logarithmic axis would touch; then only powers of ten have one.
const MOST_RATIOS: usize = 9;

/// An axis from one round number to another, linear or logarithmic.
#[derive(Clone, Debug)]
pub(super) struct Scale {
    low: f64,
    high: f64,
    /// From tick to tick; nothing where ratios are equal, not differences.
    step: Option<f64>,
    /// Position of `low`.
    start: f64,
    /// Position of `high`.
    end: f64,
}

impl Scale {
    /// A scale of that axis that covers these values.
    pub(super) fn along(axis: &Axis, values: impl Iterator<Item = f64>, n_ticks: u32, start: f64, end: f64) -> Self {
        let values: Vec<f64> = values.filter(|value| axis.holds(*value)).collect();
        let least = values.iter().copied().fold(f64::INFINITY, f64::min).max(1.0 / LARGEST);
        let most = values.iter().copied().fold(0.0, f64::max).min(LARGEST);
        if !axis.powers || least > most {
            return Self::covering(values.into_iter(), n_ticks, start, end);
        }
        let (low, mut high) = (round_ratio(least, false), round_ratio(most, true));
        if high <= low {
            high = low * 10.0;
        }
        Self { low, high, step: None, start, end }
    }

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
        Self { low: (low / step).floor() * step, high: (high / step).ceil() * step, step: Some(step), start, end }
    }

    /// The same, for counts: from 0, with ticks at whole numbers.
    pub(super) fn counting(largest: u64, n_ticks: u32, start: f64, end: f64) -> Self {
        let high = (largest as f64).max(1.0);
        let step = round_step(high / f64::from(n_ticks.max(1))).max(1.0);
        Self { low: 0.0, high: (high / step).ceil() * step, step: Some(step), start, end }
    }

    /// Where a value stands. What lies outside is drawn at the nearer end, and what is no number at the start.
    pub(super) fn at(&self, value: f64) -> f64 {
        let value = value.clamp(self.low, self.high);
        let share = match self.step {
            Some(_) => (value - self.low) / (self.high - self.low),
            None => (value / self.low).log10() / (self.high / self.low).log10(),
        };
        if share.is_finite() { self.start + share * (self.end - self.start) } else { self.start }
    }

    /// Values to be marked, with their labels.
    pub(super) fn ticks(&self) -> Vec<(f64, String)> {
        let Some(step) = self.step else { return self.ratios() };
        let largest = self.low.abs().max(self.high.abs());
        let first = (self.low / step).round();
        let n = ((self.high - self.low) / step).round().clamp(0.0, 40.0) as u32;
        (0..=n)
            .map(|i| {
                let value = (first + f64::from(i)) * step;
                (value, number::tick(value, step, largest))
            })
            .collect()
    }

    /// The ticks of a logarithmic axis: 1, 2, 5, 10 and so on, or powers of ten where these are many, and only some of
    /// the powers where these are many too.
    fn ratios(&self) -> Vec<(f64, String)> {
        let inside = |value: &f64| (self.low * (1.0 - 1e-9)..=self.high * (1.0 + 1e-9)).contains(value);
        let (first, last) = (self.low.log10().floor() as i32, self.high.log10().ceil() as i32);
        let powers = || (first..=last).map(|power| 10f64.powi(power));
        let all: Vec<f64> = powers().flat_map(|power| [power, 2.0 * power, 5.0 * power]).filter(inside).collect();
        let some: Vec<f64> = powers().filter(inside).collect();
        let ticks = if all.len() <= MOST_RATIOS || some.len() < 2 { all } else { some };
        let every = ticks.len().div_ceil(MOST_RATIOS).max(1);
        ticks.into_iter().step_by(every).map(|value| (value, number::tick(value, value, value))).collect()
    }

    /// The number of letters of the longest label.
    pub(super) fn widest_label(&self, axis: &Axis) -> usize {
        draw::longest(self.ticks().into_iter().map(|(_, label)| axis.marked(label)))
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

    /// Ticks below a plot, with lines up through it. Labels stay in the frame, and where they would touch some are left out.
    pub(super) fn draw_level(&self, axis: &Axis, top: f64, bottom: f64) -> String {
        let ticks = self.ticks();
        let room = (self.end - self.start).abs() / (ticks.len().max(2) - 1) as f64;
        let every = ((draw::LETTER * self.widest_label(axis) as f64 + 8.0) / room).ceil().max(1.0) as usize;
        let mut out = String::new();
        for (i, (value, label)) in ticks.into_iter().enumerate() {
            let x = self.at(value);
            out.push_str(&draw::rule("grid", (x, top), (x, bottom)));
            out.push_str(&draw::rule("axis", (x, bottom), (x, bottom + 5.0)));
            if i % every == 0 {
                let label = axis.marked(label);
                // The sign before a number and the one after it are wider than its figures.
                let half = draw::LETTER * (label.chars().count() + 1) as f64 / 2.0;
                let x = x.clamp(half.min(WIDTH / 2.0), (WIDTH - half).max(WIDTH / 2.0));
                out.push_str(&draw::text(x, bottom + 22.0, "middle", "tick", &label));
            }
        }
        out
    }
}

/// The nearest of 1, 2, 5 times a power of ten that is not above, or not below, a number above 0.
fn round_ratio(value: f64, up: bool) -> f64 {
    let power = 10f64.powf(value.log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0].map(|step| step * power);
    if up {
        steps.into_iter().find(|step| *step >= value * (1.0 - 1e-9)).unwrap_or(10.0 * power)
    } else {
        steps.into_iter().rev().find(|step| *step <= value * (1.0 + 1e-9)).unwrap_or(power)
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
    fn a_logarithmic_scale_has_equal_ratios() {
        let axis = Axis::new("m").by_powers();
        let scale = |values: &[f64]| Scale::along(&axis, values.iter().copied(), 5, 0.0, 100.0);
        let labels = |values: &[f64]| scale(values).ticks().into_iter().map(|tick| tick.1).collect::<Vec<_>>();
        assert_eq!(labels(&[0.0, 0.1, 5000.0]), ["0.1", "1", "10", "100", "1,000"]);
        assert_eq!(labels(&[3.0, 60.0]), ["2", "5", "10", "20", "50", "100"]);
        assert_eq!(labels(&[7.0]), ["5", "10"]);
        // Two powers of ten alone would leave a reader to guess.
        assert_eq!(labels(&[0.3, 40.0]), ["0.2", "0.5", "1", "2", "5", "10", "20", "50"]);
        let decades = scale(&[1.0, 100.0]);
        assert!((decades.at(10.0) - 50.0).abs() < 1e-9 && decades.at(0.0) == 0.0 && decades.at(1e9) == 100.0);
        for values in [&[][..], &[0.0, -1.0], &[5e-324, 1e308], &[f64::NAN, 2.0], &[1e-300]] {
            let scale = scale(values);
            assert!(scale.low < scale.high && (2..=14).contains(&scale.ticks().len()), "{values:?}: {scale:?}");
            assert!(values.iter().all(|value| (0.0..=100.0).contains(&scale.at(*value)) || value.is_nan()));
        }
    }

    #[test]
    fn labels_stay_in_the_frame_and_apart() {
        let scale = Scale::covering([0.0, 40_000.0].into_iter(), 5, 20.0, WIDTH - 2.0);
        let drawn = scale.draw_level(&Axis::new("error").unit("%"), 0.0, 10.0);
        assert!(drawn.contains(&format!("<text x=\"{}\"", draw::px(WIDTH - 4.0 * draw::LETTER))), "{drawn}");
        let narrow = Scale::covering([0.0, 400_000.0].into_iter(), 8, 20.0, 200.0);
        assert!(narrow.draw_level(&Axis::new("n"), 0.0, 10.0).matches("<text").count() <= 3);
    }

    #[test]
    fn counts_have_whole_ticks() {
        for largest in [0, 1, 2, 3, 7, 1_000_000, u64::MAX] {
            let scale = Scale::counting(largest, 5, 100.0, 0.0);
            assert!(scale.step >= Some(1.0) && scale.high >= largest as f64 && scale.high.is_finite());
        }
        let one: Vec<String> = Scale::counting(1, 5, 1.0, 0.0).ticks().into_iter().map(|(_, label)| label).collect();
        assert_eq!(one, ["0", "1"]);
    }
}
