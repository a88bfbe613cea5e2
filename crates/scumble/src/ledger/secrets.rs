//! Where what opens a ledger comes from.

use crate::context::Context;
use crate::job::Output;
use scumble_ledger::{Passphrase, Secrets};
use scumble_platform::{PrivateFault, open_private_file};
use scumble_table::{Error, Result};
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

/// No passphrase is longer than this.
const LONGEST: u64 = 1 << 16;

/// Files that open a ledger, where they are named.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LedgerFiles {
    /// The file with its passphrase, where the context has none.
    pub passphrase: Option<PathBuf>,
    /// The file with the key of its owner, where the context names none.
    pub key: Option<PathBuf>,
}

impl LedgerFiles {
    /// Those that a job names.
    pub(crate) fn of_output(output: &Output) -> LedgerFiles {
        LedgerFiles { passphrase: output.ledger_passphrase.clone(), key: output.ledger_key.clone() }
    }
}

/// What a ledger may be opened with: what files hold that are named, else what the context has. Where one of the two is named, the
/// other is not looked for in the context.
///
/// # Errors
/// If both are named, or the passphrase cannot be read.
pub(crate) fn secrets_of(ledger: &Path, files: &LedgerFiles, context: &Context) -> Result<Secrets> {
    match (&files.passphrase, &files.key) {
        (Some(_), Some(key)) => {
            let reason = "a ledger has a passphrase or a key, and both are named";
            Err(Error::request("ledger_key", key.display().to_string(), reason).hint("leave one of them out"))
        }
        (Some(file), None) => Ok(Secrets::passphrase(in_file(ledger, file, context)?)),
        (None, Some(key)) => Ok(Secrets::key_file(key)),
        (None, None) => {
            let passphrase = context.ledger_passphrase().map(Passphrase::new).transpose()?;
            Ok(Secrets { passphrase, key_file: context.ledger_key().map(Path::to_path_buf) })
        }
    }
}

/// The passphrase in a file.
fn in_file(ledger: &Path, file: &Path, context: &Context) -> Result<Passphrase> {
    let shown = file.display().to_string();
    let refused = |reason: String| Error::request("ledger_passphrase", shown.clone(), reason);
    let opened = open_private_file(file).map_err(|fault| match fault {
        PrivateFault::NotPlain => refused("it is not a plain file".into()),
        PrivateFault::Foreign => refused("it belongs to another user".into()),
        PrivateFault::Open(mode) => {
            refused(format!("others may read it (mode {mode:o})")).hint(format!("chmod 600 {shown}"))
        }
        PrivateFault::Io(error) if error.kind() == ErrorKind::NotFound => refused("there is no such file".into()),
        PrivateFault::Io(error) => refused(format!("it cannot be read ({error})")),
    })?;
    let mut text = zeroize::Zeroizing::new(String::new());
    let read = opened.take(LONGEST).read_to_string(&mut text);
    read.map_err(|_| refused("it is no text in UTF-8".into()))?;
    if text.trim_end_matches(['\r', '\n']).contains('\n') {
        return Err(refused("it has more than one line".into()).hint("the passphrase is its only line"));
    }
    let folder = |path: &Path| std::path::absolute(path).ok().and_then(|path| path.parent().map(Path::to_path_buf));
    if folder(file).is_some() && folder(file) == folder(ledger) {
        context.monitor().warn(
            "the passphrase lies in the folder of the ledger: whoever copies the folder has both, and can test whether \
             somebody is in it",
        );
    }
    Passphrase::new(&text)
}
