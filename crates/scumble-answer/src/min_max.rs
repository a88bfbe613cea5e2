//! MIN and MAX, with their whole distribution.
//!
//! Walk the values from their end. Let `p` be the probability that none of the values passed so far is in the
//! selection. Of a group with `n` places not yet passed, `h` people are selected, so the next value is in the
//! selection, and then is the result, with probability `p h / n`, and is passed with `p (n - h) / n`. No difference of near
//! numbers is ever taken, so the weights keep their digits. The values come from a heap of groups: the walk costs a
//! logarithm for each value passed, and it ends once what is left has no weight, long before all values are seen where
//! many rows are selected.

use super::group::Group;
use super::runs::Run;
use super::{Answer, Confidence, Exact, Interval, Moments, count_distribution};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;

/// What is less likely than this has no weight in a mean.
const NEGLIGIBLE: f64 = 1e-18;

/// What is less likely than this has no weight at all, however far the values beyond reach.
const NOTHING: f64 = 1e-60;

/// MIN over groups, or MAX where `greatest` is set.
pub(super) fn answer<'a>(
    groups: impl Iterator<Item = Group<'a>>,
    greatest: bool,
    confidence: Option<Confidence>,
) -> Answer {
    let groups: Vec<Group> = groups.filter(|group| group.most() > 0).collect();
    match Ends::new(&groups, greatest) {
        Some(ends) => ends.answer(&walk(&groups, &ends), confidence),
        None => Answer::null(),
    }
}

/// Where a MIN or MAX may lie. All but the bounds are keys on the way.
pub(super) struct Ends {
    pub(super) direction: Direction,
    /// The result that is nearest on the way, and the farthest one.
    pub(super) first: i128,
    pub(super) end: i128,
    /// The last of all values, whether it can be the result or not.
    pub(super) last: i128,
    /// Whether some row must be given.
    pub(super) certain: bool,
}

impl Ends {
    /// Over groups that may give a row each; `None` where there is none.
    ///
    /// MIN is at least the least matching value of all groups. At most it is the least of the `L`-th greatest values over the
    /// groups that must give `L > 0` rows; where none must, one row alone may be the answer, and that row may have the
    /// greatest value of all.
    pub(super) fn new(groups: &[Group], greatest: bool) -> Option<Ends> {
        let direction = Direction { greatest };
        let first = groups.iter().map(|group| direction.at(group.run, 0)).min()?;
        let last = groups.iter().map(|group| direction.at(group.run, group.run.len() - 1)).max()?;
        let forced = groups.iter().filter(|group| group.least() > 0);
        let forced = forced.map(|group| direction.at(group.run, group.run.len() - group.least())).min();
        Some(Ends { direction, first, end: forced.unwrap_or(last), last, certain: forced.is_some() })
    }

    /// Least and greatest result.
    pub(super) fn bounds(&self) -> (i128, i128) {
        self.direction.order(self.first, self.end)
    }

    /// The answer, given all results on the way.
    pub(super) fn answer(&self, outcomes: &Outcomes, confidence: Option<Confidence>) -> Answer {
        let (direction, weights) = (self.direction, &outcomes.weights);
        let total: f64 = weights.iter().map(|(_, weight)| weight).sum();
        let mean = weights.iter().map(|(key, weight)| outcomes.offset(*key) * (weight / total)).sum::<f64>();
        let variance =
            weights.iter().map(|(key, weight)| (outcomes.offset(*key) - mean).powi(2) * (weight / total)).sum();
        let first = direction.key(self.first) as f64;
        let mean = if direction.greatest { first - mean } else { first + mean };
        let (lower, upper) = self.bounds();
        let bounds = (Exact::whole(lower), Exact::whole(upper));
        let mut answer = Answer::new(bounds, Moments { mean, variance }, self.certain).with_interval(confidence, None);
        if let (Some(Interval { guaranteed, .. }), Some(confidence)) = (&mut answer.interval, confidence) {
            // Below rounding, weights that add up to the tail are taken as more than it.
            let tail = (confidence.tail() - 1e-12) * total;
            let near = key_after(weights.iter(), tail).unwrap_or(self.first);
            let far = key_after(weights.iter().rev(), tail).unwrap_or(self.end);
            let (low, high) = direction.order(near, far);
            *guaranteed = Some((low as f64, high as f64));
        }
        answer
    }
}

/// From which end values are walked. Keys rise on the way; `!v` turns an order around and never overflows.
#[derive(Debug, Clone, Copy)]
pub(super) struct Direction {
    pub(super) greatest: bool,
}

