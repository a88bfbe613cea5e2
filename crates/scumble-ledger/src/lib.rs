//! Who was in which release: a private file that lets a publisher notice that people are about to be published twice.
//!
//! ```text
//! persons of a table -> digests -> Fingerprints (HMAC under the key of the ledger) -> Overlap with each release
//! Ledger::enter (written and flushed) -> the release is put in its place -> Ledger::confirm
//! ```
//!
//! * A [`Ledger`] is locked while it is open, readable by its owner only, and sealed record by record.
//! * A release is entered *before* it is put in its place. Killed in between, a run leaves an entry that counts as published
//!   unless the release still lies where it was written, which proves that it was not put in its place.
//! * Fingerprints are encrypted release by release, so that entries cannot be laid over each other without its keys.
//! * Its keys are wrapped by what is not in the file ([`Secrets`]): a passphrase, or the key file of its owner. What a thief
//!   can do is told in the module of [`Secrets`] and in the manual.
//!
//! Nothing of a ledger enters a release, and this crate knows nothing of how releases are made or read.

mod digest;
mod format;
mod key_file;
mod keys;
mod ledger;
mod passphrase;
mod people;
mod place;
mod record;
mod standing;
mod wrapping;

pub use digest::{other_zeros, person_digest, plain_key, tuple_digest};
pub use format::{Fault, Layout};
pub use ledger::{Compared, Ledger, NewEntry, NewPeople, Overlap};
pub use passphrase::Passphrase;
pub use people::Fingerprints;
pub use place::check_place;
pub use record::{Entry, EntryColumn, EntryFields, KnownBy, SameKey, State};
pub use standing::{Standing, manifest_digest};
pub use wrapping::{OpensWith, Secrets};
