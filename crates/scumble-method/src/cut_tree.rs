//! The recursion that all trees of cuts share: rows are cut in parts, and parts again, as long as a rule finds cuts.

use crate::mondrian::rows::{Position, Row};
use rayon::prelude::*;
use scumble_table::Monitor;
use std::cmp::Ordering;

/// A node hands its parts to other threads where one of them, other than the largest, has this many rows: below, working
/// memory for another thread costs more than it brings.
const FORK: usize = 1 << 13;

/// Where a part of a cut ends among the rows of its node, and what the part knows of itself.
pub(crate) struct Part<N> {
    pub(crate) end: usize,
    pub(crate) node: N,
}

/// How nodes are cut.
pub(crate) trait CutRule<L: Position, const D: usize>: Sync {
    /// What a node knows of itself besides its rows.
    type Node: Send;
    /// Working memory of one thread.
    type Memory;
    /// What is kept of a node that is not cut.
    type Leaf: Send;

    fn memory(&self) -> Self::Memory;

    /// Moves the rows of a node to their parts; nothing where it is a leaf.
    fn cut(
        &self,
        rows: &mut [Row<L, D>],
        node: &mut Self::Node,
        memory: &mut Self::Memory,
    ) -> Option<Vec<Part<Self::Node>>>;

    fn leaf(&self, rows: &[Row<L, D>], node: Self::Node) -> Self::Leaf;
}

/// Divides `rows` in place into leaves that lie end to end. Once the work is cancelled, whatever is not cut is a leaf.
pub(crate) fn grow<L: Position, const D: usize, R: CutRule<L, D>>(
    rule: &R,
    rows: &mut [Row<L, D>],
    root: R::Node,
    monitor: Monitor<'_>,
) -> Vec<R::Leaf> {
    let mut leaves = Vec::new();
    divide_node(rule, rows, root, &mut rule.memory(), monitor, &mut leaves);
    leaves
}

/// Divides a node. The largest part goes round the loop and only the others are calls, so the stack stays shallow
/// however unbalanced the cuts are.
fn divide_node<L: Position, const D: usize, R: CutRule<L, D>>(
    rule: &R,
    mut rows: &mut [Row<L, D>],
    mut node: R::Node,
    memory: &mut R::Memory,
    monitor: Monitor<'_>,
    leaves: &mut Vec<R::Leaf>,
) {
    // Leaves of parts that are done while one before them is not, innermost last.
    let mut later: Vec<Vec<R::Leaf>> = Vec::new();
    loop {
        let cancelled = monitor.is_cancelled();
        let cut = if cancelled { None } else { rule.cut(rows, &mut node, memory) };
        let Some(ends) = cut else {
            if !rows.is_empty() {
                monitor.advance(if cancelled { 0 } else { rows.len() as u64 });
                leaves.push(rule.leaf(rows, node));
            }
            break;
        };
        let (mut parts, mut start) = (Vec::with_capacity(ends.len()), 0);
        for Part { end, node } in ends {
            let (part, rest) = rows.split_at_mut(end - start);
            parts.push((part, node));
            (rows, start) = (rest, end);
        }
        let largest = (0..parts.len()).max_by_key(|&at| parts[at].0.len()).unwrap_or(0);
        if parts.iter().enumerate().any(|(at, part)| at != largest && part.0.len() >= FORK) {
            let of_parts: Vec<Vec<R::Leaf>> =
                parts.into_par_iter().map(|(part, node)| grow(rule, part, node, monitor)).collect();
            leaves.extend(of_parts.into_iter().flatten());
            break;
        }
        let mut after = Vec::new();
        let mut next = None;
        for (at, (part, part_node)) in parts.into_iter().enumerate() {
            match at.cmp(&largest) {
                Ordering::Less => divide_node(rule, part, part_node, memory, monitor, leaves),
                Ordering::Equal => next = Some((part, part_node)),
                Ordering::Greater => divide_node(rule, part, part_node, memory, monitor, &mut after),
            }
        }
        later.push(after);
        let Some((part, part_node)) = next else { break };
        (rows, node) = (part, part_node);
    }
    while let Some(mut others) = later.pop() {
        leaves.append(&mut others);
    }
}

/// Moves the rows for which `left` holds to the front; returns how many they are.
pub(crate) fn divide<L: Position, const D: usize>(rows: &mut [Row<L, D>], left: impl Fn(&Row<L, D>) -> bool) -> usize {
    let (mut i, mut j) = (0, rows.len());
    loop {
        while i < j && left(&rows[i]) {
            i += 1;
        }
        while i < j && !left(&rows[j - 1]) {
            j -= 1;
        }
        if i >= j {
            return i;
        }
        rows.swap(i, j - 1);
    }
}
