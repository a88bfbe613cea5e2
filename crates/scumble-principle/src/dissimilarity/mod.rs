//! (epsilon, delta)^k-dissimilarity: most values of a group are unlike each other.

mod neighbours;
pub mod theory;

pub use neighbours::Neighbours;

use crate::exact::{Round, rounded};
use crate::k_anonymity::rows;
use crate::parameter::{Parameter, Range};
use crate::{Attained, Entry, Principle, Test};
use scumble_table::{Bag, Code, Decimal, Domain, Error, Ratio, Result};
use std::sync::{Arc, OnceLock};
use theory::{Clique, heaviest_clique};

pub(crate) const ENTRY: Entry = Entry {
    name: "dissimilarity",
    parameters: &[
        Parameter::new("epsilon", Range::AtLeast(0)),
        Parameter::new("delta", Range::Share),
        Parameter::new("k", Range::Whole(1)),
    ],
    help: "every group has at least k rows, and every value is farther than epsilon from a share delta of the others",
    example: "dissimilarity(0.1, 0.8, 10)",
    reference: "T. Wang, L. Liu: XColor: protecting general proximity privacy. ICDE 2010",
    monotone: false,
};

/// Every group has at least `k` rows, and every value is farther than `epsilon` from a share of at
/// least `delta` of the others.
///
/// # Guarantees
/// Whoever finds the group of a person finds at least `k` rows, and no neighbourhood of a value
/// holds more than a share `1 - delta` of the other rows.
///
/// # Definition
/// A group of n rows passes if n >= k and each value has at most (1 - delta) * (n - 1) others within
/// `epsilon`. How far apart two values are is told by a [`Distance`](crate::Distance) over all
/// sensitive columns, taken as one composite value.
///
/// # Does not guarantee
/// That the union of two passing groups passes, so a search may not prune by it. Anything about what the distance calls
/// far: values that are worlds apart by it may mean the same to somebody.
///
/// # Cost
/// The square of the number of distinct values in the group.
///
/// # Example
/// In a group of 11 rows, `dissimilarity(0.1, 0.9, 11)` lets each value have one near other.
///
/// # Reference
/// T. Wang, L. Liu: XColor: protecting general proximity privacy. ICDE 2010.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Dissimilarity {
    epsilon: Decimal,
    delta: Decimal,
    k: u64,
}

impl Dissimilarity {
    /// `epsilon` must be at least 0, `delta` from 0 to 1, and `k` at least 1.
    pub fn new(epsilon: Decimal, delta: Decimal, k: u64) -> Result<Self> {
        Ok(Dissimilarity {
            epsilon: ENTRY.check(0, epsilon)?,
            delta: ENTRY.check(1, delta)?,
            k: ENTRY.check_whole(2, k)?,
        })
    }

    /// How near is near.
    pub fn epsilon(&self) -> Decimal {
        self.epsilon
    }

    /// The least share of others that are not near.
    pub fn delta(&self) -> Decimal {
        self.delta
    }

    /// The least number of rows of a group.
    pub fn k(&self) -> u64 {
        self.k
    }
}

impl Dissimilarity {
    pub(crate) fn no_distance(&self, requirement: impl ToString) -> Error {
        Error::request("requirement", requirement.to_string(), "how far apart are two values?").hint(
            "say so with --distance, such as --distance \"l1(education:rank*0.3, income:range*0.5)\": each column by range, \
             rank, equal, tree or matrix:FILE, combined by l1, l2, max or min",
        )
    }

    /// Ties the principle to the values of a release: which of them are within epsilon of which, and the rows of each.
    /// The groups it judges are bags of these values.
    ///
    /// # Panics
    /// If there is not one weight per value.
    pub fn with(&self, neighbours: Arc<Neighbours>, weights: &[u32]) -> DissimilarityTest {
        assert_eq!(neighbours.len(), weights.len(), "one weight per value");
        DissimilarityTest { principle: *self, neighbours, weights: weights.into(), clique: OnceLock::new() }
    }
}

impl Principle for Dissimilarity {
    fn notation(&self) -> String {
        format!("{}({}, {}, {})", ENTRY.name, self.epsilon, self.delta, self.k)
    }

    /// Refuses: a column alone does not say how far apart its values are. See [`Dissimilarity::with`].
    fn bind(&self, _domain: &Domain, _whole: &Bag) -> Result<Box<dyn Test>> {
        Err(self.no_distance(self.notation()))
    }

    fn nearest(&self, attained: &Attained) -> Option<String> {
        let delta = Decimal::parse(attained.figure("delta")?)?.min(self.delta);
        let k = attained.figure("k")?.parse::<u64>().ok()?.min(self.k);
        Dissimilarity::new(self.epsilon, delta, k).ok().map(|principle| principle.notation())
    }

