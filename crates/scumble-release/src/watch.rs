//! How long work on a release tells its caller where it stands.

use scumble_io::{NoProgress, Progress};

/// What is being done to a release.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// Tables, hierarchies, report and manifest are being written to their hidden place.
    Write,
    /// What was written is being flushed to the disk.
    Sync,
    /// The bytes are being read again and judged.
    Verify,
    /// The source is being read and compared.
    Source,
    /// The verified directory takes its place.
    Place,
    /// The release that was there before is being removed.
    Remove,
}

/// Listens to work on a release. The calls come from the thread that called, and work goes on when
/// they return.
pub trait Watch: Progress {
    /// A stage begins.
    fn stage(&self, stage: Stage) {
        let _ = stage;
    }
}

impl Watch for NoProgress {}
