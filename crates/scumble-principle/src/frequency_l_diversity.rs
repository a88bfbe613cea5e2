//! Frequency l-diversity: no sensitive value is too frequent in any group.

use crate::exact::{Fraction, Round, percent, rounded};
use crate::parameter::{Parameter, Range, largest};
use crate::plain_words::{BLIND_TO_MEANING, NO_CHANCE, chance_of, one_in};
use crate::principle::shared;
use crate::test::{room_for_two, rows_between};
use crate::{Attained, Entry, PlainWords, Principle, Subject, Test};
use scumble_table::{Bag, Decimal, Domain, Ratio, Result};

/// Values of l that people ask for where it need not be whole.
pub(crate) const USUAL_L: &[&str] = &["1.5", "2", "2.5", "3", "4", "5", "6", "8", "10", "15", "20"];

pub(crate) static ENTRY: Entry = Entry {
    name: "frequency-l-diversity",
    parameters: &[Parameter::new("l", Range::AtLeast(1))],
    help: "in every group the most frequent sensitive value has a share of at most 1/l",
    example: "frequency-l-diversity(3)",
    reference: "X. Xiao, Y. Tao: Anatomy: simple and effective privacy preservation. VLDB 2006, Definition 2",
    monotone: true,
    larger_is_stricter: true,
    strictest: |_| Ok(vec![shared(FrequencyLDiversity::new(largest()))?]),
    usual: |facts| Some(vec![facts.up_to_with_most(USUAL_L)]),
    ..Entry::parsed_by(|arguments| shared(FrequencyLDiversity::new(arguments.number(0)?)))
};

/// In every group the most frequent sensitive value has a share of at most `1 / l`.
///
/// # Guarantees
/// Someone who finds the group of a person, and takes its rows as equally likely to be that person's,
/// gives no value a probability above `1 / l`.
///
/// # Definition
/// A group of n rows whose most frequent value occurs r times passes if r * l <= n. Null counts as
/// a value. `l` may be a decimal: 2.5 allows a share of 40 %.
///
/// # Does not guarantee
/// Anything against someone who can rule out values by other knowledge, nor that the values differ
/// in meaning: five salaries within a few dollars pass `l = 5`.
///
/// # Cost
/// One pass over the counts of the group.
///
/// # Example
/// The group {flu, flu, hiv, cold, cold, gout} passes `frequency-l-diversity(3)`, for no value has
/// more than 2 of 6 rows.
///
/// # Reference
/// X. Xiao, Y. Tao: Anatomy: simple and effective privacy preservation. VLDB 2006, Definition 2.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct FrequencyLDiversity {
    l: Decimal,
}

impl FrequencyLDiversity {
    /// `l` must be at least 1.
    pub fn new(l: Decimal) -> Result<Self> {
        Ok(FrequencyLDiversity { l: ENTRY.check(0, l)? })
    }

    /// The inverse of the greatest share.
    pub fn l(&self) -> Decimal {
        self.l
    }
}

