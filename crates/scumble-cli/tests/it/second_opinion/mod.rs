//! A second opinion: pycanon, a checker of other people, on releases of ours.
//!
//! It reads the published tables and knows neither our code nor our manifest. What it attains must be what `verify` and
//! the manifest say, as far as its definitions are ours; `figures.rs` says how far that is. It is run with `SCUMBLE_PYCANON`, a Python that has
//! it.

mod figures;

use crate::support::{TestDir, data};
use figures::{Definition, Disagreement, Meeting, recursive};
use serde_json::Value;
use std::path::Path;
use std::process::Command;

/// What pycanon finds in a release; says so and skips where there is no pycanon.
fn asked(dir: &TestDir, release: &str) -> Option<Value> {
    let Some(python) = std::env::var_os("SCUMBLE_PYCANON") else {
        eprintln!("SCUMBLE_PYCANON is not set: skipped");
        return None;
    };
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts/pycanon_figures.py");
    let output = Command::new(python).arg(script).arg(dir.path().join(release)).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(serde_json::from_slice(&output.stdout).unwrap())
}

/// The name of a principle in a requirement, with its ground if it is not the usual one, and its parameters.
fn parts(requirement: &str) -> (String, Vec<f64>) {
    let text = requirement.rsplit_once(": ").map_or(requirement, |(_, text)| text);
    let (name, rest) = text.trim_end_matches(')').split_once('(').unwrap();
    let mut words = rest.split(", ").filter(|word| word.parse::<f64>().is_err());
    let name = words.next().map_or(name.to_string(), |ground| format!("{name} {ground}"));
    (name, rest.split(", ").filter_map(|word| word.parse().ok()).collect())
}

/// Everything in which two checkers differ about a release, and how many figures they agree on.
fn compared(release: &str, manifest: &Value, verdict: &Value, theirs: &Value) -> (Vec<Disagreement>, usize) {
    let (mut found, mut agreed) = (Vec::new(), 0);
    for (name, words) in [
        ("rows", "rows are the published people, suppressed ones apart; pycanon is handed those with a group"),
        ("groups", "a group is what the `group` column tells apart; pycanon takes rows with an equal one as a class"),
    ] {
        let other = if name == "rows" { &theirs["rows"] } else { &theirs["group"]["classes"] };
        if verdict[name] != *other {
            found.push(Disagreement {
                place: release.into(),
                ours: format!("{name} {}", verdict[name]),
                theirs: format!("{name} {other}"),
                definition: words,
            });
        }
    }
    let sensitive: Vec<&str> = manifest["columns"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|column| column["role"] == "sensitive")
        .map(|column| column["name"].as_str().unwrap())
        .collect();
    let levels = verdict["levels"].as_array().unwrap().iter();
    let entries = levels.chain(manifest["attained"].as_array().unwrap());
    for (entry, (kind, classes)) in
        entries.flat_map(|entry| theirs.as_object().unwrap().iter().map(move |c| (entry, c)))
    {
        let Some(requirement) = entry["requirement"].as_str().filter(|_| classes.is_object()) else { continue };
        let meeting = match kind == "group" || classes["classes"] == verdict["groups"] {
            true => Meeting::Same,
            false => Meeting::Safer,
        };
        let (name, parameters) = parts(requirement);
        // A requirement names its column, the manifest beside it where it is for several, or there is only one.
        let named = requirement.rsplit_once(": ").map(|(column, _)| column).or(entry["column"].as_str());
        let column = named.or_else(|| (sensitive.len() == 1).then(|| sensitive[0]));
        let here = if name == "k-anonymity" { classes } else { &classes["columns"][column.unwrap()] };
        let place = format!("{release}, classes by {kind}, {requirement} of {}", column.unwrap_or("all columns"));
        if name == "recursive-l-diversity" {
            match recursive(entry, here).filter(|_| meeting == Meeting::Same) {
                Some(Ok(())) => agreed += 1,
                Some(Err(disagreement)) => found.push(Disagreement { place, ..disagreement }),
                None => {}
            }
            continue;
        }
        let Some(definition) = Definition::named(&name).filter(|definition| definition.known(entry, here)) else {
            continue;
        };
        let words = definition.words();
        // Levels are requirements that just hold, up to a digit; those of the manifest were really asked for.
        if entry["principle"].is_null() && !definition.kept(parameters[0], here) {
            found.push(Disagreement {
                place: place.clone(),
                ours: "it holds".into(),
                theirs: format!("otherwise: {here}"),
                definition: words,
            });
        }
        match definition.compare(entry, here, meeting) {
            Some((ours, theirs)) => found.push(Disagreement { place, ours, theirs, definition: words }),
            None => agreed += 1,
        }
    }
    (found, agreed)
}

