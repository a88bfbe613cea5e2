//! Interval proximity: few values of a group lie shortly below or above any of its values.

use crate::Entry;
use crate::column_facts::texts;
use crate::parameter::{Parameter, Range};
use crate::principle::shared;
use crate::proximity::{EpsilonTexts, Near, NearPrinciple};
use scumble_table::{Decimal, Result};

pub(crate) static ENTRY: Entry = Entry {
    name: "proximity-interval",
    parameters: &[
        Parameter::new("e1", Range::AtLeast(0)),
        Parameter::new("e2", Range::AtLeast(0)),
        Parameter::new("m", Range::Whole(1)),
    ],
    help: "in every group at most 1/m of the rows lie from e1 below to e2 above any of its sensitive numbers",
    example: "proximity-interval(20, 10000, 2)",
    reference: "J. Li, Y. Tao, X. Xiao: Preservation of proximity privacy in publishing numerical sensitive data. SIGMOD 2008",
    larger_is_stricter: true,
    usual: |facts| {
        Some(vec![facts.shares_of_span(&[100, 20]), facts.shares_of_span(&[100, 20]), texts(&["2", "3", "5"])])
    },
    ..Entry::parsed_by(|arguments| {
        shared(ProximityInterval::new(arguments.number(0)?, arguments.number(1)?, arguments.whole(2)?))
    })
};

/// In every group at most `1 / m` of the rows lie from `e1` below to `e2` above any of its
/// sensitive numbers.
///
/// # Guarantees
/// What `proximity-absolute` guarantees, with a reach of its own for either side.
///
/// # Definition
/// A group of n rows passes if for each of its numbers x at most n/m of its numbers lie in
/// [x - e1, x + e2]. Null is near only to null.
///
/// # Does not guarantee
/// That the union of two passing groups passes, so a search may not prune by it.
///
/// # Cost
/// Binding takes one pass over the different numbers of the column. A test takes one pass over the
/// counts of the group, with two pointers, in whole numbers.
///
/// # Example
/// `proximity-interval(4500, 4500, 5)` asks the same as `proximity-absolute(4500, 5)`.
///
/// # Reference
/// J. Li, Y. Tao, X. Xiao: Preservation of proximity privacy in publishing numerical sensitive
/// data. SIGMOD 2008.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ProximityInterval {
    e1: Decimal,
    e2: Decimal,
    m: u64,
}

impl ProximityInterval {
    /// `e1` and `e2` must be at least 0 and `m` at least 1.
    pub fn new(e1: Decimal, e2: Decimal, m: u64) -> Result<Self> {
        ProximityInterval::checked(&ENTRY, e1, e2, m)
    }

    /// The same where messages name another principle of these parameters.
    pub(crate) fn checked(entry: &Entry, e1: Decimal, e2: Decimal, m: u64) -> Result<Self> {
        Ok(ProximityInterval { e1: entry.check(0, e1)?, e2: entry.check(1, e2)?, m: entry.check_whole(2, m)? })
    }

    /// The reach below a number.
    pub fn e1(&self) -> Decimal {
        self.e1
    }

    /// The reach above a number.
    pub fn e2(&self) -> Decimal {
        self.e2
    }

    /// The inverse of the greatest share of near rows.
    pub fn m(&self) -> u64 {
        self.m
    }
}

impl NearPrinciple for ProximityInterval {
    const FAMILY: &'static str = "Proximity, interval";

    fn own_entry() -> &'static Entry {
        &ENTRY
    }

    fn m(&self) -> u64 {
        self.m
    }

    fn near(&self) -> Near {
        Near::Interval { below: self.e1, above: self.e2 }
    }

    fn reduced(&self, most: Option<Decimal>, m: u64) -> Result<Self> {
        let most = most.unwrap_or(self.e1.max(self.e2));
        ProximityInterval::new(self.e1.min(most), self.e2.min(most), m)
    }

    fn epsilon_texts(&self) -> EpsilonTexts {
        EpsilonTexts {
            notation: format!("{}, {}", self.e1, self.e2),
            reach: self.e1.max(self.e2).to_string(),
            range: format!("from {} below to {} above", self.e1, self.e2),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Principle;

    #[test]
    fn parameters_are_checked() {
        let decimal = |text: &str| Decimal::parse(text).unwrap();
        let new = |e1: &str, e2: &str, m| ProximityInterval::new(decimal(e1), decimal(e2), m);
        assert_eq!(new("20", "1e4", 2).unwrap().notation(), "proximity-interval(20, 10000, 2)");
        assert!(new("0", "0", 1).is_ok() && new("-1", "0", 1).is_err() && new("0", "-1", 1).is_err());
        assert!(new("0", "0", 0).is_err());
    }
}
