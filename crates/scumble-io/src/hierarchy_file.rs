//! Hierarchy files, `value;level1;...;*` without a header, as users of other tools have them.

use crate::record::{Records, read_small};
use crate::write_csv::{keep_mark, write_delimited_field};
use scumble_table::{Hierarchy, Result};
use std::path::Path;

/// Reads a hierarchy file; its levels are separated by `;` or, if its first line has none, by `,`.
pub fn read_hierarchy(path: &Path) -> Result<Hierarchy> {
    parse_hierarchy(&path.display().to_string(), &read_small(path)?)
}

/// Reads the bytes of a hierarchy file; `file` stands for it in messages. Blank lines are skipped.
pub fn parse_hierarchy(file: &str, data: &[u8]) -> Result<Hierarchy> {
    // Quotes decide what a delimiter is, so both readings of the first line are tried.
    let first = Records::new(file, data, Some(b';')).next();
    let semicolons = first.is_ok_and(|record| record.is_some_and(|record| record.fields.len() > 1));
    let mut records = Records::new(file, data, Some(if semicolons { b';' } else { b',' }));
    let (mut rows, mut lines) = (Vec::new(), Vec::new());
    while let Some(record) = records.next()? {
        rows.push(record.fields);
        lines.push(record.line);
    }
    Hierarchy::from_rows(file, &rows, &lines)
}

/// The file form of a hierarchy, with semicolons.
pub fn write_hierarchy(out: &mut Vec<u8>, tree: &Hierarchy) {
    if let Some(label) = tree.rows().first().and_then(|row| row.first()) {
        keep_mark(out, label);
    }
    for row in tree.rows() {
        for (level, label) in row.iter().enumerate() {
            if level > 0 {
                out.push(b';');
            }
            write_delimited_field(out, label, b';');
        }
        out.push(b'\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_data::data_file;
    use proptest::prelude::*;

    fn labels(tree: &Hierarchy) -> Vec<Vec<String>> {
        tree.rows().iter().map(|row| row.iter().map(ToString::to_string).collect()).collect()
    }

    #[test]
    fn both_delimiters_quotes_marks_and_line_ends() {
        let expected = [["a", "x,y", "*"], ["b", "x,y", "*"], ["c;d", "z", "*"]];
        for text in [
            "a;x,y;*\nb;x,y;*\n\"c;d\";z;*\n",
            "\u{feff}a;x,y;*\r\n\r\nb;\"x,y\";*\r\n\"c;d\";z;*",
            "a,\"x,y\",*\nb,\"x,y\",*\nc;d,z,*\n",
            "\"a\",\"x,y\",\"*\"\n\"b\",\"x,y\",\"*\"\n\"c;d\",z,*\n",
        ] {
            assert_eq!(labels(&parse_hierarchy("h", text.as_bytes()).unwrap()), expected, "{text:?}");
        }
    }

    #[test]
    fn a_label_that_begins_with_a_mark_is_read_again() {
        let tree = parse_hierarchy("h", "\n\u{feff}a,*\nb,*\n".as_bytes()).unwrap();
        let mut bytes = Vec::new();
        write_hierarchy(&mut bytes, &tree);
        assert_eq!(labels(&parse_hierarchy("h", &bytes).unwrap()), [["\u{feff}a", "*"], ["b", "*"]]);
    }

    #[test]
    fn faults_name_their_line() {
        for (text, message) in [
            ("", "h: the hierarchy is empty"),
            ("\n\n", "h: the hierarchy is empty"),
            ("a\nb\n", "h, line 1: a hierarchy needs at least a value"),
            ("a;x;*\n\nb;*\n", "h, line 3: this line has 2 levels, the first has 3"),
            ("a;x;*\n\"b;x;*\n", "h, line 2: the quote that opens here is never closed"),
            ("a;x;*\n\"b\"c;x;*\n", "h, line 2: there is text after a closing quote"),
            ("\"a", "h, line 1: the quote that opens here is never closed"),
        ] {
            let error = parse_hierarchy("h", text.as_bytes()).unwrap_err().to_string();
            assert!(error.starts_with(message), "{text:?}: {error}");
        }
        let error = parse_hierarchy("h", b"a;x;*\nb;\xff;*\n").unwrap_err().to_string();
        assert!(error.starts_with("h, line 2: the text is not UTF-8"), "{error}");
        assert!(read_hierarchy(Path::new("/no/such/file")).unwrap_err().to_string().ends_with("there is no such file"));
    }

    #[test]
    fn hierarchies_of_adult() {
        for (name, n_leaves, height) in [
            ("age", 100, 4),
            ("education", 16, 3),
            ("marital-status", 7, 2),
            ("native-country", 41, 2),
            ("occupation", 14, 2),
            ("race", 5, 1),
            ("sex", 2, 1),
            ("workclass", 8, 2),
        ] {
            let Some(path) = data_file(&format!("adult/hierarchies/adult_hierarchy_{name}.csv")) else { return };
            let tree = read_hierarchy(&path).unwrap();
            assert_eq!((tree.leaves().len(), tree.height()), (n_leaves, height), "{name}");
            let mut out = Vec::new();
            write_hierarchy(&mut out, &tree);
            assert_eq!(labels(&parse_hierarchy("again", &out).unwrap()), labels(&tree));
        }
    }

    proptest! {
        #[test]
        fn written_and_read_again(values in proptest::collection::btree_set("[a;\",\n\r \u{e9}]{1,4}", 2..8)) {
            let rows: Vec<Vec<String>> =
                values.iter().enumerate().map(|(i, v)| vec![v.clone(), format!("group {}", i % 2), "*".into()]).collect();
            let tree = Hierarchy::from_rows("h", &rows, &[]).unwrap();
            let mut out = Vec::new();
            write_hierarchy(&mut out, &tree);
            prop_assert_eq!(labels(&parse_hierarchy("h", &out).unwrap()), labels(&tree));
        }

        #[test]
        fn never_panics(data in proptest::collection::vec(any::<u8>(), 0..200)) {
            let _ = parse_hierarchy("h", &data);
        }
    }
}
