//! Values of keys, and bounds in the terms of their columns.

use scumble_answer::Exact;
use scumble_release::{Extent, ShownColumn};
use scumble_table::{Code, Decimal, Domain, Kind, NULL, date_text};
use std::fmt;

/// A value as it is shown.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Value {
    /// An exact decimal.
    Number(Decimal),
    /// Days since 1970.
    Date(i32),
    /// A label.
    Label(String),
    /// No value.
    Null,
}

impl Value {
    /// The value behind a code.
    pub(crate) fn from_code(domain: &Domain, code: Code) -> Value {
        match (domain.kind(), code) {
            (_, NULL) => Value::Null,
            (Kind::Number, _) => {
                domain.number(code).map_or(Value::Null, |n| Value::Number(Decimal::new(n, domain.scale())))
            }
            (Kind::Date, _) => domain.amount(code).map_or(Value::Null, |day| Value::Date(day as i32)),
            _ => Value::Label(domain.text(code).into_owned()),
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Number(number) => number.fmt(f),
            Value::Date(day) => f.write_str(&date_text(*day)),
            Value::Label(label) => f.write_str(label),
            Value::Null => Ok(()),
        }
    }
}

/// A bound of an aggregate, exact wherever it can be written as a decimal.
#[derive(Debug, Clone, PartialEq)]
pub enum Bound {
    /// The bound itself.
    Exact(Value),
    /// A mean without a short decimal, rounded away from the answer so that it still holds.
    Rounded(f64),
}

/// Which of the two bounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BoundSide {
    Lower,
    Upper,
}

/// Digits that a mean may take beyond those of its column before it is rounded.
const MORE_DIGITS: u8 = 6;

impl Bound {
    /// A result in whole units of a column.
    pub(crate) fn new(exact: Exact, unit: &Unit<'_>, side: BoundSide) -> Bound {
        let Unit::Number(scale) = *unit else { return Bound::Exact(unit.value(exact.numer)) };
        let denom = i128::from(exact.denom.max(1));
        let mut numer = exact.numer;
        for more in 0..=MORE_DIGITS {
            if numer % denom == 0 {
                return Bound::Exact(Value::Number(Decimal::new(numer / denom, scale + more)));
            }
            match numer.checked_mul(10) {
                Some(tenfold) => numer = tenfold,
                None => break,
            }
        }
        let float = exact.to_f64() / 10f64.powi(i32::from(scale));
        Bound::Rounded(if side == BoundSide::Lower { float.next_down() } else { float.next_up() })
    }

    /// The bound as a float; nothing for labels.
    pub fn to_f64(&self) -> Option<f64> {
        match self {
            Bound::Exact(Value::Number(number)) => Some(number.to_f64()),
            Bound::Exact(Value::Date(day)) => Some(f64::from(*day)),
            Bound::Exact(_) => None,
            Bound::Rounded(float) => Some(*float),
        }
    }
}

/// What a whole unit of an aggregate is.
pub(crate) enum Unit<'a> {
    /// Multiples of `10^-scale`.
    Number(u8),
    /// Days.
    Day,
    /// Places in the order of a column's labels.
    Label(&'a [String]),
}

impl<'a> Unit<'a> {
    /// The unit of a column.
    pub(crate) fn for_column(shown: &'a ShownColumn) -> Unit<'a> {
        match (shown.column.kind(), shown.column.extent()) {
            (Kind::Date, _) => Unit::Day,
            (Kind::Ordinal | Kind::Nominal, Extent::Labels(labels)) => Unit::Label(labels),
            _ => Unit::Number(shown.domain.scale()),
        }
    }

    fn value(&self, numer: i128) -> Value {
        match self {
            Unit::Number(scale) => Value::Number(Decimal::new(numer, *scale)),
            Unit::Day => Value::Date(numer as i32),
            Unit::Label(labels) => labels.get(numer as usize).map_or(Value::Null, |label| Value::Label(label.clone())),
        }
    }

    /// A figure in units, such as an estimate, in the terms of the column; labels have none.
    pub(crate) fn figure(&self, units: f64) -> Option<f64> {
        match self {
            Unit::Number(scale) => Some(units / 10f64.powi(i32::from(*scale))),
            Unit::Day => Some(units),
            Unit::Label(_) => None,
        }
    }
}

/// The whole units of a sensitive value: what an aggregate adds up or orders.
pub(crate) fn units(ShownColumn { column, domain, .. }: &ShownColumn, code: Code) -> Option<i128> {
    match column.kind() {
        Kind::Number | Kind::Date => domain.amount(code),
        _ if code == NULL => None,
        _ => column.position(&domain.text(code)).map(i128::from),
    }
}
