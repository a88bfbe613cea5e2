//! What the boxes of a release look like: as small as their groups, rounded, or the cells of the cuts.

use super::generalize::{least_cover, quasi_column};
use crate::coins::{Coins, Purpose};
use crate::mondrian::Cells;
use crate::rounding::{DateUnit, NumberUnit, node_above, pad, round_days, round_numbers, round_positions};
use rayon::prelude::*;
use scumble_release::notation::Cover;
use scumble_release::{Extent, QuasiColumn};
use scumble_table::{Attribute, Code, Decimal, Domain, Kind, Monitor, NULL, Partition, Table};

/// The kind of boxes, and what it takes to draw them.
pub enum Outline<'a> {
    /// The least box around a group.
    Minimal,
    /// The least box, moved outward to round values.
    Rounded,
    /// The cell of the cuts that a group lies in.
    Cells(&'a Cells),
}

/// A column of boxes as it is published.
pub struct ShownBoxes {
    /// The column.
    pub column: QuasiColumn,
    /// What its texts cover, in codes of the attribute's domain.
    pub covers: Vec<Cover>,
    /// Where ends are not values of the table: all that the texts reach, and the covers are empty.
    pub moved: Option<Extent>,
}

impl ShownBoxes {
    /// The domain that some columns of boxes of one attribute show together.
    pub fn extent<'a>(columns: impl IntoIterator<Item = &'a ShownBoxes>, domain: &Domain) -> Extent {
        let (mut moved, mut covers): (Option<Extent>, Vec<Cover>) = (None, Vec::new());
        for shown in columns {
            match (&shown.moved, moved.take()) {
                (Some(extent), Some(before)) => moved = Some(before.union(extent.clone(), domain)),
                (Some(extent), None) => moved = Some(extent.clone()),
                (None, before) => moved = before,
            }
            covers.extend(shown.covers.iter().cloned());
        }
        moved.unwrap_or_else(|| Extent::from_covers(domain, &covers))
    }
}

/// What a group shows in one column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum BoxSide {
    /// A cover in codes of the table.
    Plain(Cover),
    /// From one amount to another: numbers in units of the column's last digit, or days.
    Span(i128, i128),
}

impl Outline<'_> {
    /// A column of boxes around the groups of a partition; `group_order` says which of them stands behind each published
    /// number, and `present` which codes occur in them.
    #[allow(
        clippy::too_many_arguments,
        reason = "a column, its groups and what is drawn with; all callers have them apart"
    )]
    pub(super) fn column(
        &self,
        table: &Table,
        column: usize,
        partition: &Partition,
        group_order: &[u32],
        present: &[bool],
        coins: &Coins,
        monitor: Monitor<'_>,
    ) -> ShownBoxes {
        let attribute = table.attribute(column);
        let domain = &attribute.domain;
        let least = |group: usize| match monitor.is_cancelled() {
            true => Cover::All,
            false => least_cover(table, column, partition.group(group)),
        };
        let drawn: Vec<BoxSide> = match self {
            Outline::Minimal if domain.bands().is_none() => {
                return quasi_column(attribute, domain, least, group_order, present, monitor);
            }
            Outline::Minimal => {
                (0..partition.n_groups()).into_par_iter().map(|group| BoxSide::Plain(least(group))).collect()
            }
            Outline::Cells(cells) => {
                let draw = |group| cells.drawn(table, column, group, least(group), present);
                (0..partition.n_groups()).into_par_iter().map(draw).collect()
            }
            Outline::Rounded => {
                let rows = rows_of_codes(table, column, partition);
                let rounding = Rounding::new(domain, present, rows);
                let place = |group: usize| ((column as u64) << 40) | group as u64;
                let draw = |group| rounding.drawn(least(group), || coins.stream(Purpose::Labels, place(group)));
                (0..partition.n_groups()).into_par_iter().map(draw).collect()
            }
        };
        drawn_column(attribute, drawn, group_order, present, monitor)
    }
}

