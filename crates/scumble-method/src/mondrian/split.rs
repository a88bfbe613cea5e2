//! The recursion: cut a node as long as both halves pass.

use super::bins::Binning;
use super::cells::{CutPath, ways};
use super::cuts::{Cut, CutFinder, Side};
use super::judge::{BagMemory, RequirementJudge};
use super::rows::{Position, Row};
use super::stops;
use super::{CutRule, Growth, Mondrian, stratify};
use crate::axis::Axis;
use crate::coins::{Coins, Purpose};
use crate::cut_tree::{self, Part};
use crate::draws::Source;
use crate::profile::Profile;
use crate::task::Task;
use scumble_table::Monitor;

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
    pub(crate) judge: RequirementJudge<'a>,
    pub(crate) rule: &'a Mondrian,
    pub(crate) coins: &'a Coins,
    /// Secret ranks of the rows, by which relaxed cuts order equal ones; empty
    /// where no cut divides equal rows.
    pub(crate) ties: &'a [u32],
    /// What is asked of the tree in addition to the rule.
    pub(crate) growth: Growth<'a>,
    pub(crate) monitor: Monitor<'a>,
}

/// A group as the search leaves it.
pub(crate) struct Leaf {
    /// Its rows.
    pub(crate) size: u32,
    /// The cuts that led to it, where they were asked for.
    pub(crate) trail: CutPath,
}

/// What a node knows of itself besides its rows.
pub(crate) struct Node {
    /// Its name, made from the path to it, so that its coins do not depend on threads.
    pub(super) place: u64,
    /// What refusals may still tell about people of the node, in the units of a lot.
    pub(super) left: u64,
    /// The cuts on the way, where they are remembered.
    trail: CutPath,
}

impl Node {
    fn root() -> Node {
        Node { place: 1, left: stops::BUDGET, trail: None }
    }

    fn child(&self, side: u64, trail: CutPath) -> Node {
        Node { place: child(self.place, side), left: self.left, trail }
    }
}

/// Working memory of one thread.
pub(crate) struct Memory<'a, L, const D: usize> {
    pub(crate) finder: CutFinder<'a, L, D>,
    pub(super) bags: BagMemory,
    side: Vec<bool>,
}

impl<'a> Search<'a> {
    pub(crate) fn new(
        rule: &'a Mondrian,
        task: &Task<'a>,
        axes: &'a [Axis],
        judge: RequirementJudge<'a>,
        ties: &'a [u32],
        growth: Growth<'a>,
    ) -> Self {
        Search { axes, judge, rule, coins: task.coins, ties, growth, monitor: task.monitor }
    }

    /// Divides `rows` in place into groups laid end to end.
    pub(crate) fn grow<L: Position, const D: usize>(&self, rows: &mut [Row<L, D>]) -> Vec<Leaf> {
        cut_tree::grow(self, rows, Node::root(), self.monitor)
    }

