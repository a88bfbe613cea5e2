//! FaultKind is wrong with a file, and where.

use super::*;
use crate::read_stream;
use scumble_table::Monitor;
use std::io::Write;

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
fn integers_and_their_faults() {
    let options = ReadOptions::default().columns(|name| if name == "group" { Want::Integer } else { Want::Text });
    let table = read_options("group,x\n0,a\n,b\n\"17\",c\n4294967294,d\n", &options).unwrap();
    assert_eq!(table.columns[0], RawColumn::Integer(vec![0, NULL_INTEGER, 17, 4_294_967_294]));
    let error = read_options("group,x\n1,a\n-2,b\n", &options).unwrap_err().to_string();
    assert_eq!(error, "f.csv, line 3, column `group`, value `-2`: this is not a plain whole number below 4294967295");
    let options = options.secret(|name| name == "group");
    let error = read_options("group,x\n1,a\n-2,b\n", &options).unwrap_err().to_string();
    assert_eq!(error, "f.csv, line 3, column `group`: this is not a plain whole number below 4294967295");
}

#[test]
fn the_header_can_be_refused_before_rows_are_read() {
    let options = ReadOptions::default().header(|names| crate::raw::position(names, "quasi", "zip").map(|_| vec![]));
    let error = read_with(b"zipcode,b\n1\n", &options, Tuning::default()).unwrap_err().to_string();
    assert_eq!(error, "quasi `zip`: there is no such column; hint: did you mean `zipcode`?");
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
    let error = read_stream(Failing(0), "pipe", &ReadOptions::default(), Monitor::silent()).unwrap_err();
    assert_eq!(error.to_string(), "cannot read `pipe`: the disk is on fire");
}
