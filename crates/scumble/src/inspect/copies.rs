//! Columns that say what another column says: copies under another coding, and coarser versions.
//!
//! Two quasi-identifiers that say the same count twice in every loss and hide nothing more. One of them is proposed, the finer one,
//! or the first of two that say exactly the same.

use super::unfit::coded;
use super::{ColumnProfile, Reason};
use crate::job::ColumnRole;
use crate::refusals::{cannot_determine, determines};
use rayon::prelude::*;
use scumble_io::RawTable;
use scumble_table::{Codes, Monitor, Result, Stage};
use serde::Serialize;

/// A column whose labels have fewer rows each, on average, determines others by chance.
const ROWS_PER_LABEL: usize = 5;

/// A column that says what another says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CopyProfile {
    /// The column.
    pub column: String,
    /// The column that says it too.
    pub of: String,
    /// Whether each says all that the other says; otherwise the first is a coarser version.
    pub one_to_one: bool,
}

/// Finds such columns among those that would be published, and proposes one of each.
pub(super) fn find(raw: &RawTable, columns: &mut [ColumnProfile], monitor: Monitor<'_>) -> Result<Vec<CopyProfile>> {
    let published = |role| matches!(role, ColumnRole::Quasi | ColumnRole::Sensitive);
    let candidates: Vec<(usize, (&Codes, usize))> = (0..columns.len())
        .filter(|&at| published(columns[at].proposal))
        .filter_map(|at| Some((at, coded(raw, &columns[at].name)?)))
        .collect();
    // Rows with another value than the commonest.
    let others: Vec<u64> = candidates
        .par_iter()
        .map(|(_, (codes, n))| raw.n_rows as u64 - codes.histogram(*n).into_iter().max().unwrap_or(0))
        .collect();
    let tells = |from: usize, to: usize| {
        let (told_by, told) = (candidates[from].1, candidates[to].1);
        told_by.1 * ROWS_PER_LABEL <= raw.n_rows
            && !monitor.is_cancelled()
            // Most pairs have nothing to do with each other, and that shows at once.
            && !cannot_determine(told_by, told, others[to], raw.n_rows)
            && determines(told_by, told, None, raw.n_rows)
    };
    let pairs: Vec<(usize, usize)> =
        (0..candidates.len()).flat_map(|a| (a + 1..candidates.len()).map(move |b| (a, b))).collect();
    monitor.begin(Stage::Inspect, Some((pairs.len() * raw.n_rows) as u64))?;
    let found: Vec<(usize, usize, bool, bool)> = pairs
        .into_par_iter()
        .map(|(a, b)| {
            let told = (tells(a, b), tells(b, a));
            monitor.advance(raw.n_rows as u64);
            (a, b, told.0, told.1)
        })
        .filter(|(_, _, forth, back)| *forth || *back)
        .collect();
    monitor.check()?;
    let mut copies = Vec::new();
    for (a, b, forth, back) in found {
        // The one that is told by the other; of two that tell each other the later one, and never a sensitive one.
        let (a, b) = (candidates[a].0, candidates[b].0);
        let one_to_one = forth && back;
        let second = if forth { b } else { a };
        let is_sensitive = |at: usize| columns[at].proposal == ColumnRole::Sensitive;
        let (told, by) = match (second == b, one_to_one && is_sensitive(b)) {
            (true, false) => (b, a),
            (true, true) | (false, _) => (a, b),
        };
        let by_sensitive = is_sensitive(by);
        if columns[told].proposal != ColumnRole::Quasi || columns[by].proposal == ColumnRole::Dropped {
            continue;
        }
        // What a sensitive column says besides is for its requirements; only a copy of it is no quasi-identifier.
        if by_sensitive && !one_to_one {
            continue;
        }
        let of = columns[by].name.clone();
        columns[told].proposal = ColumnRole::Dropped;
        columns[told].because = Reason::Copy { of: of.clone(), one_to_one };
        copies.push(CopyProfile { column: columns[told].name.clone(), of, one_to_one });
    }
    Ok(copies)
}
