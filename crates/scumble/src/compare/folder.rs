//! The folder of a comparison: the runs that are finished, and what came out of all of them.

use super::{CompareRequest, Comparison, Outcome, Status, compare_beyond, comparison_csv, comparison_page, exact};
use crate::context::Context;
use scumble_platform::{Lock, PendingFile, Readers, is_pending, lock_folder, make_private_dirs, remove_all_pending};
use scumble_release::in_release;
use scumble_table::{Error, Result, Table};
use serde::{Deserialize, Serialize};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Where finished runs lie in the folder.
const RUNS: &str = "runs";

/// What else may lie in the folder of a comparison.
const FILES: [&str; 3] = ["comparison.json", "comparison.csv", "comparison.html"];

/// The folder of a comparison, locked as long as this value lives. Runs that are finished are kept in it, so that a
/// comparison that was interrupted goes on where it stopped, and one with more runs makes only these.
#[derive(Debug)]
pub struct ComparisonFolder {
    path: PathBuf,
    runs: PathBuf,
    _lock: Lock,
}

/// A finished run, as it is kept.
#[derive(Serialize, Deserialize)]
struct Finished {
    key: String,
    outcome: Outcome,
}

impl ComparisonFolder {
    /// Opens the folder of a comparison of some data, or makes it. It is for its owner's eyes: figures compare releases
    /// with their source.
    ///
    /// # Errors
    /// If it is no such folder, lies in a release or in the data, cannot be written, or another comparison works in it.
    pub fn open(out: &Path, data: &Path) -> Result<ComparisonFolder> {
        let shown = out.display().to_string();
        let refused = |reason: &str| Error::request("out", &shown, reason);
        if out.is_dir() {
            check_ours(out, &refused)?;
        } else if out.exists() {
            return Err(refused("it is a file").hint("name a directory"));
        }
        let above = fs::canonicalize(parent(out)).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => refused("its parent directory does not exist").hint("create it first"),
            _ => Error::io("look into", parent(out).display(), &error),
        })?;
        let place = if out.is_dir() { fs::canonicalize(out).unwrap_or(above) } else { above };
        if in_release(&place) {
            return Err(refused("this is for your eyes, and the directory holds a release")
                .hint("name a directory outside of any release"));
        }
        if fs::canonicalize(data).is_ok_and(|data| place.starts_with(data)) {
            return Err(refused("it would lie in the data").hint("name a directory beside the data"));
        }
        let runs = out.join(RUNS);
        let fail = |error: io::Error| Error::io("create", runs.display(), &error);
        make_private_dirs(&runs).map_err(fail)?;
        let lock = lock_folder(&runs).map_err(|error| match error.kind() {
            io::ErrorKind::WouldBlock => {
                refused("another comparison is at work in it").hint("wait for it, or name another directory")
            }
            _ => fail(error),
        })?;
        let folder = ComparisonFolder { path: out.to_path_buf(), runs, _lock: lock };
        remove_all_pending(&folder.runs);
        Ok(folder)
    }

    /// Compares releases of a table as [`compare`](super::compare()) does, but for the runs that are finished already, keeps
    /// each that it makes as soon as it is finished, and [writes](ComparisonFolder::write) what came out.
    ///
    /// # Errors
    /// Those of [`compare`](super::compare()), and if something cannot be written.
    pub fn compare(&self, table: &Table, request: &CompareRequest, context: &Context) -> Result<Comparison> {
        let comparison = compare_beyond(Some(self), table, request, context)?;
        self.write(&comparison)?;
        Ok(comparison)
    }

    /// Writes `comparison.json`, `comparison.csv` and `comparison.html`, readable by their owner only.
    ///
    /// # Errors
    /// If one of them cannot be written.
    pub fn write(&self, comparison: &Comparison) -> Result<()> {
        let json = serde_json::to_string_pretty(comparison).map_err(|error| Error::bug(error.to_string()))? + "\n";
        let texts = [json, comparison_csv(comparison), comparison_page(comparison)];
        FILES.iter().zip(&texts).try_for_each(|(name, text)| write_private(&self.path.join(name), text))
    }

    /// The outcome of a run that was finished before. A file that does not read is as good as none.
    pub(super) fn find(&self, key: &str) -> Option<Outcome> {
        let text = fs::read_to_string(self.file(key)).ok()?;
        let found: Finished = exact::from_text(&text)?;
        (found.key == key && found.outcome.status != Status::Failed).then_some(found.outcome)
    }

    /// Keeps an outcome; one that may come out better another time is not kept. The file appears whole or not at all.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn keep(&self, key: &str, outcome: &Outcome) -> Result<()> {
        if outcome.status == Status::Failed {
            return Ok(());
        }
        let finished = Finished { key: key.into(), outcome: outcome.clone() };
        write_private(&self.file(key), &(exact::to_text(&finished)? + "\n"))
    }

    fn file(&self, key: &str) -> PathBuf {
        self.runs.join(format!("{key}.json"))
    }
}

