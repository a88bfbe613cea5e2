//! Which rows of a leaf suit a growing group best: a k-d tree over the quasi-identifiers and the
//! order of sensitive values together.
//!
//! A question excludes runs of sensitive values (those that conflict with members of the group) and
//! may ask for one run only (a window that must give a row). A node whose values are all excluded is
//! passed over without a look, and so is one that cannot beat the candidates already found. Rows
//! leave as they find their group; when half of them have left the tree is built again, since its boxes
//! have become too wide.

use super::reach::LeastBox;
use crate::axis::{Axis, Shape};

/// Rows of a lowest node.
const BUCKET: usize = 12;

/// A node has no children.
const NONE: u32 = u32::MAX;

/// Runs of value positions that must not be taken: rising, apart from each other, both ends included.
pub(crate) type Runs = Vec<(u32, u32)>;

/// True if `position` lies in a run.
#[inline]
fn inside(runs: &[(u32, u32)], position: u32) -> bool {
    let at = runs.partition_point(|run| run.1 < position);
    at < runs.len() && runs[at].0 <= position
}

/// Adds a run to runs, joining what it touches.
pub(crate) fn exclude(runs: &mut Runs, run: (u32, u32)) {
    let from = runs.partition_point(|known| known.1.saturating_add(1) < run.0);
    let to = runs.partition_point(|known| known.0 <= run.1.saturating_add(1));
    let joined = runs[from..to].iter().fold(run, |joined, known| (joined.0.min(known.0), joined.1.max(known.1)));
    runs.splice(from..to, [joined]);
}

#[derive(Debug, Clone)]
struct Node {
    /// Least and greatest value position.
    values: (u32, u32),
    left_in: u32,
    items: (u32, u32),
    children: (u32, u32),
    parent: u32,
}

/// The tree over the rows of a leaf.
#[derive(Debug)]
pub(crate) struct Index<'a> {
    axes: &'a [Axis],
    /// Positions of the rows, `axes.len()` each.
    at: &'a [u32],
    /// Value position of each row.
    value: &'a [u32],
    nodes: Vec<Node>,
    /// Least positions of each node, then greatest ones, `2 * axes.len()` each.
    boxes: Vec<u32>,
    items: Vec<u32>,
    node_of: Vec<u32>,
    gone: Vec<bool>,
    /// Rows in the tree when it was built.
    built: usize,
    stack: Vec<(f64, u32)>,
}

impl<'a> Index<'a> {
    /// A tree over all rows. `value` gives each row's place among the distinct sensitive values.
    pub(crate) fn new(axes: &'a [Axis], at: &'a [u32], value: &'a [u32]) -> Self {
        let n = value.len();
        let mut index = Index {
            axes,
            at,
            value,
            nodes: Vec::new(),
            boxes: Vec::new(),
            items: Vec::new(),
            node_of: vec![0; n],
            gone: vec![false; n],
            built: 0,
            stack: Vec::new(),
        };
        index.build();
        index
    }

    /// True if a row is in.
    pub(crate) fn has(&self, item: usize) -> bool {
        !self.gone[item]
    }

    /// Takes a row out.
    pub(crate) fn remove(&mut self, item: usize) {
        self.gone[item] = true;
        self.count(item, |left| left - 1);
    }

    /// Puts a row back.
    pub(crate) fn insert(&mut self, item: usize) {
        self.gone[item] = false;
        self.count(item, |left| left + 1);
    }

    fn count(&mut self, item: usize, change: impl Fn(u32) -> u32) {
        let mut node = self.node_of[item];
        while node != NONE {
            let here = &mut self.nodes[node as usize];
            here.left_in = change(here.left_in);
            node = here.parent;
        }
    }

    /// Builds the tree again where it has become too wide. No row may be put back afterwards that
    /// was out at that time.
    pub(crate) fn refresh(&mut self) {
        let left = self.nodes.first().map_or(0, |root| root.left_in as usize);
        if self.built > 4 * BUCKET && 2 * left < self.built {
            self.build();
        }
    }

    fn build(&mut self) {
        self.items = (0..self.value.len() as u32).filter(|&item| !self.gone[item as usize]).collect();
        self.built = self.items.len();
        self.nodes.clear();
        self.boxes.clear();
        let n_values = self.value.iter().max().map_or(1, |&most| most + 1);
        let mut items = std::mem::take(&mut self.items);
        if !items.is_empty() {
            self.grow(&mut items, 0, NONE, f64::from(n_values));
        }
        self.items = items;
    }

    /// Adds the node over `items`, which start at `first` of all items; returns its number.
    fn grow(&mut self, items: &mut [u32], first: usize, parent: u32, n_values: f64) -> u32 {
        let d = self.axes.len();
        let id = self.nodes.len();
        let base = self.boxes.len();
        self.boxes.extend(std::iter::repeat_n(u32::MAX, d).chain(std::iter::repeat_n(0, d)));
        let mut values = (u32::MAX, 0);
        for &item in items.iter() {
            let at = &self.at[item as usize * d..(item as usize + 1) * d];
            for (a, &position) in at.iter().enumerate() {
                self.boxes[base + a] = self.boxes[base + a].min(position);
                self.boxes[base + d + a] = self.boxes[base + d + a].max(position);
            }
            let value = self.value[item as usize];
            values = (values.0.min(value), values.1.max(value));
        }
        let n = items.len() as u32;
        let items_range = (first as u32, first as u32 + n);
        self.nodes.push(Node { values, left_in: n, items: items_range, children: (NONE, NONE), parent });
        // The widest side is cut; the order of values is a side as long as a whole domain.
        let mut widest = (f64::from(values.1 - values.0) / n_values, d);
        for (a, axis) in self.axes.iter().enumerate() {
            let (low, high) = (self.boxes[base + a], self.boxes[base + d + a]);
            let width = match axis.shape() {
                Shape::Set => axis.set_width(low, high),
                _ => axis.span_cost(low, high),
            };
            if width > widest.0 {
                widest = (width, a);
            }
        }
        if items.len() <= BUCKET || widest.0 <= 0.0 {
            items.iter().for_each(|&item| self.node_of[item as usize] = id as u32);
            return id as u32;
        }
        let half = items.len() / 2;
        let (at, value) = (self.at, self.value);
        items.select_nth_unstable_by_key(half, |&item| match widest.1 {
            a if a < d => at[item as usize * d + a],
            _ => value[item as usize],
        });
        let (left, right) = items.split_at_mut(half);
        let left = self.grow(left, first, id as u32, n_values);
        let right = self.grow(right, first + half, id as u32, n_values);
        self.nodes[id].children = (left, right);
        id as u32
    }

