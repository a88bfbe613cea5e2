//! Angel releases in a database and as files.

use super::release_builder::ReleaseBuilder;
use crate::export::answers::{row_agrees, statements_agree};
use crate::export::database::{COLUMNS, Database, people};
use crate::release::{Published, session};
use scumble_query::{Destination, ExportOptions, export};
use scumble_release::ReleaseReader;
use scumble_table::{Kind, Monitor, Role};
use std::collections::BTreeSet;

/// People with awkward names and values, in batches and in three tables.
fn awkward(rows: usize) -> Published {
    let mut cells: Vec<Vec<String>> = Vec::new();
    for line in people(rows, true).lines().skip(1) {
        let mut found = vec![String::new()];
        let mut inside = false;
        let mut chars = line.chars().peekable();
        while let Some(c) = chars.next() {
            match c {
                '"' if inside && chars.peek() == Some(&'"') => found.last_mut().unwrap().push(chars.next().unwrap()),
                '"' => inside = !inside,
                ',' if !inside => found.push(String::new()),
                c => found.last_mut().unwrap().push(c),
            }
        }
        cells.push(found);
    }
    let columns: Vec<(&str, Role, Kind)> = COLUMNS
        .iter()
        .map(|(name, role, kind)| {
            let role = match role {
                scumble::ColumnRole::Quasi => Role::Quasi,
                scumble::ColumnRole::Sensitive => Role::Sensitive,
                _ => Role::Kept,
            };
            (*name, role, *kind)
        })
        .collect();
    let mut builder = ReleaseBuilder::new(&columns, cells);
    let n = rows as u32;
    builder.batches = (0..n).map(|i| i * 7 % n / 5).collect();
    let quasi = ["select", "the \"city\"", "né le", "height"].map(String::from).to_vec();
    builder.tables = vec![
        (quasi.clone(), (0..n).map(|i| i / 4).collect()),
        (vec![quasi[0].clone()], (0..n).map(|i| i * 7 % 50 / 9).collect()),
        (vec![quasi[0].clone(), quasi[3].clone()], (0..n).map(|i| i % 45 / 6).collect()),
    ];
    builder.publish()
}

#[test]
fn answers_in_the_database_are_those_of_ask() {
    let Some(database) = Database::new() else { return };
    let release = awkward(80);
    let session = session(&release.path());
    let exported = database.export(&release.path(), false).unwrap();
    let tables: Vec<(&str, u64)> = exported.tables.iter().map(|table| (table.name.as_str(), table.rows)).collect();
    assert_eq!(tables[1..4], [("generalized", 80), ("marginal_select", 80), ("marginal_select_height", 80)]);
    assert_eq!(tables[0].0, "batches");
    assert!(tables[4..].iter().all(|(name, _)| name.starts_with("range_")), "{tables:?}");
    assert_eq!(exported.functions, ["pay %_bounds", "debt_bounds"]);
    statements_agree(&database, &session, &["pay %", "debt"], false);
    // Conditions on the ends of boxes, the view that has them, and the questions that they stand for.
    let ends = [
        ("people_select", "true", "true", "1 = 1"),
        ("people_select", "select_lower > 40", "select_upper > 40", "\"select\" > 40"),
        ("people_select_height", "height_upper < 1.7", "height_lower < 1.7", "height < 1.7"),
        (
            "people",
            "\"né le_lower\" >= '1970-05-01'",
            "\"né le_upper\" >= '1970-05-01'",
            "\"né le\" >= DATE '1970-05-01'",
        ),
        (
            "people_select",
            "select_lower >= 30 AND select_upper <= 45",
            "select_upper >= 30 AND select_lower <= 45",
            "\"select\" BETWEEN 30 AND 45",
        ),
    ];
    for column in ["pay %", "debt"] {
        for (view, certain, possible, who) in ends {
            let of = |condition: &str| format!("ARRAY(SELECT batch FROM \"{view}\" WHERE {condition})");
            let sql = format!("SELECT * FROM \"{column}_bounds\"({}, {})", of(certain), of(possible));
            row_agrees(&database.run(&sql).unwrap()[0], &session, column, who);
        }
        // Certain people who are not among the possible ones, more than a batch has, and a batch that is not there.
        for (certain, possible) in [("1, 1", "1"), ("1", "1, 1, 1, 1, 1, 1, 1, 1"), ("", "1000000")] {
            let sql = format!("SELECT * FROM \"{column}_bounds\"(ARRAY[{certain}]::integer[], ARRAY[{possible}])");
            assert_eq!(database.run(&sql).unwrap()[0][2].1, None, "{sql}");
        }
        let nobody = format!("SELECT * FROM \"{column}_bounds\"(ARRAY[]::integer[], ARRAY[]::integer[])");
        let nobody = database.run(&nobody).unwrap();
        assert_eq!((nobody[0][0].1.as_deref(), nobody[0][2].1.as_deref()), (Some("0"), Some("0")));
    }
}

#[test]
fn once_again_and_replaced() {
    let Some(database) = Database::new() else { return };
    let (one, two) = (awkward(40), awkward(50));
    database.export(&one.path(), false).unwrap();
    assert!(database.export(&one.path(), false).unwrap().already);
    let uncommented = "SELECT count(*) FROM pg_class c WHERE relnamespace = quote_ident(current_schema)::regnamespace AND relkind IN ('r', 'v') AND obj_description(c.oid, 'pg_class') IS NULL";
    assert_eq!(database.value(uncommented).as_deref(), Some("0"));
    assert_eq!(database.indexes_like("%(batch)%").as_deref(), Some("4"));
    let refused = database.export(&two.path(), false).unwrap_err();
    assert!(refused.to_string().contains("holds another release"), "{refused}");
    database.export(&two.path(), true).unwrap();
    assert_eq!(database.value("SELECT count(*) FROM \"people_select\"").as_deref(), Some("50"));
    database.run("DROP VIEW \"people_select_height\"").unwrap();
    let gone = database.export(&two.path(), false).unwrap_err().to_string();
    assert!(gone.contains("`people_select_height` is gone"), "{gone}");
    database.run("UPDATE batches SET \"count\" = \"count\" + 1 WHERE batch = 1").unwrap();
    let changed = database.export(&two.path(), false).unwrap_err().to_string();
    assert!(changed.contains("`batches` was changed"), "{changed}");
}

#[test]
fn sql_and_csv() {
    let release = awkward(60);
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("tables");
    let to = Destination::parse(out.to_str().unwrap()).unwrap();
    let reader = ReleaseReader::peek(&release.path()).unwrap();
    let exported = export(&reader, &to, &ExportOptions::default(), Monitor::silent()).unwrap();
    let sql = std::fs::read_to_string(out.join("release.sql")).unwrap();
    let files: BTreeSet<String> =
        std::fs::read_dir(&out).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    assert_eq!(files.len(), exported.tables.len() + 2, "{files:?}");
    for table in &exported.tables {
        assert!(sql.contains(&format!("CREATE TABLE \"{}\"", table.name)), "{sql}");
    }
    for view in ["people", "people_select", "people_select_height"] {
        assert!(sql.contains(&format!("CREATE VIEW \"{view}\"")), "{sql}");
    }
    for table in ["batches", "generalized", "marginal_select"] {
        assert!(sql.contains(&format!("ON \"{table}\" (\"batch\")")), "{sql}");
    }
    // Boxes are written as the release writes them.
    let [ours, theirs] =
        [&out, &release.path()].map(|dir| std::fs::read_to_string(dir.join("marginal-select.csv")).unwrap());
    assert_eq!(ours, theirs);
}
