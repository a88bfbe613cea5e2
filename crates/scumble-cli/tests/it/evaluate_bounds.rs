//! `scumble evaluate --bounds`: widths, lines beside the release, refusals.

use crate::support::{TestDir, patients};
use serde_json::Value;
use std::fs;

/// The widths of a line, as (size or span, mean, outside).
fn widths(line: &Value, kind: &str, by: &str) -> Vec<(f64, f64, u64)> {
    let asked = line[kind].as_array().unwrap().iter();
    asked
        .map(|one| (one[by].as_f64().unwrap(), one["mean"].as_f64().unwrap(), one["outside"].as_u64().unwrap()))
        .collect()
}

#[test]
fn bounds_of_exact_groups_are_within_those_of_their_boxes() {
    let dir = TestDir::new();
    dir.file("patients.csv", patients(600));
    dir.run("publish patients.csv --identifying name --quasi age,city --sensitive cost,disease --require k-anonymity(25) --method anatomy --seed 3 --insecure-seed --out exact").done();
    for aggregate in ["avg", "sum"] {
        let asked = format!("evaluate exact --source patients.csv --bounds {aggregate} --queries 200 --json");
        let found = dir.run(&asked).done().json();
        let bounds = &found["bounds"];
        assert_eq!((&bounds["aggregate"], &bounds["range_over"]), (&aggregate.into(), &"age".into()));
        assert_eq!(bounds.get("requirement"), None);
        let [exact, boxes] = &bounds["lines"].as_array().unwrap()[..] else { panic!("two lines: {bounds}") };
        assert_eq!((&exact["name"], &boxes["name"]), (&"release".into(), &"generalized".into()));
        for (kind, by, n) in [("arbitrary", "size", 5), ("ranges", "span", 4)] {
            let (exact, boxes) = (widths(exact, kind, by), widths(boxes, kind, by));
            assert_eq!((exact.len(), boxes.len()), (n, n));
            for (a, b) in exact.iter().zip(&boxes) {
                assert!(a.0 == b.0 && a.1 <= b.1 && a.1 > 0.0 && a.2 + b.2 == 0, "{kind} {a:?} {b:?}");
            }
        }
        // More people, surer averages; boxes gain nothing from it.
        let sizes = widths(exact, "arbitrary", "size");
        assert!(sizes[4].1 < sizes[0].1);
        assert_eq!(dir.run(&format!("{asked} --threads 1")).done().json()["bounds"], *bounds);
    }
    let said = dir
        .run("evaluate exact --source patients.csv --bounds avg --spans 0,25,1000 --sizes 0.5 --queries 50")
        .done()
        .stdout;
    for words in [
        "Width of the bounds of avg(cost), relative to the true answer:",
        "50 % of the people",
        "age, span 25",
        "generalized",
    ] {
        assert!(said.contains(words), "{words}: {said}");
    }
    dir.run("evaluate exact --source patients.csv --bounds avg --queries 20 --report page.html").done();
    let page = fs::read_to_string(dir.path().join("page.html")).unwrap();
    assert!(page.contains("Bounds of averages") && page.contains("least boxes instead of exact"));
}

#[test]
fn rank_swapping_is_measured_under_the_stated_requirement() {
    let dir = TestDir::new();
    dir.file("patients.csv", patients(600));
    dir.run("publish patients.csv --identifying name --quasi age,city --sensitive cost --drop-rest --require ke-anonymity(4,100) --method generalize --algorithm mondrian --seed 3 --out boxes").done();
    let ask = "evaluate boxes --source patients.csv --bounds avg --queries 100";
    let found = dir.run(&format!("{ask} --algorithms rank-swap --json")).done().json();
    let bounds = &found["bounds"];
    assert_eq!(bounds["requirement"], "ke-anonymity(4, 100)");
    let [release, swapped] = &bounds["lines"].as_array().unwrap()[..] else { panic!("two lines: {bounds}") };
    assert_eq!((&release["name"], &swapped["name"]), (&"release".into(), &"rank-swap".into()));
    for line in [release, swapped] {
        assert!(
            widths(line, "arbitrary", "size").iter().chain(&widths(line, "ranges", "span")).all(|one| one.2 == 0),
            "{line}"
        );
    }
    for (rest, words) in [
        ("--bounds max", "bounds are measured of avg or sum"),
        ("--bounds avg --sizes 0.1,7", "--sizes `7`"),
        ("--bounds avg --spans=-3", "--spans `-3`"),
        ("--bounds avg --range-over city", "no order"),
        ("--bounds avg --range-over aeg", "did you mean `age`?"),
        ("--bounds avg --algorithms rank-swop", "did you mean `rank-swap`?"),
        ("--sizes 0.1", "--bounds"),
    ] {
        dir.run(&format!("evaluate boxes --source patients.csv {rest}")).refused(2, &[words]);
    }
    dir.run("publish patients.csv --identifying name --quasi age,city --sensitive disease,cost --require k-anonymity(25) --seed 3 --out release").done();
    let ask = |rest: &str| dir.run(&format!("evaluate release --source patients.csv --bounds avg {rest}"));
    ask("").refused(2, &["name a sensitive column of numbers in --sensitive"]);
    ask("--sensitive cost --algorithms rank-swap").refused(2, &["states no (k, e)-anonymity on `cost`"]);
}

#[test]
fn other_groups_are_measured_beside_a_permuted_release() {
    let dir = TestDir::new();
    dir.file("patients.csv", patients(600));
    dir.run("publish patients.csv --identifying name --quasi age,city --sensitive cost --drop-rest --require ke-anonymity(4,100) --seed 3 --insecure-seed --out release").done();
    let ask = "evaluate release --source patients.csv --bounds avg --queries 50 --w 2";
    let found = dir.run(&format!("{ask} --algorithms all --json")).done().json();
    assert_eq!(found["method"], "permute");
    let bounds = &found["bounds"];
    let names: Vec<&str> =
        bounds["lines"].as_array().unwrap().iter().map(|line| line["name"].as_str().unwrap()).collect();
    let all =
        ["expected-width", "min-sum", "min-max", "min-max-overlap", "max-groups", "random", "mondrian", "rank-swap"];
    assert_eq!(names, [&["release", "generalized"], &all[..]].concat());
    assert_eq!(dir.run(&format!("{ask} --algorithms all --threads 1 --json")).done().json()["bounds"], *bounds);
    let said = dir.run(&format!("{ask} --algorithms min-sum,random")).done().stdout;
    for words in ["others under `ke-anonymity(4, 100)`", "min-sum", "random"] {
        assert!(said.contains(words), "{words}: {said}");
    }
    dir.run(&format!("{ask} --algorithms proximity")).refused(2, &["--algorithms `proximity`", "`rank-swap`, `all`"]);
}
