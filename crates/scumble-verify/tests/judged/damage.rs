//! Damaged releases: never a panic, never a pass.

use crate::common::{Maker, write};
use proptest::prelude::*;
use scumble_release::{ReleaseReader, TableFormat, WriteOptions};
use scumble_verify::{VerifyOptions, verify_dir};
use std::fs;
use std::path::PathBuf;

/// A release, one of its tables, and the bytes of that table.
fn written(name: &str, format: TableFormat) -> (tempfile::TempDir, PathBuf, Vec<u8>) {
    let home = tempfile::tempdir().unwrap();
    let out = home.path().join("release");
    let mut maker = Maker::people(40);
    maker.groups[36..].fill(None);
    maker.hierarchies.push(("sex".into(), crate::common::tree("F;*\nM;*")));
    let release = if name == "table" { maker.release() } else { maker.anatomized() };
    write(&release, &out, &WriteOptions { format, replace: false }).unwrap();
    let table = out.join(format.file(name));
    let bytes = fs::read(&table).unwrap();
    (home, table, bytes)
}

/// Tables of all forms.
const TABLES: [&str; 3] = ["table", "qit", "st"];

/// The release must be refused, by a verdict or by an error of the data.
fn refused(dir: &std::path::Path) -> bool {
    match verify_dir(dir, &VerifyOptions::default()) {
        Ok(verdict) => !verdict.ok,
        Err(error) => error.exit_code() == 2,
    }
}

#[test]
fn cut_tables_are_refused() {
    let formats = [TableFormat::Csv, TableFormat::Parquet];
    for (name, format) in TABLES.iter().flat_map(|name| formats.map(|format| (name, format))) {
        let (home, table, bytes) = written(name, format);
        let dir = home.path().join("release");
        assert!(!refused(&dir));
        for keep in [0, 1, 7, bytes.len() / 2, bytes.len() - 1] {
            fs::write(&table, &bytes[..keep]).unwrap();
            assert!(refused(&dir), "{name} {format:?} {keep}");
            assert!(ReleaseReader::open(&dir).unwrap_err().to_string().contains(&format!("{name}.")));
        }
        fs::write(&table, b"\xff\xfe\x00garbage\n\"").unwrap();
        assert!(refused(&dir));
    }
}

#[test]
fn a_cut_hierarchy_is_refused() {
    let (home, _, _) = written("table", TableFormat::Csv);
    let dir = home.path().join("release");
    for text in ["", "F;*\n", "F;*\nM;x;*\n", "\"F"] {
        fs::write(dir.join("hierarchy-sex.csv"), text).unwrap();
        assert!(refused(&dir), "{text}");
    }
    fs::remove_file(dir.join("hierarchy-sex.csv")).unwrap();
    assert!(refused(&dir));
    assert!(ReleaseReader::open(&dir).unwrap_err().to_string().contains("hierarchy-sex.csv"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn no_byte_of_a_table_can_change(
        name in prop::sample::select(&TABLES[..]),
        parquet in any::<bool>(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..5),
        sealed in any::<bool>(),
    ) {
        let (home, table, bytes) = written(name, if parquet { TableFormat::Parquet } else { TableFormat::Csv });
        let dir = home.path().join("release");
        let mut changed = bytes.clone();
        for (at, byte) in changes {
            let at = at.index(changed.len());
            changed[at] = byte;
        }
        prop_assume!(changed != bytes);
        fs::write(&table, &changed).unwrap();
        if sealed && !parquet {
            crate::common::reseal(&dir);
            // Whatever the verdict is now, it must be given.
            let _ = verify_dir(&dir, &VerifyOptions::default());
        } else {
            prop_assert!(refused(&dir));
        }
    }

    #[test]
    fn no_manifest_panics(
        name in prop::sample::select(&TABLES[..]),
        changes in prop::collection::vec((any::<prop::sample::Index>(), prop::sample::select(&b"09\"{}[],:.-aez\\"[..])), 1..4),
    ) {
        let (home, _, _) = written(name, TableFormat::Csv);
        let dir = home.path().join("release");
        let mut text = fs::read(dir.join("manifest.json")).unwrap();
        for (at, byte) in changes {
            let at = at.index(text.len());
            text[at] = byte;
        }
        fs::write(dir.join("manifest.json"), text).unwrap();
        let _ = verify_dir(&dir, &VerifyOptions::default());
    }
}
