//! (epsilon, delta)^k-dissimilarity: most values of a group are unlike each other.

mod neighbours;
mod test;
pub mod theory;

pub use neighbours::Neighbours;
pub use test::DissimilarityTest;

use crate::column_facts::texts;
use crate::exact::{sum, unit};
use crate::k_anonymity::row_count_text;
use crate::parameter::{Parameter, Range};
use crate::plain_words::{NO_CHANCE, percentage};
use crate::principle::shared;
use crate::{Attained, Entry, PlainWords, Principle, Search, Stricter, Subject, Test};
use scumble_table::figures::grouped;
use scumble_table::{Bag, Decimal, Domain, Error, Result};
use std::sync::Arc;
use theory::LEAST_SIZE;

pub(crate) static ENTRY: Entry = Entry {
    name: "dissimilarity",
    aliases: &["xcolor", "(epsilon,delta)^k-dissimilarity"],
    parameters: &[
        Parameter::new("epsilon", Range::AtLeast(0)),
        Parameter::new("delta", Range::Share),
        Parameter::new("k", Range::Whole(1)).bounding_chance(),
    ],
    help: "every group has at least k rows, and every value is farther than epsilon from a share delta of the others",
    example: "dissimilarity(0.1, 0.8, 10)",
    reference: "T. Wang, L. Liu: XColor: protecting general proximity privacy. ICDE 2010",
    larger_is_stricter: true,
    usual: |_| Some(vec![texts(&["0.05", "0.1", "0.2"]), texts(&["0.5", "0.8"]), texts(&["5", "10"])]),
    ..Entry::parsed_by(|arguments| {
        shared(Dissimilarity::new(arguments.number(0)?, arguments.number(1)?, arguments.whole(2)?))
    })
};

/// Every group has at least `k` rows, and every value is farther than `epsilon` from a share of at
/// least `delta` of the others.
///
/// # Guarantees
/// Someone who finds the group of a person finds at least `k` rows, and no neighbourhood of a value
/// holds more than a share `1 - delta` of the other rows.
///
/// # Definition
/// A group of n rows passes if n >= k, n >= 2 and each value has at most (1 - delta) * (n - 1) others
/// within `epsilon`. How far apart two values are is told by a [`Distance`](crate::Distance) over all
/// sensitive columns, taken as one composite value, or in a program by any function, see
/// [`Neighbours::from_fn`]. Equal values are near whatever the distance; a missing one is at distance 0 from
/// a missing one and at distance 1 from any other.
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
            "say so with «distance», such as «distance» \"l1(education:rank*0.3, income:range*0.5)\": each column by range, \
             rank, equal, tree or matrix:FILE, combined by l1, l2, max or min",
        )
    }

    /// Ties the principle to the values of a release: which of them are within epsilon of which, and the rows of each.
    /// The groups it judges are bags of these values.
    ///
    /// # Panics
    /// If there is not one weight per value.
    pub fn with_neighbours(&self, neighbours: Arc<Neighbours>, weights: &[u32]) -> DissimilarityTest {
        DissimilarityTest::new(*self, neighbours, weights)
    }
}

impl Principle for Dissimilarity {
    fn entry(&self) -> &'static Entry {
        &ENTRY
    }

    fn notation(&self) -> String {
        format!("{}({}, {}, {})", ENTRY.name, self.epsilon, self.delta, self.k)
    }

    /// Refuses: a column alone does not say how far apart its values are. See [`Dissimilarity::with_neighbours`].
    fn bind(&self, _domain: &Domain, _whole: &Bag) -> Result<Box<dyn Test>> {
        Err(self.no_distance(self.notation()))
    }

    /// Nothing for a group of one row, which no parameters suit.
    fn nearest(&self, attained: &Attained) -> Option<String> {
        let delta = Decimal::parse(attained.figure("delta")?)?.min(self.delta);
        let k = attained.figure("k")?.parse::<u64>().ok().filter(|&k| k >= LEAST_SIZE)?.min(self.k);
        Dissimilarity::new(self.epsilon, delta, k).ok().map(|principle| principle.notation())
    }

    fn reason(&self, attained: &Attained, _column: &str) -> String {
        let n = attained.figure("k").and_then(|k| k.parse::<u64>().ok()).unwrap_or(0);
        let least = self.k.max(LEAST_SIZE);
        match attained.figure("clique") {
            _ if n < least => row_count_text(attained),
            Some(clique) => format!(
                "{clique} of {n} rows have values within {} of one another, pair by pair, and groups of at least {least} \
                 rows that meet a delta of {} cannot hold so many",
                self.epsilon, self.delta
            ),
            None => format!(
                "{n} rows have no room for two groups of at least {least}, and all together they attain a delta of {}",
                attained.figure("delta").unwrap_or("0")
            ),
        }
    }

    /// Without a column it takes all sensitive columns as one composite value.
    fn plain_words(&self, subject: &Subject<'_>) -> Option<PlainWords> {
        let (epsilon, far, k) = (self.epsilon, percentage(self.delta), grouped(self.k));
        let (one, many, repeat) = (subject.counted.one(), subject.counted.many(), subject.repeat);
        let subject = match subject.column {
            Some(column) => format!("the value of “{column}”"),
            None => "the sensitive values, taken together".into(),
        };
        let (demands, hides) = match repeat {
            true => (
                format!(
                    "every group holds at least {k} people, and whatever one of them has as {subject}, at least {far} of the others \
                     have nothing within a distance of {epsilon} of it"
                ),
                format!(
                    "Whatever somebody of a group has as {subject}: at least {far} of the other people of the group have nothing within a \
                     distance of {epsilon} of it. {NO_CHANCE}"
                ),
            ),
            false => (
                format!(
                    "every group holds at least {k} {many}, and each of them differs from at least {far} of the others by a \
                     distance of more than {epsilon} in {subject}"
                ),
                format!(
                    "Whoever takes the values of another member of a {one}’s group for the {one}’s is further off than \
                     {epsilon}, in {subject}, for at least {far} of these members."
                ),
            ),
        };
        Some(PlainWords {
            family: "Dissimilarity",
            demands,
            hides,
            leaves: "What is far is what the chosen distance says, which the manifest states. A guess that need not come as \
                     close may be right more often, and several columns taken together may hide that one of them alone is \
                     nearly the same throughout a group."
                .into(),
            guards_values: true,
        })
    }

    fn search(&self) -> Search {
        Search::Dissimilarity
    }

    /// With half the share nothing is certain, as distances obey no order; it is only tried. Under a distance that obeys the
    /// triangle inequality values within epsilon of one are within 2 epsilon of each other.
    fn stricter(&self, form: Stricter) -> Option<Arc<dyn Principle>> {
        let (epsilon, delta, k) = match form {
            Stricter::HalfShare => {
                // 1 - (1 - delta) / 2 = (1 + delta) / 2.
                let numerator = self.delta.mantissa().checked_add(unit(self.delta)?)?;
                (self.epsilon, Decimal::new(numerator.checked_mul(5)?, self.delta.scale() + 1), self.k.checked_mul(2)?)
            }
            Stricter::Wider => {
                let (delta, k) = theory::spared(self.delta, self.k)?;
                (sum(self.epsilon, self.epsilon)?, delta, k)
            }
            Stricter::Monotone => return None,
        };
        shared(Dissimilarity::new(epsilon, delta, k)).ok()
    }
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
