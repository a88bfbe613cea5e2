//! Writing a table as Parquet, for releases.
//!
//! The caller gives a way to get each cell rather than the cells, so a table is never held in
//! memory a second time: rows are turned into arrays a batch at a time, and the columns of a row
//! group are encoded in parallel.

use arrow_array::types::UInt32Type;
use arrow_array::{Array, ArrayRef, DictionaryArray, LargeStringArray, RecordBatch, StringArray, UInt32Array};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use arrow_select::take::take;
use parquet::arrow::ArrowSchemaConverter;
use parquet::arrow::arrow_writer::{ArrowColumnChunk, ArrowColumnWriter, ArrowRowGroupWriterFactory, compute_leaves};
use parquet::basic::{Compression, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use rayon::prelude::*;
use scumble_table::{Error, Monitor, Result};
use std::fmt;
use std::io::Write;
use std::ops::Range;
use std::sync::Arc;

/// Rows made into arrays at a time.
const BATCH_ROWS: usize = 1 << 17;

/// Rows of a row group: large enough to compress well, small enough to be read in parallel.
const GROUP_ROWS: usize = 1 << 20;

/// A column to be written.
pub enum OutColumn<'a> {
    /// Texts, given by label.
    Text {
        /// The distinct texts.
        labels: &'a [String],
        /// The label of a row; `None` is null.
        code: Box<dyn Fn(usize) -> Option<u32> + Sync + 'a>,
    },
    /// Values of a type, given by their place.
    Typed {
        /// The distinct values.
        values: ArrayRef,
        /// The place of a row's value; `None` is null.
        code: Box<dyn Fn(usize) -> Option<u32> + Sync + 'a>,
    },
    /// Whole numbers; `None` is null.
    Integer(Box<dyn Fn(usize) -> Option<u32> + Sync + 'a>),
    /// A cell for each row.
    Whole(ArrayRef),
}

impl fmt::Debug for OutColumn<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            OutColumn::Text { .. } => "Text",
            OutColumn::Integer(_) => "Integer",
            OutColumn::Typed { .. } => "Typed",
            OutColumn::Whole(_) => "Whole",
        })
    }
}

/// Writes a table of `n_rows` rows and gives back `out`. `path` stands for the file in messages. Each
/// code must have a label.
pub fn write_parquet<W: Write + Send>(
    out: W,
    path: &str,
    n_rows: usize,
    columns: &[(String, OutColumn<'_>)],
    monitor: Monitor<'_>,
) -> Result<W> {
    let failed =
        |error: ParquetError| Error::Io { doing: "write".into(), path: path.into(), reason: error.to_string() };
    let prepared: Vec<Prepared<'_>> = columns.iter().map(|(name, column)| Prepared::new(name, column)).collect();
    let schema = schema(&prepared);
    let properties = Arc::new(
        WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::try_new(1).map_err(failed)?))
            .set_created_by("scumble".into())
            .build(),
    );
    let root = ArrowSchemaConverter::new().convert(&schema).map_err(failed)?.root_schema_ptr();
    let mut writer = SerializedFileWriter::new(out, root, properties).map_err(failed)?;
    let factory = ArrowRowGroupWriterFactory::new(&writer, schema);
    for (group, first) in (0..n_rows).step_by(GROUP_ROWS).enumerate() {
        let rows = first..n_rows.min(first + GROUP_ROWS);
        let writers = factory.create_column_writers(group).map_err(failed)?;
        let encode = |(column, writer): (&Prepared<'_>, ArrowColumnWriter)| {
            column.encode(rows.clone(), writer, &failed, monitor)
        };
        let chunks: Vec<Result<ArrowColumnChunk>> =
            prepared.par_iter().zip(writers).with_max_len(1).map(encode).collect();
        let mut group = writer.next_row_group().map_err(failed)?;
        for chunk in chunks {
            chunk?.append_to_row_group(&mut group).map_err(failed)?;
        }
        group.close().map_err(failed)?;
        monitor.advance(rows.len() as u64);
        monitor.check()?;
    }
    writer.into_inner().map_err(failed)
}

/// What texts and values that several rows share become in record batches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shared {
    /// Cells of their own, as programs of others expect them.
    Plain,
    /// Entries of a dictionary, each of which is read once.
    Coded,
}

