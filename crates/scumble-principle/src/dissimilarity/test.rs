//! The principle tied to the values of a release.

use super::theory::{self, Clique, DELTA_DIGITS, LEAST_SIZE, heaviest_clique, heavy_clique};
use super::{Dissimilarity, Neighbours};
use crate::exact::{Round, rounded};
use crate::{Attained, Test};
use rayon::prelude::*;
use scumble_table::{Bag, Code, Decimal, Ratio};
use std::sync::{Arc, OnceLock};

/// The principle tied to the values of a release: [`Dissimilarity::with_neighbours`] makes it.
#[derive(Debug)]
pub struct DissimilarityTest {
    principle: Dissimilarity,
    neighbours: Arc<Neighbours>,
    weights: Arc<[u32]>,
    /// Found when it is first asked for, which is not before a caller asks whether all rows can be grouped.
    clique: OnceLock<Clique>,
}

/// Groups of more distinct values than this are judged in parallel.
const LARGE: usize = 1 << 10;

impl DissimilarityTest {
    /// # Panics
    /// If there is not one weight per value.
    pub(super) fn new(principle: Dissimilarity, neighbours: Arc<Neighbours>, weights: &[u32]) -> Self {
        assert_eq!(neighbours.len(), weights.len(), "one weight per value");
        DissimilarityTest { principle, neighbours, weights: weights.into(), clique: OnceLock::new() }
    }

    /// Epsilon, delta and k.
    pub fn principle(&self) -> Dissimilarity {
        self.principle
    }

    /// Which values are near which.
    pub fn neighbours(&self) -> &Arc<Neighbours> {
        &self.neighbours
    }

    /// Rows of each value in the whole release.
    pub fn weights(&self) -> &[u32] {
        &self.weights
    }

    /// The heaviest clique found among all values; every pair of it was looked at.
    pub fn clique(&self) -> &Clique {
        if let Some(clique) = self.clique.get() {
            return clique;
        }
        // Not under the lock, as a thread that waits for others of its pool may be given work that comes here too.
        let clique = match self.neighbours.is_kept() {
            true => heaviest_clique(&self.neighbours, &self.weights, &self.neighbours.degrees(&self.weights)),
            false => heavy_clique(&self.neighbours, &self.weights),
        };
        self.clique.get_or_init(|| clique)
    }

    /// How many rows, given as values with their counts, are near a value, which need not be among them; rows of the
    /// value itself count.
    pub fn rows_near(&self, value: Code, counts: &[(Code, u32)]) -> u64 {
        let near = counts.iter().filter(|pair| pair.0 == value || self.neighbours.near(value, pair.0));
        near.map(|pair| u64::from(pair.1)).sum()
    }

    /// The most others that are near one value of the group.
    pub fn most_near(&self, group: &Bag) -> u64 {
        let near = |one: &(Code, u32)| self.near(one, group);
        match group.distinct() > LARGE {
            true => group.counts().par_iter().map(near).max().unwrap_or(0),
            false => group.counts().iter().map(near).max().unwrap_or(0),
        }
    }

    /// The others of the group that are near one value of it.
    fn near(&self, &(a, count): &(Code, u32), group: &Bag) -> u64 {
        let others = group.counts().iter().filter(|&&(b, _)| a != b && self.neighbours.near(a, b));
        others.map(|pair| u64::from(pair.1)).sum::<u64>() + u64::from(count) - 1
    }

    /// True if the group has all rows of the release.
    fn is_whole(&self, group: &Bag) -> bool {
        let all = (0..).zip(self.weights.iter().copied()).filter(|pair| pair.1 > 0);
        group.counts().iter().copied().eq(all)
    }
}

impl Test for DissimilarityTest {
    fn holds(&self, group: &Bag) -> bool {
        if group.size() < self.least_size() {
            return false;
        }
        let allowed = theory::allowed(group.size(), self.principle.delta());
        // Equal values are near whatever the distance.
        if u64::from(group.top()) > allowed + 1 {
            return false;
        }
        let within = |one: &(Code, u32)| self.near(one, group) <= allowed;
        match group.distinct() > LARGE {
            true => group.counts().par_iter().all(within),
            false => group.counts().iter().all(within),
        }
    }

    fn divisible(&self, group: &Bag) -> bool {
        group.size() / 2 >= self.least_size()
    }

    fn monotone(&self) -> bool {
        false
    }

    fn attained(&self, group: &Bag) -> Attained {
        let others = group.size().saturating_sub(1);
        if others == 0 {
            let figures = vec![("delta", "0".into()), ("k", group.size().to_string())];
            return Attained::from_parts(vec![0.into(), group.size().into()], figures);
        }
        let far = others - self.most_near(group).min(others);
        Attained::from_parts(
            vec![Ratio::new(far.into(), others.into()).into(), group.size().into()],
            vec![("delta", rounded(far.into(), others.into(), Round::Down)), ("k", group.size().to_string())],
        )
    }

    fn least_size(&self) -> u64 {
        self.principle.k().max(LEAST_SIZE)
    }

    /// False only where no division passes: there is room for one group only, which does not, or a clique rules every
    /// division out.
    fn generalizable(&self, group: &Bag) -> bool {
        if !self.divisible(group) {
            return self.holds(group);
        }
        // The clique is one of the whole release; of a part of it nothing is claimed.
        let delta = self.principle.delta();
        !(self.is_whole(group) && self.clique().rules_out(group.size(), self.least_size(), delta))
    }

    /// Where there is room for one group only, what that attains. Else the largest delta of four digits that the clique
    /// leaves open, which is an upper bound and not a promise.
    fn best(&self, whole: &Bag) -> Attained {
        if !self.divisible(whole) {
            return self.attained(whole);
        }
        let clique = self.clique().rows;
        // Every division meets a delta of 0, so what is ruled out is above it.
        let ruled_out = theory::smallest_ruled_out(clique, whole.size(), self.least_size());
        let units = ruled_out.and_then(|delta| delta.at_scale(DELTA_DIGITS));
        let open = units.map_or(Decimal::from(1), |units| Decimal::new((units - 1).max(0), DELTA_DIGITS));
        Attained::from_parts(
            vec![Ratio::from(open).into(), whole.size().into(), clique.into()],
            vec![("delta", open.to_string()), ("k", whole.size().to_string()), ("clique", clique.to_string())],
        )
    }

    fn dissimilarity(&self) -> Option<&DissimilarityTest> {
        Some(self)
    }
}
