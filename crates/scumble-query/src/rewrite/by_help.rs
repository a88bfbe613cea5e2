//! Bounds from the help table, as in section 5.2 of the paper.

use super::sql::{Dialect, Keys, ends, quoted};
use super::{AnswerTables, ExactRelease};
use crate::context::QueryContext;
use crate::question::AskedAggregate;
use scumble_answer::Aggregate;
use scumble_table::Kind;

/// Whether the help table alone answers an aggregate: it knows nothing of conditions on sensitive values, of which
/// nulls are one for all but sums, and engines do not know the order of labels.
pub(super) fn serves(
    context: QueryContext<'_>,
    asked: &AskedAggregate,
    release: &ExactRelease<'_>,
    tables: &AnswerTables,
) -> bool {
    let Some(at) = asked.column else { return false };
    let column = context.columns.get(at);
    tables.help.is_some()
        && context.question.sensitive.is_none()
        && matches!(column.kind(), Kind::Number | Kind::Date)
        && (asked.aggregate == Aggregate::Sum || !(release.has_null)(column.name()))
}

/// One statement for aggregates of one column.
pub(super) fn statement(
    context: QueryContext<'_>,
    asked: &[&AskedAggregate],
    tables: &AnswerTables,
    dialect: Dialect,
) -> String {
    let keys = Keys::new(context);
    let bounds: Vec<String> = asked.iter().map(|asked| column(asked, dialect)).collect();
    format!(
        "WITH {}\nSELECT\n    {}{}\nFROM hits JOIN {} b ON b.\"group\" = hits.g AND b.\"hits\" = hits.h{}",
        tables.hits(context),
        keys.outer("hits."),
        bounds.join(",\n    "),
        quoted(tables.help.as_deref().unwrap_or_default()),
        keys.ending("hits.")
    )
}

fn column(asked: &AskedAggregate, dialect: Dialect) -> String {
    let of = |how: &str, name: &str| format!("{how}(b.{})", quoted(name));
    let both = |how: &str, lower: &str, upper: &str| ends(asked, &of(how, lower), &of(how, upper));
    match asked.aggregate {
        Aggregate::CountRows | Aggregate::Count => ends(asked, "COALESCE(SUM(hits.h), 0)", "COALESCE(SUM(hits.h), 0)"),
        Aggregate::Sum => {
            let sum = |name: &str| format!("COALESCE({}, 0)", of("SUM", name));
            ends(asked, &sum("sum_lower"), &sum("sum_upper"))
        }
        Aggregate::Avg => {
            let mean = |name: &str| dialect.quotient(&of("SUM", name), "SUM(hits.h)");
            ends(asked, &mean("sum_lower"), &mean("sum_upper"))
        }
        Aggregate::Min => both("MIN", "min_lower", "min_upper"),
        Aggregate::Max => both("MAX", "max_lower", "max_upper"),
    }
}
