//! What a Parquet file holds besides its cells: metadata, entries of dictionaries that no cell uses, statistics of values
//! that no cell shows, and bytes that belong to nothing.

use super::parquet::{damaged, guarded};
use crate::open_plain;
use parquet::basic::{LogicalType, Type};
use parquet::column::page::Page;
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::{AsBytes, DataType};
use parquet::errors::Result as ParquetResult;
use parquet::file::metadata::{ColumnChunkMetaData, PageIndexPolicy, ParquetMetaData, ParquetMetaDataReader};
use parquet::file::page_index::column_index::ColumnIndexMetaData;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::statistics::Statistics;
use rayon::prelude::*;
use scumble_table::{Error, Result};
use std::collections::BTreeSet;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

/// The name that our writer gives to itself, and to the root of a schema.
const WRITER: &str = "scumble";
const ROOT: &str = "arrow_schema";

/// Rows decoded at a time.
const BATCH: usize = 1 << 14;

/// A writer cuts texts in statistics off at 64 bytes, less the rest of a letter.
const CUT: usize = 60;

/// What a Parquet file holds besides its cells; empty for a file that holds nothing more. No value is named, since it may
/// be a secret.
///
/// # Errors
/// If the file is no plain and sound Parquet file.
pub fn parquet_extras(path: &Path) -> Result<Vec<String>> {
    let source = path.display().to_string();
    let open = || open_plain(path).map_err(|error| Error::io("read", &source, &error));
    guarded(&source, || {
        let mut file = open()?;
        let metadata = ParquetMetaDataReader::new()
            .with_page_index_policy(PageIndexPolicy::Optional)
            .parse_and_finish(&file)
            .map_err(|error| damaged(&source, &error))?;
        let mut found = about_file(&metadata);
        found.extend(gaps(&mut file, &metadata).map_err(|error| Error::io("read", &source, &error))?);
        let chunks: Vec<(usize, usize)> = (0..metadata.num_row_groups())
            .flat_map(|group| (0..metadata.row_group(group).num_columns()).map(move |column| (group, column)))
            .collect();
        let of_chunks: Vec<Result<Option<String>>> = chunks
            .par_iter()
            .map(|&(group, column)| {
                guarded(&source, || {
                    let told = about_chunk(open()?, &metadata, group, column);
                    told.map_err(|error| damaged(&source, &error))
                })
            })
            .collect();
        for told in of_chunks {
            found.extend(told?);
        }
        found.dedup();
        Ok(found)
    })
}

fn about_file(metadata: &ParquetMetaData) -> Vec<String> {
    let mut found = Vec::new();
    let file = metadata.file_metadata();
    if file.key_value_metadata().is_some_and(|pairs| !pairs.is_empty()) {
        found.push("it has key-value metadata".into());
    }
    if file.created_by().is_some_and(|name| name != WRITER) {
        found.push("it names another writer".into());
    }
    if file.schema().name() != ROOT {
        found.push("its schema has a name of its own".into());
    }
    if metadata.row_groups().iter().any(|group| group.sorting_columns().is_some()) {
        found.push("it says by which columns it is sorted".into());
    }
    found
}

/// Whether some bytes of the file belong to nothing that its directory names.
fn gaps(file: &mut File, metadata: &ParquetMetaData) -> std::io::Result<Option<String>> {
    let end = file.seek(SeekFrom::End(-8))?;
    let mut length = [0; 4];
    file.read_exact(&mut length)?;
    // The mark at the beginning; the directory, its length and the mark at the end.
    let mut parts = vec![(0, 4), (end.saturating_sub(u32::from_le_bytes(length).into()), end + 8)];
    for chunk in metadata.row_groups().iter().flat_map(|group| group.columns()) {
        let (start, length) = chunk.byte_range();
        parts.push((start, start + length));
        let indexes = [
            (chunk.column_index_offset(), chunk.column_index_length()),
            (chunk.offset_index_offset(), chunk.offset_index_length()),
        ];
        for (start, length) in indexes.into_iter().filter_map(|(start, length)| start.zip(length)) {
            let start = u64::try_from(start).unwrap_or(0);
            parts.push((start, start + u64::try_from(length).unwrap_or(0)));
        }
    }
    parts.sort_unstable();
    let mut covered = 0;
    for (start, end) in parts {
        if start > covered {
            return Ok(Some("it has bytes that belong to nothing".into()));
        }
        covered = covered.max(end);
    }
    Ok(None)
}

