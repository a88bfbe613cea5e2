//! The files of a release: those it names, no others, and a page that asks nobody for anything.

use super::tables::Tables;
use super::verdict::{Verdict, problems};
use super::{markup, order};
use crate::digest;
use crate::manifest::{FileEntry, MANIFEST, REPORT, TableEntry, VERSION};
use crate::reader::ReleaseDir;
use crate::report_facts::{MakeReport, ReportFacts};
use scumble_io::{Progress, RawTable, csv_extra, parquet_extras, read_plain};
use scumble_table::{Error, Result};
use std::collections::BTreeSet;
use std::fs;
use std::io::ErrorKind;

/// Notes what lies in the directory.
pub(super) fn check(release: &ReleaseDir, verdict: &mut Verdict) -> Result<()> {
    let dir = release.path();
    let manifest = release.manifest();
    let mut named: BTreeSet<String> = BTreeSet::from([MANIFEST, REPORT].map(String::from));
    named.extend(manifest.named_files());
    let fail = |error: std::io::Error| Error::io("read", dir.display(), &error);
    let mut others = Vec::new();
    for entry in fs::read_dir(dir).map_err(fail)? {
        let name = entry.map_err(fail)?.file_name();
        match name.to_str() {
            Some(name) if named.contains(name) => {
                if fs::symlink_metadata(dir.join(name)).is_ok_and(|found| !found.is_file()) {
                    others.push(format!("`{name}` is no plain file"));
                }
            }
            _ => others.push(format!("`{}` is not in the manifest", name.display())),
        }
    }
    others.sort();
    verdict.note("files", problems(others, || format!("{} files, all named by the manifest", named.len())));
    verdict.note("files-intact", side_files(release)?);
    let page = read_plain(&dir.join(REPORT));
    let found = match page {
        Ok(bytes) => markup::check(&bytes),
        Err(error) if error.kind() == ErrorKind::NotFound => Err(format!("there is no {REPORT}")),
        Err(error) => Err(format!("{REPORT} cannot be read: {error}")),
    };
    verdict.note("report", found);
    Ok(())
}

/// Makes the page again and compares it with the one that is there, byte by byte. A page of another version may have
/// other words, so that it cannot be told from one that somebody has changed, and readers are warned of it.
pub(super) fn check_own_page(
    release: &ReleaseDir,
    tables: &Tables,
    make: MakeReport,
    verdict: &mut Verdict,
) -> Result<()> {
    let version = &release.manifest().scumble;
    let found = if version != VERSION {
        verdict.warnings.push(format!(
            "{REPORT} was not compared with manifest and tables, since they name scumble {version} and this is {VERSION}: \
             anybody may have written what it says, so do not trust it"
        ));
        Ok(format!("not compared: scumble {version} made it, and this is {VERSION}"))
    } else {
        let made = make(&ReportFacts::of(release, tables, verdict)?)?;
        match read_plain(&release.path().join(REPORT)) {
            Ok(there) if there == made.as_bytes() => Ok("as manifest and tables give it, byte by byte".into()),
            Ok(there) => {
                let same = there.iter().zip(made.as_bytes()).take_while(|(a, b)| a == b).count();
                Err(format!(
                    "{REPORT} is not the page that manifest and tables give: it differs from byte {}",
                    same + 1
                ))
            }
            Err(_) => Err(format!("there is no {REPORT} to compare")),
        }
    };
    verdict.note("report-own", found);
    Ok(())
}

/// Compares hierarchies and matrices with their checksums.
fn side_files(release: &ReleaseDir) -> Result<Result<String, String>> {
    let manifest = release.manifest();
    let mut bad = Vec::new();
    let files = manifest.side_files();
    for file in &files {
        let stated: Vec<&FileEntry> = manifest.files.iter().filter(|entry| entry.file == *file).collect();
        let [stated] = stated[..] else {
            bad.push(format!("the manifest has {} checksums of `{file}`", stated.len()));
            continue;
        };
        match digest::of_file(&release.path().join(file), &release.shown(file)) {
            Ok(found) if found == stated.sha256 => {}
            Ok(_) => bad.push(format!("`{file}` is not the file that was published: its sha256 differs")),
            Err(Error::Data { .. }) => bad.push(format!("`{file}` is missing or no plain file")),
            Err(error) => return Err(error),
        }
    }
    let unknown = manifest.files.iter().filter(|entry| !files.contains(&entry.file));
    bad.extend(unknown.map(|entry| format!("`files` names `{}`, which is no hierarchy and no matrix", entry.file)));
    Ok(problems(bad, || match files.len() {
        0 => "no hierarchies or matrices".into(),
        1 => "1 hierarchy or matrix, sha256 agrees".into(),
        n => format!("{n} hierarchies and matrices, sha256 agrees"),
    }))
}

