//! `publish --method permute`: exact people beside values that were shuffled inside groups.

use crate::support::{TestDir, patients};
use std::fs;

/// The table of the paper's figure 1.
pub(crate) const FIGURE_1: &str = "name,age,zipcode,gender,salary
Alex,35,27101,M,54000
Bob,38,27120,M,55000
Carol,40,27130,M,56000
Debra,41,27229,F,65000
Evan,43,27269,F,75000
Frank,47,27243,M,70000
Gary,52,27656,M,80000
Henry,53,27686,F,75000
Ina,58,27635,M,85000
";

const LINE: &str = "publish data.csv --quasi age,city --sensitive cost --keep disease --identifying name --method permute \
                    --algorithm mondrian --require k-anonymity(4)";

fn lines(dir: &TestDir, file: &str) -> Vec<String> {
    fs::read_to_string(dir.path().join(file)).unwrap().lines().map(String::from).collect()
}

/// The bounds of a help table, group by group without their numbers.
fn bounds(dir: &TestDir, file: &str) -> Vec<Vec<String>> {
    let mut groups: Vec<(String, Vec<String>)> = Vec::new();
    for line in &lines(dir, file)[1..] {
        let (group, rest) = line.split_once(',').unwrap();
        match groups.last_mut() {
            Some((last, rows)) if last == group => rows.push(rest.into()),
            _ => groups.push((group.into(), vec![rest.into()])),
        }
    }
    let mut groups: Vec<Vec<String>> = groups.into_iter().map(|(_, rows)| rows).collect();
    groups.sort();
    groups
}

#[test]
fn people_groups_and_bounds() {
    let dir = TestDir::new();
    dir.file("data.csv", patients(300));
    let said = dir.run(&format!("{LINE} --out release --json")).done().json();
    assert_eq!((said["rows"].as_u64(), said["suppressed"].as_u64()), (Some(300), Some(0)));
    assert_eq!((said["method"].as_str(), said["ncp"].as_f64()), (Some("permute"), Some(0.0)));
    assert_eq!(lines(&dir, "release/permuted.csv")[0], "tuple,age,city,cost,disease");
    assert_eq!(lines(&dir, "release/mapping.csv")[0], "tuple,group");
    for file in ["permuted.csv", "mapping.csv", "help.csv"] {
        assert_eq!(lines(&dir, &format!("release/{file}")).len(), 301, "{file}");
    }
    // Tuples are people in an order of their own; what is kept stays with the person.
    let rows = lines(&dir, "release/permuted.csv");
    let source = lines(&dir, "data.csv");
    let people = |cells: Vec<&str>, at: [usize; 3]| at.map(|at| cells[at].to_string());
    let mut ours: Vec<_> = rows[1..].iter().map(|row| people(row.split(',').collect(), [1, 2, 4])).collect();
    let mut theirs: Vec<_> = source[1..].iter().map(|row| people(row.split(',').collect(), [1, 2, 3])).collect();
    assert_ne!(ours, theirs);
    ours.sort();
    theirs.sort();
    assert_eq!(ours, theirs);
    let numbers: Vec<u64> = rows[1..].iter().map(|row| row.split(',').next().unwrap().parse().unwrap()).collect();
    assert_eq!(numbers, (1..=300).collect::<Vec<_>>());
    let verified = dir.run("verify release --source data.csv --json").done().json();
    assert_eq!(verified["ok"], true);
    assert_eq!(said["attained"], verified["attained"]);
    let page = fs::read_to_string(dir.path().join("release/report.html")).unwrap();
    for words in
        ["presence is not hidden", "help.csv", "shuffled within each group", "mondrian", "which tuple is in which"]
    {
        assert!(page.contains(words), "{words}");
    }
}

