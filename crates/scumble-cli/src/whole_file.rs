//! Files that appear whole or not at all: written next to their place and renamed.

use crate::output::Output;
use scumble::{Error, Result};
use scumble_platform::{LIMITATIONS, PendingFile, Readers};
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// The same as [`check_new`], for a file in a folder that must be there.
pub(crate) fn check_page(flag: &str, path: &Path, data: &Path, replace: bool) -> Result<()> {
    check_folder(flag, path)?;
    check_new(flag, path, data, replace)
}

/// Refuses a file in a folder that is not there.
pub(crate) fn check_folder(flag: &str, path: &Path) -> Result<()> {
    match path.parent().filter(|folder| !folder.as_os_str().is_empty() && !folder.exists()) {
        None => Ok(()),
        Some(folder) => {
            let reason = format!("there is no folder `{}`", folder.display());
            Err(Error::request(flag, path.display().to_string(), reason).hint("make it first"))
        }
    }
}

/// Refuses to write over the data, into a release, and over anything else unless it is to be replaced.
/// `flag` named the path.
pub(crate) fn check_new(flag: &str, path: &Path, data: &Path, replace: bool) -> Result<()> {
    let shown = path.display().to_string();
    if path.is_dir() {
        return Err(Error::request(flag, shown, "it is a directory").hint("name a file"));
    }
    if scumble::in_release(path) {
        return Err(Error::request(flag, shown, "this is for your eyes, and the directory holds a release")
            .hint("name a file outside of any release"));
    }
    if path.exists() && !replace {
        return Err(Error::request(flag, shown, "it exists already").hint("name another file, or use «replace»"));
    }
    match (fs::canonicalize(path), fs::canonicalize(data)) {
        (Ok(path), Ok(data)) if path == data => {
            Err(Error::request(flag, shown, "this is the data itself").hint("name another file"))
        }
        _ => Ok(()),
    }
}

/// Writes a page that only the user may read: its figures come from the data itself.
pub(crate) fn write_page(path: &Path, page: &str, output: &Output) -> Result<()> {
    output.weaker(LIMITATIONS.private);
    write(path, Readers::Owner, |out| out.write_all(page.as_bytes()))
        .map_err(|e| Error::io("write", path.display(), &e))
}

/// Writes a file through `fill`; on any failure nothing is left behind.
pub(crate) fn write_whole(path: &Path, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    write(path, Readers::Usual, fill)
}

fn write(path: &Path, readers: Readers, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    // A device or a pipe cannot be renamed over.
    if fs::metadata(path).is_ok_and(|found| !found.is_file()) {
        let mut file = BufWriter::new(File::create(path)?);
        return fill(&mut file).and_then(|()| file.flush());
    }
    PendingFile::write(path, readers, fill)?.put()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_for_the_publisher_stay_out_of_releases() {
        let folder = tempfile::tempdir().unwrap();
        let (inner, data) = (folder.path().join("deeper"), folder.path().join("data.csv"));
        fs::create_dir(&inner).unwrap();
        let check = |file: &Path| check_new("report", file, &data, false);
        // Somebody else's manifest is no release.
        fs::write(folder.path().join("manifest.json"), "{\"name\": \"an extension\"}").unwrap();
        assert!(check(&inner.join("page.html")).is_ok() && check(&inner).is_err());
        fs::write(folder.path().join("manifest.json"), "{\"scumble\": \"0.1.0\"}").unwrap();
        assert!(check(&inner.join("page.html")).is_err() && check(&folder.path().join("page.html")).is_err());
    }

    // Permissions are a promise of the Unix implementation alone.
    #[cfg(all(unix, not(feature = "portable")))]
    #[test]
    fn pages_are_for_their_owner_also_where_they_replace_others() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("page.html");
        let mode = || fs::metadata(&path).unwrap().permissions().mode() & 0o777;
        fs::write(&path, "old").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
        write_page(&path, "new", &Output::new(false, true, scumble::Cancellation::default())).unwrap();
        assert_eq!((mode(), fs::read_to_string(&path).unwrap().as_str()), (0o600, "new"));
    }
}
