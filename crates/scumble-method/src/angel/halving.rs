//! Batches by halving, profile `max-utility` only: rows in the order of the buckets are cut in two as long as both parts
//! satisfy the requirements. Which cuts pass, and who is next to whom, tells something about sensitive values to a reader who
//! knows the algorithm.
//!
//! A batch shows no box, so nothing ties it to cuts of attributes; neighbours in the order of the buckets lie near
//! each other anyway. A bucket whose batches have no members elsewhere shows its values exactly as they are, so cuts
//! between buckets come before all others. What cannot be cut so is dealt into batches of different values, where these
//! serve; or it is cut with a part of each value's rows on either side, so that the mixes of the halves differ no
//! more than the requirements allow.

use super::distinct::{self, Distinct};
use crate::mondrian::judge::{BagMemory, RequirementJudge};
use crate::pieces::pieces;
use scumble_table::{Codes, Monitor};

/// Where a sequence may be cut, in tenths of its length; the first that passes is taken.
const TENTHS: [usize; 7] = [5, 4, 6, 3, 7, 2, 8];

/// Sequences of at most this many buckets are tried between any two of them.
const FEW_BUCKETS: usize = 16;

/// How much of the difference between the halves of a sequence is kept, in quarters, where cutting it straight fails.
const QUARTERS: [u64; 4] = [3, 2, 1, 0];

/// Sequences above this size are halved on two threads.
const FORK: usize = 1 << 13;

/// Batches of different values are dealt to sequences below this many times their size.
const SHORT: usize = 4;

/// What all parts of the sequence share. Rows are named by their place in the sequence.
pub(super) struct HalvingDealer<'a> {
    /// The requirements on rows by their places.
    pub(super) judge: RequirementJudge<'a>,
    /// Batches of different values, with the codes that must differ, where they serve.
    pub(super) distinct: Option<(Distinct, &'a Codes)>,
    /// Where each bucket starts, closed by the number of places.
    pub(super) buckets: &'a [u32],
    /// The value of each place; equal numbers stand for equal values in all sensitive columns.
    pub(super) values: &'a [u32],
    pub(super) monitor: Monitor<'a>,
}

/// Working memory of one thread.
#[derive(Default)]
struct Memory {
    bags: BagMemory,
    /// Places of the right half, while those of the left are put in front.
    right: Vec<u32>,
    /// Per value: rows that may still go to the left.
    quota: Vec<u32>,
}

