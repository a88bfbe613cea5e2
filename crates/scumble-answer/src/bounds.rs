//! Least and greatest results alone, also where it is not known how many people of a group are selected.
//!
//! Every group gives some number `c` of matching rows with `L <= c <= U`, every number between and any choice of so
//! many of its values being possible. That is all that bounds depend on, so exact people (one number of hits) and
//! boxes (none, all, or any number of a group) are answered by the same code.

use super::exact::Total;
use super::matching_values::Hit;
use super::runs::Run;
use super::{Aggregate, Exact, MatchingValues};
use scumble_table::{Error, Result};

/// What one group may give.
#[derive(Debug, Clone, Copy)]
pub(super) struct Span<'a> {
    pub(super) run: Run<'a>,
    /// MatchingValues rows that it must give.
    pub(super) least: u64,
    /// MatchingValues rows that it may give.
    pub(super) most: u64,
}

impl<'a> From<Hit<'a>> for Span<'a> {
    fn from(hit: Hit<'a>) -> Self {
        Span { run: hit.run, least: hit.least(), most: hit.most() }
    }
}

impl Span<'_> {
    /// SUM: as many of the least values as are negative, within what may be given.
    pub(super) fn least_sum(&self) -> Total {
        self.run.least(self.run.at_most(-1).clamp(self.least, self.most))
    }

    /// As many of the greatest values as are positive.
    pub(super) fn greatest_sum(&self) -> Total {
        self.run.greatest((self.run.len() - self.run.at_most(0)).clamp(self.least, self.most))
    }
}

impl MatchingValues<'_> {
    /// The bounds of [`MatchingValues::answer`] without estimates.
    ///
    /// # Errors
    /// If a sum has more than 38 digits.
    pub fn bounds(&self, aggregate: Aggregate, hits: &[(u32, u32)]) -> Result<Option<(Exact, Exact)>> {
        self.bounds_between(aggregate, hits.iter().map(|&(group, n)| (group, n, n)))
    }

    /// Bounds where of each group between `least` and `most` people are selected, as far as anybody knows: triples of
    /// group, least and most. Nothing where no row can match and the aggregate is then null; AVG, MIN and MAX are over the
    /// cases with at least one row.
    ///
    /// # Errors
    /// If a sum has more than 38 digits.
    pub fn bounds_between(
        &self,
        aggregate: Aggregate,
        groups: impl IntoIterator<Item = (u32, u32, u32)>,
    ) -> Result<Option<(Exact, Exact)>> {
        let mut spans: Vec<Span> = Vec::new();
        let (mut rows_least, mut rows_most) = (0, 0);
        for (group, least, most) in groups {
            if group as usize >= self.pool().n_groups() || least > most || u64::from(most) > self.pool().size(group) {
                return Err(Error::bug("a question selects people that no group has"));
            }
            let (run, size) = (self.run(group), self.pool().size(group));
            let (least, most) = (u64::from(least), u64::from(most));
            let forced = |matching: u64| (least + matching).saturating_sub(size);
            rows_least += forced(run.rows());
            rows_most += most.min(run.rows());
            if most.min(run.len()) > 0 {
                spans.push(Span { run, least: forced(run.len()), most: most.min(run.len()) });
            }
        }
        let least = spans.iter().map(|span| span.least).sum();
        let whole = |bounds: (i128, i128)| (Exact::whole(bounds.0), Exact::whole(bounds.1));
        Ok(match aggregate {
            Aggregate::CountRows => Some(whole((rows_least.into(), rows_most.into()))),
            Aggregate::Count => Some(whole((i128::from(least), spans.iter().map(|span| i128::from(span.most)).sum()))),
            Aggregate::Sum => Some(whole(sum(&spans)?)),
            Aggregate::Avg if spans.is_empty() => None,
            Aggregate::Avg => Some(super::average::bounds(&spans, least)?),
            Aggregate::Min => super::min_max::bounds(&spans, false).map(|ends| whole(ends.bounds)),
            Aggregate::Max => super::min_max::bounds(&spans, true).map(|ends| whole(ends.bounds)),
        })
    }
}

/// Bounds of SUM.
pub(super) fn sum(spans: &[Span]) -> Result<(i128, i128)> {
    let (mut lower, mut upper) = (Total::default(), Total::default());
    for span in spans {
        lower.add_total(span.least_sum());
        upper.add_total(span.greatest_sum());
    }
    Ok((lower.finish()?, upper.finish()?))
}
