//! k-anonymity: enough rows in every group.

use crate::parameter::{Parameter, Range};
use crate::principle::shared;
use crate::{Attained, Entry, GroupForm, PlainWords, Principle, Subject, Test};
use scumble_table::figures::grouped;
use scumble_table::{Bag, Counted, Domain, Result};

pub(crate) static ENTRY: Entry = Entry {
    name: "k-anonymity",
    parameters: &[Parameter::new("k", Range::Whole(1)).bounding_chance()],
    help: "every group has at least k rows",
    example: "k-anonymity(10)",
    reference: "L. Sweeney: k-anonymity: a model for protecting privacy. IJUFKS 10(5), 2002",
    monotone: true,
    larger_is_stricter: true,
    strictest: |_| Ok(vec![shared(KAnonymity::new(u64::MAX))?]),
    usual: |facts| Some(vec![facts.up_to(SIZES)]),
    ..Entry::parsed_by(|arguments| shared(KAnonymity::new(arguments.whole(0)?)))
};

/// Sizes of groups that people ask for, those of the thresholds in wide use among them.
pub(crate) const SIZES: &[&str] = &["2", "3", "5", "10", "11", "20", "50", "100"];

/// Every group has at least `k` rows.
///
/// # Guarantees
/// Someone who knows all quasi-identifying values of a person finds at least `k` rows that could be
/// that person's.
///
/// # Definition
/// A group of n rows passes if n >= k.
///
/// # Does not guarantee
/// Anything about the sensitive values: where all rows of a group share one, it is learned from
/// the group alone. Ask for a diversity or a closeness as well.
///
/// # Cost
/// One comparison; the values are not looked at.
///
/// # Example
/// A group of 10 rows passes `k-anonymity(10)` and fails `k-anonymity(11)`.
///
/// # Reference
/// L. Sweeney: k-anonymity: a model for protecting privacy. International Journal of Uncertainty,
/// Fuzziness and Knowledge-Based Systems 10(5), 2002.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct KAnonymity {
    k: u64,
}

impl KAnonymity {
    /// `k` must be at least 1.
    pub fn new(k: u64) -> Result<Self> {
        Ok(KAnonymity { k: ENTRY.check_whole(0, k)? })
    }

    /// The least number of rows of a group.
    pub fn k(&self) -> u64 {
        self.k
    }
}

