//! The density tree: nodes are cut where that gains most, as long as it gains.
//!
//! No cut looks at a sensitive value, so the best is always taken. Boxes of different leaves have no point in
//! common, unless one of them is `*` for null among values.

use super::density::{Finder, Parts};
use crate::axis::{Axis, Shape};
use crate::mondrian::rows::{Lane, Row, pack};
use crate::mondrian::split::divide;
use crate::mondrian::{MOST_QUASI, axes_along, widest};
use crate::points::Points;
use rayon::prelude::*;
use scumble_table::{Result, Table};

/// Parts above this size go to other threads.
const FORK: usize = 1 << 13;

/// What every node shares.
struct Tree<'a> {
    axes: &'a [Axis],
    points: &'a [Points],
    least: usize,
    tick: &'a (dyn Fn(u64) + Sync),
}

/// Divides the rows of a table along some columns; returns the rows of the leaves laid end to end, and the sizes of
/// the leaves, which are at least `least`.
pub(super) fn leaves(
    table: &Table,
    columns: &[usize],
    least: usize,
    tick: &(dyn Fn(u64) + Sync),
) -> Result<(Vec<u32>, Vec<u32>)> {
    let axes = axes_along(table, columns);
    let points: Vec<Points> =
        axes.iter().zip(columns).map(|(axis, &column)| Points::new(&table.attribute(column).domain, axis)).collect();
    let tree = Tree { axes: &axes, points: &points, least, tick };
    Ok(match (widest(&axes)?, axes.len()) {
        (0..=0x100, 1..=8) => tree.run(pack::<u8, 8>(table, columns, &axes)),
        (0x101..=0x1_0000, 1..=8) => tree.run(pack::<u16, 8>(table, columns, &axes)),
        (_, 1..=8) => tree.run(pack::<u32, 8>(table, columns, &axes)),
        (_, 9..=16) => tree.run(pack::<u32, 16>(table, columns, &axes)),
        _ => tree.run(pack::<u32, MOST_QUASI>(table, columns, &axes)),
    })
}

/// Working memory of one thread.
struct Memory<'a, L, const D: usize> {
    finder: Finder<'a, L, D>,
    side: Vec<bool>,
    sorted: Vec<Row<L, D>>,
}

impl<'a> Tree<'a> {
    fn run<L: Lane, const D: usize>(&self, mut rows: Vec<Row<L, D>>) -> (Vec<u32>, Vec<u32>) {
        let mut sizes = Vec::new();
        self.node(&mut rows, 0, &mut self.memory(), &mut sizes);
        (rows.iter().map(|row| row.row).collect(), sizes)
    }

