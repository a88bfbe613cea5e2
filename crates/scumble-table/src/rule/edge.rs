//! Values at which bands begin or end.

use crate::{Decimal, date_text, parse_date};
use std::fmt;

/// A number or a day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Edge {
    /// A number.
    Number(Decimal),
    /// A day since 1970-01-01.
    Day(i32),
}

impl Edge {
    /// Reads a number or an ISO date; `None` for anything else.
    pub fn parse(text: &str) -> Option<Edge> {
        parse_date(text).map(Edge::Day).or_else(|| Decimal::parse(text).map(Edge::Number))
    }

    /// True for a day.
    pub fn is_day(self) -> bool {
        matches!(self, Edge::Day(_))
    }
}

impl fmt::Display for Edge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Edge::Number(number) => write!(f, "{number}"),
            Edge::Day(day) => f.write_str(&date_text(*day)),
        }
    }
}
