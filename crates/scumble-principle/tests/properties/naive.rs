//! The definitions once more, slowly: fractions of whole numbers of any length, and the earth
//! mover's distance as a transport problem.

use num_bigint::BigInt;
use scumble_principle::{
    AlphaKAnonymity, BetaLikeness, DeltaDisclosure, DistinctLDiversity, EntropyLDiversity, FrequencyLDiversity, Ground,
    KAnonymity, KeAnonymity, ProximityAbsolute, ProximityInterval, ProximityRelative, ProximityWindow,
    RecursiveLDiversity, Requirement, TCloseness, Variance,
};
use scumble_table::{Bag, Code, Decimal, Domain, NULL};
use std::cmp::Ordering;

/// numerator / denominator, the latter positive.
#[derive(Debug, Clone)]
pub(crate) struct Exact(pub(crate) BigInt, pub(crate) BigInt);

impl Exact {
    fn new(value: Decimal) -> Self {
        Exact(value.mantissa().into(), BigInt::from(10).pow(value.scale().into()))
    }

    fn cmp(&self, other: &Exact) -> Ordering {
        (&self.0 * &other.1).cmp(&(&other.0 * &self.1))
    }
}

/// Whether a group passes, by definition.
pub(crate) fn holds(requirement: &Requirement, domain: &Domain, whole: &Bag, group: &Bag) -> bool {
    let n = BigInt::from(group.size());
    let mut counts: Vec<u32> = group.counts().iter().map(|pair| pair.1).collect();
    counts.sort_unstable();
    counts.reverse();
    let Some(&top) = counts.first() else { return false };
    if let Some(p) = requirement.get::<KAnonymity>() {
        return group.size() >= p.k();
    }
    if let Some(p) = requirement.get::<DistinctLDiversity>() {
        return counts.len() as u64 >= p.l();
    }
    if let Some(p) = requirement.get::<FrequencyLDiversity>() {
        return Exact::new(p.l()).cmp(&Exact(n, top.into())).is_le();
    }
    if let Some(p) = requirement.get::<EntropyLDiversity>() {
        let (l, size) = (Exact::new(p.l()), group.size() as u32);
        let product: BigInt = counts.iter().map(|&c| BigInt::from(c).pow(c)).product();
        return n.pow(size) * l.1.pow(size) >= l.0.pow(size) * product;
    }
    if let Some(p) = requirement.get::<RecursiveLDiversity>() {
        let tail: u32 = counts.iter().skip(p.l() as usize - 1).sum();
        let c = Exact::new(p.c());
        return BigInt::from(top) * c.1 < c.0 * tail;
    }
    if let Some(p) = requirement.get::<TCloseness>() {
        return earth_mover(domain, whole, group, p.ground()).cmp(&Exact::new(p.t())).is_le();
    }
    if let Some(p) = requirement.get::<BetaLikeness>() {
        let beta = Exact::new(p.beta());
        return shares(whole, group).into_iter().all(|(q, p_v)| {
            let gain = difference(&q, &p_v).over(&p_v);
            let loss = difference(&p_v, &q).over(&p_v);
            // A gain is at most -ln p exactly if e^gain is at most 1 / p.
            let below_ln = gain.0 <= BigInt::ZERO || is_exp_below(&gain, &Exact(p_v.1.clone(), p_v.0.clone()));
            gain.cmp(&beta).is_le()
                && (!p.gain().is_enhanced() || below_ln)
                && (!p.gain().is_two_sided() || loss.cmp(&beta).is_le())
        });
    }
    if let Some(p) = requirement.get::<DeltaDisclosure>() {
        let delta = Exact::new(p.delta());
        return shares(whole, group).into_iter().all(|(q, p_v)| {
            let far = |a: &Exact, b: &Exact| is_exp_below(&delta, &a.over(b));
            q.0 > BigInt::ZERO && !far(&q, &p_v) && !far(&p_v, &q)
        });
    }
    if let Some(p) = requirement.get::<AlphaKAnonymity>() {
        return group.size() >= p.k() && Exact(top.into(), n).cmp(&Exact::new(p.alpha())).is_le();
    }
    if let Some(p) = requirement.get::<Variance>() {
        return variance(domain, group).cmp(&Exact::new(p.t())).is_ge();
    }
    if let Some(p) = requirement.get::<KeAnonymity>() {
        let amounts = || group.counts().iter().filter(|pair| pair.0 != NULL).map(|pair| domain.amount(pair.0).unwrap());
        let span = amounts().max().unwrap_or(0) - amounts().min().unwrap_or(0);
        let unit = BigInt::from(10).pow(domain.scale().into());
        return counts.len() as u64 >= p.k() && Exact(span.into(), unit).cmp(&Exact::new(p.e())).is_ge();
    }
    if let Some(p) = requirement.get::<ProximityAbsolute>() {
        return near_at_most(domain, group, p.m(), |x, y| within(&apart(x, y), p.epsilon()));
    }
    if let Some(p) = requirement.get::<ProximityInterval>() {
        return near_at_most(domain, group, p.m(), |x, y| {
            within(&apart(x, y), if x.cmp(y).is_gt() { p.e1() } else { p.e2() })
        });
    }
    if let Some(p) = requirement.get::<ProximityRelative>() {
        return near_at_most(domain, group, p.m(), |x, y| {
            let (epsilon, magnitude) = (Exact::new(p.epsilon()), Exact(x.0.magnitude().clone().into(), x.1.clone()));
            apart(x, y).cmp(&Exact(epsilon.0 * magnitude.0, epsilon.1 * magnitude.1)).is_le()
        });
    }
    if let Some(p) = requirement.get::<ProximityWindow>() {
        // Every window that starts at a number of the group; any other can be moved up to one.
        let (e1, e2) = (Exact::new(p.e1()), Exact::new(p.e2()));
        let length = Exact(&e1.0 * &e2.1 + &e2.0 * &e1.1, e1.1 * e2.1);
        return near_at_most(domain, group, p.m(), |x, y| !y.cmp(x).is_lt() && apart(x, y).cmp(&length).is_le());
    }
    panic!("{requirement} is not about one column")
}

