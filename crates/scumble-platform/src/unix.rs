//! Unix: what Linux and macOS offer beyond the standard library.

use crate::in_steps::{self, ASIDE, aside_of, without_ending};
use crate::{Limitations, PrivateFault, not_plain, try_lock};
use nix::sys::resource::{Resource, setrlimit};
use rustix::fs::{Access, FlockOperation, Mode, OFlags, flock};
use rustix::io::Errno;
use std::ffi::OsStr;
use std::fs::{self, DirBuilder, File};
use std::io::{self, ErrorKind};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::Path;

/// An open file or directory holds its lock until it is closed, and follows it through renames.
pub(crate) type Lock = File;

pub(crate) const LIMITATIONS: Limitations = Limitations {
    replacing: None,
    private: None,
    core_dumps: None,
    memory: if cfg!(target_os = "linux") {
        None
    } else {
        Some(
            "this system does not tell how much memory a run takes, so `compare` sets no limit to it and shows no figures",
        )
    },
};

pub(crate) fn open_plain_file(path: &Path) -> io::Result<File> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let file = match rustix::fs::open(path, flags, Mode::empty()) {
        Ok(descriptor) => File::from(descriptor),
        // A link is one loop too many; a socket, or a device without a driver, cannot be opened at all.
        Err(Errno::LOOP | Errno::NXIO | Errno::NODEV) => return Err(not_plain()),
        Err(error) => return Err(error.into()),
    };
    // The file that was opened is checked, not one that may have taken its name since.
    if file.metadata()?.is_file() { Ok(file) } else { Err(not_plain()) }
}

/// Renames that do more than the standard library's.
#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
mod renames {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    use rustix::io::Errno;
    use std::path::Path;

    pub(super) fn no_replace(from: &Path, to: &Path) -> Result<(), Errno> {
        renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE)
    }

    pub(super) fn exchange(new: &Path, old: &Path) -> Result<(), Errno> {
        renameat_with(CWD, new, CWD, old, RenameFlags::EXCHANGE)
    }
}

/// Other systems have no such renames.
#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
mod renames {
    use rustix::io::Errno;
    use std::path::Path;

    pub(super) fn no_replace(_from: &Path, _to: &Path) -> Result<(), Errno> {
        Err(Errno::NOSYS)
    }

    pub(super) fn exchange(_new: &Path, _old: &Path) -> Result<(), Errno> {
        Err(Errno::NOSYS)
    }
}

/// Some file systems lack what the system has.
fn lacks_flags(error: Errno) -> bool {
    matches!(error, Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP)
}

pub(crate) fn rename_new(from: &Path, to: &Path) -> io::Result<()> {
    match renames::no_replace(from, to) {
        Err(error) if lacks_flags(error) => {
            // A plain rename would silently take the place of an empty directory.
            if fs::symlink_metadata(to).is_ok() {
                return Err(ErrorKind::AlreadyExists.into());
            }
            fs::rename(from, to)
        }
        done => Ok(done?),
    }
}

pub(crate) fn exchange(new: &Path, old: &Path) -> io::Result<()> {
    match renames::exchange(new, old) {
        Err(error) if lacks_flags(error) => exchange_in_steps(new, old),
        done => Ok(done?),
    }
}

/// There is a moment in which neither directory is at its place, and in it the old one must not look abandoned.
fn exchange_in_steps(new: &Path, old: &Path) -> io::Result<()> {
    let aside = aside_of(new);
    let _held = loop {
        if let Some(lock) = make_locked_dir(&aside)? {
            break lock;
        }
    };
    in_steps::exchange(new, old)
}

pub(crate) fn sync_dir(path: &Path) -> io::Result<()> {
    File::open(path)?.sync_all()
}

pub(crate) fn check_writable(dir: &Path) -> io::Result<()> {
    Ok(rustix::fs::access(dir, Access::WRITE_OK | Access::EXEC_OK)?)
}

pub(crate) fn make_private_dirs(path: &Path) -> io::Result<()> {
    DirBuilder::new().mode(0o700).recursive(true).create(path)
}

pub(crate) fn create_private_file(path: &Path) -> io::Result<File> {
    File::options().write(true).create_new(true).mode(0o600).open(path)
}

pub(crate) fn others_may_read(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|found| found.permissions().mode() & 0o077 != 0)
}

