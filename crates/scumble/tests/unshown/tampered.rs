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
    // A forger sees to it that checksums agree.
    let put = |mut manifest: Value, tree: &str| {
        let mut digest = scumble::Digest::default();
        digest.update(tree.as_bytes());
        let sha256 = json!(digest.hex());
        for entry in manifest["files"].as_array_mut().unwrap() {
            if entry["file"] == "hierarchy-code.csv" {
                entry["sha256"] = sha256.clone();
            }
        }
        fs::write(release.join("hierarchy-code.csv"), tree).unwrap();
        fs::write(release.join("manifest.json"), manifest.to_string()).unwrap();
        failing(&verdict(release))
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
