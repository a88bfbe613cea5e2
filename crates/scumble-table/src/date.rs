//! Calendar dates as whole days, in the proleptic Gregorian calendar.

/// Days since 1970-01-01 of an ISO date `YYYY-MM-DD`; `None` for anything else.
pub fn parse_date(text: &str) -> Option<i32> {
    let b = text.as_bytes();
    if b.len() != 10 || b[4] != b'-' || b[7] != b'-' {
        return None;
    }
    let number = |range: std::ops::Range<usize>| {
        b[range].iter().try_fold(0i32, |n, &d| d.is_ascii_digit().then(|| n * 10 + i32::from(d - b'0')))
    };
    let (year, month, day) = (number(0..4)?, number(5..7)?, number(8..10)?);
    if year == 0 || !(1..=12).contains(&month) || day < 1 || day > days_in_month(year, month) {
        return None;
    }
    Some(days_from_civil(year, month, day))
}

/// The ISO text of a day number.
pub fn date_text(days: i32) -> String {
    let (year, month, day) = civil_from_days(days);
    format!("{year:04}-{month:02}-{day:02}")
}

/// The first day of the span of `months` months that holds a day, where spans are counted from January: 1 gives the
/// first day of the month, 3 of the quarter, 12 of the year. Spans that do not divide a year begin anew with each.
pub fn first_of_months(days: i32, months: u8) -> i32 {
    let (year, month, _) = civil_from_days(days);
    let months = i32::from(months.clamp(1, 12));
    days_from_civil(year, (month - 1) / months * months + 1, 1)
}

/// The first day of the span of `years` years that holds a day, where spans are counted from the year 0.
pub fn first_of_years(days: i32, years: u16) -> i32 {
    let (year, ..) = civil_from_days(days);
    let years = i32::from(years.max(1));
    days_from_civil(year.div_euclid(years) * years, 1, 1)
}

/// The first and the last day of the span of `months` months that holds a day, where spans are counted from the year 0.
/// Spans are cut off where the calendar of four digits begins and ends.
pub fn month_span(days: i32, months: u32) -> (i32, i32) {
    let (year, month, _) = civil_from_days(days);
    let months = i32::try_from(months.max(1)).unwrap_or(i32::MAX);
    let first = (year * 12 + month - 1).div_euclid(months) * months;
    let beginning = |month: i32| days_from_civil(month.div_euclid(12), month.rem_euclid(12) + 1, 1);
    let calendar = (days_from_civil(1, 1, 1), days_from_civil(9_999, 12, 31));
    (beginning(first).max(calendar.0), (beginning(first.saturating_add(months)) - 1).min(calendar.1))
}

fn is_leap(year: i32) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

fn days_in_month(year: i32, month: i32) -> i32 {
    match month {
        4 | 6 | 9 | 11 => 30,
        2 if is_leap(year) => 29,
        2 => 28,
        _ => 31,
    }
}

/// Counts from March so that the leap day is the last of its year, in eras of 400 years (146,097 days).
fn days_from_civil(year: i32, month: i32, day: i32) -> i32 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    era * 146_097 + day_of_era - 719_468
}

fn civil_from_days(days: i32) -> (i32, i32, i32) {
    let days = i64::from(days) + 719_468;
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = (day_of_year - (153 * month_from_march + 2) / 5 + 1) as i32;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 } as i32;
    let year = (year_of_era + era * 400) as i32 + i32::from(month <= 2);
    (year, month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_days() {
        assert_eq!(parse_date("1970-01-01"), Some(0));
        assert_eq!(parse_date("2000-02-29"), Some(11_016));
        assert_eq!(parse_date("1969-12-31"), Some(-1));
        for bad in [
            "2001-02-29",
            "2000-13-01",
            "2000-00-10",
            "2000-1-1",
            "20000101",
            "2000-01-01T00:00",
            "0000-01-01",
            "2000-01-3é",
        ] {
            assert_eq!(parse_date(bad), None, "{bad}");
        }
    }

    #[test]
    fn months_quarters_and_years_begin_with_their_first_day() {
        let first = |text: &str, months| date_text(first_of_months(parse_date(text).unwrap(), months));
        for (day, month, quarter, year) in [
            ("2000-02-29", "2000-02-01", "2000-01-01", "2000-01-01"),
            ("1999-12-31", "1999-12-01", "1999-10-01", "1999-01-01"),
            ("1969-06-30", "1969-06-01", "1969-04-01", "1969-01-01"),
            ("0001-01-01", "0001-01-01", "0001-01-01", "0001-01-01"),
        ] {
            assert_eq!([1, 3, 12].map(|months| first(day, months)), [month, quarter, year], "{day}");
        }
    }

    #[test]
    fn every_day_of_eight_centuries_comes_back() {
        let (first, last) = (parse_date("1600-01-01").unwrap(), parse_date("2400-12-31").unwrap());
        assert_eq!(last - first + 1, 801 * 365 + 195);
        for day in first..=last {
            assert_eq!(parse_date(&date_text(day)), Some(day));
        }
    }
}
