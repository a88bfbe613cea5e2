//! The cut of a node that gains most in density, over all attributes and all cuts.
//!
//! What a reader takes from a bucket of n rows under a box of |R| points is n/|R| rows at every point. The
//! likelihood of the rows under that is the worth of the bucket, `n (ln n - ln |R|)`; a cut gains the worth of its
//! parts, each under its own least box, less that of the node. The sum of the gains is what
//! KL(D || D*) falls by.
//!
//! One pass over the rows gives the box of every value of every attribute, in all attributes; boxes of unions come
//! from prefixes and suffixes.

use crate::axis::{Axis, Layout, Shape};
use crate::mondrian::bins::{Binning, Bins};
use crate::mondrian::rows::{Lane, Row, Span};
use crate::points::Points;

/// The most bins on one attribute. Every value has one of its own up to this many; beyond, neighbours share.
const MOST_BINS: usize = 1 << 14;

/// A gain must be this much to be more than rounding.
const LEAST_GAIN: f64 = 1e-9;

/// Which bins of an axis go where.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Parts {
    /// Bins below this one, and the rest.
    Below(u16),
    /// This bin alone, and the rest.
    Only(u16),
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

/// Boxes as spans, and as bits of the labels of set axes.
#[derive(Debug)]
struct Boxes<L, const D: usize> {
    spans: Vec<Span<L, D>>,
    masks: Vec<u64>,
    words: usize,
}

impl<L: Lane, const D: usize> Boxes<L, D> {
    fn new(words: usize) -> Self {
        Boxes { spans: Vec::new(), masks: Vec::new(), words }
    }

    /// Makes this `n` boxes around nothing.
    fn clear(&mut self, n: usize) {
        self.spans.clear();
        self.spans.resize(n, Span::EMPTY);
        self.masks.clear();
        self.masks.resize(n * self.words, 0);
    }

    fn mask(&self, at: usize) -> &[u64] {
        &self.masks[at * self.words..(at + 1) * self.words]
    }

    /// Makes the box at `to` hold another one.
    fn join(&mut self, to: usize, other: &Self, from: usize) {
        self.spans[to].join(&other.spans[from]);
        let words = self.words;
        for (word, joined) in self.masks[to * words..].iter_mut().zip(other.mask(from)) {
            *word |= joined;
        }
    }
}

/// Working memory for the cuts of one node, reused from node to node.
pub(crate) struct Finder<'a, L, const D: usize> {
    axes: &'a [Axis],
    points: &'a [Points],
    /// Bins of each axis in the node at hand.
    pub(crate) bins: Vec<Bins>,
    /// Bin of each position, axis after axis.
    bin_of: Vec<u16>,
    /// Where each axis starts in `bin_of`.
    base: Vec<usize>,
    /// (axis, first word) of the set axes in a mask.
    sets: Vec<(usize, usize)>,
    /// Axes with more than one value in the node.
    active: Vec<usize>,
    /// Boxes of the bins of each axis.
    of_bins: Vec<Boxes<L, D>>,
    /// `after[b]`: the box of the bins from b on.
    after: Boxes<L, D>,
    /// 0: the box of the bins before the one at hand; 1: of all others.
    beside: Boxes<L, D>,
}

impl<'a, L: Lane, const D: usize> Finder<'a, L, D> {
    pub(crate) fn new(axes: &'a [Axis], points: &'a [Points]) -> Self {
        let Layout { base, total, sets, words } = Layout::of(axes);
        Finder {
            axes,
            points,
            bins: axes.iter().map(|_| Bins::default()).collect(),
            bin_of: vec![0; total],
            base,
            sets,
            active: Vec::new(),
            of_bins: axes.iter().map(|_| Boxes::new(words)).collect(),
            after: Boxes::new(words),
            beside: Boxes::new(words),
        }
    }

