//! A release onto the disk: written aside, read again, judged, and only then put in its place.

mod csv;
mod extend;
mod parquet;
mod sink;

pub use extend::{Addition, extend};

use crate::atomic::Nest;
use crate::column_file::column_file;
use crate::digest::Digest;
use crate::form::{Form, Layout, Release};
use crate::manifest::{FileEntry, MANIFEST, Manifest, REPORT, TableEntry};
use crate::target::{Target, resolve};
use crate::verify::{JOINED, Verdict, VerifyOptions, verify};
use crate::{MakeReport, Stage, Watch};
use scumble_io::{write_hierarchy, write_matrix};
use scumble_table::{Error, Result};
use std::fs::File;
use std::io::Write;
use std::path::Path;

/// The format of the tables.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum TableFormat {
    /// CSV with a header.
    #[default]
    Csv,
    /// Parquet with the same columns.
    Parquet,
}

impl TableFormat {
    /// The file that holds a table.
    pub fn file(self, table: &str) -> String {
        match self {
            TableFormat::Csv => format!("{table}.csv"),
            TableFormat::Parquet => format!("{table}.parquet"),
        }
    }
}

/// How to write.
#[derive(Debug, Clone, Copy, Default)]
pub struct WriteOptions {
    /// The format of the tables.
    pub format: TableFormat,
    /// Whether a release that is already there is swapped out.
    pub replace: bool,
    /// How many people several tables of boxes must leave everybody among, taken together.
    pub join_k: Option<u64>,
    /// How the page is made again from what the release shows, to be compared with the one that was given.
    pub report: Option<MakeReport>,
}

/// What was written.
#[derive(Debug, Clone)]
pub struct Written {
    /// The manifest as it stands in the release.
    pub manifest: Manifest,
    /// What the verifier found in the bytes.
    pub verdict: Verdict,
    /// Bytes in all files.
    pub bytes: u64,
}

/// Writes a release to the directory `out`, which appears whole and verified or not at all: after
/// an error nothing is left of it.
pub fn write(release: &Release, out: &Path, options: &WriteOptions, watch: &dyn Watch) -> Result<Written> {
    let target = resolve(out, options.replace, None)?;
    release.form.check()?;
    check_counts(&release.manifest, &release.form)?;
    let nest = Nest::create(&target)?;
    watch.stage(Stage::Write);
    let mut files = Files { dir: nest.path(), target: &target, open: Vec::new(), sealed: Vec::new(), bytes: 0 };
    let mut manifest = release.manifest.clone();
    manifest.tables.clear();
    manifest.hierarchies = hierarchies(release, &mut files)?;
    matrices(release, &mut files)?;
    manifest.files = std::mem::take(&mut files.sealed);
    for layout in release.form.layouts() {
        manifest.tables.push(table(&layout, options.format, &mut files, watch)?);
    }
    files.put(REPORT, release.report.as_bytes())?;
    files.put(MANIFEST, manifest.to_json()?.as_bytes())?;
    watch.stage(Stage::Sync);
    let bytes = files.sync()?;
    let (join_k, report) = (options.join_k, options.report);
    let verdict = verify(nest.path(), &VerifyOptions { join_k, report, watch, ..VerifyOptions::default() })?;
    refuse_failures(&verdict, options.join_k)?;
    watch.stage(Stage::Place);
    nest.commit(&target, || watch.stage(Stage::Remove))?;
    Ok(Written { manifest, verdict, bytes })
}

/// Nothing is put in place that does not verify.
fn refuse_failures(verdict: &Verdict, join_k: Option<u64>) -> Result<()> {
    let narrow = verdict.joined.filter(|joined| join_k.is_some_and(|k| joined.least < k));
    match (verdict.failures().find(|check| check.name != JOINED), narrow) {
        (Some(check), _) => Err(Error::Unverified { reason: format!("{}: {}", check.name, check.detail) }),
        (None, Some(joined)) => Err(Error::NotFound {
            requirement: format!("--join-k {}", join_k.unwrap_or(0)),
            reason: joined.words(),
            hint: "publish fewer or coarser marginals, a greater --angel-k, or weigh the risk and leave --join-k out"
                .into(),
            report: Vec::new(),
        }),
        (None, None) => Ok(()),
    }
}

