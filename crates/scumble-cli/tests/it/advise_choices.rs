//! `scumble advise` with quasi-identifiers: principles over grids of their parameters.

use crate::support::{TestDir, patients};
use serde_json::{Value, json};
use std::fs;

fn prepared_dir() -> TestDir {
    let dir = TestDir::new();
    dir.file("patients.csv", patients(60));
    dir
}

const ASK: &str = "advise patients.csv --quasi age,city --sensitive disease";

#[test]
fn words() {
    let dir = prepared_dir();
    let mut text = String::new();
    for line in [
        format!("{ASK} --principle k-anonymity"),
        format!("{ASK} --principle k-anonymity --values 0.09,1/11,0.05,61"),
        format!("{ASK} --principle frequency-l-diversity --principle t-closeness --sample 30"),
        "advise patients.csv --quasi age,city --sensitive cost --principle (k,e)-anonymity --values 2,5,70 --values e=100".into(),
        "advise patients.csv --quasi age,city --sensitive cost,disease".into(),
        format!("{ASK} --principle k-anonymity --values 61"),
        format!("{ASK} --principle k-anonimity"),
        format!("{ASK} --principle ke-anonymity"),
        format!("{ASK} --principle k-anonymity --values x"),
        format!("{ASK} --principle t-closeness --values s=0.1"),
        format!("{ASK} --principle dissimilarity"),
        format!("{ASK} --epsilon 5"),
        "advise patients.csv --sensitive disease --principle k-anonymity".into(),
        "advise patients.csv --quasi aeg --sensitive disease".into(),
        "advise patients.csv --sensitive cost --missing cost=ignore".into(),
    ] {
        let said = dir.run(&line);
        text.push_str(&format!("$ {line}\nexit {}\n----- stdout\n{}----- stderr\n{}\n", said.code, said.stdout, said.stderr));
    }
    for line in text.lines().filter(|line| !line.starts_with('$') && !line.contains("error:")) {
        assert!(line.chars().count() <= 100, "wider than a terminal: {line}");
    }
    insta::assert_snapshot!("advise_choices", text);
}

#[test]
fn the_document_says_what_the_words_say() {
    let dir = prepared_dir();
    let answer = dir.run(&format!("{ASK} --principle k-anonymity --values 5,0.05,61 --json")).done().json();
    assert_eq!((&answer["rows"], &answer["counted"]), (&json!(60), &json!("rows")));
    assert_eq!(answer["sample"], json!({"rows": 60, "whole": true}));
    let advice = &answer["advice"][0];
    assert_eq!((&advice["principle"], &advice["strictest"]), (&json!("k-anonymity"), &json!("k-anonymity(60)")));
    let asked: Vec<&Value> = advice["points"].as_array().unwrap().iter().map(|point| &point["requirement"]).collect();
    assert_eq!(asked, ["k-anonymity(5)", "k-anonymity(20)", "k-anonymity(61)"]);
    assert_eq!(advice["points"][2]["can_be_met"], false);
    assert_eq!(advice["points"][2]["nearest"], json!(["k-anonymity(60)"]));
    // What was tried is what publishing makes with the same seed.
    let publish =
        "publish patients.csv --quasi age,city --sensitive disease --drop-rest --require k-anonymity(5) --seed 1";
    let made = dir.run(&format!("{publish} --out release --json")).done().json();
    let tried = &advice["points"][0]["sample"];
    for (tried, made) in [
        (&tried["groups"], &made["groups"]),
        (&tried["smallest"], &made["group_sizes"]["min"]),
        (&tried["ncp"], &made["ncp"]),
    ] {
        assert_eq!(tried, made);
    }
    let thresholds = answer["thresholds"].as_array().unwrap();
    assert!(thresholds.iter().any(|one| one["k"] == 11 && one["chance"] == "0.09"));
}