/// What one column of one row group holds besides its cells.
fn about_chunk(file: File, metadata: &ParquetMetaData, group: usize, column: usize) -> ParquetResult<Option<String>> {
    let chunk = metadata.row_group(group).column(column);
    let name = chunk.column_path().string();
    let told = |what: &str| Ok(Some(format!("column `{name}` has {what}")));
    if chunk.bloom_filter_offset().is_some() {
        return told("a filter that tells which values it does not hold");
    }
    if chunk.file_path().is_some() || chunk.geo_statistics().is_some() {
        return told("metadata that no table of a release has");
    }
    let reader = SerializedFileReader::new(file)?;
    let rows = reader.get_row_group(group)?;
    let shown = match rows.get_column_reader(column)? {
        ColumnReader::ByteArrayColumnReader(cells) => values(cells, |value| value.data().to_vec())?,
        ColumnReader::Int32ColumnReader(cells) => values(cells, |value| value.as_bytes().to_vec())?,
        ColumnReader::Int64ColumnReader(cells) => values(cells, |value| value.as_bytes().to_vec())?,
        ColumnReader::BoolColumnReader(cells) => values(cells, |value| value.as_bytes().to_vec())?,
        ColumnReader::FloatColumnReader(cells) => {
            with_both_zeros(values(cells, |value| value.as_bytes().to_vec())?, |sign| {
                (0f32 * sign as f32).to_le_bytes().to_vec()
            })
        }
        ColumnReader::DoubleColumnReader(cells) => {
            with_both_zeros(values(cells, |value| value.as_bytes().to_vec())?, |sign| {
                (0f64 * sign).to_le_bytes().to_vec()
            })
        }
        ColumnReader::FixedLenByteArrayColumnReader(cells) if is_decimal(chunk) => {
            values(cells, |value| value.data().to_vec())?
        }
        _ => return told("a type that no table of a release has"),
    };
    for page in rows.get_column_page_reader(column)? {
        let statistics = match page? {
            Page::DictionaryPage { buf, num_values, .. } => {
                if !is_used(&buf, num_values, chunk, &shown) {
                    return told("entries in its dictionary that no cell shows");
                }
                None
            }
            Page::DataPage { statistics, .. } | Page::DataPageV2 { statistics, .. } => statistics,
        };
        if statistics.is_some_and(|statistics| !ends_are_shown(&statistics, &shown)) {
            return told("statistics of values that no cell shows");
        }
    }
    let index = metadata.column_index().and_then(|index| index.get(group)?.get(column));
    let of_index = index.is_none_or(|index| index_is_shown(index, &shown));
    if !of_index || chunk.statistics().is_some_and(|statistics| !ends_are_shown(statistics, &shown)) {
        return told("statistics of values that no cell shows");
    }
    Ok(None)
}

/// The distinct values of a chunk, as the bytes that dictionaries and statistics hold.
fn values<T: DataType>(
    mut cells: ColumnReaderImpl<T>,
    bytes: impl Fn(&T::T) -> Vec<u8>,
) -> ParquetResult<BTreeSet<Vec<u8>>> {
    let mut shown = BTreeSet::new();
    let (mut batch, mut levels) = (Vec::new(), Vec::new());
    loop {
        batch.clear();
        levels.clear();
        let (records, ..) = cells.read_records(BATCH, Some(&mut levels), None, &mut batch)?;
        if records == 0 {
            return Ok(shown);
        }
        for value in &batch {
            let bytes = bytes(value);
            if !shown.contains(&bytes) {
                shown.insert(bytes);
            }
        }
    }
}

fn is_decimal(chunk: &ColumnChunkMetaData) -> bool {
    matches!(chunk.column_descr().logical_type_ref(), Some(LogicalType::Decimal { .. }))
}

