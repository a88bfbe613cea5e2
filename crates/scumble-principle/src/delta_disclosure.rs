//! delta-disclosure privacy: shares in groups and in the whole differ by less than a factor.

use crate::column_facts::texts;
use crate::exact::Fraction;
use crate::logarithm::{compare_ln, ln_above};
use crate::parameter::{Parameter, Range, smallest};
use crate::plain_words::NO_CHANCE;
use crate::principle::shared;
use crate::test::rows_between;
use crate::whole_counts::{WholeCounts, greatest_admitted};
use crate::{Attained, Entry, PlainWords, Principle, Subject, Test};
use scumble_table::figures::measure;
use scumble_table::{Bag, Decimal, Domain, Ratio, Result};

pub(crate) static ENTRY: Entry = Entry {
    name: "delta-disclosure",
    aliases: &["delta-disclosure-privacy"],
    parameters: &[Parameter::new("delta", Range::Positive)],
    help: "in every group the share of each sensitive value differs from its share in the whole table by a factor below e^delta",
    example: "delta-disclosure(1)",
    reference: "J. Brickell, V. Shmatikov: The cost of privacy: destruction of data-mining utility in anonymized data publishing. KDD 2008",
    monotone: true,
    strictest: |_| Ok(vec![shared(DeltaDisclosure::new(smallest()))?]),
    usual: |_| Some(vec![texts(&["0.5", "1", "1.5", "2", "3"])]),
    ..Entry::parsed_by(|arguments| shared(DeltaDisclosure::new(arguments.number(0)?)))
};

/// In every group the share of each sensitive value lies within a factor of `e^delta` of its share in the whole table.
///
/// # Guarantees
/// Somebody who finds the group of a person becomes less than `e^delta` times as sure, and less than `e^delta` times less sure, of any value
/// than the whole table made them. No value can be ruled out: each occurs in every group.
///
/// # Definition
/// For every value of the published rows, with share p there and share q in the group, |ln(q / p)| < `delta`. So q is above 0 for each of them.
/// Null is a value like another. Where people have several rows, shares are of people.
///
/// Where rows are judged it is monotone: the share in the union of two groups lies between the shares in them, and what is allowed is an interval.
///
/// # Does not guarantee
/// A bound on the share of a value that is frequent everywhere. It is strict on rare values: one that a single row has allows one
/// group only, so that columns of many values are published as a few large groups. Values close in meaning count as different.
///
/// # Cost
/// One pass over the values of the group, O(V) space for a column of V values. Floats with a margin decide almost all groups; within the margin
/// logarithms of as many digits as it takes do. They come to an end, for e to a fraction is never a fraction.
///
/// # Example
/// In a table where one person in five tested positive, a group with two in five has |ln(0.4 / 0.2)| = 0.693 for positive and
/// |ln(0.6 / 0.8)| = 0.288 for negative: it passes `delta-disclosure(0.7)`. A group without a positive passes none.
///
/// # Reference
/// J. Brickell, V. Shmatikov: The cost of privacy: destruction of data-mining utility in anonymized data publishing. KDD 2008.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct DeltaDisclosure {
    delta: Decimal,
}

impl DeltaDisclosure {
    /// `delta` must be above 0.
    pub fn new(delta: Decimal) -> Result<Self> {
        Ok(DeltaDisclosure { delta: ENTRY.check(0, delta)? })
    }

    /// The logarithm of the factor.
    pub fn delta(&self) -> Decimal {
        self.delta
    }
}

/// The figure of a group that lacks a value, for which no delta will do.
const NO_DELTA: &str = "none";

impl Principle for DeltaDisclosure {
    fn entry(&self) -> &'static Entry {
        &ENTRY
    }

    fn notation(&self) -> String {
        format!("{}({})", ENTRY.name, self.delta)
    }

    fn can_ignore_missing(&self) -> bool {
        true
    }

    fn bind(&self, domain: &Domain, whole: &Bag) -> Result<Box<dyn Test>> {
        Ok(Box::new(Bound::new(Fraction::new(self.delta), WholeCounts::new(domain, whole)?)))
    }

    fn nearest(&self, attained: &Attained) -> Option<String> {
        let delta = Decimal::parse(attained.figure("delta")?)?.max(self.delta);
        DeltaDisclosure::new(delta).ok().map(|principle| principle.notation())
    }

    fn reason(&self, attained: &Attained, column: &str) -> String {
        match attained.figure("delta") {
            Some(NO_DELTA) | None => format!("some value of `{column}` does not occur"),
            Some(delta) => {
                format!(
                    "the share of a value of `{column}` differs from its share in the whole by a factor of almost e^{delta}"
                )
            }
        }
    }

    fn plain_words(&self, subject: &Subject<'_>) -> Option<PlainWords> {
        let (one, repeat) = (subject.counted.one(), subject.repeat);
        let (delta, factor, subject) = (self.delta, measure(self.delta.to_f64().exp()), subject.name());
        Some(PlainWords {
            family: "delta-disclosure privacy",
            demands: format!(
                "in every group each value of {subject} that occurs in the release occurs too, and its share differs from its share in the \
                 whole release by a factor below e^{delta}, which is about {factor}"
            ),
            hides: match repeat {
                true => format!(
                    "The share of the people of a group who have a certain value of {subject} differs from its share of the people of the \
                     whole release by a factor of less than about {factor}, however rare the value is. {NO_CHANCE}"
                ),
                false => format!(
                    "Knowing a {one}’s group makes no value of {subject} much likelier or much less likely than the release as a whole says: the \
                     chance changes by a factor of less than about {factor}, however rare the value is, and no value can be ruled out."
                ),
            },
            leaves: "What the release says as a whole is not hidden: a value that is common everywhere is common in each group. The sizes of \
                     groups are not bounded. Values that differ count as different however close they are."
                .into(),
            guards_values: true,
        })
    }
}