/// The same columns as Arrow record batches.
///
/// # Errors
/// If a code has no label.
pub fn record_batches(
    n_rows: usize,
    columns: &[(String, OutColumn<'_>)],
    shared: Shared,
) -> Result<(SchemaRef, Vec<RecordBatch>)> {
    let prepared: Vec<Prepared<'_>> =
        columns.iter().map(|(name, column)| Prepared::for_batches(name, column, shared)).collect();
    let schema = schema(&prepared);
    let batch = |first: usize| {
        let rows = first..n_rows.min(first + BATCH_ROWS);
        let arrays = prepared.par_iter().map(|column| column.array(rows.clone())).collect::<Result<Vec<_>>>()?;
        RecordBatch::try_new(schema.clone(), arrays).map_err(|error| Error::bug(error.to_string()))
    };
    let batches = (0..n_rows).step_by(BATCH_ROWS).map(batch).collect::<Result<Vec<_>>>()?;
    Ok((schema, batches))
}

fn schema(columns: &[Prepared<'_>]) -> SchemaRef {
    Arc::new(Schema::new(columns.iter().map(|column| column.field.clone()).collect::<Vec<_>>()))
}

fn dictionary_type(values: DataType) -> DataType {
    DataType::Dictionary(Box::new(DataType::UInt32), Box::new(values))
}

/// A column with what all its batches share.
struct Prepared<'a> {
    field: Field,
    column: &'a OutColumn<'a>,
    /// The labels or values that codes stand for.
    values: Option<ArrayRef>,
    /// Whether arrays are dictionaries over these values.
    coded: bool,
}

impl<'a> Prepared<'a> {
    /// For a file, which holds texts as dictionaries.
    fn new(name: &str, column: &'a OutColumn<'a>) -> Self {
        let values: Option<ArrayRef> = match column {
            OutColumn::Text { labels, .. } => Some(Arc::new(LargeStringArray::from_iter_values(*labels))),
            OutColumn::Typed { values, .. } => Some(values.clone()),
            OutColumn::Integer(_) | OutColumn::Whole(_) => None,
        };
        Prepared::over(name, column, values, matches!(column, OutColumn::Text { .. }))
    }

    fn for_batches(name: &str, column: &'a OutColumn<'a>, shared: Shared) -> Self {
        match column {
            OutColumn::Text { labels, .. } if shared == Shared::Plain => {
                // Offsets of 32 bits must reach to the end of a batch even if all its cells are the longest.
                let longest = labels.iter().map(String::len).max().unwrap_or(0);
                let total: usize = labels.iter().map(String::len).sum();
                let small = longest.max(1).saturating_mul(BATCH_ROWS).max(total) <= i32::MAX as usize;
                let values: ArrayRef = match small {
                    true => Arc::new(StringArray::from_iter_values(*labels)),
                    false => Arc::new(LargeStringArray::from_iter_values(*labels)),
                };
                Prepared::over(name, column, Some(values), false)
            }
            _ => {
                let mut prepared = Prepared::new(name, column);
                if let (Some(values), false, Shared::Coded) = (&prepared.values, prepared.coded, shared) {
                    prepared = Prepared::over(name, column, Some(values.clone()), true);
                }
                prepared
            }
        }
    }

    fn over(name: &str, column: &'a OutColumn<'a>, values: Option<ArrayRef>, coded: bool) -> Self {
        let data_type = match (column, &values) {
            (OutColumn::Whole(array), _) => array.data_type().clone(),
            (_, Some(values)) if coded => dictionary_type(values.data_type().clone()),
            (_, Some(values)) => values.data_type().clone(),
            (_, None) => DataType::UInt32,
        };
        Prepared { field: Field::new(name, data_type, true), column, values, coded }
    }

    fn encode(
        &self,
        rows: Range<usize>,
        mut writer: ArrowColumnWriter,
        failed: &(impl Fn(ParquetError) -> Error + Sync),
        monitor: Monitor<'_>,
    ) -> Result<ArrowColumnChunk> {
        for first in rows.clone().step_by(BATCH_ROWS) {
            monitor.check()?;
            let array = self.array(first..rows.end.min(first + BATCH_ROWS))?;
            for leaf in compute_leaves(&self.field, &array).map_err(failed)? {
                writer.write(&leaf).map_err(failed)?;
            }
        }
        writer.close().map_err(failed)
    }

    fn array(&self, rows: Range<usize>) -> Result<ArrayRef> {
        match (self.column, &self.values) {
            (OutColumn::Whole(array), _) => Ok(array.slice(rows.start, rows.len())),
            (OutColumn::Text { code, .. } | OutColumn::Typed { code, .. }, Some(values)) => {
                let keys: UInt32Array = rows.map(code).collect();
                let unlabelled = || Error::bug("a code to be written has no label");
                match self.coded {
                    true => Ok(Arc::new(
                        DictionaryArray::<UInt32Type>::try_new(keys, values.clone()).map_err(|_| unlabelled())?,
                    )),
                    false if keys.iter().flatten().any(|key| key as usize >= values.len()) => Err(unlabelled()),
                    false => take(values, &keys, None).map_err(|error| Error::bug(error.to_string())),
                }
            }
            (OutColumn::Text { code: number, .. } | OutColumn::Typed { code: number, .. }, None)
            | (OutColumn::Integer(number), _) => Ok(Arc::new(rows.map(number).collect::<UInt32Array>())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{NULL_INTEGER, RawColumn, ReadOptions, Want, read_stream};
    use arrow_array::{Date32Array, Float64Array};
    use scumble_table::Stored;
    use std::io::Cursor;

    #[test]
    fn written_and_read_again_over_several_row_groups() {
        let n_rows = GROUP_ROWS + BATCH_ROWS + 5;
        let labels: Vec<String> = (0..300).map(|i| format!("label {i}, \"é\"")).collect();
        let columns = [
            ("group".to_string(), OutColumn::Integer(Box::new(|row| (row % 7 > 0).then_some(row as u32)))),
            (
                "text".to_string(),
                OutColumn::Text { labels: &labels, code: Box::new(|row| (row % 5 > 0).then_some(row as u32 % 300)) },
            ),
            (
                "sum".to_string(),
                OutColumn::Whole(Arc::new(
                    (0..n_rows).map(|row| (row % 3 > 0).then(|| row as f64 / 8.0)).collect::<Float64Array>(),
                )),
            ),
            (
                "day".to_string(),
                OutColumn::Typed {
                    values: Arc::new(Date32Array::from(vec![0, 1, 2])),
                    code: Box::new(|row| (row % 4 > 0).then(|| row as u32 % 4 - 1)),
                },
            ),
        ];
        let bytes = write_parquet(Vec::new(), "x.parquet", n_rows, &columns, Monitor::silent()).unwrap();
        let options = ReadOptions::default().columns(|name| if name == "group" { Want::Integer } else { Want::Text });
        let raw = read_stream(Cursor::new(bytes), "x.parquet", &options, Monitor::silent()).unwrap();
        assert_eq!((raw.n_rows, raw.names), (n_rows, ["group", "text", "sum", "day"].map(String::from).to_vec()));
        let [
            RawColumn::Integer(numbers),
            RawColumn::Text { dictionary, codes },
            RawColumn::Text { dictionary: sums, codes: of_row },
            RawColumn::Text { dictionary: days, codes: day_of_row },
        ] = &raw.columns[..]
        else {
            panic!()
        };
        for row in 0..n_rows {
            assert_eq!(numbers[row], if row % 7 > 0 { row as u32 } else { NULL_INTEGER });
            let expected = if row % 5 > 0 { labels[row % 300].as_str() } else { "" };
            assert_eq!(dictionary.text(codes.get(row)), expected);
            let sum = if row % 3 > 0 { (row as f64 / 8.0).to_string() } else { String::new() };
            assert_eq!(sums.text(of_row.get(row)), sum);
            assert_eq!(days.text(day_of_row.get(row)), ["", "1970-01-01", "1970-01-02", "1970-01-03"][row % 4]);
        }
        assert_eq!(
            (dictionary.stored(), sums.stored(), days.stored()),
            (&Stored::Text, &Stored::Float { bits: 64 }, &Stored::Date)
        );
    }

    #[test]
    fn a_code_without_label_is_an_error() {
        let labels = ["a".to_string()];
        let columns = [("t".to_string(), OutColumn::Text { labels: &labels, code: Box::new(|_| Some(1)) })];
        let error = write_parquet(Vec::new(), "x", 1, &columns, Monitor::silent()).unwrap_err();
        assert!(matches!(error, Error::Bug { .. }), "{error}");
    }

    #[test]
    fn a_full_disk_is_an_error() {
        struct Full;
        impl Write for Full {
            fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
                Err(std::io::Error::other("no space left"))
            }
            fn flush(&mut self) -> std::io::Result<()> {
                Ok(())
            }
        }
        let columns = [("n".to_string(), OutColumn::Integer(Box::new(|_| Some(1))))];
        let Err(error) = write_parquet(Full, "x.parquet", 10, &columns, Monitor::silent()) else { panic!() };
        assert!(error.to_string().starts_with("cannot write `x.parquet`: "), "{error}");
        assert!(error.to_string().contains("no space left"), "{error}");
    }
}
