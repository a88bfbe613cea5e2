//! The common-value attack: where the batches of all people of a box share exactly one value, guess that one.
//!
//! Batches are mixed from people with different values, so near people in different batches may be there *because* they
//! share a value. A release that is dealt by chance gives this guess no more than the share of the value in
//! each person's batch, which is what it claims. One that was dealt by who is near whom may give much more.
//!
//! How often the guess is right can be counted only with the source, so this is for publishers, before a release is put in
//! place: it takes the box, the batch and the value of every person as they are. What it finds is never published.

use crate::group_counts::GroupCounts;
use scumble_table::{Monitor, Result};
use serde::Serialize;

/// Beyond chance means more than this many deviations.
const DEVIATIONS: f64 = 5.0;

/// A release is refused only if the guess is also right for this share of the people more than claimed: among many people even a
/// difference that is too small to matter lies beyond chance.
const MATTERS: f64 = 0.03;

/// Of fewer people a share says little, and so does a difference of fewer deviations.
const ENOUGH: u64 = 100;
const LIKELY: f64 = 2.0;

/// Boxes that are gone through between two looks at the monitor.
const CHECKED: usize = 1 << 10;

/// Which boxes of several batches are guessed at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GuessedBoxes {
    /// All of them.
    All,
    /// Those whose people are all in different batches: no person there excludes that another has the value.
    Apart,
}

/// How often the attack is right.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct CommonValue {
    /// People in boxes of several batches that share exactly one value.
    pub people: u64,
    /// Those of them who have the value.
    pub hits: u64,
    /// How many would, by the shares of the value in their batches.
    pub claimed: f64,
    /// The standard deviation of that number.
    pub deviation: f64,
}

impl CommonValue {
    /// Attacks people in some of the boxes. The box, batch and value of everybody are given by number, each in the same order.
    ///
    /// # Errors
    /// If the work was cancelled.
    ///
    /// # Panics
    /// If the three differ in length.
    pub fn attack(
        which: GuessedBoxes,
        boxes: &[u32],
        batches: &[u32],
        values: &[u32],
        monitor: Monitor<'_>,
    ) -> Result<CommonValue> {
        let n = boxes.len();
        assert!(n == batches.len() && n == values.len(), "a box, a batch and a value for everybody");
        monitor.check()?;
        let n_batches = batches.iter().max().map_or(0, |&most| most as usize + 1);
        let held = GroupCounts::new(batches, values.iter().copied(), n_batches);
        monitor.check()?;
        let mut by_box: Vec<(u32, u32, u32)> =
            (0..n).map(|person| (boxes[person], batches[person], values[person])).collect();
        by_box.sort_unstable();
        let mut found = CommonValue::default();
        for (at, members) in by_box.chunk_by(|a, b| a.0 == b.0).enumerate() {
            if at % CHECKED == 0 {
                monitor.check()?;
            }
            if which == GuessedBoxes::Apart && members.windows(2).any(|pair| pair[0].1 == pair[1].1) {
                continue;
            }
            let Some(common) = only_common(&held, members) else { continue };
            for &(_, batch, value) in members {
                let share = f64::from(held.count(batch, common)) / f64::from(held.sizes[batch as usize]);
                found.people += 1;
                found.hits += u64::from(value == common);
                found.claimed += share;
                // The variance, until all are counted: people of one batch rather exclude each other, so it is no less.
                found.deviation += share * (1.0 - share);
            }
        }
        found.deviation = found.deviation.sqrt();
        Ok(found)
    }

    /// Whether the attack is right so much more often than claimed that the release must not stand.
    pub fn tells(&self) -> bool {
        self.exceeds() && self.hits as f64 - self.claimed > MATTERS * self.people as f64
    }

    /// Whether the attack is right so much more often than claimed that it would matter, and probably not by chance.
    pub fn may_tell(&self) -> bool {
        let more = self.hits as f64 - self.claimed;
        self.people >= ENOUGH && more > LIKELY * self.deviation && more > MATTERS * self.people as f64
    }

    /// Whether the attack is right more often than claimed beyond chance.
    pub fn exceeds(&self) -> bool {
        self.hits as f64 > self.claimed + DEVIATIONS * self.deviation
    }

