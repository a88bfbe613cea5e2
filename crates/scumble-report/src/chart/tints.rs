//! Fields of a map, tinted by a quantity.

use super::draw::{bar, text};
use super::{Axis, WIDTH};

const RIGHT: f64 = WIDTH - 28.0;
const LEGEND_ROW: f64 = 28.0;

/// The style sheet has this many tints, which get darker, or lighter on a dark page, as the quantity grows: they can be
/// told apart without seeing colours.
const TINTS: usize = 6;

/// The tints of a map.
pub(super) struct Tints<'a> {
    pub(super) quantity: &'a Axis,
    /// The quantities at which the tint changes, rising.
    pub(super) levels: &'a [f64],
}

impl<'a> Tints<'a> {
    /// Levels for which the style sheet has no tint are left out.
    pub(super) fn new(quantity: &'a Axis, levels: &'a [f64]) -> Self {
        Tints { quantity, levels: &levels[..levels.len().min(TINTS - 1)] }
    }

    /// The tint of a value.
    pub(super) fn tint(&self, value: f64) -> usize {
        self.levels.iter().filter(|level| value >= **level).count()
    }

    /// A field that says what it is and how much, where it is pointed at; blank where that is not known.
    pub(super) fn field(&self, corner: (f64, f64), size: (f64, f64), name: &str, value: f64) -> String {
        let class = if value.is_finite() { format!("heat heat{}", self.tint(value)) } else { "heat blank".into() };
        bar(&class, corner, size, &format!("{name}: {}", self.quantity.figure(value)))
    }

    /// The tints with what they stand for, two side by side, and where they end.
    pub(super) fn legend(&self, left: f64, top: f64) -> (String, f64) {
        let (levels, name) = (self.levels, |level: f64| self.quantity.cell(level));
        let says = |tint: usize| match (tint.checked_sub(1).map(|at| levels[at]), levels.get(tint)) {
            (None, None) => self.quantity.title(),
            (None, Some(high)) => format!("below {}", name(*high)),
            (Some(low), None) => format!("{} and more", name(low)),
            (Some(low), Some(high)) => format!("{} to {}", name(low), name(*high)),
        };
        let mut out = text(left, top + 16.0, "start", "label", &self.quantity.title());
        for tint in 0..=levels.len() {
            let (x, y) = (left + (RIGHT - left) / 2.0 * (tint % 2) as f64, top + LEGEND_ROW * (1 + tint / 2) as f64);
            out.push_str(&bar(&format!("swatch heat{tint}"), (x, y), (36.0, 18.0), &says(tint)));
            out.push_str(&text(x + 46.0, y + 14.0, "start", "tick", &says(tint)));
        }
        (out, top + LEGEND_ROW * (1 + levels.len() / 2 + 1) as f64 + 8.0)
    }
}

/// The quantity of a field, which is not a finite number where there is none.
pub(super) fn value_at(values: &[Vec<f64>], column: usize, row: usize) -> f64 {
    values.get(column).and_then(|column| column.get(row)).copied().unwrap_or(f64::NAN)
}
