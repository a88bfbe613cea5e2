//! Rank-based data swapping, the sixth line of section 7.1: measured, never published.
//!
//! Numbers are ranked. For each rank `i` let `l(i)` be the least length such that the ranks from `i - l` to `i + l` satisfy
//! (k, e); the tuple there swaps its number with a random one of these ranks, every tuple at most once. A reader who sees
//! rank `p` published knows the ranks, the lengths and the rule, so the true rank `t` satisfies `|p - t| <= l(p)` or
//! `|p - t| <= l(t)`, whichever of the two began the swap.
//!
//! If `i - l ..= i + l` satisfies (k, e), so do the ranks from `i + 1 - (l + 1)` to `i + 1 + (l + 1)`: lengths change by at most 1
//! from rank to rank, and `i - l(i)` and `i + l(i)` never fall. So the true ranks that `p` allows are one window, and both its ends
//! never fall with `p`. Equal numbers cannot be told apart; they share the union of their windows.
//!
//! Each true rank belongs to one tuple. With such windows the least sum over selected tuples is found by going up through
//! their published ranks and giving each the least free rank of its window: whatever else a choice does, it has used no more
//! ranks up to any point. It never runs out, because the true ranks are one way to give them. The greatest sum by going down.

use super::{Bounding, Ends, Selection};
use crate::axis::ranks_between;
use crate::{Draw, Positions};
use scumble_answer::Aggregate;
use scumble_table::{Error, Monitor, Result};

/// How often a partner is drawn before the window is searched for one that is free.
const DRAWS: usize = 32;

/// People whose numbers were swapped with near ones.
#[derive(Debug, Clone)]
pub struct RankSwapped {
    /// The numbers by rank, in units of `10^-scale`.
    numbers: Vec<i128>,
    scale: u8,
    /// Person by published rank.
    person: Vec<u32>,
    /// Least and greatest true rank that a published rank allows.
    window: Vec<(u32, u32)>,
    range: Option<Positions>,
}

impl RankSwapped {
    /// Swaps the numbers of people, those without a number aside, so that every window has at least `k` different numbers and
    /// spans at least `e`, both in units of `10^-scale`.
    ///
    /// # Errors
    /// If not even all numbers together do, or the work was cancelled.
    pub fn new(
        people: &[Option<i128>],
        (k, e): (u64, i128),
        scale: u8,
        seed: u64,
        monitor: Monitor<'_>,
    ) -> Result<Self> {
        monitor.check()?;
        let mut draw = Draw::new(seed, b"rank-swap", 0);
        // Equal numbers come in random order, so that ties tell nothing.
        let mut order: Vec<(i128, u64, u32)> = (0u32..)
            .zip(people)
            .filter_map(|(person, number)| Some(((*number)?, draw.below(u64::MAX), person)))
            .collect();
        order.sort_unstable();
        let numbers: Vec<i128> = order.iter().map(|one| one.0).collect();
        let lengths = lengths(&numbers, k, e).ok_or_else(|| {
            let reason = "all numbers together do not satisfy the requirement of the release";
            Error::request("algorithms", "rank-swap", reason)
        })?;
        let published = swapped(&lengths, &mut draw, monitor)?;
        let mut person = vec![0; order.len()];
        for (one, &rank) in order.iter().zip(&published) {
            person[rank as usize] = one.2;
        }
        let window = windows(&numbers, &lengths);
        Ok(RankSwapped { numbers, scale, person, window, range: None })
    }

    /// With ranges over a column.
    pub fn with_places(mut self, column: Positions) -> Self {
        self.range = Some(column);
        self
    }