impl Direction {
    pub(super) fn key(self, value: i128) -> i128 {
        if self.greatest { !value } else { value }
    }

    /// The key of the `step`-th value of a group on this way.
    fn at(self, run: Run, step: u64) -> i128 {
        self.key(run.value(if self.greatest { run.len() - 1 - step } else { step }))
    }

    /// The values of two keys, the lesser value first.
    fn order(self, near: i128, far: i128) -> (i128, i128) {
        if self.greatest { (self.key(far), self.key(near)) } else { (near, far) }
    }
}

/// The places of a group, drawn one after the other until one belongs to somebody who is selected.
struct Urn<'a> {
    group: &'a Group<'a>,
    /// Places drawn so far.
    drawn: u64,
    /// Numbers of people selected, with weights that add up to 1 and are those that are left once no place drawn
    /// so far belongs to any of them. Empty before the first draw, since most groups are never drawn from, and where
    /// the number is known.
    hits: Vec<(f64, f64)>,
}

impl Urn<'_> {
    /// The probabilities that the next place belongs to somebody who is selected and that it does not, given that no place
    /// before it did.
    fn draw(&mut self) -> (f64, f64) {
        let (certain, places) = (self.group.certain as f64, (self.group.size - self.drawn) as f64);
        self.drawn += 1;
        if self.group.open.is_empty() {
            return (certain / places, (places - certain) / places);
        }
        if self.hits.is_empty() {
            let open = count_distribution::weighted(self.group.open);
            self.hits = open.into_iter().map(|(n, weight)| (certain + n, weight)).collect();
        }
        let (mut hit, mut pass) = (0.0, 0.0);
        for (n, weight) in &mut self.hits {
            hit += *weight * (*n / places).min(1.0);
            *weight *= ((places - *n) / places).max(0.0);
            pass += *weight;
        }
        self.hits.iter_mut().for_each(|(_, weight)| *weight /= pass);
        (hit, pass)
    }
}

/// The values of all groups on the way to a result, with the probability that each is the result.
fn walk(groups: &[Group], ends: &Ends) -> Outcomes {
    let direction = ends.direction;
    let mut urns: Vec<Urn> = groups.iter().map(|group| Urn { group, drawn: 0, hits: Vec::new() }).collect();
    let mut heap: BinaryHeap<_> =
        urns.iter().enumerate().map(|(at, urn)| Reverse((direction.at(urn.group.run, 0), at))).collect();
    let mut outcomes = Outcomes::default();
    let mut left = 1.0;
    while let Some(mut top) = heap.peek_mut() {
        let Reverse((key, at)) = *top;
        let urn = &mut urns[at];
        let (hit, pass) = urn.draw();
        outcomes.add(key, left * hit);
        left *= pass;
        if pass <= 0.0 || outcomes.settled(left, key, ends.last) {
            break;
        }
        if urn.drawn < urn.group.run.len() {
            *top = Reverse((direction.at(urn.group.run, urn.drawn), at));
        } else {
            PeekMut::pop(top);
        }
    }
    outcomes
}

/// Possible results by rising key, with weights that add up to the probability that there is one.
#[derive(Debug, Default)]
pub(super) struct Outcomes {
    weights: Vec<(i128, f64)>,
    /// Second moment about the first key.
    second: f64,
}

impl Outcomes {
    /// Adds a result; keys must not fall.
    pub(super) fn add(&mut self, key: i128, weight: f64) {
        match self.weights.last_mut() {
            Some((last, sum)) if *last == key => *sum += weight,
            _ => self.weights.push((key, weight)),
        }
        self.second += weight * self.offset(key).powi(2);
    }

    /// Whether results from `key` on to `last`, with the probability `left` together, cannot be felt any more.
    pub(super) fn settled(&self, left: f64, key: i128, last: i128) -> bool {
        let reach = last.wrapping_sub(key) as u128 as f64;
        left < NOTHING || left < NEGLIGIBLE && left * reach * reach <= NEGLIGIBLE * self.second
    }

    /// How far a key lies from the first, exact before it is rounded.
    fn offset(&self, key: i128) -> f64 {
        self.weights.first().map_or(0.0, |(first, _)| key.wrapping_sub(*first) as u128 as f64)
    }
}

/// The last key that leaves no more than `tail` before it.
fn key_after<'a>(weights: impl Iterator<Item = &'a (i128, f64)>, tail: f64) -> Option<i128> {
    let mut passed = 0.0;
    let mut weights = weights.skip_while(|(_, weight)| {
        passed += weight;
        passed <= tail
    });
    weights.next().map(|(key, _)| *key)
}
