//! Every cut a node offers, and what it would cost.
//!
//! A cut divides the bins of one axis in two; its loss is rows times NCP of the two halves, each half measured by its own
//! least box over all axes.

use super::bins::Binning;
pub(crate) use super::node_bins::Side;
use super::node_bins::{BoxBins, CoveredBins, NodeBins, WantedDivisions};
use super::rows::{Position, Row};
use crate::axis::{Axis, Shape};

/// Rows looked at for the boxes of a large node. The choice among cuts of a million rows does not depend on the last row.
const SAMPLE: usize = 1 << 14;

/// A possible cut of a node.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Cut {
    /// Rows times NCP, summed over both halves.
    pub(crate) loss: f64,
    /// NCP of the left half, summed over the axes.
    pub(crate) left: f64,
    /// NCP of the right half.
    pub(crate) right: f64,
    /// The axis that is cut.
    pub(crate) axis: u16,
    /// The bins that go to the left.
    pub(crate) side: Side,
    /// Rows that go to the left.
    pub(crate) n_left: u32,
}

/// Working memory for the cuts of one node, reused from node to node.
pub(crate) struct CutFinder<'a, L, const D: usize> {
    pub(crate) node: NodeBins<'a, L, D>,
    relaxed: bool,
    binning: Binning,
    /// The cuts found.
    pub(crate) cuts: Vec<Cut>,
}

impl<'a, L: Position, const D: usize> CutFinder<'a, L, D> {
    pub(crate) fn new(axes: &'a [Axis], relaxed: bool, binning: Binning) -> Self {
        CutFinder { node: NodeBins::new(axes), relaxed, binning, cuts: Vec::new() }
    }

    /// Finds all cuts of `rows` whose halves have at least `least` rows each.
    pub(crate) fn find(&mut self, rows: &[Row<L, D>], least: usize) {
        self.node.find(rows, self.binning, rows.len().div_ceil(SAMPLE).max(1));
        let cuts = &mut self.cuts;
        cuts.clear();
        for i in 0..self.node.active.len() {
            let a = self.node.active[i];
            let singles = self.node.axes[a].shape() != Shape::Interval;
            self.node.divisions(a, WantedDivisions { least, singles, shared: self.relaxed }, |node, halves| {
                let (left, right) = (cost(node, halves.left), cost(node, halves.right));
                let n_left = halves.n_left;
                let loss = n_left as f64 * left + (rows.len() - n_left) as f64 * right;
                cuts.push(Cut { loss, left, right, axis: a as u16, side: halves.side, n_left: n_left as u32 });
            });
        }
    }

    /// Width of the node on an axis, as NCP.
    pub(crate) fn width(&self, a: usize) -> f64 {
        let (axis, bins) = (&self.node.axes[a], &self.node.bins[a]);
        match axis.shape() {
            Shape::Set => f64::from(bins.n_labels()) / axis.size() as f64,
            _ => axis.span_cost(bins.first(), bins.last[bins.len() - 1]),
        }
    }

    /// NCP of the rows last given to [`CutFinder::find`], all in one box.
    pub(crate) fn uncut(&self) -> f64 {
        self.node.whole().map_or(0.0, |whole| cost(&self.node, whole.get(0)))
    }
}

/// NCP of a box, summed over the axes that vary in the node.
fn cost<L: Position, const D: usize>(node: &NodeBins<'_, L, D>, of: BoxBins<'_, L, D>) -> f64 {
    let mut total = 0.0;
    for (a, covered) in node.covered(of) {
        total += match covered {
            CoveredBins::Span(low, high) => node.axes[a].span_cost(low, high),
            CoveredBins::Set { labels, null, low, high } => node.axes[a].set_cost(labels, null, low, high),
        };
    }
    total
}
