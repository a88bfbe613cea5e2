//! What a CSV file holds besides its cells: bytes that our writer would not have written.
//!
//! Quotes that are not needed, other line ends, blank lines and marks of byte order mean nothing to a reader, so they could
//! carry a message that no cell shows.

use crate::plain_file::open_plain;
use crate::write_csv::write_csv_field;
use memchr::{memchr, memchr_iter, memchr3};
use scumble_table::{Error, Result};
use std::io::{self, BufRead, BufReader};
use std::path::Path;

/// Bytes that are read at a time.
const BLOCK: usize = 1 << 20;

/// The first bytes of a CSV file that are not as [`write_csv_field`] and lines that end in a line feed give them.
///
/// # Errors
/// If the file cannot be read.
pub fn csv_extra(path: &Path) -> Result<Option<String>> {
    let read = open_plain(path).and_then(|file| extra(BufReader::with_capacity(BLOCK, file)));
    read.map_err(|error| Error::io("read", path.display().to_string(), &error))
}

fn extra(mut file: impl BufRead) -> io::Result<Option<String>> {
    if file.fill_buf()?.starts_with(b"\xef\xbb\xbf") {
        return Ok(Some("it begins with a mark of byte order".into()));
    }
    let (mut record, mut line, mut field) = (Vec::new(), 1u64, Vec::new());
    loop {
        record.clear();
        // A line end inside of quotes goes on with the next line.
        let mut lines = 0;
        loop {
            let read = file.read_until(b'\n', &mut record)?;
            lines += 1;
            if read == 0 || memchr_iter(b'"', &record).count().is_multiple_of(2) {
                break;
            }
        }
        let Some((&last, fields)) = record.split_last() else { return Ok(None) };
        if last != b'\n' {
            return Ok(Some("its last line has no end".into()));
        }
        if fields.is_empty() {
            return Ok(Some(format!("line {line} is blank")));
        }
        if !is_written_so(fields, &mut field) {
            return Ok(Some(format!("line {line} is not written as cells are")));
        }
        line += lines;
    }
}

/// Whether all fields of a record are written as our writer writes them.
fn is_written_so(mut fields: &[u8], field: &mut Vec<u8>) -> bool {
    // Without any of these bytes there is nothing to quote, and no other way to write it.
    if memchr3(b'"', b'\r', b' ', fields).is_none() && memchr(b'\t', fields).is_none() {
        return true;
    }
    loop {
        let (written, text) = split_field(fields);
        let Ok(text) = std::str::from_utf8(text.as_deref().unwrap_or(written)) else { return false };
        field.clear();
        write_csv_field(field, text);
        if field != written {
            return false;
        }
        match fields.get(written.len()) {
            Some(_) => fields = &fields[written.len() + 1..],
            None => return true,
        }
    }
}

/// The bytes of the first field, and what they say where they are quoted.
fn split_field(rest: &[u8]) -> (&[u8], Option<Vec<u8>>) {
    if rest.first() != Some(&b'"') {
        let end = memchr(b',', rest).unwrap_or(rest.len());
        return (&rest[..end], None);
    }
    let (mut at, mut text) = (1, Vec::new());
    while let Some(length) = memchr(b'"', &rest[at..]) {
        text.extend_from_slice(&rest[at..at + length]);
        at += length + 1;
        if rest.get(at) != Some(&b'"') {
            // Up to the next comma, which follows at once unless there is more text.
            let end = memchr(b',', &rest[at..]).map_or(rest.len(), |length| at + length);
            return (&rest[..end], Some(text));
        }
        text.push(b'"');
        at += 1;
    }
    (rest, Some(text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn found(bytes: &[u8]) -> Option<String> {
        // Blocks that end anywhere.
        extra(BufReader::with_capacity(3, bytes)).unwrap()
    }

    #[test]
    fn what_no_cell_shows_is_found() {
        assert_eq!(found(b"a,b\n1,\"[2,3]\"\n,\n\"say \"\"no\"\"\",x y\n"), None);
        for (text, words) in [
            ("a,b\r\n1,2\r\n", "line 1 is not"),
            ("a,b\n1,\"2\"\n", "line 2 is not"),
            ("a,b\n1, 2\n", "line 2 is not"),
            ("a,b\n\n1,2\n", "line 2 is blank"),
            ("a,b\n1,2", "no end"),
            ("a,b\n1,2\n\n", "line 3 is blank"),
            ("\u{feff}a,b\n", "byte order"),
            ("a,b\n\"x\"y,2\n", "line 2 is not"),
            ("a,b\n\"x\ny\",2\n\"1\",2\n", "line 4 is not"),
            ("a,b\n\"1,2\n", "line 2 is not"),
        ] {
            let found = extra(BufReader::new(text.as_bytes())).unwrap();
            assert!(found.as_ref().is_some_and(|one| one.contains(words)), "{text:?}: {found:?}");
        }
        assert!(found(b"a,b\n\"\xff,\",1\n").is_some());
    }

    proptest! {
        #[test]
        fn what_is_written_passes(cells in prop::collection::vec(prop::array::uniform2("[a ,\"\n\r\té]{0,5}"), 1..8)) {
            let mut out = Vec::new();
            for [first, second] in &cells {
                write_csv_field(&mut out, first);
                out.push(b',');
                write_csv_field(&mut out, second);
                out.push(b'\n');
            }
            prop_assert_eq!(found(&out), None);
        }
    }
}
