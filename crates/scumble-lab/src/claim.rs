//! What a paper says of its experiments, next to what came out here.

use crate::decision::{Decision, LEAST_TIME, Reason};
use serde::{Deserialize, Serialize};

/// Whether a claim stands up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Standing {
    /// The numbers here say the same.
    Held,
    /// The numbers here say otherwise.
    NotHeld,
    /// The numbers cannot say: they come from other data than the paper's, or are too few, or times too short.
    NotComparable,
}

impl Standing {
    /// What to call it.
    pub fn name(self) -> &'static str {
        ["held", "not held", "not comparable"][self as usize]
    }
}

/// A claim of a paper and what became of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Claim {
    /// Where the paper says it: `section 6.1, figure 4`.
    pub place: String,
    /// What it says, in our words.
    pub says: String,
    /// What was found here, in numbers.
    pub found: String,
    /// What was tested to tell whether it holds, so that a reader can do it again.
    pub test: String,
    /// What became of it.
    pub standing: Standing,
}

/// A place where a paper makes claims.
#[derive(Debug, Clone)]
pub(crate) struct Passage {
    place: String,
    /// Whether the data at hand is the paper's own table.
    own: bool,
}

impl Passage {
    pub(crate) fn new(place: impl Into<String>, own: bool) -> Self {
        Passage { place: place.into(), own }
    }

    /// A claim that must hold on any data: an order, a trend, a bound. `holds` was worked out by the caller from the
    /// numbers that `found` tells.
    pub(crate) fn any(&self, says: &str, test: &str, found: String, holds: impl Into<Decision>) -> Claim {
        let because = |words: &str| (Standing::NotComparable, format!("{found}; {words}"));
        let (standing, found) = match holds.into() {
            Decision::Holds => (Standing::Held, found),
            Decision::Fails => (Standing::NotHeld, found),
            Decision::Undecided(Reason::TooFewFigures) => (Standing::NotComparable, "too few figures to tell".into()),
            Decision::Undecided(Reason::OpenSettings) => because("settings that the paper leaves open decide it"),
            Decision::Undecided(Reason::DidNotOccur) => because("what the claim speaks of did not come about"),
            Decision::Undecided(Reason::TooFast) => {
                because(&format!("no time is as long as {LEAST_TIME} s, which tells nothing"))
            }
        };
        Claim { place: self.place.clone(), says: says.into(), found, test: test.into(), standing }
    }

    /// A claim about the figures of the paper's own table. It is judged only if the data at hand is that table.
    pub(crate) fn its(&self, says: &str, test: &str, found: String, holds: impl Into<Decision>) -> Claim {
        let claim = self.any(says, test, found, holds);
        if self.own { claim } else { Claim { standing: Standing::NotComparable, ..claim } }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_of_other_data_are_not_judged() {
        let judged =
            |holds, same| Passage::new("figure 1", same).its("x is 3", "x = 3", "x is 4".into(), holds).standing;
        assert_eq!(judged(true, true), Standing::Held);
        assert_eq!(judged(false, true), Standing::NotHeld);
        assert_eq!(judged(true, false), Standing::NotComparable);
        assert_eq!(judged(false, false), Standing::NotComparable);
    }
    #[test]
    fn what_cannot_be_tested_is_not_judged() {
        let claim =
            |reason| Passage::new("figure 1", false).any("x is 3", "x = 3", "inf".into(), Decision::Undecided(reason));
        assert_eq!(claim(Reason::TooFewFigures).standing, Standing::NotComparable);
        assert_eq!(claim(Reason::TooFewFigures).found, "too few figures to tell");
        assert_eq!(claim(Reason::TooFast).standing, Standing::NotComparable);
    }
}
