//! Rules of a job file, from end to end.

use crate::support::{CommandOutput, TestDir, patients};
use std::fs;

const JOB: &str = r#"[input]
path = "patients.csv"

[columns]
name = "identifying"
age = "quasi"
city = "quasi"
disease = "sensitive"
cost = "keep"

[rules]
staff  = { when = "name = 'Person 5' or name = 'Person 6'", delete = true }
old    = { when = "age > 70", top_code = { age = 70 } }
gout   = { when = "disease = 'gout' and city = 'Porto'", blank = ["city", "cost"] }
nobody = { when = "age > 200", delete = true }
coarse = { generalize = { age = 2.5, cost = 100 } }

[publish]
require = ["k-anonymity(4)"]
accept_keep = ["cost"]
seed = 1

[output]
dir = "release"
"#;

fn prepared_dir() -> TestDir {
    let dir = TestDir::new();
    dir.file("patients.csv", patients(120));
    dir.file("job.toml", JOB);
    dir
}

fn shown(said: &CommandOutput) -> String {
    format!("exit {}\n----- stdout\n{}----- stderr\n{}", said.code, said.stdout, said.stderr)
}

#[test]
fn what_the_rules_did_is_told_to_the_publisher_alone() {
    let dir = prepared_dir();
    insta::assert_snapshot!("rules", shown(&dir.run("publish --job job.toml")));
    let document = dir.run("publish --job job.toml --out again --json").done().json();
    let rules = document["rules"].as_array().unwrap();
    assert_eq!(rules[0], serde_json::json!({"name": "staff", "matched": 2, "changed": 0, "deleted": 2, "cells": 0}));
    assert_eq!(
        rules.iter().map(|rule| rule["name"].as_str().unwrap()).collect::<Vec<_>>(),
        ["staff", "old", "gout", "nobody", "coarse"]
    );
    assert_eq!((document["rows"].as_u64(), rules[3]["matched"].as_u64()), (Some(118), Some(0)));
    for file in ["table.csv", "manifest.json", "report.html"] {
        let text = fs::read_to_string(dir.path().join("release").join(file)).unwrap();
        for word in ["staff", "rule", "120 ", "Person ", "job.toml"] {
            assert!(!text.contains(word), "{file} tells `{word}`");
        }
    }
    // Without rules nothing is said about them.
    let plain =
        dir.run("publish patients.csv --quasi age --drop-rest --require k-anonymity(4) --out plain --json").done();
    assert_eq!(plain.json().get("rules"), None);
}

#[test]
fn a_release_is_compared_with_what_the_rules_left_of_its_source() {
    let dir = prepared_dir();
    dir.run("publish --job job.toml --format parquet").done();
    dir.run("verify release --source patients.csv --rules job.toml").done();
    let said = dir.run("verify release --source patients.csv");
    assert_eq!(said.code, 1);
    assert!(said.stdout.contains("118 published and 0 suppressed; rules of its job file must be applied to it first"));
    dir.run("evaluate release --source patients.csv --rules job.toml --queries 20").done();
    dir.run("evaluate release --source patients.csv --queries 20").refused(2, &["with --rules its job file"]);
    dir.run("verify release --rules job.toml").refused(2, &["--source"]);
    dir.run("publish patients.csv --rules job.toml --out x").refused(2, &["--extend"]);
    dir.file("none.toml", "[input]\npath = \"patients.csv\"\n");
    dir.run("verify release --source patients.csv --rules none.toml").refused(2, &["this job file has no rules"]);
    dir.file("other.toml", JOB.replace("Person 5", "Person 7"));
    let said = dir.run("verify release --source patients.csv --rules other.toml");
    assert_eq!(said.code, 1, "{}", said.stdout);
}

