//! The key of a user whose ledgers have no passphrase: 32 random bytes in a private file that lies where no ledger does.
//!
//! ```text
//! scumble ledger key 1: private; it opens ledgers, keep it where they are not
//! <64 hexadecimal digits>
//! ```

use crate::keys::{Bytes32, Hex, random, tag};
use crate::place::{folder_of, lock, refusal};
use crate::wrapping::Secrets;
use scumble_platform::{PendingFile, PrivateFault, Readers, make_private_dirs, open_private_file, sync_dir};
use scumble_table::{Error, Monitor, Result};
use std::fs;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};
use zeroize::Zeroizing;

/// The first line.
const TITLE: &str = "scumble ledger key 1: private; it opens ledgers, keep it where they are not";

/// No key file is longer.
const LONGEST: u64 = 1 << 12;

/// Digits of the public name of a key.
const ID_DIGITS: usize = 16;

/// What is said of a key that is read where it should not be.
const BESIDE: &str = "the key lies in the folder of the ledger or below it: whoever copies the folder has both, and can test whether \
                      somebody is in it";

/// A key, and where it was read.
pub(crate) struct KeyFile {
    path: PathBuf,
    key: Zeroizing<Bytes32>,
}

/// Whether a text can be the public name of a key.
pub(crate) fn is_id(text: &str) -> bool {
    text.len() == ID_DIGITS && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

impl KeyFile {
    /// Its public name, which tells nothing of it and says which of several keys is meant.
    pub(crate) fn id(&self) -> String {
        Hex(tag(&self.key, &[b"scumble ledger key: name"])).to_string().chars().take(ID_DIGITS).collect()
    }

    /// What wraps the keys of a ledger, and the proof that it was the right key. The salt is used for one ledger only.
    pub(crate) fn derive(&self, salt: &Hex) -> [Zeroizing<Bytes32>; 3] {
        let parts: [&[u8]; 3] =
            [b"scumble ledger key: people", b"scumble ledger key: records", b"scumble ledger key: proof"];
        parts.map(|part| Zeroizing::new(tag(&self.key, &[part, &salt.0])))
    }

    /// The key that a ledger names.
    pub(crate) fn wanted(id: &str, ledger: &Path, secrets: &Secrets, monitor: Monitor<'_>) -> Result<KeyFile> {
        let hint = "name the file of that key in «ledger_key», or in the environment variable SCUMBLE_LEDGER_KEY; if it was made \
                    on another machine or for another user, take a copy of it from there; without it nobody can be looked for in the ledger";
        let Some(path) = &secrets.key_file else {
            return Err(
                refusal(ledger, format!("this ledger opens with the key {id}, and no key was given")).hint(hint)
            );
        };
        let Some(file) = KeyFile::read(path)? else {
            let reason = format!("this ledger opens with the key {id}, and there is no file `{}`", path.display());
            return Err(refusal(ledger, reason).hint(hint));
        };
        if file.id() != id {
            let reason = format!(
                "this ledger opens with the key {id}, and the file `{}` holds the key {}",
                path.display(),
                file.id()
            );
            return Err(refusal(ledger, reason).hint(hint));
        }
        if is_beside(path, ledger) {
            monitor.warn(BESIDE);
        }
        Ok(file)
    }

    /// The key in a file, and a new one where there is none. Of two runs at once both get the same.
    pub(crate) fn read_or_make(path: &Path, ledger: &Path, monitor: Monitor<'_>) -> Result<KeyFile> {
        let beside = || {
            let reason = "it lies in the folder of the ledger or below it, and whoever copies the folder has both";
            fault(path, reason.into()).hint(
                "keep the ledger in a folder of its own, name another place for the key in «ledger_key», or give the ledger a \
                 passphrase",
            )
        };
        if is_in_folder(path, ledger) {
            return Err(beside());
        }
        if let Some(file) = KeyFile::read(path)? {
            if is_beside(path, ledger) {
                monitor.warn(BESIDE);
            }
            return Ok(file);
        }
        if is_beside(path, ledger) {
            return Err(beside());
        }
        let folder = folder_of(path);
        let missing: Vec<&Path> =
            folder.ancestors().take_while(|folder| !folder.as_os_str().is_empty() && !folder.exists()).collect();
        let failed = |error: std::io::Error| {
            fault(path, format!("the key of this user cannot be made there ({error})"))
                .hint("name another place for it in «ledger_key», or give the ledger a passphrase")
        };
        make_private_dirs(folder).map_err(failed)?;
        let _lock = lock(path, monitor)?;
        if let Some(file) = KeyFile::read(path)? {
            return Ok(file);
        }
        let file = KeyFile { path: path.to_path_buf(), key: Zeroizing::new(random()?) };
        file.write().map_err(failed)?;
        // The key is on the disk before anything is written that only it can open, and so are the folders that it is in.
        sync_dir(folder).map_err(failed)?;
        missing.iter().try_for_each(|made| sync_dir(folder_of(made))).map_err(failed)?;
        monitor.insist(&format!(
            "a key for your ledgers was made: `{}` (key {}). A ledger that is made with it cannot be opened without it: keep a \
             copy of the key, and not where the ledger is",
            path.display(),
            file.id()
        ));
        Ok(file)
    }

    fn write(&self) -> std::io::Result<()> {
        let text = Zeroizing::new(format!("{TITLE}\n{}\n", Hex(*self.key)));
        PendingFile::write(&self.path, Readers::Owner, |out| out.write_all(text.as_bytes()))?.put()
    }

    /// The key in a file that is its owner's alone; nothing where there is none.
    pub(crate) fn read(path: &Path) -> Result<Option<KeyFile>> {
        let file = match open_private_file(path) {
            Ok(file) => file,
            Err(PrivateFault::Io(error)) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
                return Ok(None);
            }
            Err(PrivateFault::Io(error)) => return Err(fault(path, format!("it cannot be read ({error})"))),
            Err(PrivateFault::NotPlain) => {
                let reason = "it is a link, a pipe, a device or a directory, not a plain file";
                return Err(fault(path, reason.into()).hint("name the file itself"));
            }
            Err(PrivateFault::Foreign) => {
                let reason = "it belongs to another user, who could put any other key in its place";
                return Err(fault(path, reason.into()).hint("take a copy that is your own"));
            }
            Err(PrivateFault::Open(mode)) => {
                let reason = format!("others may read or write it (mode {mode:o}), and it opens ledgers");
                return Err(fault(path, reason).hint(format!("chmod 600 {}", path.display())));
            }
        };
        let mut text = Zeroizing::new(String::new());
        let read = file.take(LONGEST).read_to_string(&mut text);
        let digits = text.strip_prefix(TITLE).and_then(|rest| rest.strip_prefix('\n')?.strip_suffix('\n'));
        match (read, digits.and_then(|digits| Hex::parse(digits.as_bytes()))) {
            (Ok(_), Some(Hex(key))) => Ok(Some(KeyFile { path: path.to_path_buf(), key: Zeroizing::new(key) })),
            (Err(error), _) if error.kind() != ErrorKind::InvalidData => {
                Err(fault(path, format!("it cannot be read ({error})")))
            }
            _ => Err(fault(path, "this is not the whole of a key file that scumble made".into())
                .hint("put back a copy of it; without the key the ledgers that it opens are lost")),
        }
    }
}

/// Whether a key lies in the very folder of a ledger.
fn is_in_folder(path: &Path, ledger: &Path) -> bool {
    let folder = |path: &Path| fs::canonicalize(folder_of(path)).ok();
    folder(path).is_some() && folder(path) == folder(ledger)
}

/// Whether a key lies in the folder of a ledger, or in one inside it: whoever copies the folder copies both. Folders of the key that
/// do not exist yet count as they are written.
fn is_beside(path: &Path, ledger: &Path) -> bool {
    let Ok(home) = fs::canonicalize(folder_of(ledger)) else { return false };
    let Ok(folder) = std::path::absolute(folder_of(path)) else { return false };
    let existing = folder.ancestors().find_map(|folder| fs::canonicalize(folder).ok());
    existing.is_some_and(|folder| folder.starts_with(&home))
}

fn fault(path: &Path, reason: String) -> Error {
    Error::request("ledger_key", path.display().to_string(), reason)
}
