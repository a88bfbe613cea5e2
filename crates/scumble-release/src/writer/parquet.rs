//! A table of a release as Parquet, with the same columns as the CSV layout.

use crate::digest::Digest;
use crate::form::{Cells, Column, Grouped, Layout, STAR, SUPPRESSED};
use scumble_io::{OutColumn, Progress, write_parquet};
use scumble_table::{Decimal, NULL, Result};
use std::fs::File;
use std::io::{self, Write};

/// Writes the table and returns the file with its checksum.
pub(super) fn write(layout: &Layout<'_>, file: File, shown: &str, progress: &dyn Progress) -> Result<(File, String)> {
    // Every column of texts gets one more label, for its suppressed rows.
    let starred = |texts: &[String]| texts.iter().cloned().chain([STAR.to_string()]).collect::<Vec<String>>();
    let quasi = layout.groups.map_or(&[][..], |groups| groups.quasi);
    let quasi_labels: Vec<Vec<String>> = quasi.iter().map(|column| starred(&column.texts)).collect();
    let labels = |column: &Column<'_>| match column.cells {
        Cells::Texts { texts, .. } => starred(texts),
        _ => Vec::new(),
    };
    let value_labels: Vec<Vec<String>> = layout.columns.iter().map(labels).collect();
    let mut columns = Vec::new();
    if let Some(Grouped { row_group, number: shown_as, .. }) = layout.groups {
        let number = |row: usize| (row_group[row] != SUPPRESSED).then(|| row_group[row] + 1);
        columns.extend(shown_as.map(|name| (name.to_string(), OutColumn::Integer(Box::new(number)))));
        for (column, labels) in quasi.iter().zip(&quasi_labels) {
            let star = column.texts.len() as u32;
            let code = move |row: usize| match row_group[row] {
                SUPPRESSED => Some(star),
                group => Some(column.of_group[group as usize]).filter(|&text| !column.texts[text as usize].is_empty()),
            };
            columns.push((column.name.clone(), OutColumn::Text { labels, code: Box::new(code) }));
        }
    }
    let suppressed = |row: usize| layout.row_group().is_some_and(|groups| groups[row] == SUPPRESSED);
    for (column, labels) in layout.columns.iter().zip(&value_labels) {
        let cells: OutColumn<'_> = match column.cells {
            Cells::Place => OutColumn::Integer(Box::new(|row| Some(row as u32 + 1))),
            Cells::Numbers(numbers) => OutColumn::Integer(Box::new(|row| Some(numbers[row]))),
            Cells::Groups(groups) => {
                OutColumn::Integer(Box::new(move |row| (!suppressed(row)).then(|| groups[row] + 1)))
            }
            Cells::Texts { texts, codes } => {
                let star = texts.len() as u32;
                let code = move |row: usize| match suppressed(row) {
                    true => Some(star),
                    false => Some(codes.get(row)).filter(|&code| code != NULL),
                };
                OutColumn::Text { labels, code: Box::new(code) }
            }
            Cells::Amounts { scale, of_row } => {
                OutColumn::Written(Box::new(move |row| Some(Decimal::new(of_row[row], scale).to_string())))
            }
            Cells::Empty => OutColumn::Written(Box::new(|_| None)),
        };
        columns.push((column.name.to_string(), cells));
    }
    let sealed = Sealed { file, digest: Digest::default(), bytes: 0 };
    let sealed = write_parquet(sealed, shown, layout.n_rows, &columns)?;
    progress.advance(sealed.bytes, layout.n_rows as u64);
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
