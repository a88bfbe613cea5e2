//! Absolute proximity: few values of a group lie near any of its values.

use crate::Entry;
use crate::column_facts::texts;
use crate::parameter::{Parameter, Range};
use crate::principle::shared;
use crate::proximity::{EpsilonTexts, Near, NearPrinciple};
use scumble_table::{Decimal, Result};

pub(crate) static ENTRY: Entry = Entry {
    name: "proximity-absolute",
    aliases: &["epsilon-m-anonymity", "em-anonymity", "(epsilon,m)-anonymity", "proximity"],
    parameters: &[Parameter::new("epsilon", Range::AtLeast(0)), Parameter::new("m", Range::Whole(1))],
    help: "in every group at most 1/m of the rows lie within epsilon of any of its sensitive numbers",
    example: "proximity-absolute(4500, 5)",
    reference: "J. Li, Y. Tao, X. Xiao: Preservation of proximity privacy in publishing numerical sensitive data. SIGMOD 2008",
    larger_is_stricter: true,
    usual: |facts| Some(vec![facts.shares_of_span(&[100, 30, 10]), texts(&["2", "3", "5"])]),
    ..Entry::parsed_by(|arguments| shared(ProximityAbsolute::new(arguments.number(0)?, arguments.whole(1)?)))
};

/// In every group at most `1 / m` of the rows lie within `epsilon` of any of its sensitive numbers.
///
/// # Guarantees
/// Someone who finds the group of a person gives no interval of width `epsilon` on either side of a
/// number of the group a probability above `1 / m`: not even the rough value is learned.
///
/// # Definition
/// A group of n rows passes if for each of its numbers x at most n/m of its numbers y have
/// |x - y| <= epsilon. Null is near only to null.
///
/// # Does not guarantee
/// Anything in proportion to the number itself; see `proximity-relative`. The union of two passing
/// groups may fail, so a search may not prune by it.
///
/// # Cost
/// Binding takes one pass over the different numbers of the column. A test takes one pass over the
/// counts of the group, with two pointers, in whole numbers.
///
/// # Example
/// The group {1000, 2000} passes `proximity-absolute(999, 2)` and fails `proximity-absolute(1000, 2)`.
///
/// # Reference
/// J. Li, Y. Tao, X. Xiao: Preservation of proximity privacy in publishing numerical sensitive
/// data. SIGMOD 2008.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ProximityAbsolute {
    epsilon: Decimal,
    m: u64,
}

impl ProximityAbsolute {
    /// `epsilon` must be at least 0 and `m` at least 1.
    pub fn new(epsilon: Decimal, m: u64) -> Result<Self> {
        Ok(ProximityAbsolute { epsilon: ENTRY.check(0, epsilon)?, m: ENTRY.check_whole(1, m)? })
    }

    /// How near is near.
    pub fn epsilon(&self) -> Decimal {
        self.epsilon
    }

    /// The inverse of the greatest share of near rows.
    pub fn m(&self) -> u64 {
        self.m
    }
}

impl NearPrinciple for ProximityAbsolute {
    const FAMILY: &'static str = "Proximity, absolute";

    fn own_entry() -> &'static Entry {
        &ENTRY
    }

    fn m(&self) -> u64 {
        self.m
    }

    fn near(&self) -> Near {
        Near::absolute(self.epsilon)
    }

    fn reduced(&self, most: Option<Decimal>, m: u64) -> Result<Self> {
        ProximityAbsolute::new(most.map_or(self.epsilon, |most| most.min(self.epsilon)), m)
    }

    fn epsilon_texts(&self) -> EpsilonTexts {
        EpsilonTexts {
            notation: self.epsilon.to_string(),
            reach: self.epsilon.to_string(),
            range: format!("within {} of", self.epsilon),
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
        let new = |epsilon: &str, m| ProximityAbsolute::new(decimal(epsilon), m);
        assert_eq!(new("0.50", 2).unwrap().notation(), "proximity-absolute(0.5, 2)");
        assert!(new("0", 1).is_ok() && new("-1", 1).is_err() && new("1", 0).is_err());
    }
}
