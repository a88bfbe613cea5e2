//! From the texts of a column back to values of a type.
//!
//! A type is taken only where it says exactly what the texts say: the values are turned into texts again, and compared. So
//! a column of a release never shows another value than it would show as text.

use super::text::{push_text_of, same_number};
use arrow_array::builder::BooleanBuilder;
use arrow_array::types::*;
use arrow_array::{ArrayRef, ArrowPrimitiveType, Decimal128Array, PrimitiveArray};
use arrow_schema::DECIMAL128_MAX_PRECISION;
use scumble_table::{Decimal, Kind, Stored, parse_date};
use std::str::FromStr;
use std::sync::Arc;

/// Seconds of a day.
const DAY: i64 = 86_400;

/// The values that texts of a kind denote, where `None` is a missing one: of the type that their source stored them as, or
/// else of the type that suits them. Nothing where they are texts.
///
/// | kind | type where the source states none |
/// |---|---|
/// | number | 64-bit integers where all are whole; else 64-bit floats where these hold every one exactly; else decimals |
/// | date | days |
/// | ordinal, nominal | texts |
///
/// Numbers of a source that states a decimal type become decimals of 38 digits where they do not fit it, and floats only where there is
/// no room for them.
pub fn typed_values(texts: &[Option<&str>], stored: &Stored, kind: Kind) -> Option<ArrayRef> {
    if *stored == Stored::Text {
        return None;
    }
    let own = stored_values(texts, stored).filter(|array| says(array, texts, kind));
    own.or_else(|| {
        let usual: &[Stored] = match kind {
            // Decimals that outgrow their type stay decimals.
            Kind::Number if matches!(stored, Stored::Decimal { .. }) => &[],
            Kind::Number => &[Stored::Integer { bits: 64, signed: true }, Stored::Float { bits: 64 }],
            Kind::Date => &[Stored::Date],
            Kind::Ordinal | Kind::Nominal => &[],
        };
        let found =
            usual.iter().find_map(|stored| stored_values(texts, stored).filter(|array| says(array, texts, kind)));
        let float = || stored_values(texts, &Stored::Float { bits: 64 }).filter(|array| says(array, texts, kind));
        let least = match stored {
            Stored::Decimal { scale, .. } => u8::try_from(*scale).unwrap_or(0),
            _ => 0,
        };
        let decimals = || exact_decimals(texts, least).or_else(|| exact_decimals(texts, 0));
        found.or_else(|| if kind == Kind::Number { decimals().or_else(float) } else { None })
    })
}

/// Amounts in units of `10^-scale`, in the type that suits them as numbers of a column that its source stored as this.
pub fn typed_amounts(scale: u8, amounts: &[i128], stored: &Stored) -> ArrayRef {
    let decimals = || {
        let array = PrimitiveArray::<Decimal128Type>::from(amounts.to_vec());
        Arc::new(array.with_data_type(arrow_schema::DataType::Decimal128(DECIMAL128_MAX_PRECISION, scale as i8)))
    };
    let most = 10i128.pow(DECIMAL128_MAX_PRECISION.into());
    if matches!(stored, Stored::Decimal { .. })
        && amounts.iter().all(|amount| amount.unsigned_abs() < most.unsigned_abs())
    {
        return decimals();
    }
    if scale == 0
        && let Some(whole) = amounts.iter().map(|&amount| i64::try_from(amount).ok()).collect::<Option<Vec<i64>>>()
    {
        return Arc::new(PrimitiveArray::<Int64Type>::from(whole));
    }
    let float = |&amount: &i128| {
        let exact = Decimal::new(amount, scale);
        let near: f64 = exact.to_string().parse().ok()?;
        (Decimal::from_f64(near) == Some(exact)).then_some(near)
    };
    if let Some(floats) = amounts.iter().map(float).collect::<Option<Vec<f64>>>() {
        return Arc::new(PrimitiveArray::<Float64Type>::from(floats));
    }
    decimals()
}

