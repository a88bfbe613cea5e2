//! Exact decimal numbers: what the text denotes, never its nearest float.

use std::cmp::Ordering;
use std::fmt;

/// An exact decimal, `mantissa * 10^-scale`, kept without trailing zeros.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Decimal {
    mantissa: i128,
    scale: u8,
}

/// The most digits after the point: more would not fit a 128-bit mantissa.
pub(crate) const MAX_SCALE: u8 = 36;

impl Decimal {
    /// Zero.
    pub const ZERO: Decimal = Decimal { mantissa: 0, scale: 0 };

    /// `mantissa * 10^-scale`.
    pub fn new(mut mantissa: i128, mut scale: u8) -> Self {
        while scale > 0 && mantissa % 10 == 0 {
            mantissa /= 10;
            scale -= 1;
        }
        Decimal { mantissa, scale }
    }

    /// Reads plain or exponent notation: `12`, `-0.5`, `.5`, `5.`, `+1e3`. Blanks, `NaN`, `inf`,
    /// and numbers beyond 37 significant digits give `None`.
    pub fn parse(text: &str) -> Option<Self> {
        let bytes = text.as_bytes();
        let (negative, mut at) = match bytes.first()? {
            b'-' => (true, 1),
            b'+' => (false, 1),
            _ => (false, 0),
        };
        let mut mantissa: i128 = 0;
        let mut scale: i64 = 0;
        let (mut digits, mut point) = (0usize, false);
        while at < bytes.len() {
            match bytes[at] {
                d @ b'0'..=b'9' => {
                    mantissa = mantissa.checked_mul(10)?.checked_add(i128::from(d - b'0'))?;
                    digits += 1;
                    scale += i64::from(point);
                }
                b'.' if !point => point = true,
                b'e' | b'E' => break,
                _ => return None,
            }
            at += 1;
        }
        if digits == 0 {
            return None;
        }
        if at < bytes.len() {
            let exponent = &text[at + 1..];
            let plain = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
            if plain.is_empty() || !plain.bytes().all(|b| b.is_ascii_digit()) {
                return None;
            }
            scale = scale.checked_sub(exponent.parse::<i64>().ok()?)?;
        }
        if negative {
            mantissa = -mantissa;
        }
        if mantissa == 0 {
            return Some(Decimal::ZERO);
        }
        while scale > 0 && mantissa % 10 == 0 {
            mantissa /= 10;
            scale -= 1;
        }
        while scale < 0 {
            mantissa = mantissa.checked_mul(10)?;
            scale += 1;
        }
        if scale > i64::from(MAX_SCALE) {
            return None;
        }
        Some(Decimal { mantissa, scale: scale as u8 })
    }

    /// The decimal that the shortest text of a finite float denotes.
    pub fn from_f64(value: f64) -> Option<Self> {
        if value.is_finite() { Decimal::parse(&format!("{value}")) } else { None }
    }

    /// The digits without the point.
    pub fn mantissa(self) -> i128 {
        self.mantissa
    }

    /// Digits after the point.
    pub fn scale(self) -> u8 {
        self.scale
    }

    /// This number times `10^scale` if that is whole and fits.
    pub fn at_scale(self, scale: u8) -> Option<i128> {
        let up = u32::from(scale.checked_sub(self.scale)?);
        self.mantissa.checked_mul(10i128.checked_pow(up)?)
    }

    /// The nearest float, for losses and estimates only.
    pub fn to_f64(self) -> f64 {
        self.to_string().parse().unwrap_or(f64::NAN)
    }

    /// True for whole numbers.
    pub fn is_integer(self) -> bool {
        self.scale == 0
    }
}

impl Ord for Decimal {
    fn cmp(&self, other: &Self) -> Ordering {
        let scale = self.scale.max(other.scale);
        match (self.at_scale(scale), other.at_scale(scale)) {
            (Some(a), Some(b)) => a.cmp(&b),
            // Only the number of smaller scale can overflow, and then it is the larger in magnitude.
            (None, _) => self.mantissa.cmp(&0),
            (_, None) => 0.cmp(&other.mantissa),
        }
    }
}

impl PartialOrd for Decimal {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.scale == 0 {
            return write!(f, "{}", self.mantissa);
        }
        let digits = format!("{:0>width$}", self.mantissa.unsigned_abs(), width = usize::from(self.scale) + 1);
        let (whole, part) = digits.split_at(digits.len() - usize::from(self.scale));
        let sign = if self.mantissa < 0 { "-" } else { "" };
        write!(f, "{sign}{whole}.{part}")
    }
}

impl From<i64> for Decimal {
    fn from(value: i64) -> Self {
        Decimal { mantissa: i128::from(value), scale: 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn an_exponent_beyond_all_numbers_is_refused() {
        assert_eq!(Decimal::parse("0E-9223372036854775808"), None);
        assert_eq!(Decimal::parse("1E9223372036854775807"), None);
    }

    #[test]
    fn reads_what_the_text_denotes() {
        for (text, shown) in [
            ("12", "12"),
            ("-0.50", "-0.5"),
            (".5", "0.5"),
            ("5.", "5"),
            ("+1e3", "1000"),
            ("1.25E-2", "0.0125"),
            ("0.30000000000000004", "0.30000000000000004"),
            ("-0", "0"),
            ("0e999999", "0"),
            ("007", "7"),
        ] {
            assert_eq!(Decimal::parse(text).map(|d| d.to_string()).as_deref(), Some(shown), "{text}");
        }
        for text in
            ["", " 1", "1 ", "NaN", "inf", "1e400", "1e", "e5", ".", "-", "1.2.3", "0x10", "1_000", "1,5", "1e+-3"]
        {
            assert_eq!(Decimal::parse(text), None, "{text}");
        }
    }

    #[test]
    fn sums_that_floats_get_wrong_stay_apart() {
        assert!(Decimal::parse("0.30000000000000004") > Decimal::parse("0.3"));
        assert_eq!(Decimal::from_f64(0.1 + 0.2), Decimal::parse("0.30000000000000004"));
        assert_eq!(Decimal::from_f64(f64::NAN), None);
    }

    #[test]
    fn order_survives_overflow_of_the_common_scale() {
        let huge = Decimal::parse("99999999999999999999999999999999").unwrap();
        let fine = Decimal::parse("0.000000000000000000000000000001").unwrap();
        assert!(huge > fine && Decimal::new(-huge.mantissa(), 0) < fine);
    }

    proptest! {
        #[test]
        fn text_and_back(mantissa in any::<i64>(), scale in 0u8..18) {
            let d = Decimal::new(i128::from(mantissa), scale);
            prop_assert_eq!(Decimal::parse(&d.to_string()), Some(d));
        }

        #[test]
        fn never_panics(text in "\\PC*") {
            let _ = Decimal::parse(&text);
        }
    }
}
