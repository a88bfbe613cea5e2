//! A table of a release as Parquet, with the same columns as the CSV layout.

use crate::digest::Digest;
use crate::form::{COUNT, GROUP, Layout, STAR, SUPPRESSED};
use scumble_io::{OutColumn, Progress, write_parquet};
use scumble_table::{NULL, Result};
use std::fs::File;
use std::io::{self, Write};

/// Writes the table and returns the file with its checksum.
pub(super) fn write(layout: &Layout<'_>, file: File, shown: &str, progress: &dyn Progress) -> Result<(File, String)> {
    let row_group = layout.row_group;
    // Every column gets one more label, for its suppressed rows.
    let starred = |texts: &[String]| texts.iter().cloned().chain([STAR.to_string()]).collect::<Vec<String>>();
    let quasi_labels: Vec<Vec<String>> = layout.quasi.iter().map(|column| starred(&column.texts)).collect();
    let value_labels: Vec<Vec<String>> = layout.values.iter().map(|column| starred(&column.texts)).collect();
    let number = |row: usize| (row_group[row] != SUPPRESSED).then(|| row_group[row] + 1);
    let mut columns = vec![(GROUP.to_string(), OutColumn::Integer(Box::new(number)))];
    for (column, labels) in layout.quasi.iter().zip(&quasi_labels) {
        let star = column.texts.len() as u32;
        let code = move |row: usize| match row_group[row] {
            SUPPRESSED => Some(star),
            group => Some(column.of_group[group as usize]).filter(|&text| !column.texts[text as usize].is_empty()),
        };
        columns.push((column.name.clone(), OutColumn::Text { labels, code: Box::new(code) }));
    }
    for (column, labels) in layout.values.iter().zip(&value_labels) {
        let star = column.texts.len() as u32;
        let code = move |row: usize| match row_group[row] {
            SUPPRESSED => Some(star),
            _ => Some(column.codes.get(row)).filter(|&code| code != NULL),
        };
        columns.push((column.name.clone(), OutColumn::Text { labels, code: Box::new(code) }));
    }
    if let Some(counts) = layout.counts {
        columns.push((COUNT.to_string(), OutColumn::Integer(Box::new(|row| Some(counts[row])))));
    }
    let sealed = Sealed { file, digest: Digest::default(), bytes: 0 };
    let sealed = write_parquet(sealed, shown, row_group.len(), &columns)?;
    progress.advance(sealed.bytes, row_group.len() as u64);
    Ok((sealed.file, sealed.digest.hex()))
}

/// A file that is hashed as it is written.
struct Sealed {
    file: File,
    digest: Digest,
    bytes: u64,
}

impl Write for Sealed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let n = self.file.write(bytes)?;
        self.digest.update(&bytes[..n]);
        self.bytes += n as u64;
        Ok(n)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}
