//! What users read: help, summaries and errors, word for word.

use crate::support::{CommandOutput, TestDir, patients};

/// Exit code, standard output and standard error as one text.
fn shown(said: &CommandOutput) -> String {
    format!("exit {}\n----- stdout\n{}----- stderr\n{}", said.code, said.stdout, said.stderr)
}

fn prepared_dir() -> TestDir {
    let dir = TestDir::new();
    dir.file("patients.csv", patients(60));
    dir
}

#[test]
fn help() {
    let dir = prepared_dir();
    insta::assert_snapshot!("help", shown(&dir.run("--help")));
    insta::assert_snapshot!("help_publish", shown(&dir.run("publish --help")));
    insta::assert_snapshot!("help_risk", shown(&dir.run("risk --help")));
}

#[test]
fn risk() {
    let dir = prepared_dir();
    dir.run("publish patients.csv --identifying name --quasi age,city --sensitive disease --keep cost --accept-keep cost --require k-anonymity(4) --seed 1 --out release").done();
    let mut text = String::new();
    for rest in [
        "patients.csv --known age,city,disease --up-to 2 --population 1000",
        "release --known city",
        "release --source patients.csv --threshold 0.1 --belief 0.4",
    ] {
        text.push_str(&format!("$ {rest}\n{}\n", shown(&dir.run(&format!("risk {rest}")))));
    }
    insta::assert_snapshot!("risk", text);
}

#[test]
fn publish_and_verify() {
    let dir = prepared_dir();
    let line = "publish patients.csv --identifying name --quasi age,city --sensitive disease --keep cost --accept-keep cost --require k-anonymity(4) --require frequency-l-diversity(2) --seed 1 --out release";
    insta::assert_snapshot!("publish", shown(&dir.run(line)));
    insta::assert_snapshot!("evaluate", shown(&dir.run("evaluate release --source patients.csv --w 2,3 --s 0.3")));
    insta::assert_snapshot!("verify", shown(&dir.run("verify release --source patients.csv")));
}

#[test]
fn inspect() {
    insta::assert_snapshot!("inspect", shown(&prepared_dir().run("inspect patients.csv")));
}

#[test]
fn advise() {
    let dir = TestDir::new();
    dir.file("pay.csv", "pay\n1000\n1010\n1020\n16000\n24000\n31000\n33000\n50000\n\n\n");
    let mut text = String::new();
    for rest in
        ["", "--epsilon 20", "--relative 0.125", "--m 3", "--m 9", "--epsilon 20 --m 3", "--relative 0.01 --m 3"]
    {
        text.push_str(&format!("$ {rest}\n{}\n", shown(&dir.run(&format!("advise pay.csv --sensitive pay {rest}")))));
    }
    insta::assert_snapshot!("advise", text);
}

#[test]
fn refusals() {
    let dir = prepared_dir();
    let base = "publish patients.csv --quasi age,city --sensitive disease --out release";
    let mut text = String::new();
    for rest in [
        "--require k-anonymity(5)",
        "--drop-rest --require k-anonymity(61)",
        "--drop-rest --require distinct-l-diversity(9)",
        "--drop-rest --require l-diversity(9)",
        "--drop-rest",
        "--drop-rest --require k-anonymity(5) --type city=ordinal",
    ] {
        text.push_str(&format!("$ {rest}\n{}\n", dir.run(&format!("{base} {rest}")).stderr));
    }
    insta::assert_snapshot!("refusals", text);
}
