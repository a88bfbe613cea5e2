//! Sensitive labels that differ only by look.

use super::census::Census;
use super::verdict::Verdict;

/// Notes how many labels of sensitive columns look like another, where some do. It is no fault: whatever counts different
/// values counts them as one.
pub(super) fn note(censuses: &[Census], verdict: &mut Verdict) {
    let columns = censuses.iter().flat_map(|census| census.schema().attributes());
    let found: Vec<String> =
        columns.filter_map(|column| column.domain.look_alikes().map(|alikes| alikes.warning(&column.name))).collect();
    if !found.is_empty() {
        verdict.note("look-alikes", Ok(found.join("; ")));
    }
}
