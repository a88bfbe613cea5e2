//! What a table holds, who in it is unique, and which role each column could play.
//!
//! An inspection is for the publisher's eyes only: nothing of it belongs into a release.

mod alone;
mod columns;
mod copies;
mod diagnoses;
mod job;
mod keys;
mod labels;
mod missing_texts;
mod reason;
mod roles;
mod sets;
#[cfg(test)]
mod tests;
mod unfit;
mod words;
#[cfg(test)]
mod words_tests;

pub use columns::ColumnProfile;
pub use copies::CopyProfile;
pub use reason::Reason;
pub use sets::SetProfile;
pub(crate) use words::are_households;

use crate::context::Context;
use crate::job::ColumnRole;
use crate::person_keys::warn_of_alike_keys;
use crate::source::key_columns;
pub(crate) use roles::is_named_as_key;
use scumble_io::RawTable;
use scumble_table::{Error, Result, did_you_mean};
use serde::Serialize;

/// What an inspection found.
#[derive(Debug, Clone, Serialize)]
pub struct Inspection {
    /// Number of rows.
    pub rows: u64,
    /// One profile per column, in their order.
    pub columns: Vec<ColumnProfile>,
    /// People of the rows, where columns are named or proposed that say whose row each row is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub persons: Option<u64>,
    /// Columns that say what another says.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub copies: Vec<CopyProfile>,
    /// Small sets of columns that could identify people together, the most telling first.
    pub sets: Vec<SetProfile>,
    /// How many sets were looked at.
    pub sets_examined: usize,
    /// Columns that could be quasi-identifying and tell most people apart by themselves: sets with them are not looked at.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub near_unique: Vec<String>,
    /// Columns that could be quasi-identifying, beyond as many as a search takes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub too_many: Vec<String>,
}

impl Inspection {
    /// The texts that probably mean a missing value, each once, and the columns that are numbers but for them.
    pub fn maybe_missing(&self) -> (Vec<&str>, Vec<&str>) {
        let found = || self.columns.iter().filter(|column| !column.maybe_missing.is_empty());
        let mut texts: Vec<&str> = Vec::new();
        for text in found().flat_map(|column| &column.maybe_missing) {
            if !texts.contains(&text.as_str()) {
                texts.push(text);
            }
        }
        (texts, found().map(|column| column.name.as_str()).collect())
    }
}

/// Profiles a table whose columns were all read as texts, as
/// [`Source::read_all`](crate::Source::read_all) reads them, where the columns that say whose row each row is are proposed.
///
/// # Errors
/// As [`inspect_people`].
pub fn inspect(table: &RawTable, context: &Context) -> Result<Inspection> {
    inspect_people(table, &[], context)
}

/// Profiles a table whose columns were all read as texts, as [`Source::read_all`](crate::Source::read_all) reads them.
///
/// `person` names the columns that say whose row each row is; where it names none they are proposed. Where somebody has
/// several rows, people are counted who are alone with a value or with several: their own other rows hide nobody.
///
/// ```
/// use scumble::{ColumnRole, Context, Source, inspect};
///
/// let data = "name,age,disease\nann,31,flu\nbob,34,cold\ncy,34,flu\n";
/// let context = Context::new();
/// let inspection = inspect(&Source::reader(data.as_bytes()).read_all(&context)?, &context)?;
/// assert_eq!(inspection.columns[0].proposal, ColumnRole::Identifying);
/// let job = inspection.job();
/// assert_eq!(job.named(ColumnRole::Sensitive).collect::<Vec<_>>(), ["disease"]);
/// # Ok::<(), scumble::Error>(())
/// ```
///
/// # Errors
/// If a column is not there, or the work is cancelled.
pub fn inspect_people(table: &RawTable, person: &[String], context: &Context) -> Result<Inspection> {
    if let Some(name) = person.iter().find(|name| !table.names.contains(name)) {
        return Err(Error::request("person", name, "there is no such column").hint(did_you_mean(
            name,
            &table.names,
            "the columns are",
        )));
    }
    let monitor = context.monitor();
    context.run(|| {
        let mut columns = columns::profile(table, monitor)?;
        unfit::body_weights(&mut columns);
        let keys = keys::find(table, &columns);
        roles::propose_person(&mut columns, table.n_rows as u64, person, &keys);
        let persons = unfit::persons(table, &columns);
        if let Some(persons) = &persons {
            let keys = columns.iter().filter(|column| column.proposal == ColumnRole::Person);
            let keys: Vec<String> = keys.map(|column| column.name.clone()).collect();
            warn_of_alike_keys(persons, &key_columns(table, &keys), monitor)?;
        }
        unfit::drop_near_unique(table, &mut columns, persons.as_ref());
        let copies = copies::find(table, &mut columns, monitor)?;
        unfit::drop_beyond_most(&mut columns);
        let several = persons.as_ref().filter(|persons| persons.repeat());
        if let Some(persons) = several {
            alone::count_alone(table, &mut columns, persons, monitor)?;
        }
        let sets = sets::profile(table, &columns, several, monitor)?;
        let is_one_too_many = |column: &&ColumnProfile| matches!(column.because, Reason::TooMany { .. });
        Ok(Inspection {
            rows: table.n_rows as u64,
            persons: persons.map(|persons| persons.n() as u64),
            copies,
            sets: sets.listed,
            sets_examined: sets.examined,
            near_unique: sets.near_unique,
            too_many: columns.iter().filter(is_one_too_many).map(|column| column.name.clone()).collect(),
            columns,
        })
    })
}
