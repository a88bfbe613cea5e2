//! Questions as statements over the published tables, for engines that know nothing of releases.
//!
//! Paper section 5.2: hits per group are counted in the table of people, and the help table has the bounds for every
//! number of hits. Where a condition looks at sensitive values the help table does not suffice, and the same bounds are
//! taken from the values of each group with windows, over an angel release too. A statement gives one row of bounds for each combination of keys.

mod by_help;
mod by_value;
mod of_batches;
mod of_boxes;
mod sql;

pub use sql::Dialect;

pub(crate) use of_batches::over_batches;
pub(crate) use of_boxes::{BoxConditions, ToldBy, over_boxes};
pub(crate) use sql::{quoted, text};

use crate::columns::Columns;
use crate::question::{Asked, Question};
use by_value::{Chosen, Source};
use scumble_release::{Anatomy, Manifest, Method, Permuted, PermutedTables};
use scumble_table::{Error, Result, Role};
use sql::Keys;

/// What statements need to know about a release with exact quasi-identifiers.
pub(crate) struct Published<'a> {
    pub(crate) manifest: &'a Manifest,
    pub(crate) columns: &'a Columns,
    /// Whether a sensitive column of this name has nulls.
    pub(crate) has_null: &'a dyn Fn(&str) -> bool,
}

/// The statements that answer a question over exact quasi-identifiers.
///
/// # Errors
/// If the question uses sensitive columns that were permuted each on its own.
pub(crate) fn over_people(question: &Question, published: &Published<'_>, dialect: Dialect) -> Result<Vec<String>> {
    let mut statements = Vec::new();
    // Aggregates of one column that the help table serves share a statement.
    let mut helped: Vec<(usize, Vec<&Asked>)> = Vec::new();
    for asked in &question.aggregates {
        let place = Place::of(question, asked, published)?;
        match asked.column {
            Some(at) if by_help::serves(question, asked, published, &place) => {
                match helped.iter_mut().find(|(column, _)| *column == at) {
                    Some((_, list)) => list.push(asked),
                    None => helped.push((at, vec![asked])),
                }
            }
            _ => {
                let source = place.source(question, published.columns);
                statements.push(by_value::statement(question, asked, published.columns, &source, dialect));
            }
        }
    }
    for (_, asked) in helped {
        let place = Place::of(question, asked[0], published)?;
        statements.push(by_help::statement(question, &asked, published, &place, dialect));
    }
    Ok(statements)
}

/// The tables that an aggregate is answered from.
struct Place {
    /// The table that maps people to groups; anatomy has the groups beside the people.
    mapping: Option<String>,
    /// The table of bounds of the aggregate's column, where there is one.
    help: Option<String>,
}

impl Place {
    fn of(question: &Question, asked: &Asked, published: &Published<'_>) -> Result<Place> {
        if published.manifest.method == Method::Anatomy {
            return Ok(Place { mapping: None, help: None });
        }
        let plan = PermutedTables::from_manifest(published.manifest);
        let sensitive: Vec<&str> =
            published.manifest.of_role(Role::Sensitive).map(|column| column.name.as_str()).collect();
        let position = |at: usize| sensitive.iter().position(|name| *name == published.columns.name(at));
        let used = question.sensitive_columns(asked, published.columns);
        let used: Vec<usize> = used.into_iter().filter_map(position).collect();
        let mapping = plan.mappings.iter().find(|(_, columns)| used.iter().all(|at| columns.contains(at)));
        let Some((mapping, _)) = mapping else {
            return Err(Error::request("question", &asked.label, "these columns were permuted each on its own"));
        };
        let column = asked.column.and_then(position);
        let help = plan.helps.iter().find(|(_, of)| Some(*of) == column).map(|(name, _)| name.clone());
        Ok(Place { mapping: Some(mapping.clone()), help })
    }

    /// The people and the values of groups.
    fn source(&self, question: &Question, columns: &Columns) -> Source {
        let (from, group, count) = match &self.mapping {
            Some(mapping) => (joined(mapping), "m.\"group\"", "1"),
            None => (format!("{} s", quoted(Anatomy::SENSITIVE)), "s.\"group\"", "s.\"count\""),
        };
        let hits = self.hits(question, &Keys::of(question, columns));
        Source { hits, chosen: Chosen::Exactly, from, group, count }
    }

    /// Hits per group and combination of keys.
    fn hits(&self, question: &Question, keys: &Keys) -> String {
        let condition = question.people.as_ref().map(|condition| format!("({condition})"));
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

/// People beside their groups.
fn joined(mapping: &str) -> String {
    format!("{} p JOIN {} m ON m.\"tuple\" = p.\"tuple\"", quoted(Permuted::PEOPLE), quoted(mapping))
}