#[test]
fn people_are_counted() {
    let dir = TestDir::new();
    let rows: String =
        (0..60).map(|at| format!("p{},{},{},{}\n", at / 3, 20 + at % 40, at % 7, ["a", "b"][at % 2])).collect();
    dir.file("visits.csv", format!("who,age,zip,illness\n{rows}"));
    let line = "advise visits.csv --quasi age,zip --sensitive illness --principle k-anonymity --values 3,20,21 --person who --json";
    let answer = dir.run(line).done().json();
    assert_eq!((&answer["persons"], &answer["counted"]), (&json!(20), &json!("persons")));
    let met: Vec<&Value> =
        answer["advice"][0]["points"].as_array().unwrap().iter().map(|point| &point["can_be_met"]).collect();
    assert_eq!(met, [&json!(true), &json!(true), &json!(false)]);
}

#[test]
fn with_a_distance_and_a_population() {
    let dir = prepared_dir();
    let line = "advise patients.csv --quasi age,city --sensitive cost --principle dissimilarity --distance cost:rank";
    let values = "--values 0.05 --values delta=0.5 --values k=5 --json";
    let answer = dir.run(&format!("{line} {values}")).done().json();
    let point = &answer["advice"][0]["points"][0];
    assert_eq!((&point["requirement"], &point["can_be_met"]), (&json!("dissimilarity(0.05, 0.5, 5)"), &json!(true)));
    dir.file("everybody.csv", patients(200));
    let line = "advise patients.csv --quasi age --sensitive disease --principle k-map --values 3,201 --population everybody.csv";
    let answer = dir.run(&format!("{line} --json")).done().json();
    let met: Vec<&Value> =
        answer["advice"][0]["points"].as_array().unwrap().iter().map(|point| &point["can_be_met"]).collect();
    assert_eq!(met, [&json!(true), &json!(false)]);
}

#[test]
fn the_page_is_written_once() {
    let dir = prepared_dir();
    let line = format!("{ASK} --principle k-anonymity --report advice.html");
    let said = dir.run(&line).done();
    assert!(said.stdout.contains("Tables and charts are in advice.html"), "{}", said.stdout);
    let page = fs::read_to_string(dir.path().join("advice.html")).unwrap();
    for words in ["not for publication", "<svg", "Thresholds in wide use", "Health Canada"] {
        assert!(page.contains(words), "{words}");
    }
    dir.run(&line).refused(2, &["exists already", "--replace"]);
}

#[test]
fn labels_in_sets_left_every_point_without_a_cost() {
    let dir = TestDir::new();
    dir.run("generate salaries --rows 1000 --seed 3 --out sal.csv").done();
    let ask = "advise sal.csv --quasi birth_date,sex,zipcode --sensitive salary --principle delta-disclosure";
    let answer = dir.run(&format!("{ask} --json")).done().json();
    for point in answer["advice"][0]["points"].as_array().unwrap() {
        assert!(point["sample"]["ncp"].is_number(), "{point}");
        assert!(point["publish_refuses"].as_str().unwrap().contains("--allow-sets sex"), "{point}");
    }
    let said = dir.run(ask).done().stdout;
    assert!(said.contains("`publish` lists hardly shared labels") && !said.contains("--method"), "{said}");
}

#[test]
fn what_groups_reach_was_counted_by_rows_of_people() {
    let dir = TestDir::new();
    // Everybody has two rows: groups of k people have 2 k rows.
    let rows: String = (0..80).map(|at| format!("p{},{},i{}\n", at / 2, 20 + at / 2, at % 5)).collect();
    dir.file("visits.csv", format!("who,age,ill\n{rows}"));
    let ask = "advise visits.csv --person who --quasi age --sensitive ill --principle k-anonymity --values 4 --json";
    let answer = dir.run(ask).done().json();
    let sample = &answer["advice"][0]["points"][0]["sample"];
    assert_eq!(sample["attained"][0][1], json!(sample["smallest"].to_string()), "{sample}");
}
