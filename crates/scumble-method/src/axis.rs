//! One quasi-identifier as a search sees it: positions on a line, and what a span of them costs.
//!
//! Position 0 is null; positions 1.. are the values of the domain in the order that cuts follow:
//! ascending for numbers, dates and ordinals, the leaf order of the tree where there is a
//! hierarchy, and by falling frequency for flat labels, so that a cut sets common labels apart
//! from rare ones instead of following the alphabet.
//!
//! The cost of a span is its normalized certainty penalty (NCP): 0 for a single value, 1 for the
//! whole domain, and 1 for null mixed with values, since that is published as `*`.

use scumble_table::{Code, Domain, Hierarchy, NULL, NodeId};

/// How values of the attribute are generalized.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    /// A closed interval of an ordered domain.
    Interval,
    /// The lowest common ancestor in a hierarchy.
    Tree,
    /// A set of labels.
    Set,
}

/// A quasi-identifier prepared for a search.
#[derive(Debug, Clone)]
pub(crate) struct Axis {
    shape: Shape,
    position_of: Vec<u32>,
    code_at: Vec<Code>,
    /// Interval: place of each position on a line of length 1.
    place: Vec<f64>,
    /// Tree: ancestor of each position, level by level, 0 being the position itself.
    ancestors: Vec<Vec<u32>>,
    /// Tree: cost of each ancestor of a level.
    costs: Vec<Vec<f64>>,
    /// Set: cost of one more label.
    step: f64,
    /// Set: rows of each position.
    rows: Vec<u64>,
    /// Set: what mixing rare labels with common ones costs in addition, at most.
    uneven: f64,
}

impl Axis {
    /// Prepares a domain; `histogram` counts the rows of each code and orders flat labels.
    pub(crate) fn new(domain: &Domain, histogram: &[u64]) -> Self {
        let shape = match (domain.hierarchy(), domain.kind().is_ordered()) {
            (Some(_), _) => Shape::Tree,
            (None, true) => Shape::Interval,
            (None, false) => Shape::Set,
        };
        let mut order: Vec<Code> = domain.codes().collect();
        match shape {
            Shape::Interval => {}
            Shape::Tree => order.sort_by_key(|&code| domain.leaf(code)),
            Shape::Set => order.sort_by_key(|&code| (std::cmp::Reverse(histogram[code as usize]), code)),
        }
        let mut code_at = vec![NULL];
        code_at.append(&mut order);
        let mut position_of = vec![0; code_at.len()];
        for (position, &code) in code_at.iter().enumerate() {
            position_of[code as usize] = position as u32;
        }
        let others = (domain.len().max(2) - 1) as f64;
        let mut axis = Axis {
            shape,
            position_of,
            code_at,
            place: Vec::new(),
            ancestors: Vec::new(),
            costs: Vec::new(),
            step: 1.0 / others,
            rows: Vec::new(),
            uneven: 0.0,
        };
        if shape == Shape::Set {
            axis.rows = axis.code_at.iter().map(|&code| histogram[code as usize]).collect();
        }
        match shape {
            Shape::Interval => axis.measure(domain),
            Shape::Tree => axis.climb(domain, others),
            Shape::Set => {}
        }
        axis
    }

    fn measure(&mut self, domain: &Domain) {
        let (first, last) = (domain.place(1.min(domain.len() as Code)), domain.place(domain.len() as Code));
        let length = if last > first { last - first } else { 1.0 };
        self.place = self
            .code_at
            .iter()
            .map(|&code| if code == NULL { 0.0 } else { (domain.place(code) - first) / length })
            .collect();
    }

    fn climb(&mut self, domain: &Domain, others: f64) {
        let Some(tree) = domain.hierarchy() else { return };
        let mut nodes: Vec<u32> = self
            .code_at
            .iter()
            .map(|&code| domain.leaf(code).map_or(u32::MAX, |leaf| tree.leaves()[leaf as usize]))
            .collect();
        for _ in 0..=tree.height() {
            // Number the ancestors of this level in position order; null (u32::MAX) stays apart.
            let mut ids = Vec::with_capacity(nodes.len());
            let mut cost: Vec<f64> = Vec::new();
            for (position, &node) in nodes.iter().enumerate() {
                if position < 2 || node != nodes[position - 1] {
                    cost.push(0.0);
                } else if let Some(last) = cost.last_mut() {
                    *last += 1.0 / others;
                }
                ids.push(cost.len() as u32 - 1);
            }
            self.ancestors.push(ids);
            self.costs.push(cost);
            nodes.iter_mut().filter(|node| **node != u32::MAX).for_each(|node| *node = one_up(tree, *node));
        }
    }

    pub(crate) fn shape(&self) -> Shape {
        self.shape
    }

    /// Number of positions, null among them.
    pub(crate) fn size(&self) -> usize {
        self.code_at.len()
    }

    /// Position of a code.
    #[inline]
    pub(crate) fn position(&self, code: Code) -> u32 {
        self.position_of[code as usize]
    }

