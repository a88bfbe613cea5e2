//! A leaf of the first stage, as the second sees it: rows in the order of their sensitive values,
//! and which of these values conflict.

use scumble_principle::Neighbourhood;
use scumble_table::Code;

/// The rows of a leaf with their positions and values.
#[derive(Debug)]
pub(crate) struct Leaf {
    /// Row numbers in the table, by rising value; equal values by their secret rank.
    pub(crate) rows: Vec<u32>,
    /// Positions on the axes, row after row.
    pub(crate) at: Vec<u32>,
    /// Place of each row's value among the distinct values of the leaf.
    pub(crate) value: Vec<u32>,
    /// The run of values that each value conflicts with.
    pub(crate) conflicts: Vec<(u32, u32)>,
    /// The first row of each value, and the number of rows at the end.
    pub(crate) starts: Vec<u32>,
    n_axes: usize,
}

impl Leaf {
    /// Puts rows in order. `code` gives the sensitive value of a row, `tie` its secret rank, and `positions` adds its
    /// positions on the axes to a list.
    pub(crate) fn new(
        mut rows: Vec<u32>,
        n_axes: usize,
        near: &Neighbourhood,
        code: impl Fn(u32) -> Code,
        tie: impl Fn(u32) -> u32,
        positions: impl Fn(u32, &mut Vec<u32>),
    ) -> Self {
        rows.sort_unstable_by_key(|&row| (code(row), tie(row)));
        let n = rows.len();
        let mut at = Vec::with_capacity(n * n_axes);
        rows.iter().for_each(|&row| positions(row, &mut at));
        let (mut value, mut starts, mut codes) = (Vec::with_capacity(n), Vec::new(), Vec::<Code>::new());
        for (i, &row) in rows.iter().enumerate() {
            let code = code(row);
            if codes.last() != Some(&code) {
                codes.push(code);
                starts.push(i as u32);
            }
            value.push(codes.len() as u32 - 1);
        }
        starts.push(n as u32);
        Leaf { rows, at, value, conflicts: conflicts(&codes, near), starts, n_axes }
    }

    /// Number of rows.
    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    /// Positions of a row.
    #[inline]
    pub(crate) fn row(&self, item: usize) -> &[u32] {
        &self.at[item * self.n_axes..(item + 1) * self.n_axes]
    }

    /// The rows of each window: from a value up to the greatest that conflicts with it.
    pub(crate) fn window_counts(&self) -> Vec<i32> {
        let count = |(value, run): (usize, &(u32, u32))| self.starts[run.1 as usize + 1] - self.starts[value];
        self.conflicts.iter().enumerate().map(|pair| count(pair) as i32).collect()
    }

    /// The most rows of a window: the maxsize of paper 1, Definition 11.
    pub(crate) fn maxsize(&self) -> usize {
        self.window_counts().into_iter().max().unwrap_or(0) as usize
    }
}

/// For each code the run of codes, as places in the list, that it conflicts with. Conflict is mutual
/// and its bounds rise with the code, so two pointers find them.
fn conflicts(codes: &[Code], near: &Neighbourhood) -> Vec<(u32, u32)> {
    let (mut low, mut high) = (0, 0);
    let mut found = Vec::with_capacity(codes.len());
    for (i, &code) in codes.iter().enumerate() {
        while near.reach(codes[low]) < code {
            low += 1;
        }
        high = high.max(i);
        while high + 1 < codes.len() && codes[high + 1] <= near.reach(code) {
            high += 1;
        }
        found.push((low as u32, high as u32));
    }
    found
}
