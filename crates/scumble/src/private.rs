//! Which row of the source is in which batch: kept by the publisher next to an angel release, never inside.
//!
//! A table that is added later must have the same batches, since new ones would let readers intersect both (paper 4,
//! section 4.1). A reader of this file and the release knows as much about everybody as the batch
//! tells, so that it says "private" in its name and its first line, and only its owner may read it.
//!
//! ```text
//! scumble private batches 1: ties rows of the source to batches, never publish it
//! release <sha256 of the release's table of batches>
//! source <sha256 of the published columns of the source>
//! rows 6
//! 2
//! 1
//! ...                        the batch of each row of the source
//! sha256 <of all lines above>
//! ```

use scumble_platform::{Lock, PendingFile, Readers, lock_file, others_may_read};
use scumble_release::{Angel, Digest, Manifest};
use scumble_table::{Codes, Domain, Error, Result, Table};
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// What the first line of the file begins with.
const TITLE: &str = "scumble private batches 1";

/// What follows the name of the release in the name of the file.
const SUFFIX: &str = ".private-batches";

/// The file that belongs to a release.
pub(crate) fn file_of(release: &Path) -> PathBuf {
    let plain: PathBuf = release.components().collect();
    let mut name = plain.file_name().map_or_else(|| OsString::from("release"), OsString::from);
    name.push(SUFFIX);
    plain.with_file_name(name)
}

/// Holds the file for one run at a time, waiting for others; where there is none, reading it will say so.
pub(crate) fn lock(release: &Path) -> Result<Option<Lock>> {
    let place = file_of(release);
    match lock_file(&place) {
        Ok(lock) => Ok(Some(lock)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Error::io("lock", place.display(), &error)),
    }
}

/// Refuses to write over a file that is not to be replaced, or that is no such file at all.
pub(crate) fn check_place(release: &Path, replace: bool) -> Result<()> {
    let place = file_of(release);
    let shown = place.display().to_string();
    if fs::symlink_metadata(&place).is_err() {
        return Ok(());
    }
    let ours = fs::read(&place).is_ok_and(|bytes| bytes.starts_with(TITLE.as_bytes()));
    let refused = |reason: String| Error::request("out", release.display().to_string(), reason);
    match (ours, replace) {
        (true, true) => Ok(()),
        (true, false) => Err(refused(format!("`{shown}` is the private file of another release of this name"))
            .hint("move it to where that release is, name another directory, or use «replace»")),
        (false, _) => Err(refused(format!("`{shown}` stands where the private file of the release would go"))
            .hint("move it, or name another directory")),
    }
}

/// The file of a release that stood here before, if there is one.
pub(crate) fn stale(release: &Path) -> Option<PathBuf> {
    let place = file_of(release);
    fs::read(&place).is_ok_and(|bytes| bytes.starts_with(TITLE.as_bytes())).then_some(place)
}

/// Whether others than its owner may read the file of a release.
pub(crate) fn is_open(release: &Path) -> bool {
    others_may_read(&file_of(release))
}

/// Which row of a source is in which batch, with the checksum that tells the source again.
#[derive(Debug, Clone)]
pub(crate) struct PrivateBatches {
    source: String,
    batch_of_row: Vec<u32>,
}

impl PrivateBatches {
    pub(crate) fn new(table: &Table, batch_of_row: Vec<u32>) -> Self {
        PrivateBatches { source: source_digest(table), batch_of_row }
    }
}

/// Writes the batches of a release next to it. `batches` is the checksum of its table of batches.
pub(crate) fn write(release: &Path, batches: &str, private: &PrivateBatches) -> Result<PathBuf> {
    let PrivateBatches { source, batch_of_row } = private;
    let place = file_of(release);
    let mut text = format!(
        "{TITLE}: ties rows of the source to batches, never publish it\nrelease {batches}\nsource {source}\nrows {}\n",
        batch_of_row.len()
    );
    for batch in batch_of_row {
        text.push_str(&(batch + 1).to_string());
        text.push('\n');
    }
    let mut digest = Digest::default();
    digest.update(text.as_bytes());
    text.push_str(&format!("sha256 {}\n", digest.hex()));
    PendingFile::write(&place, Readers::Owner, |out| out.write_all(text.as_bytes()))
        .and_then(PendingFile::put)
        .map_err(|error| Error::io("write", place.display(), &error))?;
    Ok(place)
}

