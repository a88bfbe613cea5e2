//! What a table holds, who in it is unique, and which role each column could play.
//!
//! An inspection is for the publisher's eyes only: nothing of it belongs into a release.

mod columns;
mod copies;
mod job;
mod missing_texts;
mod roles;
mod sets;
#[cfg(test)]
mod tests;
mod unfit;

pub use columns::ColumnProfile;
pub use copies::CopyProfile;
pub use sets::SetProfile;

use crate::context::Context;
use scumble_io::RawTable;
use scumble_table::Result;
use serde::Serialize;

/// What an inspection found.
#[derive(Debug, Clone, Serialize)]
pub struct Inspection {
    /// Number of rows.
    pub rows: u64,
    /// One profile per column, in their order.
    pub columns: Vec<ColumnProfile>,
    /// People of the rows, where a proposed column says whose row each row is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub persons: Option<u64>,
    /// Columns that say what another says.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub copies: Vec<CopyProfile>,
    /// Small sets of columns that could identify people together, the most telling first.
    pub sets: Vec<SetProfile>,
    /// How many sets were looked at.
    pub sets_examined: usize,
}

impl Inspection {
    /// The texts that probably mean a missing value, each once, and the columns that are numbers but for them.
    pub fn maybe_missing(&self) -> (Vec<&str>, Vec<&str>) {
        let found = || self.columns.iter().filter(|column| !column.maybe_missing.is_empty());
        let mut texts: Vec<&str> = Vec::new();
        for text in found().flat_map(|column| &column.maybe_missing) {
            if !texts.contains(&text.as_str()) {
                texts.push(text);
            }
        }
        (texts, found().map(|column| column.name.as_str()).collect())
    }
}

/// Profiles a table whose columns were all read as texts, as [`Source::read_all`](crate::Source::read_all) reads them.
///
/// ```
/// use scumble::{ColumnRole, Context, Source, inspect};
///
/// let data = "name,age,disease\nann,31,flu\nbob,34,cold\ncy,34,flu\n";
/// let context = Context::new();
/// let inspection = inspect(&Source::reader(data.as_bytes()).read_all(&context)?, &context)?;
/// assert_eq!(inspection.columns[0].proposal, ColumnRole::Identifying);
/// let job = inspection.job();
/// assert_eq!(job.named(ColumnRole::Sensitive).collect::<Vec<_>>(), ["disease"]);
/// # Ok::<(), scumble::Error>(())
/// ```
///
/// # Errors
/// If the work is cancelled.
pub fn inspect(table: &RawTable, context: &Context) -> Result<Inspection> {
    let monitor = context.monitor();
    context.run(|| {
        let mut columns = columns::profile(table, monitor)?;
        unfit::body_weights(&mut columns);
        roles::propose_person(&mut columns, table.n_rows as u64);
        let persons = unfit::persons(table, &columns);
        unfit::drop_near_unique(table, &mut columns, persons.as_ref());
        let copies = copies::find(table, &mut columns, monitor)?;
        unfit::drop_beyond_most(&mut columns);
        let (sets, sets_examined) = sets::profile(table, &columns, monitor)?;
        let persons = persons.map(|persons| persons.n() as u64);
        Ok(Inspection { rows: table.n_rows as u64, columns, persons, copies, sets, sets_examined })
    })
}
