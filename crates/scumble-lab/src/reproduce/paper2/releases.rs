//! Releases of paper 2: by which requirement, found by whom, and how long that took.

use super::super::trial::{Trial, trial};
use super::super::workshop::Workshop;
use super::people::People;
use scumble::{Algorithm, Decimal, Input, PublishRequest, Requirement, Result};
use std::time::Duration;

/// Who finds the groups.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Way {
    /// The paper's exchanges from its initial colouring, with its errata mended.
    Paper,
    /// What `publish` does by default.
    Ours,
}

impl Way {
    pub(super) const ALL: [Way; 2] = [Way::Paper, Way::Ours];

    pub(super) fn name(self) -> &'static str {
        match self {
            Way::Paper => "the paper's algorithm",
            Way::Ours => "ours",
        }
    }
}

/// A requirement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Setting {
    pub(super) epsilon: Decimal,
    pub(super) delta: Decimal,
    pub(super) k: u64,
}

impl Setting {
    pub(super) fn words(&self) -> String {
        format!("epsilon {}, delta {}, k {}", self.epsilon, self.delta, self.k)
    }

    fn requirement(&self) -> Result<Requirement> {
        format!("dissimilarity({}, {}, {})", self.epsilon, self.delta, self.k).parse()
    }
}

/// Values of each parameter that have a line of times.
#[derive(Debug, Clone)]
pub(super) struct Timed {
    pub(super) epsilons: Vec<Decimal>,
    pub(super) deltas: Vec<Decimal>,
    pub(super) ks: Vec<u64>,
}

/// Tries a requirement by the distance that the figures take.
pub(super) fn attempt(
    people: &People,
    input: &Input,
    setting: &Setting,
    way: Way,
    patience: Duration,
    workshop: &Workshop<'_>,
) -> Result<Trial> {
    let request = PublishRequest {
        columns: people.columns(),
        drop_rest: true,
        requirements: vec![setting.requirement()?],
        algorithm: (way == Way::Paper).then_some(Algorithm::Paper),
        distance: Some(people.distance("l1")?),
        time_limit: patience,
        seed: Some(people.seed),
        ..PublishRequest::new(input.clone())
    };
    trial(request, workshop)
}
