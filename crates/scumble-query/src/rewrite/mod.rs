//! Questions as statements over the published tables, for engines that know nothing of releases.
//!
//! Paper section 5.2: hits per group are counted in the table of people, and the help table has the bounds for every
//! number of hits. Where a condition looks at sensitive values the help table does not suffice, and the same bounds are
//! taken from the values of each group with windows, over an angel release too. A statement gives one row of bounds for each combination of keys.

mod by_help;
mod by_value;
mod over_batches;
mod over_boxes;
mod sql;

pub use sql::Dialect;

pub(crate) use over_batches::over_batches;
pub(crate) use over_boxes::{BoxConditions, IdentifiedBy, over_boxes};
pub(crate) use sql::{quoted, quoted_names, text};

use crate::context::QueryContext;
use crate::question::AskedAggregate;
use crate::sql_names::SqlNames;
use by_value::{HitsKind, Source};
use scumble_release::{Anatomy, Manifest, Method, Permuted, PermutedTables};
use scumble_table::{Error, Result, Role};
use sql::Keys;

/// What statements need to know about a release with exact quasi-identifiers.
pub(crate) struct ExactRelease<'a> {
    pub(crate) manifest: &'a Manifest,
    /// Whether a sensitive column of this name has nulls.
    pub(crate) has_null: &'a dyn Fn(&str) -> bool,
}

/// The statements that answer a question over exact quasi-identifiers.
///
/// # Errors
/// If the question uses sensitive columns that were permuted each on its own.
pub(crate) fn over_people(
    context: QueryContext<'_>,
    release: &ExactRelease<'_>,
    dialect: Dialect,
) -> Result<Vec<String>> {
    let mut statements = Vec::new();
    // Aggregates of one column that the help table serves share a statement.
    let mut helped: Vec<(AnswerTables, Vec<&AskedAggregate>)> = Vec::new();
    let names = SqlNames::of_dialect(release.manifest, dialect);
    for asked in &context.question.aggregates {
        let tables = AnswerTables::new(context, asked, release, &names)?;
        if by_help::serves(context, asked, release, &tables) {
            match helped.iter_mut().find(|(_, list)| list[0].column == asked.column) {
                Some((_, list)) => list.push(asked),
                None => helped.push((tables, vec![asked])),
            }
        } else {
            statements.push(by_value::statement(context, asked, &tables.source(context), dialect));
        }
    }
    for (tables, asked) in &helped {
        statements.push(by_help::statement(context, asked, tables, dialect));
    }
    Ok(statements)
}

/// The tables that an aggregate is answered from.
struct AnswerTables {
    /// The table that maps people to groups; anatomy shows the group of each person.
    mapping: Option<String>,
    /// The table of bounds of the aggregate's column, where there is one.
    help: Option<String>,
}

impl AnswerTables {
    fn new(
        context: QueryContext<'_>,
        asked: &AskedAggregate,
        release: &ExactRelease<'_>,
        names: &SqlNames,
    ) -> Result<AnswerTables> {
        if release.manifest.method == Method::Anatomy {
            return Ok(AnswerTables { mapping: None, help: None });
        }
        let plan = PermutedTables::from_manifest(release.manifest);
        let sensitive: Vec<&str> =
            release.manifest.of_role(Role::Sensitive).map(|column| column.name.as_str()).collect();
        let position = |at: usize| sensitive.iter().position(|name| *name == context.columns.name(at));
        let used = context.question.sensitive_columns(asked, context.columns);
        let used: Vec<usize> = used.into_iter().filter_map(position).collect();
        let mapping = plan.mappings.iter().find(|(_, columns)| used.iter().all(|at| columns.contains(at)));
        let Some((mapping, _)) = mapping else {
            return Err(Error::request("question", &asked.label, "these columns were permuted each on its own"));
        };
        let column = asked.column.and_then(position);
        let help = plan.helps.iter().find(|(_, of)| Some(*of) == column).map(|(name, _)| names.of(name));
        Ok(AnswerTables { mapping: Some(names.of(mapping)), help })
    }

    /// The people and the values of groups.
    fn source(&self, context: QueryContext<'_>) -> Source {
        let (from, group, count) = match &self.mapping {
            Some(mapping) => (joined(mapping), "m.\"group\"", "1"),
            None => (format!("{} s", quoted(Anatomy::SENSITIVE)), "s.\"group\"", "s.\"count\""),
        };
        Source { hits: self.hits(context), kind: HitsKind::Exact, from, group, count }
    }

    /// Hits per group and combination of keys.
    fn hits(&self, context: QueryContext<'_>) -> String {
        let keys = Keys::new(context);
        let condition = context.question.people.as_ref().map(|condition| format!("({condition})"));
        let (from, group, extra) = match &self.mapping {
            Some(mapping) => (joined(mapping), "m.\"group\"", None),
            None => (format!("{} p", quoted(Anatomy::PEOPLE)), "p.\"group\"", Some("p.\"group\" IS NOT NULL".into())),
        };
        let conditions: Vec<String> = condition.into_iter().chain(extra).collect();
        let filter =
            if conditions.is_empty() { String::new() } else { format!("\n    WHERE {}", conditions.join(" AND ")) };
        format!(
            "hits AS (\n    SELECT {}{group} AS g, COUNT(*) AS h\n    FROM {from}{filter}\n    GROUP BY {}{group}\n)",
            keys.selected("p"),
            keys.grouped("p"),
        )
    }
}

/// People with their groups.
fn joined(mapping: &str) -> String {
    format!("{} p JOIN {} m ON m.\"tuple\" = p.\"tuple\"", quoted(Permuted::PEOPLE), quoted(mapping))
}
