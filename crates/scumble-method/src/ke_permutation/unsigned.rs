//! Unsigned numbers of two widths: 64 bits where everything fits, 128 where it does not.

use std::fmt::Debug;
use std::ops::{Add, Sub};

/// A non-negative whole number. What is kept ten million times should not be wider than it must be.
pub(super) trait Unsigned:
    Copy + Ord + Default + Debug + Send + Sync + Add<Output = Self> + Sub<Output = Self>
{
    /// The number, or what is left of it in the bits of this type.
    fn from_wide(wide: u128) -> Self;

    /// The same number, wide.
    fn wide(self) -> u128;

    /// Sum, difference and product in the bits of this type, others lost: a result that fits is
    /// right even where something on the way to it did not fit.
    fn plus(self, other: Self) -> Self;
    /// See [`Unsigned::plus`].
    fn minus(self, other: Self) -> Self;
    /// See [`Unsigned::plus`].
    fn times(self, other: Self) -> Self;

    /// Quotient times 2 to the power of `bits`, rounded down; `by` is positive and fits in 33 bits, `bits`
    /// is at most 31, and the result must fit.
    fn divided(self, by: u64, bits: u32) -> Self;
}

macro_rules! unsigned {
    ($type:ty) => {
        impl Unsigned for $type {
            #[inline]
            fn from_wide(wide: u128) -> Self {
                wide as $type
            }

            #[inline]
            fn wide(self) -> u128 {
                self as u128
            }

            #[inline]
            fn plus(self, other: Self) -> Self {
                self.wrapping_add(other)
            }

            #[inline]
            fn minus(self, other: Self) -> Self {
                self.wrapping_sub(other)
            }

            #[inline]
            fn times(self, other: Self) -> Self {
                self.wrapping_mul(other)
            }

            #[inline]
            fn divided(self, by: u64, bits: u32) -> Self {
                let (quotient, rest) = (self / by as $type, (self % by as $type) as u64);
                (quotient << bits) + ((rest << bits) / by) as $type
            }
        }
    };
}
unsigned!(u64);
unsigned!(u128);