#[test]
fn risk_is_told_of_what_the_rules_leave() {
    let dir = prepared_dir();
    dir.run("publish --job job.toml").done();
    // The source of a release that was made with them.
    let found = dir.run("risk release --source patients.csv --rules job.toml --json").done().json();
    assert_eq!((&found["records"], found.get("unmatched"), found.get("rules")), (&118.into(), None, None));
    assert!(found["k_min"].as_u64() >= Some(4), "{found}");
    dir.run("risk release --source patients.csv").refused(2, &["it has 120 rows", "with --rules its job file"]);
    dir.run("risk release --rules job.toml").refused(2, &["rules are applied to the source", "--source"]);
    // Data, as a file without what they took away would be.
    let ruled = dir.run("risk patients.csv --known age,city,name --rules job.toml --report page.html --json").done();
    assert!(ruled.stderr.contains("no record met the condition of rule `nobody`"), "{}", ruled.stderr);
    let ruled = ruled.json();
    assert_eq!((&ruled["records"], &ruled["rules"][0]["deleted"]), (&118.into(), &2.into()));
    assert!(fs::read_to_string(dir.path().join("page.html")).unwrap().contains("Rules that were applied"));
    let known = |rest: &str| dir.run(&format!("risk patients.csv --known age,city {rest}")).done().stdout;
    let words = known("--rules job.toml");
    assert!(words.contains("118 records, known by age, city") && words.contains("coarse"), "{words}");
    let age = |line: &str| -> f64 { line.split(',').nth(1).unwrap().parse().unwrap() };
    let by_hand: String = patients(120)
        .lines()
        .enumerate()
        .filter(|(at, line)| *at == 0 || !(line.starts_with("Person 5,") || line.starts_with("Person 6,")))
        .map(|(at, line)| match at {
            0 => format!("{line}\n"),
            _ => {
                let cells: Vec<&str> = line.split(',').collect();
                let blank = cells[2] == "Porto" && cells[3] == "gout";
                let coarse = (age(line).min(70.0) / 2.5).floor() * 2.5;
                let city = if blank { "" } else { cells[2] };
                format!("{},{coarse},{city},{},{}\n", cells[0], cells[3], cells[4])
            }
        })
        .collect();
    dir.file("by-hand.csv", by_hand);
    let [by_hand, by_rules] = ["by-hand.csv", "patients.csv --rules job.toml"]
        .map(|data| dir.run(&format!("risk {data} --known age,city --up-to 2 --json")).done().json());
    for field in ["records", "classes", "unique_records", "cdf", "thresholds", "subsets", "attributes"] {
        assert_eq!(by_hand[field], by_rules[field], "{field}");
    }
    dir.run("risk patients.csv --known agee --rules job.toml").refused(2, &["--known", "did you mean `age`?"]);
    dir.run("risk patients.csv --known age --type city=nominal --rules job.toml").refused(2, &["name it in --known"]);
}

#[test]
fn texts_for_missing_values_are_those_of_the_job() {
    let dir = TestDir::new();
    let text: String =
        (0..40).map(|i| format!("{};{}\n", if i % 5 == 0 { "?".into() } else { i.to_string() }, i % 3)).collect();
    dir.file("data.csv", format!("a;s\n{text}"));
    dir.file(
        "job.toml",
        "[input]\npath = \"data.csv\"\nnull = \"?\"\ndelimiter = \";\"\n[columns]\na = \"quasi\"\ns = \"sensitive\"\n\
         [rules]\nx = { when = \"a is missing\", delete = true }\n[publish]\nrequire = \"k-anonymity(4)\"\n[output]\ndir = \"release\"\n",
    );
    assert_eq!(dir.run("publish --job job.toml --json").done().json()["rows"], 32);
    dir.run("verify release --source data.csv --rules job.toml").done();
}

#[test]
fn bad_rules_leave_nothing_behind() {
    let dir = prepared_dir();
    for (from, to, words) in [
        (
            "age > 70",
            "agee > 70",
            "job.toml, line 13: rule `old`, character 1 of its condition: there is no column `agee`; hint: did you mean `age`?",
        ),
        ("age > 70", "age > ", "job.toml, line 13: rule `old`, character 7 of its condition: a value is wanted here"),
        ("age > 70", "age > 'x'", "column `age` holds numbers, and this is text"),
        ("age > 70", "city > 'A'", "column `city` is nominal: its labels have no order for `>`"),
        ("age > 70", "age > 70 and age < 60", "rule `old`: no record can meet its condition"),
        (
            "age > 70",
            "name = 'Person 6'",
            "rule `old`: every record that could meet its condition is deleted before, by rule `staff`",
        ),
        ("age > 200", "age > 0", "the rules delete all 120 records"),
        (
            "[\"city\", \"cost\"]",
            "[\"name\"]",
            "rule `gout`: column `name` is not published, so that there is nothing to `blank`",
        ),
        ("age = 2.5", "age = 0", "rule `coarse`: `generalize`: column `age` holds numbers, and `0` is no step"),
        ("generalize", "generalise", "there is no field `generalise` in `coarse`; hint: did you mean `generalize`?"),
    ] {
        dir.file("job.toml", JOB.replace(from, to));
        dir.run("publish --job job.toml").refused(2, &[words]);
        assert_eq!(dir.entries(), ["job.toml", "patients.csv"]);
    }
}
