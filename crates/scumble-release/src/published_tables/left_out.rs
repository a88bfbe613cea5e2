//! Suppressed rows that were left out, read as if they were there and showed nothing.
//!
//! A row of stars and a row that is left out tell the same: that somebody was suppressed. So the tables that everybody here
//! reads have both as rows in no group, and nobody has to know which of them a release has.

use crate::manifest::Method;
use crate::reader::ReleaseReader;
use scumble_io::{NULL_INTEGER, RawColumn, RawTable};
use scumble_table::{Code, Codes, NULL};

/// Suppressed rows for each one that is published, at most. A manifest may state any number, and rows take memory.
const MOST: u64 = 1 << 10;

/// Appends as many rows that show nothing as the manifest says were suppressed, where the table has only the others.
pub(super) fn restore(release: &ReleaseReader, raw: &mut [RawTable]) -> Result<(), String> {
    let (rows, suppressed) = (release.manifest().rows, release.manifest().suppressed);
    let Some(people) = raw.first_mut() else { return Ok(()) };
    let may_suppress = matches!(release.manifest().method, Method::Generalize | Method::Anatomy);
    if !may_suppress || suppressed == 0 || people.n_rows as u64 != rows {
        return Ok(());
    }
    if suppressed > rows.saturating_mul(MOST) || rows.saturating_add(suppressed) >= u64::from(u32::MAX) {
        return Err(format!("{suppressed} suppressed rows are too many beside {rows} that are published"));
    }
    let n_rows = people.n_rows + suppressed as usize;
    for column in &mut people.columns {
        match column {
            RawColumn::Skipped => {}
            RawColumn::Integer(numbers) => numbers.resize(n_rows, NULL_INTEGER),
            RawColumn::Text { codes, .. } => match codes {
                Codes::U8(codes) => codes.resize(n_rows, NULL as u8),
                Codes::U16(codes) => codes.resize(n_rows, NULL as u16),
                Codes::U32(codes) => codes.resize(n_rows, NULL as Code),
            },
        }
    }
    people.n_rows = n_rows;
    Ok(())
}
