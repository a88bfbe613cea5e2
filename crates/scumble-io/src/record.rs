//! One record at a time, for headers and for the small files people write by hand.

use crate::ReadOptions;
use crate::fault::FaultKind;
use scumble_table::{Error, Result};

/// A record, and the line on which it starts.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Record {
    pub(crate) line: u64,
    pub(crate) fields: Vec<String>,
}

/// Walks over the records of a file in memory, with the same rules for quotes as the reader of
/// large files. Blank lines are skipped.
#[derive(Debug)]
pub(crate) struct Records<'a> {
    file: &'a str,
    data: &'a [u8],
    /// No delimiter means that each line is one field.
    delimiter: Option<u8>,
    line: u64,
}

/// The mark some programs put before UTF-8 text.
pub(crate) const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

impl<'a> Records<'a> {
    pub(crate) fn new(file: &'a str, data: &'a [u8], delimiter: Option<u8>) -> Self {
        Records { file, data: data.strip_prefix(BYTE_ORDER_MARK).unwrap_or(data), delimiter, line: 1 }
    }

    /// The next record; `None` at the end.
    pub(crate) fn next(&mut self) -> Result<Option<Record>> {
        loop {
            match self.data {
                [] => return Ok(None),
                [b'\n', rest @ ..] | [b'\r', b'\n', rest @ ..] => {
                    self.data = rest;
                    self.line += 1;
                }
                _ => break,
            }
        }
        let line = self.line;
        let mut fields = Vec::new();
        loop {
            let opened = self.line;
            let bytes = if self.data.first() == Some(&b'"') { self.quoted()? } else { self.plain() };
            fields.push(String::from_utf8(bytes).map_err(|_| self.error(FaultKind::NotUtf8, opened))?);
            match self.data {
                [byte, rest @ ..] if Some(*byte) == self.delimiter => self.data = rest,
                [b'\n', rest @ ..] | [b'\r', b'\n', rest @ ..] => {
                    self.data = rest;
                    self.line += 1;
                    return Ok(Some(Record { line, fields }));
                }
                [] => return Ok(Some(Record { line, fields })),
                _ => return Err(self.error(FaultKind::AfterQuote, self.line)),
            }
        }
    }

    fn error(&self, kind: FaultKind, line: u64) -> Error {
        kind.error(self.file, Some(line), None, &ReadOptions::default())
    }

    fn plain(&mut self) -> Vec<u8> {
        let stop = |byte: &u8| *byte == b'\n' || Some(*byte) == self.delimiter;
        let end = self.data.iter().position(stop).unwrap_or(self.data.len());
        // A carriage return belongs to the line end, if there is one right after it.
        let end = if self.data.get(end) != Some(&b'\n') || !self.data[..end].ends_with(b"\r") { end } else { end - 1 };
        let (field, rest) = self.data.split_at(end);
        self.data = rest;
        field.to_vec()
    }

    fn quoted(&mut self) -> Result<Vec<u8>> {
        let opened = self.line;
        let mut out = Vec::new();
        let mut at = 1;
        loop {
            match (self.data.get(at), self.data.get(at + 1)) {
                (Some(b'"'), Some(b'"')) => {
                    out.push(b'"');
                    at += 2;
                }
                (Some(b'"'), _) => {
                    self.data = &self.data[at + 1..];
                    return Ok(out);
                }
                (Some(&byte), _) => {
                    self.line += u64::from(byte == b'\n');
                    out.push(byte);
                    at += 1;
                }
                (None, _) => return Err(self.error(FaultKind::OpenQuote, opened)),
            }
        }
    }
}

/// The file as it is on disk, for files small enough to hold in memory.
pub(crate) fn read_small(path: &std::path::Path) -> Result<Vec<u8>> {
    std::fs::read(path).map_err(|error| Error::io("read", path.display(), &error))
}

/// A small file as text.
///
/// # Errors
/// If there is none, or it is not UTF-8.
pub fn read_small_text(path: &std::path::Path) -> Result<String> {
    let not_utf8 = |_| FaultKind::NotUtf8.error(&path.display().to_string(), None, None, &ReadOptions::default());
    String::from_utf8(read_small(path)?).map_err(not_utf8)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str, delimiter: Option<u8>) -> Result<Vec<(u64, Vec<String>)>> {
        let mut records = Records::new("f", text.as_bytes(), delimiter);
        let mut out = Vec::new();
        while let Some(record) = records.next()? {
            out.push((record.line, record.fields));
        }
        Ok(out)
    }

    #[test]
    fn fields_lines_and_quotes() {
        let rows = all("\u{feff}a;\"b\n\"\"c\"\r\n\r\n;x\"y\n\"\";\n\"z\"", Some(b';')).unwrap();
        let expected: [(u64, &[&str]); 4] = [(1, &["a", "b\n\"c"]), (4, &["", "x\"y"]), (5, &["", ""]), (6, &["z"])];
        assert_eq!(rows.len(), expected.len());
        for (row, (line, fields)) in rows.iter().zip(expected) {
            assert_eq!((row.0, row.1.iter().map(String::as_str).collect::<Vec<_>>()), (line, fields.to_vec()));
        }
        assert_eq!(all("a, b\nc", None).unwrap(), [(1, vec!["a, b".to_string()]), (2, vec!["c".to_string()])]);
    }

    #[test]
    fn faults_name_their_line() {
        for (text, message) in [
            ("a\n\"b", "f, line 2: the quote that opens here is never closed"),
            ("a\n\"b\"c", "f, line 2: there is text after a closing quote"),
        ] {
            let error = all(text, Some(b';')).unwrap_err().to_string();
            assert!(error.starts_with(message), "{error}");
        }
        let error = Records::new("f", b"x\xff", None).next().unwrap_err().to_string();
        assert!(error.starts_with("f, line 1: the text is not UTF-8"), "{error}");
    }
}
