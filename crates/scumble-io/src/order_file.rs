//! Files that give the order of labels: one label per line, from least to greatest.

use crate::record::{Records, read_small};
use scumble_table::{Error, Result};
use std::collections::BTreeMap;
use std::path::Path;

/// The labels of an ordinal column in order, and where they came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Order {
    /// The file, for messages.
    pub file: String,
    /// Labels from least to greatest, all distinct.
    pub labels: Vec<String>,
}

/// Reads an order file. A label with a line end or a leading quote stands in quotes, as in CSV; blank
/// lines are skipped.
pub fn read_order(path: &Path) -> Result<Order> {
    parse_order(&path.display().to_string(), &read_small(path)?)
}

/// Reads the bytes of an order file; `file` stands for it in messages.
pub fn parse_order(file: &str, data: &[u8]) -> Result<Order> {
    let mut records = Records::new(file, data, None);
    let mut labels = Vec::new();
    let mut seen: BTreeMap<String, u64> = BTreeMap::new();
    while let Some(record) = records.next()? {
        for label in record.fields {
            if let Some(before) = seen.insert(label.clone(), record.line) {
                // Lines are named, not labels: the order may be that of a column whose values are nobody's business.
                return Err(
                    Error::data(file, format!("this label is on line {before} already")).at(Some(record.line), None)
                );
            }
            labels.push(label);
        }
    }
    if labels.is_empty() {
        return Err(Error::data(file, "the order is empty").hint("one label per line, from least to greatest"));
    }
    Ok(Order { file: file.to_string(), labels })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_line_by_line() {
        let order = parse_order("o", "\u{feff}low\r\n\r\n\"middle, \"\"so\"\"\"\nhigh, very\n".as_bytes()).unwrap();
        assert_eq!(order.labels, ["low", "middle, \"so\"", "high, very"]);
    }

    #[test]
    fn faults() {
        for (text, message) in [
            ("", "o: the order is empty"),
            ("\n\r\n", "o: the order is empty"),
            ("a\nb\na\n", "o, line 3: this label is on line 1 already"),
            ("a\n\"b", "o, line 2: the quote that opens here is never closed"),
        ] {
            let error = parse_order("o", text.as_bytes()).unwrap_err().to_string();
            assert!(error.starts_with(message), "{error}");
        }
        assert!(read_order(Path::new("/no/such/file")).unwrap_err().to_string().ends_with("there is no such file"));
    }
}
