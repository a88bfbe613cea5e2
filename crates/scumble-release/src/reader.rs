//! A release, read back from its directory or from memory.

use crate::arrow::ArrowTable;
use crate::digest;
use crate::findings::{Findings, problems};
use crate::form::Draft;
use crate::intervals::{end_names, join_ends};
use crate::manifest::{MANIFEST, Manifest, REPORT};
use crate::published_column::PublishedColumn;
use crate::typed;
use crate::writer::side_files;
use crate::{
    BATCH, COUNT, GROUP, HITS, Method, Permuted, PermutedTables, PublishedTables, TUPLE, TableEntry, TableFormat,
};
use scumble_io::{
    Format, RawTable, ReadOptions, Shared, Want, parse_hierarchy, parse_matrix, read, read_plain, write_matrix,
};
use scumble_principle::LoadedDistance;
use scumble_table::{Error, Hierarchy, Kind, Monitor, Result, Role};
use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

/// The columns that number rows or groups and are read as plain integers.
const NUMBERED: [&str; 5] = [GROUP, TUPLE, BATCH, COUNT, HITS];

/// A release whose manifest has been understood. Tables are read when they are asked for.
#[derive(Debug, Clone)]
pub struct ReleaseReader {
    place: Place,
    manifest: Manifest,
    columns: Vec<PublishedColumn>,
}

/// Where the tables of a release are.
#[derive(Debug, Clone)]
enum Place {
    /// In files of a directory.
    Directory(PathBuf),
    /// In memory, as they were made.
    Memory(Arc<Draft>),
}

impl ReleaseReader {
    /// Opens a release: reads the manifest and the hierarchies, and compares every file with its
    /// checksum. A missing, cut or altered file is refused by name.
    ///
    /// # Errors
    /// If there is no release, or if it is not the one that was published.
    pub fn open(path: &Path) -> Result<Self> {
        let release = ReleaseReader::peek(path)?;
        for table in &release.manifest.tables {
            if release.file_digest(&table.file, "table")? != table.sha256 {
                return Err(not_published(release.shown(&table.file)));
            }
        }
        for entry in &release.manifest.files {
            if digest::file_digest(&path.join(&entry.file), &release.shown(&entry.file))? != entry.sha256 {
                return Err(not_published(release.shown(&entry.file)));
            }
        }
        Ok(release)
    }

    /// Opens a release without looking at its tables.
    ///
    /// # Errors
    /// If there is no release, or if its manifest cannot be understood.
    pub fn peek(path: &Path) -> Result<Self> {
        let manifest = Manifest::parse(&manifest_text(path)?)?;
        ReleaseReader::with_manifest(path, manifest)
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
        let columns =
            columns(&manifest, |column| manifest.hierarchy_file(column).map(|file| read_tree(path, file)).transpose())?;
        Ok(ReleaseReader { place: Place::Directory(path.to_path_buf()), manifest, columns })
    }

    /// A release that is in memory only. Where its manifest names no tables yet, it names those of the draft.
    ///
    /// # Errors
    /// If the draft contradicts itself.
    pub fn in_memory(draft: Arc<Draft>) -> Result<Self> {
        draft.check()?;
        let mut manifest = draft.manifest.clone();
        if manifest.tables.is_empty() {
            let entry = |(name, rows): (String, u64)| {
                let file = TableFormat::default().file(&name);
                TableEntry { name, file, rows, sha256: String::new() }
            };
            manifest.tables = draft.form.tables().map(entry).collect();
        }
        let (hierarchies, files) = side_files(&draft)?;
        manifest.hierarchies = hierarchies;
        manifest.files = files.into_iter().map(|file| file.entry).collect();
        let tree =
            |column: &str| draft.hierarchies.iter().find(|(name, _)| name == column).map(|(_, tree)| tree.clone());
        let columns = columns(&manifest, |column| Ok(tree(column)))?;
        Ok(ReleaseReader { place: Place::Memory(draft), manifest, columns })
    }

    /// What the release says about itself.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// The same release after its directory was put elsewhere.
    #[must_use]
    pub fn moved_to(self, path: &Path) -> ReleaseReader {
        match self.place {
            Place::Directory(_) => ReleaseReader { place: Place::Directory(path.to_path_buf()), ..self },
            Place::Memory(_) => self,
        }
    }

    /// The directory; nothing for a release in memory.
    pub fn path(&self) -> Option<&Path> {
        if let Place::Directory(path) = &self.place { Some(path) } else { None }
    }

    /// The release as it was made, where it is in memory.
    pub fn draft(&self) -> Option<&Arc<Draft>> {
        if let Place::Memory(draft) = &self.place { Some(draft) } else { None }
    }

    /// The published columns with their hierarchies, in the manifest's order.
    pub fn columns(&self) -> &[PublishedColumn] {
        &self.columns
    }

