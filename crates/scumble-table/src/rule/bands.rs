//! Bands of numbers and days as a release shows them.

use super::{BandWidth, Edge, RuleLevels, amount_from, ceil_div, ten_to};
use crate::{Kind, NodeId, date_text, month_span, parse_date};

/// The intervals behind the nodes of a tree of bands, in units of the column's last digit, or in days.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bands {
    /// By node; the root has none, it is everything.
    pub(super) nodes: Vec<Option<Band>>,
    pub(super) kind: Kind,
    /// The first values of the lowest and of the highest cut, where outer bands are open.
    pub(super) cuts: Option<(i128, i128)>,
}

/// From one amount to another; an open end is `None`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Band {
    pub(super) low: Option<i128>,
    pub(super) high: Option<i128>,
}

impl Bands {
    /// The interval that a release shows for a node, all of whose values lie from `least` to `greatest`; `None` for the root.
    ///
    /// Notation has closed intervals only, and to end an open band with the least or the greatest value would tell it. So an open
    /// end is moved outward to the next whole number of a power of ten (for dates: of ten, a hundred or a thousand years) that is larger than the
    /// cuts and the distance to them: of ages above 65 it tells that nobody is a hundred, and nothing finer.
    pub fn shown(&self, node: NodeId, least: i128, greatest: i128) -> Option<(i128, i128)> {
        let band = (*self.nodes.get(node as usize)?)?;
        let low = band.low.unwrap_or_else(|| self.outward(least, false));
        let high = band.high.unwrap_or_else(|| self.outward(greatest, true));
        Some((low.min(high), high))
    }

    fn outward(&self, end: i128, up: bool) -> i128 {
        let Some((first, last)) = self.cuts else { return end };
        let moved = match self.kind {
            Kind::Date => round_day(first, last, end, up),
            _ => round_number(first, last, end, up),
        };
        moved.unwrap_or(end)
    }
}

fn round_number(first: i128, last: i128, end: i128, up: bool) -> Option<i128> {
    let cut = if up { last } else { first };
    let size = end.checked_sub(cut)?.checked_abs()?.max(last.checked_sub(first)?).max(cut.checked_abs()?);
    let unit = power_above(size, 10)?;
    let below = end.div_euclid(unit).checked_mul(unit)?;
    if up { below.checked_add(unit - 1) } else { Some(below) }
}

fn round_day(first: i128, last: i128, end: i128, up: bool) -> Option<i128> {
    let year = |day: i128| date_text(i32::try_from(day).ok()?).get(..4)?.parse::<i128>().ok();
    let cut = year(if up { last } else { first })?;
    let end = year(end)?;
    let unit = power_above((end - cut).abs().max(year(last)? - year(first)?), 10)?;
    let below = end.div_euclid(unit) * unit;
    let day = if up {
        parse_date(&format!("{:04}-12-31", (below + unit - 1).min(9_999)))
    } else {
        parse_date(&format!("{:04}-01-01", below.max(1)))
    };
    day.map(i128::from)
}

/// The least power of ten above a number, and no less than `least`.
fn power_above(number: i128, least: i128) -> Option<i128> {
    let mut unit = least;
    while unit <= number {
        unit = unit.checked_mul(10)?;
    }
    Some(unit)
}

/// One level of a rule on the amounts of a domain.
pub(super) enum BandLevel {
    /// Numbers: the width at a scale that is finer by this factor.
    Width { width: i128, unit: i128 },
    /// Spans of the calendar.
    Months(u32),
    /// The first amount of every band but the lowest; the ends of the outer ones.
    Cuts { firsts: Vec<i128>, range: Option<(i128, i128)> },
}

/// The levels of a rule for numbers at a scale, or for days; `None` where exact arithmetic has not enough digits.
pub(super) fn band_levels(levels: &RuleLevels, scale: u8) -> Option<Vec<BandLevel>> {
    let amount = |edge: &Edge| match edge {
        Edge::Number(number) => amount_from(*number, scale),
        Edge::Day(day) => Some(i128::from(*day)),
    };
    match levels {
        RuleLevels::Bands(widths) => widths
            .iter()
            .map(|width| match width {
                BandWidth::Months(months) => Some(BandLevel::Months(*months)),
                BandWidth::Number(width) => {
                    let common = scale.max(width.scale());
                    Some(BandLevel::Width { width: width.at_scale(common)?, unit: ten_to(common - scale)? })
                }
            })
            .collect(),
        RuleLevels::Cuts { levels, range } => {
            let range = match range {
                Some((Edge::Number(least), Edge::Number(greatest))) => {
                    // The last value that is not above the greatest.
                    let common = scale.max(greatest.scale());
                    let high = greatest.at_scale(common)?.div_euclid(ten_to(common - scale)?);
                    Some((amount_from(*least, scale)?, high))
                }
                Some((least, greatest)) => Some((amount(least)?, amount(greatest)?)),
                None => None,
            };
            let level = |cuts: &Vec<Edge>| {
                Some(BandLevel::Cuts { firsts: cuts.iter().map(amount).collect::<Option<_>>()?, range })
            };
            levels.iter().map(level).collect()
        }
        RuleLevels::Prefix(_) => Some(Vec::new()),
    }
}

impl BandLevel {
    /// The band of an amount; `None` where exact arithmetic has not enough digits.
    pub(super) fn band(&self, amount: i128) -> Option<Band> {
        let (low, high) = match self {
            BandLevel::Width { width, unit } => {
                let first = amount.checked_mul(*unit)?.div_euclid(*width).checked_mul(*width)?;
                (Some(ceil_div(first, *unit)?), Some(ceil_div(first.checked_add(*width)?, *unit)? - 1))
            }
            BandLevel::Months(months) => {
                let (first, last) = month_span(i32::try_from(amount).ok()?, *months);
                (Some(first.into()), Some(last.into()))
            }
            BandLevel::Cuts { firsts, range } => {
                let at = firsts.partition_point(|&first| first <= amount);
                let below = at.checked_sub(1).map(|at| firsts[at]);
                let above = firsts.get(at).map(|&first| first - 1);
                (below.or(range.map(|(least, _)| least)), above.or(range.map(|(_, greatest)| greatest)))
            }
        };
        Some(Band { low, high })
    }
}
