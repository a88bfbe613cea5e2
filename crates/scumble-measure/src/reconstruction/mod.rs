//! How much of the distribution of a source its release still tells (section 5 of the ANGEL paper).
//!
//! `D(Q, x)` is the share of the source's rows that have the quasi-identifiers `Q` and the sensitive value `x`. A reader
//! of the release puts in its place
//!
//! ```text
//! D*(Q, x) = sum over boxes C that hold Q of  |C| / (n |R(C)|) * f_C(x)
//! ```
//!
//! where `f_C` is the distribution of sensitive values in `C`: that of the group where they are published with it, the
//! mixture over batches where they are not. Boxes overlap in a subspace and under local recoding, so that the sum may
//! have several terms. Exact quasi-identifiers are boxes of one point. The error is
//!
//! ```text
//! KL(D || D*) = sum over (Q, x) of  D ln(D / D*)      in nats
//! ```
//!
//! in this direction, since `D*` is above 0 wherever a published row lies. Only points that the source has matter, so
//! the universe is never enumerated:
//!
//! ```text
//! source  -> Cells: distinct (Q, x) with their rows, in a tree over Q
//! release -> Mixture: distinct boxes on the asked attributes, the batches of their people, the values of each batch
//! box by box: its cells from the tree, its values from its batches -> D* of every cell -> KL
//! ```
//!
//! `|R(C)|` counts values of the source's domains as losses do: whole numbers and days between the ends, labels one by
//! one, null as one value; `*` is as many as the domain has. Along a column of decimals it is a length, and the figure
//! is one of densities: it then compares boxes of one source with each other, not with exact quasi-identifiers, which
//! are points of probability, and means nothing by itself, even below 0 (a point counts as a length of 10^-12).
//!
//! `n` is the number of the source's rows. Suppressed rows are in `D`, for they are part of what one would know, and
//! nothing stands for them in `D*`, as nothing does in estimated counts. Where one of them lies in no box, or has a
//! value that no box around it has, the divergence has no finite value.

mod cells;
mod divergence;
mod mixture;
mod sum;

use crate::{Estimator, Microdata};
use cells::Cells;
use mixture::Mixture;
use scumble_table::{Monitor, Result};

/// How far a reconstructed distribution lies from the true one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Divergence {
    /// KL(D || D*) in nats; nothing where it is infinite.
    pub kl: Option<f64>,
    /// Rows of the source where the release puts no one: none, or some of the suppressed.
    pub unreached: u64,
}

/// The divergence on some quasi-identifiers, by their positions, and the sensitive attribute.
///
/// # Errors
/// If the work was cancelled.
///
/// # Panics
/// If there is no such quasi-identifier, or the estimator is of another table.
pub fn divergence(
    estimator: &Estimator,
    source: &Microdata,
    attributes: &[usize],
    monitor: Monitor<'_>,
) -> Result<Divergence> {
    monitor.check()?;
    let cells = Cells::new(source, attributes, monitor)?;
    let mixture = Mixture::new(estimator, source, attributes, monitor)?;
    divergence::divergence_of_cells(cells, &mixture, monitor)
}

#[cfg(test)]
mod paper_tests;
#[cfg(test)]
mod tests;
