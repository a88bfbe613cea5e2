//! Intervals of dates, moved outward to round ones.
//!
//! Up to three weeks the ends move to every second day, as numbers do. Wider intervals reach from the first day of a week, a month, a
//! quarter, a year, five years or a decade to the last day of one, as their width calls for. A span of a calendar is of
//! use from four times its length on, so that a box grows by a quarter on average at most.

use super::numbers::{NumberUnit, round_numbers};
use scumble_table::{first_of_months, first_of_years, parse_date};

/// What the dates of a column have in common, so that only coarser spans hide anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum DateUnit {
    /// Any day.
    Day,
    /// Most dates are the first of a month.
    Month,
    /// Most dates are the first of a quarter.
    Quarter,
    /// Most dates are the first of January.
    Year,
}

/// A span of the calendar.
struct Span {
    /// The greatest width, in days, at which it is of use.
    widest: i64,
    /// The first day of the span that holds a day.
    first: fn(i32) -> i32,
    /// A number of days that leads from the first day of a span into the next, and not beyond.
    stride: i32,
}

const SPANS: [Span; 7] = [
    Span { widest: 21, first: |day| day.div_euclid(2) * 2, stride: 2 },
    // 1970-01-01 was a Thursday, three days after a Monday.
    Span { widest: 124, first: |day| (day + 3).div_euclid(7) * 7 - 3, stride: 7 },
    Span { widest: 370, first: |day| first_of_months(day, 1), stride: 40 },
    Span { widest: 1465, first: |day| first_of_months(day, 3), stride: 100 },
    Span { widest: 7310, first: |day| first_of_years(day, 1), stride: 400 },
    Span { widest: 14_615, first: |day| first_of_years(day, 5), stride: 1900 },
    Span { widest: i64::MAX, first: |day| first_of_years(day, 10), stride: 3700 },
];

impl DateUnit {
    /// What nine tenths of the distinct days, counted from 1970-01-01, have in common.
    pub fn for_days(days: &[i32]) -> DateUnit {
        let most = |is_round: &dyn Fn(i32) -> bool| {
            !days.is_empty() && days.iter().filter(|&&day| is_round(day)).count() * 10 >= days.len() * 9
        };
        if most(&|day| first_of_years(day, 1) == day) {
            DateUnit::Year
        } else if most(&|day| first_of_months(day, 3) == day) {
            DateUnit::Quarter
        } else if most(&|day| first_of_months(day, 1) == day) {
            DateUnit::Month
        } else {
            DateUnit::Day
        }
    }

    /// The shortest span that holds several such dates, as its place among [`SPANS`]: two days, a quarter, a year, five years.
    fn shortest(self) -> usize {
        match self {
            DateUnit::Day => 0,
            DateUnit::Month => 3,
            DateUnit::Quarter => 4,
            DateUnit::Year => 5,
        }
    }
}

impl Span {
    /// The last day of the span that holds a day.
    fn last(&self, day: i32) -> i32 {
        (self.first)((self.first)(day) + self.stride) - 1
    }
}

/// The interval that is shown for a least interval of days `lo < hi`, counted from 1970-01-01.
pub fn round_days(lo: i32, hi: i32, unit: DateUnit) -> (i32, i32) {
    let width = i64::from(hi) - i64::from(lo);
    let wide_enough = SPANS.iter().position(|span| width <= span.widest).unwrap_or(SPANS.len() - 1);
    let (first, last) = match wide_enough.max(unit.shortest()) {
        0 => match round_numbers(lo.into(), hi.into(), NumberUnit::for_values(&[])) {
            Some((down, up)) => (down as i32, up as i32),
            None => (lo, hi),
        },
        at => ((SPANS[at].first)(lo), SPANS[at].last(hi)),
    };
    // Only years of four digits can be written, from the year 1 on.
    let clamp =
        |day: i32, bound: &str, outward: fn(i32, i32) -> i32| parse_date(bound).map_or(day, |b| outward(day, b));
    (clamp(first, "0001-01-01", i32::max), clamp(last, "9999-12-31", i32::min))
}

#[cfg(test)]
mod tests {
    use super::*;
    use scumble_table::date_text;
    use std::collections::BTreeMap;

