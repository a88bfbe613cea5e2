//! Construction rules: what is done to records before anything else (Construction(D, G), algorithm 1 in section 4.2.1
//! of the paper on correlation and risk).
//!
//! ```text
//! load ──► rules, one after the other ──► domains rebuilt ──► everything else
//! ```
//!
//! **Definition.** A rule is a condition over the columns and actions. In the order in which they stand, each rule
//! looks at the records as the rules before it left them; those that meet its condition are deleted, or get some of
//! their values blanked, held below or above a bound, or made coarser. A rule without a condition is for all records.
//!
//! **Guarantees.** After the rules no domain holds a value that only deleted or changed records had: the table is as if
//! it had been read from a file without them, so that nothing of them can reach a release. Nor does anything else tell of
//! the rules there: a release does not say that records were deleted, or how many; only its publisher learns it.
//!
//! **Missing values** meet no test but `is missing`, see [`Condition`]. Bounds and steps leave them missing.
//!
//! **Rules that can do nothing are errors** where that is certain without looking at the data: a condition that
//! contradicts itself, or that only records meet which an earlier rule has deleted. A condition that merely matches
//! no record of this table is a warning.

mod action;
mod apply;
mod change;
mod condition;
mod file_form;
mod lookup;
mod predicate;
mod reach;
#[cfg(test)]
mod tests;
mod value;
mod working;

pub use action::RuleAction;
pub use condition::Condition;

pub use apply::{RuleColumn, apply};

use condition::Fault;
use scumble_table::{Error, Result, did_you_mean};
use serde::Serialize;

/// Rules in the order in which they are applied.
#[derive(Debug, Clone, Default)]
pub struct Rules {
    /// Where they stand, for messages.
    file: String,
    rules: Vec<Rule>,
}

/// A rule: which records it is for, and what it does to them.
#[derive(Debug, Clone)]
pub struct Rule {
    /// What to call it.
    pub name: String,
    /// Which records it is for; all where nothing is given.
    pub when: Option<Condition>,
    /// What it does to them: a deletion alone, or changes.
    pub actions: Vec<RuleAction>,
    /// Where the rule and its condition stand.
    lines: Option<(u64, u64)>,
}

impl Rule {
    /// A rule for all records.
    pub fn new(name: impl Into<String>, actions: Vec<RuleAction>) -> Self {
        Rule { name: name.into(), when: None, actions, lines: None }
    }

    /// The same rule for the records that meet a condition.
    #[must_use]
    pub fn when(mut self, condition: Condition) -> Self {
        self.when = Some(condition);
        self
    }
}

/// Rules are the same wherever they stand.
impl PartialEq for Rule {
    fn eq(&self, other: &Rule) -> bool {
        (&self.name, &self.when, &self.actions) == (&other.name, &other.when, &other.actions)
    }
}

impl Eq for Rule {}

impl PartialEq for Rules {
    fn eq(&self, other: &Rules) -> bool {
        self.rules == other.rules
    }
}

impl Eq for Rules {}

/// What a rule did, for the publisher's eyes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RuleCount {
    /// The rule.
    pub name: String,
    /// Records that met its condition when its turn came.
    pub matched: u64,
    /// Records of them in which a value is another now.
    pub changed: u64,
    /// Records of them that were deleted.
    pub deleted: u64,
    /// Cells whose value is another now.
    pub cells: u64,
}

impl Rules {
    /// Rules in this order.
    pub fn new(rules: Vec<Rule>) -> Self {
        Rules { file: "rules".into(), rules }
    }

    /// True if there is none.
    pub fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    /// The rules in their order.
    pub fn iter(&self) -> impl Iterator<Item = &Rule> {
        self.rules.iter()
    }

    /// Whether a condition asks about a column.
    pub fn ask_about(&self, name: &str) -> bool {
        let asked = |rule: &Rule| rule.when.as_ref().is_some_and(|when| when.columns().iter().any(|(n, _)| *n == name));
        self.rules.iter().any(asked)
    }

    /// All columns that conditions ask about, each once, in their order.
    pub fn asked_columns(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for (name, _) in self.rules.iter().filter_map(|rule| rule.when.as_ref()).flat_map(Condition::columns) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }

    /// Refuses columns that the data does not have, and changes of columns that are not published, before it is read.
    pub fn check_columns(&self, names: &[String], published: impl Fn(&str) -> bool) -> Result<()> {
        let unknown = |name: &str| match names.iter().any(|known| known == name) {
            true => None,
            false => Some(no_column(name, names)),
        };
        for rule in &self.rules {
            let asked = rule.when.iter().flat_map(Condition::columns);
            let asked = asked.filter_map(|(name, at)| unknown(name).map(|fault| fault.at(at)));
            let changed = rule.actions.iter().filter_map(|action| {
                let name = action.column()?;
                unknown(name).or_else(|| (!published(name)).then(|| not_published(action, name)))
            });
            if let Some(fault) = asked.chain(changed).next() {
                return Err(self.error(rule, fault));
            }
        }
        Ok(())
    }

    /// A fault of a rule, with its place.
    fn error(&self, rule: &Rule, fault: Fault) -> Error {
        error(&self.file, &rule.name, rule.lines, fault)
    }
}

fn error(file: &str, rule: &str, lines: Option<(u64, u64)>, fault: Fault) -> Error {
    let line = lines.map(|(whole, when)| if fault.at.is_some() { when } else { whole });
    let place = fault.reason_with_place("its condition");
    let comma = if fault.at.is_some() { "," } else { ":" };
    let error = Error::data(file, format!("rule `{rule}`{comma} {place}")).at(line, None);
    match fault.hint {
        Some(hint) => error.hint(hint),
        None => error,
    }
}

fn no_column(name: &str, known: &[impl AsRef<str>]) -> Fault {
    Fault::new(format!("there is no column `{name}`")).hint(did_you_mean(name, known, "the columns are"))
}

/// The names of the columns.
fn names(scales: &[value::Scale]) -> Vec<&str> {
    scales.iter().map(|scale| scale.name.as_str()).collect()
}

fn not_published(action: &RuleAction, name: &str) -> Fault {
    Fault::new(format!("column `{name}` is not published, so that there is nothing to `{}`", action.name()))
        .hint("rules change quasi, sensitive and kept columns; conditions may ask about others")
}
