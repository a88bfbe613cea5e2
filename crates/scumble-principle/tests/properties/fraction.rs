//! Fractions of whole numbers of any length, as slow and as plain as can be.

use num_bigint::BigInt;
use scumble_table::Decimal;
use std::cmp::Ordering;

/// numerator / denominator, the latter positive.
#[derive(Debug, Clone)]
pub(crate) struct Fraction(BigInt, BigInt);

impl Fraction {
    pub(crate) fn new(numer: impl Into<BigInt>, denom: impl Into<BigInt>) -> Self {
        let (numer, denom) = (numer.into(), denom.into());
        assert!(denom != BigInt::ZERO);
        if denom < BigInt::ZERO { Fraction(-numer, -denom) } else { Fraction(numer, denom) }
    }

    pub(crate) fn decimal(value: Decimal) -> Self {
        Fraction(value.mantissa().into(), BigInt::from(10).pow(value.scale().into()))
    }

    pub(crate) fn text(text: &str) -> Self {
        Fraction::decimal(Decimal::parse(text).unwrap_or_else(|| panic!("{text} is not a decimal")))
    }

    pub(crate) fn plus(&self, other: &Fraction) -> Fraction {
        Fraction(&self.0 * &other.1 + &other.0 * &self.1, &self.1 * &other.1)
    }

    pub(crate) fn times(&self, other: &Fraction) -> Fraction {
        Fraction(&self.0 * &other.0, &self.1 * &other.1)
    }

    pub(crate) fn over(&self, other: &Fraction) -> Fraction {
        Fraction::new(&self.0 * &other.1, &self.1 * &other.0)
    }

    /// How far two are apart.
    pub(crate) fn apart(&self, other: &Fraction) -> Fraction {
        let difference = &self.0 * &other.1 - &other.0 * &self.1;
        Fraction(difference.magnitude().clone().into(), &self.1 * &other.1)
    }

    /// The greatest multiple of `10^-scale` that is no greater, in units of it; of the root if so asked.
    pub(crate) fn units(&self, scale: u8, root: bool) -> i128 {
        let unit = BigInt::from(10).pow(scale.into());
        let units = if root { (&self.0 * &unit * unit / &self.1).sqrt() } else { &self.0 * unit / &self.1 };
        i128::try_from(units).unwrap_or(i128::MAX)
    }

    pub(crate) fn to_f64(&self) -> f64 {
        // Enough digits of the quotient for a float.
        let scaled: BigInt = &self.0 * BigInt::from(10).pow(40) / &self.1;
        scaled.to_string().parse::<f64>().unwrap() / 1e40
    }
}

impl Ord for Fraction {
    fn cmp(&self, other: &Self) -> Ordering {
        (&self.0 * &other.1).cmp(&(&other.0 * &self.1))
    }
}

impl PartialOrd for Fraction {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Fraction {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Fraction {}
