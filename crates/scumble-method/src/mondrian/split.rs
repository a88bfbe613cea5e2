//! The recursion: cut a node as long as both halves pass.

use super::bins::Binning;
use super::cells::{Trail, ways};
use super::cuts::{Cut, CutFinder, Side};
use super::judge::{BagMemory, Judge};
use super::rows::{Lane, Row};
use super::stops;
use super::{Choice, CutRule, Growth, Mondrian, stratify};
use crate::axis::{Axis, Shape};
use crate::coins::{Coins, Purpose};
use crate::draws::Source;

/// Nodes above this size hand one half to another thread.
const FORK: usize = 1 << 13;

/// How many of the best cuts the standard profile draws from.
const CHOICES: usize = 3;

/// How much more than the best cut a near tie may lose. On the adult table under l-diversity a draw
/// among any three costs a third more loss, a draw within 1 % costs a fortieth.
const NEAR: f64 = 1.01;

/// Near ties are drawn in nodes of at most this many rows. What failed cuts tell about a person they
/// tell in small nodes; a draw among the first cuts of all would only make the loss a gamble.
const DRAW_BELOW: usize = 1000;

/// What every node of one search shares.
pub(crate) struct Search<'a> {
    pub(crate) axes: &'a [Axis],
    pub(crate) judge: Judge<'a>,
    pub(crate) rule: &'a Mondrian,
    pub(crate) coins: &'a Coins,
    /// Secret ranks of the rows, by which relaxed cuts order equal ones; empty
    /// where no cut divides equal rows.
    pub(crate) ties: &'a [u32],
    /// What is asked of the tree beside the rule.
    pub(crate) growth: Growth<'a>,
    pub(crate) tick: &'a (dyn Fn(u64) + Sync),
}

/// A group as the search leaves it.
pub(crate) struct Leaf {
    /// Its rows.
    pub(crate) size: u32,
    /// The cuts that led to it, where they were asked for.
    pub(crate) trail: Trail,
}

/// What a node knows of itself beside its rows.
pub(super) struct Node {
    /// Its name, made from the path to it, so that its coins do not depend on threads.
    pub(super) place: u64,
    /// What refusals may still tell about people of the node, in the units of a lot.
    pub(super) left: u64,
    /// Whether the cuts on the way are remembered.
    pub(super) trailed: bool,
    trail: Trail,
}

impl Node {
    fn child(&self, side: u64, trail: Trail) -> Node {
        Node { place: child(self.place, side), left: self.left, trailed: self.trailed, trail }
    }
}

/// Working memory of one thread.
pub(crate) struct Memory<'a, L, const D: usize> {
    pub(crate) finder: CutFinder<'a, L, D>,
    pub(super) bags: BagMemory,
    side: Vec<bool>,
}

impl<'a> Search<'a> {
    /// Divides `rows` in place into groups laid end to end; returns their sizes.
    pub(crate) fn run<L: Lane, const D: usize>(&self, rows: &mut [Row<L, D>]) -> Vec<u32> {
        self.grow(rows, false).into_iter().map(|leaf| leaf.size).collect()
    }

    /// The same with the cuts that led to each group, where `trailed`.
    pub(crate) fn grow<L: Lane, const D: usize>(&self, rows: &mut [Row<L, D>], trailed: bool) -> Vec<Leaf> {
        let mut leaves = Vec::new();
        self.node(rows, Node { place: 1, left: stops::BUDGET, trailed, trail: None }, &mut self.memory(), &mut leaves);
        leaves
    }

