//! The tables of a release as Arrow columns: what Parquet files hold and what a program takes over from memory.
//!
//! Values have the type that their source stored them as, or one that suits their kind; generalized values are texts. A row
//! that is suppressed and published nevertheless is null throughout.

use crate::form::{Cells, Draft, Grouped, Layout, SUPPRESSED, SharedColumn};
use arrow_array::{Array, ArrayRef, RecordBatch, StringArray};
use arrow_schema::SchemaRef;
use scumble_io::{OutColumn, Shared, record_batches, typed_amounts, typed_values};
use scumble_table::{Error, Kind, NULL, Result, Stored};
use std::sync::Arc;

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
        self.batches(name, Shared::Plain)
    }

    /// The same, with dictionaries where values are shared.
    pub(crate) fn batches(&self, name: &str, shared: Shared) -> Result<ArrowTable> {
        let layouts = self.form.layouts();
        let layout = layouts.iter().find(|layout| layout.name == name);
        let layout = layout.ok_or_else(|| Error::bug(format!("the release has no table `{name}`")))?;
        with_columns(layout, |columns| {
            let (schema, batches) = record_batches(layout.n_rows, columns, shared)?;
            Ok(ArrowTable { name: name.to_string(), schema, batches })
        })
    }
}

/// The values behind some texts, of which an empty one is a missing value; nothing where they are texts.
pub(crate) fn values_of<'a>(texts: impl Iterator<Item = &'a str>, kind: Kind, stored: &Stored) -> Option<ArrayRef> {
    let texts: Vec<Option<&str>> = texts.map(|text| Some(text).filter(|text| !text.is_empty())).collect();
    typed_values(&texts, stored, kind)
}

/// A column of values or texts by code.
pub(crate) fn coded_column<'a>(
    labels: &'a [String],
    values: Option<ArrayRef>,
    code: Box<dyn Fn(usize) -> Option<u32> + Sync + 'a>,
) -> OutColumn<'a> {
    match values {
        Some(values) => OutColumn::Typed { values, code },
        None => OutColumn::Text { labels, code },
    }
}

/// Gives the columns of a table as Arrow and Parquet have them.
pub(crate) fn with_columns<T>(
    layout: &Layout<'_>,
    take: impl FnOnce(&[(String, OutColumn<'_>)]) -> Result<T>,
) -> Result<T> {
    let mut columns = Vec::new();
    if let Some(grouped) = layout.groups {
        let Grouped { row_group, number: shown_as, .. } = grouped;
        let number = |row: usize| (row_group[row] != SUPPRESSED).then(|| row_group[row] + 1);
        columns.extend(shown_as.map(|name| (name.to_string(), OutColumn::Integer(Box::new(number)))));
        let shared: Vec<SharedColumn<'_>> = grouped.shared().collect();
        for (column, values) in shared.iter().zip(values_of_shared(&shared)) {
            let SharedColumn { texts, of_group, .. } = *column;
            let code = move |row: usize| match row_group[row] {
                SUPPRESSED => None,
                group => Some(of_group[group as usize]).filter(|&text| !texts[text as usize].is_empty()),
            };
            columns.push((column.name.to_string(), coded_column(texts, values, Box::new(code))));
        }
    }
    let suppressed = |row: usize| layout.row_group().is_some_and(|groups| groups[row] == SUPPRESSED);
    for column in &layout.columns {
        let cells: OutColumn<'_> = match column.cells {
            Cells::Place => OutColumn::Integer(Box::new(|row| Some(row as u32 + 1))),
            Cells::Numbers(numbers) => OutColumn::Integer(Box::new(|row| Some(numbers[row]))),
            Cells::Groups(groups) => {
                OutColumn::Integer(Box::new(move |row| (!suppressed(row)).then(|| groups[row] + 1)))
            }
            Cells::Texts { texts, codes, kind, stored } => {
                let code = move |row: usize| {
                    if suppressed(row) { None } else { Some(codes.get(row)).filter(|&code| code != NULL) }
                };
                let values = values_of(texts.iter().map(String::as_str), kind, stored);
                coded_column(texts, values, Box::new(code))
            }
            Cells::Amounts { scale, of_row, stored } => OutColumn::Whole(typed_amounts(scale, of_row, stored)),
            Cells::Empty => OutColumn::Whole(Arc::new(StringArray::new_null(layout.n_rows))),
        };
        columns.push((column.name.to_string(), cells));
    }
    take(&columns)
}

/// The values of columns that rows share with their group. Both ends of a quasi-identifier have one type.
fn values_of_shared(shared: &[SharedColumn<'_>]) -> Vec<Option<ArrayRef>> {
    let mut found: Vec<Option<ArrayRef>> = Vec::with_capacity(shared.len());
    let mut rest = shared;
    while let [first, after @ ..] = rest {
        match (first.values, after) {
            (Some((kind, stored)), [second, others @ ..]) => {
                let both = first.texts.iter().chain(second.texts).map(String::as_str);
                let values = values_of(both, kind, stored);
                let part = |from: usize, n: usize| values.as_ref().map(|values| values.slice(from, n));
                found.push(part(0, first.texts.len()));
                found.push(part(first.texts.len(), second.texts.len()));
                rest = others;
            }
            _ => {
                found.push(None);
                rest = after;
            }
        }
    }
    found
}
