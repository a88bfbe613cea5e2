//! Widths of bands.

use super::RuleFault;
use crate::{Decimal, suggestion};
use std::fmt;
use std::str::FromStr;

/// Spans of the calendar by name, with their months.
const NAMED: [(&str, u32); 3] = [("month", 1), ("quarter", 3), ("year", 12)];

/// The calendar ends with the year 9999.
const MOST_MONTHS: u32 = 12 * 9_999;

/// The width of a band: a positive number, or a span of the calendar in months.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum BandWidth {
    /// A number.
    Number(Decimal),
    /// Months: a divisor of a year, or whole years.
    Months(u32),
}

impl BandWidth {
    /// Whether bands of another width are made of bands of this one; `None` where a number meets a span of the calendar.
    pub(super) fn divides(self, other: BandWidth) -> Option<bool> {
        match (self, other) {
            (BandWidth::Number(finer), BandWidth::Number(coarser)) => {
                let scale = finer.scale().max(coarser.scale());
                let both = finer.at_scale(scale).zip(coarser.at_scale(scale));
                Some(both.is_some_and(|(finer, coarser)| coarser > finer && coarser % finer == 0))
            }
            (BandWidth::Months(finer), BandWidth::Months(coarser)) => Some(coarser > finer && coarser % finer == 0),
            _ => None,
        }
    }

    /// This width and the coarser ones that suit it.
    pub(super) fn and_coarser(self) -> Vec<BandWidth> {
        match self {
            BandWidth::Number(width) => {
                let times = |n: i128| width.mantissa().checked_mul(n).map(|m| Decimal::new(m, width.scale()));
                [1, 2, 4].into_iter().filter_map(times).map(BandWidth::Number).collect()
            }
            BandWidth::Months(months) => {
                let coarser: &[u32] = match months {
                    1 | 3 => &[3, 12, 120],
                    2 | 4 | 6 => &[12, 120],
                    12 => &[60, 120],
                    _ => &[],
                };
                let doubled = [2, 4].into_iter().filter(|_| months > 12).map(|n| months.saturating_mul(n));
                let all =
                    coarser.iter().copied().chain(doubled).filter(|&other| other > months && other <= MOST_MONTHS);
                std::iter::once(months).chain(all).map(BandWidth::Months).collect()
            }
        }
    }
}

impl FromStr for BandWidth {
    type Err = RuleFault;

    fn from_str(text: &str) -> Result<Self, RuleFault> {
        const HINT: &str = "a number above 0 for numbers; month, quarter, year, 6m or 5y for dates";
        if let Some((_, months)) = NAMED.iter().find(|(name, _)| *name == text) {
            return Ok(BandWidth::Months(*months));
        }
        let spans =
            [('m', 1), ('y', 12)].into_iter().find_map(|(letter, months)| Some((text.strip_suffix(letter)?, months)));
        if let Some((digits, months)) = spans
            && !digits.is_empty()
            && digits.bytes().all(|byte| byte.is_ascii_digit())
        {
            let months = digits.parse::<u32>().ok().and_then(|n| n.checked_mul(months)).filter(|&n| n <= MOST_MONTHS);
            return match months {
                Some(months) if months > 0 && (12 % months == 0 || months.is_multiple_of(12)) => {
                    Ok(BandWidth::Months(months))
                }
                _ => Err(RuleFault::new(
                    format!("bands of `{text}` would not begin with years"),
                    "1m, 2m, 3m, 4m, 6m, or whole years up to 9999y",
                )),
            };
        }
        match Decimal::parse(text) {
            Some(width) if width > Decimal::ZERO => Ok(BandWidth::Number(width)),
            Some(_) => Err(RuleFault::new(format!("a band cannot be {text} wide"), HINT)),
            None => {
                let named = NAMED.iter().map(|(name, _)| *name);
                let hint = suggestion(text, named).unwrap_or_else(|| HINT.into());
                Err(RuleFault::new(format!("`{text}` is no width"), hint))
            }
        }
    }
}

impl fmt::Display for BandWidth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BandWidth::Number(width) => write!(f, "{width}"),
            BandWidth::Months(months) => match NAMED.iter().find(|(_, known)| known == months) {
                Some((name, _)) => f.write_str(name),
                None if months.is_multiple_of(12) => write!(f, "{}y", months / 12),
                None => write!(f, "{months}m"),
            },
        }
    }
}
