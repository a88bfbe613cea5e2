//! `scumble evaluate --qs`: count queries about several sensitive columns at once.

use crate::support::{TestDir, patients};
use serde_json::json;

#[test]
fn queries_about_several_sensitive_columns() {
    let dir = TestDir::new();
    dir.file("patients.csv", patients(300));
    let publish =
        "publish patients.csv --identifying name --quasi age,city --sensitive disease,cost --seed 3 --insecure-seed";
    dir.run(&format!("{publish} --require k-anonymity(23) --out g")).done();
    dir.run(&format!("{publish} --require k-anonymity(23) --method anatomy --out a")).done();
    for (release, estimator) in [("g", "ends"), ("a", "shares")] {
        let found = dir.run(&format!("evaluate {release} --source patients.csv --qs 2 --s 0.3 --json")).done().json();
        let workloads = found["workloads"].as_array().unwrap();
        // As many quasi-identifiers as there are.
        assert_eq!(workloads.iter().map(|one| one["w"].as_u64().unwrap()).collect::<Vec<_>>(), [3, 4]);
        for one in workloads {
            assert_eq!(one["qs"], 2);
            assert!(one["estimators"][estimator]["mean"].as_f64().unwrap() > 0.0, "{one}");
        }
        // Everything is one more column, at a smaller share of each.
        let found =
            dir.run(&format!("evaluate {release} --source patients.csv --qs 2 --volume 0.3 --json")).done().json();
        assert_eq!((&found["workloads"][0]["w"], &found["workloads"][0]["qs"]), (&json!(4), &json!(2)));
        let one = dir.run(&format!("evaluate {release} --source patients.csv --s 0.3 --json")).done().json();
        assert!(one["workloads"][0].get("qs").is_none());
    }
    let said = dir.run("evaluate g --source patients.csv --qs 2 --w 3 --queries 50 --report page.html").done();
    assert!(
        said.stdout.contains("Relative error of 50 counts each over w columns, 2 of them sensitive, of volume 0.1:")
    );
    let page = std::fs::read_to_string(dir.path().join("page.html")).unwrap();
    assert!(page.contains("w − 2 of the quasi-identifiers and 2 of the sensitive columns"));
    for (rest, words) in [
        ("--qs 0", "at least 1 sensitive column"),
        ("--qs 3", "the release has 2 sensitive columns"),
        ("--qs 2 --w 2", "at least 3 columns"),
        ("--qs 2 --w 5", "it needs 3 quasi-identifiers and the release has 2"),
        ("--qs 2 --sensitive cost", "are about any of them"),
        ("--qs 2 --baseline perturbation", "perturbation is compared on one sensitive column"),
    ] {
        dir.run(&format!("evaluate g --source patients.csv {rest}")).refused(2, &[words]);
    }
    dir.run(&format!("{publish} --method permute --require \"cost: ke-anonymity(2, 10)\" --require \"disease: distinct-l-diversity(2)\" --out p")).done();
    dir.run("evaluate p --source patients.csv --qs 2").refused(2, &["groups of its own", "--together"]);
    dir.run("evaluate p --source patients.csv --queries 20").done();
}
