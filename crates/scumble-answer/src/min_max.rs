//! MIN and MAX, with their whole distribution.
//!
//! Walk the values from their end. Let `p` be the probability that none of the values passed so far is in the
//! selection. Of a group with `n` places not yet passed, `h` people are selected, so the next value is in the
//! selection, and then is the result, with probability `p h / n`, and is passed with `p (n - h) / n`. No difference of near
//! numbers is ever taken, so the weights keep their digits. The values come from a heap of groups: the walk costs a
//! logarithm for each value passed, and it ends once what is left has no weight, long before all values are seen where
//! many rows are selected.

use super::bounds::Span;
use super::matching_values::{HitUrn, MatchingValues, Urn};
use super::runs::Run;
use super::{Answer, Confidence, Exact, Interval, Moments};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;

/// What is less likely than this has no weight in a mean.
const NEGLIGIBLE: f64 = 1e-18;

/// Nor has it in anything, however far the values beyond reach.
const NOTHING: f64 = 1e-60;

impl MatchingValues<'_> {
    /// MIN, or MAX where `greatest` is set.
    pub(super) fn extreme(&self, greatest: bool, hits: &[(u32, u32)], confidence: Option<Confidence>) -> Answer {
        let groups = self.groups(hits).filter(|hit| hit.most() > 0);
        let spans: Vec<Span> = groups.clone().map(Span::from).collect();
        let Some(ends) = bounds(&spans, greatest) else { return Answer::null() };
        let mut urns: Vec<HitUrn> = groups.map(HitUrn::of).collect();
        ends.answer(&walk(&mut urns, &ends), confidence)
    }
}

/// Where a MIN or MAX may lie. All but the bounds are keys on the way.
pub(super) struct Ends {
    /// Least and greatest result.
    pub(super) bounds: (i128, i128),
    way: Way,
    /// The result that is nearest on the way, and the farthest one.
    first: i128,
    end: i128,
    /// The last of all values, whether it can be the result or not.
    last: i128,
    /// Whether some row must be given.
    certain: bool,
}

impl Ends {
    /// The answer, given all results on the way.
    pub(super) fn answer(&self, outcomes: &Outcomes, confidence: Option<Confidence>) -> Answer {
        outcomes.answer((self.first, self.end), self.way, self.certain, confidence)
    }
}

/// Bounds over groups that may give a row each; nothing where there is none.
///
/// MIN is at least the least matching value of all groups. At most it is the least of the `L`-th greatest values over the
/// groups that must give `L > 0` rows; where none must, one row alone may be the answer, and that row may have the
/// greatest value of all.
pub(super) fn bounds(spans: &[Span], greatest: bool) -> Option<Ends> {
    let way = Way { greatest };
    let first = spans.iter().map(|span| way.at(span.run, 0)).min()?;
    let last = spans.iter().map(|span| way.at(span.run, span.run.len() - 1)).max()?;
    let forced = spans.iter().filter(|span| span.least > 0);
    let forced = forced.map(|span| way.at(span.run, span.run.len() - span.least)).min();
    let end = forced.unwrap_or(last);
    Some(Ends { bounds: way.order(first, end), way, first, end, last, certain: forced.is_some() })
}

/// From which end values are walked. Keys rise on the way; `!v` turns an order around and never overflows.
#[derive(Debug, Clone, Copy)]
pub(super) struct Way {
    pub(super) greatest: bool,
}

impl Way {
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

/// The values of all groups on the way to a result, with the probability of each to be it.
pub(super) fn walk<U: Urn>(urns: &mut [U], ends: &Ends) -> Outcomes {
    let way = ends.way;
    let mut steps = vec![0u64; urns.len()];
    let mut heap: BinaryHeap<_> =
        urns.iter().enumerate().map(|(at, urn)| Reverse((way.at(urn.run(), 0), at))).collect();
    let mut outcomes = Outcomes::default();
    let mut left = 1.0;
    while let Some(mut top) = heap.peek_mut() {
        let Reverse((key, at)) = *top;
        let (urn, step) = (&mut urns[at], &mut steps[at]);
        let (hit, pass) = urn.draw();
        outcomes.add(key, left * hit);
        left *= pass;
        if pass <= 0.0 || outcomes.settled(left, key, ends.last) {
            break;
        }
        *step += 1;
        if *step < urn.run().len() {
            *top = Reverse((way.at(urn.run(), *step), at));
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
        self.second += weight * self.off(key).powi(2);
    }

    /// Whether results from `key` on to `last`, with the probability `left` together, cannot be felt any more.
    pub(super) fn settled(&self, left: f64, key: i128, last: i128) -> bool {
        let reach = last.wrapping_sub(key) as u128 as f64;
        left < NOTHING || left < NEGLIGIBLE && left * reach * reach <= NEGLIGIBLE * self.second
    }

    /// How far a key lies from the first, exact before it is rounded.
    fn off(&self, key: i128) -> f64 {
        self.weights.first().map_or(0.0, |(first, _)| key.wrapping_sub(*first) as u128 as f64)
    }

    /// The answer, given its bounds as keys.
    pub(super) fn answer(
        &self,
        bounds: (i128, i128),
        way: Way,
        certain: bool,
        confidence: Option<Confidence>,
    ) -> Answer {
        let total: f64 = self.weights.iter().map(|(_, weight)| weight).sum();
        let mean = self.weights.iter().map(|(key, weight)| self.off(*key) * (weight / total)).sum::<f64>();
        let variance =
            self.weights.iter().map(|(key, weight)| (self.off(*key) - mean).powi(2) * (weight / total)).sum();
        let first = way.key(bounds.0) as f64;
        let mean = if way.greatest { first - mean } else { first + mean };
        let (lower, upper) = way.order(bounds.0, bounds.1);
        let moments = Moments { mean, variance };
        let mut answer =
            Answer::of((Exact::whole(lower), Exact::whole(upper)), moments, certain).within(confidence, None);
        if let (Some(Interval { guaranteed, .. }), Some(confidence)) = (&mut answer.interval, confidence) {
            // Below rounding, weights that add up to the tail are taken as more than it.
            let tail = (confidence.tail() - 1e-12) * total;
            let near = within(self.weights.iter(), tail).unwrap_or(bounds.0);
            let far = within(self.weights.iter().rev(), tail).unwrap_or(bounds.1);
            let (low, high) = way.order(near, far);
            *guaranteed = Some((low as f64, high as f64));
        }
        answer
    }
}

/// The last key that leaves no more than `tail` before it.
fn within<'a>(weights: impl Iterator<Item = &'a (i128, f64)>, tail: f64) -> Option<i128> {
    let mut passed = 0.0;
    for (key, weight) in weights {
        passed += weight;
        if passed > tail {
            return Some(*key);
        }
    }
    None
}
