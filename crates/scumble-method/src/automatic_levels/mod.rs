//! Automatic levels for columns that have no hierarchy: intervals, calendar steps, masked codes, rare labels taken
//! together.
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

use crate::choice::choice_by_name;
use scumble_table::{Attribute, ConditionalHierarchy, Error, Hierarchy, Kind, Monitor, NULL, Result};

/// How a plain hierarchy is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LevelRule {
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

impl LevelRule {
    /// The rule for a column where nothing is said. Labels are codes if all have the same length and a digit.
    pub fn for_column(attribute: &Attribute) -> LevelRule {
        match attribute.domain.kind() {
            Kind::Number => LevelRule::Optimal,
            Kind::Date => LevelRule::Calendar,
            Kind::Ordinal | Kind::Nominal if prefix::are_codes(&attribute.domain) => LevelRule::Prefix,
            Kind::Ordinal => LevelRule::Optimal,
            Kind::Nominal => LevelRule::Frequency,
        }
    }
}
choice_by_name!(
    LevelRule,
    "kind",
    "kind of hierarchy",
    [
        EqualFrequency = "equal-frequency",
        Optimal = "optimal",
        Calendar = "calendar",
        Prefix = "prefix",
        Frequency = "frequency",
    ]
);

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
pub fn automatic(attribute: &Attribute, histogram: &[u64], monitor: Monitor<'_>) -> Result<Automatic> {
    build(attribute, histogram, LevelRule::for_column(attribute), Fineness::default(), monitor)
}

/// The plain hierarchy of a column by a rule.
///
/// # Errors
/// If the column has no value, or the rule does not suit it.
pub fn build(
    attribute: &Attribute,
    histogram: &[u64],
    rule: LevelRule,
    fineness: Fineness,
    monitor: Monitor<'_>,
) -> Result<Automatic> {
    monitor.check()?;
    let (name, domain) = (&attribute.name, &attribute.domain);
    if domain.is_empty() {
        return Err(Error::request("for", name, "the column has no value at all"));
    }
    let mut rows = histogram.to_vec();
    rows[NULL as usize] = 0;
    let suits = match rule {
        LevelRule::Optimal | LevelRule::EqualFrequency => domain.kind().is_ordered(),
        LevelRule::Calendar => domain.kind() == Kind::Date,
        LevelRule::Prefix => true,
        // Numbers and dates have neighbours, which belong together more than what is rare does.
        LevelRule::Frequency => !matches!(domain.kind(), Kind::Number | Kind::Date),
    };
    if !suits {
        let (wanted, other) = match rule {
            LevelRule::Calendar => ("dates", LevelRule::for_column(attribute)),
            LevelRule::Frequency => ("labels", LevelRule::for_column(attribute)),
            _ => ("columns with an order", LevelRule::Frequency),
        };
        let reason = format!("it is for {wanted}, and `{name}` is {}", domain.kind());
        return Err(Error::request("kind", rule.name(), reason).hint(format!("try {other}")));
    }
    let of_intervals = |levels: Vec<scumble_table::Cuts>| {
        // A hierarchy needs a level; where nothing can be divided it is a single interval.
        let levels = if levels.is_empty() { vec![Vec::new()] } else { levels };
        Automatic::Intervals(ConditionalHierarchy::plain(name, levels))
    };
    let built = match rule {
        LevelRule::Optimal => Ok(of_intervals(intervals::optimal(domain, &rows, fineness, monitor))),
        LevelRule::EqualFrequency => Ok(of_intervals(intervals::equal_frequency(domain, &rows, fineness))),
        LevelRule::Calendar => Ok(of_intervals(calendar::steps(domain))),
        LevelRule::Prefix => prefix::tree(name, domain, monitor).map(Automatic::Tree),
        LevelRule::Frequency => frequency::tree(name, domain, &rows, fineness).map(Automatic::Tree),
    };
    monitor.conclude(built)
}
