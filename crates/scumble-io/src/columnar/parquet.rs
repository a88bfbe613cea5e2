//! Parquet files: each column of each row group is a piece of work of its own.

use super::pages::all_pages;
use super::part::Part;
use super::{choose, more_rows, no_rows};
use crate::fault::FaultKind;
use crate::inflation::{grows_too_far, may_grow};
use crate::merged_column::MergedColumn;
use crate::{RawColumn, RawTable, ReadOptions, Want};
use arrow_schema::{DataType, Schema, SchemaRef};
use bytes::Bytes;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder,
};
use parquet::file::metadata::ParquetMetaData;
use parquet::file::reader::ChunkReader;
use rayon::prelude::*;
use scumble_table::{Error, Monitor, Result};
use std::fs::File;
use std::io::{BufRead, BufReader, Cursor, Seek};
use std::path::Path;
use std::sync::Arc;

/// Rows decoded at a time: many enough to be quick, few enough to stay in the cache.
const BATCH_ROWS: usize = 1 << 15;

/// Where the file is.
#[derive(Debug, Clone)]
pub(crate) enum ParquetInput<'a> {
    Path(&'a Path),
    Memory(Bytes),
}

/// Reads a Parquet file, only the columns that are wanted.
pub(crate) fn read_parquet(
    input: ParquetInput<'_>,
    source: &str,
    options: &ReadOptions<'_>,
    monitor: Monitor<'_>,
) -> Result<RawTable> {
    let metadata = guarded(source, || load(&input, source, options))?;
    let (names, wants) = choose(metadata.schema(), source, options)?;
    let n_rows = metadata.metadata().row_groups().iter().try_fold(0, |sum, group| {
        let rows = usize::try_from(group.num_rows()).map_err(|_| damaged(source, &"a negative number of rows"))?;
        more_rows(sum, rows, source)
    })?;
    if n_rows == 0 {
        return Err(no_rows(source));
    }
    guarded(source, || check_pages(&input, source, metadata.metadata(), options))?;
    let schema = with_dictionaries(metadata.schema());
    let metadata = guarded(source, || {
        ArrowReaderMetadata::try_new(metadata.metadata().clone(), ArrowReaderOptions::new().with_schema(schema))
            .map_err(|error| damaged(source, &error))
    })?;
    let wanted: Vec<usize> = (0..wants.len()).filter(|&at| wants[at] != Want::Skip).collect();
    let bytes_of = |group: usize, column: usize| {
        let chunks = metadata.metadata().row_group(group).columns();
        // Only plain columns are wanted, and such a column is one chunk.
        let root = |chunk: usize| metadata.parquet_schema().get_column_root_idx(chunk);
        (0..chunks.len())
            .filter(|&at| root(at) == column)
            .map(|at| chunks[at].compressed_size().max(0) as u64)
            .sum::<u64>()
    };
    let n_groups = metadata.metadata().num_row_groups();
    let sizes: Vec<u64> =
        (0..n_groups).map(|group| wanted.iter().map(|&column| bytes_of(group, column)).sum()).collect();
    monitor.begin_reading(Some(sizes.iter().sum()))?;

    let nulls: Arc<[String]> = options.nulls.clone().into();
    let mut whole: Vec<MergedColumn> = wants.iter().map(|want| MergedColumn::new(*want, &nulls)).collect();
    // As many row groups at a time as give every worker something to do.
    let step = rayon::current_num_threads().div_ceil(wanted.len().max(1)).max(1);
    let groups: Vec<usize> = (0..n_groups).collect();
    for groups in groups.chunks(step) {
        let tasks: Vec<(usize, usize)> =
            groups.iter().flat_map(|&group| wanted.iter().map(move |&column| (group, column))).collect();
        let read = |&(group, column): &(usize, usize)| {
            guarded(source, || {
                let mut part = Part::new(wants[column], &nulls);
                for batch in open(&input, source, &metadata, (group, column), options)? {
                    monitor.check()?;
                    let batch = batch.map_err(|error| damaged(source, &error))?;
                    part.append(batch.column(0))
                        .map_err(|fault| fault.error(source, None, Some(&names[column]), options))?;
                }
                Ok(part.finish())
            })
        };
        let parts: Vec<Result<RawColumn>> = tasks.par_iter().with_max_len(1).map(read).collect();
        for ((_, column), part) in tasks.iter().zip(parts) {
            let full = |kind: FaultKind| kind.error(source, None, Some(&names[*column]), options);
            whole[*column].append(&part?).map_err(full)?;
        }
        let rows = groups.iter().map(|&group| metadata.metadata().row_group(group).num_rows().max(0) as u64).sum();
        monitor.advance_reading(groups.iter().map(|&group| sizes[group]).sum(), rows)?;
    }
    let columns: Vec<RawColumn> = whole.into_iter().map(MergedColumn::finish).collect();
    let length = |column: &RawColumn| match column {
        RawColumn::Skipped => n_rows,
        RawColumn::Text { codes, .. } => codes.len(),
        RawColumn::Integer(numbers) => numbers.len(),
    };
    if columns.iter().any(|column| length(column) != n_rows) {
        return Err(damaged(source, &"its columns have different numbers of rows"));
    }
    Ok(RawTable { names, columns, n_rows, source: source.to_string() })
}

