//! Tests with their constants read as values of the column, and conditions made of them.

use super::condition::{Check, Comparison, Expr, Fault, Test};
use super::value::{Scale, Value};
use scumble_table::Result;

/// A question about one value, which is of type `T` as its constants are. Every question but that for missing values is
/// false of a missing one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Predicate<T = Value> {
    Compare(Comparison, T),
    /// The list is sorted.
    In {
        negated: bool,
        list: Vec<T>,
    },
    Between {
        negated: bool,
        low: T,
        high: T,
    },
    Missing {
        negated: bool,
    },
}

impl<T: Ord> Predicate<T> {
    /// The answer; `None` is a missing value.
    pub(super) fn holds(&self, value: Option<&T>) -> bool {
        let Some(value) = value else { return matches!(self, Predicate::Missing { negated: false }) };
        match self {
            Predicate::Compare(comparison, constant) => {
                let found = value.cmp(constant);
                match comparison {
                    Comparison::Equal => found.is_eq(),
                    Comparison::Unequal => found.is_ne(),
                    Comparison::Less => found.is_lt(),
                    Comparison::AtMost => found.is_le(),
                    Comparison::Greater => found.is_gt(),
                    Comparison::AtLeast => found.is_ge(),
                }
            }
            Predicate::In { negated, list } => list.binary_search(value).is_ok() != *negated,
            Predicate::Between { negated, low, high } => (low <= value && value <= high) != *negated,
            Predicate::Missing { negated } => *negated,
        }
    }

    /// All constants that the answer depends on.
    pub(super) fn constants(&self) -> impl Iterator<Item = &T> {
        let (list, ends): (&[T], [Option<&T>; 2]) = match self {
            Predicate::Compare(_, constant) => (&[], [Some(constant), None]),
            Predicate::In { list, .. } => (list, [None, None]),
            Predicate::Between { low, high, .. } => (&[], [Some(low), Some(high)]),
            Predicate::Missing { .. } => (&[], [None, None]),
        };
        list.iter().chain(ends.into_iter().flatten())
    }

    /// The same question about places instead of values; `place` must keep their order.
    pub(super) fn at_places<P>(&self, place: impl Fn(&T) -> P) -> Predicate<P> {
        match self {
            Predicate::Compare(comparison, constant) => Predicate::Compare(*comparison, place(constant)),
            Predicate::In { negated, list } => {
                Predicate::In { negated: *negated, list: list.iter().map(place).collect() }
            }
            Predicate::Between { negated, low, high } => {
                Predicate::Between { negated: *negated, low: place(low), high: place(high) }
            }
            Predicate::Missing { negated } => Predicate::Missing { negated: *negated },
        }
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
            let column = column.ok_or_else(|| super::no_column(&test.column, &super::names(scales)).at(test.at))?;
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