/// What is asked of files beyond what their cells say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Look {
    /// Nothing: somebody wants to use the release.
    Plainly,
    /// Whether the order of rows tells something, or a file holds what no cell shows.
    Closely,
}

/// Reads tables while the checksums of all are taken, and notes whether they are those that were published.
/// Gives nothing where one of them is not there or does not read.
pub(super) fn read_tables(
    release: &ReleaseDir,
    names: &[String],
    progress: &dyn Progress,
    look: Look,
    verdict: &mut Verdict,
) -> Result<Option<Vec<RawTable>>> {
    // A table that the manifest does not name has been noted as its fault.
    let Ok(entries) = names.iter().map(|name| release.entry(name)).collect::<Result<Vec<_>>>() else {
        return Ok(None);
    };
    let missing: Vec<String> = entries
        .iter()
        .filter_map(|entry| match release.path().join(&entry.file).symlink_metadata() {
            Ok(found) if found.is_file() => None,
            Ok(_) => Some(format!("`{}` is no plain file", entry.file)),
            Err(_) => Some(format!("`{}` is missing", entry.file)),
        })
        .collect();
    if !missing.is_empty() {
        verdict.note("tables-intact", problems(missing, String::new));
        return Ok(None);
    }
    let read = || entries.iter().map(|entry| release.read_table(entry, progress)).collect::<Result<Vec<_>>>();
    let (digests, raw) = rayon::join(|| digests(release), read);
    let mut intact = digests?;
    let raw = match raw {
        Ok(raw) => raw,
        Err(error @ Error::Data { .. }) => {
            verdict.note("tables-intact", intact);
            verdict.note("tables-readable", Err(error.to_string()));
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
    verdict.note("tables-intact", intact);
    if look == Look::Closely {
        let named: Vec<(&str, &RawTable)> = names.iter().map(String::as_str).zip(&raw).collect();
        let (shuffled, plain) = rayon::join(|| order::check(&named), || csv_beside_cells(release, &entries));
        verdict.note("rows-shuffled", shuffled);
        if let Some(plain) = plain? {
            verdict.note("csv-silent", plain);
        }
        note_parquet(release, &entries, verdict)?;
    }
    Ok(Some(raw))
}

/// Whether CSV files hold bytes that are no cells and that our writer would not have written; nothing where there are no such files.
fn csv_beside_cells(release: &ReleaseDir, entries: &[&TableEntry]) -> Result<Option<Result<String, String>>> {
    let files: Vec<&str> =
        entries.iter().map(|entry| entry.file.as_str()).filter(|file| file.ends_with(".csv")).collect();
    if files.is_empty() {
        return Ok(None);
    }
    let mut found = Vec::new();
    for file in files {
        found.extend(csv_extra(&release.path().join(file))?.map(|extra| format!("`{file}`: {extra}")));
    }
    Ok(Some(problems(found, || "nothing but cells in the CSV files".into())))
}

/// Notes what Parquet files tell beside their cells.
fn note_parquet(release: &ReleaseDir, entries: &[&TableEntry], verdict: &mut Verdict) -> Result<()> {
    let files: Vec<&str> =
        entries.iter().map(|entry| entry.file.as_str()).filter(|file| file.ends_with(".parquet")).collect();
    if files.is_empty() {
        return Ok(());
    }
    let mut found = Vec::new();
    for file in &files {
        match parquet_extras(&release.path().join(file)) {
            Ok(extras) => found.extend(extras.into_iter().map(|extra| format!("`{file}`: {extra}"))),
            Err(error @ Error::Data { .. }) => found.push(error.to_string()),
            Err(error) => return Err(error),
        }
    }
    verdict.note("parquet-silent", problems(found, || "nothing but cells in the Parquet files".into()));
    Ok(())
}

/// Compares the tables with their checksums.
fn digests(release: &ReleaseDir) -> Result<Result<String, String>> {
    let tables = &release.manifest().tables;
    let mut bad = Vec::new();
    for table in tables {
        match release.digest(table) {
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
