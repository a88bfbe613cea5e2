//! `inspect`: what a file holds, who in it is unique, and which role each column could play.
//!
//! For the publisher's eyes only: nothing of this belongs into a release.

mod columns;
mod job_text;
mod roles;
mod sets;

pub use columns::ColumnProfile;
pub use job_text::job_text;
pub use roles::Proposal;
pub use sets::SetProfile;

use scumble_io::{ReadOptions, read};
use scumble_table::{Monitor, Result};
use serde::Serialize;

/// What `inspect` found.
#[derive(Debug, Clone, Serialize)]
pub struct Inspection {
    /// Number of rows.
    pub rows: u64,
    /// One profile per column, in file order.
    pub columns: Vec<ColumnProfile>,
    /// Small sets of columns that could identify people together, the most telling first.
    pub sets: Vec<SetProfile>,
    /// How many sets were looked at.
    pub sets_examined: usize,
}

/// Profiles a file.
pub fn inspect(input: &Input, monitor: Monitor<'_>) -> Result<Inspection> {
    crate::load::check_there(input)?;
    let options = ReadOptions::default().format(input.format).delimiter(input.delimiter).nulls(input.nulls.clone());
    let raw = read(&input.path, &options, monitor)?;
    let columns: Vec<ColumnProfile> = columns::profile(&raw);
    let (sets, sets_examined) = sets::profile(&raw, &columns);
    Ok(Inspection { rows: raw.n_rows as u64, columns, sets, sets_examined })
}
