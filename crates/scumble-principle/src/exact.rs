//! Exact comparison and directed rounding: no privacy test may depend on a float.
//!
//! Every test of the house comes down to one question, "is this fraction times that count more or
//! less than that other count?". [`Fraction::times_cmp`] answers it in 64 bits where the numbers
//! are small, in 128 where they are not, and in 256 where even that is too narrow, and never
//! allocates.

use num_bigint::BigUint;
use scumble_table::{Decimal, Ratio};
use std::cmp::Ordering;
use std::ops::Rem;

/// A parameter as a non-negative fraction in lowest terms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Fraction {
    numer: u128,
    denom: u128,
}

impl Fraction {
    /// The fraction a non-negative decimal denotes; a negative one becomes 0, which the checked
    /// parameters rule out.
    pub(crate) fn new(value: Decimal) -> Self {
        let ratio = Ratio::from(value);
        Fraction { numer: ratio.numer().max(0) as u128, denom: ratio.denom() as u128 }
    }

    /// `numer / denom`, with `denom` above 0.
    pub(crate) fn ratio(numer: u128, denom: u128) -> Self {
        debug_assert!(denom > 0);
        Fraction { numer, denom }
    }

    /// Orders `self * factor` against `other`.
    #[inline]
    pub(crate) fn times_cmp(self, factor: u128, other: u128) -> Ordering {
        compare_products(self.numer, factor, other, self.denom)
    }

    /// The greatest whole number that is not above `self * factor`.
    pub(crate) fn times_floor(self, factor: u64) -> u64 {
        let product = BigUint::from(self.numer) * factor / self.denom;
        u64::try_from(product).unwrap_or(u64::MAX)
    }

    /// The greatest whole number that is not above `count` divided by this one, which is not 0.
    pub(crate) fn floor_under(self, count: u64) -> u64 {
        Fraction { numer: self.denom, denom: self.numer.max(1) }.times_floor(count)
    }

    /// The least whole number that is not below this one.
    pub(crate) fn ceil(self) -> u64 {
        u64::try_from(self.numer.div_ceil(self.denom)).unwrap_or(u64::MAX)
    }

    /// The least whole number that is not below 1 divided by this one.
    pub(crate) fn ceil_of_inverse(self) -> u64 {
        match self.numer {
            0 => u64::MAX,
            numer => u64::try_from(self.denom.div_ceil(numer)).unwrap_or(u64::MAX),
        }
    }

    /// The greatest whole number that is not above 1 divided by this one.
    pub(crate) fn floor_of_inverse(self) -> u64 {
        match self.numer {
            0 => u64::MAX,
            numer => u64::try_from(self.denom / numer).unwrap_or(u64::MAX),
        }
    }

    /// The nearest float, for filters with a margin.
    pub(crate) fn to_f64(self) -> f64 {
        self.numer as f64 / self.denom as f64
    }

    /// Numerator and denominator, for powers.
    pub(crate) fn parts(self) -> (u128, u128) {
        (self.numer, self.denom)
    }
}

/// Orders `a * b` against `c * d`.
#[inline]
pub(crate) fn compare_products(a: u128, b: u128, c: u128, d: u128) -> Ordering {
    if (a | b | c | d) >> 64 == 0 {
        return (a * b).cmp(&(c * d));
    }
    match (a.checked_mul(b), c.checked_mul(d)) {
        (Some(left), Some(right)) => left.cmp(&right),
        _ => wide_product(a, b).cmp(&wide_product(c, d)),
    }
}

/// The 256-bit product as (high, low), by the four products of the halves.
fn wide_product(a: u128, b: u128) -> (u128, u128) {
    const LOW: u128 = u64::MAX as u128;
    let (a1, a0, b1, b0) = (a >> 64, a & LOW, b >> 64, b & LOW);
    let low = a0 * b0;
    // Neither sum can overflow: (2^64 - 1)^2 + 2 * (2^64 - 1) = 2^128 - 1.
    let middle = a1 * b0 + (low >> 64);
    let cross = a0 * b1 + (middle & LOW);
    (a1 * b1 + (middle >> 64) + (cross >> 64), (cross << 64) | (low & LOW))
}

/// Which way a figure is rounded. A figure never claims more safety than there is, so the
/// direction depends on whether large or small is safe.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Round {
    /// To a number that is not greater.
    Down,
    /// To a number that is not smaller.
    Up,
    /// To a number that is strictly greater.
    Above,
}

