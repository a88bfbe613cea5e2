//! Sums that are exact or refused.

use scumble_table::{Error, Result};

/// A sum must have at most 38 digits, which is what databases keep exactly and what 128 bits hold.
const SUM_LIMIT: i128 = 10i128.pow(38);

/// An exact result in units of its column, in lowest terms; `denom` is above 1 only for averages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Exact {
    /// Numerator.
    pub numer: i128,
    /// Denominator, at least 1.
    pub denom: u64,
}

impl Exact {
    /// A whole number.
    pub fn whole(numer: i128) -> Self {
        Exact { numer, denom: 1 }
    }

    /// A sum divided by a positive number of rows.
    pub(super) fn mean(sum: i128, rows: u64) -> Self {
        let (mut a, mut b) = (sum.unsigned_abs(), u128::from(rows));
        while b > 0 {
            (a, b) = (b, a % b);
        }
        // The divisor divides `rows`, so it fits 64 bits, and it is 0 only where both are.
        let common = a.max(1);
        Exact { numer: sum / common as i128, denom: rows / common as u64 }
    }

    /// The nearest floating-point number.
    pub fn to_f64(self) -> f64 {
        // Whole part and rest apart, so that a long numerator costs no digit of the quotient.
        let denom = i128::from(self.denom);
        (self.numer / denom) as f64 + (self.numer % denom) as f64 / denom as f64
    }
}

/// A running sum that cannot overflow: 192 bits in two's complement.
///
/// Partial sums may leave the range that results must keep, so only the end is judged.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Total {
    high: i64,
    low: u128,
}

impl Total {
    pub(super) fn add(&mut self, value: i128) {
        let (low, carry) = self.low.overflowing_add(value as u128);
        self.low = low;
        self.high += i64::from(carry) - i64::from(value < 0);
    }

    pub(super) fn add_total(&mut self, other: Total) {
        let (low, carry) = self.low.overflowing_add(other.low);
        self.low = low;
        self.high += other.high + i64::from(carry);
    }

    /// The sum, if it has at most 38 digits.
    pub(super) fn finish(self) -> Result<i128> {
        let sum = self.low as i128;
        if self.high != i64::from(sum >= 0) - 1 || sum.unsigned_abs() >= SUM_LIMIT as u128 {
            return Err(Error::data("the release", "the sum has more than 38 digits")
                .hint("ask for fewer rows, or for COUNT, MIN or MAX"));
        }
        Ok(sum)
    }

    pub(super) fn to_f64(self) -> f64 {
        // The lower half as a signed number, so that small negative sums are not a difference of large ones.
        let low = self.low as i128;
        (self.high + i64::from(low < 0)) as f64 * 2f64.powi(128) + low as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn totals_pass_through_any_partial_sum() {
        let big = SUM_LIMIT - 1;
        let mut total = Total::default();
        for value in [big, big, big, -big, -big] {
            total.add(value);
        }
        assert_eq!(total.finish().unwrap(), big);
        total.add(1);
        assert!(total.finish().unwrap_err().to_string().contains("more than 38 digits"));
        let mut low = Total::default();
        for value in [i128::MIN, i128::MIN, i128::MAX] {
            low.add(value);
        }
        assert!(low.finish().is_err());
        low.add(i128::MAX);
        assert_eq!(low.finish().unwrap(), -2);
        let mut both = low;
        both.add_total(low);
        assert_eq!((both.finish().unwrap(), Total::default().finish().unwrap()), (-4, 0));
        assert_eq!((both.to_f64(), total.to_f64()), (-4.0, 1e38));
    }

    #[test]
    fn means_are_in_lowest_terms() {
        assert_eq!(Exact::mean(-6, 4), Exact { numer: -3, denom: 2 });
        assert_eq!(Exact::mean(0, 7), Exact::whole(0));
        assert_eq!(Exact::mean(9, 3), Exact::whole(3));
        assert_eq!(Exact { numer: -7, denom: 2 }.to_f64(), -3.5);
        assert_eq!(Exact { numer: 3 * 10i128.pow(30) + 1, denom: 3 }.to_f64(), 1e30);
    }
}
