//! Bounds from the values of each group, where the help table does not suffice.
//!
//! Of the `size` values of a group `a` match and `h` people are chosen, or between two numbers of them: at least `l` and at
//! most `u` of the matching values are theirs. Cumulated counts in both directions tell which values are among the first so many.

use super::sql::{Dialect, Keys, ends, heading, quoted, text};
use crate::columns::Columns;
use crate::question::{Asked, Question};
use scumble_answer::Aggregate;
use scumble_release::Extent;
use scumble_table::Kind;

/// Where people and values are.
pub(super) struct Source {
    /// The table expression `hits`: groups as `g` with the people of each that are chosen.
    pub(super) hits: String,
    pub(super) chosen: Chosen,
    /// The rows that have values, and in them the group and the number of people who have the values.
    pub(super) from: String,
    pub(super) group: &'static str,
    pub(super) count: &'static str,
}

/// What `hits` tells of a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Chosen {
    /// How many of its people are chosen: `h`.
    Exactly,
    /// How many are at least, at most and on the average: `least`, `most` and `chance`.
    Perhaps,
}

impl Chosen {
    fn ends(self) -> (&'static str, &'static str) {
        match self {
            Chosen::Exactly => ("h", "h"),
            Chosen::Perhaps => ("least", "most"),
        }
    }
}

/// The statement of one aggregate.
pub(super) fn statement(
    question: &Question,
    asked: &Asked,
    columns: &Columns,
    source: &Source,
    dialect: Dialect,
) -> String {
    let keys = Keys::of(question, columns);
    let hits = &source.hits;
    if asked.aggregate == Aggregate::CountRows && question.sensitive.is_none() {
        let (least, most) = source.chosen.ends();
        let all = |end: &str| format!("COALESCE(SUM({end}), 0)");
        return format!(
            "WITH {hits}\nSELECT\n    {}{}{}\nFROM hits{}",
            keys.outer(""),
            ends(asked, &all(least), &all(most)),
            estimate(asked, source.chosen, "chance"),
            keys.ending("")
        );
    }
    let labels = labels(asked, columns);
    let values = values(question, asked, columns, source, labels);
    let common = format!("WITH {hits},\n{values}");
    let reach = reach(&keys, source.chosen, dialect);
    match asked.aggregate {
        Aggregate::CountRows | Aggregate::Count => format!(
            "{common},\n{reach}\nSELECT\n    {}{}{}\nFROM reach{}",
            keys.outer(""),
            ends(asked, "COALESCE(SUM(l), 0)", "COALESCE(SUM(u), 0)"),
            estimate(asked, source.chosen, "part * a"),
            keys.ending("")
        ),
        Aggregate::Sum if source.chosen == Chosen::Exactly => sum(&common, asked, &keys),
        Aggregate::Sum => sum_perhaps(&common, asked, &reach),
        Aggregate::Avg => avg(&common, asked, &keys, &reach, dialect),
        Aggregate::Min | Aggregate::Max => extreme(&common, asked, &keys, &reach, labels),
    }
}

/// The column of the estimate, where people are chosen perhaps.
fn estimate(asked: &Asked, chosen: Chosen, term: &str) -> String {
    match chosen {
        Chosen::Exactly => String::new(),
        Chosen::Perhaps => format!(",\n    COALESCE(SUM({term}), 0) AS {}", heading(asked, "estimate")),
    }
}

/// The labels of an ordinal, which engines would order by the alphabet.
fn labels<'a>(asked: &Asked, columns: &'a Columns) -> Option<&'a [String]> {
    let column = columns.get(asked.column?);
    match (column.kind(), column.extent()) {
        (Kind::Ordinal, Extent::Labels(labels)) => Some(labels),
        _ => None,
    }
}