/// Digits after the point of a figure. Four tell 0.2857 from 0.2858; numbers below 0.1 get as many
/// more as it takes to show four significant digits.
const PLACES: usize = 4;

/// The most digits after the point: a figure must be readable as a parameter again, and a
/// [`Decimal`] ends at 36.
const MOST_PLACES: usize = 30;

/// `numer / denom` as decimal text, rounded in the given direction; `denom` is above 0.
pub(crate) fn rounded(numer: u128, denom: u128, round: Round) -> String {
    rounded_small(numer, denom, round)
        .unwrap_or_else(|| rounded_big(&BigUint::from(numer), &BigUint::from(denom), round))
}

fn rounded_small(numer: u128, denom: u128, round: Round) -> Option<String> {
    let (mut places, mut unit) = (PLACES, 10u128.pow(PLACES as u32));
    while places < MOST_PLACES && numer != 0 && numer.checked_mul(unit)? / 1000 < denom {
        unit *= 10;
        places += 1;
    }
    let scaled = numer.checked_mul(unit)?;
    let rest = scaled % denom != 0;
    let digits = scaled / denom + u128::from(round == Round::Above || round == Round::Up && rest);
    Some(decimal_text(&digits.to_string(), places))
}

/// The same for numbers of any length.
pub(crate) fn rounded_big(numer: &BigUint, denom: &BigUint, round: Round) -> String {
    let zero = BigUint::ZERO;
    let (mut places, mut scaled) = (PLACES, numer * 10u32.pow(PLACES as u32));
    while places < MOST_PLACES && *numer != zero && &scaled / 1000u32 < *denom {
        scaled *= 10u32;
        places += 1;
    }
    let mut digits = &scaled / denom;
    if round == Round::Above || round == Round::Up && &scaled % denom != zero {
        digits += 1u32;
    }
    decimal_text(&digits.to_string(), places)
}

/// A non-negative length in whole units of `10^-scale`; one beyond 128 bits becomes the greatest
/// there is, which no difference of two 128-bit numbers exceeds.
pub(crate) fn whole_units(length: Decimal, scale: u8, round: Round) -> u128 {
    let mantissa = length.mantissa().max(0) as u128;
    if let Some(up) = scale.checked_sub(length.scale()) {
        return 10u128.checked_pow(up.into()).and_then(|unit| mantissa.checked_mul(unit)).unwrap_or(u128::MAX);
    }
    let unit = 10u128.checked_pow((length.scale() - scale).into()).unwrap_or(u128::MAX);
    mantissa / unit + u128::from(round == Round::Above || round == Round::Up && !mantissa.is_multiple_of(unit))
}

/// A whole number of units of `10^-places`, without trailing zeros.
fn decimal_text(digits: &str, places: usize) -> String {
    let digits = format!("{digits:0>width$}", width = places + 1);
    let (whole, part) = digits.split_at(digits.len() - places);
    let part = part.trim_end_matches('0');
    if part.is_empty() { whole.to_string() } else { format!("{whole}.{part}") }
}

/// A share such as 0.3 as a percentage.
pub(crate) fn percent(share: &str) -> String {
    let hundredfold = Decimal::parse(share).and_then(hundredfold);
    format!("{} %", hundredfold.map_or_else(|| share.to_string(), |d| d.to_string()))
}

/// A hundred times a decimal, where that can be written as one.
pub(crate) fn hundredfold(decimal: Decimal) -> Option<Decimal> {
    Some(Decimal::new(decimal.mantissa().checked_mul(100)?, decimal.scale()))
}

/// The sum of two decimals, where it can be written as one.
pub(crate) fn sum(a: Decimal, b: Decimal) -> Option<Decimal> {
    let scale = a.scale().max(b.scale());
    Some(Decimal::new(a.at_scale(scale)?.checked_add(b.at_scale(scale)?)?, scale))
}

/// The greatest common divisor; 0 has all divisors.
pub(crate) fn greatest_common<T: Clone + Default + PartialEq + Rem<Output = T>>(mut a: T, mut b: T) -> T {
    while b != T::default() {
        (a, b) = (b.clone(), a % b);
    }
    a
}

