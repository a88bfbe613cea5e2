//! The cut of a node that gains most in density, over all attributes and all cuts.
//!
//! What a reader takes from a bucket of n rows under a box of |R| points is n/|R| rows at every point. The
//! likelihood of the rows under that is the worth of the bucket, `n (ln n - ln |R|)`; a cut gains the worth of its
//! parts, each under its own least box, less that of the node. The sum of the gains is what
//! KL(D || D*) falls by.

use crate::axis::{Axis, Shape};
use crate::mondrian::bins::Binning;
use crate::mondrian::node_bins::{BoxBins, Boxes, CoveredBins, NodeBins, Side, WantedDivisions};
use crate::mondrian::rows::{Position, Row};
use crate::points::Points;

/// The most bins on one attribute. Every value has one of its own up to this many; beyond, neighbours share.
const MOST_BINS: usize = 1 << 14;

/// A gain must be this much to be more than rounding.
const LEAST_GAIN: f64 = 1e-9;

/// Which bins of an axis go where.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Parts {
    /// The bins of a side, and the rest.
    Two(Side),
    /// Every bin by itself. The boxes of a hierarchy are nodes, and two parts that each held several children of a node
    /// would both show that node. Null that is too rare to be a part joins the bin named.
    Each(Option<u16>),
}

/// A cut of a node.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Cut {
    pub(crate) gain: f64,
    pub(crate) axis: usize,
    pub(crate) parts: Parts,
}

/// Working memory for the cuts of one node, reused from node to node.
pub(crate) struct Finder<'a, L, const D: usize> {
    pub(crate) node: NodeBins<'a, L, D>,
    points: &'a [Points],
}

impl<'a, L: Position, const D: usize> Finder<'a, L, D> {
    pub(crate) fn new(axes: &'a [Axis], points: &'a [Points]) -> Self {
        Finder { node: NodeBins::new(axes), points }
    }

    /// The cut that gains most, if any gains, among those whose parts have at least `least` rows each.
    pub(crate) fn find(&mut self, rows: &[Row<L, D>], least: usize) -> Option<Cut> {
        self.node.find(rows, Binning::AtMost(MOST_BINS), 1);
        let whole = self.node.whole()?;
        let whole = worth(&self.node, self.points, rows.len(), whole.get(0));
        let mut best: Option<Cut> = None;
        for i in 0..self.node.active.len() {
            let a = self.node.active[i];
            let mut offer = |parts: Parts, worth: f64| {
                let gain = worth - whole;
                if best.is_none_or(|known| gain > known.gain) {
                    best = Some(Cut { gain, axis: a, parts });
                }
            };
            let shape = self.node.axes[a].shape();
            let has_null = self.node.bins[a].first() == 0;
            if shape == Shape::Tree
                && let Some((null_with, worth)) = self.each(a, least)
            {
                offer(Parts::Each(null_with), worth);
            }
            let wanted = WantedDivisions { least, singles: shape == Shape::Set, shared: false };
            let points = self.points;
            self.node.divisions(a, wanted, |node, halves| {
                // Children of a node are never cut in two heaps, but null may stand against all of them.
                if shape == Shape::Tree && !(halves.side == Side::Below(1) && has_null) {
                    return;
                }
                let n_left = halves.n_left;
                let left = worth(node, points, n_left, halves.left);
                offer(Parts::Two(halves.side), left + worth(node, points, rows.len() - n_left, halves.right));
            });
        }
        // Buckets of one are exact values, whatever that gains: anatomy (paper 4, section 3.5).
        best.filter(|cut| least == 1 || cut.gain > LEAST_GAIN)
    }

    /// The worth of all children of a hierarchy's node as parts of their own, if each has rows enough; with the
    /// child that null joins where there is too little of it.
    fn each(&self, a: usize, least: usize) -> Option<(Option<u16>, f64)> {
        let (counts, boxes) = (&self.node.bins[a].counts, &self.node.boxes[a]);
        let has_null = self.node.bins[a].first() == 0;
        // Beyond this many children the bins of some are shared.
        let children = usize::from(has_null)..counts.len();
        if counts.len() >= usize::from(u16::MAX) || children.len() < 2 {
            return None;
        }
        // A branch that is filled with the label of the node would show the node as well.
        let points = |low: L, high: L| self.points[a].span(&self.node.axes[a], low.into(), high.into());
        let (first, last) = (boxes.get(children.start).span, boxes.get(children.end - 1).span);
        let node = points(first.low[a], last.high[a]);
        let apart = |b: usize| {
            let child = boxes.get(b).span;
            child.low[a] == child.high[a] || points(child.low[a], child.high[a]) < node
        };
        if !children.clone().all(apart) {
            return None;
        }
        let worth_of = |n: usize, of: BoxBins<'_, L, D>| worth(&self.node, self.points, n, of);
        let own = |b: usize| worth_of(counts[b] as usize, boxes.get(b));
        let null = if has_null { counts[0] as usize } else { 0 };
        let enough = |b: usize, more: usize| counts[b] as usize + more >= least;
        if null == 0 || null >= least {
            return children.clone().all(|b| enough(b, 0)).then(|| (None, (0..counts.len()).map(own).sum()));
        }
        let smallest = children.clone().min_by_key(|&b| counts[b])?;
        if !children.clone().all(|b| enough(b, if b == smallest { null } else { 0 })) {
            return None;
        }
        let mut mixed = Boxes::new(self.node.mask_words());
        mixed.clear(1);
        mixed.join(0, boxes.get(0));
        mixed.join(0, boxes.get(smallest));
        let others: f64 = children.filter(|&b| b != smallest).map(own).sum();
        Some((Some(smallest as u16), others + worth_of(counts[smallest] as usize + null, mixed.get(0))))
    }
}

/// `n (ln n - ln |R|)` of n rows in a box.
fn worth<L: Position, const D: usize>(
    node: &NodeBins<'_, L, D>,
    points: &[Points],
    n: usize,
    of: BoxBins<'_, L, D>,
) -> f64 {
    let n = n as f64;
    n * (n.ln() - ln_points(node, points, of))
}

/// ln |R| of a box. Axes with one value in the node add nothing.
fn ln_points<L: Position, const D: usize>(node: &NodeBins<'_, L, D>, points: &[Points], of: BoxBins<'_, L, D>) -> f64 {
    // Few logarithms, and no product beyond what a float holds: one attribute has at most 10^39 points.
    let (mut total, mut product) = (0.0, 1.0f64);
    for (a, covered) in node.covered(of) {
        product *= match covered {
            CoveredBins::Span(low, high) => points[a].span(&node.axes[a], low, high),
            CoveredBins::Set { labels, null, .. } => points[a].set(labels, null),
        };
        if product > 1e250 {
            total += product.ln();
            product = 1.0;
        }
    }
    total + product.ln()
}

#[cfg(test)]
mod tests;
