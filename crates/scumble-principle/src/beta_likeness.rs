//! beta-likeness: no value becomes much likelier by knowing the group.

mod bound;

use crate::column_facts::texts;
use crate::exact::sum;
use crate::parameter::{Parameter, Range};
use crate::plain_words::{NO_CHANCE, percentage};
use crate::principle::shared;
use crate::{Attained, Entry, PlainWords, Principle, Subject, Test};
use bound::Bound;
use scumble_table::{Bag, Decimal, Domain, Result};
use std::fmt;

pub(crate) static ENTRY: Entry = Entry {
    name: "beta-likeness",
    aliases: &["basic-beta-likeness"],
    parameters: &[
        Parameter::new("beta", Range::AtLeast(0)),
        Parameter::new("gain", Range::Word(&Gain::NAMES)).optional(),
    ],
    help: "in every group no sensitive value has a share that exceeds its share in the whole table by more than beta times that",
    example: "beta-likeness(2)",
    reference: "J. Cao, P. Karras: Publishing microdata with a robust privacy guarantee. PVLDB 5(11), 2012",
    monotone: true,
    strictest: |_| Ok(vec![shared(BetaLikeness::new(Decimal::ZERO, Gain::Basic))?]),
    usual: |_| Some(vec![texts(&["0.5", "1", "2", "3", "4", "5"]), texts(&[""])]),
    ..Entry::parsed_by(|arguments| {
        let word = arguments.word(1, &Gain::NAMES)?;
        let gain = Gain::ALL.into_iter().find(|gain| gain.name() == word).unwrap_or(Gain::Basic);
        shared(BetaLikeness::new(arguments.number(0)?, gain))
    })
};

/// In every group the share of each sensitive value exceeds its share in the whole table by at most `beta` times the latter.
///
/// # Guarantees
/// Somebody who finds the group of a person becomes at most `1 + beta` times as sure of a value as the whole table made them. Unlike the distance
/// of t-closeness, the bound is relative: it protects a rare value as well as a frequent one.
///
/// # Definition
/// For every value with share p of the published rows and share q of the group, q > p, the *gain* (q - p) / p is at most
/// `beta`. [`Gain`] may ask for more: `enhanced` bounds the gain by min(beta, -ln p), which keeps q below 1 whatever beta is, and
/// the two-sided forms bound the *loss* (p - q) / p by `beta` too. Null is a value like another. Where people have several rows,
/// shares are of people.
///
/// Where rows are judged every form is monotone: the share in the union of two groups lies between the shares in them, and what is allowed is an interval.
///
/// # Does not guarantee
/// Basic and two-sided: a value whose share is at least 1 / (1 + beta) may fill a group. All forms: what the whole table tells is not
/// hidden, and values close in meaning count as different. Without a two-sided form a value may be ruled out, for q may be 0.
///
/// # Cost
/// One pass over the values of the group, O(V) space for a column of V values. Logarithms are decided by floats with a margin, and within the
/// margin by as many digits as it takes.
///
/// # Example
/// In the table one person in a hundred has HIV. A group where eleven in a hundred have it is within 0.1 of the table by t-closeness, as is one of
/// fifty in a hundred in a table of forty; the gain is 10 in the first and 0.25 in the second.
///
/// # Reference
/// J. Cao, P. Karras: Publishing microdata with a robust privacy guarantee. Proceedings of the VLDB Endowment 5(11), 2012.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct BetaLikeness {
    beta: Decimal,
    gain: Gain,
}

/// Which changes of a share are bounded, and by what.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Gain {
    /// What a share gains, by beta (the paper's Definition 2).
    Basic,
    /// What a share gains, by the lesser of beta and -ln p (Definition 3).
    Enhanced,
    /// What a share gains or loses, by beta.
    TwoSided,
    /// What a share gains, by the lesser of beta and -ln p, and what it loses, by beta.
    EnhancedTwoSided,
}

impl Gain {
    /// All forms, in the order they are offered to users.
    pub const ALL: [Gain; 4] = [Gain::Basic, Gain::Enhanced, Gain::TwoSided, Gain::EnhancedTwoSided];

    /// Their words in the notation.
    const NAMES: [&'static str; 4] = ["basic", "enhanced", "two-sided", "enhanced-two-sided"];

    /// The word in the notation.
    pub fn name(self) -> &'static str {
        Gain::NAMES[self as usize]
    }

