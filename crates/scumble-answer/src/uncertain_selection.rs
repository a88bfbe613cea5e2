//! Answers where both are open: who is selected, and whose value is whose.
//!
//! Bounds are those of groups of which some number of people between two is selected ([`MatchingValues::bounds_between`]). For
//! the moments, people are selected as a [`Selection`] says, and every assignment of the values of a group to its
//! people is equally likely, whoever is selected. So, given how many are, any so many values may be theirs.
//!
//! COUNT and SUM have exact moments. AVG has those of [`ratio`]: exact where that takes not too long, else by the delta
//! method. MIN and MAX walk the values from their end; in a group of which very many people are open, their number is taken for
//! normally distributed.

use super::matching_values::MatchingValues;
use super::ratio::{self, Count, Share};
use super::selection::{Chance, OpenUrn, Selection};
use super::{Aggregate, Answer, Confidence, Exact, Moments, count_distribution, min_max};
use scumble_table::Result;

/// Steps that the counts of all groups may take before the delta method does without them.
const MOST_STEPS: usize = 20_000_000;

impl MatchingValues<'_> {
    /// The answer to one aggregate over people who are selected perhaps. No interval is guaranteed: that boxes are filled
    /// evenly is a model.
    ///
    /// # Errors
    /// If a sum has more than 38 digits.
    pub fn answer_uncertain(
        &self,
        aggregate: Aggregate,
        selection: &Selection,
        confidence: Option<Confidence>,
    ) -> Result<Answer> {
        let Some(bounds) = self.bounds_between(aggregate, selection.spans())? else { return Ok(Answer::null()) };
        let chances: Vec<Chance> = selection.chances(self).collect();
        let forced = chances.iter().any(|chance| chance.least() > 0);
        Ok(match aggregate {
            Aggregate::CountRows => answer(bounds, counted(&chances, |chance| chance.run.rows()), true, confidence),
            Aggregate::Count => answer(bounds, counted(&chances, |chance| chance.run.len()), true, confidence),
            Aggregate::Sum => answer(bounds, summed(&chances), true, confidence),
            Aggregate::Avg => answer(bounds, ratio::moments(&shares(&chances)), forced, confidence),
            Aggregate::Min | Aggregate::Max => {
                let mut answer = extremes(&chances, aggregate == Aggregate::Max, confidence);
                if let Some(interval) = &mut answer.interval {
                    interval.guaranteed = None;
                }
                answer
            }
        })
    }
}

fn answer(bounds: (Exact, Exact), moments: Moments, certain: bool, confidence: Option<Confidence>) -> Answer {
    Answer::of(bounds, moments, certain).within(confidence, None)
}

/// COUNT is the SUM of a 1 for every place that matches.
fn counted(chances: &[Chance], of: impl Fn(&Chance) -> u64) -> Moments {
    added(chances, |chance| {
        let share = of(chance) as f64 / chance.size as f64;
        (share, share * (1.0 - share))
    })
}

/// SUM, of `x` where a place matches and 0 where not: the variance within the matching values, and between them and the
/// zeros.
fn summed(chances: &[Chance]) -> Moments {
    added(chances, |chance| {
        let (share, mean) = (chance.run.len() as f64 / chance.size as f64, chance.run.mean());
        (share * mean, share * chance.run.variance() + mean * mean * share * (1.0 - share))
    })
}

/// Moments of a sum over independent groups, given mean and variance of the numbers of all places of each.
fn added(chances: &[Chance], places: impl Fn(&Chance) -> (f64, f64)) -> Moments {
    let mut moments = Moments::default();
    for chance in chances {
        let (mean, variance) = places(chance);
        let (mean, variance) = chance.sum(mean, variance);
        moments.mean += mean;
        moments.variance += variance;
    }
    moments
}

/// The matching values of each group, of which a random number is taken.
fn shares(chances: &[Chance]) -> Vec<Share> {
    let mut steps = 0usize;
    let taken = chances.iter().filter(|chance| chance.most() > 0);
    taken
        .map(|chance| Share {
            n: chance.run.len(),
            mean: chance.run.mean(),
            variance: chance.run.variance(),
            count: count(chance, &mut steps),
        })
        .collect()
}

fn count(chance: &Chance, steps: &mut usize) -> Count {
    let (size, n, certain) = (chance.size, chance.run.len(), chance.certain);
    if chance.open.is_empty() {
        return Count::Hypergeometric { size, hits: certain };
    }
    let share = n as f64 / size as f64;
    let (mean, variance) = chance.sum(share, share * (1.0 - share));
    let (least, most) = (chance.least(), chance.most());
    let hits = if *steps > MOST_STEPS { None } else { count_distribution::counted(chance.open) };
    let mut probabilities = Vec::new();
    if let Some((first, weights)) = hits {
        *steps += (chance.open.len() + (most - least) as usize).saturating_mul(weights.len());
        if *steps <= MOST_STEPS {
            probabilities = vec![0.0; (most - least + 1) as usize];
            for (hits, weight) in (certain + first..).zip(weights) {
                let count = Count::Hypergeometric { size, hits };
                let (from, drawn) = Share { n, mean: 0.0, variance: 0.0, count }.probabilities();
                let to = &mut probabilities[(from - least) as usize..];
                to.iter_mut().zip(drawn).for_each(|(sum, p)| *sum += weight * p);
            }
        }
    }
    Count::Mixed { mean, variance, first: least, probabilities }
}

fn extremes(chances: &[Chance], greatest: bool, confidence: Option<Confidence>) -> Answer {
    let taken: Vec<&Chance> = chances.iter().filter(|chance| chance.most() > 0).collect();
    let spans: Vec<_> = taken
        .iter()
        .map(|chance| super::bounds::Span { run: chance.run, least: chance.least(), most: chance.most() })
        .collect();
    let Some(ends) = min_max::bounds(&spans, greatest) else { return Answer::null() };
    let mut urns: Vec<OpenUrn> = taken.into_iter().map(OpenUrn::of).collect();
    ends.answer(&min_max::walk(&mut urns, &ends), confidence)
}
