//! Days as numbers and as ISO dates.

use crate::field::push_digits;

/// The first day of a month of the Gregorian calendar, counted from
/// 0000-03-01, so that every date of a person is a positive number.
pub(crate) const fn first_of(year: u32, month: u32) -> u32 {
    // A year here begins in March, so that a leap day is its last day.
    let (y, m) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    365 * y + y / 4 - y / 100 + y / 400 + (153 * m + 2) / 5
}

/// Appends a day counted as in [`first_of`] as `yyyy-mm-dd`.
#[inline]
pub(crate) fn push_date(out: &mut Vec<u8>, day: u32) {
    // The inverse of `first_of`, in cycles of 400 years of 146,097 days.
    let in_cycle = day % 146_097;
    let year_of_cycle = (in_cycle - in_cycle / 1_460 + in_cycle / 36_524 - in_cycle / 146_096) / 365;
    let in_year = in_cycle - (365 * year_of_cycle + year_of_cycle / 4 - year_of_cycle / 100);
    let m = (5 * in_year + 2) / 153;
    let month = if m < 10 { m + 3 } else { m - 9 };
    let year = day / 146_097 * 400 + year_of_cycle + u32::from(month <= 2);
    push_digits::<4>(out, year);
    out.push(b'-');
    push_digits::<2>(out, month);
    out.push(b'-');
    push_digits::<2>(out, in_year - (153 * m + 2) / 5 + 1);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(day: u32) -> String {
        let mut out = Vec::new();
        push_date(&mut out, day);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn known_days() {
        assert_eq!(text(719_468), "1970-01-01");
        assert_eq!(text(first_of(2000, 3) - 1), "2000-02-29");
        assert_eq!(text(first_of(2001, 3) - 1), "2001-02-28");
        assert_eq!(text(first_of(2100, 3) - 1), "2100-02-28");
        assert_eq!(text(719_468 + 20_453), "2025-12-31");
    }

    #[test]
    fn every_month_starts_on_its_first() {
        for year in 1890..2110 {
            for month in 1..=12 {
                assert_eq!(text(first_of(year, month)), format!("{year:04}-{month:02}-01"));
            }
        }
    }
}