/// Reads the batch of each row of the source, from 0, for a release and its source. Whatever does not fit is refused:
/// with other batches the tables of the release would tell more together than each alone.
pub(crate) fn read(release: &Path, manifest: &Manifest, table: &Table) -> Result<Vec<u32>> {
    let place = file_of(release);
    let shown = place.display().to_string();
    let text = fs::read_to_string(&place).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => Error::request("extend", release.display().to_string(), format!("there is no `{shown}`"))
            .hint("publish keeps it beside a release; without it a new table would need new batches, and both together would give people away: publish the release anew instead"),
        _ => Error::io("read", &shown, &error),
    })?;
    let broken = |reason: &str| Error::data(shown.clone(), reason);
    let (body, seal) = text
        .strip_suffix('\n')
        .and_then(|text| text.rsplit_once('\n'))
        .ok_or_else(|| broken("this is not a file of private batches"))?;
    let mut digest = Digest::default();
    digest.update(body.as_bytes());
    digest.update(b"\n");
    if seal.strip_prefix("sha256 ") != Some(digest.hex().as_str()) {
        return Err(broken("its checksum does not fit: the file was cut or altered")
            .hint("take it from where it was kept, or publish the release anew"));
    }
    let mut lines = body.lines();
    if !lines.next().is_some_and(|line| line.starts_with(TITLE)) {
        return Err(broken("this is not a file of private batches of this version"));
    }
    let mut field = |name: &str| lines.next().and_then(|line| line.strip_prefix(name)?.strip_prefix(' '));
    let (of_release, of_source, rows) = (field("release"), field("source"), field("rows"));
    let batches = manifest.tables.iter().find(|table| table.name == Angel::BATCHES);
    if of_release.is_none() || of_release != batches.map(|table| table.sha256.as_str()) {
        return Err(broken("it belongs to another release"));
    }
    if of_source != Some(source_digest(table).as_str()) {
        return Err(Error::request("source", "", "this is not the data that the release was made from")
            .hint("the same rows in the same order are wanted, with the same texts for missing values («null»)"));
    }
    let of_row: Option<Vec<u32>> = lines.map(|line| line.parse::<u32>().ok()?.checked_sub(1)).collect();
    match of_row {
        Some(of_row) if rows == Some(of_row.len().to_string().as_str()) && of_row.len() == table.n_rows() => Ok(of_row),
        _ => Err(broken("it does not name one batch for each row")),
    }
}

/// A checksum of the published columns, by name and row by row. It depends on the values alone, not on how they are
/// coded or in which order the columns were named.
fn source_digest(table: &Table) -> String {
    let attributes = table.schema().attributes();
    let mut columns: Vec<usize> = (0..attributes.len()).collect();
    columns.sort_unstable_by_key(|&at| &attributes[at].name);
    let mut digest = Digest::default();
    for at in columns {
        digest.update(attributes[at].name.as_bytes());
        digest.update(b"\n");
        column(&mut digest, &attributes[at].domain, table.column(at));
    }
    digest.hex()
}

/// Every cell as its length and its text; null, which is no text, as a length that none has.
fn column(digest: &mut Digest, domain: &Domain, codes: &Codes) {
    let mut cells: Vec<Vec<u8>> = vec![u32::MAX.to_le_bytes().to_vec()];
    for code in domain.codes() {
        let text = domain.text(code);
        cells.push([&(text.len() as u32).to_le_bytes()[..], text.as_bytes()].concat());
    }
    let mut block = Vec::with_capacity(1 << 17);
    for code in codes.iter() {
        block.extend_from_slice(&cells[code as usize]);
        if block.len() >= 1 << 16 {
            digest.update(&block);
            block.clear();
        }
    }
    digest.update(&block);
}
