//! A release: made in memory or opened from its directory, the same type.

use crate::anonymize::{Facts, UnverifiedRelease, counted_join, make, refuse_few_people, warn_of_kept};
use crate::context::Context;
use crate::job::{Job, Method, Plan};
use crate::ledger::{LedgerFacts, LedgerRequest, PublishedPeople, check_ledger_place, warn_of_siblings};
use crate::private::{self, PrivateBatches};
use crate::report;
use scumble_measure::Loss;
use scumble_release::{
    Angel, ArrowTable, Draft, Manifest, PublishedColumn, REPORT, ReleaseData, ReleaseReader, TableEntry, TableFormat,
    WriteOptions, check_target,
};
use scumble_table::{Error, Population, Result, Table};
use scumble_verify::{Promise, Verdict, VerifyOptions, verify_and_read, write_through};
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// A release. It owns its data and borrows nothing from the table that it was made from.
pub struct Release {
    reader: ReleaseReader,
    data: OnceLock<ReleaseData>,
    /// Its tables made ready for questions, once there was one.
    #[cfg(feature = "sql")]
    pub(crate) kept_session: OnceLock<scumble_query::Session>,
    /// What its publisher knows of it, where it was made here.
    made: Option<PublisherFacts>,
}

/// What is known of a release that was made here.
struct PublisherFacts {
    facts: Facts,
    verdict: Verdict,
    private: Option<PrivateBatches>,
    shown_loss: Loss,
    n_groups: Vec<u64>,
    join_k: Option<u64>,
    /// The ledger that it is entered in when it is written.
    ledger: Option<LedgerRequest>,
    population: Option<Arc<Population>>,
}

/// A release that stands in its place, verified.
#[derive(Debug, Clone, Serialize)]
pub struct Published {
    /// The release directory.
    pub release: PathBuf,
    /// Its report.
    pub report: PathBuf,
    /// What its publisher is told.
    #[serde(flatten)]
    pub facts: Facts,
    /// The file next to the release that ties rows to batches; for the publisher only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub private: Option<PathBuf>,
    /// Its entry in the ledger, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ledger: Option<LedgerFacts>,
    /// What the verifier found on the written bytes.
    #[serde(skip)]
    pub verdict: Verdict,
}

impl Release {
    pub(crate) fn made(
        reader: ReleaseReader,
        facts: Facts,
        verdict: Verdict,
        private: Option<PrivateBatches>,
        (shown_loss, n_groups, join_k): (Loss, Vec<u64>, Option<u64>),
        ledger: Option<LedgerRequest>,
        population: Option<Arc<Population>>,
    ) -> Release {
        let made = Some(PublisherFacts { facts, verdict, private, shown_loss, n_groups, join_k, ledger, population });
        Release { made, ..Release::from_reader(reader) }
    }

    fn from_reader(reader: ReleaseReader) -> Release {
        Release {
            reader,
            data: OnceLock::new(),
            #[cfg(feature = "sql")]
            kept_session: OnceLock::new(),
            made: None,
        }
    }

    /// Opens a release on disk. Its tables are read when they are asked for; one that is missing, cut or altered is
    /// refused by name then.
    ///
    /// # Errors
    /// If there is no release, or its manifest does not read.
    pub fn open(dir: impl AsRef<Path>) -> Result<Release> {
        Ok(Release::from_reader(ReleaseReader::peek(dir.as_ref())?))
    }

    /// What the release says about itself.
    pub fn manifest(&self) -> &Manifest {
        self.reader.manifest()
    }

    /// The published columns with their hierarchies, in the manifest's order.
    pub fn columns(&self) -> &[PublishedColumn] {
        self.reader.columns()
    }

    /// The directory; nothing for a release in memory.
    pub fn path(&self) -> Option<&Path> {
        self.reader.path()
    }

    /// What its publisher is told; nothing for a release that was opened.
    pub fn facts(&self) -> Option<&Facts> {
        self.made.as_ref().map(|made| &made.facts)
    }

    /// What the verifier found when it was made; nothing for a release that was opened.
    pub fn verdict(&self) -> Option<&Verdict> {
        self.made.as_ref().map(|made| &made.verdict)
    }

