//! Answers from groups of which people are selected: exact people, or people in boxes.
//!
//! Groups are independent. Every assignment of the values of a group to its people is equally likely, no matter who is selected,
//! so, given that `h` are, any `h` of its values may be theirs. COUNT and SUM have exact moments, AVG those of
//! [`ratio`](super::ratio), and MIN and MAX walk the values from their end.

use super::exact::Total;
use super::group::Group;
use super::runs::{Run, Runs};
use super::{Aggregate, Answer, Confidence, Exact, Moments, Pool, Selection, average, min_max, ratio};
use scumble_table::{Error, Result};
use std::borrow::Cow;

/// A [`Pool`] under a predicate on its values.
#[derive(Debug, Clone)]
pub struct MatchingValues<'a> {
    pub(super) pool: &'a Pool,
    pub(super) runs: Cow<'a, Runs>,
}

impl MatchingValues<'_> {
    /// The answer to one aggregate. `hits` names the groups, rising, of which the question selects people, and how many.
    ///
    /// Time is linear in the number of groups named, with a binary search in those where values match in part; the
    /// estimate of an average over an unknown number of rows may take some ten million steps, and those of MIN and
    /// MAX walk the values from their end until the rest has no weight.
    ///
    /// # Errors
    /// If a sum has more than 38 digits.
    pub fn answer(&self, aggregate: Aggregate, hits: &[(u32, u32)], confidence: Option<Confidence>) -> Result<Answer> {
        if hits.iter().any(|&(group, n)| n == 0 || !self.has(group, n)) || hits.windows(2).any(|w| w[0].0 >= w[1].0) {
            return Err(nobody());
        }
        answer(aggregate, hits.iter().map(|&(group, n)| self.group(group, n, n, &[])), confidence)
    }

    /// The answer to one aggregate over people who may be selected. No interval is guaranteed: that boxes are filled
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
        let groups = selection.groups().map(|(group, certain, open)| {
            let possible = certain + open.len() as u32;
            if self.has(group, possible) { Ok(self.group(group, certain, possible, open)) } else { Err(nobody()) }
        });
        let groups = groups.collect::<Result<Vec<Group>>>()?;
        Ok(answer(aggregate, groups.iter().copied(), confidence)?.without_guarantee())
    }

    /// The bounds of [`MatchingValues::answer`] without estimates.
    ///
    /// # Errors
    /// If a sum has more than 38 digits.
    pub fn bounds(&self, aggregate: Aggregate, hits: &[(u32, u32)]) -> Result<Option<(Exact, Exact)>> {
        self.bounds_between(aggregate, hits.iter().map(|&(group, n)| (group, n, n)))
    }

    /// Bounds where between `least` and `most` people of each group are selected: triples of group, least and most. `None`
    /// where no row can match and the aggregate is then null; AVG, MIN and MAX are over the cases with at least one row.
    ///
    /// # Errors
    /// If a sum has more than 38 digits.
    pub fn bounds_between(
        &self,
        aggregate: Aggregate,
        groups: impl IntoIterator<Item = (u32, u32, u32)>,
    ) -> Result<Option<(Exact, Exact)>> {
        let groups = groups.into_iter().map(|(group, least, most)| {
            if least <= most && self.has(group, most) { Ok(self.group(group, least, most, &[])) } else { Err(nobody()) }
        });
        bounds(aggregate, groups.collect::<Result<Vec<Group>>>()?.iter().copied())
    }

    /// Whether a group exists and has that many people.
    fn has(&self, group: u32, people: u32) -> bool {
        (group as usize) < self.pool.n_groups() && u64::from(people) <= self.pool.size(group)
    }

    fn group<'b>(&'b self, group: u32, certain: u32, possible: u32, open: &'b [f64]) -> Group<'b> {
        let (certain, possible) = (certain.into(), possible.into());
        Group { run: self.runs.group(group), size: self.pool.size(group), certain, possible, open }
    }
}

fn nobody() -> Error {
    Error::bug("a question selects people that no group has")
}