/// Whether the values of an array are those that the texts denote.
fn says(array: &ArrayRef, texts: &[Option<&str>], kind: Kind) -> bool {
    let mut said = String::new();
    texts.iter().enumerate().all(|(at, text)| {
        let Some(text) = text else { return array.is_null(at) };
        said.clear();
        !array.is_null(at)
            && push_text_of(array, at, &mut said).is_ok()
            && (said == *text || (kind == Kind::Number && same_number(&said, text)))
    })
}

fn stored_values(texts: &[Option<&str>], stored: &Stored) -> Option<ArrayRef> {
    match stored {
        Stored::Unstated | Stored::Text => None,
        Stored::Boolean => {
            let mut values = BooleanBuilder::with_capacity(texts.len());
            for text in texts {
                values.append_option(text.map(bool::from_str).transpose().ok()?);
            }
            Some(Arc::new(values.finish()))
        }
        Stored::Integer { bits: 8, signed: true } => parsed::<Int8Type>(texts),
        Stored::Integer { bits: 16, signed: true } => parsed::<Int16Type>(texts),
        Stored::Integer { bits: 32, signed: true } => parsed::<Int32Type>(texts),
        Stored::Integer { signed: true, .. } => parsed::<Int64Type>(texts),
        Stored::Integer { bits: 8, .. } => parsed::<UInt8Type>(texts),
        Stored::Integer { bits: 16, .. } => parsed::<UInt16Type>(texts),
        Stored::Integer { bits: 32, .. } => parsed::<UInt32Type>(texts),
        Stored::Integer { .. } => parsed::<UInt64Type>(texts),
        Stored::Float { bits: 32 } => parsed::<Float32Type>(texts),
        Stored::Float { .. } => parsed::<Float64Type>(texts),
        Stored::Decimal { digits, scale } => decimals(texts, *digits, *scale),
        Stored::Date => primitive::<Date32Type>(texts, parse_date),
        Stored::Timestamp { places, zone } => {
            // Parquet has no moments in whole seconds.
            let places = (*places).max(3);
            let ticks = |text: &str| ticks(text, places);
            let zone = zone.clone();
            Some(match places {
                3 => Arc::new(values::<TimestampMillisecondType>(texts, ticks)?.with_timezone_opt(zone)),
                6 => Arc::new(values::<TimestampMicrosecondType>(texts, ticks)?.with_timezone_opt(zone)),
                _ => Arc::new(values::<TimestampNanosecondType>(texts, ticks)?.with_timezone_opt(zone)),
            })
        }
    }
}

fn values<T: ArrowPrimitiveType>(
    texts: &[Option<&str>],
    read: impl Fn(&str) -> Option<T::Native>,
) -> Option<PrimitiveArray<T>> {
    let read: Option<Vec<Option<T::Native>>> = texts
        .iter()
        .map(|text| match text {
            None => Some(None),
            Some(text) => read(text).map(Some),
        })
        .collect();
    Some(PrimitiveArray::from_iter(read?))
}

fn primitive<T: ArrowPrimitiveType>(
    texts: &[Option<&str>],
    read: impl Fn(&str) -> Option<T::Native>,
) -> Option<ArrayRef> {
    Some(Arc::new(values::<T>(texts, read)?))
}

fn parsed<T: ArrowPrimitiveType>(texts: &[Option<&str>]) -> Option<ArrayRef>
where
    T::Native: FromStr,
{
    primitive::<T>(texts, |text| text.parse().ok())
}

fn decimals(texts: &[Option<&str>], digits: u8, scale: i8) -> Option<ArrayRef> {
    let most = 10i128.checked_pow(digits.into())?;
    let read = |text: &str| {
        let number = Decimal::parse(text)?;
        let units = match u8::try_from(scale) {
            Ok(scale) => number.at_scale(scale)?,
            Err(_) => {
                let unit = 10i128.checked_pow(scale.unsigned_abs().into())?;
                (number.is_integer() && number.mantissa() % unit == 0).then(|| number.mantissa() / unit)?
            }
        };
        (units.abs() < most).then_some(units)
    };
    let array: Decimal128Array = values::<Decimal128Type>(texts, read)?;
    Some(Arc::new(array.with_precision_and_scale(digits, scale).ok()?))
}

