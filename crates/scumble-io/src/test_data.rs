//! Where the tests find real tables.

use std::path::PathBuf;

/// A file of the shared data: under `SCUMBLE_DATA`, or next to the workspace. Prints a note and gives none
/// when it is missing, so that tests pass on machines without the data.
#[allow(clippy::print_stderr, reason = "tells the reader of a test log what was not tested")]
pub(crate) fn data_file(name: &str) -> Option<PathBuf> {
    let root = std::env::var_os("SCUMBLE_DATA")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"), PathBuf::from);
    let path = root.join(name);
    if path.is_file() {
        return Some(path);
    }
    eprintln!("skipped: {} is not there", path.display());
    None
}
