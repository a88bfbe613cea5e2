//! The tables of a release as Arrow record batches.

use crate::form::{Cells, Column, Draft, Grouped, Layout, STAR, SUPPRESSED};
use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use scumble_io::{OutColumn, record_batches};
use scumble_table::{Decimal, Error, NULL, Result};

/// A table of a release in memory.
#[derive(Debug, Clone)]
pub struct ArrowTable {
    /// Its name in the manifest.
    pub name: String,
    /// The columns, as they are in its file.
    pub schema: SchemaRef,
    /// The rows.
    pub batches: Vec<RecordBatch>,
}

impl Draft {
    /// A table as Arrow record batches.
    ///
    /// # Errors
    /// If there is no such table.
    pub fn arrow_table(&self, name: &str) -> Result<ArrowTable> {
        let layouts = self.form.layouts();
        let layout = layouts.iter().find(|layout| layout.name == name);
        let layout = layout.ok_or_else(|| Error::bug(format!("the release has no table `{name}`")))?;
        with_columns(layout, |columns| {
            let (schema, batches) = record_batches(layout.n_rows, columns)?;
            Ok(ArrowTable { name: name.to_string(), schema, batches })
        })
    }
}

/// Gives the columns of a table as Arrow and Parquet have them.
pub(crate) fn with_columns<T>(
    layout: &Layout<'_>,
    take: impl FnOnce(&[(String, OutColumn<'_>)]) -> Result<T>,
) -> Result<T> {
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
    take(&columns)
}