    /// Bounds over the people of whom `selected` says so, going through published ranks.
    fn bounds(&self, aggregate: Aggregate, selected: impl Fn(usize) -> bool) -> Ends {
        let unit = 10f64.powi(i32::from(self.scale));
        let chosen: Vec<usize> = (0..self.person.len()).filter(|&at| selected(self.person[at] as usize)).collect();
        if chosen.is_empty() {
            return (aggregate == Aggregate::Sum).then_some((0.0, 0.0));
        }
        let (mut lower, mut upper) = (0.0, 0.0);
        let mut free = 0;
        for &at in &chosen {
            let rank = free.max(self.window[at].0);
            lower += self.numbers[rank as usize] as f64 / unit;
            free = rank + 1;
        }
        let mut end = self.numbers.len() as u32;
        for &at in chosen.iter().rev() {
            end = end.min(self.window[at].1 + 1) - 1;
            upper += self.numbers[end as usize] as f64 / unit;
        }
        let rows = if aggregate == Aggregate::Avg { chosen.len() as f64 } else { 1.0 };
        Some((lower / rows, upper / rows))
    }
}

impl Bounding for RankSwapped {
    fn people_bounds(&self, aggregate: Aggregate, people: &Selection) -> Result<Ends> {
        Ok(self.bounds(aggregate, |person| people.holds(person)))
    }

    fn range_bounds(&self, aggregate: Aggregate, range: (f64, f64)) -> Result<Ends> {
        let Some(column) = &self.range else { return Ok(None) };
        let wanted = ranks_between(column.places(), range);
        Ok(self.bounds(aggregate, |person| wanted.holds(column.ranks()[person])))
    }
}

/// The length of each rank; nothing where all numbers together do not satisfy (k, e).
fn lengths(rising: &[i128], k: u64, e: i128) -> Option<Vec<u32>> {
    let n = rising.len();
    let mut distinct: Vec<u64> = Vec::with_capacity(n);
    for (at, number) in rising.iter().enumerate() {
        let before = distinct.last().copied().unwrap_or(0);
        distinct.push(before + u64::from(at == 0 || *number != rising[at - 1]));
    }
    let satisfied = |rank: usize, length: usize| {
        let (first, last) = (rank.saturating_sub(length), (rank + length).min(n - 1));
        distinct[last] - distinct[first] + 1 >= k && rising[last].saturating_sub(rising[first]) >= e
    };
    if n == 0 || !satisfied(0, n) {
        return None;
    }
    let mut length = 0usize;
    Some(
        (0..n)
            .map(|rank| {
                // At most one less than before; the loop ends since the whole table satisfies.
                length = length.saturating_sub(1);
                while !satisfied(rank, length) {
                    length += 1;
                }
                length as u32
            })
            .collect(),
    )
}

/// The published rank of each true rank.
fn swapped(lengths: &[u32], draw: &mut Draw, monitor: Monitor<'_>) -> Result<Vec<u32>> {
    let n = lengths.len();
    let mut published: Vec<u32> = (0..n as u32).collect();
    let mut done = vec![false; n];
    for rank in 0..n {
        monitor.check()?;
        if done[rank] {
            continue;
        }
        done[rank] = true;
        // All lower ranks have had their turn.
        let last = (rank + lengths[rank] as usize).min(n - 1);
        let width = (last - rank) as u64;
        let drawn =
            (0..DRAWS).filter(|_| width > 0).map(|_| rank + 1 + draw.below(width) as usize).find(|at| !done[*at]);
        let partner = drawn.or_else(|| {
            let free: Vec<usize> = (rank + 1..=last).filter(|at| !done[*at]).collect();
            (!free.is_empty()).then(|| free[draw.below(free.len() as u64) as usize])
        });
        if let Some(partner) = partner {
            done[partner] = true;
            published.swap(rank, partner);
        }
    }
    Ok(published)
}