    /// The bin of every position of an axis that occurs in the node at hand.
    pub(crate) fn bin_of(&self, a: usize) -> &[u16] {
        &self.bin_of[self.base[a]..self.base[a] + self.axes[a].size()]
    }

    /// The cut that gains most, if any gains, among those whose parts have at least `least` rows each.
    pub(crate) fn find(&mut self, rows: &[Row<L, D>], least: usize) -> Option<Cut> {
        self.active.clear();
        for (a, axis) in self.axes.iter().enumerate() {
            let region = self.base[a]..self.base[a] + axis.size();
            self.bins[a].find(axis, a, rows, &mut self.bin_of[region], Binning::AtMost(MOST_BINS));
            if self.bins[a].len() > 1 {
                self.active.push(a);
            }
        }
        self.measure(rows);
        let mut best: Option<Cut> = None;
        for i in 0..self.active.len() {
            self.try_axis(self.active[i], rows.len(), least, &mut best);
        }
        // Buckets of one are exact values, whatever that gains: anatomy (paper 4, section 3.5).
        best.filter(|cut| least == 1 || cut.gain > LEAST_GAIN)
    }

    /// One pass over the rows: the box of every bin of every active axis.
    fn measure(&mut self, rows: &[Row<L, D>]) {
        for &a in &self.active {
            self.of_bins[a].clear(self.bins[a].len());
        }
        for row in rows {
            for &a in &self.active {
                let position: u32 = row.at[a].into();
                let bin = usize::from(self.bin_of[self.base[a] + position as usize]);
                let boxes = &mut self.of_bins[a];
                boxes.spans[bin].add(&row.at);
                let mask = &mut boxes.masks[bin * boxes.words..];
                for &(s, word) in &self.sets {
                    let label: u32 = row.at[s].into();
                    mask[word + label as usize / 64] |= 1 << (label % 64);
                }
            }
        }
    }

    fn try_axis(&mut self, a: usize, n: usize, least: usize, best: &mut Option<Cut>) {
        let n_bins = self.bins[a].len();
        let (mut after, mut beside) = (std::mem::replace(&mut self.after, Boxes::new(0)), Boxes::new(0));
        std::mem::swap(&mut beside, &mut self.beside);
        let of_bins = &self.of_bins[a];
        after.clear(n_bins + 1);
        for b in (0..n_bins).rev() {
            if b + 1 < n_bins {
                let (span, words) = (after.spans[b + 1], after.words);
                after.spans[b] = span;
                after.masks.copy_within((b + 1) * words..(b + 2) * words, b * words);
            }
            after.join(b, of_bins, b);
        }
        let whole = self.worth(n, &after, 0);
        let mut offer = |parts: Parts, worth: f64| {
            let gain = worth - whole;
            if best.is_none_or(|known| gain > known.gain) {
                *best = Some(Cut { gain, axis: a, parts });
            }
        };
        let counts = &self.bins[a].counts;
        let tree = self.axes[a].shape() == Shape::Tree;
        let has_null = self.bins[a].first() == 0;
        if tree && let Some((null_with, worth)) = self.each(a, least) {
            offer(Parts::Each(null_with), worth);
        }
        beside.clear(2);
        let mut before = 0;
        for (b, &held) in counts.iter().enumerate() {
            let held = held as usize;
            // Children of a node are never cut in two heaps, but null may stand against all of them.
            if before >= least && n - before >= least && b > 0 && (!tree || b == 1 && has_null) {
                offer(Parts::Below(b as u16), self.worth(before, &beside, 0) + self.worth(n - before, &after, b));
            }
            let single = self.axes[a].shape() == Shape::Set && b > 0 && b + 1 < n_bins;
            if single && held >= least && n - held >= least {
                beside.spans[1] = Span::EMPTY;
                let words = beside.words;
                beside.masks[words..].fill(0);
                beside.join(1, &after, b + 1);
                beside.spans[1] = joined(&beside.spans[1], &beside.spans[0]);
                for w in 0..words {
                    beside.masks[words + w] |= beside.masks[w];
                }
                offer(Parts::Only(b as u16), self.worth(held, of_bins, b) + self.worth(n - held, &beside, 1));
            }
            beside.join(0, of_bins, b);
            before += held;
        }
        (self.after, self.beside) = (after, beside);
    }

