//! How the source of a column stored its values.
//!
//! Inside the house a value is the text that denotes it, whatever it was stored as. What is published goes back to the type
//! of the source where all that is shown fits it; so a domain remembers that type, and nothing else asks for it.

use std::sync::Arc;

/// The type that a source stored a column as.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Stored {
    /// It has no types, as CSV, or one that no table is published in.
    #[default]
    Unstated,
    /// Texts.
    Text,
    /// True and false.
    Boolean,
    /// Whole numbers of so many bits.
    Integer {
        /// 8, 16, 32 or 64.
        bits: u8,
        /// Whether there are numbers below zero.
        signed: bool,
    },
    /// Floating point numbers of so many bits, 32 or 64.
    Float {
        /// 32 or 64.
        bits: u8,
    },
    /// Decimals of at most 38 digits.
    Decimal {
        /// Digits in all.
        digits: u8,
        /// Digits after the point.
        scale: i8,
    },
    /// Days.
    Date,
    /// Moments, of which so many digits of a second's fraction are kept: 0, 3, 6 or 9.
    Timestamp {
        /// Digits of the fraction.
        places: u8,
        /// The time zone, where moments are fixed.
        zone: Option<Arc<str>>,
    },
}