/// No quotient of two shares of a table reaches e to this: counts and sizes are below 2^32, and mixtures of groups below 2^64.
const ANY_RATIO: f64 = 90.0;

/// A float decides where a quotient and e^delta differ by more than this share: delta is off by a few 2^-53 of at most [`ANY_RATIO`], and so, in
/// proportion, is e^delta by a hundredth of this.
const MARGIN: f64 = 1e-11;

#[derive(Debug)]
struct Bound {
    delta: Fraction,
    /// e^delta, nearly.
    factor: f64,
    whole: WholeCounts,
    least: u64,
}

impl Bound {
    fn new(delta: Fraction, whole: WholeCounts) -> Self {
        let factor = delta.to_f64().exp();
        // Every value occurs, the rarest too, so that 1 / n is less than e^delta times its share.
        let rarest = whole.members() as f64 / f64::from(whole.rarest().max(1));
        let least = (whole.distinct() as u64).max((rarest / factor * (1.0 - MARGIN)).floor() as u64).max(1);
        Bound { delta, factor, whole, least }
    }

    /// Whether |ln(x / y)| is below delta, for x and y above 0.
    fn is_near(&self, x: u128, y: u128) -> bool {
        let (less, more) = (x.min(y), x.max(y));
        let quotient = more as f64 / less as f64;
        if self.delta.to_f64() > ANY_RATIO || quotient < self.factor * (1.0 - MARGIN) {
            return true;
        }
        quotient <= self.factor * (1.0 + MARGIN) && compare_ln(more, less, self.delta).is_lt()
    }

    /// The greatest |ln(q / p)| as a quotient; `None` where a value is missing, on either side.
    fn farthest(&self, group: &Bag) -> Option<(u128, u128)> {
        if group.size() == 0 || group.distinct() < self.whole.distinct() {
            return None;
        }
        let mut farthest = (1, 1);
        for (x, y) in self.whole.ratios(group) {
            if y == 0 {
                return None;
            }
            let (more, less) = (x.max(y), x.min(y));
            if Fraction::ratio(more, less).times_cmp(farthest.1, farthest.0).is_gt() {
                farthest = (more, less);
            }
        }
        Some(farthest)
    }

    /// Fewest and most members of a group of n that may have a value that C of the whole have.
    fn range(&self, n: u64, in_whole: u32) -> (u64, u64) {
        let members = u128::from(self.whole.members());
        let y = u128::from(in_whole) * u128::from(n);
        let expected = y as f64 / members as f64;
        let is_near = |count: u64| self.is_near(u128::from(count) * members, y);
        let is_low = |count: u64| count == 0 || u128::from(count) * members < y && !is_near(count);
        let is_high = |count: u64| u128::from(count) * members > y && !is_near(count);
        let fewest = greatest_admitted(expected / self.factor, is_low) + 1;
        let most = greatest_admitted((expected * self.factor).min(n as f64), |count| count <= n && !is_high(count));
        (fewest, most)
    }
}

impl Test for Bound {
    fn holds(&self, group: &Bag) -> bool {
        group.size() > 0
            && group.distinct() >= self.whole.distinct()
            && self.whole.ratios(group).all(|(x, y)| y > 0 && self.is_near(x, y))
    }

    /// Every value must occur in every group, so it must occur twice to occur in two.
    fn divisible(&self, group: &Bag) -> bool {
        group.size() / 2 >= self.least
            && group.distinct() >= self.whole.distinct()
            && group.counts().iter().all(|&(_, count)| count > 1)
    }

    fn monotone(&self) -> bool {
        true
    }

    fn least_size(&self) -> u64 {
        self.least
    }

    /// The rows that may still take, or give up, the value that is nearest to its bounds.
    fn slack(&self, group: &Bag) -> Option<i64> {
        if group.size() == 0 || group.distinct() < self.whole.distinct() {
            return Some(-1);
        }
        let mut slack = i64::MAX;
        for &(code, count) in group.counts() {
            let in_whole = self.whole.count(code);
            if in_whole == 0 {
                return Some(-1);
            }
            let (fewest, most) = self.range(group.size(), in_whole);
            slack = slack.min(rows_between(count.into(), most)).min(rows_between(fewest, count.into()));
        }
        Some(slack)
    }

    fn attained(&self, group: &Bag) -> Attained {
        match self.farthest(group) {
            Some((more, less)) => {
                Attained::new(Ratio::new(-(more as i128), less as i128), vec![("delta", ln_above(more, less))])
            }
            // Less safe than any quotient.
            None => Attained::new(Ratio::new(-(1 << 110), 1), vec![("delta", NO_DELTA.into())]),
        }
    }
}

#[cfg(test)]
mod tests;
