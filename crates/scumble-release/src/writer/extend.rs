//! One more table for an angel release: the others stay as they are, byte by byte.

use super::{Files, TableFormat, Written, refuse_failures, table};
use crate::atomic::Nest;
use crate::form::BucketTable;
use crate::manifest::{Coins, MANIFEST, Manifest, ManifestColumn, REPORT};
use crate::reader::ReleaseDir;
use crate::target::resolve;
use crate::verify::{VerifyOptions, verify};
use crate::{MakeReport, Stage, Watch};
use scumble_table::{Error, Result};
use std::path::Path;

/// What is added to a release.
pub struct Addition<'a> {
    /// The new tables.
    pub tables: &'a [BucketTable],
    /// All columns, with the domains that old and new tables show together.
    pub columns: Vec<ManifestColumn>,
    /// The new `report.html`, for the new manifest.
    pub report: &'a dyn Fn(&Manifest) -> String,
    /// Whether the coins of the new tables were secret.
    pub coins: Coins,
    /// How many people all tables must leave everybody among, taken together.
    pub join_k: Option<u64>,
    /// How the page is made again from what the release shows, to be compared with the new one.
    pub remake: Option<MakeReport>,
}

/// Adds tables to a release. The extended release takes the place of the old one in one step, after it was verified;
/// after an error the old one stands.
///
/// # Errors
/// If the release is not the one that was published, or the extended one does not verify.
pub fn extend(dir: &Path, addition: &Addition<'_>, watch: &dyn Watch) -> Result<Written> {
    let target = resolve(dir, true, None)?;
    let release = ReleaseDir::open(dir)?;
    let old = release.manifest();
    let parquet = old.tables.first().is_some_and(|table| table.file.ends_with(".parquet"));
    let format = if parquet { TableFormat::Parquet } else { TableFormat::Csv };
    let nest = Nest::create(&target)?;
    watch.stage(Stage::Write);
    let mut files = Files { dir: nest.path(), target: &target, open: Vec::new(), sealed: Vec::new(), bytes: 0 };
    let mut manifest = old.clone();
    for file in &old.named_files() {
        files.put(file, &release.bytes(file, "file")?)?;
    }
    for added in addition.tables {
        if old.tables.iter().any(|table| table.name == added.name) {
            return Err(Error::request("--marginal", &added.name, "the release has this table already"));
        }
        let layout = added.layout();
        layout.check()?;
        layout.check_names(old.method.reserved())?;
        manifest.tables.push(table(&layout, format, &mut files, watch)?);
    }
    manifest.columns.clone_from(&addition.columns);
    if addition.coins == Coins::Seeded {
        manifest.coins = Coins::Seeded;
    }
    files.put(REPORT, (addition.report)(&manifest).as_bytes())?;
    files.put(MANIFEST, manifest.to_json()?.as_bytes())?;
    watch.stage(Stage::Sync);
    let bytes = files.sync()?;
    let (join_k, report) = (addition.join_k, addition.remake);
    let verdict = verify(nest.path(), &VerifyOptions { join_k, report, watch, ..VerifyOptions::default() })?;
    refuse_failures(&verdict, addition.join_k)?;
    watch.stage(Stage::Place);
    nest.commit(&target, || watch.stage(Stage::Remove))?;
    Ok(Written { manifest, verdict, bytes })
}
