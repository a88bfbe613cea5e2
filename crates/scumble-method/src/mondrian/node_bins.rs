//! A node as its cuts see it: the bins of every axis, and the least box around the rows of each bin.
//!
//! One pass over the rows gives the box of every bin of every axis, in all axes; boxes of unions of bins come from
//! prefixes and suffixes.

use super::bins::{Binning, Bins};
use super::rows::{Position, Row, Span};
use crate::axis::{Axis, Layout, Shape};
use crate::cut_tree::divide;

/// Which bins of an axis go to the left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    /// Bins below this one.
    Below(u16),
    /// This bin alone.
    Only(u16),
    /// Half of the rows: the bins below this one and part of it (relaxed cuts).
    Half(u16),
}

impl Side {
    /// True if all rows of a bin go to the left. Of a bin that both halves share it is decided row by row.
    pub(crate) fn takes(self, bin: u16) -> bool {
        match self {
            Side::Below(b) => bin < b,
            Side::Only(b) | Side::Half(b) => bin == b,
        }
    }
}

/// Boxes as spans, and as bits of the labels of set axes.
#[derive(Debug)]
pub(crate) struct Boxes<L, const D: usize> {
    spans: Vec<Span<L, D>>,
    masks: Vec<u64>,
    mask_words: usize,
}

impl<L: Position, const D: usize> Boxes<L, D> {
    pub(crate) fn new(mask_words: usize) -> Self {
        Boxes { spans: Vec::new(), masks: Vec::new(), mask_words }
    }

    /// Makes this `n` boxes around nothing.
    pub(crate) fn clear(&mut self, n: usize) {
        self.spans.clear();
        self.spans.resize(n, Span::EMPTY);
        self.masks.clear();
        self.masks.resize(n * self.mask_words, 0);
    }

    pub(crate) fn get(&self, at: usize) -> BoxBins<'_, L, D> {
        BoxBins { span: &self.spans[at], mask: &self.masks[at * self.mask_words..(at + 1) * self.mask_words] }
    }

    /// Makes the box at `to` hold another one.
    pub(crate) fn join(&mut self, to: usize, other: BoxBins<'_, L, D>) {
        self.spans[to].join(other.span);
        for (word, joined) in self.masks[to * self.mask_words..].iter_mut().zip(other.mask) {
            *word |= joined;
        }
    }

    /// Makes the box at `to` that at `from`.
    fn copy_within(&mut self, from: usize, to: usize) {
        self.spans[to] = self.spans[from];
        let words = self.mask_words;
        self.masks.copy_within(from * words..(from + 1) * words, to * words);
    }
}

/// One of some boxes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BoxBins<'a, L, const D: usize> {
    pub(crate) span: &'a Span<L, D>,
    mask: &'a [u64],
}

/// What a box covers on one axis.
pub(crate) enum CoveredBins {
    /// All positions from the first to the second.
    Span(u32, u32),
    /// Labels, their number without null, between the least and the greatest position.
    Set { labels: u32, null: bool, low: u32, high: u32 },
}

/// A division of the bins of an axis in two.
pub(crate) struct BinDivision<'a, L, const D: usize> {
    pub(crate) side: Side,
    pub(crate) n_left: usize,
    pub(crate) left: BoxBins<'a, L, D>,
    pub(crate) right: BoxBins<'a, L, D>,
}

/// Which divisions of an axis are wanted.
#[derive(Clone, Copy)]
pub(crate) struct WantedDivisions {
    /// Rows that each half must have.
    pub(crate) least: usize,
    /// Bins that are neither the first nor the last may stand alone.
    pub(crate) singles: bool,
    /// Both halves may share the bin that holds the middle row.
    pub(crate) shared: bool,
}

/// The bins of the node at hand; memory is reused from node to node.
pub(crate) struct NodeBins<'a, L, const D: usize> {
    pub(crate) axes: &'a [Axis],
    /// Bins of each axis.
    pub(crate) bins: Vec<Bins>,
    /// Bin of each position, axis after axis.
    bin_of: Vec<u16>,
    /// Where each axis starts in `bin_of`.
    base: Vec<usize>,
    /// (axis, first word) of the set axes in a mask.
    sets: Vec<(usize, usize)>,
    /// Axes with more than one value in the node.
    pub(crate) active: Vec<usize>,
    /// Boxes of the bins of each axis.
    pub(crate) boxes: Vec<Boxes<L, D>>,
    /// `after[b]`: the box of the bins from b on, of the axis at hand.
    after: Boxes<L, D>,
    /// 0: the box of the bins before the one at hand; 1: of all others.
    others: Boxes<L, D>,
}

impl<'a, L: Position, const D: usize> NodeBins<'a, L, D> {
    pub(crate) fn new(axes: &'a [Axis]) -> Self {
        let Layout { base, total, sets, mask_words } = Layout::new(axes);
        NodeBins {
            axes,
            bins: axes.iter().map(|_| Bins::default()).collect(),
            bin_of: vec![0; total],
            base,
            sets,
            active: Vec::new(),
            boxes: axes.iter().map(|_| Boxes::new(mask_words)).collect(),
            after: Boxes::new(mask_words),
            others: Boxes::new(mask_words),
        }
    }

    /// The bin of every position of an axis that occurs in the node.
    pub(crate) fn bin_of(&self, a: usize) -> &[u16] {
        &self.bin_of[self.base[a]..self.base[a] + self.axes[a].size()]
    }

    /// Words of the mask of a box.
    pub(crate) fn mask_words(&self) -> usize {
        self.after.mask_words
    }

