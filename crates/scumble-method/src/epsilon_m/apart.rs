//! Lanes in which nobody comes twice, where some people have several rows.
//!
//! In a group of rows of different people whose values keep apart, rows, people and pairs of a person and a value are the
//! same thing, so that what holds of the rows holds of the people. Rows are dealt in rounds, in the order of their values:
//! each lane gets one row of a round, at first the one at its own place, whose value is as many places from the last one of
//! the lane as there are lanes. If that row is of somebody whom the lane has already, it goes to another lane, whose row may
//! have to go to another again: a matching of the rows of the round with lanes, found along alternating paths. A lane admits a
//! row if its last value does not conflict with it and nobody comes twice.
//!
//! Unlike dealing in turn, this may end without success where there is a way: rounds are matched one after the other.

use super::leaf::Leaf;
use crate::coins::Stream;
use std::collections::VecDeque;

/// Lanes on either side of its place that a row may go to.
const BESIDE: usize = 48;

/// Rows that are moved in thought for the sake of one.
const MOVED: usize = 192;

/// No row, no lane.
const NONE: u32 = u32::MAX;

/// Deals the rows of a leaf into `n_lanes` lanes in which no values conflict and no person comes twice, as rows of the table;
/// nothing where that did not succeed. `person` gives the person of each place of the leaf. With `coins` the lanes are turned
/// by a random number of places before each round, by no more than leaves rows of a lane `apart` places apart.
pub(crate) fn deal_apart(
    leaf: &Leaf,
    person: &[u32],
    n_lanes: usize,
    apart: usize,
    mut coins: Option<&mut Stream>,
) -> Option<Vec<Vec<u32>>> {
    let mut lanes = Lanes { leaf, person, of: vec![Vec::new(); n_lanes] };
    let slack = n_lanes.saturating_sub(apart.max(1)) as u64;
    let mut turn = coins.as_deref_mut().map_or(0, |coins| coins.below(n_lanes as u64) as usize);
    for start in (0..leaf.len()).step_by(n_lanes) {
        let round = start as u32..(start + n_lanes).min(leaf.len()) as u32;
        lanes.deal_round(round, turn)?;
        if let Some(coins) = coins.as_deref_mut() {
            turn = (turn + coins.below(slack + 1) as usize) % n_lanes;
        }
    }
    Some(lanes.of.iter().map(|lane| lane.iter().map(|&item| leaf.rows[item as usize]).collect()).collect())
}

/// The most places of a leaf that one person has.
pub(crate) fn most_rows(person: &[u32]) -> usize {
    let mut sorted = person.to_vec();
    sorted.sort_unstable();
    sorted.chunk_by(|a, b| a == b).map(<[u32]>::len).max().unwrap_or(0)
}

struct Lanes<'a> {
    leaf: &'a Leaf,
    person: &'a [u32],
    /// The places of the leaf in each lane, rising.
    of: Vec<Vec<u32>>,
}

impl Lanes<'_> {
    fn admits(&self, lane: usize, item: u32) -> bool {
        let lane = &self.of[lane];
        let value = |item: u32| self.leaf.value[item as usize];
        // Values rise along a lane, so the last is the nearest.
        let conflicts = lane.last().is_some_and(|&last| self.leaf.conflicts[value(last) as usize].1 >= value(item));
        !conflicts && lane.iter().all(|&other| self.person[other as usize] != self.person[item as usize])
    }

    /// Gives each row of a round to a lane of its own.
    fn deal_round(&mut self, round: std::ops::Range<u32>, turn: usize) -> Option<()> {
        let n = self.of.len();
        let mut taken_by: Vec<u32> = vec![NONE; n];
        for item in round.clone() {
            let own = ((item - round.start) as usize + turn) % n;
            match taken_by[own] == NONE && self.admits(own, item) {
                true => taken_by[own] = item,
                false => self.make_way(item, round.start, turn, &mut taken_by)?,
            }
        }
        for (lane, item) in taken_by.into_iter().enumerate().filter(|(_, item)| *item != NONE) {
            self.of[lane].push(item);
        }
        Some(())
    }

    /// Finds a lane for a row along an alternating path: rows on it go to other lanes.
    fn make_way(&self, item: u32, start: u32, turn: usize, taken_by: &mut [u32]) -> Option<()> {
        let n = self.of.len();
        let mut steps: Vec<LaneMove> = Vec::new();
        let mut queue = VecDeque::from([(item, NONE)]);
        while let Some((row, from)) = queue.pop_front().filter(|_| steps.len() < MOVED) {
            let own = ((row - start) as usize + turn) % n;
            let beside = (1..=BESIDE.min(n / 2)).flat_map(|step| [(own + step) % n, (own + n - step) % n]);
            for lane in std::iter::once(own).chain(beside) {
                if steps.iter().any(|step| step.lane == lane as u32) || !self.admits(lane, row) {
                    continue;
                }
                steps.push(LaneMove { lane: lane as u32, row, from });
                if taken_by[lane] != NONE {
                    queue.push_back((taken_by[lane], lane as u32));
                    continue;
                }
                // Back along the path: each row takes the lane that it reached, and leaves its own to the row before it.
                let mut last = steps.last();
                while let Some(step) = last {
                    taken_by[step.lane as usize] = step.row;
                    last = steps.iter().find(|before| before.lane == step.from);
                }
                return Some(());
            }
        }
        None
    }
}

/// A lane that a row could go to, and the lane that it would leave.
struct LaneMove {
    lane: u32,
    row: u32,
    from: u32,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coins::{Coins, Purpose};
    use proptest::prelude::*;
    use scumble_principle::{Near, Neighbourhood};
    use scumble_table::{Decimal, Domain};

    fn leaf(values: &[i64], e: i64) -> Leaf {
        let domain = Domain::numbers((0..40).map(Decimal::from).collect()).unwrap();
        let near = Neighbourhood::new(&domain, Near::absolute(Decimal::from(e))).unwrap();
        let all = (0..values.len() as u32).collect();
        Leaf::new(all, 0, &near, |row| values[row as usize] as u32 + 1, |row| row, |_, _| ())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]

        #[test]
        fn lanes_keep_values_and_people_apart(
            rows in prop::collection::vec((0i64..30, 0u32..12), 1..80), e in 0i64..6, seed in 0u64..500, turned: bool,
            n_lanes in 1usize..30,
        ) {
            let values: Vec<i64> = rows.iter().map(|row| row.0).collect();
            let leaf = leaf(&values, e);
            let person: Vec<u32> = leaf.rows.iter().map(|&row| rows[row as usize].1).collect();
            let mut coins = Coins::from_seed(seed).stream(Purpose::Groups, 0);
            let dealt = deal_apart(&leaf, &person, n_lanes, leaf.maxsize(), turned.then_some(&mut coins));
            let fullest = leaf.maxsize().max(most_rows(&person));
            if fullest > n_lanes {
                prop_assert!(dealt.is_none());
            }
            // Values that never conflict and rows of different people need no way.
            if most_rows(&person) == 1 && n_lanes >= leaf.maxsize() {
                prop_assert!(dealt.is_some());
            }
            for lane in dealt.iter().flatten() {
                prop_assert!(lane.len() == rows.len() / n_lanes || lane.len() == rows.len().div_ceil(n_lanes));
                for (at, &a) in lane.iter().enumerate() {
                    for &b in &lane[at + 1..] {
                        prop_assert!((values[a as usize] - values[b as usize]).abs() > e);
                        prop_assert!(rows[a as usize].1 != rows[b as usize].1);
                    }
                }
            }
        }
    }
}
