//! Who could be whom: can every published row be given a source row of its own?
//!
//! Source rows are points, published rows are boxes, and both carry a key (their sensitive and kept
//! values). A box takes a point of the same key inside it. Equal points and equal boxes are handled
//! together with their counts, and each key is a problem of its own:
//!
//! ```text
//! points of a key -> tree -> pairs (point in box) -> forced moves -> flow on what is left
//!                                 too many pairs? -> necessary counts, and the verdict says so
//! ```

mod flow;
mod span;
mod sweep;
mod tree;

pub use span::Span;
pub use tree::{PointTree, TreeSearch};

use flow::Network;
use rayon::prelude::*;
use scumble_table::{GroupedRows, Monitor, rows_by_group};

/// More pairs than this in one problem are not written down: a pair costs 16 bytes while the flow is sought.
const MAX_PAIRS: usize = 20_000_000;

/// Pairs that the flow may look at in one problem before it gives up; some seconds of work.
const MAX_STEPS: u64 = 3_000_000_000;

/// The two sides of the problem.
#[derive(Debug, Default)]
pub struct MatchingProblem {
    /// Number of columns.
    pub n_dims: usize,
    /// Coordinates of distinct points, one row of `n_dims` ranks each.
    pub points: Vec<u32>,
    /// Key and number of rows of each point.
    pub have: Vec<(u32, u32)>,
    /// Position in `spans` of each distinct box, one row of `n_dims` each.
    pub boxes: Vec<u32>,
    /// Key and number of rows of each box.
    pub want: Vec<(u32, u32)>,
    /// What each text of each column covers.
    pub spans: Vec<Vec<Span>>,
    /// Number of keys.
    pub n_keys: usize,
}

/// The answer to a [`MatchingProblem`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Answer {
    /// There is an assignment.
    Yes,
    /// There is none; the named box cannot be filled.
    NoPoint(usize),
    /// There is none; the named point has no box although none may be left over.
    NoBox(usize),
    /// Too large to decide for some rows, for which only necessary counts were checked. All others are decided.
    Undecided {
        /// Published rows that were only counted.
        rows: u64,
    },
}

/// Limits, smaller in tests, and what stops the search. The answer of a search that was stopped means nothing.
#[derive(Debug, Clone, Copy)]
pub(super) struct SearchLimits<'a> {
    pub pairs: usize,
    pub steps: u64,
    pub monitor: Monitor<'a>,
}

impl<'a> SearchLimits<'a> {
    /// The usual limits of a search that can be cancelled.
    pub(super) fn under(monitor: Monitor<'a>) -> Self {
        SearchLimits { pairs: MAX_PAIRS, steps: MAX_STEPS, monitor }
    }
}

/// Answers the problem; the least failing key decides which failure is reported.
pub(super) fn answer(problem: &MatchingProblem, limits: SearchLimits<'_>) -> Answer {
    let narrowness = narrowness(problem);
    let points = by_key(&problem.have, problem.n_keys);
    let boxes = by_key(&problem.want, problem.n_keys);
    // Large problems one after another, for memory; small ones together.
    const LARGE: usize = 200_000;
    let (large, small): (Vec<usize>, Vec<usize>) = (0..problem.n_keys)
        .filter(|&key| !boxes.group(key).is_empty() || !points.group(key).is_empty())
        .partition(|&key| points.group(key).len().max(boxes.group(key).len()) > LARGE);
    let solve = |&key: &usize| (key, one_key(problem, &narrowness, points.group(key), boxes.group(key), limits));
    let mut answers: Vec<(usize, Answer)> = small.par_iter().map(solve).collect();
    answers.extend(large.iter().map(solve));
    answers.sort_unstable_by_key(|(key, _)| *key);
    let mut counted = 0;
    for (_, answer) in answers {
        match answer {
            Answer::Yes => {}
            Answer::Undecided { rows } => counted += rows,
            no => return no,
        }
    }
    if counted == 0 { Answer::Yes } else { Answer::Undecided { rows: counted } }
}

/// Every point inside every box of a problem with one key: the boxes of all pairs, and their points. Nothing beyond
/// `limit` pairs, or where the work is cancelled.
pub(super) fn pairs(problem: &MatchingProblem, limit: usize, monitor: Monitor<'_>) -> Option<(Vec<u32>, Vec<u32>)> {
    let points: Vec<u32> = (0..problem.have.len() as u32).collect();
    let tree = PointTree::grow(problem, &narrowness(problem), &points, monitor);
    let (mut boxes, mut inside) = (Vec::new(), Vec::new());
    let mut search = TreeSearch::default();
    for a_box in 0..problem.want.len() {
        if monitor.is_cancelled() {
            return None;
        }
        let go_on = tree.inside(problem, a_box, &mut search, |from, to| {
            inside.extend_from_slice(&tree.order[from..to]);
            inside.len() <= limit
        });
        if !go_on {
            return None;
        }
        boxes.resize(inside.len(), a_box as u32);
    }
    Some((boxes, inside))
}

/// How much of each column a box leaves out on average, in millionths: where boxes cover everything,
/// a cut separates nothing.
pub fn narrowness(problem: &MatchingProblem) -> Vec<u64> {
    const SCALE: u64 = 1_000_000;
    let n_boxes = problem.want.len().max(1) as u64;
    let share = |dim: usize| {
        let n_ranks = u64::from(problem.spans[dim].iter().map(|span| span.end).max().unwrap_or(0).max(1));
        let texts = problem.boxes.iter().skip(dim).step_by(problem.n_dims.max(1));
        let covered: u64 =
            texts.map(|&text| u64::from(problem.spans[dim][text as usize].width()) * SCALE / n_ranks).sum();
        1 + SCALE.saturating_sub(covered / n_boxes)
    };
    (0..problem.n_dims).map(share).collect()
}

fn one_key(
    problem: &MatchingProblem,
    narrowness: &[u64],
    points: &[u32],
    boxes: &[u32],
    limits: SearchLimits<'_>,
) -> Answer {
    let have: u64 = points.iter().map(|&p| u64::from(problem.have[p as usize].1)).sum();
    let want: u64 = boxes.iter().map(|&b| u64::from(problem.want[b as usize].1)).sum();
    let (Some(&some_box), true) = (boxes.first(), want > 0) else { return Answer::Yes };
    if want > have {
        return Answer::NoPoint(some_box as usize);
    }
    let tree = PointTree::grow(problem, narrowness, points, limits.monitor);
    let stopped = || limits.monitor.is_cancelled();
    if stopped() {
        return Answer::Undecided { rows: want };
    }
    // Where both sides are equal, every point must find a box too, which forces more moves.
    let network = Network::new(problem, &tree, boxes, have == want, limits);
    let decided = network.and_then(|network| network.solve(limits));
    match decided {
        Some(answer) => answer,
        None if stopped() => Answer::Undecided { rows: want },
        None => match sweep::necessary(problem, &tree, boxes) {
            Some(failing) => Answer::NoPoint(failing),
            None => Answer::Undecided { rows: want },
        },
    }
}

/// Positions of points, or of boxes, by their key.
fn by_key(sides: &[(u32, u32)], n_keys: usize) -> GroupedRows {
    rows_by_group(&sides.iter().map(|(key, _)| *key).collect::<Vec<u32>>(), n_keys)
}

#[cfg(test)]
mod tests;
