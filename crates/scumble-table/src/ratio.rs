//! Fractions for privacy tests: parameters are read from their decimal text and compared exactly.

use crate::Decimal;
use std::cmp::Ordering;
use std::fmt;

/// A fraction in lowest terms with a positive denominator.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Ratio {
    numer: i128,
    denom: i128,
}

impl Ratio {
    /// `numer / denom`.
    ///
    /// # Panics
    /// If `denom` is zero.
    pub fn new(numer: i128, denom: i128) -> Self {
        assert!(denom != 0, "a fraction needs a denominator");
        let shared = gcd(numer.unsigned_abs(), denom.unsigned_abs()).max(1) as i128;
        let sign = if denom < 0 { -1 } else { 1 };
        Ratio { numer: sign * numer / shared, denom: sign * denom / shared }
    }

    /// Numerator.
    pub fn numer(self) -> i128 {
        self.numer
    }

    /// Denominator, positive.
    pub fn denom(self) -> i128 {
        self.denom
    }

    /// The nearest float, for display and estimates only.
    pub fn to_f64(self) -> f64 {
        self.numer as f64 / self.denom as f64
    }
}

impl From<Decimal> for Ratio {
    fn from(value: Decimal) -> Self {
        Ratio::new(value.mantissa(), 10i128.pow(u32::from(value.scale())))
    }
}

impl From<u64> for Ratio {
    fn from(value: u64) -> Self {
        Ratio { numer: i128::from(value), denom: 1 }
    }
}

impl Ord for Ratio {
    fn cmp(&self, other: &Self) -> Ordering {
        // Whole parts first, then the remainders turned upside down: no product can overflow.
        let (mut a, mut b, mut flip) = (*self, *other, false);
        loop {
            let (qa, qb) = (a.numer.div_euclid(a.denom), b.numer.div_euclid(b.denom));
            let (ra, rb) = (a.numer.rem_euclid(a.denom), b.numer.rem_euclid(b.denom));
            let order = qa.cmp(&qb).then((ra != 0).cmp(&(rb != 0)));
            if order != Ordering::Equal || ra == 0 {
                return if flip { order.reverse() } else { order };
            }
            (a, b) = (Ratio { numer: a.denom, denom: ra }, Ratio { numer: b.denom, denom: rb });
            flip = !flip;
        }
    }
}

impl PartialOrd for Ratio {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Ratio {
    /// The exact decimal where there is a short one, else six significant digits.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut unit: i128 = 1;
        for scale in 0..=12u8 {
            if unit % self.denom == 0
                && let Some(mantissa) = self.numer.checked_mul(unit / self.denom)
            {
                return write!(f, "{}", Decimal::new(mantissa, scale));
            }
            unit *= 10;
        }
        let value = self.to_f64();
        let places = (5 - value.abs().log10().floor() as i32).clamp(0, 12) as usize;
        write!(f, "{value:.places$}")
    }
}

fn gcd(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn reads_and_prints_decimals() {
        let ratio = Ratio::from(Decimal::parse("0.125").unwrap());
        assert_eq!((ratio.numer(), ratio.denom()), (1, 8));
        assert_eq!(ratio.to_string(), "0.125");
        assert_eq!(Ratio::new(2, 3).to_string(), "0.666667");
        assert_eq!(Ratio::new(-6, -4).to_string(), "1.5");
        assert_eq!(Ratio::new(7, 1).to_string(), "7");
    }

    proptest! {
        #[test]
        fn order_is_that_of_the_products(a in -1000i128..1000, b in 1i128..1000, c in -1000i128..1000, d in 1i128..1000) {
            prop_assert_eq!(Ratio::new(a, b).cmp(&Ratio::new(c, d)), (a * d).cmp(&(c * b)));
        }
    }

    #[test]
    fn order_of_giants() {
        let big = i128::MAX / 3;
        assert!(Ratio::new(big, big - 1) > Ratio::new(big - 1, big));
        assert!(Ratio::new(big, big - 2) > Ratio::new(big - 1, big - 2));
    }
}