#[test]
fn paper5_figure_4_from_figure_1() {
    let dir = TestDir::new();
    dir.file("data.csv", FIGURE_1);
    // (k, e)-anonymity alone is published by permutation.
    let line = "publish data.csv --identifying name --quasi age,zipcode,gender --sensitive salary --algorithm mondrian";
    let said = dir.run(&format!("{line} --require \"ke-anonymity(3, 2000)\" --out release")).done();
    assert!(said.stdout.contains("9 rows in 3 groups of 3;"), "{}", said.stdout);
    assert!(said.stdout.contains("the quasi-identifiers are exact"), "{}", said.stdout);
    let rows = |rows: [&str; 3]| rows.map(String::from).to_vec();
    assert_eq!(
        bounds(&dir, "release/help.csv"),
        [
            rows([
                "1,54000,56000,54000,56000,54000,56000",
                "2,109000,111000,54000,55000,55000,56000",
                "3,165000,165000,54000,54000,56000,56000"
            ]),
            rows([
                "1,65000,75000,65000,75000,65000,75000",
                "2,135000,145000,65000,70000,70000,75000",
                "3,210000,210000,65000,65000,75000,75000"
            ]),
            rows([
                "1,75000,85000,75000,85000,75000,85000",
                "2,155000,165000,75000,80000,80000,85000",
                "3,240000,240000,75000,75000,85000,85000"
            ]),
        ]
    );
    dir.run("verify release --source data.csv").done();
    // With something else beside it, or on request, the usual form.
    dir.run(&format!("{line} --require \"ke-anonymity(3, 2000)\" --require k-anonymity(2) --out other")).done();
    dir.run(&format!("{line} --require \"ke-anonymity(3, 2000)\" --method generalize --out boxes")).done();
    assert!(dir.path().join("other/table.csv").exists() && dir.path().join("boxes/table.csv").exists());
}

#[test]
fn jobs_parquet_and_replacing() {
    let dir = TestDir::new();
    dir.file("data.csv", patients(200));
    dir.file(
        "job.toml",
        "[input]\npath = \"data.csv\"\n[columns]\nname = \"identifying\"\nage = \"quasi\"\ncity = \"quasi\"\ndisease = \"sensitive\"\ncost = \"sensitive\"\n\
         [publish]\nrequire = [\"k-anonymity(3)\"]\nmethod = \"permute\"\ntogether = true\n[output]\ndir = \"release\"\nformat = \"parquet\"\n",
    );
    dir.run("publish --job job.toml").done();
    let there = |file: &str| dir.path().join("release").join(file).exists();
    assert!(there("permuted.parquet") && there("mapping.parquet") && there("help-cost.parquet"));
    dir.run("verify release --source data.csv").done();
    dir.run("publish --job job.toml --method generalize --replace")
        .refused(2, &["job.toml, line ", "`together`", "`method` permute"]);
    assert!(there("permuted.parquet"));
    dir.file("job.toml", fs::read_to_string(dir.path().join("job.toml")).unwrap().replace("together = true\n", ""));
    dir.run("publish --job job.toml --replace").done();
    assert!(there("mapping-disease.parquet") && there("mapping-cost.parquet") && there("help-cost.parquet"));
    assert!(!there("mapping.parquet") && !there("help-disease.parquet"));
    dir.run("verify release --source data.csv").done();
    dir.run("publish --job job.toml --method anatomy --replace").done();
    assert!(there("qit.parquet") && !there("permuted.parquet"));
}

#[test]
fn columns_together_or_apart() {
    let dir = TestDir::new();
    dir.file("data.csv", patients(300));
    let line = "publish data.csv --quasi age,city --sensitive disease,cost --identifying name --method permute";
    let apart = "--require k-anonymity(3) --require distinct-l-diversity(2) --require \"cost: ke-anonymity(4, 50)\"";
    let said = dir.run(&format!("{line} {apart} --out apart --json")).done().json();
    let entries: Vec<(&str, Option<&str>)> = said["attained"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| (entry["requirement"].as_str().unwrap(), entry["column"].as_str()))
        .collect();
    for entry in [
        ("k-anonymity(3)", None),
        ("distinct-l-diversity(2)", Some("disease")),
        ("distinct-l-diversity(2)", Some("cost")),
        ("cost: ke-anonymity(4, 50)", None),
    ] {
        assert!(entries.contains(&entry), "{entries:?}");
    }
    let page = fs::read_to_string(dir.path().join("apart/report.html")).unwrap();
    assert!(page.contains("in groups of its own") && page.contains("mapping-disease.csv"), "{page}");
    let groups = |file: &str| {
        let numbers =
            lines(&dir, file)[1..].iter().map(|line| line.split(',').nth(1).unwrap().parse::<u64>().unwrap()).max();
        numbers.unwrap()
    };
    let n = groups("apart/mapping-disease.csv") + groups("apart/mapping-cost.csv");
    assert_eq!(said["groups"].as_u64(), Some(n));
    let verified = dir.run("verify apart --source data.csv --json").done().json();
    assert_eq!(verified["groups"].as_u64(), Some(n));
    for (release, sensitive) in [("apart", "cost"), ("apart", "disease")] {
        let said = dir
            .run(&format!("evaluate {release} --source data.csv --sensitive {sensitive} --queries 50 --json"))
            .done();
        assert_eq!(said.json()["groups"].as_u64(), Some(groups(&format!("apart/mapping-{sensitive}.csv"))));
    }
    // Together they are whole tuples: every pair of values is one of the source.
    dir.run(&format!("{line} --together --require k-anonymity(3) --out together")).done();
    let pairs = |file: &str, at: [usize; 2]| {
        let rows = lines(&dir, file);
        // A release writes plain decimals, without zeros at the end.
        let plain = |cell: &str| cell.parse::<f64>().map_or(cell.to_string(), |number| number.to_string());
        let pair = |row: &String| at.map(|at| plain(row.split(',').nth(at).unwrap()));
        let mut pairs: Vec<_> = rows[1..].iter().map(pair).collect();
        pairs.sort();
        pairs
    };
    assert_eq!(pairs("together/permuted.csv", [3, 4]), pairs("data.csv", [3, 4]));
    assert_ne!(pairs("apart/permuted.csv", [3, 4]), pairs("data.csv", [3, 4]));
    let page = fs::read_to_string(dir.path().join("together/report.html")).unwrap();
    assert!(page.contains("were shuffled together"), "{page}");
}

