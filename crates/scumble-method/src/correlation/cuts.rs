//! Where to cut a line of blocks into intervals that each hold enough rows.
//!
//! The loss of a division is the sum over its intervals I of n_I ln n_I: up to a constant it is the entropy that is
//! lost when a value is replaced by its interval. n ln n is convex, so the cost of an interval, a convex function of
//! the rows between its two cuts, satisfies the quadrangle inequality, and a monotone queue of starts finds the optimum
//! over V blocks in O(V log V) instead of the O(V^2) of all pairs.

use crate::monotone_queue::{MonotoneQueue, Seek};
use crate::pieces::starts;
use scumble_table::Monitor;

/// How a line is divided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// The division that loses least.
    Optimal,
    /// From the lowest block on, an interval is closed as soon as it holds enough rows, as in the paper; what is left at
    /// the end belongs to the last one.
    Sweep,
}

/// The blocks after which to cut, so that every interval holds at least `least` rows; none if they cannot be divided, or
/// the work was cancelled.
pub fn cuts(rows: &[u64], least: u64, rule: Rule, monitor: Monitor<'_>) -> Vec<usize> {
    match rule {
        Rule::Optimal => optimal(rows, least.max(1), monitor),
        Rule::Sweep => sweep(rows, least.max(1)),
    }
}

/// What an interval of `rows` rows adds to the loss.
pub fn loss(rows: u64) -> f64 {
    if rows == 0 { 0.0 } else { rows as f64 * (rows as f64).ln() }
}

fn sweep(rows: &[u64], least: u64) -> Vec<usize> {
    let mut left: u64 = rows.iter().sum();
    let mut cuts = Vec::new();
    let mut held = 0;
    for (at, &n) in rows.iter().enumerate() {
        held += n;
        left -= n;
        if held >= least && left >= least {
            cuts.push(at);
            held = 0;
        }
    }
    cuts
}

fn optimal(rows: &[u64], least: u64, monitor: Monitor<'_>) -> Vec<usize> {
    let before = starts(rows.iter().copied());
    let end = rows.len();
    const NONE: usize = usize::MAX;
    let mut best = vec![0f64; end + 1];
    let mut from = vec![NONE; end + 1];
    let mut queue = MonotoneQueue::new(end, Seek::Halving);
    let mut start = 0;
    for at in 1..=end {
        if monitor.is_cancelled() {
            return Vec::new();
        }
        let cost = |start: usize, end: usize| best[start] + loss(before[end] - before[start]);
        while start < at && before[at] - before[start] >= least {
            if start == 0 || from[start] != NONE {
                queue.admit(start, at, |new, old, end| cost(new, end) <= cost(old, end));
            }
            start += 1;
        }
        if let Some(first) = queue.best(at) {
            best[at] = cost(first, at);
            from[at] = first;
        }
    }
    let mut cuts = Vec::new();
    let mut at = from.get(end).copied().unwrap_or(NONE);
    while at != NONE && at > 0 {
        cuts.push(at - 1);
        at = from[at];
    }
    cuts.reverse();
    cuts
}
