//! The ledger of a publisher: who was in which release, asked before a release is made and told before it is put in place.
//!
//! ```text
//! consult (before the search) -> make, verify -> enter (at the gate, under the lock) -> rename -> settle
//! ```
//!
//! A release is entered and flushed before it appears, so that there is never one without its entry; whatever ends a run in
//! between leaves an entry too many, never one too few. Nothing of a ledger enters a release.

mod coverage;
mod entering;
mod listing;
mod overlap;
mod people;
mod secrets;
mod siblings;

pub use entering::LedgerFacts;
pub(crate) use entering::{Entering, enter_extension};
pub use listing::{InCommon, LedgerListing, LedgerQuestion, LedgerRelease, read_ledger};
pub use overlap::OverlapFacts;
pub(crate) use people::PublishedPeople;
pub(crate) use siblings::warn_of_siblings;

use crate::context::Context;
use crate::job::Job;
use coverage::Coverage;
use overlap::{refusal, releases};
use scumble_io::RawTable;
use scumble_ledger::{Entry, Fingerprints, KnownBy, Ledger, Overlap, Secrets, check_place};
use scumble_release::{LedgerWord, Manifest, ReleaseData, ReleaseReader, in_release};
use scumble_risk::{PeopleInBoth, intersect};
use scumble_table::{Error, Monitor, PersonDigests, Result};
pub use secrets::LedgerFiles;
use secrets::secrets_of;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// What a job asks of a ledger, with the people of its table as digests.
#[derive(Clone)]
pub(crate) struct LedgerRequest {
    path: PathBuf,
    secrets: Secrets,
    digests: Arc<PersonDigests>,
    known_by: KnownBy,
    /// Rows whose person is not named.
    unnamed: u64,
    accept_overlap: bool,
    /// Whether the same release could come out again, byte for byte.
    seeded: bool,
    /// The manifest of this release where it was written before: written again, it uses the same groups.
    entered: Arc<OnceLock<String>>,
    /// Releases that could not be looked through when the ledger was consulted.
    named: Arc<OnceLock<BTreeSet<u64>>>,
}

/// Opens the ledger that a job names, so that whatever is wrong with it is told before data is read, and settles what a killed
/// run left. Does nothing where it names none.
///
/// # Errors
/// If it cannot be used.
pub fn check_ledger(job: &Job, context: &Context) -> Result<()> {
    let Some(path) = &job.output.ledger else { return Ok(()) };
    check_ledger_place(job)?;
    settle_ledger(path, &LedgerFiles::of_output(&job.output), context)
}

/// Settles what a killed run left, before the directories that prove it are swept.
///
/// # Errors
/// If the ledger cannot be used.
pub(crate) fn settle_ledger(path: &Path, files: &LedgerFiles, context: &Context) -> Result<()> {
    let secrets = secrets_of(path, files, context)?;
    Ledger::open_or_new(path, &secrets, context.monitor())?.settle(context.monitor())
}

/// Refuses a ledger where none can be.
pub(crate) fn check_ledger_place(job: &Job) -> Result<()> {
    let Some(path) = &job.output.ledger else {
        let unused = [("ledger_passphrase", &job.output.ledger_passphrase), ("ledger_key", &job.output.ledger_key)];
        return match unused.into_iter().find_map(|(field, file)| Some((field, file.as_ref()?))) {
            Some((field, file)) => Err(Error::request(field, file.display().to_string(), "no ledger is named")
                .hint(format!("name it in «ledger», or leave «{field}» out"))),
            None => Ok(()),
        };
    };
    let refused = |reason: &str| {
        Error::request("ledger", path.display().to_string(), reason)
            .hint("keep it in a folder of your own, apart from what is given away")
    };
    let (place, out) = (resolved(path), job.output.dir.as_deref().map(resolved));
    if out.is_some_and(|out| place.starts_with(out)) {
        return Err(refused("it would lie in the release, and whoever gets that would get it too"));
    }
    if in_release(path) {
        return Err(refused("it lies in a release, and whoever gets that gets it too"));
    }
    if let Some(key) = &job.output.ledger_key
        && (job.output.dir.as_deref().is_some_and(|out| resolved(key).starts_with(resolved(out))) || in_release(key))
    {
        let reason = "it would lie in a release, and whoever gets that would get it too";
        return Err(Error::request("ledger_key", key.display().to_string(), reason)
            .hint("keep it in a folder of your own, apart from ledgers and from what is given away"));
    }
    check_place(path)
}

/// A path without links as far as its folders exist.
fn resolved(path: &Path) -> PathBuf {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    let mut rest: Vec<&std::ffi::OsStr> = Vec::new();
    for folder in absolute.ancestors() {
        if let Ok(found) = fs::canonicalize(folder) {
            return rest.iter().rev().fold(found, |path, name| path.join(name));
        }
        rest.extend(folder.file_name());
    }
    absolute
}