pub(crate) fn make_locked_dir(path: &Path) -> io::Result<Option<Lock>> {
    DirBuilder::new().mode(0o700).create(path)?;
    // Between the two calls another run may have swept the directory away.
    let lock = match File::open(path) {
        Ok(lock) => lock,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => {
            let _ = fs::remove_dir(path);
            return Err(error);
        }
    };
    let _unsupported_on_some_filesystems = flock(&lock, FlockOperation::LockExclusive);
    Ok(is_same(&lock, path).then_some(lock))
}

pub(crate) fn lock_replaced_dir(path: &Path) -> Option<Lock> {
    let old = File::open(path).ok()?;
    let _unsupported_on_some_filesystems = flock(&old, FlockOperation::NonBlockingLockExclusive);
    Some(old)
}

pub(crate) fn remove_abandoned(folder: &Path, is_ours: &dyn Fn(&OsStr) -> bool) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let (name, path) = (entry.file_name(), entry.path());
        let is_aside = without_ending(&name, ASIDE).is_some_and(is_ours);
        if !(is_aside || is_ours(&name)) || !entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            continue;
        }
        let Ok(lock) = File::open(&path) else { continue };
        if flock(&lock, FlockOperation::NonBlockingLockExclusive).is_ok() && is_same(&lock, &path) {
            if is_aside {
                in_steps::settle(&path);
            } else {
                let _ = fs::remove_dir_all(&path);
            }
        }
    }
}

/// True while `path` still leads to the opened directory.
fn is_same(open: &File, path: &Path) -> bool {
    match (open.metadata(), fs::symlink_metadata(path)) {
        (Ok(a), Ok(b)) => (a.dev(), a.ino()) == (b.dev(), b.ino()),
        _ => false,
    }
}

pub(crate) fn lock_folder(folder: &Path) -> io::Result<Lock> {
    let folder = File::open(folder)?;
    try_lock(&folder)?;
    Ok(folder)
}

pub(crate) fn lock_file(path: &Path) -> io::Result<Lock> {
    let file = File::open(path)?;
    file.lock()?;
    Ok(file)
}

pub(crate) fn open_private_file(path: &Path) -> Result<File, PrivateFault> {
    let file = open_plain_file(path)?;
    // The file that was opened is asked, whatever has its name by now.
    let found = file.metadata()?;
    if found.uid() != nix::unistd::geteuid().as_raw() {
        return Err(PrivateFault::Foreign);
    }
    match found.permissions().mode() & 0o777 {
        mode if mode & 0o077 != 0 => Err(PrivateFault::Open(mode)),
        _ => Ok(file),
    }
}

pub(crate) fn open_lock_file(path: &Path) -> io::Result<File> {
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    Ok(File::from(rustix::fs::open(path, flags, Mode::RUSR | Mode::WUSR)?))
}

/// A limit of 0 keeps Linux from writing a file, but not from handing the core to a program that collects them; a limit of
/// one byte, too little for any core, does both. A system that allows no limits at all writes none either way.
pub(crate) fn disable_core_dumps() {
    let _ = setrlimit(Resource::RLIMIT_CORE, 1, 1);
}

pub(crate) fn peak_memory() -> Option<u64> {
    field(&fs::read_to_string("/proc/self/status").ok()?, "VmHWM:")
}

pub(crate) fn reset_peak_memory() {
    // Linux knows this word; a system without it counts from the start of the process.
    let _ = fs::write("/proc/self/clear_refs", "5");
}

/// A line such as `VmRSS:    1234 kB`, in bytes.
fn field(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_the_system_are_read() {
        assert_eq!(field("Name:\tx\nVmHWM:\t   20 kB\n", "VmHWM:"), Some(20_480));
        assert_eq!(field("VmHWM: many\n", "VmHWM:"), None);
    }

    #[test]
    fn steps_take_the_place_of_an_exchange_that_a_file_system_lacks() {
        let home = tempfile::tempdir().unwrap();
        let (new, old) = (home.path().join(".r.scumble-1-2"), home.path().join("r"));
        let _lock = make_locked_dir(&new).unwrap().unwrap();
        fs::create_dir(&old).unwrap();
        fs::write(new.join("new"), "").unwrap();
        fs::write(old.join("old"), "").unwrap();
        exchange_in_steps(&new, &old).unwrap();
        assert!(old.join("new").exists() && new.join("old").exists());
        assert_eq!(fs::read_dir(home.path()).unwrap().count(), 2);
    }
}
