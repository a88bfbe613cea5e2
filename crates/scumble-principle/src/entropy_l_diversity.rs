//! Entropy l-diversity: every group is as diverse as `l` equally frequent values.

mod boundary;

use crate::exact::{Fraction, Round, rounded};
use crate::frequency_l_diversity::USUAL_L;
use crate::parameter::{Parameter, Range, largest};
use crate::plain_words::{BLIND_TO_MEANING, NO_CHANCE, ONCE_FOR_EACH};
use crate::principle::shared;
use crate::test::room_for_two;
use crate::{Attained, Entry, PlainWords, Principle, Subject, Test};
use scumble_table::figures::grouped;
use scumble_table::{Bag, Decimal, Domain, Ratio, Result};
use std::sync::LazyLock;

pub(crate) static ENTRY: Entry = Entry {
    name: "entropy-l-diversity",
    parameters: &[Parameter::new("l", Range::AtLeast(1))],
    help: "in every group the entropy of the sensitive values is at least log l",
    example: "entropy-l-diversity(3)",
    reference: "A. Machanavajjhala et al.: l-diversity: privacy beyond k-anonymity. TKDD 1(1), 2007",
    monotone: true,
    larger_is_stricter: true,
    strictest: |_| Ok(vec![shared(EntropyLDiversity::new(largest()))?]),
    usual: |facts| Some(vec![facts.up_to_with_most(USUAL_L)]),
    ..Entry::parsed_by(|arguments| shared(EntropyLDiversity::new(arguments.number(0)?)))
};

/// In every group the entropy of the sensitive values is at least `log l`.
///
/// # Guarantees
/// Someone who finds the group of a person is as uncertain of the value, on average, as among `l`
/// equally frequent ones; in particular the group has at least `l` different values.
///
/// # Definition
/// A group of n rows whose values occur c1, ..., cm times passes if the sum of -(ci/n) log(ci/n) is
/// at least log l. Without logarithms: n^n >= l^n * c1^c1 * ... * cm^cm. Null counts as a value.
///
/// # Does not guarantee
/// A bound on the share of one value: many rare values make up for a frequent one. Ask for
/// frequency-l-diversity where the share matters.
///
/// # Cost
/// One pass over the counts of the group, with a table of logarithms. Whole-number bounds decide
/// most groups, floats with a margin almost all others. What lies inside the margin is decided
/// exactly: by powers in small groups, by logarithms of as many digits as it takes in large ones.
///
/// # Example
/// Four values that occur once each and one that occurs four times have the entropy of four equally
/// frequent values: the group passes `entropy-l-diversity(4)` exactly, although half its rows share
/// a value.
///
/// # Reference
/// A. Machanavajjhala, D. Kifer, J. Gehrke, M. Venkitasubramaniam: l-diversity: privacy beyond
/// k-anonymity. ACM Transactions on Knowledge Discovery from Data 1(1), 2007.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct EntropyLDiversity {
    l: Decimal,
}

impl EntropyLDiversity {
    /// `l` must be at least 1.
    pub fn new(l: Decimal) -> Result<Self> {
        Ok(EntropyLDiversity { l: ENTRY.check(0, l)? })
    }

    /// The number of equally frequent values to be matched.
    pub fn l(&self) -> Decimal {
        self.l
    }
}

