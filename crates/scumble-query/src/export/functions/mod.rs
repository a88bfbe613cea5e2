//! SQL functions that give bounds inside PostgreSQL.
//!
//! Bounds are exact decimals; a mean without a short decimal is rounded away from the answer, so that it still holds.
//! What the function is asked about must be people of the release: where more hits are counted than a group has people,
//! there is no bound, and null says so.

mod batches;
mod spread;

use super::names::derived;
use super::people_view::{PEOPLE, PeopleView};
use super::sheet::{ExportTable, fixed};
use crate::rewrite::quoted;
use crate::sql_names::SqlNames;
use scumble_release::{
    Anatomy, COUNT, GROUP, HITS, Method, Permuted, PermutedTables, PublishedColumn, ReleaseReader, TUPLE,
};
use scumble_table::{Kind, Role};
use spread::{EXTREMES, KNOWN};

/// Digits that a mean may take beyond those of its column before it is rounded, as in answers of `query`.
const MORE_DIGITS: u8 = 6;

/// A function of one sensitive column.
pub(crate) struct Function {
    pub(crate) name: String,
    pub(crate) about: String,
    /// Names and types of its arguments.
    pub(crate) arguments: Vec<(&'static str, &'static str)>,
    /// Names and types of what it returns.
    pub(crate) returns: Vec<(&'static str, &'static str)>,
    source: BoundSource,
    /// Digits of its means after the point.
    digits: u8,
}

/// What bounds are taken from.
enum BoundSource {
    /// A help table alone.
    Help { help: String },
    /// A help table for sums, and the values of each group for the rest: a missing value is no part of a mean.
    Values { help: String, values: GroupValues },
    /// The values that are handed over.
    Boxes,
    /// The counted values of a column, batch by batch.
    Batches { column: String },
}

/// The table that has the values of the groups.
struct GroupValues {
    column: String,
    /// The table of groups; anatomy has them with the counted values.
    mapping: Option<String>,
}

const BOUNDS: [(&str, &str); 8] = [
    ("sum_lower", "numeric"),
    ("sum_upper", "numeric"),
    ("avg_lower", "numeric"),
    ("avg_upper", "numeric"),
    ("min_lower", "numeric"),
    ("min_upper", "numeric"),
    ("max_lower", "numeric"),
    ("max_upper", "numeric"),
];

/// The functions of a release, one for each sensitive column of numbers. `helps` names the help tables by column.
pub(super) fn functions(
    release: &ReleaseReader,
    sheets: &[ExportTable],
    helps: &[(String, String)],
    people: &[PeopleView],
    sql_names: &SqlNames,
) -> Vec<Function> {
    let plan = PermutedTables::from_manifest(release.manifest());
    let sensitive: Vec<&PublishedColumn> =
        release.columns().iter().filter(|column| column.role() == Role::Sensitive).collect();
    let mut taken = Vec::new();
    let mut functions = Vec::new();
    for (at, column) in sensitive.iter().enumerate().filter(|(_, column)| column.kind() == Kind::Number) {
        let name = derived("", column.name(), "_bounds", &mut taken);
        let has_it = sheets.iter().filter_map(|sheet| sheet.columns.iter().find(|known| known.name == column.name()));
        let (not_null, scale) = has_it.map(|known| (known.not_null, known.sql.scale())).next().unwrap_or((true, 0));
        let digits = scale + MORE_DIGITS;
        let groups = people.iter().flat_map(|people| &people.group_of);
        let group = groups.into_iter().find(|(of, _)| of == column.name()).map_or(GROUP, |(_, group)| group);
        let of = format!("bounds of the sum, average, minimum and maximum of {}", column.name());
        let help = || helps.iter().find(|(of, _)| of == column.name()).map(|(_, help)| help.clone());
        let (about, arguments, source) = match release.manifest().method {
            Method::Generalize => (
                format!(
                    "{of}, given the values of the rows that match for certain and of all that may match, the certain ones \
                     among them; null where they are not among them"
                ),
                vec![("certain", "numeric[]"), ("possible", "numeric[]")],
                BoundSource::Boxes,
            ),
            Method::Angel => (
                format!(
                    "{of}, given the batches of the people who match for certain and of all who may match, the certain ones \
                     among them, once for each person of one view; null where these are not people of the release"
                ),
                vec![("certain", "integer[]"), ("possible", "integer[]")],
                BoundSource::Batches { column: column.name().into() },
            ),
            method => {
                let Some(help) = help() else { continue };
                let mapping = plan.mappings.iter().find(|(_, columns)| columns.contains(&at));
                let mapping = mapping.filter(|_| method == Method::Permute).map(|(name, _)| sql_names.of(name));
                let values = GroupValues { column: column.name().into(), mapping };
                (
                    format!(
                        "{of} over people, given by their groups: SELECT * FROM {}(ARRAY(SELECT {} FROM {PEOPLE} WHERE \
                         ...)); null where these are not people of the release",
                        quoted(&name),
                        quoted(group)
                    ),
                    vec![("groups", "integer[]")],
                    if not_null { BoundSource::Help { help } } else { BoundSource::Values { help, values } },
                )
            }
        };
        // Of certain and possible people the number is not known either.
        let n_people = match arguments.len() {
            1 => vec![("people", "bigint")],
            _ => vec![("people_lower", "bigint"), ("people_upper", "bigint")],
        };
        functions.push(Function {
            name,
            about,
            arguments,
            returns: [n_people, BOUNDS.to_vec()].concat(),
            source,
            digits,
        });
    }
    functions
}

