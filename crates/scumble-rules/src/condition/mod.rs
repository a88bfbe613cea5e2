//! Conditions: which records a rule is for.
//!
//! ```text
//! condition  = all { "or" all }
//! all        = one { "and" one }
//! one        = "not" one | "(" condition ")" | test
//! test       = column ( "=" | "!=" | "<>" | "<" | "<=" | ">" | ">=" ) value
//!            | column [ "not" ] "in" "(" value { "," value } ")"
//!            | column [ "not" ] "between" value "and" value
//!            | column "is" [ "not" ] "missing"
//! column     = age | "marital status" | `marital status`
//! value      = 18 | -2.5e3 | 'text' | 'it''s' | '2001-12-31'
//! ```
//!
//! **Missing values.** The logic has two values: a test of a missing value is false, whatever it asks, except
//! `is missing`. So `age != 30`, `age not in (30)` and `age not between 20 and 40` are false where the age is missing,
//! like `age = 30` is. The word `not` before a test turns it round: `not age = 30` is true there.

mod lexer;
mod parser;
mod print;
#[cfg(test)]
pub(super) mod tests;

use super::predicate::Predicate;
use scumble_table::{Decimal, Error, Formula, Result};
use std::str::FromStr;

/// Which records a rule is for; see the manual's page on rules for the language.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Condition(pub(super) Expr);

impl FromStr for Condition {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        Condition::parse(text).map_err(|fault| {
            let error = Error::request("condition", text, fault.reason_with_place("the condition"));
            match fault.hint {
                Some(hint) => error.hint(hint),
                None => error,
            }
        })
    }
}

/// What is wrong with a rule, without the place of the rule in its file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fault {
    /// The character of the condition, from 1, if it is about the condition.
    pub(super) at: Option<CharPosition>,
    pub(super) reason: String,
    pub(super) hint: Option<String>,
}

impl Fault {
    pub(super) fn new(reason: impl Into<String>) -> Self {
        Fault { at: None, reason: reason.into(), hint: None }
    }

    pub(super) fn at(mut self, at: CharPosition) -> Self {
        self.at = Some(at);
        self
    }

    pub(super) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// The reason behind its place; `condition` is how to call what it is a place of.
    pub(super) fn reason_with_place(&self, condition: &str) -> String {
        match self.at {
            Some(CharPosition(at)) => format!("character {at} of {condition}: {}", self.reason),
            None => self.reason.clone(),
        }
    }
}

/// A character of the text, from 1. Conditions that say the same are equal wherever their words stand.
#[derive(Debug, Clone, Copy)]
pub(super) struct CharPosition(pub(super) usize);

impl PartialEq for CharPosition {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for CharPosition {}

/// A condition as a tree, as it is written.
pub(super) type Expr = Formula<Test>;

/// A question about one value of a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Test {
    pub(super) column: String,
    pub(super) at: CharPosition,
    pub(super) check: Check,
}

/// What is asked about the value, as it is written.
pub(super) type Check = Predicate<Literal>;

/// How a value compares with a constant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Comparison {
    Equal,
    Unequal,
    Less,
    AtMost,
    Greater,
    AtLeast,
}

impl Comparison {
    pub(super) fn symbol(self) -> &'static str {
        match self {
            Comparison::Equal => "=",
            Comparison::Unequal => "!=",
            Comparison::Less => "<",
            Comparison::AtMost => "<=",
            Comparison::Greater => ">",
            Comparison::AtLeast => ">=",
        }
    }

    /// Whether it needs an order of the values.
    pub(super) fn is_ordered(self) -> bool {
        !matches!(self, Comparison::Equal | Comparison::Unequal)
    }
}

/// A constant, and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Literal {
    pub(super) at: CharPosition,
    pub(super) constant: Constant,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Constant {
    Number(Decimal),
    Text(String),
}

impl Condition {
    /// The columns that it asks about, in the order of its text, with the place of each.
    pub(super) fn columns(&self) -> Vec<(&str, CharPosition)> {
        self.0.tests().into_iter().map(|test| (test.column.as_str(), test.at)).collect()
    }
}