/// How often each value occurs in each group, and whether it matches.
fn values(question: &Question, asked: &Asked, columns: &Columns, source: &Source, labels: Option<&[String]>) -> String {
    let column = asked.column.map(|at| quoted(columns.name(at)));
    let value = match (&column, labels) {
        (None, _) => "0".to_string(),
        (Some(column), Some(labels)) => {
            let arms: String =
                (0..).zip(labels).map(|(at, label): (usize, _)| format!(" WHEN {} THEN {at}", text(label))).collect();
            format!("CASE {column}{arms} END")
        }
        (Some(column), None) => column.clone(),
    };
    let mut conditions: Vec<String> = question.sensitive.iter().map(|condition| format!("({condition})")).collect();
    conditions.extend(column.map(|column| format!("{column} IS NOT NULL")));
    let matches = if conditions.is_empty() { "1 = 1".to_string() } else { conditions.join(" AND ") };
    let Source { from, group, count, .. } = source;
    format!(
        "vals AS (\n    SELECT g, x, ok, SUM(n) AS n\n    FROM (\n        SELECT {group} AS g, {value} AS x, \
         CASE WHEN {matches} THEN 1 ELSE 0 END AS ok, {count} AS n\n        FROM {from}\n    ) single\n    \
         GROUP BY g, x, ok\n)"
    )
}

/// How many of the matching values are theirs, at least and at most; and where people are chosen perhaps, the part of the
/// group that they are on the average.
fn reach(keys: &Keys, chosen: Chosen, dialect: Dialect) -> String {
    let (least, most) = chosen.ends();
    let part = match chosen {
        Chosen::Exactly => String::new(),
        Chosen::Perhaps => format!(", a, {} AS part", dialect.quotient("chance", "size")),
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
fn sum(common: &str, asked: &Asked, keys: &Keys) -> String {
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
fn sum_perhaps(common: &str, asked: &Asked, reach: &str) -> String {
    let side = |cumulated: &str, moves: &str| {
        let (forced, all) = (among(cumulated, "l"), among(cumulated, "u"));
        format!("COALESCE(SUM(x * (CASE WHEN x {moves} 0 THEN {all} ELSE {forced} END)), 0)")
    };
    format!(
        "{common},\n{reach},\n{}\nSELECT\n    {}{}\nFROM reach JOIN ranked ON ranked.g = reach.g",
        ranked(),
        ends(asked, &side("up", "<"), &side("down", ">")),
        estimate(asked, Chosen::Perhaps, "part * n * x"),
    )
}

/// The least mean: the `l` least values of each group are in it anyway, and of those up to the `u`-th any prefix, in the
/// order of all groups, may be.
fn avg(common: &str, asked: &Asked, keys: &Keys, reach: &str, dialect: Dialect) -> String {
    let part = |name: &str, cumulated: &str, direction: &str| {
        let (forced, all) = (among(cumulated, "l"), among(cumulated, "u"));
        let partition = keys.partition();
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
            group(keys)
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

fn group(keys: &Keys) -> String {
    match keys.inner("").trim_end_matches(", ") {
        "" => String::new(),
        list => format!("\n    GROUP BY {list}"),
    }
}

fn extreme(common: &str, asked: &Asked, keys: &Keys, reach: &str, labels: Option<&[String]>) -> String {
    let is_min = asked.aggregate == Aggregate::Min;
    let (how, other, cumulated) = if is_min { ("MIN", "MAX", "down") } else { ("MAX", "MIN", "up") };
    let outer = format!("{how}(x)");
    // The l-th value from the far end; without forced values a single one may be all there is.
    let inner =
        format!("COALESCE({how}(CASE WHEN l > 0 AND {cumulated} - n < l AND l <= {cumulated} THEN x END), {other}(x))");
    let shown = |expression: String| match labels {
        None => expression,
        Some(labels) => {
            let arms: String =
                (0..).zip(labels).map(|(at, label): (usize, _)| format!(" WHEN {at} THEN {}", text(label))).collect();
            format!("CASE {expression}{arms} END")
        }
    };
    let (lower, upper) = if is_min { (outer, inner) } else { (inner, outer) };
    format!(
        "{common},\n{reach},\n{}\nSELECT\n    {}{}\nFROM reach JOIN ranked ON ranked.g = reach.g AND u > 0{}",
        ranked(),
        keys.outer("reach."),
        ends(asked, &shown(lower), &shown(upper)),
        keys.ending("reach.")
    )
}
