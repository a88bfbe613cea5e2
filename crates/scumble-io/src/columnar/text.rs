//! The exact text of a value of any plain type.

use crate::fault::FaultKind;
use arrow_array::cast::AsArray;
use arrow_array::types::*;
use arrow_array::{Array, ArrayRef};
use arrow_schema::{DECIMAL128_MAX_PRECISION, DataType, TimeUnit};
use scumble_table::{Decimal, Stored, date_text};
use std::fmt::{Display, LowerExp, Write};

/// Seconds of a day.
const DAY: i64 = 86_400;

/// True for types whose values have a text.
pub(super) fn has_text(data_type: &DataType) -> bool {
    match data_type {
        DataType::Dictionary(_, value) => !matches!(**value, DataType::Dictionary(..)) && has_text(value),
        DataType::Null | DataType::Boolean | DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => true,
        DataType::Interval(_) => false,
        other => other.is_primitive(),
    }
}

/// What values of a type are stored as.
pub(super) fn stored_as(data_type: &DataType) -> Stored {
    let integer = |bits, signed| Stored::Integer { bits, signed };
    match data_type {
        DataType::Dictionary(_, value) => stored_as(value),
        DataType::Boolean => Stored::Boolean,
        DataType::Int8 => integer(8, true),
        DataType::Int16 => integer(16, true),
        DataType::Int32 => integer(32, true),
        DataType::Int64 => integer(64, true),
        DataType::UInt8 => integer(8, false),
        DataType::UInt16 => integer(16, false),
        DataType::UInt32 => integer(32, false),
        DataType::UInt64 => integer(64, false),
        DataType::Float16 | DataType::Float32 => Stored::Float { bits: 32 },
        DataType::Float64 => Stored::Float { bits: 64 },
        DataType::Decimal32(digits, scale)
        | DataType::Decimal64(digits, scale)
        | DataType::Decimal128(digits, scale)
        | DataType::Decimal256(digits, scale) => {
            // What is published has 38 digits at most.
            Stored::Decimal { digits: (*digits).min(DECIMAL128_MAX_PRECISION), scale: *scale }
        }
        DataType::Date32 | DataType::Date64 => Stored::Date,
        DataType::Timestamp(unit, zone) => Stored::Timestamp { places: places(*unit), zone: zone.clone() },
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => Stored::Text,
        _ => Stored::Unstated,
    }
}

/// Runs a block with an array of whichever primitive type it has; `None` for the others.
macro_rules! with_primitive {
    ($array:expr, |$typed:ident| $body:expr) => {{
        macro_rules! typed {
            ($kind:ty) => {{
                let $typed = $array.as_primitive::<$kind>();
                Some($body)
            }};
        }
        match $array.data_type() {
            DataType::Int8 => typed!(Int8Type),
            DataType::Int16 => typed!(Int16Type),
            DataType::Int32 => typed!(Int32Type),
            DataType::Int64 => typed!(Int64Type),
            DataType::UInt8 => typed!(UInt8Type),
            DataType::UInt16 => typed!(UInt16Type),
            DataType::UInt32 => typed!(UInt32Type),
            DataType::UInt64 => typed!(UInt64Type),
            DataType::Decimal32(..) => typed!(Decimal32Type),
            DataType::Decimal64(..) => typed!(Decimal64Type),
            DataType::Decimal128(..) => typed!(Decimal128Type),
            DataType::Date32 => typed!(Date32Type),
            DataType::Date64 => typed!(Date64Type),
            DataType::Time32(TimeUnit::Second) => typed!(Time32SecondType),
            DataType::Time32(_) => typed!(Time32MillisecondType),
            DataType::Time64(TimeUnit::Microsecond) => typed!(Time64MicrosecondType),
            DataType::Time64(_) => typed!(Time64NanosecondType),
            DataType::Timestamp(TimeUnit::Second, _) => typed!(TimestampSecondType),
            DataType::Timestamp(TimeUnit::Millisecond, _) => typed!(TimestampMillisecondType),
            DataType::Timestamp(TimeUnit::Microsecond, _) => typed!(TimestampMicrosecondType),
            DataType::Timestamp(TimeUnit::Nanosecond, _) => typed!(TimestampNanosecondType),
            DataType::Duration(TimeUnit::Second) => typed!(DurationSecondType),
            DataType::Duration(TimeUnit::Millisecond) => typed!(DurationMillisecondType),
            DataType::Duration(TimeUnit::Microsecond) => typed!(DurationMicrosecondType),
            DataType::Duration(TimeUnit::Nanosecond) => typed!(DurationNanosecondType),
            _ => None,
        }
    }};
}

/// A word for each cell of an array such that equal words mean equal values; `None` for types where
/// looking up the text itself is as good.
pub(super) fn bits(array: &ArrayRef) -> Option<Vec<u128>> {
    let whole = with_primitive!(array, |typed| typed.values().iter().map(|&v| i128::from(v) as u128).collect());
    whole.or_else(|| match array.data_type() {
        DataType::Float32 => {
            Some(array.as_primitive::<Float32Type>().values().iter().map(|v| u128::from(v.to_bits())).collect())
        }
        DataType::Float64 => {
            Some(array.as_primitive::<Float64Type>().values().iter().map(|v| u128::from(v.to_bits())).collect())
        }
        _ => None,
    })
}

