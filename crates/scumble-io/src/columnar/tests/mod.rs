//! Arrow batches and Parquet files: the same values must give the same texts by either way.

mod faults;

use super::*;
use crate::{Format, NULL_INTEGER, RawColumn, read, read_stream};
use ::parquet::arrow::ArrowWriter;
use ::parquet::file::properties::WriterProperties;
use arrow_array::builder::StringDictionaryBuilder;
use arrow_array::types::*;
use arrow_array::*;
use scumble_table::Monitor;
use std::io::Cursor;

/// A column's array with a null in second place, and the texts expected of it.
fn columns() -> Vec<(&'static str, ArrayRef, Vec<&'static str>)> {
    let float = |v: &[f64]| Float64Array::from(vec![Some(v[0]), None, Some(v[1])]);
    let mut dictionary = StringDictionaryBuilder::<Int8Type>::new();
    dictionary.append_value("x");
    dictionary.append_null();
    dictionary.append_value("y, \"z\"");
    let number_dictionary = DictionaryArray::<UInt16Type>::try_new(
        UInt16Array::from(vec![Some(1), None, Some(0)]),
        Arc::new(Int64Array::from(vec![10, -20])),
    );
    vec![
        ("bool", Arc::new(BooleanArray::from(vec![Some(true), None, Some(false)])), vec!["true", "", "false"]),
        ("i8", Arc::new(Int8Array::from(vec![Some(i8::MIN), None, Some(7)])), vec!["-128", "", "7"]),
        ("i16", Arc::new(Int16Array::from(vec![Some(i16::MIN), None, Some(7)])), vec!["-32768", "", "7"]),
        ("i32", Arc::new(Int32Array::from(vec![Some(i32::MIN), None, Some(7)])), vec!["-2147483648", "", "7"]),
        ("i64", Arc::new(Int64Array::from(vec![Some(i64::MIN), None, Some(7)])), vec!["-9223372036854775808", "", "7"]),
        ("u8", Arc::new(UInt8Array::from(vec![Some(255), None, Some(7)])), vec!["255", "", "7"]),
        ("u16", Arc::new(UInt16Array::from(vec![Some(65535), None, Some(7)])), vec!["65535", "", "7"]),
        ("u32", Arc::new(UInt32Array::from(vec![Some(u32::MAX), None, Some(7)])), vec!["4294967295", "", "7"]),
        (
            "u64",
            Arc::new(UInt64Array::from(vec![Some(u64::MAX), None, Some(7)])),
            vec!["18446744073709551615", "", "7"],
        ),
        ("f32", Arc::new(Float32Array::from(vec![Some(0.1), None, Some(1e30)])), vec!["0.1", "", "1e30"]),
        ("f64", Arc::new(float(&[0.1 + 0.2, -1e300])), vec!["0.30000000000000004", "", "-1e300"]),
        ("odd", Arc::new(float(&[f64::NAN, f64::INFINITY])), vec!["NaN", "", "inf"]),
        ("whole", Arc::new(float(&[12.0, -0.0])), vec!["12", "", "-0"]),
        ("d32", Arc::new(Date32Array::from(vec![Some(11_016), None, Some(-1)])), vec!["2000-02-29", "", "1969-12-31"]),
        (
            "d64",
            Arc::new(Date64Array::from(vec![Some(86_400_000), None, Some(-86_400_000)])),
            vec!["1970-01-02", "", "1969-12-31"],
        ),
        (
            "ts_s",
            Arc::new(TimestampSecondArray::from(vec![Some(86_400), None, Some(86_401)])),
            vec!["1970-01-02", "", "1970-01-02T00:00:01"],
        ),
        (
            "ts_us",
            Arc::new(TimestampMicrosecondArray::from(vec![Some(-1), None, Some(0)]).with_timezone("UTC")),
            vec!["1969-12-31T23:59:59.999999Z", "", "1970-01-01"],
        ),
        (
            "ts_ns",
            Arc::new(TimestampNanosecondArray::from(vec![Some(1_500_000_000), None, Some(0)])),
            vec!["1970-01-01T00:00:01.5", "", "1970-01-01"],
        ),
        (
            "t32",
            Arc::new(Time32MillisecondArray::from(vec![Some(3_661_500), None, Some(0)])),
            vec!["01:01:01.5", "", "00:00:00"],
        ),
        (
            "t64",
            Arc::new(Time64NanosecondArray::from(vec![Some(1), None, Some(0)])),
            vec!["00:00:00.000000001", "", "00:00:00"],
        ),
        ("dur", Arc::new(DurationMillisecondArray::from(vec![Some(-1500), None, Some(2000)])), vec!["-1.5", "", "2"]),
        (
            "dec128",
            Arc::new(
                Decimal128Array::from(vec![Some(-5), None, Some(12_345)]).with_precision_and_scale(38, 3).unwrap(),
            ),
            vec!["-0.005", "", "12.345"],
        ),
        (
            "dec256",
            Arc::new(
                Decimal256Array::from_iter([Some(i64::MAX), None, Some(0)].map(|v| v.map(Into::into)))
                    .with_precision_and_scale(60, 2)
                    .unwrap(),
            ),
            vec!["92233720368547758.07", "", "0.00"],
        ),
        ("utf8", Arc::new(StringArray::from(vec![Some("é\n"), None, Some("")])), vec!["é\n", "", ""]),
        ("large", Arc::new(LargeStringArray::from(vec![Some("a"), None, Some("b")])), vec!["a", "", "b"]),
        (
            "view",
            Arc::new(StringViewArray::from(vec![Some("a"), None, Some("longer than twelve bytes")])),
            vec!["a", "", "longer than twelve bytes"],
        ),
        ("dict", Arc::new(dictionary.finish()), vec!["x", "", "y, \"z\""]),
        ("ndict", Arc::new(number_dictionary.unwrap()), vec!["-20", "", "10"]),
    ]
}

