//! `scumble risk`: figures, pages, refusals.

use crate::support::{TestDir, patients};
use serde_json::Value;
use std::fs;

/// A dir with a table and a release of it.
fn published() -> TestDir {
    let dir = TestDir::new();
    dir.file("patients.csv", patients(600));
    dir.run("publish patients.csv --identifying name --quasi age,city --sensitive disease,cost --require k-anonymity(4) --max-suppressed 0.05 --seed 3 --out release").done();
    dir
}

fn number(found: &Value, name: &str) -> f64 {
    found[name].as_f64().unwrap_or_else(|| panic!("{name} in {found}"))
}

/// The fields that every attack has, and how they hang together.
fn check_attack(found: &Value, known: &[&str], records: u64) {
    assert_eq!(found["known"], Value::from(known.to_vec()));
    assert_eq!(found["records"], records);
    let (k_min, k_max) = (found["k_min"].as_u64().unwrap(), found["k_max"].as_u64().unwrap());
    let (by_record, by_class) = (number(found, "k_mean_record"), number(found, "k_mean_class"));
    assert!(k_min as f64 <= by_class && by_class <= by_record + 1e-9 && by_record <= k_max as f64);
    // Texts of numbers are read back but for the last digit.
    assert!((number(found, "prosecutor") - 1.0 / k_min as f64).abs() < 1e-12);
    assert!(number(found, "marketer") <= number(found, "prosecutor") + 1e-12);
    assert!(found["unique_records"].as_u64().unwrap() <= found["classes"].as_u64().unwrap());
    let cdf: Vec<(f64, f64)> = serde_json::from_value(found["cdf"].clone()).unwrap();
    assert!(cdf.windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[0].1 < pair[1].1));
    assert_eq!(cdf.last().copied(), Some((number(found, "prosecutor"), 1.0)));
    assert!(found["thresholds"].as_array().unwrap().iter().all(|line| line["share"].as_f64().unwrap() <= 1.0));
}

