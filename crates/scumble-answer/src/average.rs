//! AVG over an unknown number of matching rows. Where their number is known, it is the sum divided by it.

use super::Exact;
use super::count_distribution;
use super::exact::Total;
use super::group::Group;
use super::ratio::{MatchCount, Stratum};
use scumble_table::Result;

/// Steps that the counts of all groups may take before the delta method does without them.
const MOST_STEPS: usize = 20_000_000;

/// Bounds over groups of which at least one row may match, and `forced` rows must.
pub(super) fn bounds<'a>(groups: impl Iterator<Item = Group<'a>>, forced: u64) -> Result<(Exact, Exact)> {
    let groups: Vec<Group> = groups.filter(|group| group.most() > 0).collect();
    Ok((extreme_average(&groups, forced, false)?, extreme_average(&groups, forced, true)?))
}

/// The least or the greatest average of matching values, one row at least.
///
/// Where no row is forced, one row alone can be the whole answer, and no average is below the least value. Otherwise
/// Dinkelbach's iteration: with `lambda` the average of some feasible choice, the choice that makes
/// `sum - lambda * count` least takes from each group its least values as long as they are below `lambda`, within
/// `L..=U`. If its average is not below `lambda`, that least difference is 0, so no choice has an average below
/// `lambda`; else its average is the next `lambda`. Each step gives the average of another choice, strictly lower, so
/// it ends; convergence is superlinear. The greatest average follows by the same argument upside down.
///
/// Values are whole, so with `lambda = sum / count` a value is below `lambda` if and only if it is at most
/// `(sum - 1) div count`, and above it if and only if it is not at most `sum div count`.
fn extreme_average(groups: &[Group], forced: u64, greatest: bool) -> Result<Exact> {
    if forced == 0 {
        let ends = groups.iter().map(|group| group.run.value(if greatest { group.run.len() - 1 } else { 0 }));
        return Ok(Exact::whole(if greatest { ends.max() } else { ends.min() }.unwrap_or(0)));
    }
    let mut best = choose(groups, greatest, |group| group.least())?;
    loop {
        let next = choose(groups, greatest, |group| {
            let n = i128::from(best.1);
            let wanted = if greatest {
                group.run.len() - group.run.at_most(best.0.div_euclid(n))
            } else {
                group.run.at_most((best.0 - 1).div_euclid(n))
            };
            wanted.clamp(group.least(), group.most())
        })?;
        if !(if greatest { is_below(best, next) } else { is_below(next, best) }) {
            return Ok(Exact::mean(best.0, best.1));
        }
        best = next;
    }
}

/// Sum and number of what is taken from all groups, from the least or the greatest values on.
fn choose(groups: &[Group], greatest: bool, take: impl Fn(&Group) -> u64) -> Result<(i128, u64)> {
    let (mut total, mut count) = (Total::default(), 0);
    for group in groups {
        let n = take(group);
        total.add_total(if greatest { group.run.greatest(n) } else { group.run.least(n) });
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

/// The matching values of each group, of which a random number is taken.
pub(super) fn strata<'a>(groups: impl Iterator<Item = Group<'a>>) -> Vec<Stratum> {
    let mut steps = 0usize;
    let stratum = |group: Group| Stratum {
        n: group.run.len(),
        mean: group.run.mean(),
        variance: group.run.variance(),
        count: match_count(&group, &mut steps),
    };
    groups.filter(|group| group.most() > 0).map(stratum).collect()
}

/// How many of the matching values are taken; `steps` counts what all groups so far have cost.
fn match_count(group: &Group, steps: &mut usize) -> MatchCount {
    let (size, n) = (group.size, group.run.len());
    if group.open.is_empty() {
        return MatchCount::Hypergeometric { size, hits: group.certain };
    }
    let (least, most) = (group.least(), group.most());
    let hits = if *steps > MOST_STEPS { None } else { count_distribution::exact(group.open) };
    let mut probabilities = Vec::new();
    if let Some((first, weights)) = hits {
        *steps += (group.open.len() + (most - least) as usize).saturating_mul(weights.len());
        if *steps <= MOST_STEPS {
            probabilities = vec![0.0; (most - least + 1) as usize];
            for (hits, weight) in (group.certain + first..).zip(weights) {
                let count = MatchCount::Hypergeometric { size, hits };
                let (from, drawn) = Stratum { n, mean: 0.0, variance: 0.0, count }.probabilities();
                let to = &mut probabilities[(from - least) as usize..];
                to.iter_mut().zip(drawn).for_each(|(sum, p)| *sum += weight * p);
            }
        }
    }
    MatchCount::Mixed { moments: group.count_moments(n).0, first: least, probabilities }
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
