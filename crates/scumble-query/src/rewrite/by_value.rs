//! Bounds from the values of each group, where the help table does not suffice.
//!
//! Of the `size` values of a group `a` match and `h` people are chosen, or between two numbers of them: at least `l` and at
//! most `u` of the matching values are theirs. Cumulated counts in both directions tell which values are among the first `l` or `u`.

use super::sql::{Dialect, Keys, Operand, ends, heading};
use crate::context::QueryContext;
use crate::question::{AskedAggregate, Question};
use scumble_answer::Aggregate;

/// Where people and values are.
pub(super) struct Source {
    /// The table expression `hits`: groups as `g` with the people of each that are chosen.
    pub(super) hits: String,
    pub(super) kind: HitsKind,
    /// The rows that have values, and in them the group and the number of people who have the values.
    pub(super) from: String,
    pub(super) group: &'static str,
    pub(super) count: &'static str,
}

/// What `hits` tells of a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum HitsKind {
    /// How many of its people are chosen: `h`.
    Exact,
    /// How many are at least, at most and on the average: `least`, `most` and `chance`.
    Between,
}

impl HitsKind {
    fn ends(self) -> (&'static str, &'static str) {
        match self {
            HitsKind::Exact => ("h", "h"),
            HitsKind::Between => ("least", "most"),
        }
    }
}

/// The statement of one aggregate.
pub(super) fn statement(
    context: QueryContext<'_>,
    asked: &AskedAggregate,
    source: &Source,
    dialect: Dialect,
) -> String {
    let (question, keys) = (context.question, Keys::new(context));
    let hits = &source.hits;
    if asked.aggregate == Aggregate::CountRows && question.sensitive.is_none() {
        let (least, most) = source.kind.ends();
        let all = |end: &str| format!("COALESCE(SUM({end}), 0)");
        return format!(
            "WITH {hits}\nSELECT\n    {}{}{}\nFROM hits{}",
            keys.outer(""),
            ends(asked, &all(least), &all(most)),
            estimate(asked, source.kind, "chance"),
            keys.ending("")
        );
    }
    let operand = Operand::new(asked, context.columns);
    let values = values(question, source, &operand);
    let common = format!("WITH {hits},\n{values}");
    let reach = reach(&keys, source.kind, dialect);
    match asked.aggregate {
        Aggregate::CountRows | Aggregate::Count => format!(
            "{common},\n{reach}\nSELECT\n    {}{}{}\nFROM reach{}",
            keys.outer(""),
            ends(asked, "COALESCE(SUM(l), 0)", "COALESCE(SUM(u), 0)"),
            estimate(asked, source.kind, "part * a"),
            keys.ending("")
        ),
        Aggregate::Sum if source.kind == HitsKind::Exact => sum(&common, asked, &keys),
        Aggregate::Sum => sum_perhaps(&common, asked, &reach),
        Aggregate::Avg => avg(&common, asked, &keys, &reach, dialect),
        Aggregate::Min | Aggregate::Max => extreme(&common, asked, &keys, &reach, &operand),
    }
}

/// The column of the estimate, where the number of people is open.
fn estimate(asked: &AskedAggregate, kind: HitsKind, term: &str) -> String {
    match kind {
        HitsKind::Exact => String::new(),
        HitsKind::Between => format!(",\n    COALESCE(SUM({term}), 0) AS {}", heading(asked, "estimate")),
    }
}

/// How often each value occurs in each group, and whether it matches.
fn values(question: &Question, source: &Source, operand: &Operand) -> String {
    let mut conditions: Vec<String> = question.sensitive.iter().map(|condition| format!("({condition})")).collect();
    conditions.extend(operand.column.iter().map(|column| format!("{column} IS NOT NULL")));
    let matches = if conditions.is_empty() { "1 = 1".to_string() } else { conditions.join(" AND ") };
    let (Source { from, group, count, .. }, value) = (source, operand.number());
    format!(
        "vals AS (\n    SELECT g, x, ok, SUM(n) AS n\n    FROM (\n        SELECT {group} AS g, {value} AS x, \
         CASE WHEN {matches} THEN 1 ELSE 0 END AS ok, {count} AS n\n        FROM {from}\n    ) single\n    \
         GROUP BY g, x, ok\n)"
    )
}

/// How many of the matching values are theirs, at least and at most; and where the number of people is open, the part of the
/// group that they are on the average.
fn reach(keys: &Keys, kind: HitsKind, dialect: Dialect) -> String {
    let (least, most) = kind.ends();
    let part = match kind {
        HitsKind::Exact => String::new(),
        HitsKind::Between => format!(", a, {} AS part", dialect.quotient("chance", "size")),
    };
    format!(
        "sizes AS (\n    SELECT g, SUM(n) AS size, SUM(n * ok) AS a\n    FROM vals\n    GROUP BY g\n),\n\
         reach AS (\n    SELECT {}hits.g AS g, CASE WHEN {least} + a > size THEN {least} + a - size ELSE 0 END AS l, \
         CASE WHEN {most} < a THEN {most} ELSE a END AS u{part}\n    FROM hits JOIN sizes ON sizes.g = hits.g\n)",
        keys.inner("hits.")
    )
}

/// The matching values with cumulated counts in both directions.
fn ranked() -> &'static str {
    "ranked AS (\n    SELECT g, x, n, SUM(n) OVER (PARTITION BY g ORDER BY x ROWS UNBOUNDED PRECEDING) AS up, \
     SUM(n) OVER (PARTITION BY g ORDER BY x DESC ROWS UNBOUNDED PRECEDING) AS down\n    FROM vals\n    WHERE ok = 1\n)"
}

