//! Bounds and estimates over a table of boxes with batch numbers, with the values of each batch counted.

use super::by_value::{self, HitsKind, Source};
use super::over_boxes::{BoxConditions, without_keys};
use super::sql::{Dialect, quoted};
use crate::context::QueryContext;
use scumble_release::{Angel, BATCH};
use scumble_table::Result;

/// The statements that answer a question over a table of boxes, one for each aggregate. Those of counts and sums give
/// the estimate as well, which is a sum over batches; those of the others would need distributions.
///
/// # Errors
/// If it has keys: a row may belong to several.
pub(crate) fn over_batches(
    context: QueryContext<'_>,
    table: &str,
    conditions: &BoxConditions,
    dialect: Dialect,
) -> Result<Vec<String>> {
    without_keys(context.question)?;
    let source = Source {
        hits: hits(table, conditions, dialect),
        kind: HitsKind::Between,
        from: format!("{} s", quoted(Angel::BATCHES)),
        group: "s.\"batch\"",
        count: "s.\"count\"",
    };
    let asked = context.question.aggregates.iter();
    Ok(asked.map(|asked| by_value::statement(context, asked, &source, dialect)).collect())
}

/// How many people of each batch are chosen: for certain, perhaps, and on the average.
fn hits(table: &str, conditions: &BoxConditions, dialect: Dialect) -> String {
    let BoxConditions { possible, certain, shares } = conditions;
    let share = match shares.as_slice() {
        [] => "1".to_string(),
        several => several.iter().map(|one| dialect.float(one)).collect::<Vec<_>>().join(" * "),
    };
    let batch = quoted(BATCH);
    format!(
        "hits AS (\n    SELECT g, SUM(sure) AS least, COUNT(*) AS most, SUM(share) AS chance\n    FROM (\n        \
         SELECT {batch} AS g, CASE WHEN {certain} THEN 1 ELSE 0 END AS sure, {share} AS share\n        \
         FROM {}\n        WHERE {batch} IS NOT NULL AND {possible}\n    ) boxes\n    GROUP BY g\n)",
        quoted(table)
    )
}