    fn memory<L: Lane, const D: usize>(&self) -> Memory<'a, L, D> {
        Memory { finder: Finder::new(self.axes, self.points), side: Vec::new(), sorted: Vec::new() }
    }

    /// Divides a node. The largest part goes round the loop and only the others are calls, so the stack stays shallow
    /// however unbalanced the cuts are.
    ///
    /// `turned` has a bit for every axis along which the parts come in falling order. Every other part is gone through
    /// in the opposite direction along all axes but the one that was cut, as one ploughs a field, so that the last leaf
    /// of a part lies near the first of the next.
    fn node<L: Lane, const D: usize>(
        &self,
        mut rows: &mut [Row<L, D>],
        mut turned: u64,
        memory: &mut Memory<'a, L, D>,
        sizes: &mut Vec<u32>,
    ) {
        // Sizes of parts that are done while one before them is not, innermost last.
        let mut later: Vec<Vec<u32>> = Vec::new();
        while let Some((axis, ends)) = self.cut(rows, turned, memory) {
            let mut parts = Vec::with_capacity(ends.len());
            let mut start = 0;
            for end in ends {
                let (part, rest) = rows.split_at_mut(end - start);
                parts.push(part);
                rows = rest;
                start = end;
            }
            let turned_in = |part: usize| if part % 2 == 1 { turned ^ !(1 << axis) } else { turned };
            let largest = (0..parts.len()).max_by_key(|&p| parts[p].len()).unwrap_or(0);
            if parts.iter().enumerate().any(|(p, part)| p != largest && part.len() >= FORK) {
                let of_part = |(p, part): (usize, &mut [Row<L, D>])| {
                    let mut sizes = Vec::new();
                    self.node(part, turned_in(p), &mut self.memory(), &mut sizes);
                    sizes
                };
                sizes.extend(parts.into_par_iter().enumerate().map(of_part).collect::<Vec<_>>().concat());
                rows = &mut [];
                break;
            }
            let mut others = Vec::new();
            for (p, part) in parts.into_iter().enumerate() {
                match p.cmp(&largest) {
                    std::cmp::Ordering::Less => self.node(part, turned_in(p), memory, sizes),
                    std::cmp::Ordering::Equal => rows = part,
                    std::cmp::Ordering::Greater => self.node(part, turned_in(p), memory, &mut others),
                }
            }
            later.push(others);
            turned = turned_in(largest);
        }
        if !rows.is_empty() {
            (self.tick)(rows.len() as u64);
            sizes.push(rows.len() as u32);
        }
        while let Some(mut others) = later.pop() {
            sizes.append(&mut others);
        }
    }

    /// Moves the rows of the best cut to their parts; tells the axis that is cut, and where each part ends.
    fn cut<L: Lane, const D: usize>(
        &self,
        rows: &mut [Row<L, D>],
        turned: u64,
        memory: &mut Memory<'a, L, D>,
    ) -> Option<(usize, Vec<usize>)> {
        if rows.len() < self.least.saturating_mul(2) {
            return None;
        }
        let cut = memory.finder.find(rows, self.least)?;
        let (a, bins) = (cut.axis, &memory.finder.bins[cut.axis]);
        let bin_of = memory.finder.bin_of(a);
        let falling = turned >> a & 1 == 1;
        let at = match cut.parts {
            Parts::Each(null_with) => {
                let part = |row: &Row<L, D>| {
                    let bin = bin_of[Into::<u32>::into(row.at[a]) as usize];
                    let bin = usize::from(if bin == 0 { null_with.unwrap_or(bin) } else { bin });
                    if falling { bins.len() - 1 - bin } else { bin }
                };
                return Some((a, deal(rows, &mut memory.sorted, bins.len(), part)));
            }
            Parts::Below(b) if self.axes[a].shape() == Shape::Interval => {
                let last = bins.last[usize::from(b) - 1];
                divide(rows, |row| (row.at[a].into() <= last) != falling)
            }
            Parts::Below(_) | Parts::Only(_) => {
                let goes_left = |bin: u16| match cut.parts {
                    Parts::Below(b) => bin < b,
                    Parts::Only(b) => bin == b,
                    Parts::Each(_) => false,
                };
                memory.side.clear();
                memory.side.resize(self.axes[a].size(), false);
                for position in bins.positions_in(bin_of, goes_left) {
                    memory.side[position as usize] = true;
                }
                let side = &memory.side;
                divide(rows, |row| side[Into::<u32>::into(row.at[a]) as usize] != falling)
            }
        };
        Some((a, vec![at, rows.len()]))
    }
}

/// Puts rows in the order of their part; tells where the parts that have rows end.
fn deal<L: Lane, const D: usize>(
    rows: &mut [Row<L, D>],
    sorted: &mut Vec<Row<L, D>>,
    n_parts: usize,
    part: impl Fn(&Row<L, D>) -> usize,
) -> Vec<usize> {
    let mut starts = vec![0usize; n_parts + 1];
    rows.iter().for_each(|row| starts[part(row) + 1] += 1);
    for p in 0..n_parts {
        starts[p + 1] += starts[p];
    }
    let mut ends = starts[1..].to_vec();
    ends.dedup();
    ends.retain(|&end| end > 0);
    sorted.clear();
    sorted.extend_from_slice(rows);
    for row in sorted.iter() {
        let place = &mut starts[part(row)];
        rows[*place] = *row;
        *place += 1;
    }
    ends
}
