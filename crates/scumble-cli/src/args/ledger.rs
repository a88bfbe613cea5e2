//! Flags of `scumble ledger`.

use clap::{Args, ValueHint};
use std::path::PathBuf;

/// List, explain or check a ledger, which remembers who was in which release
#[derive(Debug, Args)]
#[command(after_long_help = "Examples:
  Which releases are remembered, and do they stand where they went?
    scumble ledger people.ledger

  All about one of them, and how many of its people are in each other one:
    scumble ledger people.ledger --explain 2

  Is every byte as it was written, and was every release that was entered put in its place?
    scumble ledger people.ledger --check

`scumble publish --ledger FILE` makes a ledger and enters releases. Its passphrase is taken from the
environment variable SCUMBLE_LEDGER_PASSPHRASE, or from a file that only you can read. A ledger that
was made without one is opened by a key, which lies in a file that only you can read, in your folder
for settings or where SCUMBLE_LEDGER_KEY says. Exit code 1 of --check means that a release was
entered and it is not known whether it was put in its place.")]
pub(crate) struct Ledger {
    /// The ledger
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) file: PathBuf,

    /// Tell all about the release of this number
    #[arg(long, value_name = "N", conflicts_with = "check")]
    pub(crate) explain: Option<u64>,

    /// Read everything, and compare it with its checksums
    #[arg(long)]
    pub(crate) check: bool,

    /// File with the passphrase of the ledger [default: the environment variable SCUMBLE_LEDGER_PASSPHRASE]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) ledger_passphrase: Option<PathBuf>,

    /// File with the key that opens ledgers without a passphrase [default: the environment variable SCUMBLE_LEDGER_KEY, or
    /// scumble/ledger.key in your folder for settings]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) ledger_key: Option<PathBuf>,
}