/// Decimals of as many digits after the point as the finest has, and no fewer than `least`. Nothing where there is no room for all.
fn exact_decimals(texts: &[Option<&str>], least: u8) -> Option<ArrayRef> {
    let numbers: Option<Vec<Decimal>> = texts.iter().flatten().map(|text| Decimal::parse(text)).collect();
    let scale = numbers?.iter().map(|number| number.scale()).max().unwrap_or(0).max(least);
    decimals(texts, DECIMAL128_MAX_PRECISION, i8::try_from(scale).ok()?)
}

/// Ticks since 1970 of a date, or of a date and a time of day.
fn ticks(text: &str, places: u8) -> Option<i64> {
    let second = 10i64.pow(places.into());
    let (date, time) = text.split_once('T').map_or((text, None), |(date, time)| (date, Some(time)));
    let days = i64::from(parse_date(date)?).checked_mul(DAY)?.checked_mul(second)?;
    let Some(time) = time else { return Some(days) };
    let time = time.strip_suffix('Z').unwrap_or(time);
    let (whole, fraction) = time.split_once('.').unwrap_or((time, ""));
    let parts: Vec<i64> =
        whole.split(':').map(|part| part.parse().ok().filter(|_| part.len() == 2)).collect::<Option<_>>()?;
    let [hours, minutes, seconds] = parts[..] else { return None };
    let fraction =
        if fraction.is_empty() { 0 } else { format!("{fraction:0<width$}", width = places.into()).parse().ok()? };
    days.checked_add((hours * 3600 + minutes * 60 + seconds).checked_mul(second)?)?.checked_add(fraction)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columnar::text::stored_as;
    use arrow_array::cast::AsArray;
    use arrow_schema::{DataType, TimeUnit};

    fn typed(texts: &[&str], stored: Stored, kind: Kind) -> Option<ArrayRef> {
        let texts: Vec<Option<&str>> = texts.iter().map(|text| (!text.is_empty()).then_some(*text)).collect();
        typed_values(&texts, &stored, kind)
    }

    fn type_of(texts: &[&str], stored: Stored, kind: Kind) -> Option<DataType> {
        typed(texts, stored, kind).map(|array| array.data_type().clone())
    }

    #[test]
    fn kinds_have_types_of_their_own_where_the_source_states_none() {
        let of = |texts: &[&str], kind| type_of(texts, Stored::Unstated, kind);
        assert_eq!(of(&["1", "", "-20"], Kind::Number), Some(DataType::Int64));
        assert_eq!(of(&["1", "0.1"], Kind::Number), Some(DataType::Float64));
        assert_eq!(of(&["0.12345678901234567891"], Kind::Number), Some(DataType::Decimal128(38, 20)));
        assert_eq!(of(&["100000000000000000000"], Kind::Number), Some(DataType::Float64));
        assert_eq!(of(&["99999999999999999991"], Kind::Number), Some(DataType::Decimal128(38, 0)));
        assert_eq!(of(&["2024-02-29", ""], Kind::Date), Some(DataType::Date32));
        assert_eq!(of(&["1", "2"], Kind::Nominal), None);
        assert_eq!(of(&["01", "2"], Kind::Ordinal), None);
        assert_eq!(of(&["", ""], Kind::Number), Some(DataType::Int64));
    }

    #[test]
    fn types_of_the_source_are_kept_where_they_say_the_same() {
        let small = Stored::Integer { bits: 8, signed: true };
        assert_eq!(type_of(&["1", "127"], small.clone(), Kind::Number), Some(DataType::Int8));
        // A round end may lie beyond the type.
        assert_eq!(type_of(&["1", "130"], small.clone(), Kind::Number), Some(DataType::Int64));
        assert_eq!(type_of(&["1", "127"], small.clone(), Kind::Nominal), Some(DataType::Int8));
        assert_eq!(type_of(&["low", "1"], small, Kind::Nominal), None);
        assert_eq!(type_of(&["12", "13"], Stored::Text, Kind::Number), None);
        assert_eq!(type_of(&["true", "", "false"], Stored::Boolean, Kind::Nominal), Some(DataType::Boolean));
        assert_eq!(type_of(&["yes"], Stored::Boolean, Kind::Nominal), None);
        let money = Stored::Decimal { digits: 10, scale: 2 };
        let array = typed(&["12.5", "-3"], money.clone(), Kind::Number).unwrap();
        assert_eq!(array.as_primitive::<Decimal128Type>().values().to_vec(), [1250, -300]);
        assert_eq!(type_of(&["12.50"], money.clone(), Kind::Nominal), Some(DataType::Decimal128(10, 2)));
        // What outgrows its decimals stays decimal.
        assert_eq!(type_of(&["12.345"], money.clone(), Kind::Number), Some(DataType::Decimal128(38, 3)));
        assert_eq!(type_of(&["123456789.25"], money, Kind::Number), Some(DataType::Decimal128(38, 2)));
        let rated = Stored::Decimal { digits: 3, scale: 2 };
        assert_eq!(type_of(&["10", "9.99"], rated.clone(), Kind::Number), Some(DataType::Decimal128(38, 2)));
        assert_eq!(type_of(&["10", "20"], rated, Kind::Number), Some(DataType::Decimal128(38, 2)));
        let wide = stored_as(&DataType::Decimal256(45, 5));
        assert_eq!(type_of(&["1.5", "-7"], wide, Kind::Number), Some(DataType::Decimal128(38, 5)));
        let fine = stored_as(&DataType::Decimal256(76, 50));
        assert_eq!(type_of(&["1.5", "-7"], fine, Kind::Number), Some(DataType::Decimal128(38, 1)));
        let float = Stored::Float { bits: 32 };
        assert_eq!(type_of(&["0.1", "-7"], float.clone(), Kind::Number), Some(DataType::Float32));
        assert_eq!(type_of(&["0.123456789012"], float, Kind::Number), Some(DataType::Float64));
        let double = Stored::Float { bits: 64 };
        assert_eq!(type_of(&["1e300", "NaN", "-0"], double, Kind::Nominal), Some(DataType::Float64));
    }

    #[test]
    fn moments_come_back() {
        for (places, unit) in [(0, TimeUnit::Millisecond), (3, TimeUnit::Millisecond), (6, TimeUnit::Microsecond)] {
            let stored = Stored::Timestamp { places, zone: None };
            let texts = ["2024-02-29", "1969-12-31T23:59:59", ""];
            assert_eq!(type_of(&texts, stored, Kind::Nominal), Some(DataType::Timestamp(unit, None)), "{places}");
        }
        let zoned = Stored::Timestamp { places: 9, zone: Some("UTC".into()) };
        let array = typed(&["2024-02-29T01:00:00.000000001Z"], zoned.clone(), Kind::Nominal).unwrap();
        assert_eq!(*array.data_type(), DataType::Timestamp(TimeUnit::Nanosecond, Some("UTC".into())));
        assert_eq!(type_of(&["2024-02-29T01:00:00"], zoned, Kind::Nominal), None);
        let days = Stored::Timestamp { places: 6, zone: None };
        assert!(matches!(type_of(&["2024-02-29"], days, Kind::Date), Some(DataType::Timestamp(..))));
    }

    #[test]
    fn amounts_are_numbers() {
        let of = |scale, amounts: &[i128], stored| typed_amounts(scale, amounts, &stored).data_type().clone();
        assert_eq!(of(0, &[1, -2], Stored::Unstated), DataType::Int64);
        assert_eq!(of(1, &[1, -2], Stored::Unstated), DataType::Float64);
        assert_eq!(of(2, &[10i128.pow(30) + 1], Stored::Unstated), DataType::Decimal128(38, 2));
        // The ends of decimals are decimals, and so are their sums.
        let money = Stored::Decimal { digits: 6, scale: 2 };
        assert_eq!(of(2, &[150, -2], money.clone()), DataType::Decimal128(38, 2));
        assert_eq!(of(0, &[1, -2], money), DataType::Decimal128(38, 0));
    }
}
