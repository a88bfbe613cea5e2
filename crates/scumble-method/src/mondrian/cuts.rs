//! Every cut a node offers, and what it would cost.
//!
//! A cut divides the bins of one axis in two; its loss is rows times NCP of the two halves, each
//! half measured by its own least box over all axes. One pass over the rows gives the box of every
//! bin of every axis; boxes of unions of bins then come from prefixes and suffixes.

use super::bins::{Binning, Bins};
use super::rows::{Lane, Row, Span};
use crate::axis::{Axis, Layout, Shape};

/// Rows looked at for the boxes of a large node. The choice among cuts of a million rows does not
/// hang on the last row; counts are always exact.
const SAMPLE: usize = 1 << 14;

/// Which bins go to the left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    /// Bins below this one.
    Below(u16),
    /// This bin alone.
    Only(u16),
    /// Half of the rows: the bins below this one and part of it (relaxed cuts).
    Half(u16),
}

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
    axes: &'a [Axis],
    /// Bins of each axis in the node at hand.
    pub(crate) bins: Vec<Bins>,
    /// Bin of each position, axis after axis.
    pub(crate) bin_of: Vec<u16>,
    /// Where each axis starts in `bin_of`.
    pub(crate) base: Vec<usize>,
    /// (axis, first word) of the set axes in a mask.
    sets: Vec<(usize, usize)>,
    /// Words of a mask: one bit per label of every set axis.
    words: usize,
    /// Axes with more than one value in the node.
    active: Vec<usize>,
    spans: Vec<Vec<Span<L, D>>>,
    masks: Vec<Vec<u64>>,
    suffix: Vec<Span<L, D>>,
    suffix_masks: Vec<u64>,
    joined: Vec<u64>,
    rest: Vec<u64>,
    relaxed: bool,
    binning: Binning,
    /// The cuts found.
    pub(crate) cuts: Vec<Cut>,
}

impl<'a, L: Lane, const D: usize> CutFinder<'a, L, D> {
    pub(crate) fn new(axes: &'a [Axis], relaxed: bool, binning: Binning) -> Self {
        let Layout { base, total, sets, words } = Layout::of(axes);
        CutFinder {
            axes,
            bins: axes.iter().map(|_| Bins::default()).collect(),
            bin_of: vec![0; total],
            base,
            sets,
            words,
            active: Vec::new(),
            spans: axes.iter().map(|_| Vec::new()).collect(),
            masks: axes.iter().map(|_| Vec::new()).collect(),
            suffix: Vec::new(),
            suffix_masks: Vec::new(),
            joined: vec![0; words],
            rest: vec![0; words],
            relaxed,
            binning,
            cuts: Vec::new(),
        }
    }

    /// Finds all cuts of `rows` whose halves have at least `least` rows each.
    pub(crate) fn find(&mut self, rows: &[Row<L, D>], least: usize) {
        self.cuts.clear();
        self.active.clear();
        for (a, axis) in self.axes.iter().enumerate() {
            let region = self.base[a]..self.base[a] + axis.size();
            self.bins[a].find(axis, a, rows, &mut self.bin_of[region], self.binning);
            if self.bins[a].len() > 1 {
                self.active.push(a);
            }
        }
        self.measure(rows);
        for i in 0..self.active.len() {
            self.try_axis(self.active[i], rows.len(), least);
        }
    }

    /// One pass over the rows: the box of every bin of every active axis.
    fn measure(&mut self, rows: &[Row<L, D>]) {
        for &a in &self.active {
            let n = self.bins[a].len();
            self.spans[a].clear();
            self.spans[a].resize(n, Span::EMPTY);
            self.masks[a].clear();
            self.masks[a].resize(n * self.words, 0);
        }
        let stride = rows.len().div_ceil(SAMPLE);
        for row in rows.iter().step_by(stride) {
            for &a in &self.active {
                let position: u32 = row.at[a].into();
                let bin = usize::from(self.bin_of[self.base[a] + position as usize]);
                self.spans[a][bin].add(&row.at);
                let mask = &mut self.masks[a][bin * self.words..];
                for &(s, word) in &self.sets {
                    let label: u32 = row.at[s].into();
                    mask[word + label as usize / 64] |= 1 << (label % 64);
                }
            }
        }
    }