/// Whether for each number of the group at most one in m of its rows are near it.
fn near_at_most(domain: &Domain, group: &Bag, m: u64, near: impl Fn(&Exact, &Exact) -> bool) -> bool {
    let unit = BigInt::from(10).pow(domain.scale().into());
    let number = |code: Code| Exact(domain.amount(code).unwrap().into(), unit.clone());
    group.counts().iter().all(|&(x, _)| {
        let is_near = |y: Code| if x == NULL || y == NULL { x == y } else { near(&number(x), &number(y)) };
        let rows: u64 = group.counts().iter().filter(|pair| is_near(pair.0)).map(|pair| u64::from(pair.1)).sum();
        rows * m <= group.size()
    })
}

fn apart(x: &Exact, y: &Exact) -> Exact {
    Exact(BigInt::from((&x.0 - &y.0).magnitude().clone()), x.1.clone())
}

fn within(distance: &Exact, most: Decimal) -> bool {
    distance.cmp(&Exact::new(most)).is_le()
}

/// The share in the group and in the whole of each value of the whole.
fn shares(whole: &Bag, group: &Bag) -> Vec<(Exact, Exact)> {
    let share = |bag: &Bag, code: Code| Exact(bag.count(code).into(), bag.size().into());
    whole.counts().iter().map(|&(code, _)| (share(group, code), share(whole, code))).collect()
}

fn difference(a: &Exact, b: &Exact) -> Exact {
    Exact(&a.0 * &b.1 - &b.0 * &a.1, &a.1 * &b.1)
}

impl Exact {
    /// The quotient, by a positive number.
    fn over(&self, other: &Exact) -> Exact {
        Exact(&self.0 * &other.1, &self.1 * &other.0)
    }
}

/// Whether e^x is at most y, for x above 0, by the first terms of the series for the exponential: what they leave out is at most the last of
/// them, as soon as each is less than half the one before it.
fn is_exp_below(x: &Exact, y: &Exact) -> bool {
    for terms in [60u32, 120, 240, 480] {
        let (mut sum, mut term) = (Exact(1.into(), 1.into()), Exact(1.into(), 1.into()));
        for i in 1..=terms {
            term = Exact(&term.0 * &x.0, &term.1 * &x.1 * i);
            // All terms over one denominator, which the last has.
            sum = Exact(&sum.0 * (&x.1 * i) + &term.0, term.1.clone());
        }
        let rest_is_small = &x.0 * 2 < &x.1 * BigInt::from(terms);
        let upper = Exact(&sum.0 + &term.0, sum.1.clone());
        if sum.cmp(y).is_gt() {
            return false;
        }
        if rest_is_small && upper.cmp(y).is_le() {
            return true;
        }
    }
    panic!("e^{x:?} and {y:?} are too close")
}

