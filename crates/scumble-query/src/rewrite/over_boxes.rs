//! Bounds over a generalized table: rows that match for certain, and rows that may (theorem 2 of the paper).

use super::sql::{Dialect, Operand, ends, quoted};
use crate::context::QueryContext;
use crate::question::{AskedAggregate, Question};
use scumble_answer::Aggregate;
use scumble_table::{Error, Result};

/// The conditions of a question on people, put to the texts that a table shows.
pub(crate) struct BoxConditions {
    /// Rows that may match.
    pub(crate) possible: String,
    /// Rows that match whatever lies behind their texts.
    pub(crate) certain: String,
    /// Factors of the share of a row's box that matches, where boxes are identified by their texts.
    pub(crate) shares: Vec<String>,
}

/// How a statement tells boxes apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum IdentifiedBy {
    /// The number of their group.
    Group,
    /// What they show.
    Text,
}

/// The statements that answer a question over a generalized table, one for each aggregate.
///
/// # Errors
/// If it has keys: a row may belong to several.
pub(crate) fn over_boxes(
    context: QueryContext<'_>,
    table: &str,
    conditions: &BoxConditions,
    dialect: Dialect,
) -> Result<Vec<String>> {
    without_keys(context.question)?;
    let asked = context.question.aggregates.iter();
    Ok(asked.map(|asked| statement(context, asked, table, conditions, dialect)).collect())
}

/// Refuses keys.
///
/// # Errors
/// If there are some.
pub(super) fn without_keys(question: &Question) -> Result<()> {
    if question.keys.is_empty() {
        return Ok(());
    }
    let reason = "a generalized row may belong to several keys, and no statement tells";
    Err(Error::request("question", "GROUP BY", reason).hint("ask for single keys with WHERE, or without «explain»"))
}

fn statement(
    context: QueryContext<'_>,
    asked: &AskedAggregate,
    table: &str,
    conditions: &BoxConditions,
    dialect: Dialect,
) -> String {
    let operand = Operand::new(asked, context.columns);
    let mut filter = vec!["\"group\" IS NOT NULL".to_string(), conditions.possible.clone()];
    filter.extend(context.question.sensitive.iter().map(|condition| format!("({condition})")));
    filter.extend(operand.column.iter().map(|column| format!("{column} IS NOT NULL")));
    let rows = format!(
        "WITH candidates AS (\n    SELECT {} AS x, CASE WHEN {} THEN 1 ELSE 0 END AS sure\n    FROM {}\n    WHERE {}\n)",
        operand.number(),
        conditions.certain,
        quoted(table),
        filter.join(" AND ")
    );
    let shown = |number: &str| operand.shown(number);
    let plain =
        |lower: &str, upper: &str| format!("{rows}\nSELECT\n    {}\nFROM candidates", ends(asked, lower, upper));
    match asked.aggregate {
        Aggregate::CountRows | Aggregate::Count => plain("COALESCE(SUM(sure), 0)", "COUNT(*)"),
        Aggregate::Sum => plain(
            "COALESCE(SUM(CASE WHEN sure = 1 OR x < 0 THEN x ELSE 0 END), 0)",
            "COALESCE(SUM(CASE WHEN sure = 1 OR x > 0 THEN x ELSE 0 END), 0)",
        ),
        Aggregate::Min => plain(&shown("MIN(x)"), &shown("COALESCE(MIN(CASE WHEN sure = 1 THEN x END), MAX(x))")),
        Aggregate::Max => plain(&shown("COALESCE(MAX(CASE WHEN sure = 1 THEN x END), MIN(x))"), &shown("MAX(x)")),
        Aggregate::Avg => {
            let alone = dialect.quotient("base", "base_n");
            let mean = |more: &str, more_n: &str| {
                dialect.quotient(&format!("(base + {more})"), &format!("(base_n + {more_n})"))
            };
            let running = |what: &str, direction: &str| {
                format!(
                    "SUM(CASE WHEN sure = 0 THEN {what} ELSE 0 END) OVER (ORDER BY x{direction} ROWS UNBOUNDED PRECEDING)"
                )
            };
            format!(
                "{rows},\nrunning AS (\n    SELECT SUM(sure * x) OVER () AS base, SUM(sure) OVER () AS base_n,\n        \
                 {} AS up, {} AS up_n,\n        {} AS down, {} AS down_n\n    FROM candidates\n),\nmeans AS (\n    \
                 SELECT CASE WHEN base_n > 0 THEN {alone} END AS least, CASE WHEN base_n > 0 THEN {alone} END AS most FROM running\n    \
                 UNION ALL\n    SELECT CASE WHEN base_n + up_n > 0 THEN {} END AS least, \
                 CASE WHEN base_n + down_n > 0 THEN {} END AS most FROM running\n)\nSELECT\n    {}\nFROM means",
                running("x", ""),
                running("1", ""),
                running("x", " DESC"),
                running("1", " DESC"),
                mean("up", "up_n"),
                mean("down", "down_n"),
                ends(asked, "MIN(least)", "MAX(most)")
            )
        }
    }
}