    /// The distance that the manifest states, with its matrices; nothing where it states none.
    ///
    /// # Errors
    /// If the distance does not read, or a matrix is missing or does not read.
    pub fn distance(&self) -> Result<Option<LoadedDistance>> {
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
    ///
    /// # Errors
    /// If the table cannot be read, or has not the rows that the manifest states.
    pub fn table(&self, name: &str, monitor: Monitor<'_>) -> Result<RawTable> {
        let entry = self.entry(name)?;
        let table = self.read_table(entry, monitor)?;
        if table.n_rows as u64 != entry.rows {
            let reason = format!("the table has {} rows and the manifest says {}", table.n_rows, entry.rows);
            return Err(Error::data(self.shown(&entry.file), reason));
        }
        Ok(table)
    }

    /// Reads a table whatever the manifest says about its rows, in the form in which everybody reads it: with generalized
    /// values as texts, and numbers as plain decimals.
    fn read_table(&self, entry: &TableEntry, monitor: Monitor<'_>) -> Result<RawTable> {
        let mut table = self.raw_table(entry, monitor)?;
        typed::plain_numbers(&mut table, |name| self.kind_of(&entry.name, name))?;
        join_ends(&mut table, &self.columns)?;
        Ok(table)
    }

    /// The column of the manifest that a column of a table shows, be it by its ends.
    fn published(&self, name: &str) -> Option<&PublishedColumn> {
        let shows = |column: &&PublishedColumn| {
            column.name() == name || (column.shows_ends() && end_names(column.name()).iter().any(|end| end == name))
        };
        self.columns.iter().find(shows)
    }

    /// What the values of a column are, where it is one of values and not of generalized ones.
    fn kind_of(&self, table: &str, name: &str) -> Option<Kind> {
        if let Some(column) = self.published(name) {
            let boxed = matches!(self.manifest.method, Method::Generalize | Method::Angel);
            let exact = column.role() != Role::Quasi || !boxed || column.name() != name;
            return exact.then_some(column.kind());
        }
        // Bounds are sums, or values of the column that they are about.
        let plan = PermutedTables::from_manifest(&self.manifest);
        let (_, at) = plan.helps.iter().find(|(help, _)| help == table)?;
        let kind = self.manifest.of_role(Role::Sensitive).nth(*at)?.kind;
        let is_bound = Permuted::BOUNDS.contains(&name);
        is_bound.then_some(if name.starts_with("sum") { Kind::Number } else { kind })
    }

    /// Reads a table with the columns that it has.
    fn raw_table(&self, entry: &TableEntry, monitor: Monitor<'_>) -> Result<RawTable> {
        let published = |name: &str| self.published(name);
        let options = ReadOptions::default()
            .format(if entry.file.ends_with(".parquet") { Format::Parquet } else { Format::Csv })
            .delimiter(Some(b','))
            .plain_files()
            .columns(|name| match published(name) {
                None if NUMBERED.contains(&name) => Want::Integer,
                _ => Want::Text,
            })
            .secret(|name| published(name).is_none_or(|column| column.role() != Role::Quasi));
        match &self.place {
            Place::Directory(path) => read(&path.join(&entry.file), &options, monitor),
            Place::Memory(draft) => {
                let ArrowTable { name, schema, batches } = draft.batches(&entry.name, Shared::Coded)?;
                RawTable::from_batches(&schema, batches, &name, &options, monitor)
            }
        }
    }

    /// A table as Arrow record batches.
    ///
    /// # Errors
    /// If it cannot be read, or is not the one that was published.
    pub fn arrow_table(&self, name: &str, monitor: Monitor<'_>) -> Result<ArrowTable> {
        match &self.place {
            Place::Memory(draft) => draft.arrow_table(name),
            Place::Directory(_) => {
                let entry = self.entry(name)?;
                if self.file_digest(&entry.file, "table")? != entry.sha256 {
                    return Err(not_published(self.shown(&entry.file)));
                }
                let table = self.raw_table(entry, monitor)?;
                typed::batches(&table, name, |column| self.kind_of(name, column))
            }
        }
    }

    /// Reads all tables, in the order of [`PublishedTables::names`], while their checksums are taken, and notes whether they
    /// are those that were published. Gives nothing where one of them is not there or does not read.
    ///
    /// # Errors
    /// If the system refuses, or the work is cancelled.
    pub fn read_tables(&self, monitor: Monitor<'_>, findings: &mut Findings) -> Result<Option<Vec<RawTable>>> {
        let names = PublishedTables::names(&self.manifest);
        // A table that the manifest does not name has been noted as the manifest's fault.
        let Ok(entries) = names.iter().map(|name| self.entry(name)).collect::<Result<Vec<_>>>() else {
            return Ok(None);
        };
        let missing: Vec<String> = entries.iter().filter_map(|entry| self.unreadable(&entry.file)).collect();
        if !missing.is_empty() {
            findings.note("tables-intact", problems(missing, String::new));
            return Ok(None);
        }
        let read = || entries.iter().map(|entry| self.read_table(entry, monitor)).collect::<Result<Vec<_>>>();
        let (digests, raw) = rayon::join(|| self.compare_digests(), read);
        let mut intact = digests?;
        let raw = match raw {
            Ok(raw) => raw,
            Err(error @ Error::Data { .. }) => {
                findings.note("tables-intact", intact);
                findings.note("tables-readable", Err(error.to_string()));
                return Ok(None);
            }
            Err(error) => return Err(error),
        };
        for (entry, raw) in entries.iter().zip(&raw) {
            if raw.n_rows as u64 != entry.rows {
                let differs = format!("`{}` has {} rows, and the manifest says {}", entry.file, raw.n_rows, entry.rows);
                intact = Err(intact.err().map_or(differs.clone(), |first| format!("{first}; {differs}")));
            }
        }
        findings.note("tables-intact", intact);
        Ok(Some(raw))
    }

    /// Why a file of the directory cannot be read, before it is opened.
    fn unreadable(&self, file: &str) -> Option<String> {
        match self.path()?.join(file).symlink_metadata() {
            Ok(found) if found.is_file() => None,
            Ok(_) => Some(format!("`{file}` is no plain file")),
            Err(_) => Some(format!("`{file}` is missing")),
        }
    }

    /// Compares the tables with their checksums. Tables in memory have none.
    fn compare_digests(&self) -> Result<Result<String, String>> {
        let tables = &self.manifest.tables;
        if self.path().is_none() {
            return Ok(Ok(format!("{} in memory", if tables.len() == 1 { "1 table" } else { "all tables" })));
        }
        let mut bad = Vec::new();
        for table in tables {
            match self.file_digest(&table.file, "table") {
                Ok(found) if found == table.sha256 => {}
                Ok(_) => bad.push(format!("`{}` is not the file that was published: its sha256 differs", table.file)),
                Err(Error::Data { .. }) => bad.push(format!("`{}` is missing", table.file)),
                Err(error) => return Err(error),
            }
        }
        Ok(problems(bad, || match tables.len() {
            1 => "1 table, sha256 agrees".into(),
            n => format!("{n} tables, sha256 agrees"),
        }))
    }

    /// The checksum of a file of the directory.
    ///
    /// # Errors
    /// If the file is missing or cannot be read.
    pub fn file_digest(&self, file: &str, what: &str) -> Result<String> {
        let Some(dir) = self.path() else { return Err(missing(file.into(), what)) };
        let path = dir.join(file);
        if !is_there(&path) {
            return Err(missing(self.shown(file), what));
        }
        digest::file_digest(&path, &self.shown(file))
    }

    /// The bytes of a small file; `what` says what it holds.
    ///
    /// # Errors
    /// If there is no such file, or it cannot be read.
    pub fn bytes(&self, file: &str, what: &str) -> Result<Vec<u8>> {
        match &self.place {
            Place::Directory(path) => small_file(path, file, what),
            Place::Memory(draft) if file == REPORT => Ok(draft.report.clone().into_bytes()),
            Place::Memory(draft) => {
                let matrix = draft.matrices.iter().find(|matrix| matrix.file == file);
                let matrix = matrix.ok_or_else(|| missing(file.into(), what))?;
                let mut bytes = Vec::new();
                write_matrix(&mut bytes, &matrix.pairs);
                Ok(bytes)
            }
        }
    }

    /// A file of the release as messages name it.
    pub fn shown(&self, file: &str) -> String {
        self.path().map_or_else(|| file.to_string(), |path| path.join(file).display().to_string())
    }
}

/// The columns of a manifest with their trees.
fn columns(manifest: &Manifest, tree: impl Fn(&str) -> Result<Option<Arc<Hierarchy>>>) -> Result<Vec<PublishedColumn>> {
    let mut columns = Vec::with_capacity(manifest.columns.len());
    for column in &manifest.columns {
        let published = column.published(tree(&column.name)?)?;
        columns.push(
            published
                .with_coarse(manifest.coarse_meaning(&column.name))
                .with_missing(manifest.missing_of(&column.name)),
        );
    }
    let known = |name: &str| columns.iter().find(|column| column.name() == name);
    if let Some((column, _)) = manifest.hierarchies.iter().find(|(name, _)| known(name).is_none()) {
        return Err(Error::data(MANIFEST, "field `hierarchies`: there is no such column").shows(column));
    }
    for entry in &manifest.coarse {
        let Some(tree) = known(&entry.column).and_then(PublishedColumn::hierarchy) else {
            let reason = "field `coarse`: there is no such column with a hierarchy";
            return Err(Error::data(MANIFEST, reason).shows(&entry.column));
        };
        if entry.rest.as_ref().is_some_and(|rest| tree.leaf_of(rest).is_none()) {
            return Err(
                Error::data(MANIFEST, "field `coarse`: the hierarchy has no such label").at(None, Some(&entry.column))
            );
        }
    }
    Ok(columns)
}

/// The text of a release's manifest.
///
/// # Errors
/// If there is no release in the directory, or its manifest is no text.
pub fn manifest_text(path: &Path) -> Result<String> {
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

/// Whether something has this name, even a link to nowhere.
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

/// A name that cannot lead out of the directory. Some systems also know names of drives.
pub(crate) fn is_plain_name(name: &str) -> bool {
    let mut components = Path::new(name).components();
    let is_one = matches!((components.next(), components.next()), (Some(Component::Normal(_)), None));
    is_one && !name.contains(['/', '\\', '\0'])
}
