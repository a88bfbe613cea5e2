//! Can all numbers be divided into groups of at most a given range?
//!
//! No value needs to lie in the ranges of more than two groups (Lemma 6.2), so groups follow each other
//! and only neighbours overlap. Numbers are counted from 1, as in the paper. A state (u, v) says: all
//! numbers up to y_u are placed, the last closed group ends with y_u, and the pending one starts with y_v.
//! It is worth D(u, v), the most different numbers the pending group may hold already; v = u + 1 means that
//! it holds none.
//!
//! A group that starts with v may be closed with y_u2 if e <= y_u2 - y_v <= range; the next one then starts
//! with some v2. Of the numbers from v2 to u2, the zone that both share, it needs one row of each number
//! that has several, and of the single ones at least u2 and as many as it lacks to k; v2 itself is the
//! next one's. With c the least k - D(u, v) + u + 1 over states that can be closed so, u < v2, that leaves
//! D(u2, v2) = zone - max([u2 is single], c - v2 - doubles of the zone).
//!
//! For fixed u the starts v that may be closed with u2 slide upwards as u2 grows, so the best of them is
//! the front of a queue, and a decision takes one step per state.

use crate::ke_permutation::number_line::NumberLine;
use crate::ke_permutation::unsigned::Unsigned;
use crate::pieces::starts;
use scumble_table::Monitor;
use std::collections::VecDeque;

/// A state out of reach.
const NEVER: u32 = u32::MAX;

/// The states of a decision for a range, or of any lesser range.
pub(super) fn n_states<T: Unsigned>(line: &NumberLine<T>, range: T) -> u64 {
    let mut first = 0;
    let windows = line.values.iter().enumerate().map(|(last, &value)| {
        while value - line.values[first] > range {
            first += 1;
        }
        (last - first + 2) as u64
    });
    windows.sum()
}

/// The states with one u.
#[derive(Default)]
struct Row {
    /// The v of the first state.
    first: u32,
    /// D by v.
    worth: Vec<u32>,
    /// The u of the state that was closed to get here, by v; only where groups are wanted.
    from: Vec<u32>,
    /// States that may be the best of those that can be closed: rising v, falling D.
    queue: VecDeque<u32>,
    /// The next v to enter the queue.
    next: u32,
}

impl Row {
    fn worth(&self, v: u32) -> u32 {
        self.worth[(v - self.first) as usize]
    }

    /// The state of most worth with a v in this range, whose ends never fall from one call to the next.
    fn best(&mut self, low: u32, high: u32) -> Option<u32> {
        let end = self.first + self.worth.len() as u32;
        while self.next < end && self.next <= high {
            let worth = self.worth(self.next);
            if worth != NEVER {
                while self.queue.back().is_some_and(|&back| self.worth(back) <= worth) {
                    self.queue.pop_back();
                }
                self.queue.push_back(self.next);
            }
            self.next += 1;
        }
        while self.queue.front().is_some_and(|&front| front < low) {
            self.queue.pop_front();
        }
        self.queue.front().copied()
    }
}

/// A range that suffices.
pub(super) struct Decision<'a, T> {
    line: &'a NumberLine<T>,
    rows: Vec<Row>,
    k: u32,
    e: T,
    range: T,
}

