//! What differs between operating systems, in one place.
//!
//! Every other crate uses the standard library alone for files and processes, and comes here for the rest. There are two
//! implementations of the same functions: `unix.rs` for Unix systems, and `portable.rs`, which uses the standard library
//! alone, for all others. The feature `portable` chooses the second one on Unix as well, which is how it is tested.
//!
//! The portable implementation promises less:
//!
//! | function | on Unix | portable |
//! |---|---|---|
//! | [`open_plain_file`] | asks the file that was opened | looks at the name first: a file that changes between look and opening can be followed, or waited for |
//! | [`rename_new`] | refuses in one step | looks first: an empty directory that appears after the look is replaced |
//! | [`exchange`] | one step, where the file system knows it | three renames: after a kill between them [`remove_abandoned`] puts the old directory back |
//! | [`sync_dir`] | names are on the disk | where directories cannot be opened, a power cut may lose the new name |
//! | [`make_private_dirs`], [`create_private_file`], [`PendingFile`] | the owner only | everybody who may enter the folder above |
//! | [`others_may_read`] | tells | never says yes |
//! | [`open_private_file`] | asks the file that was opened whose it is and who else may use it | as [`open_plain_file`], and knows nothing of owners |
//! | [`make_locked_dir`], [`remove_abandoned`] | the lock is on the directory | the lock is on a file next to it, whose name ends in `.lock` |
//! | [`lock_file`] | the lock is on the file | the lock is on a hidden file next to it, which stays |
//! | [`disable_core_dumps`] | limits the process | does nothing |
//! | [`peak_memory`] | known on Linux | unknown |
//!
//! A build of one kind does not see the directory locks of a build of the other kind, so the two must not write into the
//! same folder at the same time. [`LIMITATIONS`] holds what users must know, as sentences.

mod in_steps;
#[cfg(feature = "interrupts")]
mod interrupts;
mod pending_file;
#[cfg(any(not(unix), feature = "portable"))]
mod portable;
#[cfg(all(unix, not(feature = "portable")))]
mod unix;

#[cfg(any(not(unix), feature = "portable"))]
use portable as system;
#[cfg(all(unix, not(feature = "portable")))]
use unix as system;

#[cfg(feature = "interrupts")]
pub use interrupts::on_interrupt;
pub use pending_file::{PendingFile, Readers, is_pending, remove_all_pending};
use std::ffi::OsStr;
use std::fs::{File, TryLockError};
use std::io;
use std::path::Path;

/// Whether this build uses the portable implementation.
pub const PORTABLE: bool = cfg!(any(not(unix), feature = "portable"));

/// What this build promises less than a build for Linux, as sentences for the user; `None` where it promises the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limitations {
    /// About releases that are replaced.
    pub replacing: Option<&'static str>,
    /// About files that only their owner should read.
    pub private: Option<&'static str>,
    /// About what a crash leaves.
    pub core_dumps: Option<&'static str>,
    /// About limits and figures of memory.
    pub memory: Option<&'static str>,
}

impl Limitations {
    /// All sentences.
    pub fn sentences(&self) -> impl Iterator<Item = &'static str> {
        [self.replacing, self.private, self.core_dumps, self.memory].into_iter().flatten()
    }
}

/// What this build promises less.
pub const LIMITATIONS: Limitations = system::LIMITATIONS;