    /// The worth of all children of a hierarchy's node as parts of their own, if each has rows enough; with the
    /// child that null joins where there is too little of it.
    fn each(&self, a: usize, least: usize) -> Option<(Option<u16>, f64)> {
        let (counts, of_bins) = (&self.bins[a].counts, &self.of_bins[a]);
        let has_null = self.bins[a].first() == 0;
        // Beyond this many children the bins of some are shared.
        let children = usize::from(has_null)..counts.len();
        if counts.len() >= usize::from(u16::MAX) || children.len() < 2 {
            return None;
        }
        // A branch that is filled with the label of the node would show the node as well.
        let points = |low: L, high: L| self.points[a].span(&self.axes[a], low.into(), high.into());
        let (first, last) = (&of_bins.spans[children.start], &of_bins.spans[children.end - 1]);
        let node = points(first.low[a], last.high[a]);
        let apart = |b: usize| {
            let child = &of_bins.spans[b];
            child.low[a] == child.high[a] || points(child.low[a], child.high[a]) < node
        };
        if !children.clone().all(apart) {
            return None;
        }
        let worth = |b: usize| self.worth(counts[b] as usize, of_bins, b);
        let null = if has_null { counts[0] as usize } else { 0 };
        let enough = |b: usize, more: usize| counts[b] as usize + more >= least;
        if null == 0 || null >= least {
            return children.clone().all(|b| enough(b, 0)).then(|| (None, (0..counts.len()).map(worth).sum()));
        }
        let smallest = children.clone().min_by_key(|&b| counts[b])?;
        if !children.clone().all(|b| enough(b, if b == smallest { null } else { 0 })) {
            return None;
        }
        let mut mixed = Boxes::new(of_bins.words);
        mixed.clear(1);
        mixed.join(0, of_bins, 0);
        mixed.join(0, of_bins, smallest);
        let others: f64 = children.filter(|&b| b != smallest).map(worth).sum();
        Some((Some(smallest as u16), others + self.worth(counts[smallest] as usize + null, &mixed, 0)))
    }

    /// `n (ln n - ln |R|)` of n rows in a box.
    fn worth(&self, n: usize, boxes: &Boxes<L, D>, at: usize) -> f64 {
        let n = n as f64;
        n * (n.ln() - self.ln_points(&boxes.spans[at], boxes.mask(at)))
    }

    /// ln |R| of a box. Axes with one value in the node add nothing.
    fn ln_points(&self, span: &Span<L, D>, mask: &[u64]) -> f64 {
        // Few logarithms, and no product beyond what a float holds: one attribute has at most 10^39 points.
        let (mut total, mut product) = (0.0, 1.0f64);
        let mut sets = self.sets.iter();
        for &a in &self.active {
            let axis = &self.axes[a];
            product *= if axis.shape() == Shape::Set {
                let Some(&(_, word)) = sets.by_ref().find(|(s, _)| *s == a) else { continue };
                let bits = &mask[word..word + axis.size().div_ceil(64)];
                let null = bits[0] & 1 == 1;
                self.points[a].set(bits.iter().map(|w| w.count_ones()).sum::<u32>() - u32::from(null), null)
            } else {
                self.points[a].span(axis, span.low[a].into(), span.high[a].into())
            };
            if product > 1e250 {
                total += product.ln();
                product = 1.0;
            }
        }
        total + product.ln()
    }
}

/// The least box over two.
fn joined<L: Lane, const D: usize>(one: &Span<L, D>, two: &Span<L, D>) -> Span<L, D> {
    let mut both = *one;
    both.join(two);
    both
}

#[cfg(test)]
mod tests;
