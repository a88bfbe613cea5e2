//! Decides what floats cannot: whether a group whose entropy is next to log l reaches it.
//!
//! With l = p/q the question is whether n^n * q^n >= p^n * c1^c1 * ... * cm^cm. Multiplying it out
//! is exact and quick for small n, and hopeless for large ones. Those are decided by logarithms
//! with an error bound, of more and more digits. That comes to an end unless both sides are equal,
//! and equality shows in the prime factors.

use crate::exact::{Fraction, greatest_common};
use crate::logarithm::{ERROR_PER_BIT, Logarithm};
use num_bigint::{BigInt, BigUint};
use scumble_table::Bag;
use std::collections::BTreeMap;

/// Multiplying out takes numbers of up to 128 * n bits: a few microseconds at this size.
const MULTIPLIED_OUT: u64 = 256;

/// Digits to begin with: four times those of a float.
const FIRST_BITS: u32 = 256;

/// Whether the entropy of a group that is not empty is at least log l.
pub(super) fn reaches(group: &Bag, l: Fraction) -> bool {
    let shares = Shares::new(group);
    if shares.size <= MULTIPLIED_OUT { shares.by_powers(l) } else { shares.by_logarithms(l) }
}

/// The counts of a group divided by what they share, which leaves the entropy as it is.
struct Shares {
    size: u64,
    /// Each count, and how many values have it.
    counts: BTreeMap<u32, u64>,
}

impl Shares {
    fn new(group: &Bag) -> Self {
        let shared = group.counts().iter().fold(0, |shared, &(_, count)| greatest_common(shared, count)).max(1);
        let mut counts = BTreeMap::new();
        for &(_, count) in group.counts() {
            *counts.entry(count / shared).or_insert(0) += 1;
        }
        Shares { size: group.total() / u64::from(shared), counts }
    }

    fn by_powers(&self, l: Fraction) -> bool {
        let (p, q) = l.parts();
        let size = self.size as u32;
        let product: BigUint =
            self.counts.iter().map(|(&count, &times)| BigUint::from(count).pow(count * times as u32)).product();
        (BigUint::from(size) * q).pow(size) >= BigUint::from(p).pow(size) * product
    }

    fn by_logarithms(&self, l: Fraction) -> bool {
        let mut bits = FIRST_BITS;
        loop {
            let slack = self.slack(l, bits);
            // All weights together are at most 4 * size.
            let error = BigInt::from(self.size) * 4 * ERROR_PER_BIT * bits;
            if slack > error || slack < -&error {
                return slack > error;
            }
            if bits == FIRST_BITS && self.is_equal(l) {
                return true;
            }
            bits = bits.saturating_mul(2);
        }
    }

    /// n (ln n + ln q - ln p) - sum of c ln c, in units of 2^-bits.
    fn slack(&self, l: Fraction, bits: u32) -> BigInt {
        let logarithm = Logarithm::new(bits);
        let of = |x: u128| BigInt::from(logarithm.ln(x));
        let (p, q) = l.parts();
        let left = (of(self.size.into()) + of(q) - of(p)) * self.size;
        let right: BigInt =
            self.counts.iter().map(|(&count, &times)| of(count.into()) * (u128::from(count) * u128::from(times))).sum();
        left - right
    }

    /// Whether both sides have the same prime factors. The primes of n and the counts are found by
    /// division; what p and q hold besides those must cancel by itself.
    fn is_equal(&self, l: Fraction) -> bool {
        let mut exponents: BTreeMap<u64, i128> = BTreeMap::new();
        let size = i128::from(self.size);
        for (prime, times) in factors(self.size) {
            *exponents.entry(prime).or_insert(0) += times * size;
        }
        for (&count, &values) in &self.counts {
            for (prime, times) in factors(count.into()) {
                *exponents.entry(prime).or_insert(0) -= times * i128::from(count) * i128::from(values);
            }
        }
        let (mut p, mut q) = l.parts();
        for (&prime, exponent) in &mut exponents {
            while p.is_multiple_of(prime.into()) {
                p /= u128::from(prime);
                *exponent -= size;
            }
            while q.is_multiple_of(prime.into()) {
                q /= u128::from(prime);
                *exponent += size;
            }
        }
        p == q && exponents.values().all(|&exponent| exponent == 0)
    }
}

/// Primes and how often each divides `x`.
fn factors(mut x: u64) -> Vec<(u64, i128)> {
    let mut found = Vec::new();
    let mut prime = 2;
    while prime * prime <= x {
        let mut times = 0;
        while x.is_multiple_of(prime) {
            x /= prime;
            times += 1;
        }
        if times > 0 {
            found.push((prime, times));
        }
        prime += if prime == 2 { 1 } else { 2 };
    }
    if x > 1 {
        found.push((x, 1));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn numbers_fall_into_their_primes() {
        assert_eq!(factors(360), [(2, 3), (3, 2), (5, 1)]);
        assert_eq!((factors(1), factors(97)), (vec![], vec![(97, 1)]));
        assert_eq!(factors(4_294_967_291), [(4_294_967_291, 1)]);
    }

    #[test]
    fn equality_is_recognized() {
        let dyadic = Shares::new(&Bag::from_histogram(&[4, 1, 1, 1, 1]));
        assert!(dyadic.is_equal(Fraction::ratio(4, 1)) && dyadic.is_equal(Fraction::ratio(28, 7)));
        assert!(!dyadic.is_equal(Fraction::ratio(5, 1)) && !dyadic.is_equal(Fraction::ratio(41, 10)));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1000))]

        #[test]
        fn powers_and_logarithms_agree(counts in proptest::collection::vec(1u64..12, 1..8), numer in 1u128..200, denom in 1u128..20) {
            let shares = Shares::new(&Bag::from_histogram(&counts));
            let l = Fraction::ratio(numer, denom);
            prop_assert_eq!(shares.by_logarithms(l), shares.by_powers(l));
        }

        #[test]
        fn they_agree_on_equal_shares(values in 1u64..40, count in 1u64..9, numer in 38u128..42) {
            let shares = Shares::new(&Bag::from_histogram(&vec![count; values as usize]));
            for l in [Fraction::ratio(values.into(), 1), Fraction::ratio(numer, 1)] {
                prop_assert_eq!(shares.by_logarithms(l), shares.by_powers(l));
            }
        }
    }
}