    pub(crate) fn memory<L: Lane, const D: usize>(&self) -> Memory<'a, L, D> {
        Memory {
            finder: CutFinder::new(self.axes, self.rule.relaxed, self.binning()),
            bags: BagMemory::default(),
            side: Vec::new(),
        }
    }

    fn binning(&self) -> Binning {
        match self.rule.cuts {
            CutRule::Median => Binning::Halves,
            CutRule::LeastLoss | CutRule::WidestMedian => Binning::AtMost(self.growth.most_bins),
        }
    }

    /// Divides a node.
    ///
    /// Only the smaller half is a call of its own and the larger goes round the loop, so the stack
    /// stays shallow however unbalanced the cuts are; a thread with memory of its own is worth it
    /// only where both halves are large.
    fn node<L: Lane, const D: usize>(
        &self,
        mut rows: &mut [Row<L, D>],
        mut node: Node,
        memory: &mut Memory<'a, L, D>,
        leaves: &mut Vec<Leaf>,
    ) {
        // Right halves that are done while their left halves are not, innermost last.
        let mut later: Vec<Vec<Leaf>> = Vec::new();
        while let Some((at, [left_trail, right_trail])) = self.cut(rows, &mut node, memory) {
            let (left, right) = rows.split_at_mut(at);
            let (left_node, right_node) = (node.child(0, left_trail), node.child(1, right_trail));
            if left.len().min(right.len()) >= FORK {
                let mut others = Vec::new();
                rayon::join(
                    || self.node(left, left_node, memory, leaves),
                    || self.node(right, right_node, &mut self.memory(), &mut others),
                );
                later.push(others);
                rows = &mut [];
                break;
            } else if left.len() <= right.len() {
                self.node(left, left_node, memory, leaves);
                (rows, node) = (right, right_node);
            } else {
                let mut others = Vec::new();
                self.node(right, right_node, memory, &mut others);
                later.push(others);
                (rows, node) = (left, left_node);
            }
        }
        if !rows.is_empty() {
            (self.tick)(rows.len() as u64);
            leaves.push(Leaf { size: rows.len() as u32, trail: node.trail });
        }
        while let Some(mut others) = later.pop() {
            leaves.append(&mut others);
        }
    }

    /// Moves the rows of the best passing cut to their sides and tells where the right side
    /// starts, with the ways to both halves; `None` when no cut passes.
    fn cut<L: Lane, const D: usize>(
        &self,
        rows: &mut [Row<L, D>],
        node: &mut Node,
        memory: &mut Memory<'a, L, D>,
    ) -> Option<(usize, [Trail; 2])> {
        let least = self.judge.least_size();
        if rows.len() < least.saturating_mul(2) {
            return None;
        }
        memory.finder.find(rows, least);
        if self.stops_by_lot() {
            return stops::cut(self, rows, node, memory);
        }
        let mut cuts = std::mem::take(&mut memory.finder.cuts);
        self.rank(&mut cuts, rows.len(), node.place, memory);
        let mut found = None;
        for cut in &cuts {
            let at = self.apply(cut, rows, memory);
            if !self.judge.needs_values()
                || self.judge.passes(&rows[..at], &mut memory.bags) && self.judge.passes(&rows[at..], &mut memory.bags)
            {
                let trails = if node.trailed { self.ways(cut, node, memory) } else { [None, None] };
                found = Some((at, trails));
                break;
            }
        }
        memory.finder.cuts = cuts;
        if found.is_none() && self.rule.relaxed && self.judge.needs_values() {
            return stratify::cut(rows, self, &mut memory.bags).map(|at| (at, [None, None]));
        }
        found
    }

    /// True if cuts are refused by lot, so that where the search stops tells little: in profile `hardened`, where
    /// requirements can tell by how many rows they hold.
    pub(super) fn stops_by_lot(&self) -> bool {
        self.rule.stops_by_lot(&self.judge)
    }

    /// Where the draws of lots come from.
    pub(super) fn source(&self) -> &dyn Source {
        self.growth.lots.unwrap_or(self.coins)
    }

    /// How likely all rows are to stay together.
    pub(crate) fn stop_probability<L: Lane, const D: usize>(&self, rows: &mut [Row<L, D>]) -> f64 {
        let (mut memory, least) = (self.memory(), self.judge.least_size());
        let mut node = Node { place: 1, left: stops::BUDGET, trailed: false, trail: None };
        if rows.len() < least.saturating_mul(2) {
            return 1.0;
        }
        if !self.stops_by_lot() {
            return if self.cut(rows, &mut node, &mut memory).is_none() { 1.0 } else { 0.0 };
        }
        memory.finder.find(rows, least);
        stops::probability(self, rows, &mut node, &mut memory)
    }

    pub(super) fn ways<L: Lane, const D: usize>(
        &self,
        cut: &Cut,
        node: &Node,
        memory: &Memory<'a, L, D>,
    ) -> [Trail; 2] {
        let a = usize::from(cut.axis);
        let (axis, base) = (&self.axes[a], memory.finder.base[a]);
        let bin_of = &memory.finder.bin_of[base..base + axis.size()];
        ways(cut, axis, &memory.finder.bins[a], bin_of, node.place, &node.trail)
    }

    /// Orders the cuts by preference.
    fn rank<L: Lane, const D: usize>(&self, cuts: &mut Vec<Cut>, n_rows: usize, place: u64, memory: &Memory<'a, L, D>) {
        match self.rule.cuts {
            CutRule::LeastLoss | CutRule::Median => {
                let order = |a: &Cut, b: &Cut| {
                    let unbalance = |c: &Cut| (n_rows as i64 - 2 * i64::from(c.n_left)).abs();
                    a.loss.total_cmp(&b.loss).then(unbalance(a).cmp(&unbalance(b))).then(a.axis.cmp(&b.axis))
                };
                if !self.judge.needs_values() {
                    // The first cut always passes, so finding it is enough.
                    if let Some(best) = cuts.iter().copied().min_by(order) {
                        cuts.clear();
                        cuts.push(best);
                    }
                    return;
                }
                cuts.sort_by(order);
                let choices = match self.rule.choice {
                    Choice::Best => 1,
                    Choice::NearTies if n_rows > DRAW_BELOW => 1,
                    Choice::NearTies => {
                        let worst = cuts.first().map_or(0.0, |best| best.loss * NEAR);
                        cuts.iter().take(CHOICES).filter(|cut| cut.loss <= worst).count()
                    }
                    Choice::AnyOfThree => CHOICES.min(cuts.len()),
                };
                if choices > 1 {
                    self.coins.stream(Purpose::Cuts, place).shuffle(&mut cuts[..choices]);
                }
            }
            CutRule::WidestMedian => {
                let width = |axis: u16| memory.finder.width(usize::from(axis));
                cuts.sort_by(|a, b| {
                    let unbalance = |c: &Cut| (n_rows as i64 - 2 * i64::from(c.n_left)).abs();
                    width(b.axis)
                        .total_cmp(&width(a.axis))
                        .then(a.axis.cmp(&b.axis))
                        .then(unbalance(a).cmp(&unbalance(b)))
                });
                // One try per attribute, its most balanced cut.
                cuts.dedup_by_key(|c| c.axis);
            }
        }
    }

    /// Moves the rows of the left side to the front.
    pub(crate) fn apply<L: Lane, const D: usize>(
        &self,
        cut: &Cut,
        rows: &mut [Row<L, D>],
        memory: &mut Memory<'a, L, D>,
    ) -> usize {
        let a = usize::from(cut.axis);
        let axis = &self.axes[a];
        let (bins, base) = (&memory.finder.bins[a], memory.finder.base[a]);
        let bin_of = &memory.finder.bin_of[base..base + axis.size()];
        match cut.side {
            Side::Below(b) if axis.shape() == Shape::Interval => {
                let last = bins.last[usize::from(b) - 1];
                divide(rows, |row| row.at[a].into() <= last)
            }
            Side::Below(_) | Side::Only(_) => {
                memory.side.clear();
                memory.side.resize(axis.size(), false);
                let wanted = |bin: u16| match cut.side {
                    Side::Below(b) => bin < b,
                    Side::Only(b) | Side::Half(b) => bin == b,
                };
                for position in bins.positions_in(bin_of, wanted) {
                    memory.side[position as usize] = true;
                }
                let side = &memory.side;
                divide(rows, |row| side[Into::<u32>::into(row.at[a]) as usize])
            }
            Side::Half(_) => {
                let half = rows.len() / 2;
                let key = |row: &Row<L, D>| {
                    (bin_of[Into::<u32>::into(row.at[a]) as usize], row.at[a], row.at, self.ties[row.row as usize])
                };
                rows.select_nth_unstable_by_key(half, key);
                half
            }
        }
    }
}

/// The name of a child node: a mixing step, so that names along different paths do not meet.
fn child(place: u64, side: u64) -> u64 {
    let mut z = (place ^ (side.wrapping_mul(0xd6e8_feb8_6659_fd93))).wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Rows for which `left` holds to the front, in place; returns how many.
pub(crate) fn divide<L: Lane, const D: usize>(rows: &mut [Row<L, D>], left: impl Fn(&Row<L, D>) -> bool) -> usize {
    let (mut i, mut j) = (0, rows.len());
    loop {
        while i < j && left(&rows[i]) {
            i += 1;
        }
        while i < j && !left(&rows[j - 1]) {
            j -= 1;
        }
        if i >= j {
            return i;
        }
        rows.swap(i, j - 1);
    }
}