/// Statistics show a zero at their lower end as the negative one and at their upper end as the positive one, whichever
/// occurs.
fn with_both_zeros(mut shown: BTreeSet<Vec<u8>>, zero: impl Fn(f64) -> Vec<u8>) -> BTreeSet<Vec<u8>> {
    let zeros = [zero(1.0), zero(-1.0)];
    if zeros.iter().any(|zero| shown.contains(zero)) {
        shown.extend(zeros);
    }
    shown
}

/// Whether a dictionary holds values of cells and nothing else.
fn is_used(mut page: &[u8], n_values: u32, chunk: &ColumnChunkMetaData, shown: &BTreeSet<Vec<u8>>) -> bool {
    for _ in 0..n_values {
        let length = match chunk.column_type() {
            Type::BYTE_ARRAY => {
                let Some((length, rest)) = page.split_first_chunk::<4>() else { return false };
                page = rest;
                u32::from_le_bytes(*length) as usize
            }
            Type::INT64 | Type::DOUBLE => 8,
            Type::FIXED_LEN_BYTE_ARRAY => usize::try_from(chunk.column_descr().type_length()).unwrap_or(0),
            _ => 4,
        };
        let Some((value, rest)) = page.split_at_checked(length) else { return false };
        if !shown.contains(value) {
            return false;
        }
        page = rest;
    }
    page.is_empty()
}

fn ends_are_shown(statistics: &Statistics, shown: &BTreeSet<Vec<u8>>) -> bool {
    [statistics.min_bytes_opt(), statistics.max_bytes_opt()].into_iter().flatten().all(|end| is_shown(end, shown))
}

fn index_is_shown(index: &ColumnIndexMetaData, shown: &BTreeSet<Vec<u8>>) -> bool {
    macro_rules! ends {
        ($index:expr) => {{
            let ends = $index.min_values_iter().chain($index.max_values_iter());
            ends.flatten().all(|end| is_shown(end.as_bytes(), shown))
        }};
    }
    match index {
        ColumnIndexMetaData::NONE => true,
        ColumnIndexMetaData::BOOLEAN(index) => ends!(index),
        ColumnIndexMetaData::INT32(index) => ends!(index),
        ColumnIndexMetaData::INT64(index) => ends!(index),
        ColumnIndexMetaData::FLOAT(index) => ends!(index),
        ColumnIndexMetaData::DOUBLE(index) => ends!(index),
        ColumnIndexMetaData::BYTE_ARRAY(index) | ColumnIndexMetaData::FIXED_LEN_BYTE_ARRAY(index) => {
            index.min_values_iter().chain(index.max_values_iter()).flatten().all(|end| is_shown(end, shown))
        }
        ColumnIndexMetaData::INT96(_) => false,
    }
}

