//! What cannot be read.

use super::*;
use arrow_array::builder::{ListBuilder, UInt32Builder};
use arrow_schema::Field;
use scumble_table::Monitor;

#[test]
fn nested_columns_must_be_skipped() {
    let mut list = ListBuilder::new(UInt32Builder::new());
    list.values().append_value(1);
    list.append(true);
    let batch = RecordBatch::try_from_iter([
        ("list", Arc::new(list.finish()) as ArrayRef),
        ("bytes", Arc::new(BinaryArray::from(vec![&b"x"[..]]))),
        ("n", Arc::new(UInt32Array::from(vec![7]))),
    ])
    .unwrap();
    let skip = |names: &'static [&'static str]| {
        ReadOptions::default().columns(move |name| if names.contains(&name) { Want::Skip } else { Want::Text })
    };
    for (options, column, kind) in [(skip(&[]), "list", "list"), (skip(&["list"]), "bytes", "binary")] {
        for result in [
            from_batches(vec![batch.clone()], &options),
            from_parquet(parquet_bytes(std::slice::from_ref(&batch), 9), &options),
        ] {
            let error = result.unwrap_err().to_string();
            let expected = format!("batches, column `{column}`: values of type {kind} cannot be published");
            assert!(error.starts_with(&expected), "{error}");
        }
    }
    for options in [skip(&["list", "bytes"]), ReadOptions::default().pass_over_nested()] {
        let table = from_parquet(parquet_bytes(std::slice::from_ref(&batch), 9), &options).unwrap();
        assert_eq!((&table.columns[0], texts(&table, 2)), (&RawColumn::Skipped, vec!["7".to_string()]));
        assert_eq!(table.columns[1], RawColumn::Skipped);
    }
}

#[test]
fn nulls_names_and_emptiness() {
    let options = ReadOptions::default().nulls(vec!["-1".into(), "NaN".into()]);
    let numbers = RecordBatch::try_from_iter([
        ("n", Arc::new(Int64Array::from(vec![-1, 2])) as ArrayRef),
        ("f", Arc::new(Float64Array::from(vec![f64::NAN, 2.5]))),
    ])
    .unwrap();
    let table = from_parquet(parquet_bytes(std::slice::from_ref(&numbers), 9), &options).unwrap();
    assert_eq!(
        (texts(&table, 0), texts(&table, 1)),
        (vec!["".into(), "2".to_string()], vec!["".into(), "2.5".to_string()])
    );
    let empty = numbers.slice(0, 0);
    for result in [from_batches(vec![empty.clone()], &options), from_parquet(parquet_bytes(&[empty], 9), &options)] {
        assert_eq!(result.unwrap_err().to_string(), "batches: there are no rows");
    }
    let column: ArrayRef = Arc::new(Int64Array::from(vec![1]));
    let twice =
        Arc::new(Schema::new(vec![Field::new("a", DataType::Int64, true), Field::new("a", DataType::Int64, true)]));
    let batch = RecordBatch::try_new(twice, vec![column.clone(), column.clone()]).unwrap();
    let error = from_batches(vec![batch], &options).unwrap_err().to_string();
    assert!(error.starts_with("batches, column `a`: columns 1 and 2 have the same name"), "{error}");
    let error =
        RawTable::from_batches(&Schema::empty(), [], "batches", &options, Monitor::silent()).unwrap_err().to_string();
    assert_eq!(error, "batches: there are no columns");
    let error = RawTable::from_batches(
        &Schema::new(vec![Field::new("z", DataType::Int64, true)]),
        [numbers],
        "batches",
        &options,
        Monitor::silent(),
    );
    assert_eq!(error.unwrap_err().to_string(), "batches: a batch has other columns than the schema");
}

#[test]
fn dates_beyond_the_calendar_are_refused() {
    for array in [
        Arc::new(TimestampSecondArray::from(vec![i64::MAX])) as ArrayRef,
        Arc::new(TimestampSecondArray::from(vec![i64::MIN])),
        Arc::new(Date64Array::from(vec![i64::MIN])),
        Arc::new(Date32Array::from(vec![i32::MAX])),
    ] {
        let batch = RecordBatch::try_from_iter([("when", array)]).unwrap();
        let error = from_batches(vec![batch], &ReadOptions::default()).unwrap_err().to_string();
        assert!(error.starts_with("batches, column `when`: a date lies outside the calendar"), "{error}");
    }
    let edge = TimestampNanosecondArray::from(vec![i64::MAX, i64::MIN]);
    let batch = RecordBatch::try_from_iter([("when", Arc::new(edge) as ArrayRef)]).unwrap();
    let table = from_batches(vec![batch], &ReadOptions::default()).unwrap();
    assert_eq!(texts(&table, 0), ["2262-04-11T23:47:16.854775807", "1677-09-21T00:12:43.145224192"]);
}

#[test]
fn damaged_files_are_errors() {
    let sound = parquet_bytes(&[batch(columns())], 2);
    for cut in [12, 100, sound.len() / 2, sound.len() - 5] {
        let mut short = sound[..cut].to_vec();
        short.extend(b"PAR1");
        assert_eq!(from_parquet(short, &ReadOptions::default()).unwrap_err().exit_code(), 2);
    }
    // Flipped bytes may go unnoticed or be noticed, but never end the program.
    for at in (4..sound.len() - 8).step_by(101) {
        let mut flipped = sound.clone();
        flipped[at] ^= 0x3c;
        let _ = from_parquet(flipped, &ReadOptions::default());
    }
}