    /// `report.html`.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn report(&self) -> Result<String> {
        let bytes = self.reader.bytes(REPORT, "page")?;
        String::from_utf8(bytes).map_err(|_| Error::data(REPORT, "this is not text in UTF-8"))
    }

    /// The tables as Arrow record batches.
    ///
    /// # Errors
    /// If a file of a release on disk cannot be read.
    pub fn tables(&self, context: &Context) -> Result<Vec<ArrowTable>> {
        self.manifest().tables.iter().map(|table| self.reader.arrow_table(&table.name, context.monitor())).collect()
    }

    /// The reader of its files or tables.
    pub fn reader(&self) -> &ReleaseReader {
        &self.reader
    }

    /// Its tables as everything here reads them. They are read once.
    ///
    /// # Errors
    /// If they cannot be read, or are not those that were published.
    pub fn data(&self, context: &Context) -> Result<&ReleaseData> {
        if let Some(data) = self.data.get() {
            return Ok(data);
        }
        let read = context.run(|| ReleaseData::read(self.reader.clone(), context.monitor()))?;
        Ok(self.data.get_or_init(|| read))
    }

    /// The tables of a release that keeps its promises: one that was opened is verified now, and read once for both.
    ///
    /// # Errors
    /// If it does not verify.
    pub(crate) fn verified_data(&self, context: &Context) -> Result<&ReleaseData> {
        if self.path().is_none() || self.data.get().is_some() {
            return self.data(context);
        }
        let options = VerifyOptions { monitor: context.monitor(), ..VerifyOptions::default() };
        let (verdict, data) = context.run(|| verify_and_read(&self.reader, &options))?;
        if let Some(failure) = verdict.failures().next() {
            return Err(Error::Unverified { reason: format!("{}: {}", failure.name, failure.detail) });
        }
        let data = data.ok_or_else(|| Error::bug("a release without tables verifies"))?;
        Ok(self.data.get_or_init(|| data))
    }

    /// Keeps the tables that the verifier has read and found to hold, so that nobody reads them again.
    pub(crate) fn keep_data(&self, data: ReleaseData) {
        self.data.get_or_init(|| data);
    }

    /// How many people its tables must leave everybody among, where its publisher asked for that.
    pub(crate) fn join_k(&self) -> Option<u64> {
        self.made.as_ref().and_then(|made| made.join_k)
    }

    /// The population that its boxes were judged against, where its publisher named one.
    pub(crate) fn population(&self) -> Option<&Arc<Population>> {
        self.made.as_ref().and_then(|made| made.population.as_ref())
    }

    /// Writes the release to a directory, which appears whole and verified from its bytes, or not at all. If its job named a
    /// ledger, it is entered there first.
    ///
    /// # Errors
    /// If the directory exists or cannot be written, or the work is cancelled; nothing is left then.
    pub fn write(&self, dir: impl AsRef<Path>, context: &Context) -> Result<Published> {
        self.write_as(dir.as_ref(), TableFormat::Csv, false, context)
    }

    /// The same with tables of a format, perhaps in the place of a release that is there.
    ///
    /// # Errors
    /// As [`Release::write`].
    pub fn write_as(&self, dir: &Path, format: TableFormat, replace: bool, context: &Context) -> Result<Published> {
        let (Some(draft), Some(made)) = (self.reader.draft(), &self.made) else {
            return Err(Error::request("release", self.reader.shown(""), "this release is on disk already")
                .hint("copy its directory"));
        };
        let ledger = made.ledger.as_ref().map(|request| (request, None));
        let made = UnverifiedRelease {
            draft: Draft::clone(draft),
            facts: made.facts.clone(),
            shown_loss: made.shown_loss.clone(),
            n_groups: made.n_groups.clone(),
            private: made.private.clone(),
            join_k: made.join_k,
            population: made.population.clone(),
        };
        // Whom the tables leave was looked at when they were made.
        context.run(|| put(made, dir, format, replace, (ledger, None), context)).map(|(published, _)| published)
    }
}

