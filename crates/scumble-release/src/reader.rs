//! A release directory, read back.

use crate::digest;
use crate::manifest::{MANIFEST, Manifest};
use crate::published::PublishedColumn;
use crate::{BATCH, COUNT, GROUP, HITS, TUPLE, TableEntry};
use scumble_io::{Format, Progress, RawTable, ReadOptions, Want, parse_hierarchy, parse_matrix, read, read_plain};
use scumble_principle::LoadedDistance;
use scumble_table::{Error, Hierarchy, Result, Role};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The columns that number rows or groups and are read as plain integers.
const NUMBERED: [&str; 5] = [GROUP, TUPLE, BATCH, COUNT, HITS];

/// A release on disk whose files are known to be those that its manifest names. Tables are read
/// when they are asked for.
#[derive(Debug, Clone)]
pub struct ReleaseDir {
    path: PathBuf,
    manifest: Manifest,
    columns: Vec<PublishedColumn>,
}

impl ReleaseDir {
    /// Opens a release: reads the manifest and the hierarchies, and compares every file with its
    /// checksum. A missing, cut or altered file is refused by name.
    pub fn open(path: &Path) -> Result<Self> {
        let release = ReleaseDir::peek(path)?;
        for table in &release.manifest.tables {
            if release.digest(table)? != table.sha256 {
                return Err(not_published(release.shown(&table.file)));
            }
        }
        for entry in &release.manifest.files {
            if digest::of_file(&path.join(&entry.file), &release.shown(&entry.file))? != entry.sha256 {
                return Err(not_published(release.shown(&entry.file)));
            }
        }
        Ok(release)
    }

    /// Opens a release without looking at its tables.
    pub(crate) fn peek(path: &Path) -> Result<Self> {
        let manifest = Manifest::parse(&manifest_text(path)?)?;
        ReleaseDir::with_manifest(path, manifest)
    }

    /// A release directory as another manifest describes it.
    ///
    /// # Errors
    /// If the manifest names files elsewhere, or a hierarchy cannot be read.
    pub fn with_manifest(path: &Path, manifest: Manifest) -> Result<Self> {
        for file in manifest.named_files().iter().chain(manifest.files.iter().map(|entry| &entry.file)) {
            if !is_plain_name(file) {
                return Err(Error::data(MANIFEST, "a file of a release lies in its directory").shows(file));
            }
        }
        let mut columns = Vec::with_capacity(manifest.columns.len());
        for column in &manifest.columns {
            let tree = manifest.hierarchy_file(&column.name).map(|file| read_tree(path, file)).transpose()?;
            columns.push(column.published(tree)?.with_coarse(manifest.coarse_meaning(&column.name)));
        }
        if let Some((column, _)) =
            manifest.hierarchies.iter().find(|(name, _)| !columns.iter().any(|c| c.name() == name))
        {
            return Err(Error::data(MANIFEST, "field `hierarchies`: there is no such column").shows(column));
        }
        for entry in &manifest.coarse {
            let known = |column: &&PublishedColumn| column.name() == entry.column;
            let Some(tree) = columns.iter().find(known).and_then(PublishedColumn::hierarchy) else {
                let reason = "field `coarse`: there is no such column with a hierarchy";
                return Err(Error::data(MANIFEST, reason).shows(&entry.column));
            };
            if entry.rest.as_ref().is_some_and(|rest| tree.leaf_of(rest).is_none()) {
                return Err(Error::data(MANIFEST, "field `coarse`: the hierarchy has no such label")
                    .at(None, Some(&entry.column)));
            }
        }
        Ok(ReleaseDir { path: path.to_path_buf(), manifest, columns })
    }

    /// What the release says about itself.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// The directory.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The published columns with their hierarchies, in the manifest's order.
    pub fn columns(&self) -> &[PublishedColumn] {
        &self.columns
    }

    /// The distance that the manifest states, with its matrices; nothing where it states none.
    ///
    /// # Errors
    /// If the distance does not read, or a matrix is missing or does not read.
    pub fn ruler(&self) -> Result<Option<LoadedDistance>> {
        let read = |file: &str| parse_matrix(file, &self.bytes(file, "matrix")?);
        self.manifest.distance.as_ref().map(|text| LoadedDistance::new(text.parse()?, read)).transpose()
    }