    fn try_axis(&mut self, a: usize, n_rows: usize, least: usize) {
        let n_bins = self.bins[a].len();
        let words = self.words;
        // suffix[b]: the box of bins b.. .
        self.suffix.clear();
        self.suffix.resize(n_bins + 1, Span::EMPTY);
        self.suffix_masks.clear();
        self.suffix_masks.resize((n_bins + 1) * words, 0);
        for b in (0..n_bins).rev() {
            self.suffix[b] = self.suffix[b + 1];
            self.suffix[b].join(&self.spans[a][b]);
            for w in 0..words {
                self.suffix_masks[b * words + w] =
                    self.suffix_masks[(b + 1) * words + w] | self.masks[a][b * words + w];
            }
        }
        let mut prefix = Span::EMPTY;
        let mut prefix_mask = std::mem::take(&mut self.joined);
        prefix_mask.fill(0);
        let mut rest_mask = std::mem::take(&mut self.rest);
        let singles = self.axes[a].shape() != Shape::Interval && n_bins > 2;
        let mut before = 0usize;
        for b in 0..n_bins {
            let held = self.bins[a].counts[b] as usize;
            if b > 0 && before >= least && n_rows - before >= least {
                let left = self.cost(&prefix, &prefix_mask);
                let right = self.cost(&self.suffix[b], &self.suffix_masks[b * words..]);
                self.offer(a, Side::Below(b as u16), before, n_rows, left, right);
            }
            if singles && b > 0 && b + 1 < n_bins && held >= least && n_rows - held >= least {
                let left = self.cost(&self.spans[a][b], &self.masks[a][b * words..]);
                let mut rest = prefix;
                rest.join(&self.suffix[b + 1]);
                for w in 0..words {
                    rest_mask[w] = prefix_mask[w] | self.suffix_masks[(b + 1) * words + w];
                }
                let right = self.cost(&rest, &rest_mask);
                self.offer(a, Side::Only(b as u16), held, n_rows, left, right);
            }
            let from = before;
            prefix.join(&self.spans[a][b]);
            for (joined, bin) in prefix_mask.iter_mut().zip(&self.masks[a][b * words..]) {
                *joined |= bin;
            }
            before += held;
            // The bin that holds the middle row may be shared by both halves.
            let half = n_rows / 2;
            if self.relaxed && from < half && half < before && half >= least && n_rows - half >= least {
                let left = self.cost(&prefix, &prefix_mask);
                let right = self.cost(&self.suffix[b], &self.suffix_masks[b * words..]);
                self.offer(a, Side::Half(b as u16), half, n_rows, left, right);
            }
        }
        (self.joined, self.rest) = (prefix_mask, rest_mask);
    }

    fn offer(&mut self, a: usize, side: Side, n_left: usize, n_rows: usize, left: f64, right: f64) {
        let loss = n_left as f64 * left + (n_rows - n_left) as f64 * right;
        self.cuts.push(Cut { loss, left, right, axis: a as u16, side, n_left: n_left as u32 });
    }

    /// NCP of a box, summed over the axes that vary in the node.
    fn cost(&self, span: &Span<L, D>, mask: &[u64]) -> f64 {
        let mut total = 0.0;
        let mut sets = self.sets.iter();
        for &a in &self.active {
            let axis = &self.axes[a];
            if axis.shape() == Shape::Set {
                let Some(&(_, word)) = sets.by_ref().find(|(s, _)| *s == a) else { continue };
                let bits = &mask[word..word + axis.size().div_ceil(64)];
                let null = bits[0] & 1 == 1;
                let labels = bits.iter().map(|w| w.count_ones()).sum::<u32>() - u32::from(null);
                let (low, high) = (span.low[a].into(), span.high[a].into());
                total += axis.set_cost(labels, null, low, high);
            } else {
                total += axis.span_cost(span.low[a].into(), span.high[a].into());
            }
        }
        total
    }

    /// Width of the node on an axis, as NCP.
    pub(crate) fn width(&self, a: usize) -> f64 {
        let axis = &self.axes[a];
        match axis.shape() {
            Shape::Set => f64::from(self.bins[a].n_labels()) / axis.size() as f64,
            _ => axis.span_cost(self.bins[a].first(), self.bins[a].last[self.bins[a].len() - 1]),
        }
    }

    /// NCP of the rows last given to [`CutFinder::find`], all in one box.
    pub(crate) fn uncut(&self) -> f64 {
        let Some(&a) = self.active.first() else { return 0.0 };
        let (mut span, mut mask) = (Span::EMPTY, vec![0; self.words]);
        for b in 0..self.bins[a].len() {
            span.join(&self.spans[a][b]);
            for (m, w) in mask.iter_mut().zip(&self.masks[a][b * self.words..]) {
                *m |= w;
            }
        }
        self.cost(&span, &mask)
    }
}
