//! Columns that say what another column says: copies under another coding, and coarser versions.
//!
//! Two quasi-identifiers that say the same count twice in every loss and hide nothing more. One of them is proposed, the finer one,
//! or the first of two that say exactly the same.

use super::unfit::coded;
use super::{ColumnProfile, Reason};
use crate::job::ColumnRole;
use crate::refusals::{cannot_determine, determines};
use rayon::prelude::*;
use scumble_io::{RawColumn, RawTable};
use scumble_table::{Codes, Monitor, NULL, Result, Stage};
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
    let named = |at: usize| (columns[candidates[at].0].name.as_str(), candidates[at].1);
    let pairs: Vec<(usize, usize)> =
        (0..candidates.len()).flat_map(|a| (a + 1..candidates.len()).map(move |b| (a, b))).collect();
    monitor.begin(Stage::Inspect, Some((pairs.len() * raw.n_rows) as u64))?;
    let found: Vec<(usize, usize, bool, bool)> = pairs
        .into_par_iter()
        .map(|(a, b)| {
            let told = match one_for_one(raw, named(a), named(b)) {
                true => (true, true),
                false => (tells(a, b), tells(b, a)),
            };
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
        let (told, by) = match (second == b, one_to_one && is_sensitive(b) && !is_sensitive(a)) {
            (true, false) => (b, a),
            (true, true) | (false, _) => (a, b),
        };
        let by_sensitive = is_sensitive(by);
        // Of two sensitive columns that say the same the first is proposed; one that says less may be wanted as well.
        let both_sensitive = by_sensitive && one_to_one && is_sensitive(told);
        let is_told = columns[told].proposal == ColumnRole::Quasi || both_sensitive;
        if !is_told || columns[by].proposal == ColumnRole::Dropped {
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

/// Rows beyond the first of each value that agree before two columns of many values are taken for copies.
const REPEATS: usize = 20;

/// True for columns of many values that say the same, value for value: numbers of which one is a multiple of the other, and texts that
/// agree in the rows beyond the first of each value. Columns of fewer values are left to the test that allows for slips.
fn one_for_one(raw: &RawTable, (a, one): (&str, (&Codes, usize)), (b, other): (&str, (&Codes, usize))) -> bool {
    let n = one.1;
    if n != other.1 || n * ROWS_PER_LABEL <= raw.n_rows || n < ROWS_PER_LABEL {
        return false;
    }
    // Two columns without a value more than null have the same codes.
    let (mut forth, mut back) = (vec![u32::MAX; n], vec![u32::MAX; n]);
    let mut repeats = 0;
    for row in 0..raw.n_rows {
        let (from, to) = (one.0.get(row), other.0.get(row));
        let known = (&mut forth[from as usize], &mut back[to as usize]);
        if *known.0 == u32::MAX && *known.1 == u32::MAX {
            (*known.0, *known.1) = (to, from);
        } else if *known.0 != to || *known.1 != from {
            return false;
        } else {
            repeats += usize::from(from != NULL);
        }
    }
    is_multiple(raw, a, b, &forth).unwrap_or(repeats >= REPEATS)
}

/// Whether all numbers of one column are the same multiple of those of the other; nothing where they are no numbers. Two amounts that
/// are the same in all rows of a person go together too, and neither is a copy.
fn is_multiple(raw: &RawTable, a: &str, b: &str, forth: &[u32]) -> Option<bool> {
    let dictionary = |name: &str| match &raw.columns[raw.names.iter().position(|known| known == name)?] {
        RawColumn::Text { dictionary, .. } => Some(dictionary),
        RawColumn::Integer(_) | RawColumn::Skipped => None,
    };
    let (one, other) = (dictionary(a)?, dictionary(b)?);
    let (mut factor, mut multiple) = (None, true);
    for (from, &to) in forth.iter().enumerate().skip(1).filter(|(_, to)| ![NULL, u32::MAX].contains(*to)) {
        let (from, to) = (one.text(from as u32).parse::<f64>().ok()?, other.text(to).parse::<f64>().ok()?);
        if from == 0.0 || to == 0.0 {
            multiple &= from == to;
        } else {
            let known = *factor.get_or_insert(to / from);
            multiple &= (to / from - known).abs() <= 1e-6 * known.abs();
        }
    }
    Some(multiple)
}
