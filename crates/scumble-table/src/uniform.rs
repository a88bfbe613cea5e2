//! Uniform numbers below a bound, from a source of uniform 64-bit numbers.

/// A uniform number below `bound`, which must be positive. Lemire's multiply-and-reject: numbers that would favour some
/// results are drawn again, so no result is likelier than another.
pub fn uniform_below(bound: u64, mut next: impl FnMut() -> u64) -> u64 {
    debug_assert!(bound > 0);
    let mut product = u128::from(next()) * u128::from(bound);
    if (product as u64) < bound {
        let threshold = bound.wrapping_neg() % bound;
        while (product as u64) < threshold {
            product = u128::from(next()) * u128::from(bound);
        }
    }
    (product >> 64) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_upper_bits_decide_and_biased_draws_are_rejected() {
        assert_eq!(uniform_below(1, || u64::MAX), 0);
        assert_eq!(uniform_below(10, || u64::MAX), 9);
        assert_eq!(uniform_below(10, || (1 << 63) + 1), 5);
        // 2^64 is 6 modulo 10, so that products with a lower half below 6 are drawn again: those of 0 and of 2^63.
        let mut draws = [0, 1 << 63, (1 << 63) + 1].into_iter();
        assert_eq!(uniform_below(10, || draws.next().unwrap()), 5);
        assert_eq!(draws.next(), None);
    }
}
