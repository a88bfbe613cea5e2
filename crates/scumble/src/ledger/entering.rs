//! A release on its way through the gate: entered, put in its place, settled.

use super::secrets::{LedgerFiles, secrets_of};
use super::{LedgerRequest, OverlapFacts, PublishedPeople};
use crate::context::Context;
use scumble_ledger::{EntryColumn, EntryFields, KnownBy, Ledger, NewEntry, NewPeople, manifest_digest};
use scumble_release::{Angel, Manifest, ReleaseData};
use scumble_table::{Error, Monitor, Result};
use serde::Serialize;
use std::fs;
use std::path::{Path, PathBuf};

/// What its publisher is told about the entry of a release.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LedgerFacts {
    /// The ledger.
    pub file: PathBuf,
    /// The number of the release in it.
    pub release: u64,
    /// The release whose groups it uses again, where it does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub same_groups_as: Option<u64>,
    /// What its people are known by.
    pub known_by: KnownBy,
    /// Rows of it that do not say whose they are: nobody can be looked for there.
    #[serde(skip_serializing_if = "is_zero")]
    pub unnamed: u64,
    /// Earlier releases in which its people were looked for.
    pub compared: Vec<u64>,
    /// Those of them with rows that did not say whose they were.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub compared_in_part: Vec<u64>,
    /// Earlier releases of which it is not known whether its people are there: they are known by something else there, or
    /// nobody is named there or here.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub not_compared: Vec<u64>,
    /// People who are in earlier releases, which was accepted.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub overlaps: Vec<OverlapFacts>,
}

fn is_zero(n: &u64) -> bool {
    *n == 0
}

/// A release that was entered and is not in its place yet. The ledger is locked until it is settled.
pub(crate) struct Entering {
    ledger: Ledger,
    facts: LedgerFacts,
}

impl LedgerFacts {
    /// A release that is about to be entered.
    fn new(file: &Path, same_groups_as: Option<u64>, known_by: KnownBy, unnamed: u64) -> LedgerFacts {
        LedgerFacts {
            file: file.to_path_buf(),
            release: 0,
            same_groups_as,
            known_by,
            unnamed,
            compared: Vec::new(),
            compared_in_part: Vec::new(),
            not_compared: Vec::new(),
            overlaps: Vec::new(),
        }
    }
}

impl LedgerRequest {
    /// Enters a release that lies verified in `staged` and goes to `place`. What was entered since the ledger was
    /// consulted is judged too.
    ///
    /// # Errors
    /// If its people were published before and that was not accepted, or the ledger cannot be written.
    pub(crate) fn enter(
        &self,
        staged: &Path,
        place: &Path,
        release: &ReleaseData,
        people: Option<&PublishedPeople<'_>>,
        monitor: Monitor<'_>,
    ) -> Result<Entering> {
        monitor.note("ledger");
        let mut ledger = self.open(monitor)?;
        let manifest = digest_of(staged)?;
        let before = |digest: &str| ledger.same_release(digest).map(|entry| entry.number);
        let same = before(&manifest).or_else(|| before(self.entered.get()?));
        let fields = |known_by: KnownBy, manifest: String| {
            let mut fields = entry_fields(staged, place, release.manifest(), known_by, manifest)?;
            (fields.unnamed, fields.accept_overlap) = (self.unnamed, self.accept_overlap);
            Ok::<_, Error>(fields)
        };
        let fields = fields(self.known_by.clone(), manifest.clone())?;
        let mut facts = LedgerFacts::new(&self.path, same, self.known_by.clone(), self.unnamed);
        facts.release = match same {
            Some(number) => ledger.enter(NewEntry { fields, people: NewPeople::SameAs(number) })?,
            None => {
                facts.overlaps = self.decide(&ledger, people, release, monitor)?;
                let coverage = self.coverage(&ledger, &self.known(&ledger, monitor)?, monitor)?;
                self.check_word(&coverage, release.manifest(), monitor)?;
                facts.compared_in_part = coverage.compared_in_part();
                (facts.compared, facts.not_compared) = (coverage.compared, coverage.not_compared);
                let mine = ledger.fingerprints(&self.digests.people, monitor)?;
                ledger.enter(NewEntry { fields, people: NewPeople::Own(&mine) })?
            }
        };
        let _ = self.entered.set(manifest);
        monitor.note("entered");
        Ok(Entering { ledger, facts })
    }
}

