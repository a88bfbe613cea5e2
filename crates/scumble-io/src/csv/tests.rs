//! The reader as a whole, with blocks so small that their edges fall everywhere.

use super::*;
use crate::test_data::data_file;
use crate::{Dictionary, NO_INTEGER, NoProgress, RawColumn, Want, read, read_stream, write_delimited_field};
use flate2::write::GzEncoder;
use proptest::prelude::*;
use std::io::{Cursor, Write};

fn tiny(block_bytes: usize) -> Tuning {
    Tuning { block_bytes, stripe_fields: 5, most_bytes: 1 << 20, blocks_per_worker: 2 }
}

fn read_with(data: &[u8], options: &ReadOptions<'_>, tuning: Tuning) -> Result<RawTable> {
    read_csv(Cursor::new(data.to_vec()), "f.csv", None, options, &NoProgress, tuning)
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
        RawColumn::Integer(numbers) if numbers[row] == NO_INTEGER => String::new(),
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
        assert!(error.to_string().starts_with("--delimiter"), "{error}");
    }
}

#[test]
fn faults_name_line_column_and_counts() {
    for (text, expected) in [
        ("", "f.csv: the file is empty; hint: the first line must name the columns"),
        ("a,b\n", "f.csv: there are no rows below the header"),
        ("a,b", "f.csv: there are no rows below the header"),
        ("a,b\n\n\r\n", "f.csv: there are no rows below the header"),
        (
            "a,b,a\n1,2,3\n",
            "f.csv, line 1, column `a`: columns 1 and 3 have the same name; hint: give every column a name of its own",
        ),
        ("a,,c\n1,2,3\n", "f.csv, line 1: column 2 of 3 has no name; hint: the first line must name every column"),
        ("a,b\n1,2\n1\n", "f.csv, line 3: this line has 1 field but the header names 2 columns"),
        ("a,b\n1,2\n1,2,3\n", "f.csv, line 3: this line has 3 fields but the header names 2 columns"),
        ("a\n1\n1,2\n", "f.csv, line 3: this line has 2 fields but the header names 1 column"),
        ("a,b\n\"1\n\",2\n\"x\"\n", "f.csv, line 4: this line has 1 field but the header names 2 columns"),
        ("a,b\n\n\"1\",2,3,4\n", "f.csv, line 3: this line has 4 fields but the header names 2 columns"),
        ("a,b\n1,2\n3,\"x\n4,5\n", "f.csv, line 3, column `b`: the quote that opens here is never closed"),
        ("a,b\n\"1\n2\",\"x\"y\n", "f.csv, line 3, column `b`: there is text after a closing quote"),
        ("a,b\n\"1\" ,2\n", "f.csv, line 2, column `a`: there is text after a closing quote"),
        ("a,b\n\"1\"\r,2\n", "f.csv, line 2, column `a`: there is text after a closing quote"),
    ] {
        let found = message(text);
        assert!(found.starts_with(expected), "{text:?}: {found}");
    }
    let found = message(b"a,b\n1,2\nx,\xff\n\xfe,3\n");
    assert!(found.starts_with("f.csv, line 3, column `b`: the text is not UTF-8; hint: "), "{found}");
    let found = message(b"a,\xff\n1,2\n");
    assert!(found.starts_with("f.csv, line 1: the text is not UTF-8"), "{found}");
}