/// Types that only Arrow has.
fn arrow_columns() -> Vec<(&'static str, ArrayRef, Vec<&'static str>)> {
    vec![
        ("null", Arc::new(NullArray::new(3)), vec!["", "", ""]),
        (
            "tens",
            Arc::new(Decimal128Array::from(vec![Some(-5), None, Some(0)]).with_precision_and_scale(5, -2).unwrap()),
            vec!["-500", "", "0"],
        ),
        (
            "dec32",
            Arc::new(Decimal32Array::from(vec![Some(-5), None, Some(123)]).with_precision_and_scale(5, 2).unwrap()),
            vec!["-0.05", "", "1.23"],
        ),
    ]
}

fn batch(columns: Vec<(&'static str, ArrayRef, Vec<&'static str>)>) -> RecordBatch {
    RecordBatch::try_from_iter_with_nullable(columns.into_iter().map(|(name, array, _)| (name, array, true))).unwrap()
}

fn parquet_bytes(batches: &[RecordBatch], group_rows: usize) -> Vec<u8> {
    let properties = WriterProperties::builder().set_max_row_group_row_count(Some(group_rows)).build();
    let mut writer = ArrowWriter::try_new(Vec::new(), batches[0].schema(), Some(properties)).unwrap();
    batches.iter().for_each(|batch| writer.write(batch).unwrap());
    writer.into_inner().unwrap()
}

fn from_batches(batches: Vec<RecordBatch>, options: &ReadOptions<'_>) -> Result<RawTable> {
    let schema = batches[0].schema();
    RawTable::from_batches(&schema, batches, "batches", options, Monitor::silent())
}

fn from_parquet(bytes: Vec<u8>, options: &ReadOptions<'_>) -> Result<RawTable> {
    read_stream(Cursor::new(bytes), "batches", options, Monitor::silent())
}

