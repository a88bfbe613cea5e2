//! The tables of an angel release on the source's lines.

use super::super::angel::{AngelTable, AngelTables};
use super::super::groups::Groups;
use super::super::line::Line;
use super::{boxes, sensitive};
use scumble_release::{Angelized, BoxTable};
use scumble_table::{Error, Result};

/// All tables of boxes, with the sensitive values of the batches.
pub(super) fn tables(angel: &Angelized, lines: &[Line<'_>], asked: &[Line<'_>]) -> Result<AngelTables> {
    let counted = &angel.batches;
    let counted_batch: Vec<u32> = counted.expanded().map(|row| counted.row_group[row]).collect();
    let sensitive = sensitive(asked, &counted.values, counted.expanded())?;
    let batches = Groups::with_columns(&counted_batch, angel.sizes.len(), &sensitive);
    let tables = angel.views.iter().map(|view| table(view, lines)).collect::<Result<Vec<_>>>()?;
    if tables.is_empty() {
        return Err(Error::bug("an angel release without a table of boxes was read"));
    }
    Ok(AngelTables::new(tables, batches))
}

fn table(view: &BoxTable, lines: &[Line<'_>]) -> Result<AngelTable> {
    let (mut columns, mut covered) = (Vec::new(), Vec::new());
    for published in &view.boxed.quasi {
        let at = lines.iter().position(|line| line.axis.name == published.column.name());
        let at = at.ok_or_else(|| Error::bug("a quasi-identifier was not read"))?;
        columns.push(at);
        covered.push(boxes(published, &lines[at]));
    }
    let n_buckets = view.boxed.sizes.len();
    Ok(AngelTable::new(&view.name, columns, covered, n_buckets, &view.boxed.row_group, &view.row_batch))
}