impl Principle for FrequencyLDiversity {
    fn entry(&self) -> &'static Entry {
        &ENTRY
    }

    fn notation(&self) -> String {
        format!("{}({})", ENTRY.name, self.l)
    }

    fn bind(&self, _domain: &Domain, _whole: &Bag) -> Result<Box<dyn Test>> {
        let l = Fraction::new(self.l);
        Ok(Box::new(Bound { l, least: l.ceil() }))
    }

    fn nearest(&self, attained: &Attained) -> Option<String> {
        let l = Decimal::parse(attained.figure("l")?)?.min(self.l);
        FrequencyLDiversity::new(l).ok().map(|principle| principle.notation())
    }

    fn reason(&self, attained: &Attained, column: &str) -> String {
        format!("one value of `{column}` has a share of {}", percent(attained.figure("share").unwrap_or("1")))
    }

    fn plain_words(&self, subject: &Subject<'_>) -> Option<PlainWords> {
        let (part, who, repeat, subject) = (one_in(self.l), subject.counted, subject.repeat, subject.name());
        let (one, many) = (who.one(), who.many());
        Some(PlainWords {
            family: "Frequency l-diversity",
            demands: format!(
                "in every group the most common value of {subject} belongs to at most {part} of the {many}"
            ),
            hides: match repeat {
                true => format!(
                    "No value of {subject} belongs to more than {part} of the people of a group, each counted once. {NO_CHANCE}"
                ),
                false => format!(
                    "No value of {subject} belongs to more than {part} of a group. Whoever guesses a {one}’s value from the \
                     {one}’s group is right with a chance of at most {}.",
                    chance_of(self.l)
                ),
            },
            leaves: format!(
                "Somebody who can rule out some of the values from other knowledge has better odds among the rest. A value \
                 that is rare in the whole release may be far more common in one group. {BLIND_TO_MEANING}"
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

#[derive(Debug)]
struct Bound {
    l: Fraction,
    /// Each value has at most n/l rows, so there are at least l values and as many rows.
    least: u64,
}

impl Test for Bound {
    fn holds(&self, group: &Bag) -> bool {
        group.size() >= self.least && self.l.times_cmp(group.top().into(), group.size().into()).is_le()
    }

    fn divisible(&self, group: &Bag) -> bool {
        room_for_two(group, self.least)
    }

    fn monotone(&self) -> bool {
        true
    }

    /// The rows that the most frequent value may have, less those that it has.
    fn slack(&self, group: &Bag) -> Option<i64> {
        Some(rows_between(group.top().into(), self.l.floor_under(group.size())))
    }

    fn attained(&self, group: &Bag) -> Attained {
        let (top, size) = (u128::from(group.top()), u128::from(group.size()));
        if size == 0 {
            return Attained::new(0, vec![("l", "0".into()), ("share", "1".into())]);
        }
        Attained::new(
            Ratio::new(size as i128, top as i128),
            vec![("l", rounded(size, top, Round::Down)), ("share", rounded(top, size, Round::Up))],
        )
    }

    fn least_size(&self) -> u64 {
        self.least
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn test(l: &str) -> Box<dyn Test> {
        let principle = FrequencyLDiversity::new(Decimal::parse(l).unwrap()).unwrap();
        principle.bind(&Domain::nominal(vec![]), &Bag::default()).unwrap()
    }

    fn bag(codes: &[u32]) -> Bag {
        Bag::from_codes(codes.iter().copied())
    }

    #[test]
    fn the_boundary_itself_passes() {
        let group = bag(&[1, 1, 2, 3, 3, 4]);
        assert!(test("3").holds(&group) && !test("3.0000000000000000000000000001").holds(&group));
        let seven = bag(&[1, 1, 2, 2, 3, 3, 4]);
        assert!(test("3.5").holds(&seven) && !test("3.51").holds(&seven));
        assert_eq!(test("3").attained(&seven).figures, [("l", "3.5".to_string()), ("share", "0.2858".to_string())]);
        assert!(test("1").holds(&bag(&[1])) && !test("1").holds(&bag(&[])));
        assert!(!test("1.5").holds(&bag(&[0, 0])) && test("2").holds(&bag(&[0, 1])));
    }

    #[test]
    fn huge_parameters_do_not_overflow() {
        let giant = test("99999999999999999999999999999999999999");
        assert!(!giant.holds(&bag(&[1, 2])) && !giant.divisible(&bag(&[1, 2])));
        assert_eq!(giant.least_size(), u64::MAX);
        let mut crowd = Bag::default();
        crowd.refill_sorted([(1, u32::MAX), (2, u32::MAX)]);
        assert!(test("2").holds(&crowd) && !test("2.000000000000000000000000000000000001").holds(&crowd));
    }

    #[test]
    fn decimals_below_one_are_refused() {
        assert!(FrequencyLDiversity::new(Decimal::parse("0.99").unwrap()).is_err());
    }
}