    /// Code at a position.
    pub(crate) fn code(&self, position: u32) -> Code {
        self.code_at[position as usize]
    }

    /// Cost of the least interval or node over positions `low..=high`; 0 for the box around nothing.
    #[inline]
    pub(crate) fn span_cost(&self, low: u32, high: u32) -> f64 {
        if low >= high {
            return 0.0;
        }
        if low == 0 {
            return 1.0;
        }
        match self.shape {
            Shape::Interval => self.place[high as usize] - self.place[low as usize],
            Shape::Tree => {
                let level = self.common_level(low, high);
                self.costs[level][self.ancestors[level][low as usize] as usize]
            }
            Shape::Set => f64::from(high - low) * self.step,
        }
    }

    /// Lets a set cost up to `most` more where its labels are not equally common. Readers spread a group
    /// evenly over the labels it shows, so a common label that shares a set with a rare one lends it rows:
    /// one row in a set of two counts for half of the group, whatever its label.
    pub(crate) fn weigh_unevenness(&mut self, most: f64) {
        self.uneven = most;
    }

    /// Cost of a set of `labels` labels at positions `low..=high`, with or without null among the members;
    /// `low` is 0 where null is. Never less for a larger set.
    #[inline]
    pub(crate) fn set_cost(&self, labels: u32, null: bool, low: u32, high: u32) -> f64 {
        match (labels, null) {
            (0, _) => 0.0,
            (_, true) => 1.0 + self.uneven,
            (1, false) => 0.0,
            (n, false) => f64::from(n - 1) * self.step + self.unevenness(low, high),
        }
    }

    /// The extra cost of a set with labels from `low` to `high`, which come by falling frequency.
    #[inline]
    fn unevenness(&self, low: u32, high: u32) -> f64 {
        if self.uneven == 0.0 || low == high {
            return 0.0;
        }
        let (most, least) = (self.rows[low as usize].max(1), self.rows[high as usize].max(1));
        self.uneven * (1.0 - least as f64 / most as f64)
    }

    /// Width of a set of positions, for choosing the side along which an index is cut.
    pub(crate) fn set_width(&self, low: u32, high: u32) -> f64 {
        f64::from(high - low) * self.step
    }

    /// Interval: where a position lies on the line of length 1; null lies at its start.
    #[inline]
    pub(crate) fn place(&self, position: u32) -> f64 {
        self.place[position as usize]
    }

    /// Set: the least that a label between `from` and `to` adds to a set from `low` to `high` that has no
    /// such label and costs `cost`.
    pub(crate) fn least_growth(&self, low: u32, high: u32, from: u32, to: u32, cost: f64) -> f64 {
        if low == 0 || from == 0 {
            // Null is or may come among the members: then only the cap is certain.
            return self.step.min(1.0 + self.uneven - cost).max(0.0);
        }
        let wider = match (to < low, from > high) {
            (true, _) => self.unevenness(to, high),
            (_, true) => self.unevenness(low, from),
            _ => self.unevenness(low, high),
        };
        self.step + wider - self.unevenness(low, high)
    }

    /// Tree: the lowest level at which two positions share their ancestor.
    pub(crate) fn common_level(&self, low: u32, high: u32) -> usize {
        (0..self.ancestors.len())
            .find(|&level| self.ancestors[level][low as usize] == self.ancestors[level][high as usize])
            .unwrap_or(self.ancestors.len() - 1)
    }

    /// Tree: the ancestor of a position at a level; null has one of its own.
    pub(crate) fn ancestor(&self, level: usize, position: u32) -> u32 {
        self.ancestors[level][position as usize]
    }
}

/// The parent of a node; the root is its own. A branch that is filled with the root's label is the root.
pub(crate) fn one_up(tree: &Hierarchy, node: NodeId) -> NodeId {
    match tree.node(node).parent {
        Some(up) if tree.node(up).label != tree.node(tree.root()).label => up,
        Some(_) => tree.root(),
        None => node,
    }
}

/// Where axes lie that are laid end to end, for searches that keep tables of all of them.
pub(crate) struct Layout {
    /// Where each axis starts in a table of positions.
    pub(crate) base: Vec<usize>,
    /// Positions of all axes.
    pub(crate) total: usize,
    /// (axis, first word) of the set axes in a mask of labels.
    pub(crate) sets: Vec<(usize, usize)>,
    /// Words of such a mask.
    pub(crate) mask_words: usize,
}

impl Layout {
    pub(crate) fn new(axes: &[Axis]) -> Layout {
        let mut layout = Layout { base: Vec::new(), total: 0, sets: Vec::new(), mask_words: 0 };
        for (a, axis) in axes.iter().enumerate() {
            layout.base.push(layout.total);
            layout.total += axis.size();
            if axis.shape() == Shape::Set {
                layout.sets.push((a, layout.mask_words));
                layout.mask_words += axis.size().div_ceil(64);
            }
        }
        layout
    }
}

#[cfg(test)]
mod tests;
