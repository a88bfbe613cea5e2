//! A table of a release as Parquet, with the same columns as the CSV layout.

use crate::arrow::with_columns;
use crate::digest::Digest;
use crate::form::Layout;
use scumble_io::write_parquet;
use scumble_table::{Monitor, Result};
use std::fs::File;
use std::io::{self, Write};

/// Writes the table and returns the file with its checksum.
pub(super) fn write(layout: &Layout<'_>, file: File, shown: &str, monitor: Monitor<'_>) -> Result<(File, String)> {
    let sealed = Sealed { file, digest: Digest::default() };
    let sealed = with_columns(layout, |columns| write_parquet(sealed, shown, layout.n_rows, columns, monitor))?;
    Ok((sealed.file, sealed.digest.hex()))
}

/// A file that is hashed as it is written.
struct Sealed {
    file: File,
    digest: Digest,
}

impl Write for Sealed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let n = self.file.write(bytes)?;
        self.digest.update(&bytes[..n]);
        Ok(n)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}