#[test]
fn the_first_fault_is_named_whichever_column_it_is_in() {
    // Columns are coded one after the other, but a fault of an earlier line comes first.
    let mut text = b"a,b\n".to_vec();
    text.extend(b"1,2\n3,\xff\n\xff,4\n5\n");
    assert!(message(&text).starts_with("f.csv, line 3, column `b`: "), "{}", message(&text));
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
fn integers_and_their_faults() {
    let options = ReadOptions::default().columns(|name| if name == "group" { Want::Integer } else { Want::Text });
    let table = read_options("group,x\n0,a\n,b\n\"17\",c\n4294967294,d\n", &options).unwrap();
    assert_eq!(table.columns[0], RawColumn::Integer(vec![0, NO_INTEGER, 17, 4_294_967_294]));
    let error = read_options("group,x\n1,a\n-2,b\n", &options).unwrap_err().to_string();
    assert_eq!(error, "f.csv, line 3, column `group`, value `-2`: this is not a plain whole number below 4294967295");
    let options = options.secret(|name| name == "group");
    let error = read_options("group,x\n1,a\n-2,b\n", &options).unwrap_err().to_string();
    assert_eq!(error, "f.csv, line 3, column `group`: this is not a plain whole number below 4294967295");
}

#[test]
fn texts_that_mean_null() {
    let options = ReadOptions::default().nulls(vec!["?".into(), "NA".into()]);
    let table = read_options("a,b\n?,1\nx,NA\nNA,?\n\"?\",2\nna,3\n", &options).unwrap();
    assert_eq!(cells(&table), [["", "1"], ["x", ""], ["", ""], ["", "2"], ["na", "3"]]);
    assert_eq!(dictionary(&table, 0).iter().collect::<Vec<_>>(), ["x", "na"]);
}

#[test]
fn the_header_can_be_refused_before_rows_are_read() {
    let options = ReadOptions::default().header(|names| crate::raw::position(names, "--quasi", "zip").map(|_| vec![]));
    let error = read_with(b"zipcode,b\n1\n", &options, Tuning::default()).unwrap_err().to_string();
    assert_eq!(error, "--quasi `zip`: there is no such column; hint: did you mean `zipcode`?");
    let options = ReadOptions::default().header(|_| Ok(vec![]));
    assert!(read_with(b"a\n1\n", &options, Tuning::default()).unwrap_err().to_string().contains("fault of scumble"));
}

#[test]
fn records_without_end_are_given_up() {
    let tuning = Tuning { most_bytes: 1 << 20, ..Tuning::default() };
    let text = format!("a,b\n1,2\n3,\"{}", "x\n".repeat(1 << 20));
    let error = read_with(text.as_bytes(), &ReadOptions::default(), tuning).unwrap_err().to_string();
    assert!(error.starts_with("f.csv, line 3: the quote that opens here is never closed"), "{error}");
    let text = format!("a,b\n1,2\n{}", "x".repeat(1 << 22));
    let error = read_with(text.as_bytes(), &ReadOptions::default(), tuning).unwrap_err().to_string();
    assert!(error.starts_with("f.csv, line 3: this record is longer than 1 MiB"), "{error}");
    let error = read_with("x".repeat(1 << 22).as_bytes(), &ReadOptions::default(), tuning).unwrap_err().to_string();
    assert!(error.starts_with("f.csv, line 1: this record is longer than 1 MiB"), "{error}");
}

fn zipped(data: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(data).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn gzip_is_undone() {
    let text = "a,b\n1,\"x\ny\"\n2,z\n";
    let plain = read_text(text).unwrap();
    assert_eq!(read_text(zipped(text.as_bytes())).unwrap(), plain);
    let members: Vec<u8> = text.as_bytes().chunks(5).flat_map(zipped).collect();
    assert_eq!(read_text(&members).unwrap(), plain);
    let error = message(&members[..members.len() - 9]);
    assert!(error.starts_with("f.csv: the gzip stream is damaged or cut short"), "{error}");
    let mut broken = zipped(&text.repeat(99).into_bytes());
    let middle = broken.len() / 2;
    broken[middle] ^= 0x55;
    assert!(read_with(&broken, &ReadOptions::default(), Tuning::default()).is_err());
}

#[test]
fn files_pipes_and_marks() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("x.csv");
    let text = "PAR1,b\n1,2\n";
    std::fs::write(&path, text).unwrap();
    let table = read(&path, &ReadOptions::default(), &NoProgress).unwrap();
    assert_eq!((cells(&table), table.source), (vec![vec!["1".to_string(), "2".into()]], path.display().to_string()));
    let stream = |data: Vec<u8>| read_stream(Cursor::new(data), "standard input", &ReadOptions::default(), &NoProgress);
    assert_eq!(cells(&stream(text.into()).unwrap()), [["1", "2"]]);
    assert_eq!(cells(&stream(zipped(text.as_bytes())).unwrap()), [["1", "2"]]);
    assert_eq!(
        stream(Vec::new()).unwrap_err().to_string(),
        "standard input: the file is empty; hint: the first line must name the columns"
    );
    assert!(read(dir.path(), &ReadOptions::default(), &NoProgress).unwrap_err().to_string().contains("directory"));
    let none = read(&dir.path().join("none"), &ReadOptions::default(), &NoProgress).unwrap_err();
    assert_eq!(none.exit_code(), 3);
}

#[test]
fn progress_adds_up() {
    #[derive(Default)]
    struct Sum(std::sync::Mutex<(Option<u64>, u64, u64)>);
    impl Progress for Sum {
        fn start(&self, total_bytes: Option<u64>) {
            self.0.lock().unwrap().0 = total_bytes;
        }
        fn advance(&self, bytes: u64, rows: u64) {
            let mut sum = self.0.lock().unwrap();
            sum.1 += bytes;
            sum.2 += rows;
        }
    }
    let sum = Sum::default();
    let text = format!("a,b\n{}", "1,2\n".repeat(10_000));
    let total = text.len() as u64;
    read_csv(Cursor::new(text), "f", Some(total), &ReadOptions::default(), &sum, tiny(4096)).unwrap();
    assert_eq!(*sum.0.lock().unwrap(), (Some(total), total, 10_000));
}

#[test]
fn a_failing_stream_is_an_io_error() {
    struct Failing(usize);
    impl Read for Failing {
        fn read(&mut self, mut out: &mut [u8]) -> std::io::Result<usize> {
            self.0 += 1;
            match self.0 {
                1 => out.write(b"a,b\n1,2\n"),
                2 => Err(std::io::ErrorKind::Interrupted.into()),
                _ => Err(std::io::Error::other("the disk is on fire")),
            }
        }
    }
    let error = read_stream(Failing(0), "pipe", &ReadOptions::default(), &NoProgress).unwrap_err();
    assert_eq!(error.to_string(), "cannot read `pipe`: the disk is on fire");
}

/// Writes a table, quoting fields that need it and, at random, some that do not.
fn written(rows: &[Vec<String>], quoted: &[bool], delimiter: u8, crlf: bool, last: bool) -> Vec<u8> {
    let mut out = Vec::new();
    let mut coins = quoted.iter().cycle();
    for (at, row) in rows.iter().enumerate() {
        for (column, text) in row.iter().enumerate() {
            if column > 0 {
                out.push(delimiter);
            }
            if *coins.next().unwrap_or(&true) {
                out.extend(format!("\"{}\"", text.replace('"', "\"\"")).bytes());
            } else {
                write_delimited_field(&mut out, text, delimiter);
            }
        }
        if last || at + 1 < rows.len() {
            out.extend(if crlf { &b"\r\n"[..] } else { b"\n" });
        }
    }
    out
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn what_is_written_is_read(
        rows in (2usize..5).prop_flat_map(|n| proptest::collection::vec(
            proptest::collection::vec("[ab,;\"\n\r \u{e9}\0]{0,4}|[0-9]{1,12}", n), 1..12)),
        quoted in proptest::collection::vec(any::<bool>(), 1..20),
        delimiter in proptest::sample::select(vec![b',', b';', b'\t']),
        crlf in any::<bool>(),
        last in any::<bool>(),
        block_bytes in 1usize..40,
    ) {
        let mut all = vec![(0..rows[0].len()).map(|i| format!("column {i}")).collect::<Vec<_>>()];
        all.extend(rows.iter().cloned());
        let data = written(&all, &quoted, delimiter, crlf, last);
        let options = ReadOptions::default().delimiter(Some(delimiter));
        let mut first: Option<RawTable> = None;
        for threads in [1, 2, 8] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let table = pool.install(|| read_with(&data, &options, tiny(block_bytes))).unwrap();
            prop_assert_eq!(&cells(&table), &rows);
            prop_assert!(first.is_none_or(|first| first == table));
            first = Some(table);
        }
    }

    #[test]
    fn any_bytes_give_the_same_for_any_block_size(
        data in proptest::collection::vec(proptest::sample::select(b"a,\"\n\r1\xff\0\xef\xbb\xbf".to_vec()), 0..60),
    ) {
        let whole = read_with(&data, &ReadOptions::default(), Tuning::default());
        for block_bytes in [1, 2, 3, 5, 8, 13] {
            prop_assert_eq!(&read_with(&data, &ReadOptions::default(), tiny(block_bytes)), &whole);
        }
    }
}

#[test]
fn adult_and_census_are_the_same_for_any_number_of_threads() {
    for (name, n_rows, n_columns) in [
        ("adult/adult_capital_loss_1427.csv", 1427, 15),
        ("adult/adult_all_48842.csv.gz", 48_842, 15),
        ("nhanes/NHANESraw_20293.csv.gz", 20_293, 79),
        ("acs2024/acs2024_sal_like_500000.csv.gz", 500_000, 9),
    ] {
        let Some(path) = data_file(name) else { continue };
        let tables: Vec<RawTable> = [1, 2, 8]
            .into_iter()
            .map(|threads| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                pool.install(|| read(&path, &ReadOptions::default(), &NoProgress)).unwrap()
            })
            .collect();
        assert_eq!((tables[0].n_rows, tables[0].names.len()), (n_rows, n_columns), "{name}");
        assert!(tables[0] == tables[1] && tables[1] == tables[2], "{name}");
    }
}
