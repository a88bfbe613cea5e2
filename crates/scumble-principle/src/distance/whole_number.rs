//! Whole numbers of three widths, in which sums of terms are taken.

use num_bigint::BigUint;

/// A whole number of one width, never negative.
pub(crate) trait WholeNumber: Clone + Ord + Send + Sync {
    /// Nothing.
    fn zero() -> Self;

    /// A number, if it has the room.
    fn fit(value: &BigUint) -> Option<Self>;

    /// The same for numbers of 128 bits.
    fn fit_narrow(value: u128) -> Option<Self>;

    /// Adds another. Sums fit, which was seen when their terms were made.
    fn add(&mut self, other: &Self);

    /// How far two are apart.
    fn apart(&self, other: &Self) -> Self;
}

macro_rules! of_fixed_width {
    ($($width:ty)*) => {$(
        impl WholeNumber for $width {
            fn zero() -> Self {
                0
            }
            fn fit(value: &BigUint) -> Option<Self> {
                value.try_into().ok()
            }
            fn fit_narrow(value: u128) -> Option<Self> {
                value.try_into().ok()
            }
            #[inline]
            fn add(&mut self, other: &Self) {
                *self += other;
            }
            #[inline]
            fn apart(&self, other: &Self) -> Self {
                self.abs_diff(*other)
            }
        }
    )*};
}

of_fixed_width!(u64 u128);

impl WholeNumber for BigUint {
    fn zero() -> Self {
        BigUint::ZERO
    }

    fn fit(value: &BigUint) -> Option<Self> {
        Some(value.clone())
    }

    fn fit_narrow(value: u128) -> Option<Self> {
        Some(value.into())
    }

    fn add(&mut self, other: &Self) {
        *self += other;
    }

    fn apart(&self, other: &Self) -> Self {
        if self < other { other - self } else { self - other }
    }
}
