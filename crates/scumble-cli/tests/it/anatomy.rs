//! `--method anatomy` from end to end.

use crate::support::{TestDir, patients};
use std::collections::BTreeMap;
use std::fs;

const LINE: &str = "publish data.csv --quasi age,city --sensitive disease --keep cost --accept-keep cost --identifying name --method anatomy --require k-anonymity(4) --require frequency-l-diversity(2)";

/// The cells of a table of the release, header first.
fn table(dir: &TestDir, file: &str) -> Vec<Vec<String>> {
    let text = fs::read_to_string(dir.path().join(file)).unwrap();
    text.lines().map(|line| line.split(',').map(String::from).collect()).collect()
}

#[test]
fn people_are_exact_and_values_are_counted() {
    let dir = TestDir::new();
    dir.file("data.csv", patients(500));
    let said = dir.run(&format!("{LINE} --out release --json")).done().json();
    assert_eq!((&said["rows"], &said["suppressed"], said["ncp"].as_f64()), (&500.into(), &0.into(), Some(0.0)));
    let (people, values) = (table(&dir, "release/qit.csv"), table(&dir, "release/st.csv"));
    assert_eq!(people[0], ["group", "age", "city", "cost"]);
    assert_eq!(values[0], ["group", "disease", "count"]);
    let source = table(&dir, "data.csv");
    let mut theirs: Vec<&[String]> = people[1..].iter().map(|row| &row[1..3]).collect();
    let mut ours: Vec<&[String]> = source[1..].iter().map(|row| &row[1..3]).collect();
    assert!(theirs != ours, "the order of the source is kept");
    theirs.sort();
    ours.sort();
    assert!(theirs == ours, "the people are not those of the source");
    let mut sizes = BTreeMap::<&str, u32>::new();
    people[1..].iter().for_each(|row| *sizes.entry(&row[0]).or_default() += 1);
    for row in &values[1..] {
        let count: u32 = row[2].parse().unwrap();
        *sizes.get_mut(row[0].as_str()).unwrap() -= count;
    }
    assert!(sizes.values().all(|left| *left == 0));
    let manifest: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(dir.path().join("release/manifest.json")).unwrap()).unwrap();
    assert_eq!(manifest["method"], "anatomy");
    assert_eq!(manifest["tables"][0]["file"], "qit.csv");
    assert_eq!(manifest["tables"][1]["rows"], values.len() - 1);
    let verdict = dir.run("verify release --source data.csv --json").done().json();
    assert!(verdict["checks"].as_array().unwrap().iter().any(|check| check["name"] == "source-groups"));
    dir.run("verify release --require k-anonymity(400)").refused(1, &[]);
}

#[test]
fn a_report_says_that_presence_is_not_hidden() {
    let dir = TestDir::new();
    dir.file("data.csv", patients(200));
    let said = dir.run(&format!("{LINE} --out release")).done();
    assert!(said.stdout.contains("the quasi-identifiers are exact"), "{}", said.stdout);
    let page = fs::read_to_string(dir.path().join("release/report.html")).unwrap();
    for words in ["anybody can see whether somebody with these values is in the release", "qit.csv", "st.csv", "200"] {
        assert!(page.contains(words), "{words}");
    }
    for words in ["table.csv", "NCP", "made coarser"] {
        assert!(!page.contains(words), "{words}");
    }
}

#[test]
fn a_job_file_and_other_formats() {
    let dir = TestDir::new();
    dir.file("data.csv", patients(300));
    dir.file("job.toml", "[input]\npath = \"data.csv\"\n[columns]\nage = \"quasi\"\ncity = \"quasi\"\ndisease = \"sensitive\"\n[publish]\nrequire = [\"k-anonymity(4)\"]\nmethod = \"anatomy\"\ndrop_rest = true\n[output]\ndir = \"release\"\nformat = \"parquet\"\n");
    dir.run("publish --job job.toml").done();
    assert!(dir.path().join("release/qit.parquet").exists() && dir.path().join("release/st.parquet").exists());
    dir.run("verify release --source data.csv").done();
    // A release of another form may take its place, and flags win over the file.
    dir.run("publish --job job.toml --method generalize --replace").done();
    assert!(dir.path().join("release/table.parquet").exists() && !dir.path().join("release/st.parquet").exists());
    dir.run("publish --job job.toml --algorithm mondrian-relaxed --max-suppressed 0.1 --replace").done();
    dir.run("verify release --source data.csv").done();
}

#[test]
fn what_anatomy_cannot_do_is_refused() {
    let dir = TestDir::new();
    dir.file("data.csv", patients(100).replace("cost", "count"));
    let run = |rest: &str| {
        dir.run(&format!("publish data.csv --method anatomy --require k-anonymity(4) --drop-rest --out release {rest}"))
    };
    run("--quasi age,city").refused(2, &["--sensitive", "--method generalize"]);
    for columns in [
        "--quasi age,count --sensitive disease",
        "--quasi age --sensitive count",
        "--quasi age --keep count --accept-keep count --sensitive disease",
    ] {
        run(columns).refused(2, &["`count`", "rename the column"]);
    }
    assert_eq!(dir.entries(), ["data.csv"]);
}

#[test]
fn a_spoilt_release_is_named_and_shows_no_secret() {
    let dir = TestDir::new();
    dir.file("data.csv", patients(100));
    dir.run(&format!("{LINE} --out release")).done();
    let path = dir.path().join("release/st.csv");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replacen("migraine", "flu", 1)).unwrap();
    let said = dir.run("verify release");
    assert_eq!(said.code, 1);
    assert!(said.stdout.contains("FAIL tables-intact: `st.csv`"), "{}", said.stdout);
    assert!(!said.stdout.contains("migraine"), "{}", said.stdout);
}
