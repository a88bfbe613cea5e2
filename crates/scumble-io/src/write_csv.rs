//! Fields of CSV files, quoted where they must be.

use memchr::memchr3;

/// What may stand at the start of a file to tell its encoding.
const MARK: &str = "\u{feff}";

/// Begins a file with a mark of encoding if its first label begins with one: readers take the first for no part of the label.
pub(crate) fn keep_mark(out: &mut Vec<u8>, first_label: &str) {
    if first_label.starts_with(MARK) {
        out.extend_from_slice(MARK.as_bytes());
    }
}

/// Appends a field of a comma-separated file. It is quoted when it holds a comma, a quote or a line
/// end, or starts or ends with a blank, which some programs would take away.
pub fn write_csv_field(out: &mut Vec<u8>, text: &str) {
    write_delimited_field(out, text, b',');
}

/// Appends a field of a file with another delimiter, by the same rule.
pub fn write_delimited_field(out: &mut Vec<u8>, text: &str, delimiter: u8) {
    let bytes = text.as_bytes();
    let blank = |byte: Option<&u8>| matches!(byte, Some(b' ' | b'\t'));
    let plain = memchr3(delimiter, b'"', b'\n', bytes).is_none()
        && memchr::memchr(b'\r', bytes).is_none()
        && !blank(bytes.first())
        && !blank(bytes.last());
    if plain {
        out.extend_from_slice(bytes);
        return;
    }
    out.push(b'"');
    for part in bytes.split_inclusive(|byte| *byte == b'"') {
        out.extend_from_slice(part);
        if part.ends_with(b"\"") {
            out.push(b'"');
        }
    }
    out.push(b'"');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_only_where_they_must_be() {
        for (text, field) in [
            ("", ""),
            ("plain text", "plain text"),
            ("a,b", "\"a,b\""),
            ("a;b", "a;b"),
            ("say \"no\"", "\"say \"\"no\"\"\""),
            ("\"", "\"\"\"\""),
            ("two\nlines", "\"two\nlines\""),
            ("two\rlines", "\"two\rlines\""),
            (" a", "\" a\""),
            ("a\t", "\"a\t\""),
            ("é", "é"),
            ("[1,2]", "\"[1,2]\""),
        ] {
            let mut out = Vec::new();
            write_csv_field(&mut out, text);
            assert_eq!(String::from_utf8(out).unwrap(), field);
        }
        let mut out = Vec::new();
        write_delimited_field(&mut out, "a;b", b';');
        assert_eq!(out, b"\"a;b\"");
    }
}