    /// The manifest's entry of a table.
    pub fn entry(&self, name: &str) -> Result<&TableEntry> {
        self.manifest.tables.iter().find(|table| table.name == name).ok_or_else(|| {
            Error::data(
                MANIFEST,
                format!("field `tables`: a {} release has a table `{name}`", self.manifest.method.name()),
            )
        })
    }

    /// Reads a table: numbers of rows, groups and batches as integers, all other columns as text.
    pub fn table(&self, name: &str, progress: &dyn Progress) -> Result<RawTable> {
        let entry = self.entry(name)?;
        let table = self.read_table(entry, progress)?;
        if table.n_rows as u64 != entry.rows {
            let reason = format!("the table has {} rows and the manifest says {}", table.n_rows, entry.rows);
            return Err(Error::data(self.shown(&entry.file), reason));
        }
        Ok(table)
    }

    /// Reads a table whatever the manifest says about its rows.
    pub(crate) fn read_table(&self, entry: &TableEntry, progress: &dyn Progress) -> Result<RawTable> {
        let published = |name: &str| self.columns.iter().find(|column| column.name() == name);
        let options = ReadOptions::default()
            .format(if entry.file.ends_with(".parquet") { Format::Parquet } else { Format::Csv })
            .delimiter(Some(b','))
            .plain_files()
            .columns(|name| match published(name) {
                None if NUMBERED.contains(&name) => Want::Integer,
                _ => Want::Text,
            })
            .secret(|name| published(name).is_none_or(|column| column.role() != Role::Quasi));
        read(&self.path.join(&entry.file), &options, progress)
    }

    /// The checksum of a table's bytes.
    pub(crate) fn digest(&self, table: &TableEntry) -> Result<String> {
        let path = self.path.join(&table.file);
        if !is_there(&path) {
            return Err(missing(self.shown(&table.file), "table"));
        }
        digest::of_file(&path, &self.shown(&table.file))
    }

    /// The bytes of a small file; `what` says what it holds.
    pub(crate) fn bytes(&self, file: &str, what: &str) -> Result<Vec<u8>> {
        small_file(&self.path, file, what)
    }

    pub(crate) fn shown(&self, file: &str) -> String {
        self.path.join(file).display().to_string()
    }
}

/// The text of a release's manifest.
pub(crate) fn manifest_text(path: &Path) -> Result<String> {
    let shown = path.display();
    if !path.is_dir() {
        return Err(Error::request("release", shown.to_string(), "there is no such directory"));
    }
    let bytes = read_plain(&path.join(MANIFEST)).map_err(|error| match error.kind() {
        ErrorKind::NotFound => Error::request("release", shown.to_string(), "this is not a release")
            .hint(format!("a release is a directory with a file {MANIFEST}")),
        _ => Error::io("read", path.join(MANIFEST).display(), &error),
    })?;
    String::from_utf8(bytes).map_err(|_| Error::data(MANIFEST, "this is not text in UTF-8"))
}

fn read_tree(dir: &Path, file: &str) -> Result<Arc<Hierarchy>> {
    let shown = dir.join(file).display().to_string();
    parse_hierarchy(&shown, &small_file(dir, file, "hierarchy")?).map(Arc::new)
}

/// The bytes of a file of the release that is a plain one.
fn small_file(dir: &Path, file: &str, what: &str) -> Result<Vec<u8>> {
    let path = dir.join(file);
    if !is_there(&path) {
        return Err(missing(path.display().to_string(), what));
    }
    read_plain(&path).map_err(|error| Error::io("read", path.display(), &error))
}

/// Whether something has this name, be it a link to nowhere.
fn is_there(path: &Path) -> bool {
    path.symlink_metadata().is_ok()
}

fn not_published(shown: String) -> Error {
    Error::data(shown, "the file is not the one that was published")
        .hint("its checksum differs from the manifest's; fetch the release again")
}

fn missing(shown: String, what: &str) -> Error {
    Error::data(shown, format!("this {what} of the release is missing"))
}

/// A name that cannot lead out of the directory.
pub(crate) fn is_plain_name(name: &str) -> bool {
    !name.is_empty() && name != "." && name != ".." && !name.contains(['/', '\\', '\0'])
}
