//! Tests with their constants read as values of the column, and conditions made of them.

use super::condition::{Check, Comparison, Expr, Fault, Test};
use super::value::{Scale, Value};
use scumble_table::Result;
use std::cmp::Ordering;

/// A question about one value. Every question but that for missing values is false of a missing one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Predicate {
    Compare(Comparison, Value),
    /// The list is sorted.
    In {
        negated: bool,
        list: Vec<Value>,
    },
    Between {
        negated: bool,
        low: Value,
        high: Value,
    },
    Missing {
        negated: bool,
    },
}

impl Predicate {
    /// The answer, from how the value compares with each constant; `None` is a missing value.
    pub(super) fn holds<F: Fn(&Value) -> Ordering>(&self, value: Option<F>) -> bool {
        let Some(compare) = value else { return *self == Predicate::Missing { negated: false } };
        match self {
            Predicate::Compare(comparison, constant) => {
                let found = compare(constant);
                match comparison {
                    Comparison::Equal => found.is_eq(),
                    Comparison::Unequal => found.is_ne(),
                    Comparison::Less => found.is_lt(),
                    Comparison::AtMost => found.is_le(),
                    Comparison::Greater => found.is_gt(),
                    Comparison::AtLeast => found.is_ge(),
                }
            }
            Predicate::In { negated, list } => {
                list.binary_search_by(|constant| compare(constant).reverse()).is_ok() != *negated
            }
            Predicate::Between { negated, low, high } => (compare(low).is_ge() && compare(high).is_le()) != *negated,
            Predicate::Missing { negated } => *negated,
        }
    }

    /// All constants that the answer depends on.
    pub(super) fn constants(&self) -> impl Iterator<Item = &Value> {
        let (list, ends): (&[Value], [Option<&Value>; 2]) = match self {
            Predicate::Compare(_, constant) => (&[], [Some(constant), None]),
            Predicate::In { list, .. } => (list, [None, None]),
            Predicate::Between { low, high, .. } => (&[], [Some(low), Some(high)]),
            Predicate::Missing { .. } => (&[], [None, None]),
        };
        list.iter().chain(ends.into_iter().flatten())
    }
}

/// A condition whose tests know their columns, by position.
#[derive(Debug, Clone)]
pub(super) enum Bound {
    And(Vec<Bound>),
    Or(Vec<Bound>),
    Not(Box<Bound>),
    Test { column: usize, predicate: Predicate },
}

/// Ties a condition to its columns.
pub(super) fn bind(expr: &Expr, scales: &[Scale]) -> Result<Bound, Fault> {
    let all = |parts: &[Expr]| parts.iter().map(|part| bind(part, scales)).collect::<Result<Vec<_>, _>>();
    Ok(match expr {
        Expr::And(parts) => Bound::And(all(parts)?),
        Expr::Or(parts) => Bound::Or(all(parts)?),
        Expr::Not(inner) => Bound::Not(Box::new(bind(inner, scales)?)),
        Expr::Test(test) => {
            let column = scales.iter().position(|scale| scale.name == test.column);
            let column = column
                .ok_or_else(|| super::no_column(&test.column, scales.iter().map(|s| s.name.as_str())).at(test.at))?;
            Bound::Test { column, predicate: predicate(test, &scales[column])? }
        }
    })
}

fn predicate(test: &Test, scale: &Scale) -> Result<Predicate, Fault> {
    let ordered = |word: &str| match scale.kind.is_ordered() {
        true => Ok(()),
        false => Err(Fault::new(format!("column `{}` is nominal: its labels have no order for `{word}`", scale.name))
            .at(test.at)
            .hint("use `=`, `!=`, `in` or `not in`, or give the column an order")),
    };
    Ok(match &test.check {
        Check::Compare(comparison, literal) => {
            if comparison.is_ordered() {
                ordered(comparison.symbol())?;
            }
            Predicate::Compare(*comparison, scale.constant(literal)?)
        }
        Check::In { negated, list } => {
            let mut list = list.iter().map(|literal| scale.constant(literal)).collect::<Result<Vec<_>, _>>()?;
            list.sort_unstable();
            list.dedup();
            Predicate::In { negated: *negated, list }
        }
        Check::Between { negated, low, high } => {
            ordered("between")?;
            Predicate::Between { negated: *negated, low: scale.constant(low)?, high: scale.constant(high)? }
        }
        Check::Missing { negated } => Predicate::Missing { negated: *negated },
    })
}