/// Appends the text of a cell; null has none.
pub(super) fn push_text_of(array: &ArrayRef, row: usize, out: &mut String) -> Result<(), FaultKind> {
    if array.is_null(row) {
        return Ok(());
    }
    let whole = with_primitive!(array, |typed| i128::from(typed.value(row)));
    match (array.data_type(), whole) {
        (DataType::Null, _) => {}
        (DataType::Boolean, _) => out.push_str(if array.as_boolean().value(row) { "true" } else { "false" }),
        (DataType::Utf8, _) => out.push_str(array.as_string::<i32>().value(row)),
        (DataType::LargeUtf8, _) => out.push_str(array.as_string::<i64>().value(row)),
        (DataType::Utf8View, _) => out.push_str(array.as_string_view().value(row)),
        (DataType::Float16, _) => push_float(array.as_primitive::<Float16Type>().value(row).to_f32(), out),
        (DataType::Float32, _) => push_float(array.as_primitive::<Float32Type>().value(row), out),
        (DataType::Float64, _) => push_float(array.as_primitive::<Float64Type>().value(row), out),
        (DataType::Decimal256(_, scale), _) => {
            push_decimal(&array.as_primitive::<Decimal256Type>().value(row).to_string(), *scale, out);
        }
        (
            DataType::Decimal32(_, scale) | DataType::Decimal64(_, scale) | DataType::Decimal128(_, scale),
            Some(digits),
        ) => push_decimal(&digits.to_string(), *scale, out),
        (DataType::Date32, Some(days)) => push_date(days as i64, out)?,
        (DataType::Date64, Some(millis)) => push_date((millis as i64).div_euclid(1000 * DAY), out)?,
        (DataType::Timestamp(unit, zone), Some(ticks)) => push_timestamp(ticks as i64, *unit, zone.is_some(), out)?,
        (DataType::Time32(unit) | DataType::Time64(unit), Some(ticks)) => push_time(ticks as i64, *unit, out),
        (DataType::Duration(unit), Some(ticks)) => push(Decimal::new(ticks, places(*unit)), out),
        (_, Some(number)) => push(number, out),
        _ => return Err(FaultKind::NoText),
    }
    Ok(())
}

/// Whether two texts denote one number.
pub(super) fn same_number(one: &str, other: &str) -> bool {
    Decimal::parse(one).is_some_and(|number| Decimal::parse(other) == Some(number))
}

fn push(value: impl Display, out: &mut String) {
    // Writing to a string cannot fail.
    let _ = write!(out, "{value}");
}

/// The shortest text that denotes the float among those of its own precision; with an exponent where
/// plain digits would be mostly zeros.
fn push_float<F: Display + LowerExp + Copy + Into<f64>>(value: F, out: &mut String) {
    let size = value.into().abs();
    if !size.is_finite() || size == 0.0 || (1e-5..1e16).contains(&size) {
        push(value, out);
    } else {
        let _ = write!(out, "{value:e}");
    }
}

/// The digits with the point where the scale says.
fn push_decimal(digits: &str, scale: i8, out: &mut String) {
    let (sign, digits) = digits.strip_prefix('-').map_or(("", digits), |rest| ("-", rest));
    out.push_str(sign);
    match usize::try_from(scale) {
        Ok(0) => out.push_str(digits),
        Ok(places) => {
            let padded = format!("{digits:0>width$}", width = places + 1);
            let (whole, part) = padded.split_at(padded.len() - places);
            out.push_str(whole);
            out.push('.');
            out.push_str(part);
        }
        Err(_) => {
            out.push_str(digits);
            if digits != "0" {
                out.extend(std::iter::repeat_n('0', usize::from(scale.unsigned_abs())));
            }
        }
    }
}

fn push_date(days: i64, out: &mut String) -> Result<(), FaultKind> {
    // Day numbers of years of up to six digits; a date beyond them is a mistake.
    let days =
        i32::try_from(days).ok().filter(|days| days.unsigned_abs() < 366 * 1_000_000).ok_or(FaultKind::OffCalendar)?;
    out.push_str(&date_text(days));
    Ok(())
}

/// Digits of a second's fraction.
fn places(unit: TimeUnit) -> u8 {
    match unit {
        TimeUnit::Second => 0,
        TimeUnit::Millisecond => 3,
        TimeUnit::Microsecond => 6,
        TimeUnit::Nanosecond => 9,
    }
}

/// A date where the time is midnight, else date and time; `Z` says that the moment is fixed.
fn push_timestamp(ticks: i64, unit: TimeUnit, zoned: bool, out: &mut String) -> Result<(), FaultKind> {
    let day = DAY * 10i64.pow(u32::from(places(unit)));
    push_date(ticks.div_euclid(day), out)?;
    let rest = ticks.rem_euclid(day);
    if rest > 0 {
        out.push('T');
        push_time(rest, unit, out);
        if zoned {
            out.push('Z');
        }
    }
    Ok(())
}

fn push_time(ticks: i64, unit: TimeUnit, out: &mut String) {
    let second = 10i64.pow(u32::from(places(unit)));
    let (seconds, part) = (ticks.div_euclid(second), ticks.rem_euclid(second));
    let _ = write!(out, "{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
    if part > 0 {
        let _ = write!(out, ".{part:0width$}", width = usize::from(places(unit)));
        out.truncate(out.trim_end_matches('0').len());
    }
}
