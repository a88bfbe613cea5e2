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
    let mut files = Files { dir: dir.path(), target: &target, open: Vec::new(), bytes: 0 };
    let mut manifest = draft.manifest.clone();
    manifest.tables.clear();
    let (hierarchies, others) = side_files(draft)?;
    others.iter().try_for_each(|one| files.put(&one.entry.file, &one.bytes))?;
    manifest.hierarchies = hierarchies;
    manifest.files = others.into_iter().map(|one| one.entry).collect();
    for layout in draft.form.layouts() {
        manifest.tables.push(table(&layout, options.format, &mut files, monitor)?);
    }
    let bytes = files.finish(&draft.report, &manifest, monitor)?;
    Ok(Staged { dir, target, manifest, bytes })
}

/// Files of one release, flushed together at the end: a disk is faster with much to do at once.
struct Files<'a> {
    dir: &'a Path,
    target: &'a Target,
    open: Vec<(File, String)>,
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

    /// Writes page and manifest, flushes everything, and returns the number of bytes.
    fn finish(mut self, report: &str, manifest: &Manifest, monitor: Monitor<'_>) -> Result<u64> {
        self.put(REPORT, report.as_bytes())?;
        self.put(MANIFEST, manifest.to_json()?.as_bytes())?;
        monitor.begin(Stage::Flush, None)?;
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

/// A file next to the tables.
pub(crate) struct SideFile {
    bytes: Vec<u8>,
    /// Its name and checksum, as the manifest states them.
    pub(crate) entry: FileEntry,
}

impl SideFile {
    fn new(file: &str, write: impl FnOnce(&mut Vec<u8>)) -> SideFile {
        let (mut bytes, mut digest) = (Vec::new(), Digest::default());
        write(&mut bytes);
        digest.update(&bytes);
        SideFile { entry: FileEntry { file: file.into(), sha256: digest.hex() }, bytes }
    }
}

/// Names of files by column.
type FileNames = Vec<(String, String)>;

impl Draft {
    /// The columns that have a hierarchy and the files that these get. A file cannot have every name that a column can.
    pub fn hierarchy_files(&self) -> Vec<(String, String)> {
        let mut named: Vec<(String, String)> = Vec::new();
        for (column, _) in &self.hierarchies {
            let file = column_file("hierarchy", column, &[], |file| named.iter().any(|(_, taken)| taken == file));
            named.push((column.clone(), file));
        }
        named
    }
}

/// The columns that have a hierarchy, each with the name of its file; and the files, those of matrices after them.
///
/// # Errors
/// If the matrices are not those that the distance names.
pub(crate) fn side_files(draft: &Draft) -> Result<(FileNames, Vec<SideFile>)> {
    let named = draft.hierarchy_files();
    let matrices = draft.manifest.matrix_files();
    let given: Vec<&str> = draft.matrices.iter().map(|matrix| matrix.file.as_str()).collect();
    if matrices != given {
        return Err(Error::bug(format!("the distance names {matrices:?}, and the release holds {given:?}")));
    }
    let trees = draft.hierarchies.iter().zip(&named);
    let trees = trees.map(|((_, tree), (_, file))| SideFile::new(file, |out| write_hierarchy(out, tree)));
    let matrices = draft.matrices.iter();
    let matrices = matrices.map(|matrix| SideFile::new(&matrix.file, |out| write_matrix(out, &matrix.pairs)));
    let files = trees.chain(matrices).collect();
    Ok((named, files))
}