impl<'a, T: Unsigned> Decision<'a, T> {
    /// Decides; nothing if the range does not suffice, or the work was cancelled. With `traced` the groups can be told.
    pub(super) fn new(
        line: &'a NumberLine<T>,
        k: u64,
        e: T,
        range: T,
        traced: bool,
        monitor: Monitor<'_>,
    ) -> Option<Self> {
        let n = line.values.len();
        let k = u32::try_from(k).ok()?;
        let doubles = doubles(line);
        let y = |j: u32| line.values[j as usize - 1];
        let single = |j: u32| line.count(j as usize - 1) == 1;
        let mut rows: Vec<Row> = Vec::with_capacity(n + 1);
        rows.push(Row { first: 1, worth: vec![0], from: vec![0], next: 1, ..Row::default() });
        let (mut low, mut high) = (1, 0);
        for u2 in 1..=n as u32 {
            if monitor.is_cancelled() {
                return None;
            }
            while y(u2) - y(low) > range {
                low += 1;
                if !traced {
                    // States that are behind every group to come.
                    rows[low as usize - 2] = Row::default();
                }
            }
            while high < u2 && y(u2) - y(high + 1) >= e {
                high += 1;
            }
            let mut row = Row { first: low, next: low, ..Row::default() };
            let mut least: Option<(i64, u32)> = None;
            // No group may end here where no start is far enough and near enough.
            let starts = if low <= high { low..u2 + 2 } else { low..low };
            for v2 in starts {
                let u = v2 - 1;
                if u < u2
                    && let Some(v) = rows[u as usize].best(low, high)
                {
                    let lacks = i64::from(k) - i64::from(rows[u as usize].worth(v)) + i64::from(u) + 1;
                    if least.is_none_or(|(c, _)| lacks < c) {
                        least = Some((lacks, u));
                    }
                }
                let worth = least.map_or(NEVER, |(c, _)| {
                    if v2 == u2 + 1 {
                        return if c <= i64::from(v2) { 0 } else { NEVER };
                    }
                    match taken(c, v2, u2, &doubles, &single) {
                        Some(taken) => k.min(u2 - v2 + 1 - taken),
                        None => NEVER,
                    }
                });
                row.worth.push(worth);
                if traced {
                    row.from.push(least.map_or(0, |(_, u)| u));
                }
            }
            rows.push(row);
        }
        let last = &rows[n];
        let reached = !last.worth.is_empty() && last.worth(n as u32 + 1) == 0;
        reached.then_some(Decision { line, rows, k, e, range })
    }

    /// The groups, by the places of their rows. Of every zone the group that ends there takes one row of
    /// each number that has several and the last single ones; all else is the next group's.
    pub(super) fn groups(&self) -> Vec<Vec<u32>> {
        let doubles = doubles(self.line);
        let single = |j: u32| self.line.count(j as usize - 1) == 1;
        let places = |j: u32| self.line.starts[j as usize - 1]..self.line.starts[j as usize];
        let mut groups = Vec::new();
        let mut pending: Vec<u32> = Vec::new();
        for (u, u2, v2, lacks) in self.path() {
            let mut group = std::mem::take(&mut pending);
            group.extend((u + 1..v2).flat_map(places));
            let mut singles = if v2 > u2 { 0 } else { taken(lacks, v2, u2, &doubles, &single).unwrap_or(0) };
            for j in (v2..=u2).rev() {
                let mut rows = places(j);
                if !single(j) {
                    group.extend(rows.next());
                } else if singles > 0 {
                    group.extend(rows.next());
                    singles -= 1;
                }
                pending.extend(rows);
            }
            groups.push(group);
        }
        groups
    }

    /// The closed groups: (u, u2, v2) and what they lacked.
    fn path(&self) -> Vec<(u32, u32, u32, i64)> {
        let y = |j: u32| self.line.values[j as usize - 1];
        let n = self.line.values.len() as u32;
        let (mut u2, mut v2) = (n, n + 1);
        let mut path = Vec::new();
        while u2 > 0 {
            let row = &self.rows[u2 as usize];
            let u = row.from[(v2 - row.first) as usize];
            let start = &self.rows[u as usize];
            let within =
                |&v: &u32| start.worth(v) != NEVER && v <= n && y(u2) - y(v) <= self.range && y(u2) - y(v) >= self.e;
            // States start with rising y, and those beyond u2 cannot be closed with it.
            let open = (start.first..start.first + start.worth.len() as u32).filter(|&v| v <= u2).filter(within);
            let v = open.max_by_key(|&v| start.worth(v)).unwrap_or(start.first);
            let lacks = i64::from(self.k) - i64::from(start.worth(v)) + i64::from(u) + 1;
            path.push((u, u2, v2, lacks));
            (u2, v2) = (u, v);
        }
        path.reverse();
        path
    }
}

/// How many of the numbers before each one have several rows.
fn doubles<T: Unsigned>(line: &NumberLine<T>) -> Vec<u32> {
    starts((0..line.values.len()).map(|value| u32::from(line.count(value) > 1)))
}

/// How many single numbers of the zone from v2 to u2 the closing group takes; nothing if there are too few.
fn taken(lacks: i64, v2: u32, u2: u32, doubles: &[u32], single: &impl Fn(u32) -> bool) -> Option<u32> {
    if v2 == u2 && single(u2) {
        return None;
    }
    let both = doubles[u2 as usize] - doubles[v2 as usize - 1];
    let singles = u2 - v2 + 1 - both;
    let wanted = (lacks - i64::from(v2) - i64::from(both)).max(i64::from(single(u2)));
    let most = singles - u32::from(single(v2));
    u32::try_from(wanted).ok().filter(|&wanted| wanted <= most)
}