impl HalvingDealer<'_> {
    /// Divides the places `0..n` into batches laid end to end; returns them and the sizes of the batches. All of them
    /// together must satisfy the requirements.
    pub(super) fn run(&self, n: usize) -> (Vec<u32>, Vec<u32>) {
        let mut places: Vec<u32> = (0..n as u32).collect();
        let mut sizes = Vec::new();
        self.part(&mut places, &mut Memory::default(), &mut sizes);
        (places, sizes)
    }

    /// Divides some places, which rise.
    fn part(&self, places: &mut [u32], memory: &mut Memory, sizes: &mut Vec<u32>) {
        let n = places.len();
        let Some(at) = self.cut(places, memory, sizes) else { return };
        let (left, right) = places.split_at_mut(at);
        if at.min(n - at) >= FORK {
            let mut others = Vec::new();
            rayon::join(|| self.part(left, memory, sizes), || self.part(right, &mut Memory::default(), &mut others));
            sizes.append(&mut others);
        } else {
            self.part(left, memory, sizes);
            self.part(right, memory, sizes);
        }
    }

    /// Puts the left half of some places before the right one and tells where that starts; or makes batches of them.
    fn cut(&self, places: &mut [u32], memory: &mut Memory, sizes: &mut Vec<u32>) -> Option<usize> {
        let n = places.len();
        if self.monitor.is_cancelled() {
            sizes.push(n as u32);
            return None;
        }
        let between = self.between_buckets(places);
        if let Some(at) = self.straight(places, &between, memory) {
            return Some(at);
        }
        let short = self.distinct.is_some_and(|(distinct, _)| n < distinct.m.saturating_mul(SHORT));
        if (short || between.is_empty()) && self.deal(places, memory, sizes) {
            return None;
        }
        let cuts = TENTHS.map(|tenths| n * tenths / 10);
        if let Some(at) = self.straight(places, &cuts, memory) {
            return Some(at);
        }
        if self.deal(places, memory, sizes) {
            return None;
        }
        let at = self.blended(places, memory);
        if at.is_none() {
            self.monitor.advance(n as u64);
            sizes.push(n as u32);
        }
        at
    }

    /// Where buckets end among some places, the best cuts first: all where they are few, else those nearest to the tenths.
    fn between_buckets(&self, places: &[u32]) -> Vec<usize> {
        let (Some(&low), Some(&high)) = (places.first(), places.last()) else { return Vec::new() };
        let n = places.len();
        let start = self.buckets.partition_point(|&bucket| bucket <= low);
        let end = self.buckets.partition_point(|&bucket| bucket <= high);
        let ends = &self.buckets[start..end];
        let at = |bucket: &u32| places.partition_point(|place| place < bucket);
        let mut cuts: Vec<usize> = if ends.len() <= FEW_BUCKETS {
            ends.iter().map(at).collect()
        } else {
            let nearest = |tenths: usize| {
                let wanted = n * tenths / 10;
                let after = ends.partition_point(|&bucket| bucket <= places[wanted]);
                let around = ends[after.saturating_sub(1)..(after + 1).min(ends.len())].iter().map(at);
                around.min_by_key(|&cut| cut.abs_diff(wanted))
            };
            TENTHS.into_iter().filter_map(nearest).collect()
        };
        if ends.len() <= FEW_BUCKETS {
            cuts.sort_by_key(|&cut| (cut.abs_diff(n / 2), cut));
        }
        cuts.dedup();
        cuts.retain(|&cut| cut > 0 && cut < n);
        cuts
    }

    /// The first of some cuts whose halves both pass.
    fn straight(&self, places: &[u32], cuts: &[usize], memory: &mut Memory) -> Option<usize> {
        let least = self.judge.least_size();
        let fits = |at: &usize| *at >= least && places.len() - *at >= least;
        cuts.iter().copied().filter(fits).take_while(|_| !self.monitor.is_cancelled()).find(|&at| {
            let (left, right) = places.split_at(at);
            self.passes(left, memory) && self.passes(right, memory)
        })
    }

    fn passes(&self, places: &[u32], memory: &mut Memory) -> bool {
        self.judge.passes_rows(places.iter().copied(), places.len(), &mut memory.bags)
    }

    /// Cuts some places in the middle, but lets part of the rows that would go to one half alone go to the other too, value
    /// by value: as few as make both halves pass.
    fn blended(&self, places: &mut [u32], memory: &mut Memory) -> Option<usize> {
        let n = places.len();
        if n < self.judge.least_size().saturating_mul(2) {
            return None;
        }
        let mut values: Vec<u32> = places.iter().map(|&place| self.values[place as usize]).collect();
        values.sort_unstable();
        values.dedup();
        let number = |place: u32| values.partition_point(|&value| value < self.values[place as usize]);
        let (mut all, mut front) = (vec![0u64; values.len()], vec![0u64; values.len()]);
        for (i, &place) in places.iter().enumerate() {
            let value = number(place);
            all[value] += 1;
            front[value] += u64::from(i < n / 2);
        }
        let in_order = places.to_vec();
        for quarters in QUARTERS.into_iter().take_while(|_| !self.monitor.is_cancelled()) {
            // Halves of odd numbers are rounded up and down in turn.
            let mut up = false;
            memory.quota.clear();
            memory.quota.extend(all.iter().zip(&front).map(|(&all, &front)| {
                let eighths = 2 * quarters * front + (4 - quarters) * all;
                up ^= !eighths.is_multiple_of(8);
                ((eighths + if up { 7 } else { 0 }) / 8) as u32
            }));
            memory.right.clear();
            let mut at = 0;
            for &place in &in_order {
                let quota = &mut memory.quota[number(place)];
                if *quota > 0 {
                    *quota -= 1;
                    places[at] = place;
                    at += 1;
                } else {
                    memory.right.push(place);
                }
            }
            places[at..].copy_from_slice(&memory.right);
            if at > 0 && at < n && self.passes(&places[..at], memory) && self.passes(&places[at..], memory) {
                return Some(at);
            }
        }
        places.copy_from_slice(&in_order);
        None
    }

    /// Deals a sequence into batches of different values, if that is possible.
    fn deal(&self, places: &mut [u32], memory: &mut Memory, sizes: &mut Vec<u32>) -> bool {
        let Some((Distinct { m, .. }, codes)) = self.distinct else { return false };
        let values: Vec<u32> = places.iter().map(|&place| codes.get(place as usize)).collect();
        let Some((order, dealt)) = distinct::deal(&values, m, self.monitor) else { return false };
        let dealt_places: Vec<u32> = order.iter().map(|&at| places[at as usize]).collect();
        let batches = pieces(&dealt_places, dealt.iter().map(|&size| size as usize));
        if !batches.into_iter().all(|batch| !self.monitor.is_cancelled() && self.passes(batch, memory)) {
            return false;
        }
        places.copy_from_slice(&dealt_places);
        self.monitor.advance(places.len() as u64);
        sizes.extend(dealt);
        true
    }
}
