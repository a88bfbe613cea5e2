//! Questions about one value, and conditions whose constants are values of their columns.

use super::condition::{Comparison, Expr, Fault, Test};
use super::value::{Scale, Value};
use scumble_table::Formula;
use std::convert::Infallible;

/// A question about one value, which is of type `T` as its constants are. Every question but that for missing values is
/// false of a missing one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Predicate<T = Value> {
    Compare(Comparison, T),
    /// In the list, which is sorted once it is bound to a column, or present and not in it.
    In {
        negated: bool,
        list: Vec<T>,
    },
    /// Between both, ends included, or present and not between.
    Between {
        negated: bool,
        low: T,
        high: T,
    },
    /// Missing, or not.
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
}

impl<T> Predicate<T> {
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
        let Ok(predicate) = self.try_map(|constant| Ok::<_, Infallible>(place(constant)));
        predicate
    }

    /// The same question with other constants, or the first failure to make one of them.
    fn try_map<U, E>(&self, map: impl Fn(&T) -> Result<U, E>) -> Result<Predicate<U>, E> {
        Ok(match self {
            Predicate::Compare(comparison, constant) => Predicate::Compare(*comparison, map(constant)?),
            Predicate::In { negated, list } => {
                Predicate::In { negated: *negated, list: list.iter().map(map).collect::<Result<_, E>>()? }
            }
            Predicate::Between { negated, low, high } => {
                Predicate::Between { negated: *negated, low: map(low)?, high: map(high)? }
            }
            Predicate::Missing { negated } => Predicate::Missing { negated: *negated },
        })
    }
}

/// A test that knows its column, by position.
#[derive(Debug, Clone)]
pub(super) struct BoundTest {
    pub(super) column: usize,
    pub(super) predicate: Predicate,
}

/// A condition whose tests know their columns.
pub(super) type BoundCondition = Formula<BoundTest>;

/// Binds a condition to its columns.
pub(super) fn bind(condition: &Expr, scales: &[Scale]) -> Result<BoundCondition, Fault> {
    condition.try_map(&|test| bind_test(test, scales))
}

fn bind_test(test: &Test, scales: &[Scale]) -> Result<BoundTest, Fault> {
    let column = scales.iter().position(|scale| scale.name == test.column);
    let column = column.ok_or_else(|| super::no_column(&test.column, &super::names(scales)).at(test.at))?;
    let scale = &scales[column];
    let needs_order = match &test.check {
        Predicate::Compare(comparison, _) if comparison.is_ordered() => Some(comparison.symbol()),
        Predicate::Between { .. } => Some("between"),
        _ => None,
    };
    if let Some(word) = needs_order.filter(|_| !scale.kind.is_ordered()) {
        let reason = format!("column `{}` is nominal: its labels have no order for `{word}`", scale.name);
        let hint = "use `=`, `!=`, `in` or `not in`, or give the column an order";
        return Err(Fault::new(reason).at(test.at).hint(hint));
    }
    let mut predicate = test.check.try_map(|literal| scale.constant(literal))?;
    if let Predicate::In { list, .. } = &mut predicate {
        list.sort_unstable();
        list.dedup();
    }
    Ok(BoundTest { column, predicate })
}
