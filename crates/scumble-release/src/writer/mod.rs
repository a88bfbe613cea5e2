//! A release onto the disk: written aside, read again, judged, and only then put in its place.

mod csv;
mod extend;
mod parquet;
mod sink;

pub use extend::{Addition, stage_extension};

use crate::column_file::column_file;
use crate::digest::Digest;
use crate::form::{Draft, Layout};
use crate::manifest::{FileEntry, MANIFEST, Manifest, REPORT, TableEntry};
use crate::staging_dir::StagingDir;
use crate::target::{Target, resolve};
use scumble_io::{write_hierarchy, write_matrix};
use scumble_table::{Error, Monitor, Result, Stage};
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
    /// All formats.
    pub const ALL: [TableFormat; 2] = [TableFormat::Csv, TableFormat::Parquet];

    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            TableFormat::Csv => "csv",
            TableFormat::Parquet => "parquet",
        }
    }

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
}

/// A release that was written to a hidden place and waits to be judged. Dropped, it disappears.
#[derive(Debug)]
pub struct Staged {
    dir: StagingDir,
    target: Target,
    /// The manifest as it stands in the release.
    pub manifest: Manifest,
    /// Bytes in all files.
    pub bytes: u64,
}

impl Staged {
    /// Where it was written.
    pub fn path(&self) -> &Path {
        self.dir.path()
    }

    /// Puts the release in its place. Only the verifier calls this, after it has read the bytes.
    ///
    /// # Errors
    /// If the system refuses; nothing is left then.
    pub fn commit(self, monitor: Monitor<'_>) -> Result<()> {
        monitor.begin(Stage::Place, None)?;
        self.dir.commit(&self.target, || {
            // The release is in its place: a cancellation comes too late, and the old one goes in any case.
            let _ = monitor.begin(Stage::Remove, None);
        })
    }
}

/// Writes a release to a hidden sibling of `out`. After an error nothing is left of it.
///
/// # Errors
/// If the draft contradicts itself, the target cannot be written, or the work is cancelled.
pub fn stage(draft: &Draft, out: &Path, options: &WriteOptions, monitor: Monitor<'_>) -> Result<Staged> {
    let target = resolve(out, options.replace, None)?;
    draft.check()?;
    let dir = StagingDir::create(&target)?;
    monitor.begin(Stage::Write, Some(draft.form.tables().map(|(_, rows)| rows).sum()))?;
    let mut files = Files { dir: dir.path(), target: &target, open: Vec::new(), sealed: Vec::new(), bytes: 0 };
    let mut manifest = draft.manifest.clone();
    manifest.tables.clear();
    manifest.hierarchies = hierarchies(draft, &mut files)?;
    matrices(draft, &mut files)?;
    manifest.files = std::mem::take(&mut files.sealed);
    for layout in draft.form.layouts() {
        manifest.tables.push(table(&layout, options.format, &mut files, monitor)?);
    }
    files.put(REPORT, draft.report.as_bytes())?;
    files.put(MANIFEST, manifest.to_json()?.as_bytes())?;
    monitor.begin(Stage::Flush, None)?;
    let bytes = files.sync()?;
    Ok(Staged { dir, target, manifest, bytes })
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

fn table(layout: &Layout<'_>, format: TableFormat, files: &mut Files<'_>, monitor: Monitor<'_>) -> Result<TableEntry> {
    let name = format.file(&layout.name);
    let shown = files.shown(&name);
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
            sink::write_blocks(files.create(&name)?, &shown, sheet.n_blocks() + 1, render, monitor)?
        }
        TableFormat::Parquet => parquet::write(layout, files.create(&name)?, &shown, monitor)?,
    };
    files.open.push((file, name.clone()));
    Ok(TableEntry { name: layout.name.clone(), file: name, rows: layout.n_rows as u64, sha256 })
}

/// Writes the trees and names their files.
fn hierarchies(draft: &Draft, files: &mut Files<'_>) -> Result<Vec<(String, String)>> {
    let named = hierarchy_files(draft);
    for ((_, tree), (_, file)) in draft.hierarchies.iter().zip(&named) {
        let mut bytes = Vec::new();
        write_hierarchy(&mut bytes, tree);
        files.put_sealed(file, &bytes)?;
    }
    Ok(named)
}

/// The columns that have a hierarchy, each with the name of its file.
pub(crate) fn hierarchy_files(draft: &Draft) -> Vec<(String, String)> {
    let mut named: Vec<(String, String)> = Vec::new();
    for (column, _) in &draft.hierarchies {
        let file = column_file("hierarchy", column, &[], |file| named.iter().any(|(_, taken)| taken == file));
        named.push((column.clone(), file));
    }
    named
}

/// Writes the matrices, which must be those that the distance names.
fn matrices(draft: &Draft, files: &mut Files<'_>) -> Result<()> {
    let named = draft.manifest.matrix_files();
    let given: Vec<&str> = draft.matrices.iter().map(|matrix| matrix.file.as_str()).collect();
    if named != given {
        return Err(Error::bug(format!("the distance names the matrices {named:?}, and the release holds {given:?}")));
    }
    for matrix in &draft.matrices {
        let mut bytes = Vec::new();
        write_matrix(&mut bytes, &matrix.pairs);
        files.put_sealed(&matrix.file, &bytes)?;
    }
    Ok(())
}
