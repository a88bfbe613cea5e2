//! One list of all principles, from which help, manual and messages are made.

use crate::{
    alpha_k_anonymity, dissimilarity, distinct_l_diversity, entropy_l_diversity, frequency_l_diversity, k_anonymity,
    ke_anonymity, parameter::Parameter, proximity_absolute, proximity_interval, proximity_relative, proximity_window,
    recursive_l_diversity, t_closeness, variance,
};
use scumble_table::{Decimal, Result};

/// What there is to say about a principle without data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// The word in requirements.
    pub name: &'static str,
    /// Its parameters in order.
    pub parameters: &'static [Parameter],
    /// One line of help.
    pub help: &'static str,
    /// A requirement to start from; it parses.
    pub example: &'static str,
    /// The paper that defines it.
    pub reference: &'static str,
    /// True if the union of two passing groups passes.
    pub monotone: bool,
}

impl Entry {
    /// Checks the decimal parameter at `at`.
    pub(crate) fn check(&self, at: usize, value: Decimal) -> Result<Decimal> {
        self.parameters[at].check(self.name, value)
    }

    /// Checks the whole parameter at `at`.
    pub(crate) fn check_whole(&self, at: usize, value: u64) -> Result<u64> {
        self.parameters[at].check_whole(self.name, value)
    }
}

/// All principles, in the order they are offered to users.
pub fn catalogue() -> &'static [Entry] {
    const ALL: &[Entry] = &[
        k_anonymity::ENTRY,
        distinct_l_diversity::ENTRY,
        frequency_l_diversity::ENTRY,
        entropy_l_diversity::ENTRY,
        recursive_l_diversity::ENTRY,
        t_closeness::ENTRY,
        alpha_k_anonymity::ENTRY,
        proximity_absolute::ENTRY,
        proximity_relative::ENTRY,
        proximity_interval::ENTRY,
        proximity_window::ENTRY,
        dissimilarity::ENTRY,
        ke_anonymity::ENTRY,
        variance::ENTRY,
    ];
    ALL
}

/// The entry of a principle.
pub fn entry(name: &str) -> Option<&'static Entry> {
    catalogue().iter().find(|entry| entry.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Requirement;
    use scumble_table::{Bag, Domain};

    #[test]
    fn every_entry_is_complete_and_its_example_parses() {
        for entry in catalogue() {
            let requirement: Requirement = entry.example.parse().unwrap();
            assert_eq!(requirement.to_string(), entry.example);
            assert_eq!(requirement.spec.entry(), entry);
            assert!(!entry.parameters.is_empty() && !entry.reference.is_empty(), "{}", entry.name);
            assert!(entry.help.chars().next().is_some_and(char::is_lowercase) && !entry.help.ends_with('.'));
            assert!(std::ptr::eq(super::entry(entry.name).unwrap(), entry));
        }
        assert_eq!(super::entry("k"), None);
    }

    #[test]
    fn every_entry_binds_or_asks_for_a_distance() {
        let domain = Domain::numbers(vec![Decimal::from(1), Decimal::from(2)]).unwrap();
        let whole = Bag::from_codes([1, 2]);
        for entry in catalogue() {
            let requirement: Requirement = entry.example.parse().unwrap();
            match requirement.principle().bind(&domain, &whole) {
                Ok(test) => assert_eq!(entry.monotone, test.monotone(), "{}", entry.name),
                Err(error) => {
                    assert_eq!((entry.name, error.exit_code()), ("dissimilarity", 2));
                    assert!(error.to_string().contains("--distance"), "{error}");
                }
            }
        }
    }
}
