//! Matrix files, `label,label,distance` without a header: how far apart the labels of a column are, pair by pair.

use crate::record::{Record, Records, read_small};
use crate::write_csv::{keep_mark, write_csv_field};
use scumble_table::{Decimal, Error, Matrix, MatrixEntry, Result};
use std::path::Path;

/// Reads a matrix file; its fields are separated by `,` or `;`, whichever makes sense of its first line.
pub fn read_matrix(path: &Path) -> Result<Matrix> {
    parse_matrix(&path.display().to_string(), &read_small(path)?)
}

/// Reads the bytes of a matrix file; `file` stands for it in messages. Blank lines are skipped.
///
/// # Errors
/// A line that is not two labels and a distance, and whatever [`Matrix::from_entries`] refuses: the error names file and
/// line, and row and column where there are some.
pub fn parse_matrix(file: &str, data: &[u8]) -> Result<Matrix> {
    let mut records = Records::new(file, data, Some(delimiter(data)));
    let mut entries = Vec::new();
    while let Some(record) = records.next()? {
        entries.push(entry(file, record)?);
    }
    Matrix::from_entries(file, &entries)
}

/// The delimiter with which the first line ends in a number. It cannot do so with both: where the last comma is
/// followed by a number, no semicolon follows it. A line that ends in no number is refused, by the count of its fields.
fn delimiter(data: &[u8]) -> u8 {
    let first = |delimiter| Records::new("", data, Some(delimiter)).next().ok().flatten();
    let is_entry = |record: &Record| match &record.fields[..] {
        [_, _, distance] => Decimal::parse(distance.trim()).is_some(),
        _ => false,
    };
    let both = [b',', b';'].map(|delimiter| (delimiter, first(delimiter)));
    let whole = both.iter().find(|(_, record)| record.as_ref().is_some_and(is_entry));
    let three = || both.iter().find(|(_, record)| record.as_ref().is_some_and(|record| record.fields.len() == 3));
    whole.or_else(three).map_or(b',', |(delimiter, _)| *delimiter)
}

fn entry(file: &str, record: Record) -> Result<MatrixEntry> {
    let fault = |reason: String| Error::data(file, reason).at(Some(record.line), None);
    let [row, column, distance] = <[String; 3]>::try_from(record.fields).map_err(|fields| {
        fault(format!("this line has {} fields, and two labels and a distance are three", fields.len()))
            .hint("write one pair per line, such as `flu,cold,0.2`, and put a label that has the delimiter into quotes")
    })?;
    if row.is_empty() || column.is_empty() {
        return Err(fault(format!("row `{row}`, column `{column}`: a label is empty"))
            .hint("a missing value is at distance 1 from any other, and needs no line"));
    }
    Ok(MatrixEntry { line: record.line, row, column, distance })
}

