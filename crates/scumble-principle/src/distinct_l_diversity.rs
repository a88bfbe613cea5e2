//! Distinct l-diversity: enough different sensitive values in every group.

use crate::parameter::{Parameter, Range};
use crate::plain_words::{BLIND_TO_MEANING, NO_CHANCE};
use crate::principle::shared;
use crate::test::room_for_two;
use crate::{Attained, Entry, PlainWords, Principle, Subject, Test};
use scumble_table::figures::grouped;
use scumble_table::{Bag, Domain, Result};

pub(crate) static ENTRY: Entry = Entry {
    name: "distinct-l-diversity",
    parameters: &[Parameter::new("l", Range::Whole(1))],
    help: "every group has at least l different sensitive values",
    example: "distinct-l-diversity(3)",
    reference: "A. Machanavajjhala et al.: l-diversity: privacy beyond k-anonymity. TKDD 1(1), 2007",
    monotone: true,
    larger_is_stricter: true,
    strictest: |_| Ok(vec![shared(DistinctLDiversity::new(u64::MAX))?]),
    usual: |facts| Some(vec![facts.up_to_with_most(&["2", "3", "4", "5", "6", "8", "10", "15", "20"])]),
    ..Entry::parsed_by(|arguments| shared(DistinctLDiversity::new(arguments.whole(0)?)))
};

/// Every group has at least `l` different sensitive values.
///
/// # Guarantees
/// Someone who finds the group of a person cannot rule out fewer than `l` values without knowing more;
/// in particular no group gives its value away by having only one.
///
/// # Definition
/// A group passes if it has at least `l` different values. Null counts as one of them.
///
/// # Does not guarantee
/// That the values are about equally likely (99 of 100 rows may share one), nor that they differ
/// in meaning (1000 and 1001 are two values).
///
/// # Cost
/// One comparison; `divisible` reads at most `2 * l` counts.
///
/// # Example
/// The group {flu, flu, hiv} passes `distinct-l-diversity(2)` and fails `distinct-l-diversity(3)`.
///
/// # Reference
/// A. Machanavajjhala, D. Kifer, J. Gehrke, M. Venkitasubramaniam: l-diversity: privacy beyond
/// k-anonymity. ACM Transactions on Knowledge Discovery from Data 1(1), 2007.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct DistinctLDiversity {
    l: u64,
}

impl DistinctLDiversity {
    /// `l` must be at least 1.
    pub fn new(l: u64) -> Result<Self> {
        Ok(DistinctLDiversity { l: ENTRY.check_whole(0, l)? })
    }

    /// The least number of different values.
    pub fn l(&self) -> u64 {
        self.l
    }
}

impl Principle for DistinctLDiversity {
    fn entry(&self) -> &'static Entry {
        &ENTRY
    }

    fn notation(&self) -> String {
        format!("{}({})", ENTRY.name, self.l)
    }

    fn bind(&self, _domain: &Domain, _whole: &Bag) -> Result<Box<dyn Test>> {
        Ok(Box::new(*self))
    }

    fn nearest(&self, attained: &Attained) -> Option<String> {
        let l = attained.figure("l")?.parse::<u64>().ok()?.min(self.l);
        DistinctLDiversity::new(l).ok().map(|principle| principle.notation())
    }

    fn reason(&self, attained: &Attained, column: &str) -> String {
        match attained.figure("l").unwrap_or("0") {
            "1" => format!("all rows have the same value of `{column}`"),
            l => format!("`{column}` has {l} different values"),
        }
    }

    fn plain_words(&self, subject: &Subject<'_>) -> Option<PlainWords> {
        let (l, who, repeat, subject) = (grouped(self.l), subject.counted, subject.repeat, subject.name());
        let (one, many) = (who.one(), who.many());
        Some(PlainWords {
            family: "Distinct l-diversity",
            demands: format!("every group holds at least {l} different values of {subject}"),
            hides: match repeat {
                true => format!(
                    "Each group shows at least {l} different values of {subject}, and holds rows of as many different people. {NO_CHANCE}"
                ),
                false => format!(
                    "Each group shows at least {l} different values of {subject}. Where that is more than one, nobody can name a \
                     {one}’s value for certain from the tables alone."
                ),
            },
            leaves: format!(
                "It counts the values and not how often they occur: where 98 of 100 {many} in a group share a value, \
                 guessing it is right 98 times in 100. {BLIND_TO_MEANING}"
            ),
            guards_values: true,
        })
    }

    fn can_ignore_missing(&self) -> bool {
        true
    }

    fn counts_values(&self) -> bool {
        true
    }
}

impl Test for DistinctLDiversity {
    fn holds(&self, group: &Bag) -> bool {
        group.distinct() as u64 >= self.l
    }

    fn divisible(&self, group: &Bag) -> bool {
        room_for_two(group, self.l)
    }

    fn monotone(&self) -> bool {
        true
    }

    /// The rows of the rarest values that may go before too few values are left: one less than would have to change for that.
    fn slack(&self, group: &Bag) -> Option<i64> {
        let Some(spare) = (group.distinct() as u64).checked_sub(self.l) else { return Some(-1) };
        let mut counts: Vec<u32> = group.counts().iter().map(|&(_, count)| count).collect();
        counts.sort_unstable();
        let rows =
            counts.iter().take(usize::try_from(spare).unwrap_or(usize::MAX).saturating_add(1)).map(|&n| i64::from(n));
        Some(rows.sum::<i64>() - 1)
    }

    fn superset_closed(&self) -> bool {
        true
    }

    fn attained(&self, group: &Bag) -> Attained {
        Attained::new(group.distinct() as u64, vec![("l", group.distinct().to_string())])
    }

    fn least_size(&self) -> u64 {
        self.l
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn different_values_are_counted() {
        let test = DistinctLDiversity::new(2).unwrap();
        let bag = |codes: &[u32]| Bag::from_codes(codes.iter().copied());
        assert!(!test.holds(&bag(&[])) && !test.holds(&bag(&[1, 1])) && test.holds(&bag(&[1, 2])));
        // Null is a value like another.
        assert!(test.holds(&bag(&[0, 1])) && !test.holds(&bag(&[0, 0, 0])));
        assert!(!test.divisible(&bag(&[1, 1, 2])) && test.divisible(&bag(&[1, 1, 2, 2])));
        assert_eq!(test.attained(&bag(&[0, 1, 1])).figure("l"), Some("2"));
        assert!(DistinctLDiversity::new(0).is_err());
    }
}
