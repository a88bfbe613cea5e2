//! Where the passphrase of a ledger comes from.

use crate::context::Context;
use scumble_ledger::Passphrase;
use scumble_platform::{PrivateFault, open_private_file};
use scumble_table::{Error, Result};
use std::io::{ErrorKind, Read};
use std::path::Path;

/// No passphrase is longer than this.
const LONGEST: u64 = 1 << 16;

/// The passphrase in a file, or the one that the context has; none where neither has one.
pub(crate) fn passphrase_of(ledger: &Path, file: Option<&Path>, context: &Context) -> Result<Passphrase> {
    let Some(file) = file else {
        return context.ledger_passphrase().map_or_else(|| Ok(Passphrase::none()), Passphrase::new);
    };
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

/// Says what a ledger without a passphrase does not do.
pub(crate) fn warn_of_none(passphrase: &Passphrase, context: &Context) {
    if passphrase.is_none() {
        context.monitor().warn(
            "the ledger has no passphrase: whoever steals the file can test who is in it, after one slow hash for all guesses \
             together; with «ledger_passphrase» or SCUMBLE_LEDGER_PASSPHRASE they must first find the passphrase, at one slow hash for each try",
        );
    }
}
