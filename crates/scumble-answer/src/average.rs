//! AVG, of exact people and with a predicate on their values.

use super::bounds::Span;
use super::exact::Total;
use super::matching_values::{Hit, MatchingValues};
use super::ratio::{self, Share};
use super::{Answer, Confidence, Exact, Moments};
use scumble_table::Result;

impl MatchingValues<'_> {
    /// AVG over an unknown number of matching rows. Where their number is known, it is the sum divided by it.
    pub(super) fn avg(&self, hits: &[(u32, u32)], confidence: Option<Confidence>) -> Result<Answer> {
        let (least, most) =
            self.groups(hits).fold((0, 0), |(least, most), hit| (least + hit.least(), most + hit.most()));
        if most == 0 {
            return Ok(Answer::null());
        }
        if least == most {
            return self.avg_of_known(hits, least, confidence);
        }
        let groups: Vec<Hit> = self.groups(hits).filter(|hit| hit.most() > 0).collect();
        let spans: Vec<Span> = groups.iter().copied().map(Span::from).collect();
        let shares: Vec<Share> = groups.iter().map(Share::of).collect();
        let moments = ratio::moments(&shares);
        Ok(Answer::of(bounds(&spans, least)?, moments, least > 0).within(confidence, None))
    }

    fn avg_of_known(&self, hits: &[(u32, u32)], rows: u64, confidence: Option<Confidence>) -> Result<Answer> {
        // Every group then gives either all or a fixed number of matching rows, so zeros never decide: the bounds of
        // SUM are those of the values themselves.
        let sums = self.sums(hits);
        let bounds = (Exact::mean(sums.lower.finish()?, rows), Exact::mean(sums.upper.finish()?, rows));
        let n = rows as f64;
        let (moments, squares) = (sums.moments, sums.squares);
        let moments = Moments { mean: moments.mean / n, variance: moments.variance / (n * n) };
        let half = confidence.map(|confidence| confidence.hoeffding(squares) / n);
        Ok(Answer::of(bounds, moments, true).within(confidence, half))
    }
}

/// Bounds of AVG over groups that may give a row each, of which `forced` rows must be given.
pub(super) fn bounds(spans: &[Span], forced: u64) -> Result<(Exact, Exact)> {
    Ok((least_average(spans, forced)?, greatest_average(spans, forced)?))
}

/// The least average of matching values, one row at least.
///
/// Where no row is forced, one row alone can be the whole answer, and no average is below the least value. Else
/// Dinkelbach's iteration: with `lambda` the average of some feasible choice, the choice that makes
/// `sum - lambda * count` least takes from each group its least values as long as they are below `lambda`, within
/// `L..=U`. If its average is not below `lambda`, that least difference is 0, so no choice has an average below
/// `lambda`; else its average is the next `lambda`. Each step gives the average of another choice, strictly lower, so
/// it ends; convergence is superlinear.
///
/// Values are whole, so with `lambda = sum / count` a value is below `lambda` if and only if it is at most
/// `(sum - 1) div count`.
fn least_average(spans: &[Span], forced: u64) -> Result<Exact> {
    if forced == 0 {
        return Ok(Exact::whole(spans.iter().map(|span| span.run.value(0)).min().unwrap_or(0)));
    }
    let mut best = choose(spans, |span| span.least, |span, n| span.run.least(n))?;
    loop {
        let below = (best.0 - 1).div_euclid(i128::from(best.1));
        let take = |span: &Span| span.run.at_most(below).clamp(span.least, span.most);
        let next = choose(spans, take, |span, n| span.run.least(n))?;
        if !is_below(next, best) {
            return Ok(Exact::mean(best.0, best.1));
        }
        best = next;
    }
}

/// The greatest average, by the same argument upside down: a value is above `sum / count` if and only if it is not at most
/// `sum div count`.
fn greatest_average(spans: &[Span], forced: u64) -> Result<Exact> {
    if forced == 0 {
        return Ok(Exact::whole(spans.iter().map(|span| span.run.value(span.run.len() - 1)).max().unwrap_or(0)));
    }
    let mut best = choose(spans, |span| span.least, |span, n| span.run.greatest(n))?;
    loop {
        let not_above = best.0.div_euclid(i128::from(best.1));
        let take = |span: &Span| (span.run.len() - span.run.at_most(not_above)).clamp(span.least, span.most);
        let next = choose(spans, take, |span, n| span.run.greatest(n))?;
        if !is_below(best, next) {
            return Ok(Exact::mean(best.0, best.1));
        }
        best = next;
    }
}

/// Sum and number of what is taken from all groups.
fn choose(spans: &[Span], take: impl Fn(&Span) -> u64, sum: impl Fn(&Span, u64) -> Total) -> Result<(i128, u64)> {
    let (mut total, mut count) = (Total::default(), 0);
    for span in spans {
        let n = take(span);
        total.add_total(sum(span, n));
        count += n;
    }
    Ok((total.finish()?, count))
}

/// Whether one average is strictly below another, by whole parts and rests so that nothing overflows.
fn is_below(a: (i128, u64), b: (i128, u64)) -> bool {
    let whole = |(sum, n): (i128, u64)| sum.div_euclid(i128::from(n));
    let rest = |(sum, n): (i128, u64)| sum.rem_euclid(i128::from(n)) as u128;
    // Rests are below a count of rows, so their products fit.
    (whole(a), rest(a) * u128::from(b.1)) < (whole(b), rest(b) * u128::from(a.1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn averages_are_compared_exactly() {
        let big = 10i128.pow(38) - 1;
        assert!(is_below((-3, 2), (-1, 1)) && !is_below((-1, 1), (-3, 2)));
        assert!(is_below((big - 1, 7), (big, 7)) && is_below((1, 3), (2, 5)) && !is_below((2, 4), (1, 2)));
    }
}