    /// True if -ln p bounds the gain too.
    pub fn is_enhanced(self) -> bool {
        matches!(self, Gain::Enhanced | Gain::EnhancedTwoSided)
    }

    /// True if losses are bounded too.
    pub fn is_two_sided(self) -> bool {
        matches!(self, Gain::TwoSided | Gain::EnhancedTwoSided)
    }

    /// The same without the bound of -ln p.
    fn plain(self) -> Gain {
        if self.is_two_sided() { Gain::TwoSided } else { Gain::Basic }
    }
}

impl fmt::Display for Gain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl BetaLikeness {
    /// `beta` must be at least 0.
    pub fn new(beta: Decimal, gain: Gain) -> Result<Self> {
        Ok(BetaLikeness { beta: ENTRY.check(0, beta)?, gain })
    }

    /// The greatest gain.
    pub fn beta(&self) -> Decimal {
        self.beta
    }

    /// Which changes of a share are bounded.
    pub fn gain(&self) -> Gain {
        self.gain
    }
}

impl Principle for BetaLikeness {
    fn entry(&self) -> &'static Entry {
        &ENTRY
    }

    fn notation(&self) -> String {
        match self.gain {
            Gain::Basic => format!("{}({})", ENTRY.name, self.beta),
            gain => format!("{}({}, {gain})", ENTRY.name, self.beta),
        }
    }

    fn can_ignore_missing(&self) -> bool {
        true
    }

    fn bind(&self, domain: &Domain, whole: &Bag) -> Result<Box<dyn Test>> {
        Ok(Box::new(Bound::new(self, domain, whole)?))
    }

    /// Where a gain is above -ln p no beta will do, and the form without that bound is the nearest.
    fn nearest(&self, attained: &Attained) -> Option<String> {
        let beta = Decimal::parse(attained.figure("beta")?)?.max(self.beta);
        let within_ln = attained.figure("above_ln").is_none_or(|above| above == "0");
        let gain = if within_ln { self.gain } else { self.gain.plain() };
        BetaLikeness::new(beta, gain).ok().map(|principle| principle.notation())
    }

    fn reason(&self, attained: &Attained, column: &str) -> String {
        let beta = attained.figure("beta").unwrap_or("0");
        format!("the share of a value of `{column}` differs from its share in the whole by {beta} times the latter")
    }

    fn plain_words(&self, subject: &Subject<'_>) -> Option<PlainWords> {
        let (one, many) = (subject.counted.one(), subject.counted.many());
        let (beta, repeat, subject) = (self.beta, subject.repeat, subject.name());
        let (points, times) = (percentage(beta), sum(beta, Decimal::from(1)).unwrap_or(beta));
        let rare = match self.gain.is_enhanced() {
            true if repeat => " No share in a group reaches p (1 − ln p), where p is its share in the release.",
            true => {
                " No share in a group reaches p (1 − ln p), where p is its share in the release, so nobody becomes certain of a value."
            }
            false => "",
        };
        let below = match self.gain.is_two_sided() {
            true => format!(", nor falls below it by more than {points} of it"),
            false => String::new(),
        };
        let certain = match self.gain.is_enhanced() {
            true => String::new(),
            false => {
                format!("A value that at least 1 in {times} of all {many} have may belong to all {many} of a group. ")
            }
        };
        let absent = match self.gain.is_two_sided() && beta < Decimal::from(1) {
            true => "",
            false => "A value may be missing from a group, which tells that nobody in it has that value. ",
        };
        Some(PlainWords {
            family: "beta-likeness",
            demands: format!(
                "in every group no value of {subject} has a share that exceeds its share in the whole release by more than {points} of \
                 it{below}"
            ),
            hides: match repeat {
                true => format!(
                    "The share of the people of a group who have a certain value of {subject} is at most {times} times its share of the \
                     people of the whole release, however rare the value is.{rare} {NO_CHANCE}"
                ),
                false => format!(
                    "Knowing a {one}’s group makes it at most {times} times as likely, in proportion, that the {one} has a certain value of \
                     {subject} as the release as a whole says, however rare the value is.{rare}"
                ),
            },
            leaves: format!(
                "What the release says as a whole is not hidden. The sizes of groups are not bounded. {certain}{absent}Values that \
                 differ count as different however close they are."
            ),
            guards_values: true,
        })
    }
}

#[cfg(test)]
mod tests;
