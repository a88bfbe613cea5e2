//! The least greatest range over all partitions (paper 5, section 6.2), exact.
//!
//! Groups may overlap here: {1, 2, 3, 5, 5, 6, 6, 8} under (4, 5) is best divided into {1, 2, 5, 6} and
//! {3, 5, 6, 8}. The paper's program is O(n^6) and as printed too small. Here a
//! decision procedure says whether a range suffices (`decide.rs`), and the least is found by halving between
//! a lower bound, the widest of the least windows that some number needs, and the optimum over
//! contiguous groups. Mostly the two are equal and there is nothing to search.

mod decide;

use super::min_max;
use super::number_line::{Cuts, NONE, NumberLine};
use super::unsigned::Unsigned;
use decide::Decision;
use scumble_table::Monitor;
use std::collections::VecDeque;

/// The most states of one decision: pairs of different numbers within one range. This many take a few
/// tenths of a second and 270 MB; a search makes as many decisions as the range has binary digits.
pub(super) const MOST_STATES: u64 = 1 << 25;

/// The groups of the least greatest range.
pub(super) enum Optimum {
    /// Contiguous ones, by where they start.
    Contiguous(Vec<u32>),
    /// Others, by the places of their rows among the rows with numbers.
    Overlapping(Vec<Vec<u32>>),
}

/// Why there are no groups.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Failure {
    /// A decision would take this many states.
    TooMany(u64),
    /// No group passes.
    Unreachable,
}

/// The least greatest range, and the groups of such a partition.
pub(super) fn groups<T: Unsigned>(
    line: &NumberLine<T>,
    cuts: &Cuts,
    k: u64,
    e: T,
    most: u64,
    monitor: Monitor<'_>,
) -> Result<(T, Optimum), Failure> {
    let (contiguous, starts) = min_max::groups(line, cuts).ok_or(Failure::Unreachable)?;
    let mut low = lower_bound(line, cuts).ok_or(Failure::Unreachable)?;
    let mut high = contiguous;
    if low < high {
        let states = decide::n_states(line, high);
        if states > most {
            return Err(Failure::TooMany(states));
        }
    }
    while low < high && !monitor.is_cancelled() {
        let middle = T::from_wide(low.wide() + (high - low).wide() / 2);
        if Decision::new(line, k, e, middle, false, monitor).is_some() {
            high = middle;
        } else {
            low = T::from_wide(middle.wide() + 1);
        }
    }
    if high == contiguous {
        return Ok((high, Optimum::Contiguous(starts)));
    }
    let decision = Decision::new(line, k, e, high, true, monitor).ok_or(Failure::Unreachable)?;
    Ok((high, Optimum::Overlapping(decision.groups())))
}

/// The greatest over all numbers of the least window that holds the number and passes.
fn lower_bound<T: Unsigned>(line: &NumberLine<T>, cuts: &Cuts) -> Option<T> {
    let closes = last_values(line, cuts);
    let width = |first: usize, last: usize| line.values[last] - line.values[first];
    // Windows that start at or below a number and must reach beyond it, the least first.
    let mut queue: VecDeque<usize> = VecDeque::new();
    let mut bound = T::default();
    // The last start whose window ends before the number.
    let mut before: Option<usize> = None;
    for value in 0..line.values.len() {
        if closes[value] != NONE {
            let own = width(value, closes[value] as usize);
            while queue.back().is_some_and(|&back| width(back, closes[back] as usize) >= own) {
                queue.pop_back();
            }
            queue.push_back(value);
        }
        let start = before.map_or(0, |at| at + 1);
        let ended = (start..=value).take_while(|&at| closes[at] != NONE && (closes[at] as usize) < value);
        before = ended.last().or(before);
        while queue.front().is_some_and(|&front| before.is_some_and(|at| front <= at)) {
            queue.pop_front();
        }
        let reaching = queue.front().map(|&front| width(front, closes[front] as usize));
        let ending = before.map(|at| width(at, value));
        let least = [reaching, ending].into_iter().flatten().min()?;
        bound = bound.max(least);
    }
    Some(bound)
}

/// For each number the last number of the least group that starts with it.
fn last_values<T: Unsigned>(line: &NumberLine<T>, cuts: &Cuts) -> Vec<u32> {
    let mut last = vec![NONE; line.values.len()];
    for (cut, &close) in cuts.cuts.iter().zip(&cuts.closes) {
        if close != NONE && cut.at == line.starts[cut.right as usize] {
            last[cut.right as usize] = line.left(cuts.cuts[close as usize]) as u32;
        }
    }
    last
}