    /// Puts the rows that suit `reach` best into `best`, the best first, at most `wanted`: rows with a
    /// value in `pool` and in none of the excluded runs.
    pub(crate) fn search(
        &mut self,
        reach: &LeastBox<'_>,
        pool: (u32, u32),
        excluded: &Runs,
        wanted: usize,
        best: &mut Vec<(f64, u32)>,
    ) {
        let d = self.axes.len();
        best.clear();
        let mut stack = std::mem::take(&mut self.stack);
        stack.clear();
        if !self.nodes.is_empty() {
            stack.push((0.0, 0));
        }
        while let Some((bound, node)) = stack.pop() {
            let here = &self.nodes[node as usize];
            if here.left_in == 0
                || (best.len() == wanted && best.last().is_some_and(|worst| bound >= worst.0))
                || here.values.1 < pool.0
                || here.values.0 > pool.1
            {
                continue;
            }
            let at = excluded.partition_point(|run| run.1 < here.values.0);
            if excluded.get(at).is_some_and(|run| run.0 <= here.values.0 && here.values.1 <= run.1) {
                continue;
            }
            if here.children.0 == NONE {
                for &item in &self.items[here.items.0 as usize..here.items.1 as usize] {
                    let value = self.value[item as usize];
                    if self.gone[item as usize] || value < pool.0 || value > pool.1 || inside(excluded, value) {
                        continue;
                    }
                    let strain = reach.strain(&self.at[item as usize * d..(item as usize + 1) * d]);
                    if best.len() < wanted || best.last().is_some_and(|worst| strain < worst.0) {
                        let place = best.partition_point(|known| known.0 <= strain);
                        best.insert(place, (strain, item));
                        best.truncate(wanted);
                    }
                }
                continue;
            }
            let bound = |child: u32| {
                let base = child as usize * 2 * d;
                (reach.least_strain(&self.boxes[base..base + d], &self.boxes[base + d..base + 2 * d]), child)
            };
            let (left, right) = (bound(here.children.0), bound(here.children.1));
            // The more promising child is looked at first.
            stack.extend(if left.0 < right.0 { [right, left] } else { [left, right] });
        }
        self.stack = stack;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use scumble_table::{Decimal, Domain};

    #[test]
    fn runs_are_joined() {
        let mut runs = Runs::new();
        for run in [(5, 7), (1, 2), (10, 12), (3, 3), (8, 9)] {
            exclude(&mut runs, run);
        }
        assert_eq!(runs, [(1, 3), (5, 12)]);
        assert!(inside(&runs, 2) && !inside(&runs, 4) && inside(&runs, 12) && !inside(&runs, 13));
    }

    proptest! {
        #[test]
        fn the_tree_finds_what_a_scan_finds(
            rows in prop::collection::vec((1u32..9, 1u32..9, 0u32..12), 1..120),
            out in prop::collection::vec(0usize..120, 0..110),
            pool in (0u32..12, 0u32..12),
            runs in prop::collection::vec((0u32..12, 0u32..3), 0..3),
            wanted in 1usize..5,
        ) {
            let numbers = Domain::numbers((1..9).map(Decimal::from).collect()).unwrap();
            let labels = Domain::nominal((0..8).map(|i| i.to_string().into()).collect());
            let axes = [Axis::new(&numbers, &[0; 9]), Axis::new(&labels, &[0; 9])];
            let at: Vec<u32> = rows.iter().flat_map(|row| [row.0, row.1]).collect();
            let value: Vec<u32> = rows.iter().map(|row| row.2).collect();
            let mut index = Index::new(&axes, &at, &value);
            let mut gone = vec![false; rows.len()];
            for item in out {
                let item = item % rows.len();
                if !gone[item] {
                    gone[item] = true;
                    index.remove(item);
                    index.refresh();
                }
            }
            let mut excluded = Runs::new();
            runs.iter().for_each(|run| exclude(&mut excluded, (run.0, run.0 + run.1)));
            let pool = (pool.0.min(pool.1), pool.0.max(pool.1));
            let reach = LeastBox::around(&axes, &at[..2]);
            let mut best = Vec::new();
            index.search(&reach, pool, &excluded, wanted, &mut best);
            let mut scan: Vec<f64> = (0..rows.len())
                .filter(|&i| !gone[i] && (pool.0..=pool.1).contains(&value[i]) && !inside(&excluded, value[i]))
                .map(|i| reach.strain(&at[2 * i..2 * i + 2]))
                .collect();
            scan.sort_by(f64::total_cmp);
            scan.truncate(wanted);
            prop_assert_eq!(best.iter().map(|found| found.0).collect::<Vec<_>>(), scan);
        }
    }
}
