//! Files that appear whole or not at all: written beside their place and renamed.

use scumble::{Error, Result};
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// Refuses to write over the data, into a release, and over anything else unless it is to be replaced.
/// `flag` named the path.
pub(crate) fn check_new(flag: &str, path: &Path, data: &Path, replace: bool) -> Result<()> {
    let shown = path.display().to_string();
    let folder = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if folder.join("manifest.json").exists() {
        return Err(Error::request(flag, shown, "this is for your eyes, and the directory holds a release")
            .hint("name a file outside of any release"));
    }
    if path.exists() && !replace {
        return Err(Error::request(flag, shown, "it exists already").hint("name another file, or use --replace"));
    }
    match (fs::canonicalize(path), fs::canonicalize(data)) {
        (Ok(path), Ok(data)) if path == data => {
            Err(Error::request(flag, shown, "this is the data itself").hint("name another file"))
        }
        _ => Ok(()),
    }
}

/// Writes a file through `fill`; on any failure nothing is left behind.
pub(crate) fn write_whole(path: &Path, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
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
        let mut file = BufWriter::with_capacity(1 << 20, File::create(&part)?);
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