impl Principle for EntropyLDiversity {
    fn entry(&self) -> &'static Entry {
        &ENTRY
    }

    fn notation(&self) -> String {
        format!("{}({})", ENTRY.name, self.l)
    }

    fn bind(&self, _domain: &Domain, _whole: &Bag) -> Result<Box<dyn Test>> {
        Ok(Box::new(Bound::new(Fraction::new(self.l))))
    }

    fn nearest(&self, attained: &Attained) -> Option<String> {
        let l = Decimal::parse(attained.figure("l")?)?.min(self.l);
        EntropyLDiversity::new(l).ok().map(|principle| principle.notation())
    }

    fn reason(&self, attained: &Attained, column: &str) -> String {
        let l = attained.figure("l").unwrap_or("1");
        format!("the values of `{column}` are as diverse as {l} equally frequent ones")
    }

    fn plain_words(&self, subject: &Subject<'_>) -> Option<PlainWords> {
        let (l, repeat, subject) = (self.l, subject.repeat, subject.name());
        // A mixture of fewer values cannot reach that entropy.
        let distinct = grouped(Fraction::new(l).ceil());
        Some(PlainWords {
            family: "Entropy l-diversity",
            demands: format!(
                "in every group the values of {subject} are mixed at least as well, measured by their entropy, as {l} \
                 equally common values are"
            ),
            hides: match repeat {
                true => format!(
                    "The values of {subject} in a group, {ONCE_FOR_EACH}, are mixed as well as {l} equally common values would be, and \
                     there are at least {distinct} different ones. {NO_CHANCE}"
                ),
                false => format!(
                    "On the whole, the values of {subject} in a group leave as much doubt as {l} equally common values would, \
                     and there are at least {distinct} different ones."
                ),
            },
            leaves: match repeat {
                true => format!(
                    "Entropy is a measure of the whole mixture: a value may belong to everybody in a group, if they have others as well. \
                     {BLIND_TO_MEANING}"
                ),
                false => format!(
                    "Entropy is a measure of the whole mixture: the most common value alone may belong to more than 1 in {l} of \
                     the group, if the others are well spread. {BLIND_TO_MEANING}"
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

#[derive(Debug)]
struct Bound {
    l: Fraction,
    log_l: f64,
    least: u64,
}

/// `c * ln(c)` for the counts of almost all groups: 4096 floats fill half of a first-level cache,
/// and larger counts are so few that their logarithm may be computed.
static C_LOG_C: LazyLock<Vec<f64>> =
    LazyLock::new(|| (0..4096u32).map(|c| if c == 0 { 0.0 } else { c_log_c(c) }).collect());

fn c_log_c(c: u32) -> f64 {
    f64::from(c) * f64::from(c).ln()
}

/// The entropy of a group and how far rounding may have led it astray.
///
/// The sum of s non-negative terms, each with a relative error of a few 2^-53, has a relative error
/// of at most s + 4 of them, and the sum divided by n is at most ln n. The margin takes eight times
/// that, since the accuracy of the logarithm is not promised, and adds as much for ln n and ln l.
fn entropy(group: &Bag, log_l: f64) -> (f64, f64) {
    let table = &**C_LOG_C;
    let sum: f64 =
        group.counts().iter().map(|&(_, c)| table.get(c as usize).copied().unwrap_or_else(|| c_log_c(c))).sum();
    let size = group.total() as f64;
    let log_n = size.ln();
    let margin = (group.distinct() as f64 + 16.0) * 8.0 * f64::EPSILON / 2.0 * (log_n + log_l + 1.0);
    (log_n - sum / size, margin)
}

impl Bound {
    fn new(l: Fraction) -> Self {
        Bound { l, log_l: l.to_f64().ln(), least: l.ceil() }
    }

    /// The answer where whole-number bounds or floats settle it.
    fn quick(&self, group: &Bag) -> Option<bool> {
        // Entropy is at most the log of the number of values, and at least that of n / top.
        if (group.distinct() as u64) < self.least {
            return Some(false);
        }
        if self.l.times_cmp(group.top().into(), group.total().into()).is_le() {
            return Some(true);
        }
        let (entropy, margin) = entropy(group, self.log_l);
        let slack = entropy - self.log_l;
        if slack > margin {
            Some(true)
        } else if slack < -margin {
            Some(false)
        } else {
            None
        }
    }
}

/// Figures count in steps of 1/10000.
const UNIT: u128 = 10_000;

/// exp(entropy) in whole units, rounded down. Two lower bounds are at hand: what the floats vouch
/// for, and n / top, which is exact where all values are equally frequent.
fn whole_units(group: &Bag, entropy: f64, margin: f64) -> u128 {
    let vouched = (entropy - 2.0 * margin).exp() * UNIT as f64;
    let units = (vouched as u128).max(u128::from(group.total()) * UNIT / u128::from(group.top()));
    let next = Bound::new(Fraction::ratio(units + 1, UNIT));
    let reached = next.quick(group).unwrap_or_else(|| boundary::reaches(group, next.l));
    units + u128::from(reached)
}

impl Test for Bound {
    fn holds(&self, group: &Bag) -> bool {
        group.size() > 0 && self.quick(group).unwrap_or_else(|| boundary::reaches(group, self.l))
    }

    fn divisible(&self, group: &Bag) -> bool {
        room_for_two(group, self.least)
    }

    fn monotone(&self) -> bool {
        true
    }

    /// The score is the figure, and among groups of one figure what the floats see beyond it. So a
    /// rounding error may pick another of the worst groups, but never a better figure.
    fn attained(&self, group: &Bag) -> Attained {
        const STEPS: u128 = 1 << 20;
        if group.size() == 0 {
            return Attained::new(0, vec![("l", "0".into())]);
        }
        let (entropy, margin) = entropy(group, 0.0);
        let units = whole_units(group, entropy, margin);
        let beyond = ((entropy.exp() * UNIT as f64 - units as f64) * STEPS as f64) as u128;
        let score = Ratio::new((units * STEPS + beyond.min(STEPS - 1)) as i128, (UNIT * STEPS) as i128);
        Attained::new(score, vec![("l", rounded(units, UNIT, Round::Down))])
    }

    fn least_size(&self) -> u64 {
        self.least
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn test(l: &str) -> Box<dyn Test> {
        let principle = EntropyLDiversity::new(Decimal::parse(l).unwrap()).unwrap();
        principle.bind(&Domain::nominal(vec![]), &Bag::default()).unwrap()
    }

    fn counts(counts: &[u64]) -> Bag {
        Bag::from_histogram(counts)
    }

    #[test]
    fn the_boundary_itself_passes() {
        // Half the rows in one value, the rest spread over four: the entropy of four values.
        let dyadic = counts(&[4, 1, 1, 1, 1]);
        assert!(test("4").holds(&dyadic) && !test("4.0000000000000000000000000000000001").holds(&dyadic));
        let large = counts(&[4_000_000, 1_000_000, 1_000_000, 1_000_000, 1_000_000]);
        assert!(test("4").holds(&large) && !test("4.0000000000000000000000000000000001").holds(&large));
        assert_eq!(test("2").attained(&large).figure("l"), Some("4"));
        assert!(test("3").holds(&counts(&[7, 7, 7])) && !test("3.00000000000001").holds(&counts(&[7, 7, 7])));
    }

    #[test]
    fn large_groups_on_the_edge_are_settled_in_time() {
        // Half the rows in one value, a quarter in another, the rest all different: 64 exactly.
        let mut dyadic = vec![1u64; 1 << 18];
        dyadic.extend([1 << 18, 1 << 19]);
        assert!(test("64").holds(&counts(&dyadic)));
        assert!(!test("64.00000000000000000000000000000000001").holds(&counts(&dyadic)));
        assert_eq!(test("2").attained(&counts(&dyadic)).figure("l"), Some("64"));
        // exp(entropy) is 1.88990837165536690014621188991241...
        let skewed = counts(&[333_333, 666_666, 1]);
        assert!(test("1.889908371655366900146211889912412").holds(&skewed));
        assert!(!test("1.889908371655366900146211889912413").holds(&skewed));
    }

    #[test]
    fn edges() {
        assert!(!test("1").holds(&Bag::default()) && test("1").holds(&counts(&[5])));
        assert!(!test("1.000000000000000000000000000000000001").holds(&counts(&[5])));
        assert!(!test("99999999999999999999999999999999999999").holds(&counts(&[5, 5])));
        assert_eq!(test("3").attained(&Bag::default()).figure("l"), Some("0"));
        assert_eq!(test("3").attained(&counts(&[9])).figure("l"), Some("1"));
        assert_eq!(test("3").attained(&counts(&[2, 2, 2])).figure("l"), Some("3"));
    }

    #[test]
    fn figures_are_attained() {
        // exp(entropy) of (1/4, 1/4, 1/2) is 2^1.5 = 2.82842...
        let group = counts(&[1, 1, 2]);
        assert_eq!(test("2").attained(&group).figure("l"), Some("2.8284"));
        assert!(test("2.8284271247461900976033774484").holds(&group));
        assert!(!test("2.8284271247461900976033774485").holds(&group));
    }

    #[test]
    fn many_values() {
        let many = counts(&vec![1; 300_000]);
        assert!(test("300000").holds(&many) && !test("300000.0001").holds(&many));
        assert_eq!(test("2").attained(&many).figure("l"), Some("300000"));
        // One value twice: the entropy of slightly fewer values, and the figure never claims more.
        let mut uneven = vec![1; 2_000_000];
        uneven[7] = 2;
        let attained = test("2").attained(&counts(&uneven));
        let figure: f64 = attained.figure("l").unwrap().parse().unwrap();
        let truth = 2_000_001.0 * (-2.0 * 2f64.ln() / 2_000_001.0).exp();
        assert!(figure <= truth && figure > truth - 0.2, "{figure} {truth}");
    }
}
