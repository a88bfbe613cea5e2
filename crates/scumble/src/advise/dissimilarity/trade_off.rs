//! The trade-off between epsilon, delta and k, over a grid of epsilons and values of k.

use super::standing::{Nearness, exact, rounded_down};
use scumble_table::Decimal;
use serde::Serialize;

/// What one epsilon allows.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AtDistance {
    /// The epsilon.
    pub epsilon: String,
    /// The most other rows that are near one.
    pub max_degree: u64,
    /// Rows of the heaviest clique found.
    pub clique_rows: u64,
    /// What goes with each k.
    pub by_k: Vec<AtK>,
}

/// What one epsilon and k allow.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AtK {
    /// The k.
    pub k: u64,
    /// Some grouping meets every delta up to this one.
    pub guaranteed_delta: f64,
    /// The same as a fraction, where rounding changed it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub guaranteed_delta_exact: Option<String>,
    /// No grouping meets this delta or a greater one; `None` where none is disproved.
    pub infeasible_delta: Option<f64>,
}

/// Epsilons that people ask for, as distances from 0 to 1; the paper's experiments lie between 0.05 and 0.3.
const EPSILONS: [&str; 10] = ["0", "0.02", "0.05", "0.08", "0.1", "0.12", "0.15", "0.2", "0.25", "0.3"];

/// Values of k that people ask for: those of the paper's experiments.
const K: [u64; 4] = [5, 10, 15, 20];

/// The epsilons of the grid, the one that was asked about among them.
pub(super) fn epsilons(asked: Decimal) -> Vec<Decimal> {
    let mut epsilons: Vec<Decimal> = EPSILONS.iter().filter_map(|text| Decimal::parse(text)).chain([asked]).collect();
    epsilons.sort_unstable();
    epsilons.dedup();
    epsilons
}

/// The values of k of the grid that `rows` rows allow, the one that was asked about among them.
pub(super) fn ks(asked: u64, rows: u64) -> Vec<u64> {
    let mut ks: Vec<u64> = K.into_iter().filter(|&k| k <= rows).chain([asked]).collect();
    ks.sort_unstable();
    ks.dedup();
    ks
}

/// What an epsilon allows each k.
pub(super) fn at(epsilon: Decimal, near: &Nearness, ks: &[u64]) -> AtDistance {
    let at = |&k: &u64| {
        let standing = near.at(k)?;
        let guaranteed = standing.guaranteed();
        Some(AtK {
            k,
            guaranteed_delta: rounded_down(guaranteed),
            guaranteed_delta_exact: exact(guaranteed),
            infeasible_delta: standing.smallest_ruled_out().map(Decimal::to_f64),
        })
    };
    AtDistance {
        epsilon: epsilon.to_string(),
        max_degree: near.max_degree,
        clique_rows: near.clique.rows,
        by_k: ks.iter().filter_map(at).collect(),
    }
}
