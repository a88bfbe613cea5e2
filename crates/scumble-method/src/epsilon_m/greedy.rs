//! The guarded greedy of ALGORITHMS.md 2b, stage 2: groups of rows that lie close together and whose
//! sensitive values keep apart.
//!
//! Let R be the rows that are left, m the least size of a group and q = |R| / m, rounded down. R is
//! *eligible* if no window of conflicting values holds more than q of its rows; then and only then
//! can R be divided (paper 1, Theorem 1). A group takes at most one row from each window, so a window
//! of exactly q rows is *tight*: it must give one, for after the group is gone only q - 1 are
//! allowed. While there is a tight window that has given nothing, the next member is taken from it;
//! otherwise from anywhere. Should the members conflict with all that a tight window has to offer,
//! they go back and a residue class of R, every q-th row in the order of values, is the group: its
//! members are at least q places apart, so none conflict, and every tight window gives one. So R
//! stays eligible to the end, and the last rows, fewer than 2m, do not conflict at all.

use super::index::{Index, Runs, exclude};
use super::leaf::Leaf;
use super::reach::Reach;
use super::remaining::Remaining;
use super::windows::Windows;
use crate::axis::{Axis, Shape};
use crate::coins::Stream;

/// Rows drawn for a seed; the one farthest from the middle of the leaf becomes it, so that what is
/// left to the end lies close together.
const SEEDS: usize = 32;

/// Divides an eligible leaf into groups of at least `m` rows without conflicts; each member is drawn
/// among the `choices` best. Returns the groups as places in the leaf.
pub(crate) fn groups(leaf: &Leaf, axes: &[Axis], m: usize, choices: usize, coins: &mut Stream) -> Vec<Vec<u32>> {
    let mut state = State {
        leaf,
        windows: Windows::new(&leaf.window_counts()),
        remaining: Remaining::all(leaf.len()),
        index: Index::new(axes, &leaf.at, &leaf.value),
    };
    let middle = Middle::of(leaf, axes);
    let (mut found, mut best) = (Vec::with_capacity(leaf.len() / m.max(1)), Vec::new());
    while state.remaining.len() >= 2 * m {
        let q = state.remaining.len() / m;
        let seed = match state.tight(q) {
            Some(window) => state.any_of(window, coins),
            None => (0..SEEDS.min(state.remaining.len()))
                .map(|_| state.remaining.nth(coins.below(state.remaining.len() as u64) as usize))
                .max_by(|&a, &b| middle.distance(leaf.row(a)).total_cmp(&middle.distance(leaf.row(b))))
                .unwrap_or_else(|| state.remaining.nth(0)),
        };
        let mut group = vec![seed as u32];
        let mut reach = Reach::around(axes, leaf.row(seed));
        let mut excluded = Runs::new();
        exclude(&mut excluded, leaf.conflicts[leaf.value[seed] as usize]);
        state.take(seed);
        while group.len() < m {
            let pool = state.tight(q).map_or((0, u32::MAX), |window| (window as u32, leaf.conflicts[window].1));
            state.index.search(&reach, pool, &excluded, choices, &mut best);
            if best.is_empty() {
                break;
            }
            let member = best[coins.below(best.len() as u64) as usize].1 as usize;
            reach.add(leaf.row(member));
            exclude(&mut excluded, leaf.conflicts[leaf.value[member] as usize]);
            state.take(member);
            group.push(member as u32);
        }
        if group.len() < m || state.tight(q).is_some() {
            group.iter().for_each(|&member| state.put_back(member as usize));
            group = state.residue_class(q, coins.below(q as u64) as usize);
        }
        state.index.refresh();
        found.push(group);
    }
    found.push((0..state.remaining.len()).map(|rank| state.remaining.nth(rank) as u32).collect());
    found
}

/// The rows that are left, seen from three sides.
struct State<'a> {
    leaf: &'a Leaf,
    windows: Windows,
    remaining: Remaining,
    index: Index<'a>,
}

impl State<'_> {
    /// The first window that still holds `q` rows.
    fn tight(&self, q: usize) -> Option<usize> {
        (self.windows.fullest() >= q as i32).then(|| self.windows.first_fullest())
    }

    /// A random row of a window.
    fn any_of(&self, window: usize, coins: &mut Stream) -> usize {
        let last = self.leaf.conflicts[window].1 as usize;
        let from = self.remaining.below(self.leaf.starts[window] as usize);
        let to = self.remaining.below(self.leaf.starts[last + 1] as usize);
        self.remaining.nth(from + coins.below((to - from).max(1) as u64) as usize)
    }

    fn take(&mut self, item: usize) {
        let value = self.leaf.value[item] as usize;
        // The windows that hold a value start at the values it conflicts with, up to itself.
        self.windows.add(self.leaf.conflicts[value].0 as usize, value, -1);
        self.remaining.remove(item);
        self.index.remove(item);
    }

    fn put_back(&mut self, item: usize) {
        let value = self.leaf.value[item] as usize;
        self.windows.add(self.leaf.conflicts[value].0 as usize, value, 1);
        self.remaining.insert(item);
        self.index.insert(item);
    }

    /// Takes every `q`-th row, the first at `offset`.
    fn residue_class(&mut self, q: usize, offset: usize) -> Vec<u32> {
        let class: Vec<u32> =
            (offset..self.remaining.len()).step_by(q).map(|rank| self.remaining.nth(rank) as u32).collect();
        class.iter().for_each(|&item| self.take(item as usize));
        class
    }
}

/// The middle of a leaf on the axes that have one.
struct Middle<'a> {
    axes: &'a [Axis],
    mean: Vec<f64>,
}

impl<'a> Middle<'a> {
    fn of(leaf: &Leaf, axes: &'a [Axis]) -> Self {
        let mean = |a: usize| {
            let places = (0..leaf.len()).map(|item| axes[a].place(leaf.row(item)[a]));
            places.sum::<f64>() / leaf.len().max(1) as f64
        };
        let mean = (0..axes.len()).map(|a| if axes[a].shape() == Shape::Interval { mean(a) } else { 0.0 });
        Middle { axes, mean: mean.collect() }
    }

    fn distance(&self, at: &[u32]) -> f64 {
        let sides = self.axes.iter().zip(at).zip(&self.mean);
        sides.filter(|((axis, _), _)| axis.shape() == Shape::Interval).map(|((axis, &p), m)| (axis.place(p) - m).abs()).sum()
    }
}