impl Function {
    /// Its body; `name` tells how tables are called.
    pub(crate) fn body(&self, name: &dyn Fn(&str) -> String) -> String {
        match &self.source {
            BoundSource::Help { help } => self.by_help(&name(help)),
            BoundSource::Values { help, values } => self.by_value(&name(help), &values.rows(name)),
            BoundSource::Boxes => self.over_boxes(),
            BoundSource::Batches { column } => self.over_batches(&quoted(column), name),
        }
    }

    fn by_help(&self, help: &str) -> String {
        let ends: Vec<String> = ["min_lower", "min_upper", "max_lower", "max_upper"]
            .map(|end| format!("CASE WHEN known THEN {end} END"))
            .to_vec();
        format!(
            "{},\ntotal AS (\n    SELECT COALESCE(sum(h), 0) AS n, COALESCE(bool_and({hits} IS NOT NULL), true) AS known,\n        \
             COALESCE(sum(sum_lower), 0) AS sum_lower, COALESCE(sum(sum_upper), 0) AS sum_upper,\n        \
             min(min_lower) AS min_lower, min(min_upper) AS min_upper, max(max_lower) AS max_lower, max(max_upper) AS max_upper\n    \
             FROM helped\n)\nSELECT n::bigint, CASE WHEN known THEN sum_lower END, CASE WHEN known THEN sum_upper END,\n    \
             CASE WHEN known THEN {} END,\n    CASE WHEN known THEN {} END,\n    {}\nFROM total",
            helped(help),
            self.down("sum_lower", "NULLIF(n, 0)"),
            self.up("sum_upper", "NULLIF(n, 0)"),
            ends.join(", "),
            hits = quoted(HITS),
        )
    }

    /// As the statements of [`Session::rewrite`](crate::Session::rewrite) do it: of the `a` values of a group at least `l` and at most `u` are those of
    /// the people asked about, and any prefix of what is open, in the order of all groups, may join a mean.
    fn by_value(&self, help: &str, rows: &str) -> String {
        format!(
            "{helped},\nvals AS (\n    SELECT g, x, sum(n) AS n FROM ({rows}) single WHERE g IN (SELECT g FROM asked) GROUP BY g, x\n),\n\
             sizes AS (\n    SELECT g, sum(n) AS size, COALESCE(sum(n) FILTER (WHERE x IS NOT NULL), 0) AS a FROM vals GROUP BY g\n),\n\
             reach AS (\n    SELECT asked.g, GREATEST(0, h + a - size) AS l, LEAST(h, a) AS u FROM asked JOIN sizes ON sizes.g = asked.g\n),\n\
             {spread},\n\
             ends AS (\n    SELECT {EXTREMES}\n    FROM parts\n),\n\
             total AS (\n    SELECT COALESCE(sum(h), 0) AS n, COALESCE(bool_and({hits} IS NOT NULL), true) AS known,\n        \
             COALESCE(sum(sum_lower), 0) AS sum_lower, COALESCE(sum(sum_upper), 0) AS sum_upper\n    FROM helped\n)\n\
             SELECT n::bigint, {KNOWN}\nFROM total, means, ends",
            helped = helped(help),
            spread = self.spread(),
            hits = quoted(HITS),
        )
    }

