//! Verification, of releases and of tables made by other tools.

use crate::load::load;
use crate::observer::{Observer, Stage};
use crate::request::{ColumnRequest, ColumnRole, Input};
use scumble_principle::Requirement;
use scumble_release::{Source, SourceData, Stage as ReleaseStage, Verdict, VerifyOptions, Watch};
use scumble_table::{Error, Kind, Result};
use std::path::Path;

/// Verifies a release from its bytes alone; with a source, also that nothing was lost, invented or
/// wrongly covered. The tables of an angel release, joined by batch, must leave everybody among `join_k` people, where
/// that is given.
///
/// # Errors
/// If there is no release to judge or a file cannot be read. A release that breaks its promises is
/// no error: the verdict says so.
pub fn verify(
    release: &Path,
    requirements: &[Requirement],
    source: Option<&Input>,
    join_k: Option<u64>,
    observer: &dyn Observer,
) -> Result<Verdict> {
    let source = source.map(|input| Source {
        data: SourceData::File {
            path: input.path.clone(),
            format: input.format,
            delimiter: input.delimiter,
            nulls: input.nulls.clone(),
        },
        identifying: Vec::new(),
    });
    let watch = Auditing(observer);
    scumble_release::verify(
        release,
        &VerifyOptions { requirements: requirements.to_vec(), source, join_k, watch: &watch },
    )
}

/// A table made by another tool.
#[derive(Debug, Clone)]
pub struct TableToVerify {
    /// The table.
    pub input: Input,
    /// Its quasi-identifying and sensitive columns; others are not looked at.
    pub columns: Vec<ColumnRequest>,
    /// What its groups must satisfy.
    pub requirements: Vec<Requirement>,
}

/// Verifies a table whose equal quasi-identifiers form the groups.
///
/// # Errors
/// If the table cannot be read or a column is missing.
pub fn verify_table(table: &TableToVerify, observer: &dyn Observer) -> Result<Verdict> {
    let mut columns = table.columns.clone();
    for (i, column) in columns.iter().enumerate() {
        if columns[..i].iter().any(|other| other.name == column.name) {
            return Err(Error::request(column.role.flag(), &column.name, "the column is named twice")
                .hint("a column has one role"));
        }
    }
    // A generalized value is a text like another: rows are alike if they show the same.
    for column in columns.iter_mut().filter(|column| column.role == ColumnRole::Quasi) {
        (column.kind, column.hierarchy, column.order) = (Some(Kind::Nominal), None, None);
    }
    let loaded = load(&table.input, &columns, true, observer)?;
    scumble_release::verify_table(&loaded, &table.requirements)
}

/// Listens to a verification on behalf of an observer.
pub struct Auditing<'a>(pub &'a dyn Observer);

impl scumble_io::Progress for Auditing<'_> {
    fn start(&self, total_bytes: Option<u64>) {
        self.0.begin(Stage::Read, total_bytes);
    }

    fn advance(&self, bytes: u64, _rows: u64) {
        self.0.advance(bytes);
    }
}

impl Watch for Auditing<'_> {
    fn stage(&self, _stage: ReleaseStage) {}
}
