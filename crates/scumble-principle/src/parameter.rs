//! The parameters of principles: their names, and which values they may take.

use scumble_table::{Decimal, Error, Result};
use std::fmt;

/// A parameter of a principle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parameter {
    /// Its name in formulas and messages.
    pub name: &'static str,
    /// What it may be; displays as words.
    pub range: Range,
    /// True where it may be left out.
    pub optional: bool,
    /// True if 1 divided by it bounds the chance of finding somebody, so that such a chance may be given in its place. Only a whole number
    /// does.
    pub bounds_chance: bool,
}

impl Parameter {
    /// A parameter that must be given.
    pub const fn new(name: &'static str, range: Range) -> Self {
        Parameter { name, range, optional: false, bounds_chance: false }
    }

    /// The same where it may be left out. Only the last parameters of a principle may be.
    #[must_use]
    pub const fn optional(self) -> Self {
        Parameter { optional: true, ..self }
    }

    /// The same where it is a least number of people or rows, so that 1 divided by it bounds the chance of finding somebody.
    #[must_use]
    pub const fn bounding_chance(self) -> Self {
        Parameter { bounds_chance: true, ..self }
    }

    /// Refuses what is out of range; `principle` names the field of the error.
    pub(crate) fn check(&self, principle: &str, value: Decimal) -> Result<Decimal> {
        if self.range.admits(value) { Ok(value) } else { Err(self.refusal(principle, value)) }
    }

    pub(crate) fn refusal(&self, principle: &str, value: impl fmt::Display) -> Error {
        Error::request(principle, value.to_string(), format!("{} must be {}", self.name, self.range))
    }
}

/// What a parameter may be. Displays as words that complete "must be".
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Range {
    /// A whole number of at least this much.
    Whole(u32),
    /// Any decimal of at least this much.
    AtLeast(u32),
    /// A decimal above 0.
    Positive,
    /// 0 <= x <= 1.
    Share,
    /// 0 < x <= 1.
    PositiveShare,
    /// 0 <= x < 1.
    ProperShare,
    /// One of these words.
    Word(&'static [&'static str]),
}

impl Range {
    /// True for numbers in range.
    pub fn admits(self, value: Decimal) -> bool {
        let (zero, one) = (Decimal::ZERO, Decimal::from(1));
        match self {
            Range::Whole(least) => value.is_integer() && value >= Decimal::from(i64::from(least)),
            Range::AtLeast(least) => value >= Decimal::from(i64::from(least)),
            Range::Positive => value > zero,
            Range::Share => value >= zero && value <= one,
            Range::PositiveShare => value > zero && value <= one,
            Range::ProperShare => value >= zero && value < one,
            Range::Word(_) => false,
        }
    }
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Range::Whole(least) => write!(f, "a whole number, {least} or more"),
            Range::AtLeast(least) => write!(f, "a number, {least} or more"),
            Range::Positive => write!(f, "a number above 0"),
            Range::Share => write!(f, "a number from 0 to 1"),
            Range::PositiveShare => write!(f, "a number above 0 and at most 1"),
            Range::ProperShare => write!(f, "a number from 0 to below 1"),
            Range::Word(words) => {
                let quoted: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
                match &quoted[..] {
                    [most @ .., last] if !most.is_empty() => write!(f, "{} or {last}", most.join(", ")),
                    all => f.write_str(&all.join("")),
                }
            }
        }
    }
}

/// More than any figure of a table, and yet short enough for the notation.
pub(crate) fn largest() -> Decimal {
    Decimal::new(10i128.pow(37), 0)
}

/// Above 0, and less than any share of a table.
pub(crate) fn smallest() -> Decimal {
    Decimal::new(1, 36)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_closed_or_open_as_they_say() {
        let admitted = |range: Range| {
            ["-1", "0", "0.5", "1", "1.5", "2"]
                .into_iter()
                .filter(|text| range.admits(Decimal::parse(text).unwrap()))
                .collect::<Vec<_>>()
                .join(" ")
        };
        assert_eq!(admitted(Range::Whole(1)), "1 2");
        assert_eq!(admitted(Range::Whole(2)), "2");
        assert_eq!(admitted(Range::AtLeast(0)), "0 0.5 1 1.5 2");
        assert_eq!(admitted(Range::AtLeast(1)), "1 1.5 2");
        assert_eq!(admitted(Range::Positive), "0.5 1 1.5 2");
        assert_eq!(admitted(Range::Share), "0 0.5 1");
        assert_eq!(admitted(Range::PositiveShare), "0.5 1");
        assert_eq!(admitted(Range::ProperShare), "0 0.5");
        assert_eq!(admitted(Range::Word(&["1"])), "");
        assert_eq!(Range::Word(&["a", "b", "c"]).to_string(), "`a`, `b` or `c`");
        assert_eq!(Range::Word(&["a"]).to_string(), "`a`");
    }
}