fn texts(table: &RawTable, column: usize) -> Vec<String> {
    match &table.columns[column] {
        RawColumn::Text { dictionary, codes } => codes.iter().map(|code| dictionary.text(code).to_string()).collect(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn every_type_has_its_text() {
    let all = || columns().into_iter().chain(arrow_columns()).collect::<Vec<_>>();
    let table = from_batches(vec![batch(all()), batch(all())], &ReadOptions::default()).unwrap();
    for (at, (name, _, expected)) in all().into_iter().enumerate() {
        assert_eq!(texts(&table, at), [&expected[..], &expected[..]].concat(), "{name}");
    }
}

#[test]
fn parquet_gives_the_same_table_whatever_its_row_groups() {
    // Parquet has no duration of its own and dates without time only.
    let plain = || columns().into_iter().filter(|(name, ..)| !["dur"].contains(name)).collect::<Vec<_>>();
    let batches = vec![batch(plain()), batch(plain()), batch(plain())];
    let expected = from_batches(batches.clone(), &ReadOptions::default()).unwrap();
    for group_rows in [1, 2, 4, 100] {
        for threads in [1, 2, 8] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let bytes = parquet_bytes(&batches, group_rows);
            let table = pool.install(|| from_parquet(bytes, &ReadOptions::default())).unwrap();
            assert_eq!(table, expected, "{group_rows} {threads}");
        }
    }
}

#[test]
fn parquet_files_are_known_by_their_marks() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("no-suffix");
    std::fs::write(&path, parquet_bytes(&[batch(columns())], 2)).unwrap();
    let table = read(&path, &ReadOptions::default(), Monitor::silent()).unwrap();
    assert_eq!((table.n_rows, table.source), (3, path.display().to_string()));
    let text = dir.path().join("x.csv");
    std::fs::write(&text, "a,b\n1,2\n3,4\n").unwrap();
    let error =
        read(&text, &ReadOptions::default().format(Format::Parquet), Monitor::silent()).unwrap_err().to_string();
    assert!(error.contains("this is not a sound Parquet file"), "{error}");
    let error = read(&path, &ReadOptions::default().format(Format::Csv), Monitor::silent()).unwrap_err();
    assert_eq!(error.exit_code(), 2);
}

#[test]
fn integers_from_numbers_and_texts() {
    let options = ReadOptions::default().columns(|_| Want::Integer);
    let good: [ArrayRef; 5] = [
        Arc::new(UInt32Array::from(vec![Some(3), None])),
        Arc::new(Int32Array::from(vec![Some(3), None])),
        Arc::new(Int64Array::from(vec![Some(3), None])),
        Arc::new(UInt8Array::from(vec![Some(3), None])),
        Arc::new(StringArray::from(vec![Some("3"), None])),
    ];
    for array in good {
        let table = from_batches(vec![RecordBatch::try_from_iter([("group", array)]).unwrap()], &options).unwrap();
        assert_eq!(table.columns[0], RawColumn::Integer(vec![3, NULL_INTEGER]));
    }
    let bad: [ArrayRef; 3] = [
        Arc::new(Int32Array::from(vec![-3])),
        Arc::new(UInt32Array::from(vec![u32::MAX])),
        Arc::new(StringArray::from(vec!["03"])),
    ];
    for (array, value) in bad.into_iter().zip(["-3", "4294967295", "03"]) {
        let batch = RecordBatch::try_from_iter([("group", array)]).unwrap();
        let error = from_batches(vec![batch.clone()], &options).unwrap_err().to_string();
        assert!(
            error.starts_with(&format!("batches, column `group`, value `{value}`: this is not a plain")),
            "{error}"
        );
        let secret = ReadOptions::default().columns(|_| Want::Integer).secret(|_| true);
        assert!(!from_batches(vec![batch], &secret).unwrap_err().to_string().contains("value `"));
    }
}
