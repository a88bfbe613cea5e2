//! Plain hierarchies for columns that have none: ladders of intervals, calendar steps, masked codes, rare labels
//! taken together.
//!
//! | rule | for | a level |
//! |---|---|---|
//! | `optimal` | numbers, ordinals; dates if asked | the intervals of enough rows that lose least entropy |
//! | `equal-frequency` | the same | intervals between quantiles |
//! | `calendar` | dates | months, quarters, years, decades |
//! | `prefix` | codes such as `13053` | all but the first characters masked: `130**` |
//! | `frequency` | labels | labels that fewer rows have than a bound, together |
//!
//! From one level to the next intervals and bounds double, so a large column gets four levels or so between the value
//! and `*`. Each level is made of the one below: two values that share a group at a level share all groups above.

mod calendar;
mod frequency;
mod intervals;
mod prefix;
#[cfg(test)]
mod tests;
mod tree;

pub use tree::plain_tree;

use scumble_table::{Attribute, ConditionalHierarchy, Error, Hierarchy, Kind, NULL, Result, nearest};
use std::fmt;
use std::str::FromStr;

/// How a plain hierarchy is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LadderRule {
    /// Intervals that lose least.
    Optimal,
    /// Intervals between quantiles.
    EqualFrequency,
    /// Months, quarters, years, decades.
    Calendar,
    /// First characters of a code.
    Prefix,
    /// Rare labels together.
    Frequency,
}

impl LadderRule {
    /// All rules, in the order they are offered to users.
    pub const ALL: [LadderRule; 5] = [
        LadderRule::EqualFrequency,
        LadderRule::Optimal,
        LadderRule::Calendar,
        LadderRule::Prefix,
        LadderRule::Frequency,
    ];

    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            LadderRule::EqualFrequency => "equal-frequency",
            LadderRule::Optimal => "optimal",
            LadderRule::Calendar => "calendar",
            LadderRule::Prefix => "prefix",
            LadderRule::Frequency => "frequency",
        }
    }

    /// The rule for a column where nothing is said. Labels are codes if all have the same length and a digit.
    pub fn of(attribute: &Attribute) -> LadderRule {
        match attribute.domain.kind() {
            Kind::Number => LadderRule::Optimal,
            Kind::Date => LadderRule::Calendar,
            Kind::Ordinal | Kind::Nominal if prefix::are_codes(&attribute.domain) => LadderRule::Prefix,
            Kind::Ordinal => LadderRule::Optimal,
            Kind::Nominal => LadderRule::Frequency,
        }
    }
}

impl fmt::Display for LadderRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for LadderRule {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        LadderRule::ALL.into_iter().find(|rule| rule.name() == text).ok_or_else(|| {
            let hint = match nearest(text, LadderRule::ALL.map(LadderRule::name)) {
                Some(name) => format!("did you mean `{name}`?"),
                None => "one of equal-frequency, optimal, calendar, prefix, frequency".into(),
            };
            Error::request("kind", text, "there is no such kind of hierarchy").hint(hint)
        })
    }
}

/// A plain hierarchy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Automatic {
    /// Intervals of an ordered column: a conditional hierarchy without contexts.
    Intervals(ConditionalHierarchy),
    /// A tree of labels.
    Tree(Hierarchy),
}

/// How fine a hierarchy begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Fineness {
    /// Rows that every interval or group of labels must stand for; calendar steps and masks do not look at rows.
    pub least: Option<u64>,
    /// How many intervals the finest level is to have, about.
    pub groups: Option<u64>,
}

/// The plain hierarchy of a column that has none, by the rule that suits it. `histogram` counts rows by code.
///
/// # Errors
/// If the column has no value at all.
pub fn automatic(attribute: &Attribute, histogram: &[u64]) -> Result<Automatic> {
    build(attribute, histogram, LadderRule::of(attribute), Fineness::default())
}

/// The plain hierarchy of a column by a rule.
///
/// # Errors
/// If the column has no value, or the rule does not suit it.
pub fn build(attribute: &Attribute, histogram: &[u64], rule: LadderRule, fineness: Fineness) -> Result<Automatic> {
    let (name, domain) = (&attribute.name, &attribute.domain);
    if domain.is_empty() {
        return Err(Error::request("--for", name, "the column has no value at all"));
    }
    let mut rows = histogram.to_vec();
    rows[NULL as usize] = 0;
    let suits = match rule {
        LadderRule::Optimal | LadderRule::EqualFrequency => domain.kind().is_ordered(),
        LadderRule::Calendar => domain.kind() == Kind::Date,
        LadderRule::Prefix => true,
        // Numbers and dates have neighbours, which belong together more than what is rare does.
        LadderRule::Frequency => !matches!(domain.kind(), Kind::Number | Kind::Date),
    };
    if !suits {
        let (wanted, other) = match rule {
            LadderRule::Calendar => ("dates", LadderRule::of(attribute)),
            LadderRule::Frequency => ("labels", LadderRule::of(attribute)),
            _ => ("columns with an order", LadderRule::Frequency),
        };
        let reason = format!("it is for {wanted}, and `{name}` is {}", domain.kind());
        return Err(Error::request("--kind", rule.name(), reason).hint(format!("try {other}")));
    }
    let ladder = |levels: Vec<scumble_table::Cuts>| {
        // A hierarchy needs a level; where nothing can be divided it is a single interval.
        let levels = if levels.is_empty() { vec![Vec::new()] } else { levels };
        Automatic::Intervals(ConditionalHierarchy::plain(name, levels))
    };
    match rule {
        LadderRule::Optimal => Ok(ladder(intervals::optimal(domain, &rows, fineness))),
        LadderRule::EqualFrequency => Ok(ladder(intervals::equal_frequency(domain, &rows, fineness))),
        LadderRule::Calendar => Ok(ladder(calendar::steps(domain))),
        LadderRule::Prefix => prefix::tree(name, domain).map(Automatic::Tree),
        LadderRule::Frequency => frequency::tree(name, domain, &rows, fineness).map(Automatic::Tree),
    }
}
