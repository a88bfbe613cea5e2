//! (alpha, k)-anonymity: enough rows, and no sensitive value too frequent.

use crate::column_facts::texts;
use crate::exact::{Fraction, Round, percent, rounded};
use crate::k_anonymity::row_count_text;
use crate::parameter::{Parameter, Range, smallest};
use crate::plain_words::{NO_CHANCE, percentage};
use crate::principle::shared;
use crate::test::{room_for_two, rows_between};
use crate::{Attained, Entry, PlainWords, Principle, Subject, Test};
use scumble_table::figures::grouped;
use scumble_table::{Bag, Decimal, Domain, Ratio, Result};

pub(crate) static ENTRY: Entry = Entry {
    name: "alpha-k-anonymity",
    aliases: &["(alpha,k)-anonymity"],
    parameters: &[
        Parameter::new("alpha", Range::PositiveShare),
        Parameter::new("k", Range::Whole(1)).bounding_chance(),
    ],
    help: "every group has at least k rows and no sensitive value has a share above alpha",
    example: "alpha-k-anonymity(0.3, 5)",
    reference: "R. C.-W. Wong et al.: (alpha, k)-anonymity. KDD 2006",
    monotone: true,
    strictest: |_| Ok(vec![shared(AlphaKAnonymity::new(smallest(), u64::MAX))?]),
    usual: |_| Some(vec![texts(&["0.2", "0.3", "0.5", "0.7"]), texts(&["3", "5", "11"])]),
    ..Entry::parsed_by(|arguments| shared(AlphaKAnonymity::new(arguments.number(0)?, arguments.whole(1)?)))
};

/// Every group has at least `k` rows and no sensitive value has a share above `alpha`.
///
/// # Guarantees
/// What `k-anonymity(k)` guarantees, and that someone who finds the group of a person gives no value a
/// probability above `alpha`.
///
/// # Definition
/// A group of n rows whose most frequent value occurs r times passes if n >= k and r <= alpha * n.
/// The bound is put on every value, null among them; this is the general form of the paper, which
/// also knows a form for chosen values only.
///
/// # Does not guarantee
/// That values differ in meaning, nor anything against someone who can rule out values.
///
/// # Cost
/// One pass over the counts of the group.
///
/// # Example
/// A group of 10 rows in which no value occurs more than 3 times passes
/// `alpha-k-anonymity(0.3, 5)`.
///
/// # Reference
/// R. C.-W. Wong, J. Li, A. W.-C. Fu, K. Wang: (alpha, k)-anonymity: an enhanced k-anonymity model
/// for privacy-preserving data publishing. KDD 2006.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct AlphaKAnonymity {
    alpha: Decimal,
    k: u64,
}

impl AlphaKAnonymity {
    /// `alpha` must lie above 0 and be at most 1; `k` must be at least 1.
    pub fn new(alpha: Decimal, k: u64) -> Result<Self> {
        Ok(AlphaKAnonymity { alpha: ENTRY.check(0, alpha)?, k: ENTRY.check_whole(1, k)? })
    }

    /// The greatest share of a value.
    pub fn alpha(&self) -> Decimal {
        self.alpha
    }

    /// The least number of rows of a group.
    pub fn k(&self) -> u64 {
        self.k
    }
}