fn answer<'a>(
    aggregate: Aggregate,
    groups: impl Iterator<Item = Group<'a>> + Clone,
    confidence: Option<Confidence>,
) -> Result<Answer> {
    if let Aggregate::Min | Aggregate::Max = aggregate {
        return Ok(min_max::answer(groups, aggregate == Aggregate::Max, confidence));
    }
    // The rows of an average, where their number is known.
    let mut n_rows = 1;
    if aggregate == Aggregate::Avg {
        let (least, most) = row_limits(groups.clone(), |run| run.len());
        if most == 0 {
            return Ok(Answer::null());
        }
        if least < most {
            let bounds = average::bounds(groups.clone(), least)?;
            let moments = ratio::moments(&average::strata(groups));
            return Ok(Answer::new(bounds, moments, least > 0).with_interval(confidence, None));
        }
        n_rows = least;
    }
    // Bounds and moments are taken in one pass over what may be very many groups.
    let (mut lower, mut upper) = (Total::default(), Total::default());
    let (mut moments, mut squares) = (Moments::default(), 0.0);
    for group in groups {
        let (more, range) = match aggregate {
            Aggregate::CountRows | Aggregate::Count => {
                let n = if aggregate == Aggregate::Count { group.run.len() } else { group.run.rows() };
                lower.add(group.forced(n).into());
                upper.add(group.possible.min(n).into());
                group.count_moments(n)
            }
            _ => {
                lower.add_total(group.least_sum());
                upper.add_total(group.greatest_sum());
                group.sum_moments()
            }
        };
        moments.mean += more.mean;
        moments.variance += more.variance;
        if range > 0.0 {
            squares += group.concentration() * range.powi(2);
        }
    }
    let n = n_rows as f64;
    let bounds = (Exact::mean(lower.finish()?, n_rows), Exact::mean(upper.finish()?, n_rows));
    let moments = Moments { mean: moments.mean / n, variance: moments.variance / (n * n) };
    let half = confidence.map(|confidence| confidence.hoeffding(squares) / n);
    Ok(Answer::new(bounds, moments, true).with_interval(confidence, half))
}

fn bounds<'a>(aggregate: Aggregate, groups: impl Iterator<Item = Group<'a>> + Clone) -> Result<Option<(Exact, Exact)>> {
    let whole = |(lower, upper): (i128, i128)| (Exact::whole(lower), Exact::whole(upper));
    let rows = |(least, most): (u64, u64)| whole((least.into(), most.into()));
    Ok(match aggregate {
        Aggregate::CountRows => Some(rows(row_limits(groups, |run| run.rows()))),
        Aggregate::Count => Some(rows(row_limits(groups, |run| run.len()))),
        Aggregate::Sum => Some(whole(sum_limits(groups)?)),
        Aggregate::Avg => match row_limits(groups.clone(), |run| run.len()) {
            (_, 0) => None,
            // Every group gives all of its matching rows or a fixed number of them, so zeros never decide: the bounds of
            // SUM are those of the values themselves.
            (least, most) if least == most => {
                let (lower, upper) = sum_limits(groups)?;
                Some((Exact::mean(lower, least), Exact::mean(upper, least)))
            }
            (least, _) => Some(average::bounds(groups, least)?),
        },
        Aggregate::Min | Aggregate::Max => {
            let groups: Vec<Group> = groups.filter(|group| group.most() > 0).collect();
            min_max::Ends::new(&groups, aggregate == Aggregate::Max).map(|ends| whole(ends.bounds()))
        }
    })
}

/// The least and the greatest number of rows that match, of all places that `matching` counts in a group.
fn row_limits<'a>(groups: impl Iterator<Item = Group<'a>>, matching: impl Fn(&Run) -> u64) -> (u64, u64) {
    groups.fold((0, 0), |(least, most), group| {
        let n = matching(&group.run);
        (least + group.forced(n), most + group.possible.min(n))
    })
}

/// SUM is of `x` where a place matches and of 0 where not. The least `h` of them are, for any number of zeros, as many of the
/// least matching values as are negative, but no fewer than `L` and no more than `U`.
fn sum_limits<'a>(groups: impl Iterator<Item = Group<'a>>) -> Result<(i128, i128)> {
    let (mut lower, mut upper) = (Total::default(), Total::default());
    for group in groups {
        lower.add_total(group.least_sum());
        upper.add_total(group.greatest_sum());
    }
    Ok((lower.finish()?, upper.finish()?))
}
