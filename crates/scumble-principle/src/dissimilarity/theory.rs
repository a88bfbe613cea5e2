//! What can be said about a table before any group is formed (paper 2, sections III to V, with ALGORITHMS.md E9 to
//! E14): how many neighbours a group allows, how many classes there are and of which sizes, which maximum degree
//! guarantees a colouring, and which clique rules one out.

use super::Neighbours;
use crate::exact::Fraction;
use rayon::prelude::*;
use scumble_table::{Code, Decimal, Ratio};

/// The most neighbours that a row of a group of `size` rows may have: floor((1 - delta) (size - 1)), exactly. Nothing is
/// allowed to a group of fewer than two, whose risk is 1 by Definition 6 unless delta is 0.
pub fn allowed(size: u64, delta: Decimal) -> u64 {
    let (p, q) = Fraction::new(delta).parts();
    let others = u128::from(size.saturating_sub(1));
    // (q - p) / q with p <= q: the product has at most 64 bits more than q.
    let near = q.saturating_sub(p);
    match near.checked_mul(others) {
        Some(product) => u64::try_from(product / q).unwrap_or(u64::MAX),
        None => u64::try_from(num_bigint::BigUint::from(near) * others / q).unwrap_or(u64::MAX),
    }
}

/// The classes of an equitable colouring of n rows, at least k of them each (ALGORITHMS.md E10).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Classes {
    /// Number of classes: floor(n / k).
    pub count: u64,
    /// Rows of the smaller ones: floor(n / count).
    pub size: u64,
    /// How many classes have one row more.
    pub larger: u64,
}

impl Classes {
    /// As many classes of at least `k` rows as `n` rows allow; none where there are fewer rows than `k`.
    pub fn new(n: u64, k: u64) -> Option<Classes> {
        let count = n.checked_div(k).filter(|&count| count > 0)?;
        Some(Classes { count, size: n / count, larger: n % count })
    }

    /// Sizes of all classes, the larger ones first.
    pub fn sizes(self) -> impl Iterator<Item = u64> {
        (0..self.count).map(move |class| self.size + u64::from(class < self.larger))
    }

    /// The most members of a clique that these classes hold together: one more than a member may have neighbours, each.
    pub fn capacity(self, delta: Decimal) -> u64 {
        let held = |size: u64| (allowed(size, delta) + 1).min(size);
        self.larger * held(self.size + 1) + (self.count - self.larger) * held(self.size)
    }

    /// The greatest maximum degree for which a colouring is guaranteed, with the floor that Inequality 4 of the paper
    /// drops (ALGORITHMS.md E11). With classes of one size it is the greatest Θ with 2Θ <= m(t + 1) or
    /// Θ(2s - 1) < ms(t + 1); with two sizes that with 2Θ < m(t + 1) for the t of the smaller.
    pub fn guaranteed_degree(self, delta: Decimal) -> u64 {
        self.degree_for(allowed(self.size, delta))
    }

    fn degree_for(self, t: u64) -> u64 {
        let m = u128::from(self.count) * (u128::from(t) + 1);
        let degree = if self.larger > 0 {
            m.saturating_sub(1) / 2
        } else {
            let s = u128::from(self.size);
            (m / 2).max((m * s).saturating_sub(1) / (2 * s - 1))
        };
        u64::try_from(degree).unwrap_or(u64::MAX)
    }

    /// The greatest delta for which a colouring is guaranteed under a maximum degree; at least 0, which any classes meet.
    pub fn guaranteed_delta(self, max_degree: u64) -> Ratio {
        if self.size < 2 {
            return Ratio::new(0, 1);
        }
        // The least t that will do. All of a class near each other is t = size - 1, which is delta 0.
        let (mut low, mut high) = (0, self.size - 1);
        while low < high {
            let t = low + (high - low) / 2;
            if self.degree_for(t) >= max_degree { high = t } else { low = t + 1 }
        }
        Ratio::new(i128::from(self.size - 1 - low), i128::from(self.size - 1))
    }
}

