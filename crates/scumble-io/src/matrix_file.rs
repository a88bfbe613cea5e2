//! Matrix files, `label,label,distance` without a header: how far apart the labels of a column are.

use crate::record::{Records, read_small};
use scumble_table::{Error, Matrix, MatrixEntry, Result};
use std::path::Path;

/// Reads a matrix file; its fields are separated by `;` or, if its first line has none, by `,`.
///
/// # Errors
/// If a line does not have three fields, or [`Matrix::from_entries`] refuses what it says.
pub fn read_matrix(path: &Path) -> Result<Matrix> {
    parse_matrix(&path.display().to_string(), &read_small(path)?)
}

fn parse_matrix(file: &str, data: &[u8]) -> Result<Matrix> {
    let first = Records::new(file, data, Some(b';')).next();
    let semicolons = first.is_ok_and(|record| record.is_some_and(|record| record.fields.len() > 1));
    let mut records = Records::new(file, data, Some(if semicolons { b';' } else { b',' }));
    let mut entries = Vec::new();
    while let Some(record) = records.next()? {
        let Ok([row, column, distance]) = <[String; 3]>::try_from(record.fields) else {
            return Err(Error::data(file, "a line has two labels and their distance")
                .at(Some(record.line), None)
                .hint("such as `flu,cold,0.2`"));
        };
        entries.push(MatrixEntry { line: record.line, row, column, distance });
    }
    Matrix::from_entries(file, &entries)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_two_labels_and_a_distance() {
        for text in ["a,b,0.5\n\"b\",c,1\n", "\u{feff}a;b;0.5\r\nb;c;1\r\n"] {
            let matrix = parse_matrix("m", text.as_bytes()).unwrap();
            assert_eq!(matrix.distance("c", "b").map(|distance| distance.to_string()).as_deref(), Some("1"));
        }
        let error = parse_matrix("m", b"a,b,0.5\nb,c\n").unwrap_err().to_string();
        assert!(error.starts_with("m, line 2: a line has two labels"), "{error}");
    }
}
