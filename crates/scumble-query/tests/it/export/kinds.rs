//! Hierarchies, ordinal labels, dates and wide numbers on their way into a database.

use super::database::Database;
use crate::release::{job, publish_text, session};
use scumble::{ColumnRole, FromFile, Kind, Method, TableFormat};
use scumble_query::Session;
use std::fs;
use std::path::{Path, PathBuf};

/// Publishes a table with an ordinal, a date and wide decimals as sensitive columns.
fn publish(dir: &Path, method: Method, long: &str) -> (PathBuf, Session) {
    let levels = ["low", "middle", "high"];
    fs::write(dir.join("levels.txt"), levels.join("\n")).unwrap();
    let tree: String = (20..60).map(|age| format!("{age};{}s;*\n", age / 10 * 10)).collect();
    fs::write(dir.join("age.csv"), tree).unwrap();
    let mut csv = format!("age,{long},level,day,wide\n");
    for i in 0..60i64 {
        csv.push_str(&format!(
            "{},c{},{},2020-{:02}-{:02},{}123456789012345678901234.5678{}\n",
            20 + i * 7 % 40,
            i % 5,
            levels[(i * i % 3) as usize],
            1 + i % 12,
            1 + i % 28,
            if i % 2 == 0 { "-" } else { "" },
            i % 10
        ));
    }
    let columns = [
        ("age", ColumnRole::Quasi, Some(Kind::Number)),
        (long, ColumnRole::Quasi, Some(Kind::Nominal)),
        ("level", ColumnRole::Sensitive, Some(Kind::Ordinal)),
        ("day", ColumnRole::Sensitive, Some(Kind::Date)),
        ("wide", ColumnRole::Sensitive, Some(Kind::Number)),
    ];
    let mut job = job(dir, &columns, method, "k-anonymity(4)", 3);
    job.column_mut("age").hierarchy = Some(FromFile::file(dir.join("age.csv")));
    job.column_mut("level").order = Some(FromFile::file(dir.join("levels.txt")));
    job.output.format = Some(TableFormat::Parquet);
    publish_text(csv, &job).unwrap();
    let out = dir.join("release");
    let session = session(&out);
    (out, session)
}

#[test]
fn every_kind_of_value_answers_as_here() {
    for method in [Method::Permute, Method::Anatomy, Method::Generalize] {
        let Some(database) = Database::new() else { return };
        let dir = tempfile::tempdir().unwrap();
        let (release, session) = publish(dir.path(), method, "city");
        let exported = database.export(&release, false).unwrap();
        assert_eq!(exported.functions, ["wide_bounds"]);
        for who in ["age >= 40", "age < 30 OR city = 'c1'", "age BETWEEN 25 AND 34", "city > 'c2'"] {
            for asked in [
                "COUNT(*), MIN(level), MAX(level), MIN(day), MAX(day), SUM(wide), AVG(wide), MIN(wide), MAX(wide)",
                "COUNT(level), MIN(day)",
            ] {
                database.compare(&session, &format!("SELECT {asked} FROM release WHERE {who}"));
            }
            database.compare(
                &session,
                &format!("SELECT COUNT(*), MAX(day) FROM release WHERE ({who}) AND day > DATE '2020-06-01'"),
            );
            database.compare(
                &session,
                &format!("SELECT COUNT(*), MAX(level) FROM release WHERE ({who}) AND level <> 'low'"),
            );
        }
    }
}

#[test]
fn ends_of_a_hierarchy_are_those_of_its_leaves() {
    let Some(database) = Database::new() else { return };
    let dir = tempfile::tempdir().unwrap();
    let (release, _) = publish(dir.path(), Method::Generalize, "city");
    database.export(&release, false).unwrap();
    let rows = database.run("SELECT DISTINCT age, age_lower, age_upper FROM people ORDER BY age").unwrap();
    assert!(!rows.is_empty());
    for row in rows {
        let [text, lower, upper] = [0, 1, 2].map(|at| row[at].1.clone().unwrap());
        let wanted = match text.strip_suffix('s') {
            Some(decade) => (decade.to_string(), (decade.parse::<i64>().unwrap() + 9).to_string()),
            None if text == "*" => ("-Infinity".into(), "Infinity".into()),
            None => (text.clone(), text.clone()),
        };
        assert_eq!((lower, upper), wanted, "{text}");
    }
}

#[test]
fn a_name_that_the_database_would_cut_is_refused() {
    let Some(database) = Database::new() else { return };
    let dir = tempfile::tempdir().unwrap();
    let long = "ø".repeat(32);
    let (release, _) = publish(dir.path(), Method::Anatomy, &long);
    let error = database.export(&release, false).unwrap_err();
    assert!(error.exit_code() == 2 && error.to_string().contains("63 bytes"), "{error}");
    assert!(!database.exists());
}
