//! What flags take: texts that begin with a dash, names with commas, files that are not there.

use crate::support::{TestDir, arguments, patients};
use serde_json::Value;

/// Ages of which some are not known, and incomes of which some are written as a number that none has.
fn with_codes_for_missing(rows: usize) -> String {
    let mut text = String::from("age,city,income\n");
    for i in 0..rows {
        let age = if i % 9 == 0 { "-999".into() } else { (20 + i % 40).to_string() };
        text.push_str(&format!("{age},{},{}\n", ["Ghent", "Porto"][i % 2], 1000 + i * 37 % 900));
    }
    text
}

#[test]
fn a_null_text_that_begins_with_a_dash_was_taken_for_a_flag() {
    let dir = TestDir::new();
    dir.file("data.csv", with_codes_for_missing(90));
    let null = "--null -999 --null -";
    let line = "publish data.csv --quasi age,city --sensitive income --require k-anonymity(3)";
    dir.run(&format!("{line} {null} --out release")).done();
    let manifest: Value =
        serde_json::from_slice(&std::fs::read(dir.path().join("release/manifest.json")).unwrap()).unwrap();
    assert_eq!(manifest["columns"][0]["domain"][0], 20, "{manifest}");
    for line in [
        "inspect data.csv",
        "verify release --source data.csv",
        "evaluate release --source data.csv --queries 0",
        "risk data.csv --known age,city",
        "risk release --source data.csv",
        "advise data.csv --sensitive income --epsilon 5",
        "hierarchy data.csv --for age --out trees",
        "compare data.csv --quasi age,city --sensitive income --require k-anonymity(3) --out comparison",
    ] {
        dir.run(&format!("{line} {null}")).done();
    }
    let found = dir.run(&format!("inspect data.csv {null} --json")).done().json();
    assert_eq!((found["columns"][0]["nulls"].as_u64(), found["columns"][0]["min"].as_str()), (Some(10), Some("20")));
    // A flag whose text was forgotten does not swallow the next one.
    dir.run("inspect data.csv --null --json").refused(2, &["--null", "a text is wanted"]);
}

#[test]
fn columns_with_commas_in_their_names_could_not_be_named_in_lists() {
    let dir = TestDir::new();
    dir.file("data.csv", patients(120).replacen("name,age,city", "name,\"age, in years\",\"a\\b\"", 1));
    let run = |words: &[&str]| {
        let output = dir.command().args(words).output().unwrap();
        crate::support::CommandOutput::from(output)
    };
    let age = "age\\, in years,a\\b";
    let found = run(&["risk", "data.csv", "--known", age, "--json"]).done().json();
    assert_eq!(found["known"], serde_json::json!(["age, in years", "a\\b"]), "{found}");
    run(&["hierarchy", "data.csv", "--for", age, "--out", "trees"]).done();
    run(&["hierarchy", "data.csv", "--for", "age\\, in years", "--given", "disease,a\\b", "--out", "given"]).done();
    let publish = ["publish", "data.csv", "--quasi", age, "--sensitive", "disease", "--drop-rest", "--require"];
    run(&[&publish[..], &["distinct-l-diversity(2)", "--out", "release"]].concat()).done();
    let angel = ["distinct-l-diversity(2)", "--method", "angel", "--angel-k", "3", "--marginal", "age\\, in years"];
    run(&[&publish[..], &angel, &["--out", "angel"]].concat()).done();
    run(&["risk", "release", "--known", "age\\, in years"]).done();
    run(&["verify", "release/table.csv", "--quasi", age, "--require", "k-anonymity(1)"]).done();
    run(&["advise", "data.csv", "--sensitive", "cost", "--person", "age\\, in years", "--epsilon", "5"]).done();
    // Without the backslash it is two names.
    run(&["risk", "data.csv", "--known", "age, in years"]).refused(2, &["`age`"]);
    for command in ["publish", "risk", "hierarchy", "advise", "verify"] {
        assert!(dir.run(&format!("{command} --help")).done().stdout.contains("`\\,`"), "{command}");
    }
}

#[test]
fn a_type_was_refused_by_advise_without_a_distance() {
    let dir = TestDir::new();
    // With zeros in front, codes are taken for ordered labels.
    let rows: String = (0..40).map(|i| format!("{:04}\n", i * 7 % 100)).collect();
    dir.file("data.csv", format!("pay\n{rows}"));
    dir.run("advise data.csv --sensitive pay --epsilon 5").refused(2, &["pay"]);
    let found = dir.run("advise data.csv --sensitive pay --epsilon 5 --type pay=number --json").done().json();
    assert!(found["rows"] == 40 && found["m_max"].as_u64().is_some(), "{found}");
    dir.file("order.txt", "a\nb\n");
    dir.run("advise data.csv --sensitive pay --epsilon 5 --order pay=order.txt").refused(2, &["--order", "--distance"]);
}

#[test]
fn a_file_that_a_flag_names_and_that_is_not_there_is_a_wrong_request() {
    let dir = TestDir::new();
    dir.file("data.csv", patients(60));
    let publish = "publish data.csv --quasi age,city --sensitive disease --drop-rest --require k-anonymity(3) --out r";
    for line in [
        format!("{publish} --hierarchy city=none.csv"),
        format!("{publish} --hierarchy city=none.toml"),
        format!("{publish} --hierarchy city=data.csv/none.csv"),
        format!("{publish} --order city=none.csv"),
        format!("{publish} --order city=data.csv/none.csv"),
        "publish --job none.toml".into(),
        "publish --job data.csv/none.toml".into(),
        "compare --job none.toml --out c".into(),
        "hierarchy data.csv --for city --order city=none.csv --out trees".into(),
        "risk data.csv --known age --rules none.toml".into(),
        "advise data.csv --sensitive cost --distance rank --epsilon 1 --k 2 --order cost=none.csv".into(),
        "advise data.csv --sensitive disease --distance matrix:none.csv --epsilon 1 --k 2".into(),
    ] {
        let said = dir.command().args(arguments(&line)).output().unwrap();
        crate::support::CommandOutput::from(said).refused(2, &["none.", "no such file"]);
    }
    assert_eq!(dir.entries(), ["data.csv"]);
}
