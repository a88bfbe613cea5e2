//! The values of a column as rules see them: what compares with what, and which values there can be.

use super::RuleColumn;
use super::condition::{Constant, Fault, Literal};
use scumble_table::{Attribute, Code, Decimal, Domain, Kind, Result, date_text, parse_date, suggestion};
use std::collections::{BTreeMap, BTreeSet};

/// A value that is not missing. Values of one column are all of one variant, and compare in the order of its domain.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Value {
    Number(Decimal),
    Day(i32),
    /// A label with its place in the order, which may be between those of other labels.
    Ranked(Decimal, Box<str>),
    Label(Box<str>),
}

/// What a column can hold.
#[derive(Debug)]
pub(super) struct Scale {
    pub(super) name: String,
    pub(super) kind: Kind,
    /// Place of each label in the order, where a list gives it; otherwise ordinals are numbers written in a fixed way.
    pub(super) ranks: Option<BTreeMap<String, usize>>,
    /// All values that a hierarchy allows, where there is one.
    pub(super) leaves: Option<BTreeSet<Value>>,
    /// Texts that mean a missing value, so that no value is written like them.
    pub(super) nulls: Vec<String>,
    /// Loaded for the rules alone, and not to be published.
    pub(super) unpublished: bool,
}

impl Scale {
    pub(super) fn new(attribute: &Attribute, column: &RuleColumn<'_>) -> Scale {
        let domain = &attribute.domain;
        let ranks = column.order.map(|order| order.labels.iter().cloned().zip(0..).collect());
        let (name, kind) = (attribute.name.clone(), domain.kind());
        let mut scale =
            Scale { name, kind, ranks, leaves: None, nulls: column.nulls.to_vec(), unpublished: column.unpublished };
        scale.leaves = domain.hierarchy().map(|tree| {
            let leaves = (0..tree.leaves().len() as u32).filter_map(|leaf| scale.value(tree.value(leaf)));
            leaves.collect()
        });
        scale
    }

    /// The value that a text denotes, if it denotes one here.
    pub(super) fn value(&self, text: &str) -> Option<Value> {
        if text.is_empty() {
            return None;
        }
        match (self.kind, &self.ranks) {
            (Kind::Number, _) => Decimal::parse(text).map(Value::Number),
            (Kind::Date, _) => parse_date(text).map(Value::Day),
            (Kind::Nominal, _) => Some(Value::Label(text.into())),
            (Kind::Ordinal, Some(ranks)) => {
                ranks.get(text).map(|&rank| Value::Ranked(Decimal::from(rank as i64), text.into()))
            }
            (Kind::Ordinal, None) => Decimal::parse(text).map(|rank| Value::Ranked(rank, text.into())),
        }
    }

    fn is_null(&self, text: &str) -> bool {
        text.is_empty() || self.nulls.iter().any(|null| null == text)
    }

    /// The value of a constant of a condition.
    pub(super) fn constant(&self, literal: &Literal) -> Result<Value, Fault> {
        let name = &self.name;
        let fault = |reason: String| Fault::new(reason).at(literal.at);
        let text = match &literal.constant {
            Constant::Number(number) if self.kind == Kind::Number => return Ok(Value::Number(*number)),
            Constant::Number(number) => {
                let what = if self.kind == Kind::Date { "dates" } else { "labels" };
                return Err(fault(format!("column `{name}` holds {what}, and this is a number")).hint(
                    match self.kind {
                        Kind::Date => "write a date as '2001-12-31'".to_string(),
                        _ => format!("labels stand in single quotes: '{number}'"),
                    },
                ));
            }
            Constant::Text(text) => text,
        };
        if self.is_null(text) {
            return Err(fault(format!("'{text}' means a missing value"))
                .hint(format!("write `{name} is missing` or `{name} is not missing`")));
        }
        match self.kind {
            Kind::Number => Err(fault(format!("column `{name}` holds numbers, and this is text"))
                .hint("write the number without quotes")),
            _ => match self.value(text) {
                // No value of the column is another than a leaf, so that a label that is none is a slip.
                Some(value) if self.kind == Kind::Nominal => self.leaf(value).map_err(|fault| fault.at(literal.at)),
                Some(value) => Ok(value),
                None => Err(self.unknown(text).at(literal.at)),
            },
        }
    }

