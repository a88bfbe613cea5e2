//! Releases that list more than they show do not verify.

use crate::people::People;
use crate::request;
use scumble::{Method, PublishRequest, Silent, Verdict};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

fn verdict(release: &Path) -> Verdict {
    scumble::verify(release, &[], None, None, &Silent).unwrap()
}

fn manifest(release: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(release.join("manifest.json")).unwrap()).unwrap()
}

fn failing(verdict: &Verdict) -> String {
    verdict.failures().map(|check| format!("{}: {}", check.name, check.detail)).collect::<Vec<_>>().join("; ")
}

#[test]
fn what_is_listed_and_not_shown_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let people = People::new(folder.path(), 240);
    let mut asked = request(folder.path(), &["code", "town"], &["illness"], &["k-anonymity(3)"]);
    asked.method = Some(Method::FullDomain);
    asked.columns[1].level = Some(1);
    asked.max_suppressed = scumble::Decimal::parse("0.9").unwrap();
    scumble::publish(&asked, &Silent).unwrap();
    let release = &asked.out;
    assert!(verdict(release).ok);
    let (whole, tree) = (manifest(release), fs::read_to_string(release.join("hierarchy-code.csv")).unwrap());
    let write = |manifest: &Value| fs::write(release.join("manifest.json"), manifest.to_string()).unwrap();
    let first = tree.lines().next().unwrap();
    let code = &people.values("code")[0];
    // A label more in the manifest, in the hierarchy, in both.
    let mut longer = whole.clone();
    longer["columns"][0]["domain"].as_array_mut().unwrap().push(json!(code));
    write(&longer);
    assert!(failing(&verdict(release)).contains("says more"), "{}", failing(&verdict(release)));
    let more = format!("{tree}{}\n", first.replacen(first.split(';').next().unwrap(), code, 1));
    fs::write(release.join("hierarchy-code.csv"), more).unwrap();
    assert!(!verdict(release).ok);
    write(&whole);
    let found = failing(&verdict(release));
    assert!(found.contains("labels that the table does not show"), "{found}");
    fs::write(release.join("hierarchy-code.csv"), &tree).unwrap();
    assert!(verdict(release).ok);
    // A column that is not there, or labels that stand for nothing.
    for coarse in [json!([{"column": "illness"}]), json!([{"column": "code", "rest": "nothing"}])] {
        let mut other = whole.clone();
        other["coarse"] = coarse;
        write(&other);
        assert!(!verdict(release).ok);
    }
}

#[test]
fn behind_a_star_nothing_is_listed() {
    let folder = tempfile::tempdir().unwrap();
    let people = People::new(folder.path(), 6);
    let asked = PublishRequest {
        requirements: vec!["k-anonymity(6)".parse().unwrap()],
        ..request(folder.path(), &["town", "height"], &["illness"], &[])
    };
    scumble::publish(&asked, &Silent).unwrap();
    let whole = manifest(&asked.out);
    assert_eq!(whole["columns"][0]["domain"], json!([]));
    assert!(verdict(&asked.out).ok);
    let mut longer = whole.clone();
    longer["columns"][0]["domain"] = json!(people.values("town"));
    fs::write(asked.out.join("manifest.json"), longer.to_string()).unwrap();
    assert!(failing(&verdict(&asked.out)).contains("says more"));
}
