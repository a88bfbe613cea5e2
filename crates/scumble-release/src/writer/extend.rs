//! One more table for an angel release: the others stay as they are, byte by byte.

use super::{Files, Staged, TableFormat, table};
use crate::form::BucketTable;
use crate::manifest::{Coins, Manifest, ManifestColumn};
use crate::reader::ReleaseReader;
use crate::staging_dir::StagingDir;
use crate::target::resolve;
use scumble_table::{Error, Monitor, Result, Stage};
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
}

/// Writes a release with more tables to a hidden place, from which it takes the place of the old one in one step. After
/// an error the old one stands.
///
/// # Errors
/// If the release is not the one that was published, or a table is there already.
pub fn stage_extension(dir: &Path, addition: &Addition<'_>, monitor: Monitor<'_>) -> Result<Staged> {
    let target = resolve(dir, true, None)?;
    let release = ReleaseReader::open(dir)?;
    let old = release.manifest();
    let parquet = old.tables.first().is_some_and(|table| table.file.ends_with(".parquet"));
    let format = if parquet { TableFormat::Parquet } else { TableFormat::Csv };
    let staging = StagingDir::create(&target)?;
    monitor.begin(Stage::Write, Some(addition.tables.iter().map(|table| table.row_bucket.len() as u64).sum()))?;
    let mut files = Files { dir: staging.path(), target: &target, open: Vec::new(), bytes: 0 };
    let mut manifest = old.clone();
    for file in &old.named_files() {
        files.put(file, &release.bytes(file, "file")?)?;
    }
    for added in addition.tables {
        if old.tables.iter().any(|table| table.name == added.name) {
            return Err(Error::request("marginal", &added.name, "the release has this table already"));
        }
        let layout = added.layout();
        layout.check()?;
        layout.check_names(old.method.reserved())?;
        manifest.tables.push(table(&layout, format, &mut files, monitor)?);
    }
    manifest.columns.clone_from(&addition.columns);
    if addition.coins == Coins::Seeded {
        manifest.coins = Coins::Seeded;
    }
    let bytes = files.finish(&(addition.report)(&manifest), &manifest, monitor)?;
    Ok(Staged { dir: staging, target, manifest, bytes })
}