    /// The value that an action would put into the column; `text` is as the job file has it.
    pub(super) fn target(&self, text: &str) -> Result<Value, Fault> {
        if self.is_null(text) {
            return Err(
                Fault::new(format!("'{text}' means a missing value")).hint("to make values missing, use `blank`")
            );
        }
        self.value(text).ok_or_else(|| self.unknown(text)).and_then(|value| self.leaf(value))
    }

    /// Refuses what a hierarchy does not know.
    fn leaf(&self, value: Value) -> Result<Value, Fault> {
        let Some(leaves) = self.leaves.as_ref().filter(|leaves| !leaves.contains(&value)) else { return Ok(value) };
        let text = value.text();
        let texts: Vec<String> = leaves.iter().map(Value::text).collect();
        let otherwise = "values of the column are leaves of its hierarchy, which the rules cannot extend";
        let hint = suggestion(&text, texts.iter().map(String::as_str)).unwrap_or_else(|| otherwise.into());
        Err(Fault::new(format!("`{text}` is no leaf of the hierarchy of column `{}`", self.name)).hint(hint))
    }

    /// Whether the column may hold a value, as far as a hierarchy says.
    pub(super) fn allows(&self, value: &Value) -> bool {
        self.leaves.as_ref().is_none_or(|leaves| leaves.contains(value))
    }

    /// A text that denotes nothing here.
    fn unknown(&self, text: &str) -> Fault {
        let name = &self.name;
        match (self.kind, &self.ranks) {
            (Kind::Number, _) => Fault::new(format!("column `{name}` holds numbers, and `{text}` is none")),
            (Kind::Date, _) => Fault::new(format!("column `{name}` holds dates, and `{text}` is none"))
                .hint("write a date as 2001-12-31"),
            (Kind::Nominal, _) => Fault::new(format!("`{text}` is no label of column `{name}`")),
            (Kind::Ordinal, Some(ranks)) => {
                let hint = suggestion(text, ranks.keys().map(String::as_str))
                    .unwrap_or_else(|| "name a label that the order lists".into());
                Fault::new(format!("`{text}` is not in the order of column `{name}`")).hint(hint)
            }
            (Kind::Ordinal, None) => {
                Fault::new(format!("the labels of column `{name}` are numbers, and `{text}` has no place among them"))
            }
        }
    }

    /// The values of a domain by their codes, from 1.
    pub(super) fn values(&self, domain: &Domain) -> Vec<Value> {
        let value = |code: Code| match self.kind {
            Kind::Number => Value::Number(Decimal::new(domain.number(code).unwrap_or(0), domain.scale())),
            Kind::Date => Value::Day(domain.amount(code).and_then(|day| i32::try_from(day).ok()).unwrap_or(0)),
            Kind::Nominal => Value::Label(domain.text(code).into()),
            // Every label of an encoded column has a place; without one it would keep the place it has.
            Kind::Ordinal => {
                let text = domain.text(code);
                self.value(&text).unwrap_or_else(|| Value::Ranked(Decimal::from(i64::from(code)), text.into()))
            }
        };
        domain.codes().map(value).collect()
    }

    /// The domain of values in their order, with the hierarchy of `before`.
    pub(super) fn domain(&self, values: Vec<Value>, before: &Domain) -> Result<Domain> {
        let mut labels: Vec<Box<str>> = Vec::new();
        let (mut numbers, mut days) = (Vec::new(), Vec::new());
        for value in values {
            match value {
                Value::Number(number) => numbers.push(number),
                Value::Day(day) => days.push(day),
                Value::Ranked(_, label) | Value::Label(label) => labels.push(label),
            }
        }
        let domain = match self.kind {
            Kind::Number => Domain::numbers(numbers)?,
            Kind::Date => Domain::dates(days),
            Kind::Ordinal => Domain::ordinal(labels),
            Kind::Nominal => Domain::nominal(labels),
        };
        let domain = domain.with_stored(before.stored().clone());
        match before.hierarchy() {
            Some(tree) => domain.with_hierarchy("hierarchy", &self.name, tree.clone()),
            None => Ok(domain),
        }
    }
}

impl Value {
    /// As a release would show it.
    pub(super) fn text(&self) -> String {
        match self {
            Value::Number(number) => number.to_string(),
            Value::Day(day) => date_text(*day),
            Value::Ranked(_, label) | Value::Label(label) => label.to_string(),
        }
    }
}
