//! The distinct combinations of what rows have, and the classes that they fall into at a node of the lattice.

use super::LevelStack;
use crate::pieces::starts;
use rayon::prelude::*;
use scumble_table::Table;

/// Items in runs that lie end to end.
pub(super) struct Runs {
    items: Vec<u32>,
    /// Where each run starts in `items`, closed by their number.
    starts: Vec<u32>,
}

impl Runs {
    /// Items by rising key, a run for each key.
    fn by_key(mut keys: Vec<(u64, u32)>) -> Runs {
        keys.par_sort_unstable();
        let starts = starts(keys.chunk_by(|a, b| a.0 == b.0).map(|run| run.len() as u32));
        Runs { items: keys.into_iter().map(|(_, item)| item).collect(), starts }
    }

    pub(super) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    pub(super) fn run(&self, at: usize) -> &[u32] {
        &self.items[self.starts[at] as usize..self.starts[at + 1] as usize]
    }

    pub(super) fn iter(&self) -> impl IndexedParallelIterator<Item = &[u32]> + '_ {
        (0..self.len()).into_par_iter().map(|at| self.run(at))
    }
}

/// Distinct combinations of points with the rows that have them.
pub(super) struct Tuples {
    /// Rows, tuple by tuple.
    rows: Runs,
    /// Point of each tuple, stack by stack.
    points: Vec<Vec<u32>>,
}

impl Tuples {
    pub(super) fn new(table: &Table, stacks: &[LevelStack]) -> Tuples {
        let n = table.n_rows();
        let keys = keys(n, stacks, |stack, row| stack.point(row), |stack| stack.cells(0).len());
        let rows = Runs::by_key(keys);
        let firsts: Vec<u32> = (0..rows.len()).map(|tuple| rows.run(tuple)[0]).collect();
        let points = stacks.iter().map(|stack| firsts.iter().map(|&row| stack.point(row as usize)).collect()).collect();
        Tuples { rows, points }
    }

    pub(super) fn weight(&self, tuple: u32) -> u64 {
        self.rows.run(tuple as usize).len() as u64
    }

    /// How many rows each class has.
    pub(super) fn sizes(&self, classes: &Runs) -> Vec<u64> {
        classes.iter().map(|class| class.iter().map(|&tuple| self.weight(tuple)).sum()).collect()
    }

    /// The rows of some tuples.
    pub(super) fn rows_of<'a>(&'a self, tuples: &'a [u32]) -> impl Iterator<Item = u32> + 'a {
        tuples.iter().flat_map(|&tuple| self.rows.run(tuple as usize).iter().copied())
    }

    /// Tuples that show the same at the levels of a node are in one class.
    pub(super) fn classes(&self, stacks: &[LevelStack], node: &[usize]) -> Runs {
        let parts: Vec<(&[u32], &[u32])> = stacks
            .iter()
            .zip(node)
            .zip(&self.points)
            .map(|((l, &level), points)| (l.cells(level), &points[..]))
            .collect();
        let keys = keys(
            self.rows.len(),
            &parts,
            |(cells, points), tuple| cells[points[tuple] as usize],
            |(cells, _)| cells.iter().max().map_or(1, |&cell| cell as usize + 1),
        );
        Runs::by_key(keys)
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
            let runs = Runs::by_key(std::mem::take(&mut keys));
            room = runs.len() as u64;
            keys = vec![(0, 0); n];
            for rank in 0..runs.len() {
                runs.run(rank).iter().for_each(|&item| keys[item as usize] = (rank as u64, item));
            }
        }
        // Two numbers below 2^32 always fit: ranks are numbers of items, and digits are codes.
        room *= size;
        keys.par_iter_mut().for_each(|(key, item)| *key = *key * size + u64::from(digit(part, *item as usize)));
    }
    keys
}
