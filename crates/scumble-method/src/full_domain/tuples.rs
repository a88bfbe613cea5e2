//! The distinct combinations of what rows have, and the classes that they fall into at a node of the lattice.

use super::LevelStack;
use rayon::prelude::*;
use scumble_table::Table;

/// Distinct combinations of points with the rows that have them.
pub(super) struct Tuples {
    /// Rows, tuple by tuple.
    pub(super) rows: Vec<u32>,
    /// Where each tuple starts in `rows`, closed by their number.
    pub(super) starts: Vec<u32>,
    /// Point of each tuple, stack by stack.
    points: Vec<Vec<u32>>,
}

/// Tuples in classes.
pub(super) struct Classes {
    /// Tuples, class by class.
    pub(super) tuples: Vec<u32>,
    /// Where each class starts in `tuples`, closed by their number.
    pub(super) starts: Vec<u32>,
}

impl Classes {
    pub(super) fn iter(&self) -> impl IndexedParallelIterator<Item = &[u32]> + '_ {
        (0..self.starts.len() - 1).into_par_iter().map(|class| self.class(class))
    }

    pub(super) fn class(&self, class: usize) -> &[u32] {
        &self.tuples[self.starts[class] as usize..self.starts[class + 1] as usize]
    }

    pub(super) fn len(&self) -> usize {
        self.starts.len() - 1
    }
}

impl Tuples {
    pub(super) fn new(table: &Table, stacks: &[LevelStack]) -> Tuples {
        let n = table.n_rows();
        let keys = keys(n, stacks, |stack, row| stack.point(row), |stack| stack.cells(0).len());
        let (rows, starts) = runs(keys);
        let firsts: Vec<u32> = starts[..starts.len() - 1].iter().map(|&start| rows[start as usize]).collect();
        let points = stacks.iter().map(|stack| firsts.iter().map(|&row| stack.point(row as usize)).collect()).collect();
        Tuples { rows, starts, points }
    }

    pub(super) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    pub(super) fn weight(&self, tuple: u32) -> u64 {
        u64::from(self.starts[tuple as usize + 1] - self.starts[tuple as usize])
    }

    /// How many rows each class has.
    pub(super) fn sizes(&self, classes: &Classes) -> Vec<u64> {
        classes.iter().map(|class| class.iter().map(|&tuple| self.weight(tuple)).sum()).collect()
    }

    /// The rows of some tuples.
    pub(super) fn rows_of<'a>(&'a self, tuples: &'a [u32]) -> impl Iterator<Item = u32> + 'a {
        tuples.iter().flat_map(|&tuple| {
            self.rows[self.starts[tuple as usize] as usize..self.starts[tuple as usize + 1] as usize].iter().copied()
        })
    }

    /// Tuples that show the same at the levels of a node are in one class.
    pub(super) fn classes(&self, stacks: &[LevelStack], node: &[usize]) -> Classes {
        let parts: Vec<(&[u32], &[u32])> = stacks
            .iter()
            .zip(node)
            .zip(&self.points)
            .map(|((l, &level), points)| (l.cells(level), &points[..]))
            .collect();
        let keys = keys(
            self.len(),
            &parts,
            |(cells, points), tuple| cells[points[tuple] as usize],
            |(cells, _)| cells.iter().max().map_or(1, |&cell| cell as usize + 1),
        );
        let (tuples, starts) = runs(keys);
        Classes { tuples, starts }
    }

    /// What a tuple loses at the levels of a node.
    pub(super) fn cost(&self, stacks: &[LevelStack], node: &[usize], tuple: u32) -> f64 {
        let costs = stacks.iter().zip(node).zip(&self.points);
        costs.map(|((stack, &level), points)| stack.costs(level)[points[tuple as usize] as usize]).sum()
    }
}

/// One number for each item that is the same for items with the same parts. Parts are the digits of a number as long
/// as it fits; where the next would not, the numbers so far are replaced by their ranks.
fn keys<P: Sync>(
    n: usize,
    parts: &[P],
    digit: impl Fn(&P, usize) -> u32 + Sync,
    size: impl Fn(&P) -> usize,
) -> Vec<(u64, u32)> {
    let mut keys: Vec<(u64, u32)> = (0..n as u32).map(|item| (0, item)).collect();
    let mut room = 1u64;
    for part in parts {
        let size = size(part).max(1) as u64;
        if room.checked_mul(size).is_none() {
            let (items, starts) = runs(std::mem::take(&mut keys));
            room = starts.len() as u64 - 1;
            keys = vec![(0, 0); n];
            for (rank, window) in starts.windows(2).enumerate() {
                for &item in &items[window[0] as usize..window[1] as usize] {
                    keys[item as usize] = (rank as u64, item);
                }
            }
        }
        // Two numbers below 2^32 always fit: ranks are numbers of items, and digits are codes.
        room *= size;
        keys.par_iter_mut().for_each(|(key, item)| *key = *key * size + u64::from(digit(part, *item as usize)));
    }
    keys
}

/// Items by rising key, and where each key starts.
fn runs(mut keys: Vec<(u64, u32)>) -> (Vec<u32>, Vec<u32>) {
    keys.par_sort_unstable();
    let mut starts = vec![0];
    starts.extend((1..keys.len()).filter(|&at| keys[at].0 != keys[at - 1].0).map(|at| at as u32));
    if !keys.is_empty() {
        starts.push(keys.len() as u32);
    }
    (keys.into_iter().map(|(_, item)| item).collect(), starts)
}
