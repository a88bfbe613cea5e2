//! Reading data that comes in columns: Arrow batches, and Parquet files by way of them.
//!
//! Values become the texts that denote them exactly, so that the rest of the house need not know
//! where a table came from: `12`, `0.1`, `true`, `2024-02-29`. As with CSV, a value is turned into
//! text once per distinct value, not once per row.

mod extras;
mod pages;
mod parquet;
mod part;
#[cfg(test)]
mod tests;
mod text;
mod typed;

use crate::fault::FaultKind;
use crate::{RawTable, ReadOptions, Want, raw};
use arrow_array::RecordBatch;
use arrow_schema::{DataType, Schema};
pub use extras::parquet_extras;
pub(crate) use parquet::{ParquetInput, read_parquet};
use part::Part;
use rayon::prelude::*;
use scumble_table::{Error, Monitor, Result};
use std::sync::Arc;
pub use typed::{typed_amounts, typed_values};

/// Rows of a batch that are read at a time: a tenth of a second of work at most.
const STEP_ROWS: usize = 1 << 20;

impl RawTable {
    /// The table of some Arrow batches, which all have the given schema; `source` stands for it in
    /// messages. Empty texts are null. Of the options, only those of CSV have no effect.
    pub fn from_batches(
        schema: &Schema,
        batches: impl IntoIterator<Item = RecordBatch>,
        source: &str,
        options: &ReadOptions<'_>,
        monitor: Monitor<'_>,
    ) -> Result<RawTable> {
        let (names, wants) = choose(schema, source, options)?;
        let nulls: Arc<[String]> = options.nulls.clone().into();
        let mut parts: Vec<Part> = wants.iter().map(|want| Part::new(*want, &nulls)).collect();
        let mut n_rows = 0;
        monitor.begin_reading(None)?;
        for batch in batches {
            let same = |(a, b): (&Arc<arrow_schema::Field>, &Arc<arrow_schema::Field>)| {
                a.name() == b.name() && a.data_type() == b.data_type()
            };
            let fields = batch.schema_ref().fields();
            if fields.len() != names.len() || !fields.iter().zip(schema.fields()).all(same) {
                return Err(Error::data(source, "a batch has other columns than the schema"));
            }
            n_rows = more_rows(n_rows, batch.num_rows(), source)?;
            // A batch may be the whole table, and is read in steps so that a cancellation is noticed.
            for first in (0..batch.num_rows()).step_by(STEP_ROWS) {
                monitor.check()?;
                let rows = batch.slice(first, STEP_ROWS.min(batch.num_rows() - first));
                let results: Vec<Result<(), FaultKind>> =
                    parts.par_iter_mut().zip(rows.columns()).map(|(part, array)| part.append(array)).collect();
                for (name, result) in names.iter().zip(results) {
                    result.map_err(|fault| fault.error(source, None, Some(name), options))?;
                }
            }
            monitor.advance_reading(batch.get_array_memory_size() as u64, batch.num_rows() as u64)?;
        }
        if n_rows == 0 {
            return Err(no_rows(source));
        }
        let columns = parts.into_iter().map(Part::finish).collect();
        Ok(RawTable { names, columns, n_rows, source: source.to_string() })
    }
}

/// The names of the columns and what to read of them; columns that cannot be read must be skipped.
fn choose(schema: &Schema, source: &str, options: &ReadOptions<'_>) -> Result<(Vec<String>, Vec<Want>)> {
    let names: Vec<String> = schema.fields().iter().map(|field| field.name().clone()).collect();
    if names.is_empty() {
        return Err(Error::data(source, "there are no columns"));
    }
    raw::check_names(&names, source, None)?;
    let mut wants = options.choose(&names)?;
    for (field, want) in schema.fields().iter().zip(&mut wants) {
        if *want != Want::Skip && !text::has_text(field.data_type()) {
            if options.pass_over {
                *want = Want::Skip;
                continue;
            }
            let reason = format!("values of type {} cannot be published", shown(field.data_type()));
            return Err(Error::data(source, reason)
                .at(None, Some(field.name()))
                .hint("drop the column, or store it as numbers, dates or texts"));
        }
    }
    Ok((names, wants))
}

/// The name of a type without what is inside it.
fn shown(data_type: &DataType) -> String {
    let text = data_type.to_string();
    text.split(['(', '<', ' ']).next().unwrap_or_default().to_lowercase()
}

fn more_rows(n_rows: usize, more: usize, source: &str) -> Result<usize> {
    let sum = n_rows + more;
    if sum >= u32::MAX as usize {
        return Err(FaultKind::ManyRows.error(source, None, None, &ReadOptions::default()));
    }
    Ok(sum)
}

fn no_rows(source: &str) -> Error {
    Error::data(source, "there are no rows")
}