impl Principle for KAnonymity {
    fn entry(&self) -> &'static Entry {
        &ENTRY
    }

    fn notation(&self) -> String {
        format!("{}({})", ENTRY.name, self.k)
    }

    fn bind(&self, _domain: &Domain, _whole: &Bag) -> Result<Box<dyn Test>> {
        Ok(Box::new(*self))
    }

    fn nearest(&self, attained: &Attained) -> Option<String> {
        let k = attained.figure("k")?.parse::<u64>().ok()?.min(self.k);
        KAnonymity::new(k).ok().map(|principle| principle.notation())
    }

    fn reason(&self, attained: &Attained, _column: &str) -> String {
        row_count_text(attained)
    }

    /// The sizes of groups mean one thing where the members of a group look alike and another where their quasi-identifiers are
    /// published exactly.
    fn plain_words(&self, subject: &Subject<'_>) -> Option<PlainWords> {
        let (family, one, many) = ("k-anonymity", subject.counted.one(), subject.counted.many());
        if self.k <= 1 {
            return Some(PlainWords {
                family,
                demands: format!("every group holds at least one {one}, which hides nobody"),
                hides: format!("Nothing: a group of one {one} is that {one}."),
                leaves: "Everything. Ask for a larger k.".into(),
                guards_values: false,
            });
        }
        let k = grouped(self.k);
        let hides = match subject.groups {
            GroupForm::Alike if subject.repeat => format!(
                "Each group holds rows of at least {k} different people, who look alike in the published quasi-identifiers. How many \
                 rows of a group are of one person is not shown, and not bounded: one of them may have most, and then a guess at \
                 whose row it is may well be right."
            ),
            GroupForm::Exact if subject.repeat => format!(
                "Each group holds rows of at least {k} different people, and the sensitive value of a row is one of the values of the \
                 whole group. The quasi-identifiers are published exactly, so somebody may be recognised by them: here the requirement \
                 hides whose value is whose, not who is who, and the less of that the more rows of a group are of one person."
            ),
            GroupForm::Batch if subject.repeat => format!(
                "Each batch holds rows of at least {k} different people, and the sensitive value of a row is one of the values of the \
                 whole batch."
            ),
            GroupForm::Alike => {
                let (who, certain) = match subject.counted {
                    Counted::People => ("who look", "that of a certain person"),
                    Counted::Rows => ("that look", "a certain one"),
                };
                format!(
                    "Each group holds at least {k} {many} {who} alike in the published quasi-identifiers. Whoever picks a row \
                     of the group as {certain} has no better chance than 1 in {k} to be right."
                )
            }
            GroupForm::Exact => format!(
                "Each group holds at least {k} {many}, and the sensitive value of a {one} is one of the values of the whole \
                 group. The quasi-identifiers are published exactly, so somebody may be recognised by them: here the \
                 requirement hides whose value is whose, not who is who."
            ),
            GroupForm::Batch => format!(
                "Each batch holds at least {k} {many}, and the sensitive value of a {one} is one of the values of the whole \
                 batch."
            ),
        };
        Some(PlainWords {
            family,
            demands: format!("every group holds at least {k} {many}"),
            hides,
            leaves: match subject.repeat {
                true => {
                    "k-anonymity says nothing about the sensitive values. Where all members of a group share a value, or nearly all \
                     do, that value is known for each of them, whichever row is whose."
                }
                false => {
                    "k-anonymity says nothing about the sensitive values. Where all members of a group share a value, or \
                     nearly all do, that value is known for each of them, although nobody can tell which row is whose."
                }
            }
            .into(),
            guards_values: false,
        })
    }

    fn needs_values(&self) -> bool {
        false
    }

    fn least_people(&self) -> Option<u64> {
        Some(self.k)
    }
}

/// How many rows there are, in words.
pub(crate) fn row_count_text(attained: &Attained) -> String {
    match attained.figure("k").unwrap_or("0") {
        "0" => "the table has no rows".into(),
        "1" => "the table has 1 row".into(),
        k => format!("the table has {k} rows"),
    }
}

impl Test for KAnonymity {
    fn holds(&self, group: &Bag) -> bool {
        group.size() >= self.k
    }

    fn monotone(&self) -> bool {
        true
    }

    fn superset_closed(&self) -> bool {
        true
    }

    fn attained(&self, group: &Bag) -> Attained {
        Attained::new(group.size(), vec![("k", group.size().to_string())])
    }

    fn least_size(&self) -> u64 {
        self.k
    }

    fn needs_values(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_size_decides() {
        let test = KAnonymity::new(3).unwrap();
        let bag = |n: u32| Bag::from_codes(0..n);
        assert!(!test.holds(&bag(0)) && !test.holds(&bag(2)) && test.holds(&bag(3)));
        assert!(!test.divisible(&bag(5)) && test.divisible(&bag(6)));
        assert_eq!(test.attained(&bag(7)).figures, [("k", "7".to_string())]);
        assert!(!KAnonymity::new(1).unwrap().holds(&bag(0)) && KAnonymity::new(1).unwrap().holds(&bag(1)));
        assert!(KAnonymity::new(0).unwrap_err().to_string().contains("k must be a whole number, 1 or more"));
        assert!(!KAnonymity::new(u64::MAX).unwrap().divisible(&bag(9)));
    }

    #[test]
    fn the_number_of_rows_in_words() {
        let attained = |n: u32| KAnonymity { k: 9 }.attained(&Bag::from_codes(0..n));
        assert_eq!(row_count_text(&attained(0)), "the table has no rows");
        assert_eq!(row_count_text(&attained(1)), "the table has 1 row");
        assert_eq!(row_count_text(&attained(5)), "the table has 5 rows");
    }
}