/// Both checkers, on a release that has just been published; what they differ in, and on how many figures they agree.
fn opinions(dir: &TestDir, release: &str) -> Option<(Vec<Disagreement>, usize)> {
    let verdict = dir.run(&format!("verify {release} --json")).done().json();
    let theirs = asked(dir, release)?;
    Some(compared(release, &manifest(dir, release), &verdict, &theirs))
}

fn manifest(dir: &TestDir, release: &str) -> Value {
    let file = dir.path().join(release).join("manifest.json");
    serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap()
}

/// pycanon must agree, and on so many figures at least that an empty comparison does not pass.
fn agreed(dir: &TestDir, release: &str, least: usize) {
    let Some((found, agreed)) = opinions(dir, release) else { return };
    let words: Vec<String> = found.iter().map(ToString::to_string).collect();
    assert!(found.is_empty(), "{}", words.join("\n"));
    assert!(agreed >= least, "{release}: only {agreed} figures were compared");
}

/// People with missing values in every column, a number with an order and few values, and labels.
fn people(rows: usize) -> String {
    let mut text = String::from("age,city,school,disease,score\n");
    let mut state = 7u64;
    let mut below = |n: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % n
    };
    for _ in 0..rows {
        let age = if below(25) == 0 { String::new() } else { (18 + below(60)).to_string() };
        let city = ["Ghent", "Porto", "Turku", "Split", ""][below(5) as usize];
        let school = ["none", "some", "much", "all"][below(4) as usize];
        let disease = ["flu", "flu", "cold", "asthma", "ulcer", "gout", ""][below(7) as usize];
        let score = if below(15) == 0 { String::new() } else { format!("{}.5", below(9)) };
        text.push_str(&format!("{age},{city},{school},{disease},{score}\n"));
    }
    text
}

fn prepared_dir() -> TestDir {
    let dir = TestDir::new();
    dir.file("people.csv", people(900));
    dir.file("school.txt", "none\nsome\nmuch\nall\n");
    dir
}

const PUBLISH: &str = "publish people.csv --quasi age,city,school --order school=school.txt --drop-rest";

#[test]
fn generalized_tables_with_missing_values() {
    let dir = prepared_dir();
    for (out, more) in [
        ("mondrian", "--require \"disease: frequency-l-diversity(2)\" --require \"score: t-closeness(0.4, ordered)\""),
        ("relaxed", "--algorithm mondrian-relaxed --require \"disease: entropy-l-diversity(2.5)\""),
        ("paper", "--algorithm paper --require \"disease: t-closeness(0.45)\" --require alpha-k-anonymity(0.6,6)"),
    ] {
        let line = format!("{PUBLISH} --sensitive disease,score --require k-anonymity(6) {more} --out {out}");
        dir.run(&line).done();
        agreed(&dir, out, 20);
    }
}

#[test]
fn suppressed_rows_and_levels() {
    let dir = prepared_dir();
    for (out, more) in [
        ("levels", "--method full-domain --require distinct-l-diversity(3)"),
        ("fewer", "--require distinct-l-diversity(4) --require t-closeness(0.5)"),
    ] {
        let line = format!(
            "{PUBLISH} --sensitive disease --require k-anonymity(5) {more} --max-suppressed 0.1 --out {out} --json"
        );
        dir.run(&line).done();
        agreed(&dir, out, 10);
    }
    assert!(manifest(&dir, "levels")["suppressed"].as_u64().unwrap() > 0);
}

#[test]
fn tables_with_exact_quasi_identifiers() {
    let dir = prepared_dir();
    for (out, more) in [
        ("anatomy", "--method anatomy --require distinct-l-diversity(3) --require k-anonymity(6)"),
        ("permuted", "--method permute --require recursive-l-diversity(2,3)"),
        ("angel", "--method angel --angel-k 5 --require alpha-k-anonymity(0.5,4)"),
    ] {
        dir.run(&format!("{PUBLISH} --sensitive disease {more} --out {out}")).done();
        agreed(&dir, out, 5);
    }
    let line = format!("{PUBLISH} --sensitive score --method permute --require \"ke-anonymity(3, 2)\" --out numbers");
    dir.run(&line).done();
    agreed(&dir, "numbers", 6);
}