/// How many units of its last digit make 1.
pub(crate) fn unit(number: Decimal) -> Option<i128> {
    10i128.checked_pow(number.scale().into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn figures_round_in_the_safe_direction() {
        for (numer, denom, down, up, above) in [
            (7, 2, "3.5", "3.5", "3.5001"),
            (10, 3, "3.3333", "3.3334", "3.3334"),
            (2, 7, "0.2857", "0.2858", "0.2858"),
            (0, 5, "0", "0", "0.0001"),
            (1, 1, "1", "1", "1.0001"),
            (123_456, 10_000_000, "0.01234", "0.01235", "0.01235"),
            (1, 20_000, "0.00005", "0.00005", "0.00005001"),
            (1000, 1, "1000", "1000", "1000.0001"),
        ] {
            assert_eq!(rounded(numer, denom, Round::Down), down);
            assert_eq!(rounded(numer, denom, Round::Up), up);
            assert_eq!(rounded(numer, denom, Round::Above), above);
        }
        assert_eq!(rounded(1, u128::MAX, Round::Down), "0");
        assert_eq!(rounded(1, u128::MAX, Round::Up), "0.000000000000000000000000000001");
        assert_eq!(rounded(u128::MAX, 3, Round::Down), "113427455640312821154458202477256070485");
    }

    #[test]
    fn lengths_become_whole_units() {
        let units = |text: &str, scale, round| whole_units(Decimal::parse(text).unwrap(), scale, round);
        assert_eq!((units("1.25", 2, Round::Down), units("1.25", 3, Round::Up)), (125, 1250));
        assert_eq!(
            (units("1.25", 1, Round::Down), units("1.25", 1, Round::Up), units("1.2", 1, Round::Up)),
            (12, 13, 12)
        );
        assert_eq!((units("-1", 0, Round::Down), units("1e37", 36, Round::Down)), (0, u128::MAX));
        assert_eq!((units("1e-36", 0, Round::Down), units("1e-36", 0, Round::Up)), (0, 1));
    }

    #[test]
    fn shares_become_percentages() {
        assert_eq!(
            (percent("0.3"), percent("0.2858"), percent("1")),
            ("30 %".into(), "28.58 %".into(), "100 %".into())
        );
    }

    #[test]
    fn ceilings() {
        let f = |text: &str| Fraction::new(Decimal::parse(text).unwrap());
        assert_eq!((f("3").ceil(), f("2.01").ceil(), f("1e37").ceil()), (3, 3, u64::MAX));
        assert_eq!(
            (f("0.3").ceil_of_inverse(), f("0.5").ceil_of_inverse(), f("0").ceil_of_inverse()),
            (4, 2, u64::MAX)
        );
        assert_eq!((f("0.3").floor_of_inverse(), f("0.5").floor_of_inverse(), f("2").floor_of_inverse()), (3, 2, 0));
    }

    proptest! {
        #[test]
        fn products_compare_as_whole_numbers(a in any::<u128>(), b in any::<u128>(), c in any::<u128>(), d in any::<u128>(), shift in 0u32..127) {
            let (a, c) = (a >> shift, c >> shift);
            let exact = (BigUint::from(a) * b).cmp(&(BigUint::from(c) * d));
            prop_assert_eq!(compare_products(a, b, c, d), exact);
            prop_assert_eq!(compare_products(a, b, b, a), Ordering::Equal);
            let (high, low) = wide_product(a, b);
            prop_assert_eq!((BigUint::from(high) << 128u32) + low, BigUint::from(a) * b);
        }

        #[test]
        fn narrow_and_wide_rounding_agree(numer in any::<u64>(), denom in 1u64.., down in any::<bool>()) {
            let round = if down { Round::Down } else { Round::Above };
            let (numer, denom) = (u128::from(numer), u128::from(denom));
            prop_assert_eq!(rounded(numer, denom, round), rounded_big(&numer.into(), &denom.into(), round));
        }

        #[test]
        fn rounded_figures_lie_on_their_side(numer in 0u64..1_000_000, denom in 1u64..1_000_000) {
            let read = |round| Fraction::new(Decimal::parse(&rounded(numer.into(), denom.into(), round)).unwrap());
            prop_assert!(read(Round::Down).times_cmp(denom.into(), numer.into()).is_le());
            prop_assert!(read(Round::Up).times_cmp(denom.into(), numer.into()).is_ge());
            prop_assert!(read(Round::Above).times_cmp(denom.into(), numer.into()).is_gt());
        }
    }
}
