//! Rows of equal tuples, told by one of them.

use scumble_table::{Codes, RowClasses, class_members, with_codes};

/// Distinct tuples of codes.
pub(crate) struct Distinct {
    /// Number of the tuple of each row.
    pub(crate) of_row: Vec<u32>,
    /// A row of each tuple, and how many rows have it.
    pub(crate) rows: Vec<(u32, u32)>,
}

impl Distinct {
    /// From columns of codes, each with what its codes are below.
    pub(crate) fn of<'a>(columns: impl Iterator<Item = (&'a Codes, usize)>, n_rows: usize) -> Self {
        let mut keys = RowClasses::new(n_rows);
        for (codes, n_codes) in columns {
            with_codes!(codes, |codes| keys.push(n_codes, |row| codes[row] as usize as u32));
        }
        let (of_row, n) = keys.finish();
        let rows = class_members(&of_row, n);
        Distinct { of_row, rows }
    }

    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }
}