/// How many of the `n` rows that end at the cumulated count are among the first `most`.
fn among(cumulated: &str, most: &str) -> String {
    format!(
        "CASE WHEN {cumulated} <= {most} THEN n WHEN {cumulated} - n >= {most} THEN 0 ELSE {most} - ({cumulated} - n) END"
    )
}

/// Values that do not match add nothing: they count as 0.
fn sum(common: &str, asked: &AskedAggregate, keys: &Keys) -> String {
    let side = |cumulated: &str| format!("COALESCE(SUM(b * ({})), 0)", among(cumulated, "h"));
    format!(
        "{common},\nflat AS (\n    SELECT g, b, SUM(n) AS n\n    FROM (SELECT g, CASE WHEN ok = 1 THEN x ELSE 0 END AS b, n \
         FROM vals) single\n    GROUP BY g, b\n),\nordered AS (\n    SELECT g, b, n, \
         SUM(n) OVER (PARTITION BY g ORDER BY b ROWS UNBOUNDED PRECEDING) AS up, \
         SUM(n) OVER (PARTITION BY g ORDER BY b DESC ROWS UNBOUNDED PRECEDING) AS down\n    FROM flat\n)\n\
         SELECT\n    {}{}\nFROM hits JOIN ordered ON ordered.g = hits.g{}",
        keys.outer("hits."),
        ends(asked, &side("up"), &side("down")),
        keys.ending("hits.")
    )
}

/// The `l` least values of each group are taken anyway, and of those up to the `u`-th the ones that lower the sum.
fn sum_perhaps(common: &str, asked: &AskedAggregate, reach: &str) -> String {
    let side = |cumulated: &str, moves: &str| {
        let (forced, all) = (among(cumulated, "l"), among(cumulated, "u"));
        format!("COALESCE(SUM(x * (CASE WHEN x {moves} 0 THEN {all} ELSE {forced} END)), 0)")
    };
    format!(
        "{common},\n{reach},\n{}\nSELECT\n    {}{}\nFROM reach JOIN ranked ON ranked.g = reach.g",
        ranked(),
        ends(asked, &side("up", "<"), &side("down", ">")),
        estimate(asked, HitsKind::Between, "part * n * x"),
    )
}

/// The least mean: the `l` least values of each group are in it anyway, and of those up to the `u`-th any prefix, in the
/// order of all groups, may be.
fn avg(common: &str, asked: &AskedAggregate, keys: &Keys, reach: &str, dialect: Dialect) -> String {
    let part = |name: &str, cumulated: &str, direction: &str| {
        let (forced, all) = (among(cumulated, "l"), among(cumulated, "u"));
        let partition = keys.clause("PARTITION BY ", "", " ");
        format!(
            "{name}_parts AS (\n    SELECT {}x, {forced} AS forced, {all} AS every\n    \
             FROM reach JOIN ranked ON ranked.g = reach.g\n),\n{name}_means AS (\n    SELECT {}\n        \
             SUM(forced * x) OVER ({partition}) AS base, SUM(forced) OVER ({partition}) AS base_n,\n        \
             SUM((every - forced) * x) OVER ({partition}ORDER BY x{direction} ROWS UNBOUNDED PRECEDING) AS more,\n        \
             SUM(every - forced) OVER ({partition}ORDER BY x{direction} ROWS UNBOUNDED PRECEDING) AS more_n\n    \
             FROM {name}_parts\n    WHERE every > 0\n)",
            keys.inner("reach."),
            keys.inner(""),
        )
    };
    let extreme = |name: &str, how: &str| {
        let alone = dialect.quotient("base", "base_n");
        let with = dialect.quotient("(base + more)", "(base_n + more_n)");
        // A prefix of nothing is the forced values alone.
        format!(
            "{name} AS (\n    SELECT {}{how}(mean) AS mean\n    FROM (\n        SELECT {}CASE WHEN base_n > 0 THEN {alone} END AS mean \
             FROM {name}_means\n        UNION ALL\n        SELECT {}CASE WHEN base_n + more_n > 0 THEN {with} END AS mean \
             FROM {name}_means\n    ) either{}\n)",
            keys.inner(""),
            keys.inner(""),
            keys.inner(""),
            keys.clause("\n    GROUP BY ", "", "")
        )
    };
    // Both sides have the same keys, in which null is a value.
    let same = keys.same("least.", "most.");
    format!(
        "{common},\n{reach},\n{},\n{},\n{},\n{},\n{}\nSELECT\n    {}{}\nFROM least JOIN most ON {same}{}",
        ranked(),
        part("least", "up", ""),
        part("most", "down", " DESC"),
        extreme("least", "MIN"),
        extreme("most", "MAX"),
        keys.outer("least."),
        ends(asked, "least.mean", "most.mean"),
        keys.order("least.")
    )
}

fn extreme(common: &str, asked: &AskedAggregate, keys: &Keys, reach: &str, operand: &Operand) -> String {
    let is_min = asked.aggregate == Aggregate::Min;
    let (how, other, cumulated) = if is_min { ("MIN", "MAX", "down") } else { ("MAX", "MIN", "up") };
    let outer = format!("{how}(x)");
    // The l-th value from the far end; without forced values a single one may be all there is.
    let inner =
        format!("COALESCE({how}(CASE WHEN l > 0 AND {cumulated} - n < l AND l <= {cumulated} THEN x END), {other}(x))");
    let (lower, upper) = if is_min { (outer, inner) } else { (inner, outer) };
    format!(
        "{common},\n{reach},\n{}\nSELECT\n    {}{}\nFROM reach JOIN ranked ON ranked.g = reach.g AND u > 0{}",
        ranked(),
        keys.outer("reach."),
        ends(asked, &operand.shown(&lower), &operand.shown(&upper)),
        keys.ending("reach.")
    )
}
