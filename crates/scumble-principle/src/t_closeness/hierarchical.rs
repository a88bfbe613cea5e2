//! The distance where values lie under a tree.

use super::{EarthMover, least_by_share};
use crate::exact::Fraction;
use scumble_table::{Bag, Domain, NULL};

/// EarthMover is moved at the lowest node that has both too much and too little under it. For a node,
/// let `plus` be the sum of what its children have too much and `minus` of what they have too
/// little; `min(plus, minus)` moves there, at a distance of the node's level over the height.
///
/// Only nodes over values of the group can have too much, and `minus = plus - (what the node itself
/// has too much)`. So the values of the group and the nodes above them are all that is visited:
/// they are kept sorted by node, and each level merges neighbours under the same parent.
///
/// Null stands under the root by itself, so moving it costs the full distance.
#[derive(Debug)]
pub(super) struct Hierarchical {
    /// Leaf node by code.
    leaves: Box<[u32]>,
    /// Parent by node. Nodes are numbered level by level from the leaves, on each level from left
    /// to right (null first), so a rising list of children has a rising list of parents.
    parents: Box<[u32]>,
    /// Rows of the whole under each node.
    rows: Box<[u32]>,
    height: u32,
    whole: Bag,
}

/// Groups of up to this many different values are worked on without allocating.
const ON_STACK: usize = 64;

impl Hierarchical {
    /// `None` without a hierarchy.
    pub(super) fn new(domain: &Domain, whole: &Bag) -> Option<Self> {
        let tree = domain.hierarchy()?;
        let height = tree.height();
        let mut number = vec![0u32; tree.nodes().len()];
        // One list of tree nodes per level, left to right.
        let mut levels: Vec<Vec<u32>> = vec![Vec::new(); height as usize + 1];
        for (id, node) in tree.nodes().iter().enumerate() {
            levels.get_mut(node.level as usize)?.push(id as u32);
        }
        let mut next = 0u32;
        let mut first_of_level = Vec::with_capacity(levels.len());
        for (level, nodes) in levels.iter_mut().enumerate() {
            nodes.sort_unstable_by_key(|&id| tree.node(id).first_leaf);
            first_of_level.push(next);
            // The first number of each level below the root is null's.
            next += u32::from(level < height as usize);
            for &id in nodes.iter() {
                number[id as usize] = next;
                next += 1;
            }
        }
        let mut parents = vec![0u32; next as usize];
        for (id, node) in tree.nodes().iter().enumerate() {
            parents[number[id] as usize] = number[node.parent.unwrap_or(id as u32) as usize];
        }
        for level in 0..height as usize {
            parents[first_of_level[level] as usize] = first_of_level[level + 1];
        }
        let mut leaves = vec![0u32; domain.n_codes()];
        for code in domain.codes() {
            leaves[code as usize] = number[tree.leaves()[domain.leaf(code)? as usize] as usize];
        }
        leaves[NULL as usize] = 0;
        let mut rows = vec![0u32; next as usize];
        for &(code, count) in whole.counts() {
            let mut at = leaves[code as usize];
            rows[at as usize] += count;
            for _ in 0..height {
                at = parents[at as usize];
                rows[at as usize] += count;
            }
        }
        Some(Hierarchical {
            leaves: leaves.into(),
            parents: parents.into(),
            rows: rows.into(),
            height,
            whole: whole.clone(),
        })
    }

    /// `members` are (leaf, count) with room to be merged in place.
    fn cost(&self, members: &mut [(u32, u32)], n: u64) -> u128 {
        members.sort_unstable();
        let total = self.whole.total();
        let (mut cost, mut len) = (0u128, members.len());
        for level in 1..=self.height {
            let (mut read, mut write) = (0, 0);
            while read < len {
                let parent = self.parents[members[read].0 as usize];
                let (mut plus, mut count) = (0u64, 0u32);
                while read < len && self.parents[members[read].0 as usize] == parent {
                    let (child, in_child) = members[read];
                    plus += (u64::from(in_child) * total).saturating_sub(u64::from(self.rows[child as usize]) * n);
                    count += in_child;
                    read += 1;
                }
                // plus - minus = count * N - rows * n, each product below 2^64.
                let (has, due) = (u64::from(count) * total, u64::from(self.rows[parent as usize]) * n);
                let moved = plus - has.saturating_sub(due).min(plus);
                cost += u128::from(level) * u128::from(moved);
                members[write] = (parent, count);
                write += 1;
            }
            len = write;
        }
        cost
    }
}

impl EarthMover for Hierarchical {
    fn distance(&self, group: &Bag) -> Option<(u128, u128)> {
        let n = group.total();
        if n == 0 {
            return None;
        }
        let mut stack = [(0u32, 0u32); ON_STACK];
        let mut heap = Vec::new();
        let members = match stack.get_mut(..group.distinct()) {
            Some(members) => members,
            None => {
                heap.resize(group.distinct(), (0, 0));
                &mut heap[..]
            }
        };
        for (member, &(code, count)) in members.iter_mut().zip(group.counts()) {
            let leaf = *self.leaves.get(code as usize)?;
            if self.rows[leaf as usize] == 0 {
                return None;
            }
            *member = (leaf, count);
        }
        let denom = u128::from(n) * u128::from(self.whole.total()) * u128::from(self.height);
        Some((self.cost(members, n), denom))
    }

    /// Two different values are at least one level apart, so the distance is at least that of
    /// `equal` divided by the height.
    fn least_size(&self, t: Fraction) -> u64 {
        least_by_share(&self.whole, t, self.height)
    }
}
