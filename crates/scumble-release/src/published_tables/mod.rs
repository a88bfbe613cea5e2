//! The tables of a release as everybody reads them: verifier, measures, attacks and queries. There is one place where the
//! forms are told apart, and one type for each thing that a table shows.

mod anatomy;
mod angel;
mod boxed;
mod exact;
mod group_numbers;
mod help;
mod left_out;
mod permuted;
mod shown_column;

pub use angel::{Angelized, BoxTable};
pub use boxed::{BoxColumn, Boxed};
pub use exact::{CountedValues, Exact, GroupedValues, PlacedValues};
pub use shown_column::{ShownColumn, UNPUBLISHED, value_map};

use crate::findings::Findings;
use crate::form::{Generalized, PermutedTables};
use crate::manifest::{Manifest, Method};
use crate::reader::ReleaseReader;
use scumble_io::RawTable;
use scumble_table::{Error, Monitor, Result};

/// The tables of a release.
pub enum PublishedTables {
    /// One table of boxes.
    Generalized(Boxed),
    /// Exact people, and sensitive values known by group: anatomy and permuted releases.
    Exact(Exact),
    /// Batches of sensitive values, and tables of boxes.
    Angel(Angelized),
}

impl PublishedTables {
    /// The names of the tables that a release has by its manifest.
    pub fn names(manifest: &Manifest) -> Vec<String> {
        match manifest.method {
            Method::Generalize => vec![Generalized::TABLE.into()],
            Method::Anatomy => anatomy::TABLES.map(String::from).to_vec(),
            Method::Permute => PermutedTables::from_manifest(manifest).names(),
            Method::Angel => angel::names(manifest),
        }
    }

    /// The tables of a release that has been verified before: whatever is wrong with them is an error. The findings
    /// count rows and groups.
    ///
    /// # Errors
    /// If a table cannot be read, or makes no sense.
    pub fn read(release: &ReleaseReader, monitor: Monitor<'_>) -> Result<(PublishedTables, Findings)> {
        let names = PublishedTables::names(release.manifest());
        let raw = names.iter().map(|name| release.table(name, monitor)).collect::<Result<Vec<_>>>()?;
        let mut findings = Findings::default();
        match PublishedTables::from_raw(release, raw, &mut findings) {
            Some(tables) => Ok((tables, findings)),
            None => {
                let reason = findings.failures().next().map_or("unreadable".into(), |check| check.detail.clone());
                Err(Error::Unverified { reason })
            }
        }
    }

    /// Makes sense of tables that were read, in the order of [`PublishedTables::names`]. Notes every check on the way, and
    /// gives nothing where there is too little sense in the tables to go on.
    pub fn from_raw(
        release: &ReleaseReader,
        mut raw: Vec<RawTable>,
        findings: &mut Findings,
    ) -> Option<PublishedTables> {
        let left_out = left_out::restore(release, &mut raw);
        findings.require("rows-add-up", left_out)?;
        match release.manifest().method {
            Method::Generalize => {
                let [table] = raw.try_into().ok()?;
                Boxed::read(release, table, findings).map(PublishedTables::Generalized)
            }
            Method::Anatomy => anatomy::read(release, raw.try_into().ok()?, findings).map(PublishedTables::Exact),
            Method::Permute => permuted::read(release, raw, findings).map(PublishedTables::Exact),
            Method::Angel => angel::read(release, raw, findings).map(PublishedTables::Angel),
        }
    }

    /// People of each group, grouping by grouping.
    pub fn sizes(&self) -> Vec<&[u32]> {
        match self {
            PublishedTables::Generalized(boxed) => vec![&boxed.sizes],
            PublishedTables::Exact(exact) => exact.groupings.iter().map(|grouping| grouping.sizes.as_slice()).collect(),
            PublishedTables::Angel(angel) => vec![&angel.sizes],
        }
    }
}
