//! How a long read tells its caller that it is getting on.

/// Listens to a read. Calls come from the thread that called the reader, a few times per second on
/// large files.
pub trait Progress: Sync {
    /// The read begins; `total_bytes` is the size of the file where it is known.
    fn start(&self, total_bytes: Option<u64>);

    /// So many more bytes of the file (compressed ones, if it is compressed) and rows are done.
    fn advance(&self, bytes: u64, rows: u64);
}

/// Listens to nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoProgress;

impl Progress for NoProgress {
    fn start(&self, _total_bytes: Option<u64>) {}

    fn advance(&self, _bytes: u64, _rows: u64) {}
}
