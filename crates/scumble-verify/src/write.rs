//! The one way to a release on disk: written to a hidden place, read again, judged, and only then put in its place.

use crate::angel::JOINED;
use crate::verdict::Verdict;
use crate::{MakeReport, VerifyOptions, verify_dir_and_read};
use scumble_release::{Addition, Draft, Manifest, ReleaseData, Staged, WriteOptions, stage, stage_extension};
use scumble_table::{Error, Monitor, Population, Result, Stage};
use std::path::Path;

/// What must hold of a release besides what its manifest states.
#[derive(Debug, Clone, Copy, Default)]
pub struct Promise<'a> {
    /// The least number of people among whom several tables of boxes, taken together, must hide everybody.
    pub join_k: Option<u64>,
    /// The population that its people come from, for requirements about boxes.
    pub population: Option<&'a Population>,
    /// How the page is made again from what the release shows, to be compared with the one that was given.
    pub report: Option<MakeReport>,
}

/// What was written.
#[derive(Debug)]
pub struct Written {
    /// The manifest as it stands in the release.
    pub manifest: Manifest,
    /// The release with its tables, as the verifier has read them.
    pub data: ReleaseData,
    /// What the verifier found in the bytes.
    pub verdict: Verdict,
    /// Bytes in all files.
    pub bytes: u64,
}

/// What is asked of a release that was verified, at once before it is put in its place: it is given where the release lies
/// until then, and its tables. If it fails, the release goes.
pub type Gate<'g> = &'g mut dyn FnMut(&Path, &ReleaseData) -> Result<()>;

/// Writes a release to the directory `out`, which appears whole and verified or not at all: after
/// an error nothing is left of it.
///
/// # Errors
/// If the target cannot be written, the release does not verify, or the work is cancelled.
pub fn write(
    draft: &Draft,
    out: &Path,
    options: &WriteOptions,
    promise: Promise<'_>,
    monitor: Monitor<'_>,
) -> Result<Written> {
    write_through(draft, out, options, promise, &mut |_, _| Ok(()), monitor)
}

/// The same through a gate.
///
/// # Errors
/// As [`write()`], and those of the gate.
pub fn write_through(
    draft: &Draft,
    out: &Path,
    options: &WriteOptions,
    promise: Promise<'_>,
    gate: Gate<'_>,
    monitor: Monitor<'_>,
) -> Result<Written> {
    put_in_place(stage(draft, out, options, monitor)?, out, promise, gate, monitor)
}

/// Adds tables to a release. The extended release takes the place of the old one in one step, after it was verified;
/// after an error the old one stands.
///
/// # Errors
/// If the release is not the one that was published, or the extended one does not verify.
pub fn extend(dir: &Path, addition: &Addition<'_>, promise: Promise<'_>, monitor: Monitor<'_>) -> Result<Written> {
    extend_through(dir, addition, promise, &mut |_, _| Ok(()), monitor)
}

/// The same through a gate.
///
/// # Errors
/// As [`extend`], and those of the gate.
pub fn extend_through(
    dir: &Path,
    addition: &Addition<'_>,
    promise: Promise<'_>,
    gate: Gate<'_>,
    monitor: Monitor<'_>,
) -> Result<Written> {
    put_in_place(stage_extension(dir, addition, monitor)?, dir, promise, gate, monitor)
}

fn put_in_place(
    staged: Staged,
    out: &Path,
    promise: Promise<'_>,
    gate: Gate<'_>,
    monitor: Monitor<'_>,
) -> Result<Written> {
    let Promise { join_k, population, report } = promise;
    monitor.begin(Stage::Verify, Some(staged.manifest.tables.iter().map(|table| table.rows).sum()))?;
    let options = VerifyOptions { join_k, population, report, monitor: monitor.in_rows(), ..VerifyOptions::default() };
    let (verdict, data) = verify_dir_and_read(staged.path(), &options)?;
    refuse_failures(&verdict, join_k)?;
    let data = data.ok_or_else(|| Error::bug("a release without tables verifies"))?;
    gate(staged.path(), &data)?;
    let (manifest, bytes) = (staged.manifest.clone(), staged.bytes);
    staged.commit(monitor)?;
    Ok(Written { manifest, data: data.moved_to(out), verdict, bytes })
}

/// Nothing is put in place, or handed out, that does not verify.
///
/// # Errors
/// The first check that fails.
pub fn refuse_failures(verdict: &Verdict, join_k: Option<u64>) -> Result<()> {
    if let Some(requirement) = verdict.unjudged.first() {
        return Err(Error::Unverified { reason: format!("`{requirement}` cannot be judged without its population") });
    }
    let narrow = verdict.joined.filter(|joined| join_k.is_some_and(|k| joined.least < k));
    match (verdict.failures().find(|check| check.name != JOINED), narrow) {
        (Some(check), _) => Err(Error::Unverified { reason: format!("{}: {}", check.name, check.detail) }),
        (None, Some(joined)) => Err(refused_join(join_k.unwrap_or(0), joined.summary())),
        (None, None) => Ok(()),
    }
}

/// The refusal of tables that leave somebody among fewer than was asked.
pub(crate) fn refused_join(k: u64, reason: String) -> Error {
    Error::NotFound {
        requirement: format!("«join_k» {k}"),
        reason,
        hint: "publish fewer or coarser marginals, a greater «angel_k», or weigh the risk and leave «join_k» out"
            .into(),
        report: Vec::new(),
    }
}