#[test]
fn the_document_has_every_figure() {
    let dir = published();
    let said =
        dir.run("risk patients.csv --known age,city,disease --up-to 2 --threshold 0.09 --threshold 1 --json").done();
    assert_eq!(said.stderr, "");
    let found = said.json();
    check_attack(&found, &["age", "city", "disease"], 600);
    assert!(found["journalist"].is_null() && found.get("inference").is_none() && found.get("suppressed").is_none());
    assert!((found["classes"].as_f64().unwrap() / 600.0 - number(&found, "marketer")).abs() < 1e-12);
    let asked: Vec<f64> =
        found["thresholds"].as_array().unwrap().iter().map(|line| number(line, "probability")).collect();
    assert_eq!(asked, [0.09, 1.0]);
    let subsets = found["subsets"].as_array().unwrap();
    assert_eq!(subsets.len(), 6);
    for one in subsets {
        let known: Vec<&str> = one["known"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
        check_attack(one, &known, 600);
        assert!(one["adds"].is_number() && one["journalist"].is_null());
    }
    assert!(subsets.windows(2).all(|pair| number(&pair[0], "marketer") >= number(&pair[1], "marketer")));
    let attributes = found["attributes"].as_array().unwrap();
    assert_eq!(attributes.len(), 3);
    assert!(attributes.iter().all(|one| one["column"].is_string() && one["adds_unique_records"].is_number()));
}

#[test]
fn populations_and_types() {
    let dir = published();
    let run = |rest: &str| dir.run(&format!("risk patients.csv --known age,city --json {rest}")).done().json();
    let by_size = run("--population 6000");
    assert!(number(&by_size, "journalist") < number(&by_size, "prosecutor"));
    assert!(number(&by_size, "journalist_mean") <= number(&by_size, "journalist"));
    // Everybody is in the data: a journalist knows as much as a prosecutor.
    for everybody in ["--population 600", "--population patients.csv"] {
        let found = run(everybody);
        assert_eq!(
            (number(&found, "journalist"), found["population"].as_u64()),
            (number(&found, "prosecutor"), Some(600))
        );
    }
    assert_eq!(run("--type age=nominal --type city=ordinal")["classes"], run("")["classes"]);
    assert_eq!(run("--threads 1"), run("--threads 3"));
}

#[test]
fn releases_with_and_without_their_source() {
    let dir = published();
    let alone = dir.run("risk release --json").done().json();
    check_attack(&alone, &["age", "city"], 600 - alone["suppressed"].as_u64().unwrap());
    assert!(alone["k_min"].as_u64().unwrap() >= 4 && alone["method"] == "generalize" && alone["by_source"] == false);
    let found = dir.run("risk release --source patients.csv --epsilon 50 --belief 0.4 --json").done().json();
    assert_eq!((&found["records"], &found["by_source"], number(&found, "belief")), (&600.into(), &true.into(), 0.4));
    let attacks: Vec<(&str, &str)> = found["inference"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| (one["column"].as_str().unwrap(), one["attack"].as_str().unwrap()))
        .collect();
    let wanted = [
        ("disease", "homogeneity"),
        ("disease", "truth"),
        ("cost", "homogeneity"),
        ("cost", "truth"),
        ("cost", "proximity"),
    ];
    assert_eq!(attacks, wanted);
    for one in found["inference"].as_array().unwrap() {
        assert!(
            number(one, "mean") <= number(one, "largest") + 1e-12 && number(one, "newly_above") <= number(one, "above")
        );
        assert!(one["prior"].is_number() && one["people"].as_u64().unwrap() <= 600);
    }
    let words = dir.run("risk release --source patients.csv").done().stdout;
    assert!(words.contains("people of the source") && words.contains("Believed about sensitive values"), "{words}");
    // No sensitive value of a person is printed.
    assert!(!["flu", "gout", "migraine"].iter().any(|ill| words.contains(ill)), "{words}");
    dir.run("publish patients.csv --quasi age,city --sensitive disease --drop-rest --require k-anonymity(4) --out ill")
        .done();
    let warned = dir.run("risk ill --epsilon 3").done().stderr;
    assert!(warned.contains("--epsilon measures nothing"), "{warned}");
}

#[test]
fn the_page_is_whole_and_stays_out_of_releases() {
    let dir = published();
    dir.run("risk release --source patients.csv --up-to 2 --population 9000 --report page.html --quiet").done();
    let page = fs::read_to_string(dir.path().join("page.html")).unwrap();
    for words in
        ["Prosecutor", "Journalist", "Marketer", "Do not publish", "Figure 5", "What is learned about sensitive values"]
    {
        assert!(page.contains(words), "{words}");
    }
    assert!(!page.contains("<script") && !page.contains("http://") && !page.contains("gout"));
    let run = |rest: &str| dir.run(&format!("risk release --source patients.csv {rest}"));
    run("--report page.html").refused(2, &["exists already"]);
    run("--report page.html --replace").done();
    run("--report release/page.html").refused(2, &["the directory holds a release"]);
    run("--report patients.csv --replace").refused(2, &["this is the data itself"]);
}

#[test]
fn bad_input() {
    let dir = published();
    fs::create_dir(dir.path().join("empty")).unwrap();
    for (line, words) in [
        ("risk patients.csv", "which columns does the attacker know?"),
        ("risk patients.csv --known age,cty", "did you mean `city`?"),
        ("risk patients.csv --known age,age", "named twice"),
        ("risk patients.csv --known age,city --up-to 3", "from 1 to 2"),
        ("risk patients.csv --known age --threshold half", "not an exact decimal"),
        ("risk patients.csv --known age --threshold 2", "above 0 and up to 1"),
        ("risk patients.csv --known age --source patients.csv", "about releases"),
        ("risk patients.csv --known age --population 3", "the population has no fewer people"),
        ("risk patients.csv --known age --population nobody.csv", "there is no such file"),
        ("risk patients.csv --known age --type age=numbr", "did you mean `number`?"),
        ("risk patients.csv --known city --type city=number", "column `city`"),
        ("risk nowhere --known age", "there is no such file or directory"),
        ("risk empty --known age", "this is not a release"),
        ("risk release --known disease", "the column is sensitive"),
        ("risk release --known agee", "did you mean `age`?"),
        ("risk release --belief 1.5", "from 0 to below 1"),
    ] {
        dir.run(line).refused(2, &[words]);
    }
    dir.run("risk patients.csv --known age --up-to x").refused(2, &["invalid value"]);
}
