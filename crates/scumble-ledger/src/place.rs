//! Where a ledger may be, and what it may be.

use crate::format::{Fault, VERSION, VERSION_2};
use scumble_platform::{Lock, PrivateFault, lock_beside, open_private_file};
use scumble_table::{Error, Monitor, Result};
use std::fs::File;
use std::io::ErrorKind;
use std::path::Path;
use std::time::Duration;

/// How long is waited between two looks at a ledger that another run has locked.
const WAIT: Duration = Duration::from_millis(20);

/// Refuses a place where no ledger can be, before any work is done: its folder must be there and writable, and what stands
/// there must be a plain file of its owner's own.
///
/// # Errors
/// What is wrong with it.
pub fn check_place(path: &Path) -> Result<()> {
    if path.file_name().is_none() {
        return Err(refusal(path, "a ledger is a file").hint("such as «ledger» people.ledger"));
    }
    let folder = folder_of(path);
    scumble_platform::check_writable(folder).map_err(|error| match error.kind() {
        ErrorKind::NotFound => {
            refusal(path, format!("its folder `{}` does not exist", folder.display())).hint("create it first")
        }
        _ => refusal(path, format!("its folder `{}` is not writable ({error})", folder.display()))
            .hint("a ledger is replaced in one step, which needs a place for the new one"),
    })?;
    open(path).map(|_| ())
}

/// The folder of a ledger.
pub(crate) fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Waits until no other run uses the ledger.
pub(crate) fn lock(path: &Path, monitor: Monitor<'_>) -> Result<Lock> {
    loop {
        monitor.check()?;
        match lock_beside(path) {
            Ok(lock) => return Ok(lock),
            Err(error) if error.kind() == ErrorKind::WouldBlock => std::thread::sleep(WAIT),
            Err(error) => return Err(Error::io("lock", path.display(), &error)),
        }
    }
}

/// Opens a ledger that is its owner's alone; nothing where there is none.
pub(crate) fn open(path: &Path) -> Result<Option<File>> {
    match open_private_file(path) {
        Ok(file) => Ok(Some(file)),
        Err(PrivateFault::Io(error)) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(PrivateFault::Io(error)) => Err(Error::io("read", path.display(), &error)),
        Err(PrivateFault::NotPlain) => {
            let reason = "it is a link, a pipe, a device or a directory, not a plain file";
            Err(refusal(path, reason).hint("name the file itself"))
        }
        Err(PrivateFault::Foreign) => {
            let reason = "it belongs to another user, who could put any other file in its place";
            Err(refusal(path, reason).hint("let that user publish, or take a copy that is your own from now on"))
        }
        Err(PrivateFault::Open(mode)) => {
            let reason = format!("others may read or write it (mode {mode:o}), and it tells who was in which release");
            Err(refusal(path, reason).hint(format!("chmod 600 {}", path.display())))
        }
    }
}

/// What is wrong with the bytes of a ledger, in words. Nothing is published as long as it is.
pub(crate) fn unreadable(path: &Path, fault: Fault) -> Error {
    let broken = |reason: String| Error::data(path.display().to_string(), reason);
    let backup = "nothing is published with it; put back the last good copy, and if there is none start a new ledger \
                  and treat everybody as published";
    match fault {
        Fault::NoLedger => broken("this is not a ledger of scumble".into())
            .hint("name the file of a ledger, or one that does not exist yet"),
        Fault::Version(version) => broken(format!(
            "this ledger is of version `{version}`, and this program reads versions `{VERSION_2}` and `{VERSION}`"
        ))
        .hint("use the version of scumble that wrote it"),
        Fault::Cut => broken("the ledger was cut: it does not end where ledgers end".into()).hint(backup),
        Fault::Broken(what) => broken(format!("the ledger was altered or damaged: {what}")).hint(backup),
        Fault::Io(error) => Error::io("read", path.display(), &error),
    }
}

pub(crate) fn refusal(path: &Path, reason: impl Into<String>) -> Error {
    Error::request("ledger", path.display().to_string(), reason)
}
