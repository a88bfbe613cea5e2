//! How sure an interval is to hold the result.
//!
//! All of this is over the secret assignment of values to people inside their groups. It says nothing about
//! how well the people of the table stand for others.

use scumble_table::{Error, Result};

/// Intervals that hold the true result with the confidence asked for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// Estimate plus and minus z deviations, cut at the bounds: right where many rows add up.
    pub normal: Option<(f64, f64)>,
    /// Right for any values and any number of rows: by Hoeffding's inequality for counts and sums, and quantiles of the
    /// exact distribution for MIN and MAX. Nothing for an average over an unknown number of rows.
    pub guaranteed: Option<(f64, f64)>,
}

/// A level between 0 and 1, with what follows from it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Confidence {
    level: f64,
    z: f64,
}

impl Confidence {
    /// Checks a level.
    ///
    /// # Errors
    /// If it is not between 0 and 1.
    pub fn new(level: f64) -> Result<Self> {
        // Tails below what f64 tells from 1 have no level.
        if !(level > 0.0 && level < 1.0) {
            return Err(Error::request("confidence", level.to_string(), "a confidence lies between 0 and 1")
                .hint("0.95 is a common one"));
        }
        Ok(Confidence { level, z: normal_deviate((1.0 - level) / 2.0) })
    }

    /// The level asked for.
    pub fn level(self) -> f64 {
        self.level
    }

    /// How many deviations around the mean hold this share of a normal distribution.
    pub fn z(self) -> f64 {
        self.z
    }

    /// The share that may lie beyond each end of an interval.
    pub(super) fn tail(self) -> f64 {
        (1.0 - self.level) / 2.0
    }

    /// Half the width of an interval for a sum whose terms, drawn without replacement or independently, have squared
    /// ranges that add up to `squares`: `sqrt(ln(2 / alpha) / 2 * squares)`.
    pub(super) fn hoeffding(self, squares: f64) -> f64 {
        (-self.tail().ln() / 2.0 * squares).sqrt()
    }
}

/// The place beyond which a normal distribution has the share `tail`, at most one half.
fn normal_deviate(tail: f64) -> f64 {
    // The upper tail falls strictly, and at 40 it is below the least positive number.
    let (mut low, mut high) = (0.0f64, 40.0f64);
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        if upper_tail(middle) > tail { low = middle } else { high = middle }
    }
    0.5 * (low + high)
}

/// The share of a normal distribution beyond `x >= 0`.
fn upper_tail(x: f64) -> f64 {
    let density = (-0.5 * x * x).exp() / (2.0 * std::f64::consts::PI).sqrt();
    if x < 2.5 {
        // 1/2 - density * (x + x^3/3 + x^5/(3*5) + ...), all terms positive.
        let (mut term, mut sum) = (x, x);
        let mut odd = 1.0;
        while term > 1e-18 * sum {
            odd += 2.0;
            term *= x * x / odd;
            sum += term;
        }
        0.5 - density * sum
    } else {
        // Laplace's continued fraction, which 200 terms settle far below rounding from 2.5 on.
        let fraction = (1..=200).rev().fold(x, |rest, n| x + f64::from(n) / rest);
        density / fraction
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deviates_agree_with_printed_tables() {
        for (level, z) in [
            (0.5, 0.674_489_750_196_082),
            (0.8, 1.281_551_565_544_6),
            (0.95, 1.959_963_984_540_054),
            (0.99, 2.575_829_303_548_901),
            (0.999, 3.290_526_731_491_926),
            (0.999_999, 4.891_638_475_698_66),
        ] {
            let found = Confidence::new(level).unwrap().z();
            assert!((found - z).abs() < 1e-9, "{level}: {found}");
        }
        assert!(Confidence::new(1e-12).unwrap().z() < 1e-11);
        assert!((6.0..9.0).contains(&Confidence::new(1.0 - f64::EPSILON).unwrap().z()));
    }

    #[test]
    fn the_two_forms_of_the_tail_meet() {
        let (below, above) = (upper_tail(2.5 - 1e-12), upper_tail(2.5 + 1e-12));
        assert!(below > above && below - above < 1e-13);
        assert_eq!(upper_tail(0.0), 0.5);
    }

    #[test]
    fn levels_outside_are_refused() {
        for level in [0.0, 1.0, -0.1, 95.0, f64::NAN, f64::INFINITY] {
            assert!(Confidence::new(level).unwrap_err().to_string().contains("between 0 and 1"));
        }
    }
}
