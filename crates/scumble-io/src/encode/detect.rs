//! Telling a column's type from its distinct texts.

use crate::Dictionary;
use scumble_table::{Code, Kind, parse_date};

/// The type that all texts of a column allow.
///
/// | texts | type |
/// |---|---|
/// | all are decimal numbers, plain or with an exponent | number |
/// | the same, but some have a leading zero that says nothing, as `02139` | ordinal, by value, so that the text survives |
/// | all are dates `YYYY-MM-DD` | date |
/// | anything else, and columns of nulls only | nominal |
pub fn detect(dictionary: &Dictionary) -> Kind {
    let mut texts = dictionary.iter();
    match texts.clone().next() {
        None => Kind::Nominal,
        Some(first) if looks_numeric(first) => {
            let mut zeros = false;
            if !texts.all(|text| {
                zeros |= has_leading_zero(text);
                looks_numeric(text)
            }) {
                Kind::Nominal
            } else if zeros {
                Kind::Ordinal
            } else {
                Kind::Number
            }
        }
        Some(_) if texts.all(|text| parse_date(text).is_some()) => Kind::Date,
        Some(_) => Kind::Nominal,
    }
}

/// The codes of texts that are no numbers in a column whose other values are: few texts among many numbers are hardly meant
/// to be labels. None where a column has no such texts, or may well be a list of labels.
pub fn strays(dictionary: &Dictionary) -> Vec<Code> {
    /// Below this many numbers a column may well be a list of labels.
    const ENOUGH: usize = 10;
    let codes = 1..=dictionary.len() as Code;
    let strays: Vec<Code> = codes.filter(|&code| !looks_numeric(dictionary.text(code))).collect();
    let numbers = dictionary.len() - strays.len();
    if numbers < ENOUGH || strays.len() * 10 > numbers { Vec::new() } else { strays }
}

/// True for what the notation of numbers allows, however many digits it has: `12`, `-0.5`, `.5`,
/// `5.`, `+1e3`.
pub fn looks_numeric(text: &str) -> bool {
    let text = text.strip_prefix(['-', '+']).unwrap_or(text);
    let (digits, exponent) = match text.split_once(['e', 'E']) {
        Some((digits, exponent)) => (digits, Some(exponent.strip_prefix(['-', '+']).unwrap_or(exponent))),
        None => (text, None),
    };
    let all_digits = |part: &str| part.bytes().all(|b| b.is_ascii_digit());
    let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
    all_digits(whole)
        && all_digits(part)
        && !(whole.is_empty() && part.is_empty())
        && exponent.is_none_or(|exponent| !exponent.is_empty() && all_digits(exponent))
}

/// True for a number written with a zero that its value does not need, such as `007`.
fn has_leading_zero(text: &str) -> bool {
    let bytes = text.strip_prefix(['-', '+']).unwrap_or(text).as_bytes();
    matches!(bytes, [b'0', b'0'..=b'9', ..])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dictionary::Interner;
    use proptest::prelude::*;
    use scumble_table::Decimal;
    use std::sync::Arc;

    fn dictionary(texts: &[&str]) -> Dictionary {
        let mut interner = Interner::new(Arc::from([]));
        texts.iter().for_each(|text| {
            interner.intern(text, 0);
        });
        interner.finish()
    }

    #[test]
    fn types_of_texts() {
        for (texts, kind) in [
            (&["1", "2", "-3"][..], Kind::Number),
            (&["1.5", "1e3", "+2", ".5", "5."], Kind::Number),
            (&["0", "0.5", "-0.5", "0e1"], Kind::Number),
            (&["1e400"], Kind::Number),
            (&["02139", "10001"], Kind::Ordinal),
            (&["1", "-01"], Kind::Ordinal),
            (&["00.5"], Kind::Ordinal),
            (&["2024-02-29", "1969-12-31"], Kind::Date),
            (&["2024-02-30"], Kind::Nominal),
            (&["2024-02-29", "2024-02-29T10:00:00"], Kind::Nominal),
            (&["1", "x"], Kind::Nominal),
            (&["1", "NaN"], Kind::Nominal),
            (&["inf"], Kind::Nominal),
            (&["1", " 2"], Kind::Nominal),
            (&["1,5"], Kind::Nominal),
            (&["1", "2024-01-01"], Kind::Nominal),
            (&["0x10"], Kind::Nominal),
            (&["+"], Kind::Nominal),
            (&["e5", "1e", "."], Kind::Nominal),
            (&["", ""], Kind::Nominal),
            (&["٣"], Kind::Nominal),
        ] {
            assert_eq!(detect(&dictionary(texts)), kind, "{texts:?}");
        }
    }

    proptest! {
        #[test]
        fn whatever_is_a_number_looks_like_one(text in "[-+]?[0-9.]{0,6}([eE][-+]?[0-9]{0,2})?") {
            prop_assert_eq!(Decimal::parse(&text).is_some() , looks_numeric(&text) && Decimal::parse(&text).is_some());
            if looks_numeric(&text) && text.len() < 8 {
                // Short texts always fit, unless the exponent is large.
                prop_assert!(Decimal::parse(&text).is_some() || text.contains(['e', 'E']), "{}", text);
            }
        }
    }
}