/// The greatest share of a clique in groups of at least `k` rows, of any sizes: the greatest (t_s + 1) / s over s >= k.
/// No grouping whatever holds a clique with a greater share of all rows.
///
/// Among the sizes with the same t the least is the best, which is 1 + ceil(t / (1 - delta)) once that is k or more. Its
/// share is at most (t + 1) / (1 + t / (1 - delta)), which falls towards 1 - delta as t rises, so the search ends when
/// that bound is no more than what was found.
pub fn clique_share(k: u64, delta: Decimal) -> Ratio {
    let (p, q) = Fraction::new(delta).parts();
    let near = q - p.min(q);
    let share = |size: u64| Ratio::new(i128::from((allowed(size, delta) + 1).min(size)), i128::from(size.max(1)));
    let mut best = share(k.max(1));
    if near == 0 || best >= Ratio::new(1, 1) {
        return best;
    }
    let first = allowed(k.max(1), delta);
    // Beyond some hundreds of steps the shares differ from 1 - delta by less than anything that matters, and the bound
    // at the end is taken instead: that is sound, since it is no less than any share behind it.
    for t in first + 1..first + 1000 {
        // (t + 1) / (1 + t q / near) as a fraction.
        let (Some(over), Some(under)) = (near.checked_mul(u128::from(t) + 1), q.checked_mul(u128::from(t))) else {
            break;
        };
        let (Ok(over), Ok(under)) = (i128::try_from(over), i128::try_from(under + near)) else { break };
        let bound = Ratio::new(over, under);
        if bound <= best {
            return best;
        }
        let size = u64::try_from((u128::from(t) * q).div_ceil(near) + 1).unwrap_or(u64::MAX);
        best = best.max(share(size.max(k)));
        if t == first + 999 {
            return bound.max(best);
        }
    }
    // Parameters of very many digits: nothing is ruled out.
    Ratio::new(1, 1)
}

/// Deltas are told at this many digits after the point.
const DELTA_DIGITS: u8 = 4;

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
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clique {
    /// The values, rising.
    pub values: Vec<Code>,
    /// Rows of all of them.
    pub rows: u64,
}

/// Values from which cliques are grown (ALGORITHMS.md 2c).
const SEEDS: usize = 200;

/// The heaviest clique found: from each of the values of the highest degrees one is grown, heaviest neighbours first,
/// and its pairs are checked once more at the end.
pub fn heaviest_clique(neighbours: &Neighbours, weights: &[u32], degrees: &[u64]) -> Clique {
    let mut seeds: Vec<Code> = (0..neighbours.len() as Code).collect();
    let heavier = |&value: &Code| (std::cmp::Reverse(degrees[value as usize]), value);
    if seeds.len() > SEEDS {
        seeds.select_nth_unstable_by_key(SEEDS, heavier);
        seeds.truncate(SEEDS);
    }
    seeds.sort_unstable_by_key(heavier);
    let grown = seeds.par_iter().map(|&seed| grow(seed, neighbours, weights, degrees));
    let best = grown.max_by(|a, b| a.rows.cmp(&b.rows).then_with(|| b.values.cmp(&a.values)));
    best.unwrap_or(Clique { values: Vec::new(), rows: 0 })
}

fn grow(seed: Code, neighbours: &Neighbours, weights: &[u32], degrees: &[u64]) -> Clique {
    let mut candidates: Vec<Code> = Vec::new();
    neighbours.each_near(seed, |other| candidates.push(other));
    // Two orders: by rows, and by how many rows are near, for many light values may outweigh a few heavy ones.
    let by_rows = |&value: &Code| (std::cmp::Reverse(weights[value as usize]), value);
    let by_degree = |&value: &Code| (std::cmp::Reverse(degrees[value as usize]), value);
    candidates.sort_unstable_by_key(by_rows);
    let one = gather(seed, &candidates, neighbours, weights);
    candidates.sort_unstable_by_key(by_degree);
    let two = gather(seed, &candidates, neighbours, weights);
    if two.rows > one.rows { two } else { one }
}

fn gather(seed: Code, candidates: &[Code], neighbours: &Neighbours, weights: &[u32]) -> Clique {
    let mut values = vec![seed];
    for &value in candidates.iter().filter(|&&value| value != seed) {
        if values.iter().all(|&member| neighbours.near(member, value)) {
            values.push(value);
        }
    }
    values.sort_unstable();
    let rows = values.iter().map(|&value| u64::from(weights[value as usize])).sum();
    Clique { values, rows }
}

impl Clique {
    /// True if every pair is near: a certificate proves nothing before this has been looked at.
    pub fn is_clique(&self, neighbours: &Neighbours) -> bool {
        let pairs = |(i, &a): (usize, &Code)| self.values[..i].iter().all(|&b| neighbours.near(a, b));
        self.values.iter().enumerate().all(pairs)
    }

    /// True if no grouping of `n` rows into groups of at least `k` can meet delta, whatever the sizes of the groups.
    pub fn rules_out(&self, n: u64, k: u64, delta: Decimal) -> bool {
        n > 0 && Ratio::new(i128::from(self.rows), i128::from(n)) > clique_share(k, delta)
    }
}