/// A manifest that speaks of another table is the caller's mistake, found before any work.
fn check_counts(manifest: &Manifest, form: &Form) -> Result<()> {
    let n_rows = form.n_rows();
    let suppressed = form.n_suppressed();
    let found = ((n_rows - suppressed) as u64, suppressed as u64, form.n_groups());
    let stated = (manifest.rows, manifest.suppressed, manifest.groups);
    if manifest.method != form.method() || found != stated {
        return Err(Error::bug(format!("the manifest states {stated:?} and the release holds {found:?}")));
    }
    if n_rows == 0 {
        return Err(Error::request("rows", "0", "there is nothing to publish"));
    }
    Ok(())
}

/// Files of one release, flushed together at the end: a disk is faster with much to do at once.
struct Files<'a> {
    dir: &'a Path,
    target: &'a Target,
    open: Vec<(File, String)>,
    /// Checksums of hierarchies and matrices.
    sealed: Vec<FileEntry>,
    bytes: u64,
}

impl Files<'_> {
    /// A file's name as users know it.
    fn shown(&self, name: &str) -> String {
        Path::new(&self.target.shown).join(name).display().to_string()
    }

    fn create(&self, name: &str) -> Result<File> {
        File::create_new(self.dir.join(name)).map_err(|error| Error::io("create", self.shown(name), &error))
    }

    fn put(&mut self, name: &str, bytes: &[u8]) -> Result<()> {
        let mut file = self.create(name)?;
        file.write_all(bytes).map_err(|error| Error::io("write", self.shown(name), &error))?;
        self.open.push((file, name.into()));
        Ok(())
    }

    /// As [`Files::put`], and takes the checksum.
    fn put_sealed(&mut self, name: &str, bytes: &[u8]) -> Result<()> {
        let mut digest = Digest::default();
        digest.update(bytes);
        self.sealed.push(FileEntry { file: name.into(), sha256: digest.hex() });
        self.put(name, bytes)
    }

    fn sync(mut self) -> Result<u64> {
        for (file, name) in std::mem::take(&mut self.open) {
            let fail = |error: std::io::Error| Error::io("write", self.shown(&name), &error);
            file.sync_all().map_err(fail)?;
            self.bytes += file.metadata().map_err(fail)?.len();
        }
        Ok(self.bytes)
    }
}

fn table(layout: &Layout<'_>, format: TableFormat, files: &mut Files<'_>, watch: &dyn Watch) -> Result<TableEntry> {
    let name = format.file(&layout.name);
    let shown = files.shown(&name);
    watch.start(None);
    let (file, sha256) = match format {
        TableFormat::Csv => {
            let header = csv::header(layout);
            let sheet = csv::Sheet::new(layout);
            let render = |block: usize, out: &mut Vec<u8>| match block {
                0 => {
                    out.extend_from_slice(&header);
                    0
                }
                block => sheet.block(block - 1, out),
            };
            sink::pour(files.create(&name)?, &shown, sheet.n_blocks() + 1, render, watch)?
        }
        TableFormat::Parquet => parquet::write(layout, files.create(&name)?, &shown, watch)?,
    };
    files.open.push((file, name.clone()));
    Ok(TableEntry { name: layout.name.clone(), file: name, rows: layout.n_rows as u64, sha256 })
}

/// Writes the trees and names their files.
fn hierarchies(release: &Release, files: &mut Files<'_>) -> Result<Vec<(String, String)>> {
    let mut named: Vec<(String, String)> = Vec::new();
    for (column, tree) in &release.hierarchies {
        let file = column_file("hierarchy", column, &[], |file| named.iter().any(|(_, taken)| taken == file));
        let mut bytes = Vec::new();
        write_hierarchy(&mut bytes, tree);
        files.put_sealed(&file, &bytes)?;
        named.push((column.clone(), file));
    }
    Ok(named)
}

/// Writes the matrices, which must be those that the distance names.
fn matrices(release: &Release, files: &mut Files<'_>) -> Result<()> {
    let named = release.manifest.matrix_files();
    let given: Vec<&str> = release.matrices.iter().map(|matrix| matrix.file.as_str()).collect();
    if named != given {
        return Err(Error::bug(format!("the distance names the matrices {named:?}, and the release holds {given:?}")));
    }
    for matrix in &release.matrices {
        let mut bytes = Vec::new();
        write_matrix(&mut bytes, &matrix.pairs);
        files.put_sealed(&matrix.file, &bytes)?;
    }
    Ok(())
}
