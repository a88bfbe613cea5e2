//! Cliques: sets of values that are near one another, which no grouping can spread thinner than its groups allow.

use super::{LEAST_SIZE, allowed};
use crate::Neighbours;
use crate::exact::{Fraction, compare_products};
use rayon::prelude::*;
use scumble_table::{Code, Decimal, Ratio};
use std::cmp::Reverse;

/// The greatest share of a clique in groups of at least `k` rows, of any sizes: the greatest (t_s + 1) / s over s >= k.
/// No grouping whatever holds a clique with a greater share of all rows.
///
/// Among the sizes with the same t the least is the best, which is 1 + ceil(t / (1 - delta)) once that is k or more. Its
/// share is at most (t + 1) / (1 + t / (1 - delta)), which falls towards 1 - delta as t rises, so the search ends when
/// that bound is no more than what was found. It is at the latest at the first size of 1 more than a multiple of the
/// denominator of delta, whose share is on the bound: for deltas of four digits after ten thousand steps.
pub fn clique_share(k: u64, delta: Decimal) -> Ratio {
    let (p, q) = Fraction::new(delta).parts();
    let near = q - p.min(q);
    let k = k.max(LEAST_SIZE);
    let first = allowed(k, delta);
    // Over and under the line, both at most 64 bits.
    let mut best = (first + 1, k);
    let greater = |a: (u128, u128), b: (u64, u64)| compare_products(a.0, b.1.into(), b.0.into(), a.1).is_gt();
    if near == 0 || best.0 == best.1 {
        return ratio(best);
    }
    for t in first.saturating_add(1)..first.saturating_add(MOST_STEPS) {
        // (t + 1) / (1 + t q / near) as a fraction.
        let (over, under) = (near.checked_mul(u128::from(t) + 1), q.checked_mul(t.into()));
        let (Some(over), Some(under)) = (over, under.and_then(|under| under.checked_add(near))) else { break };
        if !greater((over, under), best) {
            return ratio(best);
        }
        let Ok(size) = u64::try_from((under - near).div_ceil(near) + 1) else { break };
        if greater((u128::from(t) + 1, size.max(k).into()), best) {
            best = (t + 1, size.max(k));
        }
    }
    // Deltas of very many digits. A group of s rows holds at most (1 - delta) (s - 1) + 1 of a clique, a share that is
    // greatest for the smallest groups: 1 - delta + delta / k. Where even that has too many digits nothing is ruled out.
    let over = q.checked_mul(k.into()).and_then(|all| all.checked_sub(p.checked_mul(u128::from(k) - 1)?));
    match (over.and_then(|over| i128::try_from(over).ok()), q.checked_mul(k.into()).map(i128::try_from)) {
        (Some(over), Some(Ok(under))) => Ratio::new(over, under),
        _ => Ratio::new(1, 1),
    }
}

/// Steps of the search for the best size: enough for every delta of four digits.
const MOST_STEPS: u64 = 10_001;

fn ratio((over, under): (u64, u64)) -> Ratio {
    Ratio::new(over.into(), under.into())
}

/// Deltas are told at this many digits after the point.
pub(crate) const DELTA_DIGITS: u8 = 4;

/// The smallest delta, at four digits after the point, that a clique of `rows` of `n` rows rules out for groups of at
/// least `k`; nothing where it rules out none.
pub fn smallest_ruled_out(rows: u64, n: u64, k: u64) -> Option<Decimal> {
    let clique = Clique { values: Vec::new(), rows };
    let most = 10i128.pow(u32::from(DELTA_DIGITS));
    let delta = |units: i128| Decimal::new(units, DELTA_DIGITS);
    if !clique.rules_out(n, k, delta(most)) {
        return None;
    }
    // The share that groups hold falls as delta rises.
    let (mut low, mut high) = (0, most);
    while low < high {
        let middle = low + (high - low) / 2;
        if clique.rules_out(n, k, delta(middle)) { high = middle } else { low = middle + 1 }
    }
    Some(delta(low))
}

/// A set of values that are near one another, pair by pair, and the rows that have them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Clique {
    /// The values, rising.
    pub values: Vec<Code>,
    /// Rows of all of them.
    pub rows: u64,
}

impl Clique {
    /// True if every pair is near: a certificate proves nothing before this has been looked at.
    pub fn is_clique(&self, neighbours: &Neighbours) -> bool {
        let pairs = |(i, &a): (usize, &Code)| {
            !neighbours.is_cancelled() && self.values[..i].iter().all(|&b| neighbours.near(a, b))
        };
        self.values.par_iter().enumerate().all(pairs)
    }

    /// True if no grouping of `n` rows into groups of at least `k` can meet delta, whatever the sizes of the groups.
    pub fn rules_out(&self, n: u64, k: u64, delta: Decimal) -> bool {
        n > 0 && ratio((self.rows, n)) > clique_share(k, delta)
    }
}

/// Values from which cliques are grown, and how many at a time.
const SEEDS: usize = 200;
const AT_A_TIME: usize = 8;

/// Values from which they are grown where neighbours are not kept, and how often a distance is then asked for one of them:
/// some seconds together.
const FEW_SEEDS: usize = 4;
const MOST_ASKED: usize = 1 << 28;

