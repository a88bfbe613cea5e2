//! Dates by the calendar: months, quarters, years, decades. Such cuts tell nothing about the data but the years that
//! it spans.

use scumble_table::{Cuts, Domain, date_text, parse_date};

/// The steps of a calendar, each a number of months.
const STEPS: [Step; 4] = [Step(1), Step(3), Step(12), Step(120)];

/// More intervals than this are no generalization: a century has 1,200 months.
const MOST: i32 = 12_000;

/// A step of a number of months, counted from the year 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Step(i32);

impl Step {
    /// All steps, fine to coarse.
    pub(super) fn all() -> [Step; 4] {
        STEPS
    }

    /// The number of the period that a day is in.
    pub(super) fn period(self, day: i32) -> i32 {
        let text = date_text(day);
        let number = |range: std::ops::Range<usize>| text.get(range).and_then(|digits| digits.parse::<i32>().ok());
        (number(0..4).unwrap_or(0) * 12 + number(5..7).unwrap_or(1) - 1) / self.0
    }

    /// The last day of a period; `None` beyond the calendar.
    pub(super) fn end(self, period: i32) -> Option<i32> {
        let month = (period + 1) * self.0;
        parse_date(&format!("{:04}-{:02}-01", month / 12, month % 12 + 1)).map(|day| day - 1)
    }

    /// What a period is called: `2001-05`, `2001 Q2`, `2001`, `2000s`.
    pub(super) fn name(self, period: i32) -> String {
        let month = period * self.0;
        let year = month / 12;
        match self.0 {
            1 => format!("{year:04}-{:02}", month % 12 + 1),
            3 => format!("{year:04} Q{}", month % 12 / 3 + 1),
            12 => format!("{year:04}"),
            _ => format!("{year:04}s"),
        }
    }
}

/// First and last day of a domain of dates.
pub(super) fn span(domain: &Domain) -> Option<(i32, i32)> {
    let day = |code| domain.amount(code).and_then(|day| i32::try_from(day).ok());
    Some((day(1)?, day(domain.len() as u32)?))
}

/// One level for each step of which there are several periods, from the first on that joins two values.
pub(super) fn steps(domain: &Domain) -> Vec<Cuts> {
    let Some((first, last)) = span(domain) else { return Vec::new() };
    let days: Vec<i32> = domain.codes().filter_map(|code| domain.amount(code)).map(|day| day as i32).collect();
    let mut levels = Vec::new();
    for step in Step::all() {
        let (from, to) = (step.period(first), step.period(last));
        let joins = days.windows(2).any(|pair| step.period(pair[0]) == step.period(pair[1]));
        if from < to && to - from < MOST && (joins || !levels.is_empty()) {
            levels.push((from..to).filter_map(|period| step.end(period)).map(|day| date_text(day).into()).collect());
        }
    }
    levels
}
