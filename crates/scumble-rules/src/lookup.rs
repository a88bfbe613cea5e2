//! How conditions find their rows: each test is answered once for each code of its column.

use super::predicate::{BoundCondition, BoundTest};
use super::value::Scale;
use super::working::WorkingColumn;
use scumble_table::{CodeBits, Codes, RowMask};

/// The rows among `staying` that meet a condition.
pub(super) fn matching(
    condition: &BoundCondition,
    columns: &mut [WorkingColumn],
    scales: &[Scale],
    staying: &RowMask,
) -> RowMask {
    for test in condition.tests() {
        columns[test.column].load(&scales[test.column]);
    }
    let lookup = condition.map(|BoundTest { column, predicate }| {
        let bits = columns[*column].bits(|value| predicate.holds(value));
        CodeBits { column: *column, bits }
    });
    let codes: Vec<&Codes> = columns.iter().map(|column| &column.codes).collect();
    lookup.matching(&codes, staying)
}
