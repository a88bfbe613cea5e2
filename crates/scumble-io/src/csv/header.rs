//! The first record of a file: the delimiter and the names of the columns.

use crate::record::{BYTE_ORDER_MARK, Records};
use crate::{ReadOptions, raw};
use memchr::memchr_iter;
use scumble_table::{Error, Result};

/// Delimiters a file may have without saying so; the earlier one wins a tie.
const DELIMITERS: [u8; 4] = [b',', b';', b'\t', b'|'];

/// FaultKind the first record says.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Header {
    pub(crate) names: Vec<String>,
    pub(crate) delimiter: u8,
    /// Lines the header takes, quoted line ends included.
    pub(crate) n_lines: u64,
}

/// Where the first record ends; `None` if the data does not reach that far.
pub(crate) fn header_end(data: &[u8], delimiter: Option<u8>) -> Option<usize> {
    let mut end = None;
    walk(data, delimiter, |at, byte| {
        if byte == b'\n' {
            end = Some(at + 1);
        }
        end.is_none()
    });
    end
}

/// Calls `visit` for each byte outside quotes until it gives false.
fn walk(data: &[u8], delimiter: Option<u8>, mut visit: impl FnMut(usize, u8) -> bool) {
    let first = if data.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
    let (mut at, mut opens, mut quoted) = (first, true, false);
    while let Some(&byte) = data.get(at) {
        if quoted {
            if byte == b'"' {
                if data.get(at + 1) == Some(&b'"') {
                    at += 1;
                } else {
                    quoted = false;
                }
            }
        } else if byte == b'"' && opens {
            quoted = true;
        } else if !visit(at, byte) {
            return;
        }
        opens = delimiter.map_or_else(|| DELIMITERS.contains(&byte), |d| d == byte);
        at += 1;
    }
}

/// Reads the first record.
pub(crate) fn parse_header(data: &[u8], source: &str, options: &ReadOptions<'_>) -> Result<Header> {
    let delimiter = match options.delimiter {
        Some(byte) => byte,
        None => {
            let mut counts = [0usize; DELIMITERS.len()];
            walk(data, None, |_, byte| {
                if let Some(which) = DELIMITERS.iter().position(|d| *d == byte) {
                    counts[which] += 1;
                }
                byte != b'\n'
            });
            let most = counts.iter().max().copied().unwrap_or(0);
            counts.iter().position(|n| *n == most).map_or(b',', |which| DELIMITERS[which])
        }
    };
    let first = if data.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
    if data.len() == first {
        return Err(Error::data(source, "the file is empty").hint("the first line must name the columns"));
    }
    // A blank first line is one column without a name.
    let blank = matches!(data[first], b'\n') || data[first..].starts_with(b"\r\n");
    let names = match Records::new(source, data, Some(delimiter)).next()? {
        Some(record) if !blank => record.fields,
        _ => vec![String::new()],
    };
    raw::check_names(&names, source, Some(1))?;
    Ok(Header { names, delimiter, n_lines: memchr_iter(b'\n', data).count() as u64 })
}

/// A delimiter must not be part of the notation itself.
pub(crate) fn check_delimiter(delimiter: Option<u8>) -> Result<()> {
    match delimiter {
        Some(byte @ (b'"' | b'\n' | b'\r')) => {
            let shown = char::from(byte).escape_default().to_string();
            Err(Error::request("delimiter", shown, "it has a meaning already")
                .hint("for example `,`, `;`, `|` or a tab"))
        }
        Some(byte) if !byte.is_ascii() => Err(Error::request("delimiter", "", "it is not an ASCII character")),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(text: &str) -> Result<(Vec<String>, char)> {
        parse_header(text.as_bytes(), "f", &ReadOptions::default()).map(|h| (h.names, char::from(h.delimiter)))
    }

    #[test]
    fn delimiters_are_found_outside_quotes() {
        for (text, names, delimiter) in [
            ("a,b\n", &["a", "b"][..], ','),
            ("a;b;c\r\n", &["a", "b", "c"], ';'),
            ("a\tb", &["a", "b"], '\t'),
            ("a|b\n", &["a", "b"], '|'),
            ("\"x,y,z\";b\n", &["x,y,z", "b"], ';'),
            ("\u{feff}\"a\";b\n", &["a", "b"], ';'),
            ("a\n", &["a"], ','),
            ("\"a\nb\",c\n", &["a\nb", "c"], ','),
            ("a,b;c,d\n", &["a", "b;c", "d"], ','),
        ] {
            let (found, by) = header(text).unwrap();
            assert_eq!(
                (found.iter().map(String::as_str).collect::<Vec<_>>(), by),
                (names.to_vec(), delimiter),
                "{text:?}"
            );
        }
    }

    #[test]
    fn faults_of_headers() {
        for (text, part) in [
            ("", "f: the file is empty"),
            ("\u{feff}", "f: the file is empty"),
            ("\n1\n", "f, line 1: column 1 of 1 has no name"),
            ("a,,b\n", "f, line 1: column 2 of 3 has no name"),
            ("a,b,\n", "f, line 1: column 3 of 3 has no name"),
            ("a,b,a\n", "f, line 1, column `a`: columns 1 and 3 have the same name"),
            ("a,\"b\n", "f, line 1: the quote that opens here is never closed"),
        ] {
            let error = header(text).unwrap_err().to_string();
            assert!(error.starts_with(part), "{text:?}: {error}");
        }
    }

    #[test]
    fn the_end_of_the_header() {
        assert_eq!(header_end(b"a,b\nc", None), Some(4));
        assert_eq!(header_end(b"a,\"b\n\"\"c\"\nd", None), Some(10));
        assert_eq!(header_end(b"a,\"b\n", None), None);
        assert_eq!(header_end(b"a", None), None);
        assert_eq!(header_end(b"x:\"a\n\":b\n", Some(b':')), Some(9));
    }
}