/// A column that shows what was drawn for each group of a partition.
pub(super) fn drawn_column(
    attribute: &Attribute,
    drawn: Vec<BoxSide>,
    group_order: &[u32],
    present: &[bool],
    monitor: Monitor<'_>,
) -> ShownBoxes {
    let domain = &attribute.domain;
    let by_amounts = domain.bands().is_some() || domain.hierarchy().is_none();
    if !by_amounts || !matches!(domain.kind(), Kind::Number | Kind::Date) {
        let cover = |group: usize| match &drawn[group] {
            BoxSide::Plain(cover) => cover.clone(),
            // Labels have no amounts.
            BoxSide::Span(..) => Cover::All,
        };
        return quasi_column(attribute, domain, cover, group_order, present, monitor);
    }
    let drawn = if domain.bands().is_some() { spanned(drawn, domain, present) } else { drawn };
    let ends = Ends::new(domain, &drawn);
    let cover = |group: usize| ends.cover(&drawn[group], domain);
    let shown = quasi_column(attribute, &ends.domain, cover, group_order, present, monitor);
    let extent = Extent::from_covers(&ends.domain, &shown.covers);
    ShownBoxes { covers: Vec::new(), moved: Some(extent), ..shown }
}

/// Bands as the intervals that they are shown by; all else as it is. Open bands end where no published value lies beyond.
fn spanned(drawn: Vec<BoxSide>, domain: &Domain, present: &[bool]) -> Vec<BoxSide> {
    let is_present = |code: &Code| present[*code as usize];
    let amount = |code: Option<Code>| code.and_then(|code| domain.amount(code));
    let ends = amount(domain.codes().find(is_present)).zip(amount(domain.codes().rev().find(is_present)));
    let shown = |node| ends.and_then(|(least, greatest)| domain.bands()?.shown(node, least, greatest));
    let side = |side: BoxSide| match side {
        BoxSide::Plain(Cover::Node(node)) => {
            shown(node).map_or(BoxSide::Plain(Cover::All), |(low, high)| BoxSide::Span(low, high))
        }
        side => side,
    };
    drawn.into_iter().map(side).collect()
}

/// Rows of each code among the published ones.
fn rows_of_codes(table: &Table, column: usize, partition: &Partition) -> Vec<u64> {
    let codes = table.column(column);
    let mut rows = vec![0; table.attribute(column).domain.n_codes()];
    for &row in partition.rows() {
        rows[codes.get(row as usize) as usize] += 1;
    }
    rows
}

/// How the boxes of a column are rounded.
struct Rounding<'a> {
    domain: &'a Domain,
    rows: Vec<u64>,
    numbers: NumberUnit,
    dates: DateUnit,
    /// Codes that occur, rising.
    present: Vec<Code>,
}

impl<'a> Rounding<'a> {
    fn new(domain: &'a Domain, present: &[bool], rows: Vec<u64>) -> Self {
        let present: Vec<Code> = domain.codes().filter(|&code| present[code as usize]).collect();
        let amounts: Vec<i128> = present.iter().filter_map(|&code| domain.amount(code)).collect();
        let days: Vec<i32> = match domain.kind() {
            Kind::Date => amounts.iter().map(|&day| day as i32).collect(),
            _ => Vec::new(),
        };
        Rounding { domain, rows, numbers: NumberUnit::for_values(&amounts), dates: DateUnit::for_days(&days), present }
    }