impl LedgerRequest {
    /// What a job asks of its ledger, and the people of its table; nothing where it names none.
    ///
    /// # Errors
    /// If what opens it cannot be read, or the table does not know whose rows are whose.
    pub(crate) fn new<'t>(
        table: &'t scumble_table::Table,
        job: &Job,
        context: &Context,
    ) -> Result<Option<(LedgerRequest, PublishedPeople<'t>)>> {
        let Some(path) = &job.output.ledger else { return Ok(None) };
        check_ledger_place(job)?;
        let people = PublishedPeople::new(table, job, context.monitor())?;
        let secrets = secrets_of(path, &LedgerFiles::of_output(&job.output), context)?;
        let request = LedgerRequest {
            path: path.clone(),
            secrets,
            digests: people.digests.clone(),
            known_by: people.known_by.clone(),
            unnamed: people.unnamed,
            accept_overlap: job.publish.accept_overlap,
            seeded: job.publish.seed.is_some() || context.is_seeded(),
            entered: Arc::default(),
            named: Arc::default(),
        };
        Ok(Some((request, people)))
    }

    /// Looks for the people before any work is done. Refuses at once where people were published and what both releases
    /// would tell together cannot be computed; else the release is made first, and judged with its groups. Gives what the
    /// release may say of it.
    ///
    /// # Errors
    /// If it is refused, or the ledger cannot be used.
    pub(crate) fn consult(&self, people: &PublishedPeople<'_>, monitor: Monitor<'_>) -> Result<LedgerWord> {
        let mut ledger = self.open(monitor)?;
        ledger.settle(monitor)?;
        let mine = self.known(&ledger, monitor)?;
        let coverage = self.coverage(&ledger, &mine, monitor)?;
        coverage.warn(&BTreeSet::new(), monitor);
        let _ = self.named.set(coverage.doubtful());
        if self.unnamed > 0 {
            monitor.warn(&format!(
                "{} rows do not say whose they are: the ledger cannot remember them, nor find them in earlier releases",
                self.unnamed
            ));
        }
        let overlaps = ledger.overlaps(&mine, &self.known_by, monitor)?;
        if overlaps.is_empty() || self.accept_overlap || self.seeded {
            return Ok(coverage.word());
        }
        let entry = |overlap: &Overlap| ledger.entry(overlap.release);
        if overlaps.iter().filter_map(entry).any(|entry| obstacle(entry, people).is_none()) {
            monitor.warn(
                "people of this table seem to be in the ledger already: the release is made all the same, to compute what both \
                 tell together",
            );
            return Ok(coverage.word());
        }
        Err(refusal(&self.path, &self.judge(&ledger, Some(people), None, monitor)?))
    }

    fn coverage(&self, ledger: &Ledger, mine: &Fingerprints, monitor: Monitor<'_>) -> Result<Coverage> {
        let compared = ledger.compare(mine, &self.known_by, monitor)?;
        let other_zeros = match &self.digests.other_zeros[..] {
            [] => Vec::new(),
            keys => ledger.overlaps(&ledger.fingerprints(keys, monitor)?, &self.known_by, monitor)?,
        };
        Ok(Coverage::new(ledger, &compared, &other_zeros, &self.known_by, self.unnamed))
    }

    /// The fingerprints under which the people of the table are looked for.
    fn known(&self, ledger: &Ledger, monitor: Monitor<'_>) -> Result<Fingerprints> {
        ledger.known_fingerprints(&self.digests.people, &self.digests.as_written, monitor)
    }

    /// What can be looked through now, after a release was made. What was entered meanwhile and cannot be compared is named in a
    /// warning; where the release says that all was compared, it would not be true any more.
    ///
    /// # Errors
    /// If the release says more than is true now.
    fn check_word(&self, coverage: &Coverage, manifest: &Manifest, monitor: Monitor<'_>) -> Result<()> {
        let named = self.named.get().cloned().unwrap_or_default();
        if manifest.ledger == Some(LedgerWord::Compared) && coverage.word() != LedgerWord::Compared {
            let new: Vec<u64> = coverage.doubtful().difference(&named).copied().collect();
            let reason = format!(
                "{} {} entered after this run had looked for its people, and whether they are there is not known: the release says \
                 that all earlier releases were compared, which would not be true",
                releases(&new),
                if new.len() == 1 { "was" } else { "were" }
            );
            return Err(Error::request("ledger", self.path.display().to_string(), reason).hint("publish again"));
        }
        coverage.warn(&named, monitor);
        Ok(())
    }

    /// Refuses a release whose people were published before, or warns where that was accepted. It says how many they are
    /// and what the releases tell together.
    ///
    /// # Errors
    /// If it is refused, or the ledger cannot be used.
    pub(crate) fn decide(
        &self,
        ledger: &Ledger,
        people: Option<&PublishedPeople<'_>>,
        release: &ReleaseData,
        monitor: Monitor<'_>,
    ) -> Result<Vec<OverlapFacts>> {
        let facts = self.judge(ledger, people, Some(release), monitor)?;
        if !facts.is_empty() && !self.accept_overlap {
            return Err(refusal(&self.path, &facts));
        }
        facts.iter().for_each(|one| monitor.warn(&one.words()));
        Ok(facts)
    }

    /// The same for a release in memory. One that may be the same again, byte for byte, is judged when it is written.
    ///
    /// # Errors
    /// As [`LedgerRequest::decide`].
    pub(crate) fn decide_in_memory(
        &self,
        people: &PublishedPeople<'_>,
        reader: &ReleaseReader,
        monitor: Monitor<'_>,
    ) -> Result<()> {
        let ledger = self.open(monitor)?;
        let mine = self.known(&ledger, monitor)?;
        self.check_word(&self.coverage(&ledger, &mine, monitor)?, reader.manifest(), monitor)?;
        if self.seeded || ledger.overlaps(&mine, &self.known_by, monitor)?.is_empty() {
            return Ok(());
        }
        let release = ReleaseData::read(reader.clone(), monitor)?;
        self.decide(&ledger, Some(people), &release, monitor).map(|_| ())
    }

    pub(crate) fn open(&self, monitor: Monitor<'_>) -> Result<Ledger> {
        Ledger::open_or_new(&self.path, &self.secrets, monitor)
    }

    /// The people who are in earlier releases, release by release, with what both tell together where that can be computed.
    fn judge(
        &self,
        ledger: &Ledger,
        people: Option<&PublishedPeople<'_>>,
        release: Option<&ReleaseData>,
        monitor: Monitor<'_>,
    ) -> Result<Vec<OverlapFacts>> {
        let mine = self.known(ledger, monitor)?;
        let of = ledger.fingerprints(&self.digests.people, monitor)?.len() as u64;
        let mut facts: Vec<OverlapFacts> = Vec::new();
        for overlap in ledger.overlaps(&mine, &self.known_by, monitor)? {
            let Some(entry) = ledger.entry(overlap.release) else { continue };
            let mut one = OverlapFacts::new(entry, ledger.state(entry.number), &overlap, of, &self.known_by);
            match (people, release) {
                (Some(people), release) => {
                    let rows = people.rows_of(&ledger.members(entry.number, &mine, monitor)?);
                    one.count(people, &rows);
                    let told = match (obstacle(entry, people), release) {
                        (Some(reason), _) => Err(reason),
                        (None, None) => Err("the release was not made".into()),
                        (None, Some(release)) => together(entry, release, people, &rows, monitor)?,
                    };
                    match told {
                        Ok(told) => one.together = told,
                        Err(reason) => one.not_computed = Some(reason),
                    }
                }
                (None, _) => {
                    one.not_computed = Some("it was entered after this release was made, and the data is gone".into());
                }
            }
            match facts.iter_mut().find(|earlier| entry.same_people_as == Some(earlier.release)) {
                Some(earlier) if earlier.tells_the_same(&one) => earlier.again_in.push(one.release),
                _ => facts.push(one),
            }
        }
        Ok(facts)
    }
}

