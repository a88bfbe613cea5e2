//! Releases of paper 2: by which requirement, found by which algorithm, and what the panels of figures vary.

use super::people::People;
use crate::attempt::{Attempt, attempt};
use crate::runner::Runner;
use crate::study_table::Encoded;
use crate::variant::Variant;
use scumble::{Decimal, Result};
use std::fmt;

/// The parameters of a requirement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Parameters {
    pub(super) epsilon: Decimal,
    pub(super) delta: Decimal,
    pub(super) k: u64,
}

impl fmt::Display for Parameters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "epsilon {}, delta {}, k {}", self.epsilon, self.delta, self.k)
    }
}

/// A panel of a figure, by what varies in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Panel {
    Epsilon,
    Delta,
    K,
    Volume,
}

impl Panel {
    pub(super) fn name(self) -> &'static str {
        ["epsilon", "delta", "k", "volume"][self as usize]
    }
}

/// The values that each parameter takes while the others stay.
#[derive(Debug, Clone)]
pub(super) struct Varied {
    pub(super) epsilons: Vec<Decimal>,
    pub(super) deltas: Vec<Decimal>,
    pub(super) ks: Vec<u64>,
}

impl Varied {
    /// The parameters of a panel, each with the value that varies; none where the requirement stays.
    pub(super) fn along(&self, panel: Panel, usual: Parameters) -> Vec<(f64, Parameters)> {
        let epsilon = |&epsilon: &Decimal| (epsilon.to_f64(), Parameters { epsilon, ..usual });
        let delta = |&delta: &Decimal| (delta.to_f64(), Parameters { delta, ..usual });
        match panel {
            Panel::Epsilon => self.epsilons.iter().map(epsilon).collect(),
            Panel::Delta => self.deltas.iter().map(delta).collect(),
            Panel::K => self.ks.iter().map(|&k| (k as f64, Parameters { k, ..usual })).collect(),
            Panel::Volume => Vec::new(),
        }
    }

    /// All parameters that differ from the usual ones in one, and those.
    pub(super) fn around(&self, usual: Parameters) -> Vec<Parameters> {
        let panels = [Panel::Epsilon, Panel::Delta, Panel::K];
        let varied = panels.into_iter().flat_map(|panel| self.along(panel, usual));
        let mut all: Vec<Parameters> = varied.map(|(_, parameters)| parameters).chain([usual]).collect();
        all.sort();
        all.dedup();
        all
    }
}

/// Tries a requirement by the distance that the figures take, for as many seconds.
pub(super) fn attempt_within(
    seconds: u64,
    people: &People,
    encoded: &Encoded,
    (Parameters { epsilon, delta, k }, variant): (Parameters, Variant),
    runner: &Runner,
) -> Result<Attempt> {
    let mut job = people.job().require(&format!("dissimilarity({epsilon}, {delta}, {k})"))?;
    job.publish.algorithm = variant.algorithm();
    job.publish.distance = Some(people.distance("l1")?);
    job.publish.time_limit = Some(seconds);
    attempt(&encoded.table, job, runner)
}

/// By which variant claims are judged: the paper's algorithm if it found as much as ours, else ours, which finds the same
/// kind of release.
pub(super) fn judged_by(
    count: impl Fn(Variant) -> usize,
    otherwise: impl Fn(usize, usize) -> String,
) -> (Variant, String) {
    let (paper, ours) = (count(Variant::Paper), count(Variant::Ours));
    match paper > 1 && paper >= ours {
        true => (Variant::Paper, "by the paper's algorithm".into()),
        false => (Variant::Ours, otherwise(paper, ours)),
    }
}
