//! Missing values that requirements do not count: published, verified from the bytes alone, and put to the definition.

use crate::dice::Dice;
use crate::steps::{Heard, Say, failures, job, publish, publish_in, verify, verify_alone};
use scumble::{Error, Job, Method, Missing};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// People with an age and an illness, which is missing for some.
fn write(folder: &Path, rows: &[(u64, u64)]) {
    let illness = |code: u64| if code == 0 { String::new() } else { format!("i{code}") };
    let lines: String = rows.iter().map(|row| format!("{},{}\n", row.0, illness(row.1))).collect();
    fs::write(folder.join("data.csv"), format!("age,illness\n{lines}")).unwrap();
}

fn ignoring(folder: &Path, require: &[&str]) -> Job {
    let job = job(folder.join("data.csv"), folder.join("release")).quasi(["age"]).sensitive(["illness"]);
    job.requiring(require).but(|job| {
        job.column_mut("illness").missing = Some(Missing::Ignore);
        job.output.replace = true;
    })
}

/// Groups of a generalized table, as their illnesses.
fn groups(release: &Path) -> Vec<Vec<String>> {
    let text = fs::read_to_string(release.join("table.csv")).unwrap();
    let mut groups: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for line in text.lines().skip(1) {
        let (group, illness) = (line.split(',').next().unwrap(), line.rsplit(',').next().unwrap());
        groups.entry(group.into()).or_default().push(illness.into());
    }
    groups.into_values().collect()
}

/// The definition, written out for a group: those without a value are not there.
fn holds(require: &str, group: &[String]) -> bool {
    let with_value: Vec<&String> = group.iter().filter(|illness| !illness.is_empty()).collect();
    let distinct: BTreeSet<&&String> = with_value.iter().collect();
    let top = distinct.iter().map(|illness| with_value.iter().filter(|other| *other == *illness).count()).max();
    match require {
        "distinct-l-diversity(3)" => distinct.len() >= 3,
        "frequency-l-diversity(2)" => top.is_some_and(|top| 2 * top <= with_value.len()),
        other => panic!("{other} is not written out"),
    }
}

#[test]
fn every_group_holds_without_its_missing_values() {
    let (mut published, mut with_missing) = (0, 0);
    for seed in 0..150u64 {
        let mut dice = Dice(seed);
        let folder = tempfile::tempdir().unwrap();
        let n = 8 + dice.below(40);
        let rows: Vec<(u64, u64)> =
            (0..n).map(|_| (dice.below(30), if dice.below(3) == 0 { 0 } else { 1 + dice.below(5) })).collect();
        write(folder.path(), &rows);
        let require = ["distinct-l-diversity(3)", "frequency-l-diversity(2)"][seed as usize % 2];
        let whole: Vec<String> =
            rows.iter().map(|row| if row.1 == 0 { String::new() } else { format!("i{}", row.1) }).collect();
        let job = ignoring(folder.path(), &[require]);
        match publish(&job) {
            Ok(_) => {
                let groups = groups(job.out());
                assert!(groups.iter().all(|group| holds(require, group)), "{seed} {require}: {groups:?}");
                assert_eq!(failures(&verify(&job)), Vec::<String>::new());
                published += 1;
                with_missing += usize::from(groups.iter().flatten().any(String::is_empty));
            }
            Err(Error::Infeasible { .. }) => assert!(!holds(require, &whole), "{seed} {require}: {rows:?}"),
            Err(other) => panic!("{other}"),
        }
    }
    assert!(published > 60 && with_missing > 60, "{published} {with_missing}");
}

#[test]
fn every_form_leaves_them_out_and_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let mut dice = Dice(5);
    let rows: Vec<(u64, u64)> =
        (0..300).map(|_| (dice.below(60), if dice.below(4) == 0 { 0 } else { 1 + dice.below(6) })).collect();
    write(folder.path(), &rows);
    let missing = rows.iter().filter(|row| row.1 == 0).count();
    for method in [Method::Generalize, Method::FullDomain, Method::Anatomy, Method::Permute, Method::Angel] {
        for require in ["distinct-l-diversity(3)", "frequency-l-diversity(2)", "t-closeness(0.5)"] {
            let job = ignoring(folder.path(), &[require]).but(|job| {
                job.publish.method = Some(method);
                job.publish.angel_k = (method == Method::Angel).then_some(5);
            });
            let (heard, context) = Heard::listen();
            publish_in(&job, &context).unwrap_or_else(|error| panic!("{method} {require}: {error}"));
            let verdict = verify_alone(job.out());
            assert_eq!(failures(&verdict), Vec::<String>::new(), "{method} {require}");
            let noted = verdict.checks.iter().find(|check| check.name == "missing").unwrap();
            assert!(noted.detail.contains(&format!("{missing} of `illness`")), "{}", noted.detail);
            let told = format!("{missing} of 300 rows have no value of `illness`");
            assert!(heard.warnings().iter().any(|text| text.contains(&told)), "{:?}", heard.warnings());
            let page = fs::read_to_string(job.out().join("report.html")).unwrap();
            assert!(page.contains(&format!("{missing} rows have no value of illness")), "{method} {require}");
        }
    }
}

#[test]
fn the_manifest_decides_how_a_release_is_judged() {
    let folder = tempfile::tempdir().unwrap();
    // Three illnesses among ten people, and seven who have none: null would be more than half.
    let rows: Vec<(u64, u64)> = (0..10).map(|n| (n, if n < 7 { 0 } else { n - 6 })).collect();
    write(folder.path(), &rows);
    let job = ignoring(folder.path(), &["frequency-l-diversity(3)"]);
    publish(&job).unwrap();
    assert!(verify_alone(job.out()).ok);
    let path = job.out().join("manifest.json");
    let text = fs::read_to_string(&path).unwrap();
    for (from, to, part) in [
        ("\"ignored\": 7", "\"ignored\": 6", "missing in 7 rows, and the manifest says 6"),
        (
            "\"missing\": [\n    {\n      \"column\": \"illness\",\n      \"ignored\": 7\n    }\n  ],\n  ",
            "",
            "frequency-l-diversity(3)",
        ),
    ] {
        assert!(text.contains(from), "{text}");
        fs::write(&path, text.replace(from, to)).unwrap();
        let found = failures(&verify_alone(job.out()));
        assert!(found.iter().any(|failure| failure.contains(part)), "{found:?}");
    }
    let by_value = job.but(|job| job.column_mut("illness").missing = Some(Missing::Value));
    assert!(publish(&by_value).is_err(), "null is a value unless it is said otherwise");
}
