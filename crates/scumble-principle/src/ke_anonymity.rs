//! (k, e)-anonymity: enough different numbers over a wide enough range.

use crate::parameter::{Parameter, Range};
use crate::{Entry, Principle, Test};
use scumble_table::{Bag, Decimal, Domain, Result};

pub(crate) const ENTRY: Entry = Entry {
    name: "ke-anonymity",
    parameters: &[Parameter::new("k", Range::Whole(1)), Parameter::new("e", Range::AtLeast(0))],
    help: "every group has at least k different sensitive numbers and they span at least e",
    example: "ke-anonymity(4, 100)",
    reference: "Q. Zhang, N. Koudas, D. Srivastava, T. Yu: Aggregate query answering on anonymized tables. ICDE 2007",
    monotone: true,
    enforced: false,
};

/// Every group has at least `k` different sensitive numbers and they span at least `e`.
///
/// # Guarantees
/// Whoever finds the group of a person cannot narrow the number down to fewer than `k` values, nor
/// to an interval shorter than `e`.
///
/// # Definition
/// A group passes if it has at least `k` different values, null among them, and its greatest number
/// less its least is at least `e`.
///
/// # Does not guarantee
/// A bound on the share of one number, nor that the numbers between least and greatest are spread.
///
/// # Cost
/// This version reads and prints it, and does not enforce it.
///
/// # Example
/// The salaries 54000, 55000, 56000 pass `ke-anonymity(3, 2000)`.
///
/// # Reference
/// Q. Zhang, N. Koudas, D. Srivastava, T. Yu: Aggregate query answering on anonymized tables. ICDE
/// 2007.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct KeAnonymity {
    k: u64,
    e: Decimal,
}

impl KeAnonymity {
    /// `k` must be at least 1 and `e` at least 0.
    pub fn new(k: u64, e: Decimal) -> Result<Self> {
        Ok(KeAnonymity { k: ENTRY.check_whole(0, k)?, e: ENTRY.check(1, e)? })
    }

    /// The least number of different numbers.
    pub fn k(&self) -> u64 {
        self.k
    }

    /// The least span.
    pub fn e(&self) -> Decimal {
        self.e
    }
}

impl Principle for KeAnonymity {
    fn notation(&self) -> String {
        format!("{}({}, {})", ENTRY.name, self.k, self.e)
    }

    fn bind(&self, _domain: &Domain, _whole: &Bag) -> Result<Box<dyn Test>> {
        Err(ENTRY.not_enforced(self.notation()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_checked() {
        let decimal = |text: &str| Decimal::parse(text).unwrap();
        let new = |k, e: &str| KeAnonymity::new(k, decimal(e));
        assert_eq!(new(4, "100.0").unwrap().notation(), "ke-anonymity(4, 100)");
        assert!(new(1, "0").is_ok() && new(0, "0").is_err() && new(1, "-1").is_err());
    }
}
