//! `scumble query` and `scumble export` over an angel release: tables 3a and 3b of the paper, the boxes of the latter
//! as a marginal beside wider ones.

use crate::support::{CommandOutput, TestDir};
use serde_json::{Value, json};

const BATCHES: &str = "batch,disease,count\n1,bronchitis,1\n1,pneumonia,1\n2,bronchitis,1\n2,pneumonia,1\n\
    3,bronchitis,1\n3,pneumonia,1\n4,bronchitis,1\n4,pneumonia,1\n";
const GENERALIZED: &str = "age,sex,batch\n\"[41,60]\",*,4\n\"[21,40]\",*,1\n\"[41,60]\",*,2\n\"[41,60]\",*,4\n\
    \"[21,40]\",*,3\n\"[21,40]\",*,3\n\"[41,60]\",*,2\n\"[21,40]\",*,1\n";
const BY_AGE: &str = "age,batch\n\"[58,60]\",2\n\"[38,40]\",3\n\"[58,60]\",4\n\"[41,43]\",4\n\"[21,23]\",3\n\
    \"[38,40]\",1\n\"[41,43]\",2\n\"[21,23]\",1\n";

/// Only here can readers see which sexes there are.
const BY_SEX: &str = "sex,batch\nM,3\nF,3\nF,2\nM,1\nM,4\nF,1\nF,4\nM,2\n";

const PNEUMONIA: &str = "SELECT COUNT(*) FROM release WHERE age BETWEEN 35 AND 45 AND disease = 'pneumonia'";

fn release() -> TestDir {
    let dir = TestDir::new();
    std::fs::create_dir(dir.path().join("r")).unwrap();
    let tables = [
        ("batches", BATCHES, "0baf30aa8de20d114f76aac08f59edb213fc752c162a712cd5a3540925e98c9c"),
        ("generalized", GENERALIZED, "03e6830c272e1ab43d8e808f75e51d76fadc0066735c321f872fd8e566c1a02c"),
        ("marginal-age", BY_AGE, "00fec8ca608f12e644114be4f7d9305009b93d3ecb874009d1312907b602fb4d"),
        ("marginal-sex", BY_SEX, "edb90e8fd5b9cbc91f1bb6938f9c148e53d0a0322e7df7699b650f397375f868"),
    ];
    let entry = |(name, text, sha256): (&str, &str, &str)| {
        let file = format!("{name}.csv");
        dir.file(&format!("r/{file}"), text);
        json!({"name": name, "file": file, "rows": 8, "sha256": sha256})
    };
    let manifest = json!({
        "scumble": env!("CARGO_PKG_VERSION"),
        "method": "angel",
        "algorithm": "mondrian",
        "requirements": ["k-anonymity(1)"],
        "columns": [
            {"name": "age", "role": "quasi", "type": "number", "domain": [21, 60]},
            {"name": "sex", "role": "quasi", "type": "nominal", "domain": ["F", "M"]},
            {"name": "disease", "role": "sensitive", "type": "nominal", "domain": ["bronchitis", "pneumonia"]},
        ],
        "angel_k": 1,
        "rows": 8,
        "suppressed": 0,
        "groups": 4,
        "tables": tables.map(entry),
        "attained": [{"requirement": "k-anonymity(1)", "k": 2}],
        "profile": "standard",
        "coins": "seeded",
    });
    dir.file("r/manifest.json", manifest.to_string());
    dir.file("r/report.html", "<!doctype html><title>report</title>");
    dir
}

fn ask(dir: &TestDir, sql: &str, more: &[&str]) -> CommandOutput {
    let said = CommandOutput::from(dir.command().args(["query", "r", sql]).args(more).output().unwrap());
    assert_eq!(said.code, 0, "{}", said.stderr);
    said
}

#[test]
fn answers_say_which_table_they_are_from() {
    let dir = release();
    let words = ask(&dir, PNEUMONIA, &[]).stdout;
    assert!(words.ends_with("from table `marginal-age`\n"), "{words}");
    let cells: Vec<&str> = words.lines().nth(1).unwrap().split_whitespace().collect();
    assert_eq!(cells, ["count(*)", "0", "4", "2", "1"]);
    let document: Value = serde_json::from_str(&ask(&dir, PNEUMONIA, &["--json"]).stdout).unwrap();
    assert_eq!(document["table"], "marginal-age");
    assert_eq!(document["rows"][0]["answers"][0]["estimate"], 2.0);
    assert!(document["sql"][0].as_str().unwrap().contains("FROM \"marginal-age\""), "{document}");
    let both = format!("{PNEUMONIA} AND sex = 'M'");
    let document: Value = serde_json::from_str(&ask(&dir, &both, &["--json"]).stdout).unwrap();
    assert_eq!(
        (&document["table"], document["rows"][0]["answers"][0]["estimate"].as_f64()),
        (&json!("generalized"), Some(0.55))
    );
    let csv = ask(&dir, PNEUMONIA, &["--csv"]).stdout;
    assert_eq!(csv.lines().count(), 2, "{csv}");
}

#[test]
fn explanations_name_the_table_and_stay_sql() {
    let dir = release();
    let words = ask(&dir, PNEUMONIA, &["--explain", "--dialect", "postgres"]).stdout;
    assert!(words.starts_with("-- from table marginal-age\nWITH hits AS ("), "{words}");
    assert!(words.contains("\"batches\"") && words.contains("\"count(*) estimate\""), "{words}");
    let document: Value = serde_json::from_str(&ask(&dir, PNEUMONIA, &["--explain", "--json"]).stdout).unwrap();
    assert_eq!(document["table"], "marginal-age");
    let keys =
        dir.command().args(["query", "r", "SELECT age, COUNT(*) FROM release GROUP BY age", "--explain"]).output();
    let keys = CommandOutput::from(keys.unwrap());
    assert!(keys.code == 2 && keys.stderr.contains("several keys"), "{}", keys.stderr);
}

#[test]
fn all_tables_are_exported() {
    let dir = release();
    dir.run("export r --to tables").done();
    for file in ["batches.csv", "generalized.csv", "marginal-age.csv", "range_age.csv", "release.sql", "manifest.json"]
    {
        assert!(dir.path().join("tables").join(file).is_file(), "{file}");
    }
    let ranges = std::fs::read_to_string(dir.path().join("tables/range_age.csv")).unwrap();
    assert_eq!(ranges.lines().count(), 7, "{ranges}");
}
