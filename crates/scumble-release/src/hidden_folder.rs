//! A folder that nobody else sees, for releases that are made to be measured and not to be kept.
//!
//! A measured release goes through the same bytes, files and verifier as one that is published: anything else would
//! measure something else. So it needs a directory. Where the system has a file system in memory with room enough, the
//! directory lies there, and not a byte reaches a disk; elsewhere it lies in a place that the caller names. It is
//! readable by its owner only, removed with the value that stands for it, and, after a `kill -9`, by whoever makes the
//! next one: a lock that dies with its process tells abandoned folders from busy ones.

use crate::staging_dir::{StagingDir, sweep};
use crate::target::Target;
use scumble_platform::{memory_folder, memory_folders};
use scumble_table::Result;
use std::path::Path;

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
        let parent = memory_folder(room).unwrap_or_else(|| otherwise.to_path_buf());
        let shown = parent.display().to_string();
        Ok(HiddenFolder { staging: StagingDir::create(&Target { parent, name: NAME.into(), shown, replace: false })? })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.staging.path()
    }

    /// Removes the folders of processes that are gone.
    pub fn sweep(otherwise: &Path) {
        memory_folders().into_iter().for_each(|place| sweep(&place));
        sweep(otherwise);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_folder_is_private_and_goes_with_its_value() {
        let home = tempfile::tempdir().unwrap();
        let folder = HiddenFolder::create(home.path(), 1).unwrap();
        let path = folder.path().to_path_buf();
        assert!(!scumble_platform::others_may_read(&path));
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
