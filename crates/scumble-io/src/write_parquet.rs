//! Writing a table as Parquet, for releases.
//!
//! The caller gives a way to get each cell rather than the cells, so a table is never held in
//! memory a second time: rows are turned into arrays a batch at a time, and the columns of a row
//! group are encoded in parallel.

use crate::{NULL_INTEGER, RawColumn, RawTable};
use arrow_array::builder::LargeStringDictionaryBuilder;
use arrow_array::types::UInt32Type;
use arrow_array::{ArrayRef, DictionaryArray, LargeStringArray, RecordBatch, UInt32Array};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
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
    /// Whole numbers; `None` is null.
    Integer(Box<dyn Fn(usize) -> Option<u32> + Sync + 'a>),
    /// Texts of single rows, few of which are alike; `None` is null.
    Written(Box<dyn Fn(usize) -> Option<String> + Sync + 'a>),
}

impl fmt::Debug for OutColumn<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            OutColumn::Text { .. } => "Text",
            OutColumn::Integer(_) => "Integer",
            OutColumn::Written(_) => "Written",
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

/// The same columns as Arrow record batches. All texts are dictionaries, so that a table has the same types whether it was
/// made or read.
///
/// # Errors
/// If a code has no label.
pub fn record_batches(n_rows: usize, columns: &[(String, OutColumn<'_>)]) -> Result<(SchemaRef, Vec<RecordBatch>)> {
    let mut prepared: Vec<Prepared<'_>> = columns.iter().map(|(name, column)| Prepared::new(name, column)).collect();
    prepared.par_iter_mut().for_each(|column| column.label_written(n_rows));
    let schema = schema(&prepared);
    let batch = |first: usize| {
        let rows = first..n_rows.min(first + BATCH_ROWS);
        let arrays = prepared.par_iter().map(|column| column.array(rows.clone())).collect::<Result<Vec<_>>>()?;
        RecordBatch::try_new(schema.clone(), arrays).map_err(|error| Error::bug(error.to_string()))
    };
    let batches = (0..n_rows).step_by(BATCH_ROWS).map(batch).collect::<Result<Vec<_>>>()?;
    Ok((schema, batches))
}

impl RawTable {
    /// The table as Arrow record batches: texts as dictionaries, whole numbers as such, empty cells as nulls.
    ///
    /// # Errors
    /// If a code has no text.
    pub fn to_batches(&self) -> Result<(SchemaRef, Vec<RecordBatch>)> {
        let texts: Vec<Vec<String>> = self
            .columns
            .iter()
            .map(|column| match column {
                RawColumn::Text { dictionary, .. } => dictionary.iter().map(String::from).collect(),
                RawColumn::Integer(_) | RawColumn::Skipped => Vec::new(),
            })
            .collect();
        let columns = self.names.iter().zip(self.columns.iter().zip(&texts)).filter_map(|(name, (column, labels))| {
            let cells: OutColumn<'_> = match column {
                RawColumn::Skipped => return None,
                RawColumn::Text { codes, .. } => {
                    OutColumn::Text { labels, code: Box::new(|row| codes.get(row).checked_sub(1)) }
                }
                RawColumn::Integer(numbers) => {
                    OutColumn::Integer(Box::new(|row| Some(numbers[row]).filter(|&number| number != NULL_INTEGER)))
                }
            };
            Some((name.clone(), cells))
        });
        record_batches(self.n_rows, &columns.collect::<Vec<_>>())
    }
}

fn schema(columns: &[Prepared<'_>]) -> SchemaRef {
    Arc::new(Schema::new(columns.iter().map(|column| column.field.clone()).collect::<Vec<_>>()))
}

fn dictionary_type() -> DataType {
    DataType::Dictionary(Box::new(DataType::UInt32), Box::new(DataType::LargeUtf8))
}

/// A column with what all its batches share.
struct Prepared<'a> {
    field: Field,
    column: &'a OutColumn<'a>,
    labels: Option<Arc<LargeStringArray>>,
    /// Texts of single rows that were made a dictionary.
    labelled: Option<DictionaryArray<UInt32Type>>,
}

impl<'a> Prepared<'a> {
    fn new(name: &str, column: &'a OutColumn<'a>) -> Self {
        let (data_type, labels) = match column {
            OutColumn::Text { labels, .. } => {
                (dictionary_type(), Some(Arc::new(LargeStringArray::from_iter_values(*labels))))
            }
            OutColumn::Integer(_) => (DataType::UInt32, None),
            OutColumn::Written(_) => (DataType::LargeUtf8, None),
        };
        Prepared { field: Field::new(name, data_type, true), column, labels, labelled: None }
    }

    /// Makes a dictionary of the texts of single rows.
    fn label_written(&mut self, n_rows: usize) {
        if let OutColumn::Written(text) = self.column {
            let mut builder = LargeStringDictionaryBuilder::<UInt32Type>::new();
            builder.extend((0..n_rows).map(text));
            self.labelled = Some(builder.finish());
            self.field = self.field.clone().with_data_type(dictionary_type());
        }
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
        if let Some(labelled) = &self.labelled {
            return Ok(Arc::new(labelled.slice(rows.start, rows.len())));
        }
        match (self.column, &self.labels) {
            (OutColumn::Text { code, .. }, Some(labels)) => {
                let keys: UInt32Array = rows.map(code).collect();
                let array = DictionaryArray::<UInt32Type>::try_new(keys, labels.clone());
                Ok(Arc::new(array.map_err(|_| Error::bug("a code to be written has no label"))?))
            }
            (OutColumn::Text { code: number, .. } | OutColumn::Integer(number), _) => {
                Ok(Arc::new(rows.map(number).collect::<UInt32Array>()))
            }
            (OutColumn::Written(text), _) => Ok(Arc::new(rows.map(text).collect::<LargeStringArray>())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ReadOptions, Want, read_stream};
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
                OutColumn::Written(Box::new(|row| (row % 3 > 0).then(|| (row as f64 / 8.0).to_string()))),
            ),
        ];
        let bytes = write_parquet(Vec::new(), "x.parquet", n_rows, &columns, Monitor::silent()).unwrap();
        let options = ReadOptions::default().columns(|name| if name == "group" { Want::Integer } else { Want::Text });
        let raw = read_stream(Cursor::new(bytes), "x.parquet", &options, Monitor::silent()).unwrap();
        assert_eq!((raw.n_rows, raw.names), (n_rows, ["group", "text", "sum"].map(String::from).to_vec()));
        let [
            RawColumn::Integer(numbers),
            RawColumn::Text { dictionary, codes },
            RawColumn::Text { dictionary: sums, codes: of_row },
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
        }
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