/// Least and greatest true rank that each published rank allows.
fn windows(rising: &[i128], lengths: &[u32]) -> Vec<(u32, u32)> {
    let n = rising.len();
    let reach = |rank: usize| (rank.saturating_sub(lengths[rank] as usize), (rank + lengths[rank] as usize).min(n - 1));
    let (mut low, mut high) = (0, 0);
    let mut windows: Vec<(u32, u32)> = (0..n)
        .map(|rank| {
            // The least rank that reaches up to here, and the greatest that reaches down to here.
            while reach(low).1 < rank {
                low += 1;
            }
            high = high.max(rank);
            while high + 1 < n && reach(high + 1).0 <= rank {
                high += 1;
            }
            let own = reach(rank);
            (own.0.min(low) as u32, own.1.max(high) as u32)
        })
        .collect();
    let mut start = 0;
    for run in rising.chunk_by(|a, b| a == b) {
        let end = start + run.len();
        let union = (windows[start].0, windows[end - 1].1);
        windows[start..end].fill(union);
        start = end;
    }
    windows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_the_least_that_satisfy() {
        let numbers = [1, 2, 2, 2, 5, 9, 9];
        let found = lengths(&numbers, 3, 4).unwrap();
        for (rank, &length) in found.iter().enumerate() {
            let ok = |length: usize| {
                let part = &numbers[rank.saturating_sub(length)..=(rank + length).min(6)];
                let mut different = part.to_vec();
                different.dedup();
                different.len() >= 3 && part[part.len() - 1] - part[0] >= 4
            };
            assert!(ok(length as usize) && (length == 0 || !ok(length as usize - 1)), "{rank} {length}");
        }
        assert!(lengths(&numbers, 5, 0).is_none() && lengths(&numbers, 1, 9).is_none() && lengths(&[], 1, 0).is_none());
        assert_eq!(lengths(&numbers, 1, 0).unwrap(), [0; 7]);
    }

    #[test]
    fn swaps_are_pairs_within_reach_and_windows_hold_them() {
        let numbers: Vec<i128> = (0..200).map(|i| i * i / 7).collect();
        let lengths = lengths(&numbers, 4, 60).unwrap();
        let windows = windows(&numbers, &lengths);
        for seed in 0..20 {
            let published = swapped(&lengths, &mut Draw::new(seed, b"test", 0), Monitor::silent()).unwrap();
            let moved = published.iter().enumerate().filter(|(rank, at)| *rank != **at as usize).count();
            assert!(moved > 100, "{moved}");
            for (rank, &at) in published.iter().enumerate() {
                assert_eq!(published[at as usize] as usize, rank);
                assert!((windows[at as usize].0..=windows[at as usize].1).contains(&(rank as u32)));
            }
        }
    }

    /// Least and greatest sum over all ways to give the selected published ranks distinct true ranks of their windows.
    fn all_ways(
        swapped: &RankSwapped,
        chosen: &[usize],
        used: &mut Vec<u32>,
        sum: i128,
        ends: &mut Option<(i128, i128)>,
    ) {
        let Some((&first, rest)) = chosen.split_first() else {
            let (low, high) = ends.unwrap_or((sum, sum));
            *ends = Some((low.min(sum), high.max(sum)));
            return;
        };
        for rank in swapped.window[first].0..=swapped.window[first].1 {
            if !used.contains(&rank) {
                used.push(rank);
                all_ways(swapped, rest, used, sum + swapped.numbers[rank as usize], ends);
                used.pop();
            }
        }
    }

    #[test]
    fn greedy_sums_are_the_best_of_all_ways() {
        let mut draw = Draw::new(1, b"test", 0);
        let mut below = |bound: u64| draw.below(bound);
        for seed in 0..300 {
            let n = 2 + below(9) as usize;
            let people: Vec<Option<i128>> = (0..n).map(|_| Some(i128::from(below(12)) - 3)).collect();
            let ke = (1 + below(3), i128::from(below(4)));
            let Ok(swapped) = RankSwapped::new(&people, ke, 0, seed, Monitor::silent()) else { continue };
            let chosen: Vec<usize> = (0..n).filter(|_| below(2) == 0).take(5).collect();
            let mut ends = None;
            all_ways(&swapped, &chosen, &mut Vec::new(), 0, &mut ends);
            let selected = |person: usize| chosen.iter().any(|&at| swapped.person[at] as usize == person);
            let found = swapped.bounds(Aggregate::Sum, selected);
            assert_eq!(found, ends.map(|(low, high)| (low as f64, high as f64)), "{people:?} {chosen:?}");
        }
    }
}
