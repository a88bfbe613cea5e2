//! A release taken in whole, for those who answer questions over it, attack it or carry it elsewhere.

use crate::PublishedTables;
use crate::findings::Findings;
use crate::manifest::Manifest;
use crate::reader::ReleaseReader;
use scumble_table::{Error, Monitor, Result};
use std::fmt;
use std::path::Path;

/// A release whose files are those that its manifest names and whose tables make sense. Whatever is missing, cut or
/// altered has been refused. Whether its requirements hold is for the verifier to say.
pub struct ReleaseData {
    reader: ReleaseReader,
    tables: PublishedTables,
}

impl ReleaseData {
    /// Reads the tables of a release.
    ///
    /// # Errors
    /// If the release is not the one that was published.
    pub fn read(reader: ReleaseReader, monitor: Monitor<'_>) -> Result<ReleaseData> {
        let mut findings = Findings::default();
        let tables = match reader.read_tables(monitor, &mut findings)? {
            Some(raw) => PublishedTables::from_raw(&reader, raw, &mut findings),
            None => None,
        };
        let broken: Vec<String> =
            findings.failures().map(|check| format!("{}: {}", check.name, check.detail)).collect();
        match tables {
            Some(tables) if broken.is_empty() => Ok(ReleaseData { reader, tables }),
            _ if broken.is_empty() => Err(Error::bug("a table that cannot be read has not been found at fault")),
            _ => Err(Error::Unverified { reason: broken.join("; ") }),
        }
    }

    /// A release and its tables, which were verified before.
    pub fn from_parts(reader: ReleaseReader, tables: PublishedTables) -> ReleaseData {
        ReleaseData { reader, tables }
    }

    /// The same release after its directory was put elsewhere.
    #[must_use]
    pub fn moved_to(self, dir: &Path) -> ReleaseData {
        ReleaseData { reader: self.reader.moved_to(dir), tables: self.tables }
    }

    /// What the release says about itself.
    pub fn manifest(&self) -> &Manifest {
        self.reader.manifest()
    }

    /// Where it is read from, with its columns as the manifest has them.
    pub fn reader(&self) -> &ReleaseReader {
        &self.reader
    }

    /// Its tables.
    pub fn tables(&self) -> &PublishedTables {
        &self.tables
    }

    /// The reader and the tables.
    pub fn into_parts(self) -> (ReleaseReader, PublishedTables) {
        (self.reader, self.tables)
    }
}

/// Cells are left out: they are many, and those of people.
impl fmt::Debug for ReleaseData {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ReleaseData").field("reader", &self.reader).finish_non_exhaustive()
    }
}