/// Why it cannot be computed what a release tells together with an earlier one; nothing where it can.
fn obstacle(entry: &Entry, people: &PublishedPeople<'_>) -> Option<String> {
    let standing = entry.standing();
    if !standing.is_there() {
        return Some(standing.obstacle().into());
    }
    let shared = |role: &str| entry.columns.iter().any(|column| column.role == role && people.has(&column.name, role));
    if !shared("sensitive") {
        return Some("the releases have no sensitive column in common".into());
    }
    (!shared("quasi")).then(|| "the releases have no quasi-identifier in common".into())
}

/// What two releases tell together about the people of some rows, or why that cannot be computed.
fn together(
    entry: &Entry,
    release: &ReleaseData,
    people: &PublishedPeople<'_>,
    rows: &people::OverlappingRows,
    monitor: Monitor<'_>,
) -> Result<Result<Vec<scumble_risk::Intersection>, String>> {
    let read = || {
        let earlier = ReleaseData::read(ReleaseReader::peek(Path::new(&entry.place))?, monitor)?;
        let table: RawTable = people.quasi_of(rows)?;
        let varying = people.varying(rows);
        let both = PeopleInBoth { rows: &table, person_of_row: &rows.person_of_row, varying: &varying };
        intersect(&earlier, release, both, monitor)
    };
    match read() {
        Err(error @ (Error::Cancelled | Error::Bug { .. })) => Err(error),
        // What the earlier release is, or what its columns are, is no reason to publish without a word.
        Err(error) => Ok(Err(format!("the earlier release cannot be laid over this one ({error})"))),
        Ok(told) => Ok(Ok(told)),
    }
}
