//! Releases that list more than they show do not verify.

use super::asked;
use super::people::People;
use crate::steps::{Say, failures, publish, verify_alone};
use scumble::{Decimal, Digest, Method};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

fn manifest(release: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(release.join("manifest.json")).unwrap()).unwrap()
}

/// What the verifier finds wrong.
fn failing(release: &Path) -> String {
    failures(&verify_alone(release)).join("; ")
}

#[test]
fn what_is_listed_and_not_shown_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let people = People::new(folder.path(), 240);
    let job = asked(folder.path(), &["code", "town"], &["illness"], &["k-anonymity(3)"]).but(|job| {
        job.publish.method = Some(Method::FullDomain);
        job.column_mut("code").level = Some(1);
        job.publish.max_suppressed = Decimal::parse("0.9");
    });
    publish(&job).unwrap();
    let release = job.out();
    assert!(verify_alone(release).ok);
    let (whole, tree) = (manifest(release), fs::read_to_string(release.join("hierarchy-code.csv")).unwrap());
    // A forger sees to it that checksums agree.
    let put = |mut manifest: Value, tree: &str| {
        let mut digest = Digest::default();
        digest.update(tree.as_bytes());
        let sha256 = json!(digest.hex());
        for entry in manifest["files"].as_array_mut().unwrap() {
            if entry["file"] == "hierarchy-code.csv" {
                entry["sha256"] = sha256.clone();
            }
        }
        fs::write(release.join("hierarchy-code.csv"), tree).unwrap();
        fs::write(release.join("manifest.json"), manifest.to_string()).unwrap();
        failing(release)
    };
    assert_eq!(put(whole.clone(), &tree), "");
    let first = tree.lines().next().unwrap();
    let code = &people.values("code")[0];
    // A label more in the manifest, in the hierarchy, in both.
    let mut longer = whole.clone();
    longer["columns"][0]["domain"].as_array_mut().unwrap().push(json!(code));
    let found = put(longer.clone(), &tree);
    assert!(found.contains("says more"), "{found}");
    let more = format!("{tree}{}\n", first.replacen(first.split(';').next().unwrap(), code, 1));
    for manifest in [longer, whole.clone()] {
        let found = put(manifest, &more);
        assert!(found.contains("labels that the table does not show"), "{found}");
    }
    // Whoever leaves out that the labels are coarse lists a value that no cell shows all the same.
    let mut plain = whole.clone();
    plain.as_object_mut().unwrap().remove("coarse");
    plain["columns"][0]["domain"].as_array_mut().unwrap().push(json!(code));
    assert!(put(plain, &more).contains("says more"));
    // A column that is not there, or labels that stand for nothing.
    for coarse in [json!([{"column": "illness"}]), json!([{"column": "code", "rest": "nothing"}])] {
        let mut other = whole.clone();
        other["coarse"] = coarse;
        assert_ne!(put(other, &tree), "");
    }
}

#[test]
fn behind_a_star_nothing_is_listed() {
    let folder = tempfile::tempdir().unwrap();
    let people = People::new(folder.path(), 6);
    let job = asked(folder.path(), &["town", "height"], &["illness"], &["k-anonymity(6)"]);
    publish(&job).unwrap();
    let whole = manifest(job.out());
    assert_eq!(whole["columns"][0]["domain"], json!([]));
    assert!(verify_alone(job.out()).ok);
    let mut longer = whole.clone();
    longer["columns"][0]["domain"] = json!(people.values("town"));
    fs::write(job.out().join("manifest.json"), longer.to_string()).unwrap();
    assert!(failing(job.out()).contains("says more"));
}