/// Values among which the seeds are looked for where to walk over the graph would take too long.
const TRIED: usize = 128;

/// The heaviest clique found: from each of the values of the highest degrees one is grown, heaviest neighbours first, or
/// those with the most neighbours. All its pairs have been looked at. It may not be the heaviest that there is, which
/// no fast search finds.
///
/// # Panics
/// If there is not one weight and one degree per value.
pub fn heaviest_clique(neighbours: &Neighbours, weights: &[u32], degrees: &[u64]) -> Clique {
    assert_eq!((weights.len(), degrees.len()), (neighbours.len(), neighbours.len()), "one of each per value");
    let by_degree = |value: &Code| (Reverse(degrees[*value as usize]), *value);
    let by_rows = |value: &Code| (Reverse(weights[*value as usize]), *value);
    let seeds = match neighbours.is_kept() {
        true => first_by_key(occurring(weights), SEEDS, by_degree),
        false => apart(neighbours, sorted(&occurring(weights), by_degree)),
    };
    // No clique around a seed has more rows than it and its neighbours.
    let most = |seed: Code| degrees[seed as usize] + 1;
    let orders = |candidates: &[Code]| [sorted(candidates, by_rows), sorted(candidates, by_degree)];
    heaviest_of(neighbours, weights, &seeds, most, orders)
}

/// The same without degrees, where to count all neighbours would take too long: from the best of the heaviest values and
/// of some from everywhere.
pub(crate) fn heavy_clique(neighbours: &Neighbours, weights: &[u32]) -> Clique {
    let by_rows = |value: &Code| (Reverse(weights[*value as usize]), *value);
    let all = occurring(weights);
    let spread = all.iter().copied().step_by(all.len().div_ceil(TRIED / 2).max(1));
    let tried: Vec<Code> = spread.chain(first_by_key(all.clone(), TRIED / 2, by_rows)).collect();
    let rows = |&value: &Code| {
        let mut rows = 0u64;
        neighbours.each_near(value, |other| rows += u64::from(weights[other as usize]));
        (Reverse(rows), value)
    };
    let mut tried: Vec<(Reverse<u64>, Code)> = tried.par_iter().map(rows).collect();
    tried.sort_unstable();
    let seeds = apart(neighbours, tried.into_iter().map(|(_, value)| value).collect());
    heaviest_of(neighbours, weights, &seeds, |_| u64::MAX, |candidates| [sorted(candidates, by_rows)])
}

/// The first of some values that are not near one another: cliques around near ones are much the same.
fn apart(neighbours: &Neighbours, values: Vec<Code>) -> Vec<Code> {
    let mut chosen: Vec<Code> = Vec::new();
    for value in values {
        if chosen.len() < FEW_SEEDS && chosen.iter().all(|&other| !neighbours.near(other, value)) {
            chosen.push(value);
        }
    }
    chosen
}

fn occurring(weights: &[u32]) -> Vec<Code> {
    (0..).zip(weights).filter(|(_, weight)| **weight > 0).map(|(value, _)| value).collect()
}

fn first_by_key<K: Ord>(mut values: Vec<Code>, n: usize, key: impl Fn(&Code) -> K) -> Vec<Code> {
    if values.len() > n {
        values.select_nth_unstable_by_key(n, &key);
        values.truncate(n);
    }
    values.sort_unstable_by_key(key);
    values
}

fn sorted<K: Ord>(values: &[Code], key: impl Fn(&Code) -> K) -> Vec<Code> {
    let mut values = values.to_vec();
    values.sort_unstable_by_key(key);
    values
}

/// The heaviest of the cliques grown from seeds in several orders. `most` bounds the rows of a clique around a seed, and
/// does not rise from one seed to the next where it is to save work. What comes out does not depend on threads.
fn heaviest_of<const ORDERS: usize>(
    neighbours: &Neighbours,
    weights: &[u32],
    seeds: &[Code],
    most: impl Fn(Code) -> u64,
    orders: impl Fn(&[Code]) -> [Vec<Code>; ORDERS] + Sync,
) -> Clique {
    let heavier = |a: &Clique, b: &Clique| a.rows.cmp(&b.rows).then_with(|| b.values.cmp(&a.values));
    let grow = |&seed: &Code| {
        let mut candidates: Vec<Code> = Vec::new();
        neighbours.each_near(seed, |other| candidates.push(other));
        candidates.retain(|&value| weights[value as usize] > 0);
        let grown = orders(&candidates).map(|order| {
            let mut values = neighbours.gather(seed, &order, MOST_ASKED);
            values.sort_unstable();
            Clique { rows: values.iter().map(|&value| u64::from(weights[value as usize])).sum(), values }
        });
        grown.into_iter().max_by(heavier)
    };
    let mut best = Clique::default();
    for some in seeds.chunks(AT_A_TIME) {
        if neighbours.is_cancelled() || some.first().is_none_or(|&seed| most(seed) <= best.rows) {
            break;
        }
        let grown = some.par_iter().filter_map(grow).max_by(heavier).unwrap_or_default();
        // A function that is not what it says could deceive; a certificate must not.
        if grown.rows > best.rows && grown.is_clique(neighbours) {
            best = grown;
        }
    }
    best
}
