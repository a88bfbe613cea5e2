//! Rows of equal tuples, represented by one of them.

use crate::Known;
use crate::classes::row_classes;
use scumble_table::{Monitor, Result, class_members};

/// Distinct tuples of codes.
pub(crate) struct DistinctRows {
    /// Number of the tuple of each row.
    pub(crate) of_row: Vec<u32>,
    /// A row of each tuple, and how many rows have it.
    pub(crate) rows: Vec<(u32, u32)>,
}

impl DistinctRows {
    /// The tuples of some columns.
    ///
    /// # Errors
    /// If the work was cancelled.
    pub(crate) fn new(columns: &[Known<'_>], n_rows: usize, monitor: Monitor<'_>) -> Result<Self> {
        let (of_row, n) = row_classes(columns, n_rows, monitor)?.finish();
        monitor.check()?;
        Ok(DistinctRows { rows: class_members(&of_row, n), of_row })
    }

    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }
}