    fn reason(&self, attained: &Attained, _column: &str) -> String {
        let k = attained.figure("k").and_then(|k| k.parse::<u64>().ok()).unwrap_or(0);
        match attained.figure("clique") {
            _ if k < self.k.max(LEAST) => rows(attained),
            Some(clique) => format!(
                "{clique} of {k} rows have values within {} of one another, pair by pair, and no groups of at least {} \
                 rows can hold so many with a delta of {}",
                self.epsilon, self.k, self.delta
            ),
            None => format!("all rows together attain a delta of {}", attained.figure("delta").unwrap_or("0")),
        }
    }
}

/// A group of one has a risk of 1 by Definition 6, whatever its value.
const LEAST: u64 = 2;

/// The principle tied to the values of a release.
#[derive(Debug)]
pub struct DissimilarityTest {
    principle: Dissimilarity,
    neighbours: Arc<Neighbours>,
    weights: Arc<[u32]>,
    /// Found when it is first asked for, which is not before something seems infeasible.
    clique: OnceLock<Clique>,
}

impl DissimilarityTest {
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

    /// The heaviest clique found among all values.
    pub fn clique(&self) -> &Clique {
        self.clique.get_or_init(|| {
            let degrees = self.neighbours.degrees(&self.weights);
            heaviest_clique(&self.neighbours, &self.weights, &degrees)
        })
    }

    /// The most others that are near one value of the group.
    pub fn most_near(&self, group: &Bag) -> u64 {
        let near = |&(a, count): &(Code, u32)| {
            let others = group.counts().iter().filter(|&&(b, _)| a != b && self.neighbours.near(a, b));
            others.map(|pair| u64::from(pair.1)).sum::<u64>() + u64::from(count) - 1
        };
        group.counts().iter().map(near).max().unwrap_or(0)
    }
}

impl Test for DissimilarityTest {
    fn holds(&self, group: &Bag) -> bool {
        group.size() >= self.least_size()
            && self.most_near(group) <= theory::allowed(group.size(), self.principle.delta)
    }

    fn divisible(&self, group: &Bag) -> bool {
        group.size() / 2 >= self.least_size()
    }

    fn monotone(&self) -> bool {
        false
    }

    fn attained(&self, group: &Bag) -> Attained {
        let (near, others) = (self.most_near(group), group.size().saturating_sub(1));
        if others == 0 {
            let figures = vec![("delta", "0".into()), ("k", group.size().to_string())];
            return Attained::of_parts(vec![0.into(), group.size().into()], figures);
        }
        let (far, others) = (u128::from(others - near.min(others)), u128::from(others));
        Attained::of_parts(
            vec![Ratio::new(far as i128, others as i128).into(), group.size().into()],
            vec![("delta", rounded(far, others, Round::Down)), ("k", group.size().to_string())],
        )
    }

    fn least_size(&self) -> u64 {
        self.principle.k.max(LEAST)
    }

    /// False only where a clique, or the number of rows, rules every division out.
    fn generalizable(&self, group: &Bag) -> bool {
        // The clique is one of the whole release; of a part of it nothing is claimed but its size.
        let whole = group.counts().iter().map(|pair| pair.1).eq(self.weights.iter().copied().filter(|&w| w > 0));
        group.size() >= self.least_size()
            && !(whole && self.clique().rules_out(group.size(), self.least_size(), self.principle.delta))
    }

    /// The largest delta that the clique leaves open, which is an upper bound and not a promise.
    fn best(&self, whole: &Bag) -> Attained {
        let clique = self.clique().rows;
        let least = Decimal::new(1, 4);
        let open = theory::smallest_ruled_out(clique, whole.size(), self.least_size())
            .map_or(Decimal::from(1), |ruled| Decimal::new(rescaled(ruled) - rescaled(least), 4).max(Decimal::ZERO));
        Attained::of_parts(
            vec![Ratio::from(open).into(), whole.size().into(), clique.into()],
            vec![("delta", open.to_string()), ("k", whole.size().to_string()), ("clique", clique.to_string())],
        )
    }

    fn dissimilarity(&self) -> Option<&DissimilarityTest> {
        Some(self)
    }
}

/// A delta of at most four digits after the point, in units of the last of them.
fn rescaled(delta: Decimal) -> i128 {
    delta.mantissa() * 10i128.pow(u32::from(4u8.saturating_sub(delta.scale())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_checked() {
        let decimal = |text: &str| Decimal::parse(text).unwrap();
        let new = |epsilon: &str, delta: &str, k| Dissimilarity::new(decimal(epsilon), decimal(delta), k);
        assert_eq!(new("0.10", "0.8", 10).unwrap().notation(), "dissimilarity(0.1, 0.8, 10)");
        assert!(new("0", "0", 1).is_ok() && new("2", "1", 1).is_ok());
        assert!(new("-1", "0", 1).is_err() && new("0", "1.01", 1).is_err() && new("0", "0", 0).is_err());
    }
}