    pub(crate) fn working_memory<L: Position, const D: usize>(&self) -> Memory<'a, L, D> {
        Memory {
            finder: CutFinder::new(self.axes, self.rule.relaxed, self.binning()),
            bags: BagMemory::default(),
            side: Vec::new(),
        }
    }

    fn binning(&self) -> Binning {
        match self.rule.cuts {
            CutRule::Median => Binning::BinDivision,
            CutRule::LeastLoss | CutRule::WidestMedian => Binning::AtMost(self.growth.most_bins),
        }
    }

    /// Moves the rows of the best passing cut to their sides and tells where the right side starts, with the ways to
    /// both halves; `None` when no cut passes.
    fn best_cut<L: Position, const D: usize>(
        &self,
        rows: &mut [Row<L, D>],
        node: &mut Node,
        memory: &mut Memory<'a, L, D>,
    ) -> Option<(usize, [CutPath; 2])> {
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
        for cut in cuts.iter().take_while(|_| !self.monitor.is_cancelled()) {
            let at = self.apply(cut, rows, memory);
            if !self.judge.needs_values()
                || self.judge.passes(&rows[..at], &mut memory.bags) && self.judge.passes(&rows[at..], &mut memory.bags)
            {
                found = Some((at, self.ways(cut, node, memory)));
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
        self.growth.draws.unwrap_or(self.coins)
    }

    /// How likely all rows are to stay together.
    pub(crate) fn stop_probability<L: Position, const D: usize>(&self, rows: &mut [Row<L, D>]) -> f64 {
        let (mut memory, least) = (self.working_memory(), self.judge.least_size());
        let mut node = Node::root();
        if rows.len() < least.saturating_mul(2) {
            return 1.0;
        }
        if !self.stops_by_lot() {
            return if self.best_cut(rows, &mut node, &mut memory).is_none() { 1.0 } else { 0.0 };
        }
        memory.finder.find(rows, least);
        stops::probability(self, rows, &mut node, &mut memory)
    }

    /// The ways to both halves of a cut, where they are remembered.
    pub(super) fn ways<L: Position, const D: usize>(
        &self,
        cut: &Cut,
        node: &Node,
        memory: &Memory<'a, L, D>,
    ) -> [CutPath; 2] {
        if !self.growth.trailed {
            return [None, None];
        }
        let (a, bins) = (usize::from(cut.axis), &memory.finder.node);
        ways(cut, &self.axes[a], &bins.bins[a], bins.bin_of(a), node.place, &node.trail)
    }

    /// Orders the cuts by preference.
    fn rank<L: Position, const D: usize>(
        &self,
        cuts: &mut Vec<Cut>,
        n_rows: usize,
        place: u64,
        memory: &Memory<'a, L, D>,
    ) {
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
                let choices = match self.rule.profile {
                    Profile::MaxUtility => 1,
                    Profile::Standard if n_rows > DRAW_BELOW => 1,
                    Profile::Standard => {
                        let worst = cuts.first().map_or(0.0, |best| best.loss * NEAR);
                        cuts.iter().take(CHOICES).filter(|cut| cut.loss <= worst).count()
                    }
                    Profile::Hardened => CHOICES.min(cuts.len()),
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
    pub(crate) fn apply<L: Position, const D: usize>(
        &self,
        cut: &Cut,
        rows: &mut [Row<L, D>],
        memory: &mut Memory<'a, L, D>,
    ) -> usize {
        let (a, node) = (usize::from(cut.axis), &memory.finder.node);
        if !matches!(cut.side, Side::Half(_)) {
            return node.divide(rows, a, cut.side, false, &mut memory.side);
        }
        let (half, bin_of) = (rows.len() / 2, node.bin_of(a));
        let key = |row: &Row<L, D>| {
            (bin_of[Into::<u32>::into(row.at[a]) as usize], row.at[a], row.at, self.ties[row.row as usize])
        };
        rows.select_nth_unstable_by_key(half, key);
        half
    }
}

impl<'a, L: Position, const D: usize> cut_tree::CutRule<L, D> for Search<'a> {
    type Node = Node;
    type Memory = Memory<'a, L, D>;
    type Leaf = Leaf;

    fn memory(&self) -> Memory<'a, L, D> {
        self.working_memory()
    }

    fn cut(&self, rows: &mut [Row<L, D>], node: &mut Node, memory: &mut Memory<'a, L, D>) -> Option<Vec<Part<Node>>> {
        let (at, [left, right]) = self.best_cut(rows, node, memory)?;
        Some(vec![Part { end: at, node: node.child(0, left) }, Part { end: rows.len(), node: node.child(1, right) }])
    }

    fn leaf(&self, rows: &[Row<L, D>], node: Node) -> Leaf {
        Leaf { size: rows.len() as u32, trail: node.trail }
    }
}

/// The name of a child node: a mixing step, so that names along different paths do not meet.
fn child(place: u64, side: u64) -> u64 {
    let mut z = (place ^ (side.wrapping_mul(0xd6e8_feb8_6659_fd93))).wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
