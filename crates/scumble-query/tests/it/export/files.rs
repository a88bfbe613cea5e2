//! Files for databases that we do not speak to.

use super::database::{people, publish};
use scumble::Method;
use scumble_query::{Destination, ExportOptions, ExportSummary, export};
use scumble_release::ReleaseReader;
use scumble_table::Monitor;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

fn carry(release: &Path, to: &Path) -> scumble::Result<ExportSummary> {
    let to = Destination::parse(to.to_str().unwrap())?;
    export(&ReleaseReader::peek(release)?, &to, &ExportOptions::default(), Monitor::silent())
}

#[test]
fn sql_and_csv() {
    for method in [Method::Permute, Method::Anatomy, Method::Generalize] {
        let dir = tempfile::tempdir().unwrap();
        let (release, _) = publish(dir.path(), &people(60, true), method, &["pay %", "debt"], |_| ());
        let out = dir.path().join("tables");
        let exported = carry(&release, &out).unwrap();
        assert!(exported.schema.is_none() && exported.functions.is_empty());
        let sql = fs::read_to_string(out.join("release.sql")).unwrap();
        let files: BTreeSet<String> =
            fs::read_dir(&out).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        assert_eq!(files.len(), exported.tables.len() + 2, "{files:?}");
        for table in &exported.tables {
            assert!(sql.contains(&format!("CREATE TABLE \"{}\"", table.name)), "{sql}");
        }
        for file in files.iter().filter(|file| file.ends_with(".csv")) {
            assert!(sql.contains(&format!("-- {file}: ")), "{file}\n{sql}");
            // There were no statements that load the data.
            assert_eq!(sql.matches(&format!(" FROM '{file}' (FORMAT csv, HEADER);\n")).count(), 1, "{file}\n{sql}");
        }
        let place = |part: &str| sql.rfind(part).unwrap();
        assert!(
            place("CREATE TABLE") < sql.find("\nCOPY ").unwrap() && place("\nCOPY ") < place("CREATE VIEW"),
            "{sql}"
        );
        assert!(sql.contains("CREATE VIEW \"people\"") && sql.contains("\"the \"\"city\"\"\" VARCHAR("), "{sql}");
        // Whole numbers are written as the release writes them.
        if method == Method::Permute {
            for name in ["mapping-debt.csv", "help-debt.csv"] {
                let [ours, theirs] = [&out, &release].map(|dir| fs::read_to_string(dir.join(name)).unwrap());
                assert_eq!(ours, theirs, "{name}");
            }
        }
        let refused = carry(&release, &out).unwrap_err();
        assert!(refused.exit_code() == 2 && refused.to_string().contains("exists already"), "{refused}");
    }
}

#[test]
fn what_cannot_be_written_leaves_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let (release, _) = publish(dir.path(), &people(60, true), Method::Permute, &["debt"], |_| ());
    assert_eq!(carry(&release, &dir.path().join("no/where")).unwrap_err().exit_code(), 2);
    let file = release.join("mapping.csv");
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text.replacen('1', "2", 1)).unwrap();
    let before = fs::read_dir(dir.path()).unwrap().count();
    assert!(carry(&release, &dir.path().join("tables")).unwrap_err().to_string().contains("mapping.csv"));
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), before);
    let error = Destination::parse("mysql://ann:s3cret@host/x").err().unwrap().to_string();
    assert!(error.contains("mysql://...") && !error.contains("s3cret"), "{error}");
}