/// Enters a release to which tables are added: its people and its groups stay the same.
///
/// # Errors
/// If the release that is extended is not in the ledger, or that cannot be used.
pub(crate) fn enter_extension(
    (path, files): (&Path, &LedgerFiles),
    (staged, place): (&Path, &Path),
    (old, release): (&Manifest, &ReleaseData),
    context: &Context,
) -> Result<Entering> {
    let monitor = context.monitor();
    let secrets = secrets_of(path, files, context)?;
    let mut ledger = Ledger::open_or_new(path, &secrets, monitor)?;
    let batches = batches_of(old);
    let known = ledger.entries().filter(|entry| batches.is_some() && entry.batches == batches).last();
    let Some((number, known_by, unnamed)) = known.map(|entry| (entry.number, entry.known_by.clone(), entry.unnamed))
    else {
        let reason = format!("the release `{}` is not in it, so that its people are not known", place.display());
        return Err(Error::request("ledger", path.display().to_string(), reason)
            .hint("name the ledger that it was published with, or leave «ledger» out"));
    };
    let mut fields = entry_fields(staged, place, release.manifest(), known_by.clone(), digest_of(staged)?)?;
    fields.unnamed = unnamed;
    monitor.note("ledger");
    let mut facts = LedgerFacts::new(path, Some(number), known_by, unnamed);
    facts.release = ledger.enter(NewEntry { fields, people: NewPeople::SameAs(number) })?;
    monitor.note("entered");
    Ok(Entering { ledger, facts })
}

impl Entering {
    /// Notes whether the release was put in its place. If that cannot be written, its entry stays and counts as published,
    /// which is what a warning says.
    pub(crate) fn settle(mut self, failure: Option<&Error>, monitor: Monitor<'_>) -> LedgerFacts {
        let number = self.facts.release;
        let is_there = || self.ledger.entry(number).is_some_and(|entry| entry.standing().is_there());
        let written = match failure {
            // After some failures the release stands all the same.
            Some(_) if !is_there() => {
                self.ledger.withdraw(number, "it could not be put in its place, and the run that made it says so")
            }
            _ => self.ledger.confirm(number),
        };
        if let Err(error) = written {
            monitor.warn(&format!(
                "release {number} of the ledger counts as published, but that could not be noted: {error}"
            ));
        }
        monitor.note("settled");
        self.facts
    }
}

/// What a ledger keeps of a release that lies in `staged` and goes to `place`.
fn entry_fields(
    staged: &Path,
    place: &Path,
    manifest: &Manifest,
    known_by: KnownBy,
    digest: String,
) -> Result<EntryFields> {
    let column = |name: &str, role: &str| EntryColumn { name: name.into(), role: role.into() };
    Ok(EntryFields {
        place: absolute(place)?,
        staged: absolute(staged)?,
        manifest: digest,
        batches: batches_of(manifest),
        method: manifest.method.name().into(),
        columns: manifest.columns.iter().map(|shown| column(&shown.name, shown.role.name())).collect(),
        requirements: manifest.requirements.clone(),
        rows: manifest.rows,
        known_by,
        unnamed: 0,
        accept_overlap: false,
    })
}

/// The checksum of the table of batches, which stays when tables are added.
fn batches_of(manifest: &Manifest) -> Option<String> {
    manifest.tables.iter().find(|table| table.name == Angel::BATCHES).map(|table| table.sha256.clone())
}

fn digest_of(staged: &Path) -> Result<String> {
    manifest_digest(staged).map_err(|error| Error::io("read", staged.display(), &error))
}

/// A path that will be found again from anywhere.
fn absolute(path: &Path) -> Result<String> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let folder = fs::canonicalize(folder).map_err(|error| Error::io("look into", folder.display(), &error))?;
    let place = path.file_name().map_or_else(|| folder.clone(), |name| folder.join(name));
    place.into_os_string().into_string().map_err(|place| {
        let reason = "a ledger can only name directories whose names are text in UTF-8";
        Error::request("out", place.to_string_lossy(), reason)
    })
}