/// Makes a release of a table and writes it, verified from its bytes. The job says where.
///
/// # Errors
/// As [`anonymize`](crate::anonymize()) and [`Release::write`]. In every case nothing is left behind at the target.
pub fn publish(table: &Table, job: &Job, context: &Context) -> Result<Published> {
    let mut plan = Plan::new(job)?;
    let dir = check_output(job, &plan)?;
    let format = job.output.format.unwrap_or_default();
    context.run(|| {
        let ledger = LedgerRequest::new(table, job, context)?;
        if let Some((request, people)) = &ledger {
            plan.ledger = Some(request.consult(people, context.monitor())?);
        }
        let ledger = ledger.as_ref().map(|(request, people)| (request, Some(people)));
        let made = make(table, &plan, context)?;
        let (published, written) = put(made, dir, format, job.output.replace, (ledger, Some(table)), context)?;
        Ok(told_together(published, &written, table, context))
    })
}

/// The same with what the tables of an angel release tell together, counted for the rows that it was made from.
pub(crate) fn told_together(
    mut published: Published,
    written: &ReleaseData,
    table: &Table,
    context: &Context,
) -> Published {
    if let Some(bound) = published.facts.joined {
        // The release stands whatever becomes of this figure, so that a cancellation ends its counting and nothing else.
        let quiet = context.clone().without_progress();
        published.facts.joined = Some(counted_join(bound, written, table, &quiet).unwrap_or(bound));
    }
    published
}

/// Whether a job could be done as far as that can be told before data is read: it contradicts itself nowhere, and its
/// release and what is kept next to it can be put where they belong.
///
/// # Errors
/// Names the field, the value and what would be accepted.
pub fn check(job: &Job) -> Result<()> {
    let plan = Plan::new(job)?;
    check_output(job, &plan).map(|_| ())
}

fn check_output<'j>(job: &'j Job, plan: &Plan) -> Result<&'j Path> {
    let Some(dir) = &job.output.dir else {
        return Err(
            Error::request("out", "", "where should the release go?").hint("name a directory that does not exist")
        );
    };
    check_target(dir, job.output.replace, job.input.path.as_deref())?;
    if plan.method == Method::Angel {
        private::check_place(dir, job.output.replace)?;
    }
    check_ledger_place(job)?;
    Ok(dir)
}

/// Writes a release, and gives it with the tables that the verifier has read.
fn put(
    made: UnverifiedRelease,
    dir: &Path,
    format: TableFormat,
    replace: bool,
    (ledger, table): (Option<(&LedgerRequest, Option<&PublishedPeople<'_>>)>, Option<&Table>),
    context: &Context,
) -> Result<(Published, ReleaseData)> {
    let monitor = context.monitor();
    let made = made.with_format(format);
    let promise = Promise { join_k: made.join_k, population: made.population.as_deref(), report: Some(report::remade) };
    if ledger.is_none() {
        warn_of_siblings(dir, &made.draft.manifest, monitor);
    }
    let mut entering = None;
    let join_k = made.join_k;
    let mut gate = |staged: &Path, release: &ReleaseData| {
        if let Some(table) = table {
            refuse_few_people(release, join_k, table, monitor)?;
        }
        if let Some((request, people)) = ledger {
            entering = Some(request.enter(staged, dir, release, people, monitor)?);
        }
        Ok(())
    };
    let written = write_through(&made.draft, dir, &WriteOptions { format, replace }, promise, &mut gate, monitor);
    let ledger = entering.map(|entering| entering.settle(written.as_ref().err(), monitor));
    let written = written?;
    warn_of_kept(&written.verdict, monitor);
    let batches = written.manifest.tables.iter().find(|entry: &&TableEntry| entry.name == Angel::BATCHES);
    let sha256 = batches.map_or("", |entry| entry.sha256.as_str());
    let kept = made.private.map(|private| private::write(dir, sha256, &private));
    let private = match kept {
        None => {
            if let Some(stale) = private::stale(dir) {
                monitor.warn(&format!(
                    "`{}` is the private file of a release that stood here before: keep it with that release, or remove it",
                    stale.display()
                ));
            }
            None
        }
        Some(Ok(path)) => Some(path),
        Some(Err(error)) => {
            monitor.warn(&format!("the release stands, but no table can be added to it later: {error}"));
            None
        }
    };
    let published = Published {
        release: dir.to_path_buf(),
        report: dir.join(REPORT),
        facts: Facts { joined: written.verdict.joined, ..made.facts },
        private,
        ledger,
        verdict: written.verdict,
    };
    Ok((published, written.data))
}