/// A lock that is held as long as the value lives, and that ends with its process, however it ends.
#[derive(Debug)]
pub struct Lock(#[expect(dead_code, reason = "it is held, not used")] system::Lock);

/// Opens a plain file for reading. A symbolic link is not followed, and a pipe or a device is refused without waiting for
/// its other end.
///
/// # Errors
/// [`io::ErrorKind::InvalidInput`] if it is anything but a plain file, and whatever the system says.
pub fn open_plain_file(path: &Path) -> io::Result<File> {
    system::open_plain_file(path)
}

/// Renames a directory to a name that must be free.
///
/// # Errors
/// [`io::ErrorKind::AlreadyExists`], [`io::ErrorKind::DirectoryNotEmpty`] or [`io::ErrorKind::NotADirectory`] if the name
/// is taken, and whatever the system says.
pub fn rename_new(from: &Path, to: &Path) -> io::Result<()> {
    system::rename_new(from, to)
}

/// Puts the directory `new` in the place of the directory `old`, and `old` where `new` was. Both lie in the same folder,
/// and `new` was made by [`make_locked_dir`], whose lock is still held.
///
/// Where the system cannot do it in one step, a process that is killed in between leaves no directory at the place of
/// `old`; [`remove_abandoned`] then puts the old one back.
///
/// # Errors
/// Whatever the system says; then `old` is at its place, or will be put back by [`remove_abandoned`].
pub fn exchange(new: &Path, old: &Path) -> io::Result<()> {
    system::exchange(new, old)
}

/// Flushes the names in a directory to the disk.
///
/// # Errors
/// Whatever the system says.
pub fn sync_dir(path: &Path) -> io::Result<()> {
    system::sync_dir(path)
}

/// Whether names can be added to a directory.
///
/// # Errors
/// Why not.
pub fn check_writable(dir: &Path) -> io::Result<()> {
    system::check_writable(dir)
}

/// Makes a directory that only its owner may enter, with the directories above it where they are missing. A directory that
/// exists keeps its permissions.
///
/// # Errors
/// Whatever the system says.
pub fn make_private_dirs(path: &Path) -> io::Result<()> {
    system::make_private_dirs(path)
}

/// Makes a file that only its owner may read, from its first byte on, and opens it for writing.
///
/// # Errors
/// [`io::ErrorKind::AlreadyExists`] if there is a file of this name, and whatever the system says.
pub fn create_private_file(path: &Path) -> io::Result<File> {
    system::create_private_file(path)
}

/// Whether others than its owner may read a file.
pub fn others_may_read(path: &Path) -> bool {
    system::others_may_read(path)
}

/// Makes a private directory and locks it, so that [`remove_abandoned`] leaves it alone. `None` if another process took
/// it for an abandoned one before it was locked; the caller tries another name. The lock is for this name and this
/// process only: the directory is renamed or removed before the lock is dropped.
///
/// # Errors
/// [`io::ErrorKind::AlreadyExists`] if the name is taken, and whatever the system says.
pub fn make_locked_dir(path: &Path) -> io::Result<Option<Lock>> {
    Ok(system::make_locked_dir(path)?.map(Lock))
}

/// Keeps a directory from looking abandoned once [`exchange`] has given it a hidden name. `None` if there is none.
pub fn lock_replaced_dir(path: &Path) -> Option<Lock> {
    system::lock_replaced_dir(path).map(Lock)
}

/// Removes the directories in a folder that [`make_locked_dir`] made and whose process is gone, and puts back what
/// [`exchange`] had no time to. `is_ours` knows the names. What cannot be removed is left: it may belong to another
/// user, and it does no harm.
pub fn remove_abandoned(folder: &Path, is_ours: &dyn Fn(&OsStr) -> bool) {
    system::remove_abandoned(folder, is_ours);
}

/// Locks a folder that stays where it is, for one process at a time. On file systems without locks nothing is locked.
///
/// # Errors
/// [`io::ErrorKind::WouldBlock`] if another process has locked it, and whatever the system says.
pub fn lock_folder(folder: &Path) -> io::Result<Lock> {
    system::lock_folder(folder).map(Lock)
}

/// Locks a file, waiting for other processes. The holder of the lock can read and replace the file.
///
/// # Errors
/// [`io::ErrorKind::NotFound`] if there is no such file, and whatever the system says.
pub fn lock_file(path: &Path) -> io::Result<Lock> {
    system::lock_file(path).map(Lock)
}

/// Why a file is not its owner's alone.
#[derive(Debug)]
pub enum PrivateFault {
    /// It is a link, a pipe, a device or a directory.
    NotPlain,
    /// It belongs to another user.
    Foreign,
    /// Others than its owner may use it; these are its permissions.
    Open(u32),
    /// The system refuses.
    Io(io::Error),
}

impl From<io::Error> for PrivateFault {
    fn from(error: io::Error) -> PrivateFault {
        match error.kind() {
            io::ErrorKind::InvalidInput => PrivateFault::NotPlain,
            _ => PrivateFault::Io(error),
        }
    }
}

/// Opens a plain file for reading that belongs to this user, and that nobody else may read or write.
///
/// # Errors
/// Why it is none.
pub fn open_private_file(path: &Path) -> Result<File, PrivateFault> {
    system::open_private_file(path)
}

/// Locks a file by a hidden one next to it, which stays: the file itself may be missing, and may be replaced while the lock
/// is held.
///
/// # Errors
/// [`io::ErrorKind::WouldBlock`] if another process has locked it, and whatever the system says, also that it has no locks.
#[allow(clippy::useless_conversion, reason = "only the portable lock is more than the file")]
pub fn lock_beside(path: &Path) -> io::Result<Lock> {
    let mut name = std::ffi::OsString::from(".");
    name.push(path.file_name().ok_or(io::ErrorKind::InvalidInput)?);
    name.push(".lock");
    let file = system::open_lock_file(&path.with_file_name(name))?;
    match file.try_lock() {
        Ok(()) => Ok(Lock(file.into())),
        Err(TryLockError::WouldBlock) => Err(io::ErrorKind::WouldBlock.into()),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// Keeps the system from writing what this process has in memory to a file when it crashes.
pub fn disable_core_dumps() {
    system::disable_core_dumps();
}

/// The greatest resident memory of this process so far, in bytes, where the system tells.
pub fn peak_memory() -> Option<u64> {
    system::peak_memory()
}

/// Has [`peak_memory`] count from now on, where the system can.
pub fn reset_peak_memory() {
    system::reset_peak_memory();
}

fn not_plain() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, "it is a link, a pipe, a device or a directory, not a plain file")
}

/// Locks a file without waiting. File systems that have no locks lock nothing.
fn try_lock(file: &File) -> io::Result<()> {
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Err(io::ErrorKind::WouldBlock.into()),
        Ok(()) | Err(TryLockError::Error(_)) => Ok(()),
    }
}
