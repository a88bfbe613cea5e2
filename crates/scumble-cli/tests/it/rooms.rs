//! The rooms of the house: which crate may know which. Data flows one way, and no arrow turns round.

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

/// What each crate may depend on. Whatever is not listed here is forbidden, and a crate without a line is unknown.
const ROOMS: &[(&str, &[&str])] = &[
    ("scumble-platform", &[]),
    ("scumble-table", &[]),
    ("scumble-report", &["table"]),
    ("scumble-sample", &[]),
    ("scumble-io", &["platform", "table"]),
    ("scumble-ledger", &["platform", "table"]),
    ("scumble-rules", &["io", "table"]),
    ("scumble-principle", &["table"]),
    ("scumble-release", &["io", "platform", "principle", "table"]),
    // The trusted part: it knows nothing of how releases are made, nor of anything that is worked out from them.
    ("scumble-verify", &["io", "principle", "release", "table"]),
    ("scumble-answer", &["table"]),
    ("scumble-measure", &["answer", "io", "principle", "release", "table", "verify"]),
    ("scumble-risk", &["io", "principle", "release", "table", "verify"]),
    // The making side: it builds the forms that the release side defines.
    ("scumble-method", &["principle", "release", "table"]),
    ("scumble-query", &["answer", "io", "release", "table"]),
    (
        "scumble",
        &[
            "answer",
            "io",
            "ledger",
            "measure",
            "method",
            "platform",
            "principle",
            "query",
            "release",
            "report",
            "risk",
            "rules",
            "sample",
            "table",
            "verify",
        ],
    ),
    ("scumble-cli", &["", "platform", "query"]),
    ("scumble-lab", &["", "io", "measure", "method", "platform", "principle", "release", "report", "table"]),
];

fn dependencies() -> BTreeMap<String, BTreeSet<String>> {
    let told = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--offline", "--format-version", "1"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    assert!(told.status.success(), "{}", String::from_utf8_lossy(&told.stderr));
    let metadata: Value = serde_json::from_slice(&told.stdout).unwrap();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_string();
    let of_package = |package: &Value| {
        let normal = package["dependencies"].as_array().unwrap().iter().filter(|one| one["kind"].is_null());
        let ours = normal.map(|one| text(&one["name"])).filter(|name| name.starts_with("scumble"));
        (text(&package["name"]), ours.collect())
    };
    metadata["packages"].as_array().unwrap().iter().map(of_package).collect()
}

#[test]
fn no_arrow_turns_round() {
    let found = dependencies();
    assert!(found.len() >= ROOMS.len(), "only {:?} were found", found.keys());
    for (name, known) in &found {
        let tool =
            ["scumble-bench", "scumble-bench-query", "scumble-example-own-parts", "scumble-pages", "scumble-fuzz"]
                .contains(&name.as_str());
        let Some((_, allowed)) = ROOMS.iter().find(|(room, _)| room == name) else {
            assert!(tool || !name.starts_with("scumble"), "{name} is a new room: say in ROOMS what it may know");
            continue;
        };
        let allowed: BTreeSet<String> = allowed
            .iter()
            .map(|room| if room.is_empty() { "scumble".into() } else { format!("scumble-{room}") })
            .collect();
        let forbidden: Vec<&String> = known.difference(&allowed).collect();
        assert!(forbidden.is_empty(), "{name} must not know {forbidden:?}: data flows one way, see ARCHITECTURE.md");
    }
}

#[test]
fn the_audit_side_does_not_reach_the_making_side() {
    let found = dependencies();
    for audit in
        ["scumble-release", "scumble-verify", "scumble-answer", "scumble-measure", "scumble-risk", "scumble-query"]
    {
        let (mut reached, mut open) = (BTreeSet::new(), vec![audit.to_string()]);
        while let Some(name) = open.pop() {
            if reached.insert(name.clone()) {
                open.extend(found.get(&name).into_iter().flatten().cloned());
            }
        }
        for making in ["scumble-method", "scumble"] {
            assert!(!reached.contains(making), "{audit} reaches {making}: a bug in a method could hide itself");
        }
    }
}
