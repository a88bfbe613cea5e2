//! What a ledger says, for its owner to read.

use super::secrets::{LedgerFiles, secrets_of};
use crate::context::Context;
use scumble_ledger::{Entry, EntryColumn, KnownBy, Ledger, OpensWith, Standing, State};
use scumble_release::in_release;
use scumble_table::{Error, Result};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// What is asked of a ledger.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum LedgerQuestion {
    /// Which releases it has.
    List,
    /// All about the release of this number, and with whom it shares people.
    Explain(u64),
    /// Whether every byte is as it was written, and every entry settled.
    Check,
}

/// A ledger as its owner sees it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LedgerListing {
    /// The file.
    pub file: PathBuf,
    /// What opens it.
    pub opens_with: OpensWith,
    /// Its releases, or the one that was asked about.
    pub releases: Vec<LedgerRelease>,
    /// Whether all fingerprints were read and compared with their checksums.
    pub checked: bool,
    /// Releases of which it is not known whether they were put in their place.
    pub in_doubt: Vec<u64>,
}

/// A release in a ledger.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LedgerRelease {
    /// Its number.
    pub number: u64,
    /// When it was entered.
    pub when: String,
    /// Where it went.
    pub place: String,
    /// Whether it was put there.
    pub state: State,
    /// Why it is known that it was not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub because: Option<String>,
    /// What is there now.
    pub standing: Standing,
    /// Its form.
    pub method: String,
    /// Its columns.
    pub columns: Vec<EntryColumn>,
    /// What was required.
    pub requirements: Vec<String>,
    /// Its rows.
    pub rows: u64,
    /// What its people are known by.
    pub known_by: KnownBy,
    /// How many people, or combinations of quasi-identifiers, are remembered.
    pub people: u64,
    /// Rows whose person was not named.
    pub unnamed: u64,
    /// The release whose people these are, where it uses its groups again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub same_people_as: Option<u64>,
    /// Whether its publisher accepted that people are in several releases.
    pub accept_overlap: bool,
    /// SHA-256 of its manifest.
    pub manifest: String,
    /// How many of its people each other release has, where that was asked.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub in_common: Vec<InCommon>,
}

/// People whom two releases share.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct InCommon {
    /// The other release.
    pub release: u64,
    /// How many they are; nothing where that is not known: people are known by something else there, or nobody is named.
    pub people: Option<u64>,
    /// Whether one of them has rows that did not say whose they were, which may be of people of the other.
    pub unnamed: bool,
}

/// Reads a ledger. `files` name what opens it; without them it is what the context has.
///
/// # Errors
/// If it cannot be read, is not what was written, or has no such release.
pub fn read_ledger(
    path: &Path,
    files: &LedgerFiles,
    question: LedgerQuestion,
    context: &Context,
) -> Result<LedgerListing> {
    let monitor = context.monitor();
    let ledger = Ledger::open(path, &secrets_of(path, files, context)?, monitor)?;
    if *ledger.opens_with() == OpensWith::Nothing {
        monitor.warn(
            "the ledger was made by an earlier version without a passphrase: whoever has the file can test who is in it. The next \
             `scumble publish` with it writes it again under a passphrase or a key",
        );
    }
    if in_release(path) {
        monitor.warn(
            "the ledger lies in a release, and whoever gets that gets it too: move it to a folder of your own; \
             `scumble publish` does not use it there",
        );
    }
    let mut releases: Vec<LedgerRelease> = ledger.entries().map(|entry| listed(&ledger, entry)).collect();
    let open = releases.iter().filter(|release| release.state == State::InDoubt).map(|release| release.number);
    let in_doubt = open.collect();
    match question {
        LedgerQuestion::List => {}
        LedgerQuestion::Check => ledger.check_people(monitor)?,
        LedgerQuestion::Explain(number) => {
            let others = releases.iter().filter(|release| release.number != number);
            let others: Vec<(u64, u64)> = others.map(|release| (release.number, release.unnamed)).collect();
            releases.retain(|release| release.number == number);
            let Some(release) = releases.first_mut() else {
                let reason = format!("the ledger has no such release, only 1 to {}", others.len());
                return Err(Error::request("explain", number.to_string(), reason));
            };
            for (other, unnamed) in others {
                let people = ledger.in_common(number, other, monitor)?;
                let unnamed = unnamed > 0 || release.unnamed > 0;
                release.in_common.push(InCommon { release: other, people, unnamed });
            }
        }
    }
    let (file, opens_with) = (path.to_path_buf(), ledger.opens_with().clone());
    Ok(LedgerListing { file, opens_with, releases, checked: question == LedgerQuestion::Check, in_doubt })
}

fn listed(ledger: &Ledger, entry: &Entry) -> LedgerRelease {
    LedgerRelease {
        number: entry.number,
        when: entry.when.clone(),
        place: entry.place.clone(),
        state: ledger.state(entry.number),
        because: ledger.withdrawn_because(entry.number).map(String::from),
        standing: entry.standing(),
        method: entry.method.clone(),
        columns: entry.columns.clone(),
        requirements: entry.requirements.clone(),
        rows: entry.rows,
        known_by: entry.known_by.clone(),
        people: entry.people,
        unnamed: entry.unnamed,
        same_people_as: entry.same_people_as,
        accept_overlap: entry.accept_overlap,
        manifest: entry.manifest.clone(),
        in_common: Vec::new(),
    }
}
