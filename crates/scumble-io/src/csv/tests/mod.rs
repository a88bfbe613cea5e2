//! The reader as a whole, with blocks so small that their edges fall everywhere.

mod faults;
mod round_trip;
mod sources;

use super::*;
use crate::{Dictionary, NULL_INTEGER, RawColumn, Want};
use scumble_table::Monitor;
use std::io::Cursor;

fn tiny(block_bytes: usize) -> Tuning {
    Tuning { block_bytes, stripe_fields: 5, most_bytes: 1 << 20, blocks_per_worker: 2 }
}

fn read_with(data: &[u8], options: &ReadOptions<'_>, tuning: Tuning) -> Result<RawTable> {
    read_csv(Cursor::new(data.to_vec()), "f.csv", None, options, Monitor::silent(), tuning)
}

/// Reads with several block sizes, which must all agree.
fn read_text(data: impl AsRef<[u8]>) -> Result<RawTable> {
    read_options(data, &ReadOptions::default())
}

fn read_options(data: impl AsRef<[u8]>, options: &ReadOptions<'_>) -> Result<RawTable> {
    let data = data.as_ref();
    let whole = read_with(data, options, Tuning::default());
    for block_bytes in [1, 2, 3, 7, 16, 64] {
        assert_eq!(read_with(data, options, tiny(block_bytes)), whole, "blocks of {block_bytes}");
    }
    whole
}

fn cells(table: &RawTable) -> Vec<Vec<String>> {
    let cell = |column: &RawColumn, row: usize| match column {
        RawColumn::Skipped => "-".into(),
        RawColumn::Text { dictionary, codes } => dictionary.text(codes.get(row)).to_string(),
        RawColumn::Integer(numbers) if numbers[row] == NULL_INTEGER => String::new(),
        RawColumn::Integer(numbers) => numbers[row].to_string(),
    };
    (0..table.n_rows).map(|row| table.columns.iter().map(|column| cell(column, row)).collect()).collect()
}

fn dictionary(table: &RawTable, column: usize) -> &Dictionary {
    match &table.columns[column] {
        RawColumn::Text { dictionary, .. } => dictionary,
        other => panic!("{other:?}"),
    }
}

fn message(data: impl AsRef<[u8]>) -> String {
    read_text(data).unwrap_err().to_string()
}

#[test]
fn cells_of_plain_and_quoted_files() {
    let expected = [["1", "x"], ["2", ""], ["", "a,b \"c\"\nd"], ["1", "x"]];
    for text in [
        "a,b\n1,x\n2,\n,\"a,b \"\"c\"\"\nd\"\n1,x\n",
        "a,b\r\n1,x\r\n2,\r\n,\"a,b \"\"c\"\"\nd\"\r\n1,x",
        "\u{feff}a;b\n1;x\n\n2;\"\"\n\r\n\"\";\"a,b \"\"c\"\"\nd\"\n\"1\";\"x\"\r\n",
    ] {
        let table = read_text(text).unwrap();
        assert_eq!(table.names, ["a", "b"]);
        assert_eq!(cells(&table), expected, "{text:?}");
        assert_eq!(dictionary(&table, 0).iter().collect::<Vec<_>>(), ["1", "2"]);
    }
}

#[test]
fn lines_are_physical_lines() {
    let table = read_text("a,b\n1,\"x\ny\nz\"\n\n2,u\r\n\r\n3,\"v\"\n").unwrap();
    let lines = |column: usize| (1..=3).map(|code| dictionary(&table, column).line(code)).collect::<Vec<_>>();
    assert_eq!(lines(0), [Some(2), Some(6), Some(8)]);
    assert_eq!(lines(1), [Some(2), Some(6), Some(8)]);
    let table = read_text("\"a\nb\"\n1\n").unwrap();
    assert_eq!((table.names[0].as_str(), dictionary(&table, 0).line(1)), ("a\nb", Some(3)));
}

#[test]
fn blank_lines_are_null_rows_of_a_single_column_only() {
    assert_eq!(cells(&read_text("a\n1\n\n2\r\n\r\n").unwrap()), [["1"], [""], ["2"], [""]]);
    assert_eq!(cells(&read_text("a,b\n\n1,2\n\n\r\n3,4\n\n").unwrap()), [["1", "2"], ["3", "4"]]);
}

#[test]
fn odd_but_allowed() {
    // A quote inside a plain field is text, a lone carriage return too, and so are NUL bytes.
    assert_eq!(cells(&read_text("a,b\n5\" pipe,x\n\"y\",6\" pipe\n").unwrap()), [["5\" pipe", "x"], ["y", "6\" pipe"]]);
    assert_eq!(cells(&read_text("a,b\nx\ry,z\n").unwrap()), [["x\ry", "z"]]);
    assert_eq!(cells(&read_text("a,b\n\0,x\0\n\0\0,x\n").unwrap()), [["\0", "x\0"], ["\0\0", "x"]]);
    assert_eq!(cells(&read_text("a\n\"\"\"\"\n").unwrap()), [["\""]]);
    let table = read_text("a,b\n12345678,1234567\n123456789,12345678\n").unwrap();
    assert_eq!(cells(&table), [["12345678", "1234567"], ["123456789", "12345678"]]);
    let spaced = read_text("a b,ü\n 1 , x\n").unwrap();
    assert_eq!(
        (spaced.names.clone(), cells(&spaced)),
        (vec!["a b".into(), "ü".into()], vec![vec![" 1 ".into(), " x".into()]])
    );
}

#[test]
fn a_delimiter_can_be_given() {
    let options = ReadOptions::default().delimiter(Some(b':'));
    assert_eq!(cells(&read_options("a:b,c\n1:\"2:3\"\n", &options).unwrap()), [["1", "2:3"]]);
    for byte in [b'"', b'\n', b'\r', 0xe9] {
        let options = ReadOptions::default().delimiter(Some(byte));
        let error = read_with(b"a\n1\n", &options, Tuning::default()).unwrap_err();
        assert!(error.to_string().starts_with("delimiter"), "{error}");
    }
}

#[test]
fn skipped_columns_may_hold_anything() {
    let options = ReadOptions::default().columns(|name| if name == "b" { Want::Skip } else { Want::Text });
    let table = read_options(b"a,b,c\n1,\xff\xfe,2\n", &options).unwrap();
    assert_eq!(
        (&table.columns[1], cells(&table)),
        (&RawColumn::Skipped, vec![vec!["1".into(), "-".into(), "2".into()]])
    );
}

#[test]
fn texts_that_mean_null() {
    let options = ReadOptions::default().nulls(vec!["?".into(), "NA".into()]);
    let table = read_options("a,b\n?,1\nx,NA\nNA,?\n\"?\",2\nna,3\n", &options).unwrap();
    assert_eq!(cells(&table), [["", "1"], ["x", ""], ["", ""], ["", "2"], ["na", "3"]]);
    assert_eq!(dictionary(&table, 0).iter().collect::<Vec<_>>(), ["x", "na"]);
}
