//! How the flow tells its caller what it is doing.

/// A step of the flow, as shown to a person who waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// Reading and coding the data.
    Read,
    /// Finding out which values are near which.
    Compare,
    /// Dividing the rows into groups.
    Partition,
    /// Writing the release beside its place.
    Write,
    /// Re-reading the written bytes and judging them.
    Verify,
    /// Looking for people as an attacker would.
    Attack,
    /// Making and measuring many releases, one after another or side by side.
    Study,
}

impl Stage {
    /// What to call it.
    pub fn name(self) -> &'static str {
        match self {
            Stage::Read => "reading",
            Stage::Compare => "comparing",
            Stage::Partition => "partitioning",
            Stage::Write => "writing",
            Stage::Verify => "verifying",
            Stage::Attack => "attacking",
            Stage::Study => "studying",
        }
    }
}

/// Hears what the flow is doing. Calls may come from any thread.
pub trait Observer: Sync {
    /// A stage begins; `total` is its amount of work (bytes when reading, releases in a study, else rows) where known.
    fn begin(&self, stage: Stage, total: Option<u64>);

    /// So much more of the current stage is done.
    fn advance(&self, amount: u64);

    /// What part of the current stage begins, in a few words.
    fn note(&self, _text: &str) {}

    /// Something the publisher should know though it is no error.
    fn warn(&self, text: &str);
}

/// Hears nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Observer for Silent {
    fn begin(&self, _stage: Stage, _total: Option<u64>) {}
    fn advance(&self, _amount: u64) {}
    fn warn(&self, _text: &str) {}
}

/// Lets a search tell an observer how it gets on.
pub(crate) struct Heard<'a>(pub(crate) &'a dyn Observer);

impl scumble_table::Progress for Heard<'_> {
    fn advance(&self, amount: u64) {
        self.0.advance(amount);
    }
}

/// Listens to a read on behalf of an observer.
pub(crate) struct Reading<'a>(pub(crate) &'a dyn Observer);

impl scumble_io::Progress for Reading<'_> {
    fn start(&self, total_bytes: Option<u64>) {
        self.0.begin(Stage::Read, total_bytes);
    }

    fn advance(&self, bytes: u64, _rows: u64) {
        self.0.advance(bytes);
    }
}
