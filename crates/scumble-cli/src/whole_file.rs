//! Files that appear whole or not at all: written beside their place and renamed.

use crate::output::Output;
use scumble::{Error, Result};
use scumble_platform::{LIMITATIONS, overwrite_private_file};
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// The same as [`check_new`], for a file in a folder that must be there.
pub(crate) fn check_page(flag: &str, path: &Path, data: &Path, replace: bool) -> Result<()> {
    let shown = path.display().to_string();
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty() && !folder.exists()) {
        let reason = format!("there is no folder `{}`", folder.display());
        return Err(Error::request(flag, shown, reason).hint("make it first"));
    }
    check_new(flag, path, data, replace)
}

/// Refuses to write over the data, into a release, and over anything else unless it is to be replaced.
/// `flag` named the path.
pub(crate) fn check_new(flag: &str, path: &Path, data: &Path, replace: bool) -> Result<()> {
    let shown = path.display().to_string();
    if path.is_dir() {
        return Err(Error::request(flag, shown, "it is a directory").hint("name a file"));
    }
    if in_a_release(path) {
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

/// True if a folder above the path is a release: its manifest says which version wrote it.
fn in_a_release(path: &Path) -> bool {
    let folder = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let Ok(folder) = fs::canonicalize(folder) else { return false };
    folder.ancestors().any(|folder| {
        let manifest = fs::read_to_string(folder.join("manifest.json")).ok();
        let manifest = manifest.and_then(|text| serde_json::from_str::<serde_json::Value>(&text).ok());
        manifest.is_some_and(|manifest| manifest.get("scumble").is_some())
    })
}

/// Writes a page that nobody but the user may read: its figures come from the data itself.
pub(crate) fn write_page(path: &Path, page: &str, output: &Output) -> Result<()> {
    output.weaker(LIMITATIONS.private);
    write(path, true, |out| out.write_all(page.as_bytes())).map_err(|e| Error::io("write", path.display(), &e))
}

/// Writes a file through `fill`; on any failure nothing is left behind.
pub(crate) fn write_whole(path: &Path, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    write(path, false, fill)
}

fn write(path: &Path, private: bool, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    // A device or a pipe cannot be renamed over.
    if fs::metadata(path).is_ok_and(|found| !found.is_file()) {
        let mut file = BufWriter::new(File::create(path)?);
        return fill(&mut file).and_then(|()| file.flush());
    }
    let mut name = std::ffi::OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(format!(".{}.part", std::process::id()));
    let part = path.with_file_name(name);
    let written = (|| {
        let file = if private { overwrite_private_file(&part) } else { File::create(&part) }?;
        let mut file = BufWriter::with_capacity(1 << 20, file);
        fill(&mut file)?;
        file.flush()?;
        fs::rename(&part, path)
    })();
    if written.is_err() {
        let _ = fs::remove_file(&part);
    }
    written
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

    #[test]
    fn a_failure_leaves_the_old_file_and_nothing_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("f");
        write_whole(&path, |out| out.write_all(b"old")).unwrap();
        let failed = write_whole(&path, |out| out.write_all(b"half").and(Err(io::Error::other("no"))));
        assert!(failed.is_err());
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
