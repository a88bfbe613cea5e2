//! A directory that appears whole or not at all.
//!
//! Everything is written into a hidden sibling of the target, which becomes the target by one
//! rename. At any moment the target is missing, the old release or the new one. A killed program
//! leaves at most a hidden sibling behind, which the next run removes. A sibling that is still
//! being written is told from an abandoned one by a lock that dies with its process.

use crate::target::{Target, check_replaceable};
use scumble_platform::{Lock, exchange, lock_replaced_dir, make_locked_dir, remove_abandoned, rename_new, sync_dir};
use scumble_table::{Error, Result};
use std::ffi::{OsStr, OsString};
use std::fs::{self, Permissions};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// Marks a hidden sibling; process number and counter follow.
const MARK: &str = ".scumble-";

/// Most systems allow 255 bytes in a name; the mark, two numbers and an ending of the platform's take at most 54 of them.
const LONGEST_STEM: usize = 200;

/// Makes names unique within this process.
static COUNTER: AtomicU64 = AtomicU64::new(0);

/// A hidden directory next to a target. Dropped without [`StagingDir::commit`], it disappears.
#[derive(Debug)]
pub(crate) struct StagingDir {
    path: PathBuf,
    /// The permissions a new directory gets here, given once the release is verified.
    usual: Option<Permissions>,
    /// Held until the directory is in its place or removed.
    _lock: Lock,
}

impl StagingDir {
    /// Removes what killed runs left next to the target, and makes a new hidden directory there.
    pub(crate) fn create(target: &Target) -> Result<StagingDir> {
        sweep(&target.parent);
        loop {
            let path = target.parent.join(hidden_name(&target.name));
            let fail = |error: &io::Error| Error::io("create a directory in", target.parent.display(), error);
            let lock = match make_locked_dir(&path) {
                Err(error) if error.kind() == ErrorKind::AlreadyExists => continue,
                made => made.map_err(|error| fail(&error))?,
            };
            // Before it was locked, another run may have swept the directory away: then try again.
            let Some(lock) = lock else { continue };
            let mut staging = StagingDir { path, usual: None, _lock: lock };
            staging.usual = Some(usual_permissions(&staging.path).map_err(|error| fail(&error))?);
            return Ok(staging);
        }
    }

    /// Where to write.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Makes the directory the target. `before_removal` is called when an old release has been
    /// swapped out and is about to be removed.
    pub(crate) fn commit(self, target: &Target, before_removal: impl FnOnce()) -> Result<()> {
        let fail = |error: io::Error| Error::io("write", &target.shown, &error);
        sync_dir(&self.path).map_err(fail)?;
        check_replaceable(target)?;
        let place = target.path();
        // The old release must not look abandoned while it waits for its removal.
        let old = lock_replaced_dir(&place);
        // The last thing before the directory gets its name: others must not find it under the hidden one.
        if let Some(usual) = &self.usual {
            fs::set_permissions(&self.path, usual.clone()).map_err(fail)?;
        }
        if old.is_some() && target.replace {
            exchange(&self.path, &place).map_err(fail)?;
        } else {
            rename_new(&self.path, &place).map_err(|error| match error.kind() {
                ErrorKind::AlreadyExists | ErrorKind::DirectoryNotEmpty | ErrorKind::NotADirectory => {
                    target.exists_already()
                }
                _ => fail(error),
            })?;
        }
        sync_dir(&target.parent).map_err(fail)?;
        if old.is_some() {
            before_removal();
        }
        // Dropping removes whatever is at the hidden path now: the old release, or nothing.
        Ok(())
    }
}

impl Drop for StagingDir {
    fn drop(&mut self) {
        // There is no way to report an error here; a remainder is swept by the next run.
        let _ = fs::remove_dir_all(&self.path);
    }
}

fn hidden_name(target: &OsStr) -> OsString {
    let mut name = OsString::from(".");
    if target.len() <= LONGEST_STEM {
        name.push(target);
    } else {
        let text = target.to_string_lossy();
        let end = (0..=LONGEST_STEM).rev().find(|&at| text.is_char_boundary(at));
        name.push(&text[..end.unwrap_or(0)]);
    }
    name.push(format!("{MARK}{}-{}", std::process::id(), COUNTER.fetch_add(1, Ordering::Relaxed)));
    name
}

