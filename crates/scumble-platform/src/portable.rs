//! Any system, with the standard library alone. The table in `lib.rs` says what it promises less.

use crate::in_steps::{self, ASIDE, aside_of, with_ending, without_ending};
use crate::{Limitations, PrivateFault, not_plain, try_lock};
use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

pub(crate) const LIMITATIONS: Limitations = Limitations {
    replacing: Some(
        "this build cannot swap two directories in one step: for a moment neither the old release nor the new one is at its place, and if the program is killed in that moment, the next run puts the old one back",
    ),
    private: Some(
        "this build cannot limit who may read a file: keep what is private in a folder that only you can open",
    ),
    core_dumps: Some(
        "this build cannot keep the system from saving the memory of a program that crashed: such a file would hold your data",
    ),
    memory: Some(
        "this build does not see how much memory a run takes, so `compare` sets no limit to it and shows no figures",
    ),
};

/// What the name of a lock ends in, after the name of what it locks.
const LOCK: &str = "lock";

/// A file that is locked. Directories cannot be opened on every system, and what is open cannot always be renamed: so a
/// lock is a file of its own.
#[derive(Debug)]
pub(crate) struct Lock {
    _file: Option<File>,
    /// The directory whose lock goes when it is released. Other locks stay as empty files.
    staged: Option<PathBuf>,
}

impl Drop for Lock {
    fn drop(&mut self) {
        let Some(staged) = &self.staged else { return };
        let aside = aside_of(staged);
        in_steps::settle(&aside);
        // As long as something waits to be put back, the next run must find it.
        if !aside.exists() {
            let _ = fs::remove_file(with_ending(staged, LOCK));
        }
    }
}

pub(crate) fn open_plain_file(path: &Path) -> io::Result<File> {
    if path.file_name().is_some_and(is_device_name) || !fs::symlink_metadata(path)?.is_file() {
        return Err(not_plain());
    }
    let file = File::open(path)?;
    if file.metadata()?.is_file() { Ok(file) } else { Err(not_plain()) }
}

/// Names that Windows gives to devices in every folder, whatever follows their first dot, and names with a colon, which
/// lead to other streams of a file.
fn is_device_name(name: &OsStr) -> bool {
    let name = name.to_string_lossy().to_ascii_uppercase();
    let stem = name.split('.').next().unwrap_or_default().trim_end();
    let numbered = ["COM", "LPT"].iter().find_map(|device| stem.strip_prefix(device));
    name.contains(':')
        || ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"].contains(&stem)
        || numbered.is_some_and(|number| number.len() == 1 && number.bytes().all(|byte| byte.is_ascii_digit()))
}

pub(crate) fn rename_new(from: &Path, to: &Path) -> io::Result<()> {
    if fs::symlink_metadata(to).is_ok() {
        return Err(ErrorKind::AlreadyExists.into());
    }
    fs::rename(from, to)
}

/// The lock of the new directory keeps the folder aside from being swept as well.
pub(crate) fn exchange(new: &Path, old: &Path) -> io::Result<()> {
    fs::create_dir(aside_of(new))?;
    in_steps::exchange(new, old)
}

/// Where directories can be opened, they are flushed; elsewhere the system does so when it likes.
pub(crate) fn sync_dir(path: &Path) -> io::Result<()> {
    if let Ok(dir) = File::open(path) {
        let _unsupported_on_some_systems = dir.sync_all();
    }
    Ok(())
}

/// A directory is writable if a file can be made in it; the standard library has no other way to find out.
pub(crate) fn check_writable(dir: &Path) -> io::Result<()> {
    static COUNTER: AtomicU64 = AtomicU64::new(0);
    loop {
        let number = COUNTER.fetch_add(1, Ordering::Relaxed);
        let probe = dir.join(format!(".scumble-probe-{}-{number}", std::process::id()));
        match File::create_new(&probe) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
            Ok(_) => return fs::remove_file(&probe),
        }
    }
}

pub(crate) fn make_private_dirs(path: &Path) -> io::Result<()> {
    fs::create_dir_all(path)
}

pub(crate) fn create_private_file(path: &Path) -> io::Result<File> {
    File::create_new(path)
}

pub(crate) fn others_may_read(_path: &Path) -> bool {
    false
}

/// The lock comes before the directory and goes after it: a directory whose lock is free is abandoned.
pub(crate) fn make_locked_dir(path: &Path) -> io::Result<Option<Lock>> {
    let place = with_ending(path, LOCK);
    let file = File::create_new(&place)?;
    let _unsupported_on_some_filesystems = file.lock();
    // Before the file was locked, another run may have swept it away.
    if !place.exists() {
        return Ok(None);
    }
    let lock = Lock { _file: Some(file), staged: Some(path.into()) };
    fs::create_dir(path)?;
    Ok(Some(lock))
}

/// After the exchange the old directory has the name of the new one, and that name is locked.
pub(crate) fn lock_replaced_dir(path: &Path) -> Option<Lock> {
    fs::symlink_metadata(path).is_ok().then_some(Lock { _file: None, staged: None })
}

pub(crate) fn remove_abandoned(folder: &Path, is_ours: &dyn Fn(&OsStr) -> bool) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    // A killed run may have left any of the directory, its lock and the folder aside.
    let mut names: BTreeSet<OsString> = BTreeSet::new();
    for entry in entries.flatten() {
        let name = entry.file_name();
        let is_dir = entry.file_type().is_ok_and(|kind| kind.is_dir());
        let staged = if is_dir { without_ending(&name, ASIDE) } else { without_ending(&name, LOCK) };
        let staged = staged.filter(|staged| is_ours(staged)).or((is_dir && is_ours(&name)).then_some(&name));
        names.extend(staged.map(OsStr::to_os_string));
    }
    for name in names {
        let path = folder.join(name);
        let Ok(file) = open_lock(&with_ending(&path, LOCK)) else { continue };
        if file.try_lock().is_ok() {
            let _ends_exchange_and_lock = Lock { _file: Some(file), staged: Some(path.clone()) };
            let _ = fs::remove_dir_all(&path);
        }
    }
}

pub(crate) fn lock_folder(folder: &Path) -> io::Result<Lock> {
    let file = open_lock(&folder.join(".lock"))?;
    try_lock(&file)?;
    Ok(Lock { _file: Some(file), staged: None })
}

/// On some systems a locked file cannot be read through another handle, so the file itself is not locked.
pub(crate) fn lock_file(path: &Path) -> io::Result<Lock> {
    fs::metadata(path)?;
    let mut name = OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    let file = open_lock(&with_ending(&path.with_file_name(name), LOCK))?;
    file.lock()?;
    Ok(Lock { _file: Some(file), staged: None })
}

pub(crate) fn open_private_file(path: &Path) -> Result<File, PrivateFault> {
    Ok(open_plain_file(path)?)
}

pub(crate) fn open_lock_file(path: &Path) -> io::Result<File> {
    open_lock(path)
}

impl From<File> for Lock {
    fn from(file: File) -> Lock {
        Lock { _file: Some(file), staged: None }
    }
}

fn open_lock(path: &Path) -> io::Result<File> {
    File::options().write(true).create(true).truncate(false).open(path)
}

pub(crate) fn disable_core_dumps() {}

pub(crate) fn peak_memory() -> Option<u64> {
    None
}

pub(crate) fn reset_peak_memory() {}