/// A long text may be cut, and its last letter raised so that it bounds what was cut.
fn is_shown(end: &[u8], shown: &BTreeSet<Vec<u8>>) -> bool {
    if shown.contains(end) {
        return true;
    }
    let Some(start) = end.len().checked_sub(4).filter(|_| end.len() > CUT).map(|length| &end[..length]) else {
        return false;
    };
    shown.range(start.to_vec()..).next().is_some_and(|value| value.starts_with(start))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{OutColumn, write_parquet};
    use arrow_array::types::Int32Type;
    use arrow_array::{ArrayRef, DictionaryArray, Int32Array, RecordBatch, StringArray};
    use parquet::arrow::ArrowWriter;
    use parquet::file::metadata::KeyValue;
    use parquet::file::properties::{WriterProperties, WriterPropertiesBuilder};
    use scumble_table::Monitor;
    use std::sync::Arc;

    fn sums(n_rows: usize) -> OutColumn<'static> {
        let sums = (0..n_rows).map(|row| (row % 3 > 0).then_some(row as i64));
        OutColumn::Whole(Arc::new(sums.collect::<arrow_array::Int64Array>()))
    }

    fn extras(bytes: &[u8]) -> Vec<String> {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("t.parquet");
        std::fs::write(&path, bytes).unwrap();
        parquet_extras(&path).unwrap()
    }

    #[test]
    fn our_own_files_tell_nothing_more() {
        let labels: Vec<String> = (0..400).map(|i| format!("{i}{}", "é".repeat(i % 70))).collect();
        let columns = |n_rows: usize| {
            [
                ("group".to_string(), OutColumn::Integer(Box::new(|row| (row % 7 > 0).then_some(row as u32 * 3)))),
                // Only some of the labels occur.
                (
                    "text".to_string(),
                    OutColumn::Text {
                        labels: &labels,
                        code: Box::new(|row| (row % 5 > 0).then_some(row as u32 % 200)),
                    },
                ),
                ("sum".to_string(), sums(n_rows)),
                ("none".to_string(), OutColumn::Whole(Arc::new(arrow_array::StringArray::new_null(n_rows)))),
            ]
        };
        for n_rows in [1, 1000, 60_000] {
            let bytes = write_parquet(Vec::new(), "x.parquet", n_rows, &columns(n_rows), Monitor::silent()).unwrap();
            assert_eq!(extras(&bytes), [""; 0], "{n_rows}");
        }
    }

    fn foreign(
        columns: Vec<(&str, ArrayRef)>,
        change: impl Fn(WriterPropertiesBuilder) -> WriterPropertiesBuilder,
    ) -> Vec<String> {
        let batch = RecordBatch::try_from_iter(columns).unwrap();
        let properties = change(WriterProperties::builder().set_created_by(WRITER.into())).build();
        let options = parquet::arrow::arrow_writer::ArrowWriterOptions::new()
            .with_properties(properties)
            .with_skip_arrow_metadata(true);
        let mut bytes = Vec::new();
        let mut writer = ArrowWriter::try_new_with_options(&mut bytes, batch.schema(), options).unwrap();
        writer.write(&batch).unwrap();
        writer.close().unwrap();
        extras(&bytes)
    }

    #[test]
    fn what_others_add_is_told() {
        let texts = || Arc::new(StringArray::from(vec!["flu", "gout", "flu"])) as ArrayRef;
        let numbers = Arc::new(Int32Array::from(vec![1, 2, 2])) as ArrayRef;
        assert_eq!(foreign(vec![("ill", texts()), ("group", numbers)], |to| to), [""; 0]);
        let noted = |to: WriterPropertiesBuilder| {
            to.set_key_value_metadata(Some(vec![KeyValue::new("salary of Bob".into(), "9000".to_string())]))
        };
        assert_eq!(foreign(vec![("ill", texts())], noted), ["it has key-value metadata"]);
        assert_eq!(
            foreign(vec![("ill", texts())], |to| to.set_created_by("Bob has flu".into())),
            ["it names another writer"]
        );
        let filter = foreign(vec![("ill", texts())], |to| to.set_bloom_filter_enabled(true));
        assert!(filter.iter().any(|told| told.contains("`ill` has a filter")), "{filter:?}");
        let months = Arc::new(arrow_array::IntervalYearMonthArray::from(vec![1])) as ArrayRef;
        assert_eq!(foreign(vec![("x", months)], |to| to), ["column `x` has a type that no table of a release has"]);
    }

    #[test]
    fn all_types_of_tables_are_known() {
        let n = 50_000;
        let decimals = (0..n).map(|row| i128::from(row % 90)).collect::<arrow_array::Decimal128Array>();
        for array in [
            Arc::new((0..n).map(|row| Some(row % 3 == 0)).collect::<arrow_array::BooleanArray>()) as ArrayRef,
            Arc::new((0..n).map(|row| (row % 7 > 0).then_some(row)).collect::<arrow_array::Int64Array>()),
            Arc::new((0..n).map(|row| Some(row as f64 / 8.0)).collect::<arrow_array::Float64Array>()),
            Arc::new((0..n).map(|row| Some((row % 5) as f32 * -0.5)).collect::<arrow_array::Float32Array>()),
            Arc::new((0..n).map(|_| Some(-0.0)).collect::<arrow_array::Float64Array>()),
            Arc::new((0..n).map(|row| Some((row % 9) as i32)).collect::<arrow_array::Date32Array>()),
            Arc::new((0..n).map(|row| Some((row % 9) as i8)).collect::<arrow_array::Int8Array>()),
            Arc::new((0..n).map(|row| Some(row as u64)).collect::<arrow_array::UInt64Array>()),
            Arc::new((0..n).map(Some).collect::<arrow_array::TimestampMicrosecondArray>()),
            Arc::new(decimals.clone().with_precision_and_scale(38, 2).unwrap()),
            Arc::new(decimals.clone().with_precision_and_scale(18, 2).unwrap()),
            Arc::new(decimals.with_precision_and_scale(4, 2).unwrap()),
        ] {
            let columns = [("x".to_string(), OutColumn::Whole(array.clone()))];
            let bytes = write_parquet(Vec::new(), "x.parquet", n as usize, &columns, Monitor::silent()).unwrap();
            assert_eq!(extras(&bytes), [""; 0], "{}", array.data_type());
        }
    }

    #[test]
    fn entries_and_statistics_without_a_cell_are_told() {
        let labels = ["flu".to_string(), "gout".into(), "mumps".into()];
        let write = |codes: &[u32]| {
            let column = OutColumn::Text { labels: &labels, code: Box::new(|row| Some(codes[row])) };
            write_parquet(Vec::new(), "x", codes.len(), &[("ill".to_string(), column)], Monitor::silent()).unwrap()
        };
        let good = write(&[0, 1, 0, 1, 0, 1, 0, 1]);
        assert_eq!(extras(&good), [""; 0]);
        // The greatest value of the statistics, wherever it stands in clear, becomes another of the same length.
        let mut changed = good.clone();
        let places: Vec<usize> = good.windows(4).enumerate().filter(|(_, w)| *w == b"gout").map(|(at, _)| at).collect();
        assert!(!places.is_empty());
        let last = places[places.len() - 1];
        changed[last..last + 4].copy_from_slice(b"lues");
        let told = extras(&changed);
        assert!(told.iter().any(|told| told.contains("`ill`") && told.contains("no cell shows")), "{told:?}");
        // Bytes between the pages and the directory.
        let directory = u32::from_le_bytes(good[good.len() - 8..good.len() - 4].try_into().unwrap()) as usize;
        let cut = good.len() - 8 - directory;
        let hidden = [&good[..cut], b"the salary of Bob", &good[cut..]].concat();
        assert_eq!(extras(&hidden), ["it has bytes that belong to nothing"]);
    }

    #[test]
    fn a_dictionary_larger_than_its_cells_is_told() {
        let shown = BTreeSet::from([b"flu".to_vec()]);
        let labels = StringArray::from(vec!["flu"]);
        let array =
            Arc::new(DictionaryArray::<Int32Type>::new(Int32Array::from(vec![0, 0]), Arc::new(labels))) as ArrayRef;
        assert_eq!(foreign(vec![("ill", array)], |to| to), [""; 0]);
        let page = |texts: &[&str]| {
            texts.iter().flat_map(|t| [&(t.len() as u32).to_le_bytes()[..], t.as_bytes()].concat()).collect::<Vec<u8>>()
        };
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("t.parquet");
        let column = OutColumn::Text { labels: &["flu".to_string()], code: Box::new(|_| Some(0)) };
        std::fs::write(
            &path,
            write_parquet(Vec::new(), "x", 2, &[("ill".to_string(), column)], Monitor::silent()).unwrap(),
        )
        .unwrap();
        let reader = SerializedFileReader::new(File::open(&path).unwrap()).unwrap();
        let chunk = reader.metadata().row_group(0).column(0);
        assert!(is_used(&page(&["flu"]), 1, chunk, &shown));
        assert!(!is_used(&page(&["flu", "gout"]), 2, chunk, &shown));
        assert!(!is_used(&page(&["flu", "gout"]), 1, chunk, &shown));
        assert!(!is_used(&page(&["flu"])[..6], 1, chunk, &shown));
    }
}