impl Principle for AlphaKAnonymity {
    fn entry(&self) -> &'static Entry {
        &ENTRY
    }

    fn notation(&self) -> String {
        format!("{}({}, {})", ENTRY.name, self.alpha, self.k)
    }

    fn bind(&self, _domain: &Domain, _whole: &Bag) -> Result<Box<dyn Test>> {
        let alpha = Fraction::new(self.alpha);
        Ok(Box::new(Bound { alpha, distinct: alpha.ceil_of_inverse(), k: self.k }))
    }

    fn nearest(&self, attained: &Attained) -> Option<String> {
        let alpha = Decimal::parse(attained.figure("alpha")?)?.max(self.alpha);
        let k = attained.figure("k")?.parse::<u64>().ok()?.min(self.k);
        AlphaKAnonymity::new(alpha, k).ok().map(|principle| principle.notation())
    }

    fn reason(&self, attained: &Attained, column: &str) -> String {
        let share = attained.figure("alpha").unwrap_or("1");
        match Decimal::parse(share) {
            Some(reached) if reached <= self.alpha => row_count_text(attained),
            _ => format!("one value of `{column}` has a share of {}", percent(share)),
        }
    }

    fn plain_words(&self, subject: &Subject<'_>) -> Option<PlainWords> {
        let (share, k, who, repeat) = (percentage(self.alpha), grouped(self.k), subject.counted, subject.repeat);
        let (one, many, subject) = (who.one(), who.many(), subject.name());
        Some(PlainWords {
            family: "(alpha, k)-anonymity",
            demands: format!(
                "every group holds at least {k} {many}, and no value of {subject} belongs to more than {share} of a group"
            ),
            hides: match repeat {
                true => format!(
                    "Each group holds rows of at least {k} different people, and no value of {subject} belongs to more than {share} of \
                     the people of a group. {NO_CHANCE}"
                ),
                false => format!(
                    "Each group holds at least {k} {many}, and whoever guesses a {one}’s value of {subject} from the {one}’s \
                     group is right with a chance of at most {share}."
                ),
            },
            leaves:
                "Somebody who can rule out some of the values from other knowledge has better odds among the rest. \
                     Values that differ count as different however close they are in meaning or in size."
                    .into(),
            guards_values: true,
        })
    }

    fn counts_values(&self) -> bool {
        true
    }

    fn least_people(&self) -> Option<u64> {
        Some(self.k)
    }
}

#[derive(Debug)]
struct Bound {
    alpha: Fraction,
    /// Values of a share of at most alpha must be at least 1/alpha in number.
    distinct: u64,
    k: u64,
}

impl Test for Bound {
    fn holds(&self, group: &Bag) -> bool {
        group.size() >= self.least_size() && self.alpha.times_cmp(group.size().into(), group.top().into()).is_ge()
    }

    fn divisible(&self, group: &Bag) -> bool {
        group.size() / 2 >= self.k && room_for_two(group, self.distinct)
    }

    fn monotone(&self) -> bool {
        true
    }

    /// The rows that the most frequent value may have, less those that it has. The size does not depend on values.
    fn slack(&self, group: &Bag) -> Option<i64> {
        match group.size() >= self.least_size() {
            true => Some(rows_between(group.top().into(), self.alpha.times_floor(group.size()))),
            false => Some(-1),
        }
    }

    fn attained(&self, group: &Bag) -> Attained {
        let (top, size) = (u128::from(group.top()), u128::from(group.size()));
        if size == 0 {
            return Attained::from_parts(vec![0.into(), 0.into()], vec![("alpha", "1".into()), ("k", "0".into())]);
        }
        Attained::from_parts(
            vec![Ratio::new(size as i128, top as i128).into(), group.size().into()],
            vec![("alpha", rounded(top, size, Round::Up)), ("k", size.to_string())],
        )
    }

    fn least_size(&self) -> u64 {
        self.k.max(self.distinct)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn test(alpha: &str, k: u64) -> Box<dyn Test> {
        let principle = AlphaKAnonymity::new(Decimal::parse(alpha).unwrap(), k).unwrap();
        principle.bind(&Domain::nominal(vec![]), &Bag::default()).unwrap()
    }

    #[test]
    fn both_halves_must_hold() {
        let ten = Bag::from_codes([1, 1, 1, 2, 2, 2, 3, 3, 0, 0]);
        assert!(test("0.3", 10).holds(&ten));
        assert!(!test("0.3", 11).holds(&ten) && !test("0.299999999999999999999999", 10).holds(&ten));
        assert_eq!(test("0.3", 5).attained(&ten).figures, [("alpha", "0.3".to_string()), ("k", "10".to_string())]);
        assert!(test("1", 1).holds(&Bag::from_codes([0])) && !test("1", 1).holds(&Bag::default()));
        assert_eq!(test("0.3", 2).least_size(), 4);
        assert_eq!(test("0.000000000000000000000000000000000001", 1).least_size(), u64::MAX);
    }

    #[test]
    fn a_division_needs_rows_and_values_for_two() {
        let group = Bag::from_codes([1, 1, 2, 2, 3, 3]);
        assert!(test("0.5", 3).divisible(&group) && !test("0.5", 4).divisible(&group));
        assert!(!test("0.25", 1).divisible(&group));
    }

    #[test]
    fn parameters_out_of_range_are_refused() {
        for alpha in ["0", "-1", "1.0001"] {
            assert!(AlphaKAnonymity::new(Decimal::parse(alpha).unwrap(), 1).is_err());
        }
        assert!(AlphaKAnonymity::new(Decimal::from(1), 0).is_err());
    }
}
