//! Stops that tell little: profile `hardened`, where requirements look at sensitive values.
//!
//! **The leak.** A group of Mondrian says that every cut of it fails (minimality: Wong, Fu, Wang, Pei, VLDB 2007). Someone who knows
//! the quasi-identifiers and the algorithm tries, for each way to give the group's values to its people, whether the
//! search would have stopped there, and may be left with one.
//!
//! **The lot.** A cut whose halves hold by a slack of m rows is refused with probability `q^(m + 1)`, and for certain where a half
//! fails, m then being -1 ([`crate::lottery`]). A refusal is then about as likely where the cut fails as where it passes narrowly. What
//! refusals tell adds up along the way from the root to a group; `ln(1/q)` of each is taken from a budget that the halves
//! of a cut inherit, and a node that has none left is a group, whatever its values.
//!
//! **Theorem.** Given the release, and to a reader who knows all quasi-identifiers and the program and to whom all assignments of
//! values to people were equally likely: the odds that a person of a group has a value, against any other value, are
//! within a factor `e^budget` of the counts of these values in the group.
//!
//! *Proof.* Take a world and the one in which two people i and j of one published group have exchanged their values. All
//! cuts that were made have i and j on one side, so the values of both halves are the same in both worlds, and so
//! are the order in which cuts are tried (which depends on quasi-identifiers and on the values of the whole node) and the
//! costs. Attempts in nodes without i and j are the same too. A refused attempt on their way has a slack that differs by at
//! most one, so its probability differs by a factor of at most `1/q`, and all of them by `e^budget`. Now give a person i
//! value a. Every world with that has `n_b` partners in which i exchanged it for b, and every world in which i has b
//! is a partner of `n_a`; so the sum of probabilities over the former, times `n_b`, is at most `e^budget` times the sum over the
//! latter, times `n_a`. With `e^budget = 2.9` a value of half a group is believed with less than 3/4.
//!
//! **Which cut is tried.** A cut that is refused is paid for, so it matters that it passes. What the values of the whole
//! node say about that may be used, since no exchange inside a group changes them: halves drawn at random from the node
//! hold by a number of rows with a known mean and deviation. The cut of the greatest expected gain is tried first.
//!
//! **Not covered.** Requirements that cannot tell their slack (entropy, recursive, variance): there the draw among
//! cuts stays as it was, and the publisher is told. Stratified cuts look at values to form halves and are not made here.

use super::cells::CutPath;
use super::cuts::Cut;
use super::rows::{Position, Row};
use super::split::{Memory, Node, Search};
use crate::coins::Purpose;
use crate::lottery::{DivisionTrial, Lottery};

/// What the refusals on the way to a group may tell: the natural logarithm of 2.9, in millionths, rounded down.
pub(super) const BUDGET: u64 = 1_064_710;

/// A half that holds by enough rows on average for a cheaper draw to refuse it hardly ever has the cheaper one: `q` such that
/// one in a hundred is refused. The natural logarithm of 100, in millionths. Near the limit a refusal may take the
/// whole budget: cuts that pass are then refused least, and parting the budget among two or three refusals was measured to
/// lose more.
const RARELY: u64 = 4_605_170;

/// The order of cuts, best first, cannot be told from slacks nearer to each other than this part of a deviation.
const LEAST_DEVIATION: f64 = 0.25;

/// Moves the rows of a cut that is made to their sides, as [`Search::cut`] does, and takes what refusals cost from the node.
pub(super) fn cut<'a, L: Position, const D: usize>(
    search: &Search<'a>,
    rows: &mut [Row<L, D>],
    node: &mut Node,
    memory: &mut Memory<'a, L, D>,
) -> Option<(usize, [CutPath; 2])> {
    let mut draws = search.source().at(Purpose::Stops, node.place);
    attempt(search, rows, node, memory, |trial, slack| trial.refuses(slack, &mut *draws))
}

/// How likely all attempts to cut a node are to be refused.
pub(super) fn probability<'a, L: Position, const D: usize>(
    search: &Search<'a>,
    rows: &mut [Row<L, D>],
    node: &mut Node,
    memory: &mut Memory<'a, L, D>,
) -> f64 {
    let mut all = 1.0;
    let refused = |trial: &DivisionTrial, slack| {
        all *= trial.probability(slack);
        true
    };
    attempt(search, rows, node, memory, refused);
    all
}

/// Tries cuts until one is not `refused`, or nothing is left to pay for refusals.
fn attempt<'a, L: Position, const D: usize>(
    search: &Search<'a>,
    rows: &mut [Row<L, D>],
    node: &mut Node,
    memory: &mut Memory<'a, L, D>,
    mut refused: impl FnMut(&DivisionTrial, i64) -> bool,
) -> Option<(usize, [CutPath; 2])> {
    let slack = search.judge.slack(rows, &mut memory.bags)?;
    let spread = search.judge.top_share(&memory.bags);
    let outlook = HalvesForecast { n: rows.len() as f64, slack: slack.max(0) as f64, spread: spread * (1.0 - spread) };
    let whole = memory.finder.uncut() * outlook.n;
    let mut cuts = std::mem::take(&mut memory.finder.cuts);
    cuts.sort_by(|a, b| {
        let gain = |cut: &Cut| outlook.passes(cut) * (whole - cut.loss).max(0.0);
        gain(b)
            .total_cmp(&gain(a))
            .then(a.loss.total_cmp(&b.loss))
            .then(a.axis.cmp(&b.axis))
            .then(a.n_left.cmp(&b.n_left))
    });
    let mut found = None;
    for cut in cuts.iter().take_while(|_| !search.monitor.is_cancelled()) {
        let Some(trial) = Lottery::costing(outlook.cost(cut), node.left) else { break };
        let at = search.apply(cut, rows, memory);
        let left = search.judge.slack(&rows[..at], &mut memory.bags)?;
        // Where one half fails the other cannot mend it.
        let slack = if left < 0 { left } else { left.min(search.judge.slack(&rows[at..], &mut memory.bags)?) };
        if !refused(&trial, slack) {
            found = Some((at, search.ways(cut, node, memory)));
            break;
        }
        node.left = trial.left;
    }
    memory.finder.cuts = cuts;
    found
}

/// What the values of a node say about halves drawn from it at random.
struct HalvesForecast {
    /// Rows.
    n: f64,
    /// By how many rows the node holds.
    slack: f64,
    /// Variance of having the most frequent value.
    spread: f64,
}

impl HalvesForecast {
    /// The slack of the smaller half on average.
    fn expected(&self, cut: &Cut) -> f64 {
        let left = f64::from(cut.n_left);
        self.slack * left.min(self.n - left) / self.n
    }

    /// About how likely a cut is to pass and not to be refused.
    fn passes(&self, cut: &Cut) -> f64 {
        let left = f64::from(cut.n_left);
        let deviation = (left * (self.n - left) / self.n * self.spread).sqrt().max(LEAST_DEVIATION);
        // The smaller half decides; a slack of one row is refused about half of the time.
        let z = (self.expected(cut) - 0.5) / deviation;
        let one = 1.0 / (1.0 + (-1.702 * z).exp());
        one * one
    }

    /// What a refusal may cost.
    fn cost(&self, cut: &Cut) -> u64 {
        (RARELY / (self.expected(cut) as u64 + 1)).min(BUDGET)
    }
}

#[cfg(test)]
#[path = "stops_tests.rs"]
mod tests;