    fn shown(lo: &str, hi: &str, unit: DateUnit) -> String {
        let (first, last) = round_days(parse_date(lo).unwrap(), parse_date(hi).unwrap(), unit);
        format!("{}..{}", date_text(first), date_text(last))
    }

    #[test]
    fn spans_of_the_calendar() {
        let day = DateUnit::Day;
        assert_eq!(shown("2024-03-05", "2024-03-08", day), "2024-03-04..2024-03-08");
        assert_eq!(shown("2024-03-05", "2024-03-30", day), "2024-03-04..2024-03-31");
        assert_eq!(shown("2024-02-10", "2024-07-03", day), "2024-02-01..2024-07-31");
        assert_eq!(shown("2021-02-10", "2023-07-03", day), "2021-01-01..2023-09-30");
        assert_eq!(shown("1981-02-10", "1990-07-03", day), "1981-01-01..1990-12-31");
        assert_eq!(shown("1981-02-10", "2001-07-03", day), "1980-01-01..2004-12-31");
        assert_eq!(shown("1931-02-10", "1977-07-03", day), "1930-01-01..1979-12-31");
        assert_eq!(shown("2024-02-01", "2024-03-01", DateUnit::Month), "2024-01-01..2024-03-31");
        assert_eq!(shown("1981-01-01", "1982-01-01", DateUnit::Year), "1980-01-01..1984-12-31");
        assert_eq!(shown("0001-01-01", "9999-12-31", day), "0001-01-01..9999-12-31");
    }

    #[test]
    fn the_unit_is_what_most_dates_share() {
        let days = |texts: &[&str]| texts.iter().map(|text| parse_date(text).unwrap()).collect::<Vec<_>>();
        assert_eq!(DateUnit::for_days(&days(&["2020-01-01", "2021-01-01"])), DateUnit::Year);
        assert_eq!(DateUnit::for_days(&days(&["2020-01-01", "2021-04-01"])), DateUnit::Quarter);
        assert_eq!(DateUnit::for_days(&days(&["2020-01-01", "2021-05-01"])), DateUnit::Month);
        assert_eq!(DateUnit::for_days(&days(&["2020-01-01", "2021-05-02"])), DateUnit::Day);
        assert_eq!(DateUnit::for_days(&[]), DateUnit::Day);
    }

    /// The published intervals that tell an end, of all least ones that start in `lows` days and are at most `widest` wide.
    fn certain_ends(days: &[i32], lows: i32, widest: i32, unit: DateUnit) -> Vec<String> {
        let from = days[0];
        // Values that are an end of everything behind a published interval.
        let mut behind: BTreeMap<(i32, i32), Vec<i32>> = BTreeMap::new();
        for (at, &lo) in days.iter().enumerate().take_while(|(_, lo)| **lo < from + lows) {
            for &hi in days[at + 1..].iter().take_while(|hi| **hi <= lo + widest) {
                let shown = round_days(lo, hi, unit);
                assert!(shown.0 <= lo && hi <= shown.1);
                behind.entry(shown).or_insert_with(|| vec![lo, hi]).retain(|end| *end == lo || *end == hi);
            }
        }
        assert!(behind.len() > 100);
        // Behind intervals at the border of the enumeration stand some that it has not seen.
        let inside = |first: i32, last: i32| first > from && first + 100 < from + lows && last - first < widest - 200;
        let told = behind.iter().filter(|((first, last), ends)| inside(*first, *last) && !ends.is_empty());
        told.map(|((first, last), ends)| format!("{}..{}: {ends:?}", date_text(*first), date_text(*last))).collect()
    }

    #[test]
    fn no_end_is_certain_whatever_is_published() {
        let start = parse_date("2019-01-01").unwrap();
        let none: Vec<String> = Vec::new();
        let days: Vec<i32> = (start..start + 2400).collect();
        assert_eq!(certain_ends(&days, 900, 1450, DateUnit::Day), none);
        let mut firsts: Vec<i32> = (start..start + 6000).map(|day| first_of_months(day, 1)).collect();
        firsts.dedup();
        assert_eq!(certain_ends(&firsts, 3000, 2500, DateUnit::Month), none);
        let mut quarters: Vec<i32> = (start..start + 20_000).map(|day| first_of_months(day, 3)).collect();
        quarters.dedup();
        assert_eq!(certain_ends(&quarters, 9000, 7000, DateUnit::Quarter), none);
    }
}
