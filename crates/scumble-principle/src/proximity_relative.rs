//! Relative proximity: few values of a group lie near any of its values, in proportion.

use crate::Entry;
use crate::column_facts::texts;
use crate::exact::percent;
use crate::parameter::{Parameter, Range};
use crate::plain_words::percentage;
use crate::principle::shared;
use crate::proximity::{EpsilonTexts, Near, NearPrinciple};
use scumble_table::{Decimal, Result};

pub(crate) static ENTRY: Entry = Entry {
    name: "proximity-relative",
    parameters: &[Parameter::new("epsilon", Range::ProperShare), Parameter::new("m", Range::Whole(1))],
    help: "in every group at most 1/m of the rows lie within epsilon times the number of any of its sensitive numbers",
    example: "proximity-relative(0.125, 5)",
    reference: "J. Li, Y. Tao, X. Xiao: Preservation of proximity privacy in publishing numerical sensitive data. SIGMOD 2008",
    larger_is_stricter: true,
    usual: |_| Some(vec![texts(&["0.02", "0.05", "0.1", "0.2"]), texts(&["2", "3", "5"])]),
    ..Entry::parsed_by(|arguments| shared(ProximityRelative::new(arguments.number(0)?, arguments.whole(1)?)))
};

/// In every group at most `1 / m` of the rows lie within `epsilon * |x|` of any of its sensitive
/// numbers x.
///
/// # Guarantees
/// Someone who finds the group of a person does not learn the number up to a factor: the numbers within
/// a share `epsilon` of any number of the group have a probability of at most `1 / m`.
///
/// # Definition
/// A group of n rows passes if for each of its numbers x at most n/m of its numbers y have
/// |x - y| <= epsilon * |x|. Null is near only to null. With an `epsilon` of 1 or more every
/// smaller number would be near, so it is refused.
///
/// # Does not guarantee
/// Anything for numbers near 0, where the neighbourhood shrinks to a point. The union of two
/// passing groups may fail, so a search may not prune by it.
///
/// # Cost
/// Binding takes one pass over the different numbers of the column. A test takes one pass over the
/// counts of the group, with two pointers, in whole numbers.
///
/// # Example
/// With `proximity-relative(0.125, 2)`, 100905 is near 115320, exactly on the edge: the group of
/// the two fails.
///
/// # Reference
/// J. Li, Y. Tao, X. Xiao: Preservation of proximity privacy in publishing numerical sensitive
/// data. SIGMOD 2008.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ProximityRelative {
    epsilon: Decimal,
    m: u64,
}

impl ProximityRelative {
    /// `epsilon` must be at least 0 and below 1; `m` must be at least 1.
    pub fn new(epsilon: Decimal, m: u64) -> Result<Self> {
        Ok(ProximityRelative { epsilon: ENTRY.check(0, epsilon)?, m: ENTRY.check_whole(1, m)? })
    }

    /// How near is near, as a share of the number.
    pub fn epsilon(&self) -> Decimal {
        self.epsilon
    }

    /// The inverse of the greatest share of near rows.
    pub fn m(&self) -> u64 {
        self.m
    }
}

impl NearPrinciple for ProximityRelative {
    const FAMILY: &'static str = "Proximity, relative";

    fn own_entry() -> &'static Entry {
        &ENTRY
    }

    fn m(&self) -> u64 {
        self.m
    }

    fn near(&self) -> Near {
        Near::Relative(self.epsilon)
    }

    fn reduced(&self, most: Option<Decimal>, m: u64) -> Result<Self> {
        ProximityRelative::new(most.map_or(self.epsilon, |most| most.min(self.epsilon)), m)
    }

    fn epsilon_texts(&self) -> EpsilonTexts {
        EpsilonTexts {
            notation: self.epsilon.to_string(),
            reach: percent(&self.epsilon.to_string()),
            range: format!("within {} of", percentage(self.epsilon)),
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
        let new = |epsilon: &str, m| ProximityRelative::new(decimal(epsilon), m);
        assert_eq!(new("0.125", 5).unwrap().notation(), "proximity-relative(0.125, 5)");
        assert!(new("0.9999", 1).is_ok() && new("1", 1).is_err() && new("-0.1", 1).is_err() && new("0", 0).is_err());
    }
}
