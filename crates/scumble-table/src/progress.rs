//! How long work tells its caller where it stands, and how the caller stops it.
//!
//! Every function that may take long takes a [`Monitor`]. It carries two references and is passed by value. Loops call
//! [`Monitor::advance`] as they get on, and look at [`Monitor::is_cancelled`] where they can leave early; the function
//! around them ends with [`Monitor::check`], which turns a cancellation into an error, so that no
//! unfinished result leaves it.

use crate::{Error, Result};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A part of the work, as shown to a user who waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Stage {
    /// Reading and coding the data.
    Read,
    /// Looking at columns, one by one and in pairs.
    Inspect,
    /// Finding out which values are near which.
    Compare,
    /// Dividing the rows into groups.
    Partition,
    /// Writing the release to its hidden place.
    Write,
    /// Making sure that what was written is on the disk.
    Flush,
    /// Reading what was written again, and judging it.
    Verify,
    /// Putting the verified release in its place.
    Place,
    /// Removing the release that was there before.
    Remove,
    /// Looking for people as an attacker would.
    Attack,
    /// Making and measuring many releases.
    Study,
}

impl Stage {
    /// The word for it in messages.
    pub fn name(self) -> &'static str {
        match self {
            Stage::Read => "reading",
            Stage::Inspect => "inspecting",
            Stage::Compare => "comparing",
            Stage::Partition => "partitioning",
            Stage::Write => "writing",
            Stage::Flush => "flushing",
            Stage::Verify => "verifying",
            Stage::Place => "placing",
            Stage::Remove => "removing",
            Stage::Attack => "attacking",
            Stage::Study => "studying",
        }
    }
}

/// Receives reports on the progress of work. Calls may come from any thread, and the work waits until they return.
pub trait Progress: Send + Sync {
    /// A stage begins. `total` is its amount of work where that is known: bytes when reading, releases in a study, rows
    /// otherwise.
    fn begin(&self, _stage: Stage, _total: Option<u64>) {}

    /// More of the current stage is done.
    fn advance(&self, _amount: u64) {}

    /// What part of the current stage begins, in a few words.
    fn note(&self, _text: &str) {}

    /// Something the caller should know although it is no error.
    fn warn(&self, _text: &str) {}

    /// A warning that is the only word about something its reader has to keep, shown also where warnings are not.
    fn insist(&self, text: &str) {
        self.warn(text);
    }
}

/// Ignores all reports.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Progress for Silent {}

/// A flag that asks work to stop. Clones share the flag.
#[derive(Debug, Clone, Default)]
pub struct Cancellation(Arc<AtomicBool>);

impl Cancellation {
    /// Asks all work under this flag to stop.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether work was asked to stop.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// What long work reports to, and is stopped by.
#[derive(Clone, Copy)]
pub struct Monitor<'a> {
    progress: &'a dyn Progress,
    cancellation: Option<&'a Cancellation>,
    /// Reading is part of a stage that counts rows, so that it begins none of its own.
    in_rows: bool,
    /// Whether stages are shown.
    stages: bool,
    /// Whether warnings are passed on.
    warnings: bool,
}

impl<'a> Monitor<'a> {
    /// Reports to `progress`, and stops when `cancellation` says so.
    pub fn new(progress: &'a dyn Progress, cancellation: &'a Cancellation) -> Self {
        Monitor { progress, cancellation: Some(cancellation), in_rows: false, stages: true, warnings: true }
    }

