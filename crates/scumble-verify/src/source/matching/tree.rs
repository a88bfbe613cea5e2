//! A tree over points that finds those inside a box without looking at the others.

use super::{MatchingProblem, Span};
use scumble_table::Monitor;

/// Fewer points than this are tried one by one.
const LEAF: usize = 8;

/// Points of one key, halved again and again along the column in which they spread most, weighed by
/// how narrow the boxes are there.
pub struct PointTree {
    /// Points, so ordered that every node is a run of them.
    pub(super) order: Vec<u32>,
    /// Coordinates in that order, so that a leaf lies in one place.
    ranks: Vec<u32>,
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

impl PointTree {
    /// Builds the tree over some points of a problem. One whose work was cancelled is not finished.
    pub fn grow(problem: &MatchingProblem, narrowness: &[u64], points: &[u32], monitor: Monitor<'_>) -> PointTree {
        let n_dims = problem.n_dims;
        let mut tree = PointTree {
            order: points.to_vec(),
            ranks: Vec::new(),
            nodes: vec![Node { from: 0, to: points.len() as u32, below: 0 }],
            bounds: vec![(0, 0); n_dims],
            n_dims,
        };
        let mut at = 0;
        while at < tree.nodes.len() && !monitor.is_cancelled() {
            let (from, to) = (tree.nodes[at].from as usize, tree.nodes[at].to as usize);
            let run = &mut tree.order[from..to];
            let mut widest = (0, 0);
            for (dim, narrow) in narrowness.iter().enumerate() {
                let ranks = run.iter().map(|&p| problem.points[p as usize * n_dims + dim]);
                let (lo, hi) = ranks.fold((u32::MAX, 0), |(lo, hi), r| (lo.min(r), hi.max(r)));
                tree.bounds[at * n_dims + dim] = (lo, hi);
                // Spread is compared relative to the column, else wide domains would take every cut.
                let whole = tree.bounds[dim].1.saturating_sub(tree.bounds[dim].0).max(1);
                let spread = (u64::from(hi.saturating_sub(lo)) << 20) / u64::from(whole) * narrow;
                if hi > lo && spread.max(1) > widest.0 {
                    widest = (spread.max(1), dim);
                }
            }
            if run.len() > LEAF && widest.0 > 0 {
                let dim = widest.1;
                let half = run.len() / 2;
                run.select_nth_unstable_by_key(half, |&p| problem.points[p as usize * n_dims + dim]);
                tree.nodes[at].below = tree.nodes.len() as u32;
                let middle = (from + half) as u32;
                tree.nodes.push(Node { from: from as u32, to: middle, below: 0 });
                tree.nodes.push(Node { from: middle, to: to as u32, below: 0 });
                tree.bounds.resize(tree.nodes.len() * n_dims, (0, 0));
            }
            at += 1;
        }
        let ranks = tree.order.iter().flat_map(|&p| &problem.points[p as usize * n_dims..(p as usize + 1) * n_dims]);
        tree.ranks = ranks.copied().collect();
        tree
    }

    /// Points, so ordered that every run that a search finds is a run of them.
    pub fn order(&self) -> &[u32] {
        &self.order
    }

    /// Calls `found` with runs of positions in [`PointTree::order`] that together are the points inside
    /// a box; stops when `found` says so. `search` is room to work in, kept from call to call.
    pub fn inside<'q>(
        &self,
        problem: &'q MatchingProblem,
        a_box: usize,
        search: &mut TreeSearch<'q>,
        mut found: impl FnMut(usize, usize) -> bool,
    ) -> bool {
        if self.order.is_empty() {
            return true;
        }
        let texts = &problem.boxes[a_box * self.n_dims..(a_box + 1) * self.n_dims];
        search.spans.clear();
        search.spans.extend(texts.iter().zip(&problem.spans).map(|(&text, spans)| &spans[text as usize]));
        search.stack.clear();
        search.open.clear();
        search.open.extend(0..self.n_dims as u32);
        search.stack.push((0, self.n_dims as u32));
        while let Some((at, n_open)) = search.stack.pop() {
            // Columns in which all of a node lies inside need not be looked at below it. They are
            // kept behind the open ones; the order among the open ones does not matter.
            let mut n_open = n_open as usize;
            let bounds = &self.bounds[at as usize * self.n_dims..(at as usize + 1) * self.n_dims];
            let mut apart = false;
            let mut i = 0;
            while i < n_open {
                let dim = search.open[i] as usize;
                let (lo, hi) = bounds[dim];
                let span = search.spans[dim];
                if span.holds_all(lo, hi) {
                    n_open -= 1;
                    search.open.swap(i, n_open);
                } else if span.meets(lo, hi) {
                    i += 1;
                } else {
                    apart = true;
                    break;
                }
            }
            if apart {
                continue;
            }
            let node = &self.nodes[at as usize];
            let (from, to) = (node.from as usize, node.to as usize);
            let go_on = if n_open == 0 {
                found(from, to)
            } else if node.below > 0 {
                search.stack.extend([(node.below + 1, n_open as u32), (node.below, n_open as u32)]);
                true
            } else {
                let open = &search.open[..n_open];
                (from..to).all(|place| {
                    let ranks = &self.ranks[place * self.n_dims..(place + 1) * self.n_dims];
                    let inside = open.iter().all(|&dim| search.spans[dim as usize].holds(ranks[dim as usize]));
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

/// Room for searching a [`PointTree`].
#[derive(Default)]
pub struct TreeSearch<'q> {
    spans: Vec<&'q Span>,
    /// Columns, those still to be looked at first.
    open: Vec<u32>,
    /// Nodes to visit, each with the number of columns that were open above it.
    stack: Vec<(u32, u32)>,
}