    /// Finds the bins of the rows of a node. Boxes are those of every `stride`-th row; counts are always exact.
    pub(crate) fn find(&mut self, rows: &[Row<L, D>], binning: Binning, stride: usize) {
        self.active.clear();
        for (a, axis) in self.axes.iter().enumerate() {
            let region = self.base[a]..self.base[a] + axis.size();
            self.bins[a].find(axis, a, rows, &mut self.bin_of[region], binning);
            if self.bins[a].len() > 1 {
                self.active.push(a);
                self.boxes[a].clear(self.bins[a].len());
            }
        }
        for row in rows.iter().step_by(stride) {
            for &a in &self.active {
                let position: u32 = row.at[a].into();
                let bin = usize::from(self.bin_of[self.base[a] + position as usize]);
                let boxes = &mut self.boxes[a];
                boxes.spans[bin].add(&row.at);
                let mask = &mut boxes.masks[bin * boxes.mask_words..];
                for &(s, word) in &self.sets {
                    let label: u32 = row.at[s].into();
                    mask[word + label as usize / 64] |= 1 << (label % 64);
                }
            }
        }
    }

    /// Visits the divisions of an active axis that are wanted.
    pub(crate) fn divisions(
        &mut self,
        a: usize,
        wanted: WantedDivisions,
        mut visit: impl FnMut(&Self, BinDivision<'_, L, D>),
    ) {
        let words = self.after.mask_words;
        let mut after = std::mem::replace(&mut self.after, Boxes::new(words));
        let mut others = std::mem::replace(&mut self.others, Boxes::new(words));
        let (counts, boxes) = (&self.bins[a].counts, &self.boxes[a]);
        let (n_bins, n) = (counts.len(), counts.iter().map(|&count| count as usize).sum::<usize>());
        after.clear(n_bins + 1);
        for b in (0..n_bins).rev() {
            after.copy_within(b + 1, b);
            after.join(b, boxes.get(b));
        }
        others.clear(2);
        let large = |n_left: usize| n_left >= wanted.least && n - n_left >= wanted.least;
        let mut before = 0;
        for (b, &held) in counts.iter().enumerate() {
            let held = held as usize;
            if b > 0 && large(before) {
                let (side, n_left) = (Side::Below(b as u16), before);
                visit(self, BinDivision { side, n_left, left: others.get(0), right: after.get(b) });
            }
            if wanted.singles && b > 0 && b + 1 < n_bins && large(held) {
                others.copy_within(0, 1);
                others.join(1, after.get(b + 1));
                let (side, n_left) = (Side::Only(b as u16), held);
                visit(self, BinDivision { side, n_left, left: boxes.get(b), right: others.get(1) });
            }
            others.join(0, boxes.get(b));
            // The bin that holds the middle row may be shared by both halves.
            let half = n / 2;
            if wanted.shared && before < half && half < before + held && large(half) {
                let side = Side::Half(b as u16);
                visit(self, BinDivision { side, n_left: half, left: others.get(0), right: after.get(b) });
            }
            before += held;
        }
        (self.after, self.others) = (after, others);
    }

    /// Moves the rows whose bin on an axis is `wanted` to the front, or to the back; tells where the second part starts.
    /// Along an interval the wanted bins are those up to one, and one comparison decides. `side` is working memory.
    pub(crate) fn divide(
        &self,
        rows: &mut [Row<L, D>],
        a: usize,
        wanted: Side,
        to_the_back: bool,
        side: &mut Vec<bool>,
    ) -> usize {
        let (axis, bins) = (&self.axes[a], &self.bins[a]);
        if let (Side::Below(b), Shape::Interval) = (wanted, axis.shape()) {
            let last = bins.last[usize::from(b) - 1];
            return divide(rows, |row| (row.at[a].into() <= last) != to_the_back);
        }
        side.clear();
        side.resize(axis.size(), false);
        for position in bins.positions_in(self.bin_of(a), |bin| wanted.takes(bin)) {
            side[position as usize] = true;
        }
        divide(rows, |row| side[Into::<u32>::into(row.at[a]) as usize] != to_the_back)
    }

    /// The box around the rows of the node; nothing where all axes have one value.
    pub(crate) fn whole(&self) -> Option<Boxes<L, D>> {
        let boxes = &self.boxes[*self.active.first()?];
        let mut whole = Boxes::new(boxes.mask_words);
        whole.clear(1);
        (0..boxes.spans.len()).for_each(|b| whole.join(0, boxes.get(b)));
        Some(whole)
    }

    /// What a box covers on the active axes, in their order.
    pub(crate) fn covered<'b>(&'b self, around: BoxBins<'b, L, D>) -> impl Iterator<Item = (usize, CoveredBins)> + 'b {
        let mut sets = self.sets.iter();
        self.active.iter().map(move |&a| {
            let (low, high) = (around.span.low[a].into(), around.span.high[a].into());
            if self.axes[a].shape() != Shape::Set {
                return (a, CoveredBins::Span(low, high));
            }
            // Every set axis has a word, and both lists rise.
            let first = sets.by_ref().find(|(set, _)| *set == a).map_or(0, |&(_, word)| word);
            let bits = &around.mask[first..first + self.axes[a].size().div_ceil(64)];
            let null = bits[0] & 1 == 1;
            let labels = bits.iter().map(|word| word.count_ones()).sum::<u32>() - u32::from(null);
            (a, CoveredBins::Set { labels, null, low, high })
        })
    }
}
