//! An independent program that judges and measures what we write.
//!
//! It is looked for where `SCUMBLE_ORACLE` says (a folder with `check_release.py` and `utility.py`), and run with
//! `SCUMBLE_PYTHON`, which needs numpy, pandas and pyarrow.
#![allow(clippy::print_stderr, reason = "a test that is skipped says so")]

use std::path::PathBuf;

/// The folder and the Python that runs it; nothing where they are not given.
pub fn oracle() -> Option<(PathBuf, PathBuf)> {
    match (std::env::var_os("SCUMBLE_ORACLE"), std::env::var_os("SCUMBLE_PYTHON")) {
        (Some(folder), Some(python)) => Some((folder.into(), python.into())),
        _ => {
            eprintln!("skipped: SCUMBLE_ORACLE and SCUMBLE_PYTHON are not set");
            None
        }
    }
}