    /// By how many deviations the attack is right more often than claimed.
    pub fn excess(&self) -> f64 {
        match self.deviation > 0.0 {
            true => (self.hits as f64 - self.claimed) / self.deviation,
            false => 0.0,
        }
    }
}

/// The only value that all batches of a box hold, where there are two or more of them. Members come by rising batch.
fn only_common(held: &GroupCounts, members: &[(u32, u32, u32)]) -> Option<u32> {
    let mut batches = members.chunk_by(|a, b| a.1 == b.1).map(|same| same[0].1);
    let first = batches.next()?;
    let mut common: Option<Vec<u32>> = None;
    for batch in batches {
        let known = common.get_or_insert_with(|| held.values(first).iter().map(|pair| pair.0).collect());
        known.retain(|&value| held.count(batch, value) > 0);
        if known.is_empty() {
            return None;
        }
    }
    match common?[..] {
        [only] => Some(only),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn attacked(which: GuessedBoxes, boxes: &[u32], batches: &[u32], values: &[u32]) -> CommonValue {
        CommonValue::attack(which, boxes, batches, values, Monitor::silent()).unwrap()
    }

    #[test]
    fn the_one_value_that_all_batches_of_a_box_hold_is_guessed() {
        // Batches {a, b} and {a, c} meet in the boxes 0 and 1, {b, d} and {c, d} in box 2.
        let boxes = [0, 0, 1, 1, 2, 2, 2, 2];
        let batches = [0, 1, 0, 1, 2, 2, 3, 3];
        let values = [1, 3, 2, 1, 2, 4, 3, 4];
        let found = attacked(GuessedBoxes::All, &boxes, &batches, &values);
        assert_eq!((found.people, found.hits, found.claimed), (8, 4, 4.0));
        assert!((found.deviation - 2.0f64.sqrt()).abs() < 1e-12 && !found.tells() && found.excess() == 0.0);
        // In box 2 two people share each batch.
        let apart = attacked(GuessedBoxes::Apart, &boxes, &batches, &values);
        assert_eq!((apart.people, apart.hits, apart.claimed), (4, 2, 2.0));
    }

    #[test]
    fn boxes_of_one_batch_or_of_batches_that_share_more_are_left_alone() {
        // Box 0 has one batch; in box 1 the batches 1 and 2 hold one value each, the same.
        let found = attacked(GuessedBoxes::All, &[0, 0, 1, 1], &[0, 0, 1, 2], &[1, 2, 1, 1]);
        assert_eq!((found.people, found.hits), (2, 2));
        // The batches 5 and 9 share two values, and the others are empty.
        for which in [GuessedBoxes::All, GuessedBoxes::Apart] {
            let more = attacked(which, &[0, 0, 1, 1], &[5, 9, 5, 9], &[1, 1, 2, 2]);
            assert_eq!(more, CommonValue::default());
            assert_eq!(attacked(which, &[], &[], &[]), CommonValue::default());
        }
        // A box with three batches of which two people share one is not apart.
        let (boxes, batches) = ([0, 0, 0, 0, 1, 1, 1], [0, 1, 2, 2, 0, 1, 2]);
        let values = [1, 1, 1, 3, 4, 5, 6];
        assert_eq!(attacked(GuessedBoxes::All, &boxes, &batches, &values).people, 7);
        assert_eq!(attacked(GuessedBoxes::Apart, &boxes, &batches, &values).people, 3);
    }

    #[test]
    fn hits_far_above_what_is_claimed_tell() {
        let found = |people: u64, hits: u64| {
            let claimed = people as f64 / 4.0;
            CommonValue { people, hits, claimed, deviation: (claimed * 0.75).sqrt() }
        };
        assert!(found(1484, 792).tells() && !found(1484, 390).exceeds());
        // Three in a hundred are needed however small the deviation is, and five deviations however few people there are.
        let large = found(1_000_000, 279_000);
        assert!(large.exceeds() && !large.tells() && found(1_000_000, 281_000).tells());
        assert!(found(974, 300).may_tell() && !found(974, 300).exceeds() && !found(99, 60).may_tell());
        assert!(!found(974, 262).may_tell() && !large.may_tell());
        assert!(!found(8, 8).exceeds() && !found(100, 46).exceeds() && found(100, 47).tells());
    }
}
