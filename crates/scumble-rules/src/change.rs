//! Actions bound to their columns: what becomes of a value.

use super::condition::Fault;
use super::value::{Scale, Value};
use crate::RuleAction;
use scumble_table::{Decimal, Kind, Result, first_of_months, parse_date};

/// What a rule does to one column. Values are first held within bounds and then made coarser.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Change {
    /// Position of the column.
    pub(super) column: usize,
    blank: bool,
    top: Option<Value>,
    bottom: Option<Value>,
    coarser: Option<Coarsening>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Coarsening {
    /// The greatest multiple of the step that is not above the number.
    Step(Decimal),
    /// The first day of the month (1), quarter (3) or year (12).
    Months(u8),
    /// The first day of a step of this many days. Steps are counted from 0001-01-01: a Monday, so that seven days are a
    /// week, and the first day that can be written, so that no step begins before it.
    Days(i32),
    /// This label.
    Label(Value),
}

/// What a rule does to a record.
#[derive(Debug, Clone)]
pub(super) enum Effect {
    Delete,
    /// One for each column.
    Change(Vec<Change>),
}

/// Binds the actions of a rule to their columns. Contradictions are refused rather than settled by some order.
pub(super) fn bind(actions: &[RuleAction], scales: &[Scale]) -> Result<Effect, Fault> {
    if actions.contains(&RuleAction::Delete) {
        return match actions.iter().find(|action| **action != RuleAction::Delete) {
            None => Ok(Effect::Delete),
            Some(other) => Err(Fault::new(format!("a deleted record has nothing left to `{}`", other.name()))
                .hint("leave one of both out, or make two rules of them")),
        };
    }
    let mut changes: Vec<Change> = Vec::new();
    for action in actions {
        let Some(name) = action.column() else { continue };
        let column = scales.iter().position(|scale| scale.name == name);
        let column = column.ok_or_else(|| super::no_column(name, &super::names(scales)))?;
        let scale = &scales[column];
        if scale.unpublished {
            return Err(super::not_published(action, name));
        }
        let at = changes.iter().position(|change| change.column == column).unwrap_or_else(|| {
            changes.push(Change { column, blank: false, top: None, bottom: None, coarser: None });
            changes.len() - 1
        });
        changes[at].add(action, scale)?;
    }
    match changes.is_empty() {
        true => Err(Fault::new("the rule does nothing")),
        false => Ok(Effect::Change(changes)),
    }
}

impl Change {
    fn add(&mut self, action: &RuleAction, scale: &Scale) -> Result<(), Fault> {
        let name = &scale.name;
        let twice = || Fault::new(format!("`{}` names column `{name}` twice", action.name()));
        let bound = |bound: &str| match scale.kind {
            Kind::Nominal => {
                Err(Fault::new(format!("column `{name}` is nominal: its labels have no order for a bound"))
                    .hint("use `generalize` or `blank`, or give the column an order"))
            }
            _ => scale.target(bound).map_err(|fault| named(action, fault)).map(Some),
        };
        let taken = match action {
            RuleAction::Delete => false,
            RuleAction::Blank { .. } => std::mem::replace(&mut self.blank, true),
            RuleAction::TopCode { bound: text, .. } => std::mem::replace(&mut self.top, bound(text)?).is_some(),
            RuleAction::BottomCode { bound: text, .. } => std::mem::replace(&mut self.bottom, bound(text)?).is_some(),
            RuleAction::Generalize { to, .. } => {
                let coarser = coarser(to, scale).map_err(|fault| named(action, fault))?;
                self.coarser.replace(coarser).is_some()
            }
        };
        if taken {
            return Err(twice());
        }
        if self.blank && (self.top.is_some() || self.bottom.is_some() || self.coarser.is_some()) {
            return Err(Fault::new(format!("column `{name}` is to be blank, which leaves nothing to change in it"))
                .hint("leave one of both out"));
        }
        if let (Some(top), Some(bottom)) = (&self.top, &self.bottom)
            && top < bottom
        {
            let reason = format!("values of `{name}` should be at most {} and at least {}", top.text(), bottom.text());
            return Err(Fault::new(reason).hint("no value is both"));
        }
        Ok(())
    }

    /// What becomes of a value, missing or not; an error where it cannot be told exactly.
    pub(super) fn apply(&self, value: &Value) -> Result<Option<Value>, TooFine> {
        if self.blank {
            return Ok(None);
        }
        let mut value = value;
        if let Some(top) = self.top.as_ref().filter(|top| value > top) {
            value = top;
        }
        if let Some(bottom) = self.bottom.as_ref().filter(|bottom| value < bottom) {
            value = bottom;
        }
        Ok(Some(match (&self.coarser, value) {
            (Some(Coarsening::Label(label)), _) => label.clone(),
            (Some(Coarsening::Step(step)), Value::Number(number)) => {
                Value::Number(floor(*number, *step).ok_or(TooFine)?)
            }
            (Some(Coarsening::Months(months)), Value::Day(day)) => Value::Day(first_of_months(*day, *months)),
            (Some(Coarsening::Days(step)), Value::Day(day)) => Value::Day(day - (day - first_day()).rem_euclid(*step)),
            (_, other) => other.clone(),
        }))
    }
}

/// A number and a step that have too many digits together for exact arithmetic.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TooFine;

/// The first day that can be written, 0001-01-01.
pub(super) fn first_day() -> i32 {
    parse_date("0001-01-01").unwrap_or(0)
}

/// The last day that can be written, 9999-12-31.
pub(super) fn last_day() -> i32 {
    parse_date("9999-12-31").unwrap_or(0)
}

/// The greatest multiple of a positive step that is not above a number, also of negative ones.
fn floor(number: Decimal, step: Decimal) -> Option<Decimal> {
    let scale = number.scale().max(step.scale());
    let (number, step) = (number.at_scale(scale)?, step.at_scale(scale)?);
    Some(Decimal::new(number.checked_sub(number.checked_rem_euclid(step)?)?, scale))
}

fn coarser(to: &str, scale: &Scale) -> Result<Coarsening, Fault> {
    let name = &scale.name;
    match scale.kind {
        Kind::Number => match Decimal::parse(to) {
            Some(step) if step > Decimal::ZERO => Ok(Coarsening::Step(step)),
            _ => Err(Fault::new(format!("column `{name}` holds numbers, and `{to}` is no step"))
                .hint("give a number above 0, such as 5")),
        },
        Kind::Date => match to {
            "month" => Ok(Coarsening::Months(1)),
            "quarter" => Ok(Coarsening::Months(3)),
            "year" => Ok(Coarsening::Months(12)),
            // A step beyond all days would be the same as a step of all.
            _ => match to.parse::<i32>() {
                Ok(days) if days > 0 && days <= last_day() - first_day() + 1 => Ok(Coarsening::Days(days)),
                _ => Err(Fault::new(format!("column `{name}` holds dates, and `{to}` is no step"))
                    .hint("give \"month\", \"quarter\", \"year\" or a number of days, such as 7")),
            },
        },
        Kind::Ordinal | Kind::Nominal => scale.target(to).map(Coarsening::Label),
    }
}

/// The same fault with the action before it.
fn named(action: &RuleAction, fault: Fault) -> Fault {
    Fault { reason: format!("`{}`: {}", action.name(), fault.reason), ..fault }
}
