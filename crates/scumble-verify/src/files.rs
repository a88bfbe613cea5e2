//! The files of a release: those it names, no others, and a page that loads nothing from elsewhere.

use super::markup;
use super::verdict::Verdict;
use crate::MakeReport;
use scumble_io::{csv_extra, parquet_extras, read_plain};
use scumble_release::{FileEntry, MANIFEST, PublishedTables, REPORT, ReleaseReader, TableFormat, VERSION, problems};
use scumble_table::{Error, Result};
use std::collections::BTreeSet;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

/// Notes what lies in the directory.
pub(super) fn check(release: &ReleaseReader, dir: &Path, verdict: &mut Verdict) -> Result<()> {
    let manifest = release.manifest();
    let mut named: BTreeSet<String> = BTreeSet::from([MANIFEST, REPORT].map(String::from));
    named.extend(manifest.named_files());
    let fail = |error: std::io::Error| Error::io("read", dir.display(), &error);
    let mut others = Vec::new();
    let mut missing = named.clone();
    for entry in fs::read_dir(dir).map_err(fail)? {
        let name = entry.map_err(fail)?.file_name();
        match name.to_str() {
            Some(name) if named.contains(name) => {
                missing.remove(name);
                if fs::symlink_metadata(dir.join(name)).is_ok_and(|found| !found.is_file()) {
                    others.push(format!("`{name}` is no plain file"));
                }
            }
            _ => others.push(format!("`{}` is not in the manifest", name.display())),
        }
    }
    others.extend(missing.iter().map(|name| format!("`{name}` is missing")));
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

/// Whether files of tables in a format hold anything that is no cell and that our writer would not have written; nothing
/// where no table is in such a file.
pub(super) fn beyond_cells(
    release: &ReleaseReader,
    names: &[String],
    format: TableFormat,
) -> Result<Option<Result<String, String>>> {
    let Some(dir) = release.path() else { return Ok(None) };
    let entries = names.iter().filter_map(|name| release.entry(name).ok());
    let files = entries.map(|entry| &entry.file).filter(|file| file.ends_with(&format.file("")));
    let files: Vec<&String> = files.collect();
    if files.is_empty() {
        return Ok(None);
    }
    let mut found = Vec::new();
    for file in files {
        let path = dir.join(file);
        let extras = match format {
            TableFormat::Csv => csv_extra(&path)?.into_iter().collect(),
            TableFormat::Parquet => match parquet_extras(&path) {
                Err(error @ Error::Data { .. }) => {
                    found.push(error.to_string());
                    continue;
                }
                extras => extras?,
            },
        };
        found.extend(extras.into_iter().map(|extra| format!("`{file}`: {extra}")));
    }
    let name = if format == TableFormat::Csv { "CSV" } else { "Parquet" };
    Ok(Some(problems(found, || format!("nothing but cells in the {name} files"))))
}