    /// Theorem 2 of the paper: rows that match for certain, and rows that may.
    fn over_boxes(&self) -> String {
        format!(
            "WITH counted AS (\n    SELECT x, sum(c) AS sure, sum(p) - sum(c) AS open\n    \
             FROM (SELECT unnest($1) AS x, 1 AS c, 0 AS p UNION ALL SELECT unnest($2), 0, 1) handed\n    GROUP BY x\n),\n\
             total AS (\n    SELECT COALESCE(bool_and(open >= 0), true) AS known,\n        \
             COALESCE(sum(x * sure + LEAST(x, 0) * open), 0) AS sum_lower, COALESCE(sum(x * sure + GREATEST(x, 0) * open), 0) AS sum_upper,\n        \
             min(x) AS least, max(x) AS most, min(x) FILTER (WHERE sure > 0) AS least_sure, max(x) FILTER (WHERE sure > 0) AS most_sure\n    \
             FROM counted WHERE x IS NOT NULL OR open < 0\n),\n\
             running AS (\n    SELECT sum(x * sure) OVER () AS base, sum(sure) OVER () AS base_n,\n        \
             sum(x * open) OVER up AS low, sum(open) OVER up AS low_n, sum(x * open) OVER down AS high, sum(open) OVER down AS high_n\n    \
             FROM counted WHERE x IS NOT NULL\n    \
             WINDOW up AS (ORDER BY x ROWS UNBOUNDED PRECEDING), down AS (ORDER BY x DESC ROWS UNBOUNDED PRECEDING)\n),\n\
             means AS (\n    SELECT min(LEAST({}, {})) AS avg_lower, max(GREATEST({}, {})) AS avg_upper FROM running\n)\n\
             SELECT COALESCE(cardinality($1), 0)::bigint, COALESCE(cardinality($2), 0)::bigint,\n    \
             CASE WHEN known THEN sum_lower END, CASE WHEN known THEN sum_upper END,\n    \
             CASE WHEN known THEN avg_lower END, CASE WHEN known THEN avg_upper END,\n    \
             CASE WHEN known THEN least END, CASE WHEN known THEN COALESCE(least_sure, most) END,\n    \
             CASE WHEN known THEN COALESCE(most_sure, least) END, CASE WHEN known THEN most END\nFROM total, means",
            self.down("base", "NULLIF(base_n, 0)"),
            self.down("(base + low)", "NULLIF(base_n + low_n, 0)"),
            self.up("base", "NULLIF(base_n, 0)"),
            self.up("(base + high)", "NULLIF(base_n + high_n, 0)"),
        )
    }

    /// A quotient of a decimal and a whole number, rounded down to the digits of means.
    fn down(&self, numer: &str, denom: &str) -> String {
        self.rounded(numer, denom, "- CASE WHEN", "< 0")
    }

    fn up(&self, numer: &str, denom: &str) -> String {
        self.rounded(numer, denom, "+ CASE WHEN", "> 0")
    }

    fn rounded(&self, numer: &str, denom: &str, step: &str, beyond: &str) -> String {
        let scaled = format!("{numer} * 1{}::numeric", "0".repeat(usize::from(self.digits)));
        let last = fixed(1, self.digits);
        format!("(div({scaled}, {denom}) {step} mod({scaled}, {denom}) {beyond} THEN 1 ELSE 0 END) * {last}")
    }
}

/// Hits per group, each with the bounds for that number.
fn helped(help: &str) -> String {
    format!(
        "WITH asked AS (\n    SELECT g, count(*) AS h FROM unnest($1) AS g WHERE g IS NOT NULL GROUP BY g\n),\n\
         helped AS (\n    SELECT asked.h, b.* FROM asked LEFT JOIN {help} b ON b.{} = asked.g AND b.{} = asked.h\n)",
        quoted(GROUP),
        quoted(HITS)
    )
}

impl GroupValues {
    /// A statement that gives the group, the value and the number of people of each row.
    fn rows(&self, name: &dyn Fn(&str) -> String) -> String {
        let column = quoted(&self.column);
        let group = quoted(GROUP);
        match &self.mapping {
            Some(mapping) => format!(
                "SELECT m.{group} AS g, p.{column}::numeric AS x, 1 AS n FROM {} p JOIN {} m ON m.{tuple} = p.{tuple}",
                name(Permuted::PEOPLE),
                name(mapping),
                tuple = quoted(TUPLE)
            ),
            None => format!(
                "SELECT s.{group} AS g, s.{column}::numeric AS x, s.{} AS n FROM {} s",
                quoted(COUNT),
                name(Anatomy::SENSITIVE)
            ),
        }
    }
}
