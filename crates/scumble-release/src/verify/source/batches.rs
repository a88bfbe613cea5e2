//! An angel release against its source: every table of boxes around its own rows, and batches that count the
//! source's own values.

use super::super::angel::Angelized;
use super::super::verdict::Verdict;
use super::boxes;
use super::groups::{beside, note_values};
use scumble_io::RawTable;
use scumble_table::Result;

/// Notes whether the tables could have come from the source.
pub(super) fn check(tables: &Angelized, raw: &RawTable, verdict: &mut Verdict) -> Result<()> {
    note_values(&tables.batches, &beside(&tables.batches.values, raw)?, verdict);
    for view in &tables.views {
        boxes::check(&view.page, raw, &format!("source-matching[{}]", view.name), verdict)?;
    }
    Ok(())
}