    /// Reports nothing and cannot be cancelled.
    pub fn silent() -> Monitor<'static> {
        Monitor { progress: &Silent, cancellation: None, in_rows: false, stages: true, warnings: true }
    }

    /// The same for work that reads files as a part of a stage that counts rows.
    #[must_use]
    pub fn in_rows(self) -> Self {
        Monitor { in_rows: true, ..self }
    }

    /// The same for work that was done before in another way: what was warned of is not repeated.
    #[must_use]
    pub fn without_warnings(self) -> Self {
        Monitor { warnings: false, ..self }
    }

    /// The same for a part of a stage: it advances the stage, and begins none of its own.
    #[must_use]
    pub fn inside_stage(self) -> Self {
        Monitor { stages: false, ..self }
    }

    /// The same without reports, for steps that are too small to show.
    #[must_use]
    pub fn without_progress(self) -> Self {
        Monitor { progress: &Silent, ..self }
    }

    /// A stage begins.
    ///
    /// # Errors
    /// If the work was cancelled.
    pub fn begin(&self, stage: Stage, total: Option<u64>) -> Result<()> {
        self.check()?;
        if self.stages {
            self.progress.begin(stage, total);
        }
        // The receiver of the report may have cancelled.
        self.check()
    }

    /// More of the current stage is done.
    pub fn advance(&self, amount: u64) {
        self.progress.advance(amount);
    }

    /// A file is about to be read.
    ///
    /// # Errors
    /// If the work was cancelled.
    pub fn begin_reading(&self, bytes: Option<u64>) -> Result<()> {
        if self.in_rows { self.check() } else { self.begin(Stage::Read, bytes) }
    }

    /// More of the file was read: bytes as they lie in it, perhaps compressed, and the rows in them.
    ///
    /// # Errors
    /// If the work was cancelled.
    pub fn advance_reading(&self, bytes: u64, rows: u64) -> Result<()> {
        self.progress.advance(if self.in_rows { rows } else { bytes });
        self.check()
    }

    /// What part of the current stage begins, in a few words.
    pub fn note(&self, text: &str) {
        self.progress.note(text);
    }

    /// Something the caller should know although it is no error.
    pub fn warn(&self, text: &str) {
        if self.warnings {
            self.progress.warn(text);
        }
    }

    /// Warns of something that must not be missed, also where warnings are not shown.
    pub fn insist(&self, text: &str) {
        self.progress.insist(text);
    }

    /// The flag that stops the work, for values that outlive this monitor and go on to look at it.
    pub fn cancellation(&self) -> Cancellation {
        self.cancellation.cloned().unwrap_or_default()
    }

    /// Whether the work was asked to stop. Loops that see it leave with whatever they have, which is thrown away.
    pub fn is_cancelled(&self) -> bool {
        self.cancellation.is_some_and(Cancellation::is_cancelled)
    }

    /// What came of some work, unless it was asked to stop: then what it left may be unfinished, and so may be the
    /// reason why it failed.
    ///
    /// # Errors
    /// Those of the work, and [`Error::Cancelled`].
    pub fn conclude<T>(&self, outcome: Result<T>) -> Result<T> {
        self.check()?;
        outcome
    }

    /// An error where the work was asked to stop.
    ///
    /// # Errors
    /// [`Error::Cancelled`].
    pub fn check(&self) -> Result<()> {
        if self.is_cancelled() { Err(Error::Cancelled) } else { Ok(()) }
    }
}

impl fmt::Debug for Monitor<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Monitor").field("cancelled", &self.is_cancelled()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    #[derive(Default)]
    struct Heard(Mutex<Vec<String>>);

    impl Progress for Heard {
        fn begin(&self, stage: Stage, total: Option<u64>) {
            self.0.lock().unwrap().push(format!("{} {total:?}", stage.name()));
        }
        fn advance(&self, amount: u64) {
            self.0.lock().unwrap().push(amount.to_string());
        }
    }

    #[test]
    fn reading_counts_bytes_alone_and_rows_inside_another_stage() {
        let (heard, cancellation) = (Heard::default(), Cancellation::default());
        let monitor = Monitor::new(&heard, &cancellation);
        monitor.begin_reading(Some(9)).unwrap();
        monitor.advance_reading(9, 2).unwrap();
        monitor.begin(Stage::Verify, Some(2)).unwrap();
        monitor.in_rows().begin_reading(Some(9)).unwrap();
        monitor.in_rows().advance_reading(9, 2).unwrap();
        assert_eq!(*heard.0.lock().unwrap(), ["reading Some(9)", "9", "verifying Some(2)", "2"]);
    }

    #[test]
    fn a_cancelled_monitor_begins_nothing() {
        let (heard, cancellation) = (Heard::default(), Cancellation::default());
        let monitor = Monitor::new(&heard, &cancellation);
        cancellation.clone().cancel();
        assert_eq!(monitor.begin(Stage::Read, None), Err(Error::Cancelled));
        assert_eq!(monitor.in_rows().begin_reading(None), Err(Error::Cancelled));
        assert!(monitor.is_cancelled() && heard.0.lock().unwrap().is_empty());
        assert_eq!(monitor.conclude(Ok(1)), Err(Error::Cancelled));
        assert_eq!(monitor.conclude::<u8>(Err(Error::bug("unfinished"))), Err(Error::Cancelled));
        assert_eq!(Monitor::silent().conclude(Ok(1)), Ok(1));
        assert!(!Monitor::silent().is_cancelled());
    }
}
