//! Where to cut a line of blocks into intervals that each hold enough rows.
//!
//! The loss of a division is the sum over its intervals I of n_I ln n_I: up to a constant it is the entropy that is
//! lost when a value is replaced by its interval. n ln n is convex, so the cost of an interval, a convex function of
//! the rows between its two cuts, satisfies the quadrangle inequality: once a later start is better than an earlier
//! one, it stays better for all later ends. That holds as well where starts are let in one after the other, as soon as
//! enough rows lie behind them. So a queue of starts, each with the end from which it is the best, finds the optimum
//! over V blocks in O(V log V) instead of the O(V^2) of all pairs.

use std::collections::VecDeque;

/// How a line is divided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// The division that loses least.
    Optimal,
    /// From the lowest block on, an interval is closed as soon as it holds enough rows, as in the paper; what is left at
    /// the end belongs to the last one.
    Sweep,
}

/// The blocks after which to cut, so that every interval holds at least `least` rows; none if they cannot be divided.
pub fn cuts(rows: &[u64], least: u64, rule: Rule) -> Vec<usize> {
    match rule {
        Rule::Optimal => optimal(rows, least.max(1)),
        Rule::Sweep => sweep(rows, least.max(1)),
    }
}

/// What an interval of so many rows adds to the loss.
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

/// A start, and the end from which it is the best.
#[derive(Clone, Copy)]
struct Candidate {
    start: usize,
    from: usize,
}

fn optimal(rows: &[u64], least: u64) -> Vec<usize> {
    let mut before = vec![0u64];
    for &n in rows {
        before.push(before[before.len() - 1] + n);
    }
    let end = rows.len();
    const NONE: usize = usize::MAX;
    let mut best = vec![0f64; end + 1];
    let mut from = vec![NONE; end + 1];
    let mut queue: VecDeque<Candidate> = VecDeque::new();
    let mut start = 0;
    for at in 1..=end {
        while start < at && before[at] - before[start] >= least {
            if start == 0 || from[start] != NONE {
                let cost = |start: usize, end: usize| best[start] + loss(before[end] - before[start]);
                admit(&mut queue, Candidate { start, from: at }, end, &cost);
            }
            start += 1;
        }
        while queue.get(1).is_some_and(|second| second.from <= at) {
            queue.pop_front();
        }
        if let Some(first) = queue.front() {
            best[at] = best[first.start] + loss(before[at] - before[first.start]);
            from[at] = first.start;
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

/// Lets a start in that may be used from `new.from` on. Those at the back that it beats from where they would have been
/// best go; it is the best from where it beats the one that is left.
fn admit(queue: &mut VecDeque<Candidate>, mut new: Candidate, end: usize, cost: &impl Fn(usize, usize) -> f64) {
    let now = new.from;
    while let Some(&back) = queue.back() {
        let beats = |at: usize| cost(new.start, at) <= cost(back.start, at);
        let mut low = back.from.max(now);
        if beats(low) {
            queue.pop_back();
            continue;
        }
        if !beats(end) {
            return;
        }
        let mut high = end;
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            if beats(middle) {
                high = middle;
            } else {
                low = middle;
            }
        }
        new.from = high;
        break;
    }
    queue.push_back(new);
}
