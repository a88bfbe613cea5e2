//! Recursive (c, l)-diversity: the most frequent value does not outweigh the rarer ones.

use crate::column_facts::texts;
use crate::exact::{Fraction, Round, rounded};
use crate::parameter::{Parameter, Range, smallest};
use crate::plain_words::{BLIND_TO_MEANING, NO_CHANCE, ONCE_FOR_EACH, at_most_percent};
use crate::principle::shared;
use crate::test::room_for_two;
use crate::{Attained, Entry, PlainWords, Principle, Subject, Test};
use scumble_table::figures::grouped;
use scumble_table::{Bag, Decimal, Domain, Ratio, Result};

pub(crate) static ENTRY: Entry = Entry {
    name: "recursive-l-diversity",
    aliases: &["(c,l)-diversity"],
    parameters: &[Parameter::new("c", Range::Positive), Parameter::new("l", Range::Whole(2))],
    help: "in every group the most frequent value occurs less than c times as often as the l-th and all rarer ones together",
    example: "recursive-l-diversity(2, 3)",
    reference: "A. Machanavajjhala et al.: l-diversity: privacy beyond k-anonymity. TKDD 1(1), 2007",
    monotone: true,
    strictest: |least_distinct| Ok(vec![shared(RecursiveLDiversity::new(smallest(), least_distinct.max(2)))?]),
    usual: |_| Some(vec![texts(&["1", "2", "4"]), texts(&["2", "3", "4"])]),
    ..Entry::parsed_by(|arguments| shared(RecursiveLDiversity::new(arguments.number(0)?, arguments.whole(1)?)))
};

/// In every group the most frequent value occurs less than `c` times as often as the `l`-th and all
/// rarer values together.
///
/// # Guarantees
/// Even someone who can rule out `l - 2` values of a group is not left with one value that is far
/// more frequent than the rest.
///
/// # Definition
/// Let r1 >= r2 >= ... >= rm be the counts of the values of a group, null among them. It passes if
/// r1 < c * (rl + ... + rm), strictly; a group of fewer than `l` values fails.
///
/// # Does not guarantee
/// That values differ in meaning, nor a share below that of the whole tail.
///
/// # Cost
/// One pass over the counts of the group, holding the `l - 1` largest. Beyond l = 17 the largest
/// are found by selection in a copy.
///
/// # Example
/// Counts 5, 3, 2, 1 pass `recursive-l-diversity(2, 3)`, for 5 < 2 * (2 + 1). Counts 6, 3, 2, 1 do
/// not.
///
/// # Reference
/// A. Machanavajjhala, D. Kifer, J. Gehrke, M. Venkitasubramaniam: l-diversity: privacy beyond
/// k-anonymity. ACM Transactions on Knowledge Discovery from Data 1(1), 2007.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct RecursiveLDiversity {
    c: Decimal,
    l: u64,
}

/// The largest counts that are kept on the stack; people ask for l up to about ten.
const KEPT: usize = 16;

impl RecursiveLDiversity {
    /// `c` must lie above 0; `l` must be at least 2.
    pub fn new(c: Decimal, l: u64) -> Result<Self> {
        Ok(RecursiveLDiversity { c: ENTRY.check(0, c)?, l: ENTRY.check_whole(1, l)? })
    }

    /// The factor.
    pub fn c(&self) -> Decimal {
        self.c
    }

    /// Where the tail of rare values begins.
    pub fn l(&self) -> u64 {
        self.l
    }

    /// The level of a group; it depends on `l` and the counts alone.
    pub(crate) fn level(&self, group: &Bag) -> Attained {
        let (top, tail) = top_and_tail(group, self.l);
        let (score, c) = match tail {
            0 => (Ratio::from(0), NO_FACTOR.to_string()),
            _ => (Ratio::new(tail.into(), top.into()), rounded(top.into(), tail.into(), Round::Above)),
        };
        Attained::new(score, vec![("c", c), ("l", self.l.to_string())])
    }
}

/// The figure of a group that no `c` will pass.
const NO_FACTOR: &str = "none";

