//! The documents of `--json`: warnings, and what can be had where the answer is no.

use crate::support::{TestDir, patients};
use serde_json::{Value, json};

/// What was printed as warnings on standard error.
fn printed(stderr: &str) -> Vec<&str> {
    stderr.lines().filter_map(|line| line.strip_prefix("warning: ")).collect()
}

fn listed(document: &Value) -> Vec<&str> {
    document["warnings"].as_array().map_or_else(Vec::new, |list| list.iter().filter_map(Value::as_str).collect())
}

const PUBLISH: &str =
    "publish data.csv --quasi age,city --sensitive disease --drop-rest --require k-anonymity(3) --json";

#[test]
fn warnings_were_missing_from_documents() {
    let dir = TestDir::new();
    dir.file("data.csv", patients(60));
    let said = dir.run(&format!("{PUBLISH} --seed 1 --out a")).done();
    let found = said.json();
    assert!(listed(&found).iter().any(|warning| warning.contains("--seed")), "{found}");
    assert_eq!(listed(&found), printed(&said.stderr));
    // Quiet is about the terminal.
    let said = dir.run(&format!("{PUBLISH} --quiet --seed 1 --out a --replace")).done();
    assert_eq!((listed(&said.json()), said.stderr.as_str()), (listed(&found), ""));
    // The document of verify has warnings of its own, and keeps them.
    assert!(!listed(&dir.run("verify a --json").done().json()).is_empty());
    // Errors have them too.
    let said = dir.run(&format!("{PUBLISH} --require k-anonymity(61) --seed 1 --out c"));
    let found = said.json();
    assert_eq!((said.code, listed(&found)), (1, printed(&said.stderr)));
    // Where nothing is warned of, nothing is said.
    assert_eq!(dir.run("inspect data.csv --json").done().json().get("warnings"), None);
}

#[test]
fn the_largest_value_that_the_data_allows_was_missing_from_errors() {
    let dir = TestDir::new();
    dir.file("data.csv", patients(30));
    let error = |require: &str| {
        let said = dir.run(&format!("{PUBLISH} --out r --require {require}"));
        assert_eq!(said.code, 1, "{}", said.stderr);
        said.json()["error"].clone()
    };
    let found = error("k-anonymity(31)");
    assert_eq!((&found["kind"], &found["requirement"]), (&json!("infeasible"), &json!("k-anonymity(31)")));
    assert_eq!(found["nearest"], json!(["k-anonymity(30)"]), "{found}");
    assert_eq!(error("distinct-l-diversity(7)")["nearest"], json!(["distinct-l-diversity(6)"]));
    assert_eq!(error("\"disease: distinct-l-diversity(7)\"")["nearest"], json!(["disease: distinct-l-diversity(6)"]));
}

#[test]
fn an_angel_k_above_the_number_of_rows_is_answered_with_no() {
    let dir = TestDir::new();
    dir.file("data.csv", patients(30));
    let said = dir.run(&format!("{PUBLISH} --method angel --angel-k 31 --out r"));
    let said = said.refused(1, &["can meet --angel-k 31", "the table has 30", "--angel-k can be 30 at most"]);
    let error = &said.json()["error"];
    assert_eq!((&error["requirement"], &error["nearest"]), (&json!("--angel-k 31"), &json!(["30"])), "{error}");
    assert_eq!(dir.entries(), ["data.csv"]);
    dir.run(&format!("{PUBLISH} --method angel --angel-k 30 --allow-sets city --out r")).done();
}
