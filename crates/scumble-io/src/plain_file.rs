//! Files whose origin is not known: they are opened only if they are plain files.

pub use scumble_platform::open_plain_file as open_plain;
use std::io::{Read, Result};
use std::path::Path;

/// The bytes of a plain file, as [`open_plain`] opens it.
///
/// # Errors
/// As [`open_plain`].
pub fn read_plain(path: &Path) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open_plain(path)?.read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::io::ErrorKind;

    #[test]
    fn only_plain_files_are_opened() {
        let home = tempfile::tempdir().unwrap();
        let at = |name: &str| home.path().join(name);
        std::fs::write(at("plain"), "x").unwrap();
        std::os::unix::fs::symlink(at("plain"), at("link")).unwrap();
        std::os::unix::fs::symlink(at("nowhere"), at("dangling")).unwrap();
        assert!(std::process::Command::new("mkfifo").arg(at("pipe")).status().unwrap().success());
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