fn load(input: &ParquetInput<'_>, source: &str, options: &ReadOptions<'_>) -> Result<ArrowReaderMetadata> {
    match input {
        ParquetInput::Path(path) => ArrowReaderMetadata::load(&file(path, options)?, ArrowReaderOptions::new()),
        ParquetInput::Memory(bytes) => ArrowReaderMetadata::load(bytes, ArrowReaderOptions::new()),
    }
    .map_err(|error| damaged(source, &error))
}

/// The batches of one column of one row group. Each task opens the file for itself, since copies of
/// a file handle share one position.
fn open(
    input: &ParquetInput<'_>,
    source: &str,
    metadata: &ArrowReaderMetadata,
    (group, column): (usize, usize),
    options: &ReadOptions<'_>,
) -> Result<ParquetRecordBatchReader> {
    fn build<R: ChunkReader + 'static>(
        input: R,
        metadata: &ArrowReaderMetadata,
        group: usize,
        column: usize,
    ) -> parquet::errors::Result<ParquetRecordBatchReader> {
        ParquetRecordBatchReaderBuilder::new_with_metadata(input, metadata.clone())
            .with_projection(ProjectionMask::roots(metadata.parquet_schema(), [column]))
            .with_row_groups(vec![group])
            .with_batch_size(BATCH_ROWS)
            .build()
    }
    match input {
        ParquetInput::Path(path) => build(file(path, options)?, metadata, group, column),
        ParquetInput::Memory(bytes) => build(bytes.clone(), metadata, group, column),
    }
    .map_err(|error| damaged(source, &error))
}

fn file(path: &Path, options: &ReadOptions<'_>) -> Result<File> {
    options.open(path).map_err(|error| Error::io("read", path.display(), &error))
}

/// Refuses pages that grow too far, before any is unpacked.
fn check_pages(
    input: &ParquetInput<'_>,
    source: &str,
    metadata: &ParquetMetaData,
    options: &ReadOptions<'_>,
) -> Result<()> {
    fn within(file: &mut (impl BufRead + Seek), metadata: &ParquetMetaData) -> std::io::Result<bool> {
        for chunk in metadata.row_groups().iter().flat_map(|group| group.columns()) {
            if !all_pages(file, chunk.byte_range(), may_grow)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
    let within = match input {
        ParquetInput::Path(path) => within(&mut BufReader::new(file(path, options)?), metadata),
        ParquetInput::Memory(bytes) => within(&mut Cursor::new(bytes), metadata),
    };
    match within {
        Ok(true) => Ok(()),
        Ok(false) => Err(grows_too_far(source)),
        Err(error) => Err(damaged(source, &error)),
    }
}

/// The same schema with texts as dictionaries, as Parquet stores them: each distinct text is then
/// looked up once per batch.
fn with_dictionaries(schema: &Schema) -> SchemaRef {
    let fields: Vec<_> = schema
        .fields()
        .iter()
        .map(|field| match field.data_type() {
            DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => {
                let texts = DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8));
                Arc::new(field.as_ref().clone().with_data_type(texts))
            }
            _ => field.clone(),
        })
        .collect();
    Arc::new(Schema::new_with_metadata(fields, schema.metadata().clone()))
}

pub(super) fn damaged(source: &str, error: &dyn std::fmt::Display) -> Error {
    Error::data(source, format!("this is not a sound Parquet file ({error})"))
}

/// A damaged file must not end the program, even where the decoder did not foresee the damage.
pub(super) fn guarded<T>(source: &str, work: impl FnOnce() -> Result<T>) -> Result<T> {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(work))
        .unwrap_or_else(|_| Err(damaged(source, &"its contents contradict themselves")))
}
