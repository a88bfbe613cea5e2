//! Files that appear whole or not at all: written under a hidden name next to their place, and renamed.
//!
//! The hidden file is locked as long as its process lives. What a killed process left is therefore not locked, and the next
//! one that writes the same file removes it.

use crate::{create_private_file, open_plain_file};
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// How the hidden names end.
const PART: &str = ".part";

/// Who may read a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Readers {
    /// Only its owner, from its first byte on, where the system can promise that.
    Owner,
    /// Everybody who may read new files on this system.
    Usual,
}

/// A file that is written but not in its place yet; dropped, it disappears. One for its owner alone is on the disk.
#[derive(Debug)]
pub struct PendingFile {
    part: PathBuf,
    place: PathBuf,
    /// Where the system has locks, it keeps other processes from taking this for a file that was left.
    _locked: File,
}

impl PendingFile {
    /// Writes a file next to its place.
    ///
    /// # Errors
    /// Those of `fill`, and whatever the system says; nothing is left then.
    pub fn write(
        place: &Path,
        readers: Readers,
        fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> io::Result<PendingFile> {
        remove_pending(place);
        let part = place.with_file_name(format!("{}{}{PART}", hidden_prefix(place), std::process::id()));
        // A process of this number that was killed may have left one where the system has no locks.
        let _ = fs::remove_file(&part);
        let file = create_locked(&part, readers)?;
        let pending = PendingFile { part, place: place.to_path_buf(), _locked: file.try_clone()? };
        let mut file = BufWriter::with_capacity(1 << 20, file);
        fill(&mut file)?;
        file.flush()?;
        if readers == Readers::Owner {
            file.get_ref().sync_all()?;
        }
        Ok(pending)
    }

    /// Puts the file in its place, over whatever file is there.
    ///
    /// # Errors
    /// Whatever the system says; the file disappears then.
    pub fn put(self) -> io::Result<()> {
        fs::rename(&self.part, &self.place)
    }
}

impl Drop for PendingFile {
    fn drop(&mut self) {
        // After the rename there is nothing to remove.
        let _ = fs::remove_file(&self.part);
    }
}

/// Makes the hidden file and locks it.
fn create_locked(part: &Path, readers: Readers) -> io::Result<File> {
    loop {
        let file = match readers {
            Readers::Owner => create_private_file(part),
            Readers::Usual => File::create(part),
        }?;
        let _unsupported_on_some_filesystems = file.lock();
        // Before the file was locked, another process may have swept it away.
        if part.exists() {
            return Ok(file);
        }
    }
}

/// Removes what killed processes left of a file.
fn remove_pending(place: &Path) {
    let begin = hidden_prefix(place);
    let folder = place.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    remove_parts(folder, |name| name.starts_with(&begin));
}

/// Removes what killed processes left of all files of a folder.
pub fn remove_all_pending(folder: &Path) {
    remove_parts(folder, |_| true);
}

/// True for the hidden name of a pending file.
pub fn is_pending(name: &str) -> bool {
    let number = name.strip_prefix('.').and_then(|name| name.strip_suffix(PART)).and_then(|name| name.rsplit_once('.'));
    number.is_some_and(|(_, number)| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
}

fn hidden_prefix(place: &Path) -> String {
    let mut name = OsString::from(".");
    name.push(place.file_name().unwrap_or_default());
    name.push(".");
    name.to_string_lossy().into_owned()
}

/// What cannot be removed stays: it is as private as the file itself.
fn remove_parts(folder: &Path, is_wanted: impl Fn(&str) -> bool) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if is_pending(&name) && is_wanted(&name) && is_abandoned(&entry.path()) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// True for a plain file that no living process has locked; where the system has no locks, nothing is known to be
/// abandoned.
fn is_abandoned(part: &Path) -> bool {
    open_plain_file(part).is_ok_and(|file| file.try_lock().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_leaves_the_old_file_and_nothing_next_to_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("f");
        let write = |text: &'static [u8], end: io::Result<()>| {
            PendingFile::write(&path, Readers::Owner, |out| out.write_all(text).and(end)).and_then(PendingFile::put)
        };
        write(b"old", Ok(())).unwrap();
        assert!(write(b"half", Err(io::Error::other("no"))).is_err());
        drop(PendingFile::write(&path, Readers::Usual, |out| out.write_all(b"dropped")).unwrap());
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn what_killed_processes_left_is_removed_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("f");
        for name in [".f.1.part", ".f.x.part", ".other.1.part", "f.1.part"] {
            fs::write(folder.path().join(name), "").unwrap();
        }
        fs::write(&path, "old").unwrap();
        let busy =
            PendingFile::write(&path.with_file_name("other"), Readers::Usual, |out| out.write_all(b"x")).unwrap();
        remove_pending(&path);
        let names = || {
            let entries = fs::read_dir(folder.path()).unwrap();
            let mut names: Vec<String> =
                entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
            names.sort();
            names
        };
        // The writer of the other file has swept what was left of it.
        let own = format!(".other.{}.part", std::process::id());
        assert_eq!(names(), [".f.x.part", &own, "f", "f.1.part"]);
        remove_all_pending(folder.path());
        assert_eq!(names(), [".f.x.part", &own, "f", "f.1.part"]);
        busy.put().unwrap();
        fs::write(folder.path().join(".other.1.part"), "").unwrap();
        remove_all_pending(folder.path());
        assert_eq!(names(), [".f.x.part", "f", "f.1.part", "other"]);
    }
}