    /// What is shown in place of a least cover.
    fn drawn(&self, least: Cover, coins: impl FnOnce() -> crate::coins::Stream) -> BoxSide {
        let domain = self.domain;
        BoxSide::Plain(match least {
            Cover::Interval(lo, hi) if domain.kind() == Kind::Ordinal => {
                let rank = |code: Code| self.present.partition_point(|&known| known < code) as u32;
                let (down, up) = round_positions(rank(lo), rank(hi), self.present.len() as u32);
                Cover::Interval(self.present[down as usize], self.present[up as usize])
            }
            Cover::Interval(lo, hi) => {
                let ends = domain.amount(lo).zip(domain.amount(hi));
                let rounded = ends.and_then(|(lo, hi)| round_amounts(domain, lo, hi, self.numbers, self.dates));
                return rounded.map_or(BoxSide::Plain(Cover::All), |(down, up)| BoxSide::Span(down, up));
            }
            Cover::Node(node) => match domain.hierarchy() {
                Some(tree) => Cover::Node(node_above(tree, node)),
                None => Cover::All,
            },
            Cover::Set(members) => Cover::Set(pad(&members, &self.rows, &mut coins())),
            exact @ (Cover::Null | Cover::One(_) | Cover::All) => exact,
        })
    }
}

/// The round interval around two amounts of a column of numbers or dates; `None` where a round number does not fit.
fn round_amounts(domain: &Domain, lo: i128, hi: i128, numbers: NumberUnit, dates: DateUnit) -> Option<(i128, i128)> {
    match domain.kind() {
        Kind::Date => {
            let (first, last) = round_days(i32::try_from(lo).ok()?, i32::try_from(hi).ok()?, dates);
            Some((first.into(), last.into()))
        }
        _ => round_numbers(lo, hi, numbers),
    }
}

/// The round interval around all values of a column of numbers or dates; `None` where there is but one, or no room.
pub(crate) fn round_whole(domain: &Domain, present: &[bool]) -> Option<(i128, i128)> {
    let rounding = Rounding::new(domain, present, Vec::new());
    let amount = |code: Option<&Code>| code.and_then(|&code| domain.amount(code));
    let (lo, hi) = amount(rounding.present.first()).zip(amount(rounding.present.last()))?;
    if lo == hi { None } else { round_amounts(domain, lo, hi, rounding.numbers, rounding.dates) }
}

/// The ends of all boxes of a column of numbers or dates, as a domain of their own.
struct Ends {
    amounts: Vec<i128>,
    domain: Domain,
}

impl Ends {
    fn new(domain: &Domain, drawn: &[BoxSide]) -> Ends {
        let mut amounts = Vec::new();
        for one in drawn {
            match one {
                BoxSide::Span(lo, hi) => amounts.extend([*lo, *hi]),
                BoxSide::Plain(Cover::One(code)) => amounts.extend(domain.amount(*code)),
                BoxSide::Plain(Cover::Interval(lo, hi)) => {
                    amounts.extend(domain.amount(*lo));
                    amounts.extend(domain.amount(*hi));
                }
                BoxSide::Plain(_) => {}
            }
        }
        amounts.sort_unstable();
        amounts.dedup();
        let domain_of = |amounts: &[i128]| match domain.kind() {
            Kind::Date => Domain::dates(amounts.iter().map(|&day| day as i32).collect()),
            _ => {
                let numbers = amounts.iter().map(|&amount| Decimal::new(amount, domain.scale())).collect();
                // Amounts at one scale always have one.
                Domain::numbers(numbers).unwrap_or_else(|_| Domain::dates(Vec::new()))
            }
        };
        Ends { domain: domain_of(&amounts), amounts }
    }

    fn code(&self, amount: i128) -> Code {
        self.amounts.binary_search(&amount).map_or(NULL, |at| at as Code + 1)
    }

    fn cover(&self, drawn: &BoxSide, from: &Domain) -> Cover {
        let code = |code: Code| from.amount(code).map_or(NULL, |amount| self.code(amount));
        match drawn {
            BoxSide::Span(lo, hi) if lo == hi => Cover::One(self.code(*lo)),
            BoxSide::Span(lo, hi) => Cover::Interval(self.code(*lo), self.code(*hi)),
            BoxSide::Plain(Cover::One(one)) => Cover::One(code(*one)),
            BoxSide::Plain(Cover::Interval(lo, hi)) => Cover::Interval(code(*lo), code(*hi)),
            BoxSide::Plain(Cover::Null) => Cover::Null,
            BoxSide::Plain(_) => Cover::All,
        }
    }
}