impl Principle for RecursiveLDiversity {
    fn entry(&self) -> &'static Entry {
        &ENTRY
    }

    fn notation(&self) -> String {
        format!("{}({}, {})", ENTRY.name, self.c, self.l)
    }

    fn bind(&self, _domain: &Domain, _whole: &Bag) -> Result<Box<dyn Test>> {
        Ok(Box::new(Bound { principle: *self, c: Fraction::new(self.c) }))
    }

    fn nearest(&self, attained: &Attained) -> Option<String> {
        let c = Decimal::parse(attained.figure("c")?)?.max(self.c);
        let l = attained.figure("l")?.parse().ok()?;
        RecursiveLDiversity::new(c, l).ok().map(|principle| principle.notation())
    }

    fn reason(&self, attained: &Attained, column: &str) -> String {
        match attained.figure("c") {
            Some(NO_FACTOR) | None => format!("`{column}` has fewer than {} different values", self.l),
            Some(c) => format!(
                "the most frequent value of `{column}` is almost {c} times as frequent as the values of rank {} and beyond together",
                self.l
            ),
        }
    }

    /// Where a column has fewer than l values no c will do, but a smaller l may: that of the column with the fewest values.
    fn alternatives(&self, best: &Attained, columns: &[&Bag]) -> Vec<String> {
        let shorter = || {
            let l = columns.iter().map(|bag| bag.distinct()).min()? as u64;
            let shorter = RecursiveLDiversity::new(self.c, l.min(self.l)).ok()?;
            shorter.nearest(&columns.iter().map(|bag| shorter.level(bag)).reduce(Attained::common)?)
        };
        self.nearest(best).or_else(shorter).into_iter().collect()
    }

    /// Someone who rules out l - 2 of the other values is left, at worst, with the most frequent value, r1 times, and
    /// those from the l-th on, s times. As r1 < c s, the share r1 / (r1 + s) is below c / (c + 1).
    fn plain_words(&self, subject: &Subject<'_>) -> Option<PlainWords> {
        let (one, repeat, subject) = (subject.counted.one(), subject.repeat, subject.name());
        let (c, ratio) = (self.c, self.c.to_f64());
        let (tail, excluded) = match self.l {
            0..=2 => ("all the others".into(), String::new()),
            3 => (
                "all the others without the most common of them".into(),
                ", even for somebody who can rule out one of the other values".into(),
            ),
            l => (
                format!("all the others without the {} most common of them", grouped(l - 2)),
                format!(", even for somebody who can rule out any {} of the other values", grouped(l - 2)),
            ),
        };
        Some(PlainWords {
            family: "Recursive (c, l)-diversity",
            demands: format!(
                "in every group the most common value of {subject} occurs less than {c} times as often as {tail} together"
            ),
            hides: match repeat {
                true => format!(
                    "In a group, the values of {subject} being {ONCE_FOR_EACH}, the most common one occurs less than {c} times as often as \
                     {tail} together. {NO_CHANCE}"
                ),
                false => format!(
                    "Whoever guesses that a {one} has the most common value of {subject} in the group is right with a chance \
                     below {}{excluded}.",
                    at_most_percent(ratio / (ratio + 1.0))
                ),
            },
            leaves: match repeat {
                true => format!(
                    "A value may belong to everybody in a group, if they have others as well. Somebody who can rule out some of the \
                     values may be left with one. {BLIND_TO_MEANING}"
                ),
                false => format!(
                    "With c above 1 a single value may belong to most of a group. Somebody who can rule out more values than \
                     the requirement allows for may be left with one. {BLIND_TO_MEANING}"
                ),
            },
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

/// The greatest count, and the sum of the counts from the `l`-th largest on.
fn top_and_tail(group: &Bag, l: u64) -> (u32, u64) {
    let counts = group.counts();
    let Some(keep) = usize::try_from(l - 1).ok().filter(|&keep| keep < counts.len()) else {
        return (group.top(), 0);
    };
    if keep > KEPT {
        let mut sorted: Vec<u32> = counts.iter().map(|pair| pair.1).collect();
        let (larger, pivot, _) = sorted.select_nth_unstable_by(keep - 1, |a, b| b.cmp(a));
        let head = larger.iter().map(|&count| u64::from(count)).sum::<u64>() + u64::from(*pivot);
        return (group.top(), group.total() - head);
    }
    let mut largest = [0u32; KEPT];
    for &(_, count) in counts {
        if count > largest[keep - 1] {
            let mut at = keep - 1;
            while at > 0 && largest[at - 1] < count {
                largest[at] = largest[at - 1];
                at -= 1;
            }
            largest[at] = count;
        }
    }
    (largest[0], group.total() - largest[..keep].iter().map(|&count| u64::from(count)).sum::<u64>())
}

#[derive(Debug)]
struct Bound {
    principle: RecursiveLDiversity,
    c: Fraction,
}

impl Test for Bound {
    fn holds(&self, group: &Bag) -> bool {
        let (top, tail) = top_and_tail(group, self.principle.l);
        self.c.times_cmp(tail.into(), top.into()).is_gt()
    }

    fn divisible(&self, group: &Bag) -> bool {
        group.size() / 2 >= self.least_size() && room_for_two(group, self.principle.l)
    }

    fn monotone(&self) -> bool {
        true
    }

    fn attained(&self, group: &Bag) -> Attained {
        self.principle.level(group)
    }

    /// The values before the tail have at least one row each and the tail has more than r1/c >= 1/c.
    fn least_size(&self) -> u64 {
        self.principle.l.saturating_add(self.c.floor_of_inverse())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn test(c: &str, l: u64) -> Box<dyn Test> {
        let principle = RecursiveLDiversity::new(Decimal::parse(c).unwrap(), l).unwrap();
        principle.bind(&Domain::nominal(vec![]), &Bag::default()).unwrap()
    }

    fn counts(counts: &[u64]) -> Bag {
        Bag::from_histogram(counts)
    }

    #[test]
    fn the_bound_is_strict() {
        assert!(test("2", 3).holds(&counts(&[5, 3, 2, 1])));
        assert!(!test("2", 3).holds(&counts(&[6, 3, 2, 1])));
        assert!(test("2.0000000000000000000000000000001", 3).holds(&counts(&[6, 3, 2, 1])));
        assert!(!test("1", 2).holds(&counts(&[1, 1])) && test("1.01", 2).holds(&counts(&[1, 1])));
    }

    #[test]
    fn too_few_values_fail_whatever_c() {
        let giant = "99999999999999999999999999999999999999";
        assert!(!test(giant, 3).holds(&counts(&[4, 4])) && !test(giant, 2).holds(&Bag::default()));
        assert_eq!(test("2", 3).attained(&counts(&[4, 4])).figure("c"), Some("none"));
        assert_eq!(test("2", u64::MAX).attained(&counts(&[4, 4])).figure("c"), Some("none"));
    }

    #[test]
    fn the_figure_itself_passes() {
        let group = counts(&[5, 3, 2, 1]);
        let attained = test("9", 3).attained(&group);
        assert_eq!(attained.figures, [("c", "1.6667".to_string()), ("l", "3".to_string())]);
        assert!(test("1.6667", 3).holds(&group) && !test("1.6666", 3).holds(&group));
        assert_eq!(test("9", 3).attained(&counts(&[6, 3, 2, 1])).figure("c"), Some("2.0001"));
    }

    #[test]
    fn long_tails_are_found_by_selection() {
        let many: Vec<u64> = (1..=40).rev().chain([40, 17]).collect();
        let naive = |l: usize| {
            let mut sorted = many.clone();
            sorted.sort_unstable_by(|a, b| b.cmp(a));
            (sorted[0] as u32, sorted[l - 1..].iter().sum::<u64>())
        };
        for l in 2..=42 {
            assert_eq!(top_and_tail(&counts(&many), l as u64), naive(l), "{l}");
        }
        assert_eq!(top_and_tail(&counts(&many), 43), (40, 0));
    }

    #[test]
    fn least_sizes() {
        assert_eq!((test("2", 3).least_size(), test("1", 2).least_size(), test("0.5", 2).least_size()), (3, 3, 4));
        assert!(!test("1", 2).holds(&counts(&[1, 1])) && test("1", 2).holds(&counts(&[1, 1, 1])));
        assert_eq!(test("0.000000000000000000000000000000000001", 2).least_size(), u64::MAX);
    }
}