#[test]
fn recursive_diversity_of_even_groups() {
    let dir = TestDir::new();
    let mut text = String::from("age,disease\n");
    for block in 0..12 {
        for disease in ["flu", "cold", "asthma", ""] {
            text.push_str(&format!("{},{disease}\n", 20 + block).repeat(2));
        }
    }
    dir.file("data.csv", text);
    dir.run("publish data.csv --quasi age --sensitive disease --require k-anonymity(8) --require distinct-l-diversity(4) --require recursive-l-diversity(2,4) --out release")
        .done();
    let Some(theirs) = asked(&dir, "release") else { return };
    assert_eq!(
        (&theirs["group"]["columns"]["disease"]["even"], &theirs["group"]["classes"]),
        (&true.into(), &12.into())
    );
    // r_1 < c r_4 with all counts 2: c must exceed 1.
    assert_eq!(theirs["group"]["columns"]["disease"]["recursive"]["c"], 2);
    agreed(&dir, "release", 16);
}

#[test]
fn samples_and_adult() {
    let dir = TestDir::new();
    dir.run("generate salaries --rows 1200 --seed 5 --out salaries.csv").done();
    dir.run("publish salaries.csv --quasi birth_date,zipcode,sex,department --sensitive diagnosis --drop-rest --require k-anonymity(5) --require distinct-l-diversity(3) --out salaries")
        .done();
    agreed(&dir, "salaries", 10);
    let Some(adult) = data("adult/adult_all_48842.csv.gz") else { return };
    let unpacked = Command::new("gzip").arg("-dc").arg(&adult).output().unwrap().stdout;
    let text: String =
        String::from_utf8(unpacked).unwrap().lines().take(1201).map(|line| format!("{line}\n")).collect();
    dir.file("adult.csv", text);
    // A `?` is a label here, so that it counts as one on both sides.
    let line = "publish adult.csv --quasi age,sex,race,marital_status,education,native_country --sensitive occupation --drop-rest \
                --require k-anonymity(5) --require t-closeness(0.5) --require entropy-l-diversity(3)";
    dir.run(&format!("{line} --out adult")).done();
    agreed(&dir, "adult", 10);
}

/// A release that was tampered with after it was verified: the two opinions part, and the words say about what.
#[test]
fn a_disagreement_is_explained() {
    let dir = prepared_dir();
    let line = format!("{PUBLISH} --sensitive disease --require k-anonymity(5) --require distinct-l-diversity(2)");
    dir.run(&format!("{line} --out release")).done();
    let verdict = dir.run("verify release --json").done().json();
    let file = dir.path().join("release/table.csv");
    let text = std::fs::read_to_string(&file).unwrap();
    let group = |line: &str| line.split(',').next().unwrap().to_string();
    let mut sizes = std::collections::BTreeMap::<String, usize>::new();
    text.lines().skip(1).for_each(|line| *sizes.entry(group(line)).or_default() += 1);
    let smallest = sizes.iter().min_by_key(|(_, size)| **size).unwrap().0.clone();
    // The smallest group loses a row, and all that remain of it have the same disease.
    let mut members = 0;
    let tampered: Vec<String> = text
        .lines()
        .filter_map(|line| {
            if group(line) != smallest {
                return Some(line.to_string());
            }
            members += 1;
            (members > 1).then(|| format!("{},flu", line.rsplit_once(',').unwrap().0))
        })
        .collect();
    std::fs::write(&file, tampered.join("\n") + "\n").unwrap();
    dir.run("verify release").refused(1, &[]);
    let Some(theirs) = asked(&dir, "release") else { return };
    let (found, _) = compared("release", &manifest(&dir, "release"), &verdict, &theirs);
    let words: Vec<String> = found.iter().map(ToString::to_string).collect();
    for expected in [
        "release: verify says rows 900, pycanon says rows 899",
        "the definition at issue: k is the number of rows of the smallest group",
        "classes by group, k-anonymity(5) of",
        "pycanon says l 1",
        "the definition at issue: l is the least number of different sensitive values in a group",
        "pycanon says alpha 1.0",
    ] {
        assert!(words.iter().any(|word| word.contains(expected)), "`{expected}` is not in: {}", words.join("\n"));
    }
}
