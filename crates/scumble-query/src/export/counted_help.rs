//! The help table of an anatomy release, which publishes none: worked out from the counted values of its groups.

use super::sheet::{Cell, Cells, ExportTable};
use super::tables::{bound_column, help_sheet, magnitude, numeric, whole};
use scumble_release::{COUNT, GROUP, HITS, Permuted};
use scumble_table::{Error, Result};

/// The bounds of a numeric column of the table of sensitive values.
///
/// # Errors
/// If a sum has more digits than can be exact.
pub(super) fn help(name: &str, values: &ExportTable, of: &str) -> Result<ExportTable> {
    let place = |title: &str| values.columns.iter().position(|column| column.name == title);
    let (Some(group), Some(count), Some(column)) = (place(GROUP), place(COUNT), place(of)) else {
        return Err(Error::bug("the table of sensitive values lacks a column"));
    };
    let mut groups: Vec<Vec<(Option<i128>, u32)>> = Vec::new();
    for row in values.rows() {
        let (&Cell::Whole(group), &Cell::Whole(count)) = (row[group].as_ref(), row[count].as_ref()) else { continue };
        let at = (group as usize).saturating_sub(1);
        if groups.len() <= at {
            groups.resize(at + 1, Vec::new());
        }
        let value = match row[column].as_ref() {
            Cell::Number(units) => Some(*units),
            _ => None,
        };
        groups[at].push((value, count));
    }
    let (mut group_of, mut hits_of) = (Vec::new(), Vec::new());
    let mut bounds: [Vec<Cell>; 6] = Default::default();
    for (at, counted) in groups.iter().enumerate() {
        let group = GroupBounds::new(counted)
            .ok_or_else(|| Error::request("column", of, "a sum has too many digits to be exact"))?;
        for hits in 1..=group.least.len() {
            group_of.push(at as u32 + 1);
            hits_of.push(hits as u32);
            for (list, bound) in bounds.iter_mut().zip(group.bounds(hits)) {
                list.push(bound.map_or(Cell::Null, Cell::Number));
            }
        }
    }
    let scale = values.columns[column].sql.scale();
    let n_rows = group_of.len();
    let mut columns = vec![whole(GROUP, group_of)?, whole(HITS, hits_of)?];
    for (title, cells) in Permuted::BOUNDS.iter().zip(bounds) {
        let sql = numeric(cells.iter().map(magnitude).max().unwrap_or(0), scale);
        let not_null = !cells.contains(&Cell::Null);
        columns.push(bound_column(title, of, sql, not_null, Cells::Each(cells)));
    }
    Ok(help_sheet(name, of, columns, n_rows))
}

/// The values of a group, ready to be asked for bounds.
struct GroupBounds {
    /// Rising.
    present: Vec<i128>,
    missing: usize,
    /// Sums of the least and of the greatest values, missing ones as 0, by their number less one.
    least: Vec<i128>,
    greatest: Vec<i128>,
}

impl GroupBounds {
    fn new(counted: &[(Option<i128>, u32)]) -> Option<GroupBounds> {
        let expanded = counted.iter().flat_map(|&(value, count)| std::iter::repeat_n(value, count as usize));
        let all: Vec<Option<i128>> = expanded.collect();
        let mut present: Vec<i128> = all.iter().flatten().copied().collect();
        present.sort_unstable();
        let mut amounts: Vec<i128> = all.iter().map(|value| value.unwrap_or(0)).collect();
        amounts.sort_unstable();
        let least = running(amounts.iter())?;
        let greatest = running(amounts.iter().rev())?;
        Some(GroupBounds { missing: all.len() - present.len(), present, least, greatest })
    }

    /// In the order of [`Permuted::BOUNDS`]. Minimum and maximum are over the assignments that leave them a value.
    fn bounds(&self, hits: usize) -> [Option<i128>; 6] {
        let value = |at: usize| self.present.get(at).copied();
        let with_value = hits.saturating_sub(self.missing).max(1);
        [
            self.least.get(hits - 1).copied(),
            self.greatest.get(hits - 1).copied(),
            value(0),
            value(self.present.len().saturating_sub(with_value)),
            value(with_value - 1),
            value(self.present.len().saturating_sub(1)),
        ]
    }
}

fn running<'a>(amounts: impl Iterator<Item = &'a i128>) -> Option<Vec<i128>> {
    let mut sum = 0i128;
    amounts
        .map(|amount| {
            sum = sum.checked_add(*amount)?;
            Some(sum)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_of_a_group_with_a_missing_value() {
        let group = GroupBounds::new(&[(Some(5), 2), (None, 1), (Some(-3), 1)]).unwrap();
        assert_eq!(group.bounds(1), [Some(-3), Some(5), Some(-3), Some(5), Some(-3), Some(5)]);
        assert_eq!(group.bounds(3), [Some(2), Some(10), Some(-3), Some(5), Some(5), Some(5)]);
        assert_eq!(group.bounds(4), [Some(7), Some(7), Some(-3), Some(-3), Some(5), Some(5)]);
        assert!(GroupBounds::new(&[(Some(i128::MAX), 2)]).is_none());
        assert_eq!(GroupBounds::new(&[(None, 2)]).unwrap().bounds(2), [Some(0), Some(0), None, None, None, None]);
    }
}
