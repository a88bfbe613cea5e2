//! Work that is cancelled says so, and leaves nothing.

use crate::common::angel::small;
use crate::common::{Maker, leftovers, write};
use scumble_release::{Draft, ReleaseReader, TableFormat, WriteOptions};
use scumble_table::{Cancellation, Error, Monitor, Progress, Stage};
use scumble_verify::{Promise, VerifyOptions, verify, verify_dir};
use std::fs;
use std::sync::{Arc, Mutex};

/// When to cancel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum At {
    /// When a stage begins.
    Begin(Stage),
    /// When a stage gets on.
    Advance(Stage),
    /// Never.
    Never,
}

/// Cancels the work that it hears of.
struct Canceller {
    at: At,
    cancellation: Cancellation,
    stages: Mutex<Vec<Stage>>,
}

impl Canceller {
    fn new(at: At) -> Self {
        Canceller { at, cancellation: Cancellation::default(), stages: Mutex::default() }
    }

    fn monitor(&self) -> Monitor<'_> {
        Monitor::new(self, &self.cancellation)
    }
}

impl Progress for Canceller {
    fn begin(&self, stage: Stage, _total: Option<u64>) {
        self.stages.lock().unwrap().push(stage);
        if self.at == At::Begin(stage) {
            self.cancellation.cancel();
        }
    }

    fn advance(&self, _amount: u64) {
        if self.stages.lock().unwrap().last().is_some_and(|&stage| self.at == At::Advance(stage)) {
            self.cancellation.cancel();
        }
    }
}

/// A release of each form.
fn drafts() -> Vec<Draft> {
    let mut paid = Maker::people(48);
    paid.pay();
    let (angel, tables) = small(5, 30);
    vec![paid.release(), paid.anatomized(), paid.permuted(), angel.angelized(1, &tables)]
}

#[test]
fn a_cancelled_write_leaves_nothing() {
    let before = [
        At::Begin(Stage::Write),
        At::Advance(Stage::Write),
        At::Begin(Stage::Flush),
        At::Begin(Stage::Verify),
        At::Advance(Stage::Verify),
    ];
    for draft in drafts() {
        for format in [TableFormat::Csv, TableFormat::Parquet] {
            let options = WriteOptions { format, replace: false };
            for at in before {
                let home = tempfile::tempdir().unwrap();
                let canceller = Canceller::new(at);
                let out = home.path().join("release");
                let error = scumble_verify::write(&draft, &out, &options, Promise::default(), canceller.monitor());
                assert_eq!(error.unwrap_err(), Error::Cancelled, "{at:?} {format:?}");
                assert_eq!(fs::read_dir(home.path()).unwrap().count(), 0, "{at:?} {format:?}");
                // Every stage before the release is put in its place may be cancelled.
                assert!(!canceller.stages.lock().unwrap().contains(&Stage::Place));
            }
            let home = tempfile::tempdir().unwrap();
            let canceller = Canceller::new(At::Never);
            let out = home.path().join("release");
            scumble_verify::write(&draft, &out, &options, Promise::default(), canceller.monitor()).unwrap();
            let stages = canceller.stages.into_inner().unwrap();
            assert_eq!(stages, [Stage::Write, Stage::Flush, Stage::Verify, Stage::Place], "{format:?}");
        }
    }
}

#[test]
fn work_cancelled_before_it_begins_does_nothing() {
    let home = tempfile::tempdir().unwrap();
    let (canceller, out) = (Canceller::new(At::Never), home.path().join("release"));
    canceller.cancellation.cancel();
    let draft = Maker::people(48).release();
    let found = scumble_verify::write(&draft, &out, &WriteOptions::default(), Promise::default(), canceller.monitor());
    assert_eq!(found.unwrap_err(), Error::Cancelled);
    assert_eq!(fs::read_dir(home.path()).unwrap().count(), 0);
    assert!(canceller.stages.lock().unwrap().is_empty());
}

#[test]
fn a_cancelled_replacement_leaves_the_old_release() {
    for at in [At::Begin(Stage::Write), At::Begin(Stage::Flush), At::Advance(Stage::Verify)] {
        let home = tempfile::tempdir().unwrap();
        let out = home.path().join("release");
        write(&Maker::people(8).release(), &out, &WriteOptions::default()).unwrap();
        let old = fs::read(out.join("manifest.json")).unwrap();
        let canceller = Canceller::new(at);
        let options = WriteOptions { replace: true, ..WriteOptions::default() };
        let draft = Maker::people(48).release();
        let found = scumble_verify::write(&draft, &out, &options, Promise::default(), canceller.monitor());
        assert_eq!(found.unwrap_err(), Error::Cancelled, "{at:?}");
        assert_eq!(fs::read(out.join("manifest.json")).unwrap(), old, "{at:?}");
        assert!(leftovers(home.path()).is_empty(), "{at:?}");
    }
}

#[test]
fn a_release_that_is_being_placed_stands() {
    // Work that is cancelled before the exchange leaves the old release as it was. After the exchange the new one
    // stands: a cancellation comes too late.
    for (at, rows) in [(At::Begin(Stage::Place), 8), (At::Begin(Stage::Remove), 48)] {
        let home = tempfile::tempdir().unwrap();
        let out = home.path().join("release");
        write(&Maker::people(8).release(), &out, &WriteOptions::default()).unwrap();
        let options = WriteOptions { replace: true, ..WriteOptions::default() };
        let draft = Maker::people(48).release();
        let canceller = Canceller::new(at);
        let written = scumble_verify::write(&draft, &out, &options, Promise::default(), canceller.monitor());
        assert_eq!(written.err(), (rows == 8).then_some(Error::Cancelled), "{at:?}");
        let verdict = verify_dir(&out, &VerifyOptions::default()).unwrap();
        assert!(verdict.ok && verdict.rows == rows, "{at:?}");
        assert!(leftovers(home.path()).is_empty(), "{at:?}");
    }
}

#[test]
fn a_cancelled_verification_gives_no_verdict() {
    for draft in drafts() {
        let home = tempfile::tempdir().unwrap();
        let out = home.path().join("release");
        write(&draft, &out, &WriteOptions::default()).unwrap();
        let memory = ReleaseReader::in_memory(Arc::new(draft)).unwrap();
        // On disk the files are read in a stage of their own; a release in memory is not read at all.
        for at in [At::Begin(Stage::Read), At::Advance(Stage::Read)] {
            let canceller = Canceller::new(at);
            let options = VerifyOptions { monitor: canceller.monitor(), ..VerifyOptions::default() };
            assert_eq!(verify_dir(&out, &options).unwrap_err(), Error::Cancelled, "{at:?}");
        }
        let canceller = Canceller::new(At::Never);
        canceller.cancellation.cancel();
        let options = VerifyOptions { monitor: canceller.monitor(), ..VerifyOptions::default() };
        assert_eq!(verify_dir(&out, &options).unwrap_err(), Error::Cancelled);
        assert_eq!(verify(&memory, &options).unwrap_err(), Error::Cancelled);
    }
}
