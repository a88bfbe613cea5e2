//! The source as distinct points with their sensitive values.

use crate::Microdata;
use scumble_table::{Monitor, Result, RowClasses, class_members, rows_by_group};

/// The distinct points of a source on some attributes, and at each point its distinct sensitive values.
pub(super) struct Cells {
    /// Number of attributes.
    pub(super) n_dims: usize,
    /// Ranks of each point, `n_dims` each; 0 is null.
    pub(super) points: Vec<u32>,
    /// Where the cells of each point begin, closed by their number.
    pub(super) starts: Vec<u32>,
    /// Rank of the sensitive value of each cell, rising at each point, and how many rows it has.
    pub(super) cells: Vec<(u32, u32)>,
    /// Rows of the source.
    pub(super) n_rows: u64,
}

impl Cells {
    pub(super) fn new(source: &Microdata, attributes: &[usize], monitor: Monitor<'_>) -> Result<Cells> {
        let n_rows = source.sensitive().len();
        let columns: Vec<&[u32]> = attributes.iter().map(|&at| source.quasi()[at].ranks()).collect();
        let mut keys = RowClasses::new(n_rows);
        for (&at, ranks) in attributes.iter().zip(&columns) {
            monitor.check()?;
            keys.push(source.quasi()[at].places().len() + 1, |row| ranks[row]);
        }
        let (of_row, n_points) = keys.finish();
        monitor.check()?;
        let firsts = class_members(&of_row, n_points);
        let points = firsts.iter().flat_map(|&(row, _)| columns.iter().map(move |ranks| ranks[row as usize])).collect();
        let rows = rows_by_group(&of_row, n_points);
        let (mut starts, mut cells) = (vec![0u32], Vec::new());
        let mut values = Vec::new();
        for point in rows.groups() {
            monitor.check()?;
            values.clear();
            values.extend(point.iter().map(|&row| source.sensitive().ranks()[row as usize]));
            values.sort_unstable();
            cells.extend(values.chunk_by(|a, b| a == b).map(|same| (same[0], same.len() as u32)));
            starts.push(cells.len() as u32);
        }
        Ok(Cells { n_dims: attributes.len(), points, starts, cells, n_rows: n_rows as u64 })
    }

    /// Lays the points and their cells out in another order.
    pub(super) fn reorder(&mut self, order: &[u32]) {
        let mut starts = vec![0u32];
        let mut cells = Vec::with_capacity(self.cells.len());
        for &point in order {
            let at = point as usize;
            cells.extend_from_slice(&self.cells[self.starts[at] as usize..self.starts[at + 1] as usize]);
            starts.push(cells.len() as u32);
        }
        let point = |&at: &u32| &self.points[at as usize * self.n_dims..(at as usize + 1) * self.n_dims];
        self.points = order.iter().flat_map(point).copied().collect();
        (self.starts, self.cells) = (starts, cells);
    }
}