/// Writes a file that only its owner may read, whole or not at all.
///
/// # Errors
/// If it cannot be written.
fn write_private(path: &Path, text: &str) -> Result<()> {
    PendingFile::write(path, Readers::Owner, |out| out.write_all(text.as_bytes()))
        .and_then(PendingFile::put)
        .map_err(|error| Error::io("write", path.display(), &error))
}

/// A folder that is there must be that of a comparison, or empty, so that no other files are mixed with it.
fn check_ours(out: &Path, refused: &dyn Fn(&str) -> Error) -> Result<()> {
    let entries = fs::read_dir(out).map_err(|error| Error::io("look into", out.display(), &error))?;
    let mut names: Vec<String> =
        entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    let known = |name: &str| name == RUNS || FILES.contains(&name) || is_pending(name);
    match names.iter().find(|name| !known(name)) {
        Some(stranger) => Err(refused(&format!("it holds `{stranger}`, which is no part of a comparison"))
            .hint("name a directory of its own, or one that holds a comparison")),
        None => Ok(()),
    }
}

fn parent(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

#[cfg(test)]
mod tests {
    use super::*;
    use scumble_platform::others_may_read;

    #[test]
    fn finished_runs_are_found_again_and_failures_tried_again() {
        let home = tempfile::tempdir().unwrap();
        let out = home.path().join("comparison");
        let folder = ComparisonFolder::open(&out, &home.path().join("data.csv")).unwrap();
        let (infeasible, failed) = (Outcome::without(Status::Infeasible, "no"), Outcome::without(Status::Failed, "x"));
        folder.keep("a", &infeasible).unwrap();
        folder.keep("b", &failed).unwrap();
        assert_eq!((folder.find("a"), folder.find("b"), folder.find("c")), (Some(infeasible), None, None));
        assert!(!others_may_read(&folder.file("a")) && !others_may_read(&out.join(RUNS)));
        // A file under another's name is not taken for it, nor is half a file.
        fs::copy(folder.file("a"), folder.file("c")).unwrap();
        fs::write(folder.file("d"), "{\"key\": \"d\",").unwrap();
        fs::write(out.join("runs/.e.json.7.part"), "").unwrap();
        assert_eq!((folder.find("c"), folder.find("d")), (None, None));
        let second = ComparisonFolder::open(&out, Path::new("x"));
        assert!(second.err().unwrap().to_string().contains("another comparison"));
        drop(folder);
        ComparisonFolder::open(&out, Path::new("x")).unwrap();
        assert!(!out.join("runs/.e.json.7.part").exists());
    }

    #[test]
    fn other_folders_are_left_alone() {
        let home = tempfile::tempdir().unwrap();
        let refused = |out: &Path| ComparisonFolder::open(out, Path::new("x")).err().unwrap().to_string();
        let strange = home.path().join("strange");
        fs::create_dir(&strange).unwrap();
        fs::write(strange.join("letters.txt"), "").unwrap();
        assert!(refused(&strange).contains("`letters.txt`"));
        fs::write(home.path().join("file"), "").unwrap();
        assert!(refused(&home.path().join("file")).contains("it is a file"));
        assert!(refused(&home.path().join("no/where")).contains("parent directory"));
        let release = home.path().join("release");
        fs::create_dir(&release).unwrap();
        fs::write(release.join("manifest.json"), "{\"scumble\": \"0.1.0\"}").unwrap();
        assert!(refused(&release.join("inside")).contains("holds a release"));
    }
}
