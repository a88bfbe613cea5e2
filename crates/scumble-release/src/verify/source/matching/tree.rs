//! A tree over points that finds those inside a box without looking at the others.

use super::{Question, Span};

/// Fewer points than this are tried one by one.
const LEAF: usize = 8;

/// Points of one key, halved again and again along the column in which they spread most.
pub(super) struct Tree {
    /// Points, so ordered that every node is a run of them.
    pub(super) order: Vec<u32>,
    nodes: Vec<Node>,
    /// Least and greatest rank of each node in each column.
    bounds: Vec<(u32, u32)>,
    n_dims: usize,
}

struct Node {
    from: u32,
    to: u32,
    /// The two halves are `below` and `below + 1`; 0 for a leaf.
    below: u32,
}

impl Tree {
    pub(super) fn grow(question: &Question, points: &[u32]) -> Tree {
        let n_dims = question.n_dims;
        let mut tree = Tree {
            order: points.to_vec(),
            nodes: vec![Node { from: 0, to: points.len() as u32, below: 0 }],
            bounds: vec![(0, 0); n_dims],
            n_dims,
        };
        let mut at = 0;
        while at < tree.nodes.len() {
            let (from, to) = (tree.nodes[at].from as usize, tree.nodes[at].to as usize);
            let run = &mut tree.order[from..to];
            let mut widest = (0, 0);
            for dim in 0..n_dims {
                let ranks = run.iter().map(|&p| question.points[p as usize * n_dims + dim]);
                let (lo, hi) = ranks.fold((u32::MAX, 0), |(lo, hi), r| (lo.min(r), hi.max(r)));
                tree.bounds[at * n_dims + dim] = (lo, hi);
                // Spread is compared relative to the column, else wide domains would take every cut.
                let whole = tree.bounds[dim].1.saturating_sub(tree.bounds[dim].0).max(1);
                let spread = (u64::from(hi.saturating_sub(lo)) << 20) / u64::from(whole);
                if hi > lo && spread.max(1) > widest.0 {
                    widest = (spread.max(1), dim);
                }
            }
            if run.len() > LEAF && widest.0 > 0 {
                let dim = widest.1;
                let half = run.len() / 2;
                run.select_nth_unstable_by_key(half, |&p| question.points[p as usize * n_dims + dim]);
                tree.nodes[at].below = tree.nodes.len() as u32;
                let middle = (from + half) as u32;
                tree.nodes.push(Node { from: from as u32, to: middle, below: 0 });
                tree.nodes.push(Node { from: middle, to: to as u32, below: 0 });
                tree.bounds.resize(tree.nodes.len() * n_dims, (0, 0));
            }
            at += 1;
        }
        tree
    }

    /// Calls `found` with runs of positions in [`Tree::order`] that together are the points inside
    /// a box; stops when `found` says so.
    pub(super) fn inside(
        &self,
        question: &Question,
        a_box: usize,
        mut found: impl FnMut(usize, usize) -> bool,
    ) -> bool {
        if self.order.is_empty() {
            return true;
        }
        let texts = &question.boxes[a_box * self.n_dims..(a_box + 1) * self.n_dims];
        let span = |dim: usize| -> &Span { &question.spans[dim][texts[dim] as usize] };
        let mut stack = vec![0u32];
        while let Some(at) = stack.pop() {
            let node = &self.nodes[at as usize];
            let bounds = &self.bounds[at as usize * self.n_dims..(at as usize + 1) * self.n_dims];
            let (mut apart, mut within) = (false, true);
            for (dim, &(lo, hi)) in bounds.iter().enumerate() {
                apart |= !span(dim).meets(lo, hi);
                within &= span(dim).holds_all(lo, hi);
                if apart {
                    break;
                }
            }
            if apart {
                continue;
            }
            let go_on = if within {
                found(node.from as usize, node.to as usize)
            } else if node.below > 0 {
                stack.extend([node.below + 1, node.below]);
                true
            } else {
                (node.from as usize..node.to as usize).all(|place| {
                    let first = self.order[place] as usize * self.n_dims;
                    let ranks = &question.points[first..first + self.n_dims];
                    let inside = ranks.iter().enumerate().all(|(dim, &rank)| span(dim).holds(rank));
                    !inside || found(place, place + 1)
                })
            };
            if !go_on {
                return false;
            }
        }
        true
    }
}