#[test]
fn estimates_are_those_of_anatomy() {
    let dir = TestDir::new();
    dir.file("data.csv", patients(300));
    for method in ["permute", "anatomy"] {
        dir.run(&format!("{} --seed 4 --insecure-seed --out {method}", LINE.replace("permute", method))).done();
    }
    let said = |release: &str| {
        let mut said = dir.run(&format!("evaluate {release} --source data.csv --queries 100 --json")).done().json();
        assert_eq!(said["method"], release);
        for field in ["method", "release"] {
            said[field] = serde_json::Value::Null;
        }
        assert!(said["reconstruction"][0]["kl"].as_f64().is_some_and(|kl| kl >= 0.0), "{said}");
        said["reconstruction"][0]["table"] = serde_json::Value::Null;
        said
    };
    assert_eq!(said("permute"), said("anatomy"));
}

#[test]
fn what_permutation_cannot_do_is_refused() {
    let dir = TestDir::new();
    dir.file("data.csv", patients(100).replace("cost", "hits").replace("name", "tuple"));
    let run = |rest: &str| {
        dir.run(&format!("publish data.csv --method permute --require k-anonymity(4) --drop-rest --out release {rest}"))
    };
    run("--quasi age,city").refused(2, &["--sensitive", "permute", "--method generalize"]);
    run("--quasi age --sensitive disease --max-suppressed 0.1")
        .refused(2, &["--max-suppressed", "--method generalize"]);
    for columns in [
        "--quasi age,hits --sensitive disease",
        "--quasi age --sensitive hits",
        "--quasi age,tuple --sensitive disease",
        "--quasi age --keep tuple --accept-keep tuple --sensitive disease",
    ] {
        run(columns).refused(2, &["rename the column"]);
    }
    let line = "publish data.csv --method permute --drop-rest --out release --quasi age --sensitive city,disease";
    dir.run(&format!("{line} --require \"city: distinct-l-diversity(2)\"")).refused(2, &["`disease`", "--together"]);
    dir.run(&format!("{line} --require k-anonymity(3) --require \"town: distinct-l-diversity(2)\""))
        .refused(2, &["there is no column `town`"]);
    dir.run("publish data.csv --quasi age --sensitive disease --drop-rest --together --require k-anonymity(3) --out release")
        .refused(2, &["--together", "--method permute"]);
    let huge = "9".repeat(38);
    dir.file("huge.csv", format!("age,pay\n1,{huge}\n2,{huge}\n3,1\n4,2\n"));
    dir.run("publish huge.csv --quasi age --sensitive pay --method permute --require k-anonymity(2) --out release")
        .refused(2, &["`pay`", "38 digits", "--method anatomy"]);
    assert_eq!(dir.entries(), ["data.csv", "huge.csv"]);
}

#[test]
fn a_spoilt_release_is_named_and_shows_no_secret() {
    let dir = TestDir::new();
    dir.file("data.csv", patients(100));
    dir.run(&format!("{LINE} --out release")).done();
    for file in ["permuted.csv", "mapping.csv", "help.csv"] {
        let path = dir.path().join("release").join(file);
        let text = fs::read_to_string(&path).unwrap();
        let mut rows: Vec<&str> = text.lines().collect();
        rows.swap(3, 9);
        fs::write(&path, rows.join("\n") + "\n").unwrap();
        let said = dir.run("verify release");
        assert_eq!(said.code, 1);
        assert!(said.stdout.contains(&format!("FAIL tables-intact: `{file}`")), "{}", said.stdout);
        fs::write(&path, text).unwrap();
    }
    dir.run("verify release").done();
}
