//! The ends of generalized numbers and dates, as a table that their texts are looked up in.

use super::sheet::{Cell, Cells, ExportColumn, ExportTable, SqlType};
use scumble_release::notation::Region;
use scumble_release::{BoxColumn, PublishedColumn};
use scumble_table::{Decimal, Error, Kind, NULL, Result, parse_date};
use std::collections::HashSet;

/// The columns of such a table.
pub(super) const VALUE: &str = "value";
pub(super) const LOWER: &str = "lower";
pub(super) const UPPER: &str = "upper";

/// An end of a range.
#[derive(Clone, Copy)]
enum RangeEnd {
    Number(Decimal),
    Day(i32),
    Below,
    Above,
}

/// The ends of every text that the boxes of a column of numbers or dates show, in one table or in several. A text that
/// covers null too says nothing about a row, so its ends are infinite: whatever a condition asks, the row may match and
/// does not match for certain.
pub(super) fn sheet<'a>(
    name: &str,
    column: &PublishedColumn,
    shown: impl Iterator<Item = &'a BoxColumn>,
) -> Result<ExportTable> {
    let mut known = HashSet::new();
    let mut texts = Vec::new();
    let mut ends = Vec::new();
    for boxes in shown {
        for (code, region) in boxes.regions.iter().enumerate() {
            let Some(region) = region.as_ref().filter(|_| code != NULL as usize) else { continue };
            let text = boxes.texts.text(code as u32);
            if !known.insert(text) {
                continue;
            }
            let Some(pair) = ends_of(region, column) else {
                return Err(Error::bug(format!("a text of column {} has no ends", column.name())));
            };
            texts.push(text.to_string());
            ends.push(pair);
        }
    }
    let scale = ends.iter().flat_map(|&(lower, upper)| [lower, upper]).map(|end| match end {
        RangeEnd::Number(number) => number.scale(),
        _ => 0,
    });
    let scale = scale.max().unwrap_or(0);
    let sql = if column.kind() == Kind::Date { SqlType::Date } else { SqlType::NumericEnd { scale } };
    let cell = |end: RangeEnd| match end {
        RangeEnd::Number(number) => number.at_scale(scale).map(Cell::Number),
        RangeEnd::Day(day) => Some(Cell::Day(day)),
        RangeEnd::Below => Some(Cell::Below),
        RangeEnd::Above => Some(Cell::Above),
    };
    let cells = |which: fn(&(RangeEnd, RangeEnd)) -> RangeEnd| -> Result<Cells> {
        let list: Option<Vec<Cell>> = ends.iter().map(which).map(cell).collect();
        list.map(Cells::Each).ok_or_else(|| Error::request("column", column.name(), "its numbers have too many digits"))
    };
    let of = column.name();
    let n_rows = texts.len();
    let texts_type = SqlType::for_texts(texts.iter().map(String::as_str));
    let texts = Cells::Each(texts.into_iter().map(Cell::Text).collect());
    let value = ExportColumn::new(VALUE, format!("a generalized value of {of}"), texts_type, true, texts);
    let key = if value.is_indexable() { vec![VALUE.to_string()] } else { Vec::new() };
    let columns = vec![
        value,
        ExportColumn::new(LOWER, "the least value behind it", sql, true, cells(|pair| pair.0)?),
        ExportColumn::new(UPPER, "the greatest value behind it", sql, true, cells(|pair| pair.1)?),
    ];
    let about = format!("the ends of the generalized values of {of}; infinite where a missing value may be behind one");
    Ok(ExportTable { key, ..ExportTable::new(name, about, columns, n_rows) })
}

fn ends_of(region: &Region, column: &PublishedColumn) -> Option<(RangeEnd, RangeEnd)> {
    Some(match region {
        Region::All => (RangeEnd::Below, RangeEnd::Above),
        Region::Numbers(lower, upper) => (RangeEnd::Number(*lower), RangeEnd::Number(*upper)),
        Region::Days(first, last) => (RangeEnd::Day(*first), RangeEnd::Day(*last)),
        Region::Node(id) => {
            let tree = column.hierarchy()?;
            let node = tree.nodes().get(*id as usize)?;
            let leaves = tree.leaves().get(node.first_leaf as usize..node.end_leaf as usize)?;
            let labels = leaves.iter().map(|&leaf| &*tree.node(leaf).label);
            if column.kind() == Kind::Date {
                let days: Vec<i32> = labels.filter_map(parse_date).collect();
                (RangeEnd::Day(*days.iter().min()?), RangeEnd::Day(*days.iter().max()?))
            } else {
                let numbers: Vec<Decimal> = labels.filter_map(Decimal::parse).collect();
                (RangeEnd::Number(*numbers.iter().min()?), RangeEnd::Number(*numbers.iter().max()?))
            }
        }
        Region::Null | Region::Labels(_) | Region::Positions(..) => return None,
    })
}
