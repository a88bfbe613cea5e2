//! Natural logarithms of whole numbers with as many digits as it takes: what floats cannot decide, these do.

use crate::exact::{Fraction, Round, rounded_big};
use num_bigint::{BigInt, BigUint};
use std::cmp::Ordering;

/// Digits to begin with: four times those of a float.
const FIRST_BITS: u32 = 256;

/// Orders ln(x / y) against a fraction, for x and y above 0.
///
/// By the theorem of Lindemann e to a fraction other than 0 is no fraction, so the two are equal only where both are 0;
/// everywhere else enough digits tell them apart.
pub(crate) fn compare_ln(x: u128, y: u128, bound: Fraction) -> Ordering {
    let (numer, denom) = bound.parts();
    if numer == 0 || x <= y {
        // The logarithm is at most 0 where x is at most y, and the bound at least 0.
        return if numer == 0 { x.cmp(&y) } else { Ordering::Less };
    }
    let mut bits = FIRST_BITS;
    loop {
        let beyond = ln_ratio(x, y, bits) * denom - (BigInt::from(numer) << bits);
        let error = BigInt::from(error_of_ratio(bits)) * denom;
        if beyond > error || beyond < -&error {
            return if beyond > error { Ordering::Greater } else { Ordering::Less };
        }
        bits = bits.saturating_mul(2);
    }
}

/// Orders the fraction `numer / denom` against ln(x / y), for a denominator, x and y above 0. As [`compare_ln`], for fractions that
/// need not fit a parameter.
pub(crate) fn compare_with_ln(numer: u128, denom: u128, x: u128, y: u128) -> Ordering {
    compare_ln(x, y, Fraction::ratio(numer, denom)).reverse()
}

/// A text for ln(x / y), x at least y, that is strictly above it.
pub(crate) fn ln_above(x: u128, y: u128) -> String {
    let value = match x > y {
        true => ln_ratio(x, y, FIRST_BITS) + error_of_ratio(FIRST_BITS),
        false => BigInt::ZERO,
    };
    rounded_big(value.magnitude(), &(BigUint::from(1u32) << FIRST_BITS), Round::Above)
}

/// ln(x / y) in units of `2^-bits`, wrong by less than [`error_of_ratio`] of them.
pub(crate) fn ln_ratio(x: u128, y: u128, bits: u32) -> BigInt {
    let logarithm = Logarithm::new(bits);
    BigInt::from(logarithm.ln(x)) - BigInt::from(logarithm.ln(y))
}

/// How far [`ln_ratio`] may be off.
pub(crate) fn error_of_ratio(bits: u32) -> u64 {
    2 * u64::from(ERROR_PER_BIT) * u64::from(bits)
}

/// A logarithm is wrong by less than this many units of its last bit, per bit. The sum for
/// `atanh` has fewer than bits / 3 + 1 terms, each cut off by less than 4 units, so it is wrong by
/// less than 2 units per bit; a logarithm is up to 128 times two such sums.
pub(crate) const ERROR_PER_BIT: u32 = 512;

/// Natural logarithms of whole numbers in units of `2^-bits`.
pub(crate) struct Logarithm {
    bits: u32,
    ln_two: BigUint,
}

impl Logarithm {
    pub(crate) fn new(bits: u32) -> Self {
        Logarithm { bits, ln_two: atanh(1u32.into(), 3u32.into(), bits) * 2u32 }
    }

    /// ln x = k ln 2 + ln m, where m = x / 2^k lies from 1 to below 2, and
    /// ln m = 2 atanh((m - 1) / (m + 1)). For x = 0, which no count is, the answer is that for 1.
    pub(crate) fn ln(&self, x: u128) -> BigUint {
        let x = x.max(1);
        let k = x.ilog2();
        let power = 1u128 << k;
        &self.ln_two * k + atanh(BigUint::from(x - power), BigUint::from(x) + power, self.bits) * 2u32
    }
}

/// The sum of z^(2i + 1) / (2i + 1) for z = numer / denom of at most 1/3.
fn atanh(numer: BigUint, denom: BigUint, bits: u32) -> BigUint {
    let z = (numer << bits) / denom;
    let square = (&z * &z) >> bits;
    let (mut power, mut sum, mut odd) = (z.clone(), z, 3u32);
    loop {
        power = (&power * &square) >> bits;
        if power == BigUint::ZERO {
            return sum;
        }
        sum += &power / odd;
        odd += 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use scumble_table::Decimal;

    fn fraction(text: &str) -> Fraction {
        Fraction::new(Decimal::parse(text).unwrap())
    }

    #[test]
    fn logarithms_have_the_digits_they_claim() {
        // ln 10 = 2.302585092994045684017991454684364207601101488628772976033327900967572609677352...
        let known = "2302585092994045684017991454684364207601101488628772976033327900967572609677352";
        let logarithm = Logarithm::new(300);
        let shown = (logarithm.ln(10) * BigUint::from(10u32).pow(78)) >> 300u32;
        assert_eq!(shown.to_string()[..75], known[..75]);
        assert_eq!(logarithm.ln(1), BigUint::ZERO);
        let near = |x: u128| (logarithm.ln(x) >> 248u32).to_string().parse::<f64>().unwrap() / 2f64.powi(52);
        for x in [2, 3, 1 << 64, u128::MAX] {
            assert!((near(x) - (x as f64).ln()).abs() < 1e-12, "{x}");
        }
    }

    #[test]
    fn a_logarithm_is_ordered_against_its_own_digits() {
        // ln 2 = 0.693147180559945309417232121458176568075...
        let (below, above) = ("0.693147180559945309417232121458176568", "0.693147180559945309417232121458176569");
        assert_eq!(compare_ln(2, 1, fraction(below)), Ordering::Greater);
        assert_eq!(compare_ln(2, 1, fraction(above)), Ordering::Less);
        assert_eq!(compare_ln(2 << 90, 1 << 90, fraction(above)), Ordering::Less);
        assert_eq!(
            (compare_ln(7, 7, fraction("0")), compare_ln(8, 7, fraction("0"))),
            (Ordering::Equal, Ordering::Greater)
        );
        assert_eq!(
            (compare_ln(6, 7, fraction("0")), compare_ln(6, 7, fraction("1e-36"))),
            (Ordering::Less, Ordering::Less)
        );
        assert_eq!(compare_with_ln(1, 1, 271_828, 100_000), Ordering::Greater);
        assert_eq!(compare_with_ln(1, 1, 271_829, 100_000), Ordering::Less);
        assert_eq!(compare_ln(u64::MAX.into(), 1, fraction("1e37")), Ordering::Less);
    }

    #[test]
    fn texts_lie_above_the_logarithm() {
        assert_eq!((ln_above(2, 1).as_str(), ln_above(5, 5).as_str()), ("0.6932", "0.0001"));
        assert_eq!(ln_above(10_001, 10_000), "0.0001");
        let text = ln_above((1 << 60) + 1, 1 << 60);
        assert_eq!(compare_ln((1 << 60) + 1, 1 << 60, fraction(&text)), Ordering::Less, "{text}");
    }
}
