//! The files of a release: those it names, no others, and a page that asks nobody for anything.

use super::markup;
use super::verdict::Verdict;
use crate::MakeReport;
use scumble_io::{csv_extra, parquet_extras, read_plain};
use scumble_release::{FileEntry, MANIFEST, PublishedTables, REPORT, ReleaseReader, VERSION, problems};
use scumble_table::{Error, Result};
use std::collections::BTreeSet;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// Notes what lies in the directory.
pub(super) fn check(release: &ReleaseReader, dir: &Path, verdict: &mut Verdict) -> Result<()> {
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
    release: &ReleaseReader,
    tables: &PublishedTables,
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
        let made = make(release, tables, verdict)?;
        match release.bytes(REPORT, "page") {
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
fn side_files(release: &ReleaseReader) -> Result<Result<String, String>> {
    let manifest = release.manifest();
    let mut bad = Vec::new();
    let files = manifest.side_files();
    for file in &files {
        let stated: Vec<&FileEntry> = manifest.files.iter().filter(|entry| entry.file == *file).collect();
        let [stated] = stated[..] else {
            bad.push(format!("the manifest has {} checksums of `{file}`", stated.len()));
            continue;
        };
        match release.file_digest(file, "file") {
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

/// Files of tables whose names end like this, with their paths; none where the release is in memory.
fn tables_in<'a>(release: &'a ReleaseReader, names: &'a [String], end: &'a str) -> Vec<(&'a str, PathBuf)> {
    let entries = names.iter().filter_map(|name| release.entry(name).ok());
    let files = entries.map(|entry| entry.file.as_str()).filter(|file| file.ends_with(end));
    files.filter_map(|file| Some((file, release.path()?.join(file)))).collect()
}

/// Whether CSV files hold bytes that are no cells and that our writer would not have written; nothing where there are no
/// such files.
pub(super) fn csv_beside_cells(release: &ReleaseReader, names: &[String]) -> Result<Option<Result<String, String>>> {
    let files = tables_in(release, names, ".csv");
    if files.is_empty() {
        return Ok(None);
    }
    let mut found = Vec::new();
    for (file, path) in files {
        found.extend(csv_extra(&path)?.map(|extra| format!("`{file}`: {extra}")));
    }
    Ok(Some(problems(found, || "nothing but cells in the CSV files".into())))
}

/// Notes what Parquet files tell besides their cells.
pub(super) fn note_parquet(release: &ReleaseReader, names: &[String], verdict: &mut Verdict) -> Result<()> {
    let files = tables_in(release, names, ".parquet");
    if files.is_empty() {
        return Ok(());
    }
    let mut found = Vec::new();
    for (file, path) in &files {
        match parquet_extras(path) {
            Ok(extras) => found.extend(extras.into_iter().map(|extra| format!("`{file}`: {extra}"))),
            Err(error @ Error::Data { .. }) => found.push(error.to_string()),
            Err(error) => return Err(error),
        }
    }
    verdict.note("parquet-silent", problems(found, || "nothing but cells in the Parquet files".into()));
    Ok(())
}
