//! Boxes in a tree of the least boxes around them: which of them hold a point, and which meet another box.

use crate::Span;

/// Boxes at the end of a path, looked at one by one.
const LEAF: usize = 8;

/// Boxes over some columns, each with a span of ranks in every column.
pub(super) struct BoxIndex {
    /// What each text of a column covers.
    spans: Vec<Vec<Span>>,
    /// Whether some span of the column has holes.
    holes: Vec<bool>,
    /// Text of each box in each column, box by box.
    texts: Vec<u32>,
    /// First rank of each box in each column and the one after the last, box by box.
    runs: Vec<(u32, u32)>,
    /// Boxes in the order of the tree.
    order: Vec<u32>,
    nodes: Vec<Node>,
    /// The least box around each node, node by node.
    bounds: Vec<(u32, u32)>,
}

/// Boxes of a part of the order. The first child of a node with children comes right after it.
struct Node {
    from: u32,
    to: u32,
    /// The second child; 0 at the end of a path.
    second: u32,
}

impl BoxIndex {
    /// `texts` has the text of each box in each column, box by box.
    pub(super) fn new(spans: Vec<Vec<Span>>, texts: Vec<u32>) -> Self {
        let n_columns = spans.len();
        let n_boxes = texts.len().checked_div(n_columns).unwrap_or(0);
        let holes = spans.iter().map(|column| column.iter().any(Span::has_holes)).collect();
        let run = |(at, &text): (usize, &u32)| {
            let span = &spans[at % n_columns][text as usize];
            (span.lo, span.end)
        };
        let runs: Vec<(u32, u32)> = texts.iter().enumerate().map(run).collect();
        let order = (0..n_boxes as u32).collect();
        let mut index = BoxIndex { spans, holes, texts, runs, order, nodes: Vec::new(), bounds: Vec::new() };
        if n_boxes > 0 {
            index.grow(0, n_boxes);
        }
        index
    }

    fn n_columns(&self) -> usize {
        self.spans.len()
    }

    /// Makes the node of a part of the order: halves at the median of the middles, along the column where middles lie
    /// farthest apart for its width.
    fn grow(&mut self, from: usize, to: usize) -> usize {
        let d = self.n_columns();
        let at = self.nodes.len();
        self.nodes.push(Node { from: from as u32, to: to as u32, second: 0 });
        let (mut bounds, mut middles) = (vec![(u32::MAX, 0); d], vec![(u64::MAX, 0); d]);
        for &a_box in &self.order[from..to] {
            for column in 0..d {
                let (lo, end) = self.runs[a_box as usize * d + column];
                let bound: &mut (u32, u32) = &mut bounds[column];
                *bound = (bound.0.min(lo), bound.1.max(end));
                let (middle, reach): (u64, &mut (u64, u64)) = (u64::from(lo) + u64::from(end), &mut middles[column]);
                *reach = (reach.0.min(middle), reach.1.max(middle));
            }
        }
        let root: Vec<(u32, u32)> = if at == 0 { bounds.clone() } else { self.bounds[..d].to_vec() };
        self.bounds.extend_from_slice(&bounds);
        if to - from <= LEAF {
            return at;
        }
        // Shares of the root's width, compared as fractions of whole numbers.
        let share = |column: usize| {
            let width = u128::from((root[column].1 - root[column].0).max(1));
            (u128::from(middles[column].1 - middles[column].0), width)
        };
        let wider = |&a: &usize, &b: &usize| (share(a).0 * share(b).1).cmp(&(share(b).0 * share(a).1));
        let Some(column) = (0..d).max_by(wider) else { return at };
        if middles[column].0 == middles[column].1 {
            return at;
        }
        let half = from + (to - from) / 2;
        let runs = &self.runs;
        let middle = |a_box: &u32| {
            let (lo, end) = runs[*a_box as usize * d + column];
            (u64::from(lo) + u64::from(end), *a_box)
        };
        self.order[from..to].select_nth_unstable_by_key(half - from, middle);
        self.grow(from, half);
        self.nodes[at].second = self.grow(half, to) as u32;
        at
    }

    /// Calls `found` with every box that holds a point, given by its ranks.
    pub(super) fn around(&self, point: &[u32], mut found: impl FnMut(u32)) {
        let overlaps = |column: usize, (lo, end): (u32, u32)| (lo..end).contains(&point[column]);
        let holds = |column: usize, span: &Span| span.holds(point[column]);
        self.walk(overlaps, holds, |a_box| {
            found(a_box);
            true
        });
    }

    /// Calls `found` with every box that has a point in common with one of them, itself among them, until it returns
    /// false.
    pub(super) fn meeting(&self, of: u32, found: impl FnMut(u32) -> bool) {
        let of = of as usize;
        let overlaps = |column: usize, (lo, end): (u32, u32)| {
            let own = self.run(of, column);
            own.0 < end && lo < own.1
        };
        self.walk(overlaps, |column, span| span.shares(self.span(of, column)), found);
    }

    #[inline]
    fn run(&self, a_box: usize, column: usize) -> (u32, u32) {
        self.runs[a_box * self.n_columns() + column]
    }

    fn span(&self, a_box: usize, column: usize) -> &Span {
        &self.spans[column][self.texts[a_box * self.n_columns() + column] as usize]
    }

    /// Gives `found` the boxes that are met in every column, until it returns false: `overlaps` says so of runs, and
    /// `meets` of spans with holes.
    fn walk(
        &self,
        overlaps: impl Fn(usize, (u32, u32)) -> bool,
        meets: impl Fn(usize, &Span) -> bool,
        mut found: impl FnMut(u32) -> bool,
    ) {
        let d = self.n_columns();
        let is_met = |a_box: usize| {
            (0..d).all(|column| {
                overlaps(column, self.run(a_box, column))
                    && (!self.holes[column] || meets(column, self.span(a_box, column)))
            })
        };
        let mut open: Vec<u32> = if self.nodes.is_empty() { Vec::new() } else { vec![0] };
        while let Some(at) = open.pop() {
            let bounds = &self.bounds[at as usize * d..(at as usize + 1) * d];
            if !bounds.iter().enumerate().all(|(column, &bound)| overlaps(column, bound)) {
                continue;
            }
            let node = &self.nodes[at as usize];
            if node.second == 0 {
                let boxes = &mut self.order[node.from as usize..node.to as usize].iter();
                if !boxes.all(|&a_box| !is_met(a_box as usize) || found(a_box)) {
                    return;
                }
            } else {
                open.extend([node.second, at + 1]);
            }
        }
    }
}