/// The mean of squared differences from the mean, of the numbers that are there.
pub(crate) fn variance(domain: &Domain, group: &Bag) -> Exact {
    let unit = BigInt::from(10).pow(domain.scale().into());
    let numbers: Vec<BigInt> = group
        .counts()
        .iter()
        .filter(|pair| pair.0 != NULL)
        .flat_map(|&(code, count)| vec![BigInt::from(domain.amount(code).unwrap()); count as usize])
        .collect();
    if numbers.is_empty() {
        return Exact(0.into(), 1.into());
    }
    let n = BigInt::from(numbers.len());
    let sum: BigInt = numbers.iter().sum();
    let squares: BigInt = numbers.iter().map(|x| (&n * x - &sum).pow(2)).sum();
    Exact(squares, n.pow(3) * unit.pow(2))
}

/// The least cost of turning the group's distribution into that of the whole.
pub(crate) fn earth_mover(domain: &Domain, whole: &Bag, group: &Bag, ground: Ground) -> Exact {
    let codes: Vec<Code> = whole.counts().iter().map(|pair| pair.0).collect();
    let (n, total) = (group.size() as i64, whole.size() as i64);
    let supply: Vec<i64> = codes.iter().map(|&code| i64::from(group.count(code)) * total).collect();
    let demand: Vec<i64> = codes.iter().map(|&code| i64::from(whole.count(code)) * n).collect();
    let steps = |a: usize, b: usize| -> i64 {
        match ground {
            _ if a == b => 0,
            Ground::Equal => 1,
            Ground::Ordered => (a as i64 - b as i64).abs(),
            Ground::Hierarchical => {
                let tree = domain.hierarchy().unwrap();
                match (domain.leaf(codes[a]), domain.leaf(codes[b])) {
                    (Some(x), Some(y)) => tree.node(tree.lowest_over(x.min(y), x.max(y))).level.into(),
                    _ => tree.height().into(),
                }
            }
        }
    };
    let longest = match ground {
        Ground::Equal => 1,
        Ground::Ordered => (codes.len() as i64 - 1).max(1),
        Ground::Hierarchical => domain.hierarchy().unwrap().height().into(),
    };
    let cost: Vec<Vec<i64>> = (0..codes.len()).map(|a| (0..codes.len()).map(|b| steps(a, b)).collect()).collect();
    Exact(transport(&supply, &demand, &cost).into(), (n * total * longest).into())
}

/// Minimum cost flow by successive shortest paths (Bellman-Ford), for a handful of places.
fn transport(supply: &[i64], demand: &[i64], cost: &[Vec<i64>]) -> i64 {
    let m = supply.len();
    let (source, sink) = (2 * m, 2 * m + 1);
    // (from, to, capacity, cost); the edge after an edge is its reverse.
    let mut edges: Vec<(usize, usize, i64, i64)> = Vec::new();
    let mut edge = |from, to, capacity, cost: i64| {
        edges.push((from, to, capacity, cost));
        edges.push((to, from, 0, -cost));
    };
    for i in 0..m {
        edge(source, i, supply[i], 0);
        edge(m + i, sink, demand[i], 0);
        for (j, &steps) in cost[i].iter().enumerate() {
            edge(i, m + j, i64::MAX, steps);
        }
    }
    let mut total = 0;
    loop {
        let mut best = vec![(i64::MAX, usize::MAX); 2 * m + 2];
        best[source].0 = 0;
        for _ in 0..2 * m + 2 {
            for (at, &(from, to, capacity, cost)) in edges.iter().enumerate() {
                if capacity > 0 && best[from].0 < i64::MAX && best[from].0 + cost < best[to].0 {
                    best[to] = (best[from].0 + cost, at);
                }
            }
        }
        if best[sink].0 == i64::MAX {
            return total;
        }
        let path =
            || std::iter::successors(Some(best[sink].1), |&at| (edges[at].0 != source).then(|| best[edges[at].0].1));
        let amount = path().map(|at| edges[at].2).min().unwrap();
        let path: Vec<usize> = path().collect();
        for at in path {
            edges[at].2 -= amount;
            edges[at ^ 1].2 = edges[at ^ 1].2.saturating_add(amount);
        }
        total += amount * best[sink].0;
    }
}
