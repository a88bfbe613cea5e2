//! The density tree: nodes are cut where that gains most, as long as it gains.
//!
//! No cut looks at a sensitive value, so the best is always taken. Boxes of different leaves have no point in
//! common, unless one of them is `*` for null among values.

use super::density::{Finder, Parts};
use crate::axis::Axis;
use crate::cut_tree::{self, Part};
use crate::mondrian::rows::{Position, Row, pack};
use crate::mondrian::{MOST_QUASI, axes_along, widest};
use crate::pieces::starts;
use crate::points::Points;
use scumble_table::{Monitor, Persons, Result, Table};
use std::collections::HashSet;

/// What every node shares.
struct Tree<'a> {
    axes: &'a [Axis],
    points: &'a [Points],
    least: usize,
    /// Whose rows they are, where a leaf needs as many different people.
    persons: Option<&'a Persons>,
    monitor: Monitor<'a>,
}

/// Divides the rows of a table along some columns; returns the rows of the leaves laid end to end, and the sizes of
/// the leaves, which are at least `least`. Where `persons` are given, leaves have rows of as many different ones.
pub(super) fn leaves(
    table: &Table,
    columns: &[usize],
    least: usize,
    persons: Option<&Persons>,
    monitor: Monitor<'_>,
) -> Result<(Vec<u32>, Vec<u32>)> {
    let axes = axes_along(table, columns);
    let points: Vec<Points> =
        axes.iter().zip(columns).map(|(axis, &column)| Points::new(&table.attribute(column).domain, axis)).collect();
    let tree = Tree { axes: &axes, points: &points, least, persons, monitor };
    Ok(match (widest(&axes)?, axes.len()) {
        (0..=0x100, 1..=8) => tree.run(pack::<u8, 8>(table, columns, &axes)),
        (0x101..=0x1_0000, 1..=8) => tree.run(pack::<u16, 8>(table, columns, &axes)),
        (_, 1..=8) => tree.run(pack::<u32, 8>(table, columns, &axes)),
        (_, 9..=16) => tree.run(pack::<u32, 16>(table, columns, &axes)),
        _ => tree.run(pack::<u32, MOST_QUASI>(table, columns, &axes)),
    })
}

/// A bit for every axis along which the parts of a node come in falling order. Every other part is gone through in the
/// opposite direction along all axes but the one that was cut, as one ploughs a field, so that the last leaf of a part
/// lies near the first of the next.
#[derive(Clone, Copy)]
struct Directions(u64);

impl Directions {
    fn falls_along(self, axis: usize) -> bool {
        self.0 >> axis & 1 == 1
    }

    fn for_part(self, part: usize, axis: usize) -> Directions {
        if part % 2 == 1 { Directions(self.0 ^ !(1 << axis)) } else { self }
    }
}

/// Working memory of one thread.
struct Memory<'a, L, const D: usize> {
    finder: Finder<'a, L, D>,
    side: Vec<bool>,
    sorted: Vec<Row<L, D>>,
}

impl<'a> Tree<'a> {
    fn run<L: Position, const D: usize>(&self, mut rows: Vec<Row<L, D>>) -> (Vec<u32>, Vec<u32>) {
        let sizes = cut_tree::grow(self, &mut rows, Directions(0), self.monitor);
        (rows.iter().map(|row| row.row).collect(), sizes)
    }

    /// Moves the rows of the best cut to their parts; tells the axis that is cut, and where each part ends. Where a part has
    /// too few people, the best cut with larger parts is tried.
    fn best_cut<L: Position, const D: usize>(
        &self,
        rows: &mut [Row<L, D>],
        directions: Directions,
        memory: &mut Memory<'a, L, D>,
    ) -> Option<(usize, Vec<usize>)> {
        let mut least = self.least;
        loop {
            let (axis, ends) = self.cut_with_parts(least, rows, directions, memory)?;
            if self.persons.is_none_or(|persons| self.people_suffice(rows, &ends, persons)) {
                return Some((axis, ends));
            }
            if self.monitor.is_cancelled() {
                return None;
            }
            least = least.saturating_add(least.div_ceil(2));
        }
    }

    /// True if every part has enough different people.
    fn people_suffice<L: Position, const D: usize>(
        &self,
        rows: &[Row<L, D>],
        ends: &[usize],
        persons: &Persons,
    ) -> bool {
        let mut start = 0;
        ends.iter().all(|&end| {
            let mut met = HashSet::with_capacity(self.least.min(end - start));
            let part = &rows[start..end];
            start = end;
            part.iter().any(|row| met.insert(persons.of(row.row)) && met.len() >= self.least)
        })
    }

    /// The best cut whose parts have at least `least` rows.
    fn cut_with_parts<L: Position, const D: usize>(
        &self,
        least: usize,
        rows: &mut [Row<L, D>],
        directions: Directions,
        memory: &mut Memory<'a, L, D>,
    ) -> Option<(usize, Vec<usize>)> {
        if rows.len() < least.saturating_mul(2) {
            return None;
        }
        let cut = memory.finder.find(rows, least)?;
        let (a, node) = (cut.axis, &memory.finder.node);
        let falling = directions.falls_along(a);
        let null_with = match cut.parts {
            Parts::Two(side) => {
                let at = node.divide(rows, a, side, falling, &mut memory.side);
                return Some((a, vec![at, rows.len()]));
            }
            Parts::Each(null_with) => null_with,
        };
        let (bin_of, n_bins) = (node.bin_of(a), node.bins[a].len());
        let part = |row: &Row<L, D>| {
            let bin = bin_of[Into::<u32>::into(row.at[a]) as usize];
            let bin = usize::from(if bin == 0 { null_with.unwrap_or(bin) } else { bin });
            if falling { n_bins - 1 - bin } else { bin }
        };
        Some((a, deal(rows, &mut memory.sorted, n_bins, part)))
    }
}

impl<'a, L: Position, const D: usize> cut_tree::CutRule<L, D> for Tree<'a> {
    type Node = Directions;
    type Memory = Memory<'a, L, D>;
    type Leaf = u32;

    fn memory(&self) -> Memory<'a, L, D> {
        Memory { finder: Finder::new(self.axes, self.points), side: Vec::new(), sorted: Vec::new() }
    }

    fn cut(
        &self,
        rows: &mut [Row<L, D>],
        node: &mut Directions,
        memory: &mut Memory<'a, L, D>,
    ) -> Option<Vec<Part<Directions>>> {
        let (axis, ends) = self.best_cut(rows, *node, memory)?;
        Some(ends.into_iter().enumerate().map(|(at, end)| Part { end, node: node.for_part(at, axis) }).collect())
    }

    fn leaf(&self, rows: &[Row<L, D>], _node: Directions) -> u32 {
        rows.len() as u32
    }
}

/// Puts rows in the order of their part; tells where the parts that have rows end.
fn deal<L: Position, const D: usize>(
    rows: &mut [Row<L, D>],
    sorted: &mut Vec<Row<L, D>>,
    n_parts: usize,
    part: impl Fn(&Row<L, D>) -> usize,
) -> Vec<usize> {
    let mut sizes = vec![0usize; n_parts];
    rows.iter().for_each(|row| sizes[part(row)] += 1);
    let mut starts = starts(sizes);
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
