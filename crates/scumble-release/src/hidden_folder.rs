//! A folder that nobody else sees, for releases that are made to be measured and not to be kept.
//!
//! A measured release goes through the same bytes, files and verifier as one that is published: anything else would
//! measure something else. So it needs a directory. Where the system has a file system in memory with room enough, the
//! directory lies there, and not a byte reaches a disk; elsewhere it lies in a place that the caller names. It is
//! readable by its owner only, removed with the value that stands for it, and, after a `kill -9`, by whoever makes the
//! next one: a lock that dies with its process tells abandoned folders from busy ones.

use crate::staging_dir::{StagingDir, sweep};
use crate::target::Target;
use rustix::fs::Access;
use scumble_table::Result;
use std::path::{Path, PathBuf};

/// What hidden folders are named after.
const NAME: &str = "measured";

/// A hidden folder. Dropped, it disappears with all that is in it.
#[derive(Debug)]
pub struct HiddenFolder {
    staging: StagingDir,
}

impl HiddenFolder {
    /// Makes a folder in memory if at least `room` bytes are free there, else in `otherwise`.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn create(otherwise: &Path, room: u64) -> Result<Self> {
        let parent = in_memory(room).unwrap_or_else(|| otherwise.to_path_buf());
        let shown = parent.display().to_string();
        Ok(HiddenFolder { staging: StagingDir::create(&Target { parent, name: NAME.into(), shown, replace: false })? })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.staging.path()
    }

    /// Removes the folders of processes that are gone.
    pub fn sweep(otherwise: &Path) {
        places().into_iter().for_each(|place| sweep(&place));
        sweep(otherwise);
    }
}

/// Where systems keep files in memory: for all, and for one user.
fn places() -> Vec<PathBuf> {
    let own = std::env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from);
    let all = [Some(PathBuf::from("/dev/shm")), own.filter(|place| place.is_absolute())];
    all.into_iter().flatten().filter(|place| is_memory(place)).collect()
}

fn in_memory(room: u64) -> Option<PathBuf> {
    let fits = |place: &PathBuf| {
        rustix::fs::access(place, Access::WRITE_OK | Access::EXEC_OK).is_ok()
            && rustix::fs::statvfs(place).is_ok_and(|found| found.f_bavail.saturating_mul(found.f_frsize) >= room)
    };
    places().into_iter().find(fits)
}

/// True for a file system whose files are in memory.
#[cfg(target_os = "linux")]
fn is_memory(place: &Path) -> bool {
    /// The number by which Linux knows such a file system.
    const TMPFS: u64 = 0x0102_1994;
    rustix::fs::statfs(place).is_ok_and(|found| found.f_type as u64 == TMPFS)
}

#[cfg(not(target_os = "linux"))]
fn is_memory(_place: &Path) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn a_folder_is_private_and_goes_with_its_value() {
        let home = tempfile::tempdir().unwrap();
        let folder = HiddenFolder::create(home.path(), 1).unwrap();
        let path = folder.path().to_path_buf();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o700);
        fs::create_dir(path.join("release")).unwrap();
        fs::write(path.join("release/table.csv"), "x").unwrap();
        drop(folder);
        assert!(!path.exists());
    }

    #[test]
    fn without_room_in_memory_it_lies_where_it_may() {
        let home = tempfile::tempdir().unwrap();
        let folder = HiddenFolder::create(home.path(), u64::MAX).unwrap();
        assert!(folder.path().starts_with(home.path()));
    }

    #[test]
    fn abandoned_folders_are_swept() {
        let home = tempfile::tempdir().unwrap();
        let abandoned = home.path().join(".measured.scumble-1-7");
        fs::create_dir(&abandoned).unwrap();
        fs::write(abandoned.join("x"), "x").unwrap();
        let busy = HiddenFolder::create(home.path(), u64::MAX).unwrap();
        HiddenFolder::sweep(home.path());
        assert!(!abandoned.exists() && busy.path().exists());
    }
}