/// The file form of the distances between pairs of labels, with commas.
pub fn write_matrix(out: &mut Vec<u8>, pairs: &[(String, String, Decimal)]) {
    if let Some((label, ..)) = pairs.first() {
        keep_mark(out, label);
    }
    for (row, column, distance) in pairs {
        write_csv_field(out, row);
        out.push(b',');
        write_csv_field(out, column);
        out.push(b',');
        out.extend_from_slice(distance.to_string().as_bytes());
        out.push(b'\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn all(matrix: &Matrix) -> Vec<(String, String, Decimal)> {
        let mut labels: Vec<&str> = matrix.labels().collect();
        labels.sort_unstable();
        matrix.pairs("m", &labels).unwrap()
    }

    #[test]
    fn both_delimiters_quotes_marks_and_line_ends() {
        let expected = parse_matrix("m", b"a,\"x,y\",0.5\na,c;d;e,1\n\"c;d;e\",\"x,y\",0.25\n").unwrap();
        assert_eq!(expected.distance("x,y", "a"), Decimal::parse("0.5"));
        assert_eq!(expected.distance("c;d;e", "x,y"), Decimal::parse("0.25"));
        for text in [
            "\u{feff}a,\"x,y\",0.5\r\n\r\na,c;d;e,1\r\n\"c;d;e\",\"x,y\", .25 ",
            "a;x,y;0.50\na;\"c;d;e\";1.0\n\"c;d;e\";x,y;0.25\n",
            "a;\"c;d;e\";1\nx,y;a;0.5\n\"x,y\";\"c;d;e\";\"0.25\"",
            "c;d;e,a,1\n\"x,y\",a,5e-1\n\"x,y\",c;d;e,0.25",
            "\"c;d;e\",a,1\n\"x,y\",a,0.5\n\"x,y\",c;d;e,0.25\na,a,0\n",
        ] {
            assert_eq!(all(&parse_matrix("m", text.as_bytes()).unwrap()), all(&expected), "{text:?}");
        }
        assert_eq!(parse_matrix("m", b"\n").unwrap().labels().len(), 0);
    }

    #[test]
    fn a_label_that_begins_with_a_mark_is_read_again() {
        let made = parse_matrix("m", "\u{feff}\u{feff},0,0.5\n".as_bytes()).unwrap();
        let mut out = Vec::new();
        write_matrix(&mut out, &made.pairs("m", &["\u{feff}", "0"]).unwrap());
        assert_eq!(parse_matrix("m", &out).unwrap().distance("\u{feff}", "0"), Decimal::parse("0.5"));
    }

    #[test]
    fn faults_name_line_row_and_column() {
        for (text, message) in [
            ("a,b\n", "m, line 1: this line has 2 fields"),
            ("a,b,0.5\n\na;b;0.5\n", "m, line 3: this line has 1 fields"),
            ("a,b,0.5,1\n", "m, line 1: this line has 4 fields"),
            ("from,to,distance\na,b,1\n", "m, line 1: row `from`, column `to`: the distance `distance` is not"),
            ("from;to;distance\na;b;1\n", "m, line 1: row `from`, column `to`: the distance `distance` is not"),
            ("a;b;0,5\n", "m, line 1: row `a`, column `b`: the distance `0,5` is not an exact decimal"),
            ("a,b,1\na,c,NaN\n", "m, line 2: row `a`, column `c`: the distance `NaN` is not an exact decimal"),
            ("a,b,1\n\"c\nd\",a,-1\n", "m, line 2: row `c\nd`, column `a`: the distance -1 is negative"),
            ("a,b,1\nb,a,0.5\n", "m, line 2: row `b`, column `a`: the distance is 0.5 here and 1 in another line"),
            ("a,b,1\na,a,0.5\n", "m, line 2: row `a`, column `a`: a label is at distance 0 from itself"),
            ("a,b,1\n,a,0.5\n", "m, line 2: row ``, column `a`: a label is empty"),
            ("a,b,1\n\"a,c,1\n", "m, line 2: the quote that opens here is never closed"),
        ] {
            let error = parse_matrix("m", text.as_bytes()).unwrap_err();
            assert!(error.to_string().starts_with(message), "{text:?}: {error}");
            assert_eq!(error.exit_code(), 2);
        }
        let error = parse_matrix("m", b"a,b,1\na,\xff,1\n").unwrap_err().to_string();
        assert!(error.starts_with("m, line 2: the text is not UTF-8"), "{error}");
        assert!(read_matrix(Path::new("/no/such/file")).unwrap_err().to_string().ends_with("there is no such file"));
    }

    proptest! {
        #[test]
        fn written_and_read_again(
            labels in proptest::collection::btree_set("[a;\",\n\r 1\u{e9}]{1,5}", 1..6),
            distances in proptest::collection::vec(0u32..1000, 15),
        ) {
            let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
            let mut next = distances.iter();
            let made = Matrix::tabulate(&labels, |_, _| Decimal::new((*next.next().unwrap()).into(), 2)).unwrap();
            let mut out = Vec::new();
            write_matrix(&mut out, &all(&made));
            prop_assert_eq!(all(&parse_matrix("m", &out).unwrap()), all(&made));
        }

        #[test]
        fn never_panics(data in proptest::collection::vec(prop_oneof![any::<u8>(), Just(b','), Just(b'\n'), Just(b'1')], 0..200)) {
            let _ = parse_matrix("m", &data);
        }
    }
}
