//! A release carried into a database, or into files for one that the program cannot connect to.
//!
//! ```text
//! release --plan--> sheets, the view `people`, functions --postgres--> one transaction
//!                                                       \--files----> release.sql and CSV
//! ```
//!
//! Everything is worked out from the release's own bytes after they were found intact. What is not in the release (the
//! help tables of anatomy, the ends of boxes) follows from it.

mod counted_help;
mod files;
mod functions;
mod names;
mod people_view;
mod plan;
mod postgres;
mod ranges;
mod sheet;
mod tables;

use plan::Plan;
use postgres::Address;
use scumble_release::ReleaseReader;
use scumble_table::{Error, Monitor, Result};
use std::path::PathBuf;

/// Where a release is to be carried.
pub struct Destination(Target);

enum Target {
    Database(Box<Address>),
    Directory(PathBuf),
}

/// How it is to be carried.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExportOptions {
    /// The schema of a database.
    pub schema: String,
    /// Whether another release in that schema may be swapped out.
    pub replace: bool,
}

impl Default for ExportOptions {
    fn default() -> Self {
        ExportOptions { schema: "release".into(), replace: false }
    }
}

/// What was carried where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExportSummary {
    /// The database, without its password, or the directory.
    pub place: String,
    /// The schema; directories have none.
    pub schema: Option<String>,
    /// The tables with their rows.
    pub tables: Vec<ExportedTable>,
    /// Names of the functions that give bounds.
    pub functions: Vec<String>,
    /// True if all of it was there already, and intact.
    pub already: bool,
}

/// A table that was carried.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExportedTable {
    /// Its name.
    pub name: String,
    /// Its rows.
    pub rows: u64,
}

impl Destination {
    /// Reads a destination: `postgres://...`, or a directory.
    ///
    /// # Errors
    /// If it is neither, or a database that this program cannot speak to. A password is never shown.
    pub fn parse(text: &str) -> Result<Destination> {
        match text.split_once("://") {
            Some(("postgres" | "postgresql", _)) => Ok(Destination(Target::Database(Box::new(Address::parse(text)?)))),
            Some((scheme, _)) if !scheme.contains(['/', '.']) => {
                Err(Error::request("to", format!("{scheme}://..."), "this program does not speak to such databases")
                    .hint("postgres://..., or a directory, which gets SQL and CSV for any database"))
            }
            _ => Ok(Destination(Target::Directory(text.into()))),
        }
    }

    /// What should be known before anything is sent.
    pub fn warning(&self) -> Option<String> {
        match &self.0 {
            Target::Database(address) => address.warning(),
            Target::Directory(_) => None,
        }
    }
}

/// Carries a release to its destination, whole or not at all.
///
/// # Errors
/// If the release is not the one that was published, if the destination holds something else, or if it fails.
pub fn export(
    release: &ReleaseReader,
    to: &Destination,
    options: &ExportOptions,
    monitor: Monitor<'_>,
) -> Result<ExportSummary> {
    match &to.0 {
        Target::Database(address) => {
            postgres::check_schema(&options.schema)?;
            postgres::export(&Plan::read(release, monitor)?, address, options, monitor)
        }
        Target::Directory(dir) => files::export(release, dir, options, monitor),
    }
}