fn is_hidden_name(name: &OsStr) -> bool {
    let bytes = name.as_encoded_bytes();
    let Some(at) = bytes.windows(MARK.len()).rposition(|window| window == MARK.as_bytes()) else { return false };
    let mut numbers = bytes[at + MARK.len()..].split(|&byte| byte == b'-');
    let mut is_number = || numbers.next().is_some_and(|n| !n.is_empty() && n.iter().all(u8::is_ascii_digit));
    bytes[0] == b'.' && at > 0 && is_number() && is_number() && numbers.next().is_none()
}

/// Removes hidden directories whose process is gone. What cannot be removed is left alone: it may
/// be somebody else's, and it does not stand in the way.
pub fn sweep(parent: &Path) {
    remove_abandoned(parent, &is_hidden_name);
}

/// The permissions that the system gives to a new directory, found by making one.
fn usual_permissions(inside: &Path) -> io::Result<Permissions> {
    let probe = inside.join("probe");
    fs::create_dir(&probe)?;
    let usual = fs::symlink_metadata(&probe)?.permissions();
    fs::remove_dir(&probe)?;
    Ok(usual)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::target::resolve;
    use scumble_platform::others_may_read;

    fn siblings(parent: &Path) -> Vec<String> {
        let mut names: Vec<String> =
            fs::read_dir(parent).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    fn dirs(parent: &Path) -> Vec<String> {
        siblings(parent).into_iter().filter(|name| parent.join(name).is_dir()).collect()
    }

    #[test]
    fn only_our_own_names_are_swept() {
        for name in [".release.scumble-12-0", "..scumble-1-2", ".a.scumble-1-1.scumble-3-4"] {
            assert!(is_hidden_name(OsStr::new(name)), "{name}");
        }
        for name in ["release", ".scumble-1", "a.scumble-1-2", ".a.scumble-1-x", ".a.scumble-1-2-3", ".a.scumble--2"] {
            assert!(!is_hidden_name(OsStr::new(name)), "{name}");
        }
        let long = hidden_name(OsStr::new(&"é".repeat(120)));
        assert!(long.len() <= 255 && is_hidden_name(&long));
    }

    #[test]
    fn abandoned_siblings_go_and_busy_ones_stay() {
        let home = tempfile::tempdir().unwrap();
        let out = home.path().join("release");
        let target = resolve(&out, false, None).unwrap();
        fs::create_dir(home.path().join(".release.scumble-1-99")).unwrap();
        fs::write(home.path().join(".release.scumble-1-99/table.csv"), "x").unwrap();
        fs::write(home.path().join(".release.scumble-1-98"), "a file is not ours").unwrap();
        let busy = StagingDir::create(&target).unwrap();
        let of = |staging: &StagingDir| staging.path().file_name().unwrap().to_string_lossy().into_owned();
        assert_eq!(dirs(home.path()), [of(&busy)]);
        assert!(!others_may_read(busy.path()));
        let other = StagingDir::create(&target).unwrap();
        assert_eq!(dirs(home.path()), [of(&busy), of(&other)]);
        drop(busy);
        other.commit(&target, || ()).unwrap();
        assert_eq!(siblings(home.path()), [".release.scumble-1-98", "release"]);
        let plain = home.path().join("plain");
        fs::create_dir(&plain).unwrap();
        assert_eq!(fs::metadata(&out).unwrap().permissions(), fs::metadata(&plain).unwrap().permissions());
    }

    #[test]
    fn a_target_that_appears_meanwhile_is_not_overwritten() {
        let home = tempfile::tempdir().unwrap();
        let out = home.path().join("release");
        let target = resolve(&out, false, None).unwrap();
        let staging = StagingDir::create(&target).unwrap();
        fs::create_dir(&out).unwrap();
        let error = staging.commit(&target, || ()).unwrap_err().to_string();
        assert!(error.contains("exists already"), "{error}");
        assert_eq!(siblings(home.path()), ["release"]);
    }

    #[test]
    fn the_old_release_is_swapped_out() {
        let home = tempfile::tempdir().unwrap();
        let out = home.path().join("release");
        fs::create_dir(&out).unwrap();
        fs::write(out.join("manifest.json"), r#"{"scumble":"0.1.0"}"#).unwrap();
        let target = resolve(&out, true, None).unwrap();
        let staging = StagingDir::create(&target).unwrap();
        fs::write(staging.path().join("new"), "").unwrap();
        let mut seen = Vec::new();
        staging.commit(&target, || seen = dirs(home.path())).unwrap();
        assert_eq!(seen.len(), 2);
        assert_eq!((siblings(home.path()), siblings(&out)), (vec!["release".into()], vec!["new".into()]));
    }
}
