//! Files of which nobody knows who made them: opened only if they are plain files.

use rustix::fs::{Mode, OFlags, open};
use std::fs::File;
use std::io::{Error, ErrorKind, Read, Result};
use std::path::Path;

/// Opens a plain file for reading. A symbolic link is not followed, and a pipe or a device is refused without
/// waiting for whoever is at its other end.
///
/// # Errors
/// [`ErrorKind::InvalidInput`] if it is anything but a plain file, and whatever the system says.
pub fn open_plain(path: &Path) -> Result<File> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let file = match open(path, flags, Mode::empty()) {
        Ok(descriptor) => File::from(descriptor),
        // A link is one loop too many; a socket, or a device without a driver, cannot be opened at all.
        Err(rustix::io::Errno::LOOP | rustix::io::Errno::NXIO | rustix::io::Errno::NODEV) => return Err(not_plain()),
        Err(error) => return Err(error.into()),
    };
    // What is asked is the file that was opened, whatever has taken its name since.
    if file.metadata()?.is_file() { Ok(file) } else { Err(not_plain()) }
}

/// The bytes of a plain file, as [`open_plain`] opens it.
///
/// # Errors
/// As [`open_plain`].
pub fn read_plain(path: &Path) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open_plain(path)?.read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn not_plain() -> Error {
    Error::new(ErrorKind::InvalidInput, "it is a link, a pipe, a device or a directory, not a plain file")
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::fs::{CWD, FileType, mknodat};

    #[test]
    fn only_plain_files_are_opened() {
        let home = tempfile::tempdir().unwrap();
        let at = |name: &str| home.path().join(name);
        std::fs::write(at("plain"), "x").unwrap();
        std::os::unix::fs::symlink(at("plain"), at("link")).unwrap();
        std::os::unix::fs::symlink(at("nowhere"), at("dangling")).unwrap();
        mknodat(CWD, at("pipe"), FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
        std::os::unix::net::UnixListener::bind(at("socket")).unwrap();
        std::fs::create_dir(at("dir")).unwrap();
        assert_eq!(read_plain(&at("plain")).unwrap(), b"x");
        let paths = ["link", "dangling", "pipe", "socket", "dir"].map(at);
        for path in
            paths.iter().map(std::path::PathBuf::as_path).chain([Path::new("/dev/zero"), Path::new("/dev/stdin")])
        {
            assert_eq!(open_plain(path).unwrap_err().kind(), ErrorKind::InvalidInput, "{}", path.display());
        }
        assert_eq!(open_plain(&at("nothing")).unwrap_err().kind(), ErrorKind::NotFound);
    }
}
