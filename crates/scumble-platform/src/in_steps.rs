//! An exchange of two directories by renames, for systems and file systems that cannot do it in one step.
//!
//! The old directory waits, under its own name, in a hidden folder named after the new one. So a run that is killed
//! leaves all that is needed to put the old directory back: its former place follows from where it waits.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// What the name of the folder ends in, after the name of the new directory.
pub(crate) const ASIDE: &str = "aside";

/// A sibling whose name has `.<ending>` at its end.
pub(crate) fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.file_name().map_or_else(OsString::new, OsString::from);
    name.push(".");
    name.push(ending);
    path.with_file_name(name)
}

/// A name without `.<ending>`, if it ends so.
pub(crate) fn without_ending<'n>(name: &'n OsStr, ending: &str) -> Option<&'n OsStr> {
    let name = Path::new(name);
    if name.extension() == Some(OsStr::new(ending)) { name.file_stem() } else { None }
}

/// Where the old directory waits.
pub(crate) fn aside_of(new: &Path) -> PathBuf {
    with_ending(new, ASIDE)
}

/// Exchanges two directories. The folder [`aside_of`] the new one was made by the caller, who keeps it from being swept.
pub(crate) fn exchange(new: &Path, old: &Path) -> io::Result<()> {
    let aside = aside_of(new);
    let kept = aside.join(old.file_name().ok_or(ErrorKind::InvalidInput)?);
    let done = fs::rename(old, &kept).and_then(|()| {
        fs::rename(new, old).or_else(|error| {
            fs::rename(&kept, old)?;
            Err(error)
        })
    });
    if done.is_ok() {
        // The new directory is in place. If the old one cannot move once more, it is removed from where it is.
        let _ = fs::rename(&kept, new);
    }
    let _ = fs::remove_dir(&aside);
    done
}

/// Ends an exchange that was interrupted: a directory whose place is empty goes back to it, and one whose place was taken
/// by the new directory is removed. What cannot be put back stays.
pub(crate) fn settle(aside: &Path) {
    let (Ok(entries), Some(folder)) = (fs::read_dir(aside), aside.parent()) else { return };
    for entry in entries.flatten() {
        let place = folder.join(entry.file_name());
        let is_free = fs::symlink_metadata(&place).is_err_and(|error| error.kind() == ErrorKind::NotFound);
        if is_free && fs::rename(entry.path(), &place).is_err() {
            return;
        }
    }
    let _ = fs::remove_dir_all(aside);
}
