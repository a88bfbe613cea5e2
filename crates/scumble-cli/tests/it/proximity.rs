//! Publishing under proximity requirements, from the command line to the bytes of the release, judged by
//! the definition written out once more and by the independent checker where it is there.

use crate::oracle::judged;
use crate::support::{TestDir, data};
use std::collections::BTreeMap;
use std::path::Path;

/// The sensitive numbers of each group of a release, read with nothing but string functions.
fn groups(dir: &TestDir, release: &str, method: &str) -> Vec<Vec<i64>> {
    let file = if method == "anatomy" { "st.csv" } else { "table.csv" };
    let text = std::fs::read_to_string(dir.path().join(release).join(file)).unwrap();
    let mut groups: BTreeMap<String, Vec<i64>> = BTreeMap::new();
    for line in text.lines().skip(1) {
        let group = line.split(',').next().unwrap().to_string();
        let mut last = line.rsplit(',');
        let count = if method == "anatomy" { last.next().unwrap().parse().unwrap() } else { 1 };
        let value: i64 = last.next().unwrap().parse().unwrap();
        groups.entry(group).or_default().extend(std::iter::repeat_n(value, count));
    }
    groups.into_values().collect()
}

/// Groups in which some number has more than 1/m of the group near it, each pair looked at.
fn violating(groups: &[Vec<i64>], m: usize, near: impl Fn(i64, i64) -> bool) -> usize {
    let fails =
        |group: &&Vec<i64>| group.iter().any(|&x| group.iter().filter(|&&y| near(x, y)).count() * m > group.len());
    groups.iter().filter(fails).count()
}

#[test]
fn every_way_keeps_the_promise() {
    let dir = TestDir::new();
    dir.run("generate census --rows 3000 --out census.csv").done();
    let source = dir.path().join("census.csv");
    type Near = fn(i64, i64) -> bool;
    let forms: [(&str, usize, Near); 3] = [
        ("proximity-absolute(4500, 5)", 5, |x, y| (x - y).abs() <= 4500),
        ("proximity-relative(0.125, 5)", 5, |x, y| 1000 * (x - y).abs() <= 125 * x.abs()),
        ("proximity-interval(20, 5000, 3)", 3, |x, y| x - 20 <= y && y <= x + 5000),
    ];
    for (i, (requirement, m, near)) in forms.into_iter().enumerate() {
        for (j, way) in
            ["", "--algorithm paper", "--profile hardened", "--profile max-utility", "--aim loss", "--method anatomy"]
                .into_iter()
                .enumerate()
        {
            let out = format!("r{i}{j}");
            dir.run(&format!(
                "publish census.csv --quasi age,birthplace,occupation --sensitive income --drop-rest --require \"{requirement}\" {way} --out {out}"
            ))
            .done();
            dir.run(&format!("verify {out} --source census.csv")).done();
            let method = if way.contains("anatomy") { "anatomy" } else { "generalize" };
            let found = groups(&dir, &out, method);
            assert_eq!(found.iter().map(Vec::len).sum::<usize>(), 3000);
            assert_eq!(violating(&found, m, near), 0, "{requirement} {way}");
            judged(&dir, &out, &source, &["--require", requirement]);
        }
    }
}

#[test]
fn hierarchies_dates_and_other_requirements() {
    let dir = TestDir::new();
    dir.run("generate salaries --rows 2000 --out salaries.csv").done();
    let line = "publish salaries.csv --person ssn --identifying name,email --quasi birth_date,zipcode,sex,department,hire_date --sensitive salary,diagnosis \
                --require \"salary: proximity-relative(0.05, 4)\" --require k-anonymity(6) --require \"diagnosis: distinct-l-diversity(2)\" --out s";
    let said = dir.run(line).done();
    assert!(said.stderr.contains("cannot be guaranteed by construction"), "{}", said.stderr);
    let arguments = [
        "--identifying",
        "name,ssn,email",
        "--require",
        "salary: proximity-relative(0.05, 4)",
        "--require",
        "k-anonymity(6)",
        "--require",
        "diagnosis: distinct-l-diversity(2)",
    ];
    judged(&dir, "s", &dir.path().join("salaries.csv"), &arguments);
    let adult = data("adult/adult_all_48842.csv.gz");
    let Some(adult) = adult else { return };
    let folder = adult.parent().map(|folder| folder.join("hierarchies")).unwrap_or_default();
    let tree = |column: &str| {
        std::fs::read_dir(&folder).ok().and_then(|files| {
            files.flatten().map(|file| file.path()).find(|path| path.to_string_lossy().contains(column))
        })
    };
    let Some(education) = tree("education") else { return };
    dir.run(&format!(
        "publish {} --quasi age,education,sex --sensitive hours_per_week --drop-rest --hierarchy education={} --require \"proximity-absolute(1, 2)\" --out a",
        adult.display(),
        education.display()
    ))
    .done();
    dir.run("verify a").done();
    judged(&dir, "a", &adult, &["--require", "proximity-absolute(1, 2)"]);
}

#[test]
fn what_cannot_be_is_refused_with_both_ways_out() {
    let dir = TestDir::new();
    dir.file("t.csv", "age,salary\n1,1000\n2,1010\n3,1020\n4,16000\n5,24000\n6,31000\n7,33000\n8,50000\n");
    let publish = "publish t.csv --quasi age --sensitive salary --out r";
    let refused = |more: &str, code: i32, words: &[&str]| {
        dir.run(&format!("{publish} {more}")).refused(code, words);
        assert!(!dir.path().join("r").exists());
    };
    refused(
        "--require \"proximity-interval(20, 10000, 3)\"",
        1,
        &["proximity-interval(20, 10000, 2)", "proximity-interval(19, 19, 3)"],
    );
    refused("--require \"proximity-absolute(20, 3)\"", 1, &["proximity-absolute(20, 2)", "proximity-absolute(19, 3)"]);
    refused("--require \"proximity-absolute(0, 9)\"", 1, &["proximity-absolute(0, 8)"]);
    refused("--require \"proximity-absolute(5, 2)\" --algorithm mondrian", 2, &["leave --algorithm out"]);
    refused("--require \"proximity-absolute(5, 2)\" --max-suppressed 0.1", 2, &["none is suppressed"]);
    refused("--require k-anonymity(2) --aim loss", 2, &["follows no aim"]);
    refused("--require k-anonymity(2) --algorithm proximity", 2, &["no requirement is about proximity"]);
    refused("--require \"proximity-absolute(5, 2)\" --aim both", 2, &["`answers`", "`loss`"]);
    dir.file("t.csv", "age,salary\n1,1000\n2,\n3,1020\n4,16000\n");
    refused("--require \"proximity-absolute(5, 2)\"", 2, &["salary", "missing"]);
    dir.file("t.csv", "age,salary\n1,low\n2,high\n3,low\n4,mid\n");
    refused("--require \"proximity-absolute(5, 2)\"", 2, &["number"]);
}

#[test]
fn extremes_are_published() {
    let dir = TestDir::new();
    // m = n: one group of all; m = 1: nothing is asked; all values equal with m = 1; ties on the boundary.
    for (name, salaries, requirement, groups) in [
        ("all", "10,20,30,40", "proximity-absolute(9, 4)", Some(1)),
        ("one", "10,20,30,40", "proximity-absolute(1000, 1)", None),
        ("equal", "7,7,7,7", "proximity-relative(0.5, 1)", None),
        ("edge", "10,20,30,40", "proximity-absolute(10, 2)", None),
    ] {
        let rows: String = salaries.split(',').enumerate().map(|(i, s)| format!("{i},{s}\n")).collect();
        dir.file("t.csv", format!("age,salary\n{rows}"));
        dir.run(&format!("publish t.csv --quasi age --sensitive salary --require \"{requirement}\" --out {name}"))
            .done();
        let found = self::groups(&dir, name, "generalize");
        assert!(groups.is_none_or(|wanted| wanted == found.len()), "{name}: {found:?}");
        judged(&dir, name, Path::new(&dir.path().join("t.csv")), &["--require", requirement]);
    }
}

/// More rows than can be kept apart: near ones are dealt in runs.
#[test]
fn a_large_k_is_found_by_search() {
    let dir = TestDir::new();
    dir.run("generate census --rows 4000 --out census.csv").done();
    let line = "publish census.csv --quasi age,birthplace,occupation --sensitive income --drop-rest \
                --require \"proximity-absolute(4500, 5)\" --require k-anonymity(10)";
    let said = dir.run(&format!("{line} --out r")).done();
    assert!(said.stderr.contains("cannot be guaranteed by construction"), "{}", said.stderr);
    let found = groups(&dir, "r", "generalize");
    assert!(found.iter().all(|group| group.len() >= 10));
    assert_eq!(violating(&found, 5, |x, y| (x - y).abs() <= 4500), 0);
    dir.run("advise census.csv --sensitive income --report r/report.html --replace").refused(2, &["holds a release"]);
    dir.run(&format!("{line} --algorithm paper --profile hardened --out p")).refused(2, &["no profiles"]);
    dir.run("verify r").done();
}

/// Half a million real rows, up to the largest m that each epsilon allows.
#[test]
fn the_community_survey_has_no_violating_group() {
    let Some(acs) = data("acs2024/acs2024_sal_like_500000.csv.gz") else { return };
    let dir = TestDir::new();
    let absolute: fn(i64, i64) -> bool = |x, y| (x - y).abs() <= 4500;
    let relative: fn(i64, i64) -> bool = |x, y| 8 * (x - y).abs() <= x.abs();
    for (form, m, way) in [
        ("absolute(4500", 5, ""),
        ("absolute(4500", 16, ""),
        ("relative(0.125", 5, "--algorithm paper"),
        ("relative(0.125", 11, ""),
    ] {
        let out = format!("r{m}");
        dir.run(&format!(
            "publish {} --quasi AGEP,STATE,OCCP --type AGEP=ordinal --type STATE=ordinal --type OCCP=ordinal --sensitive PINCP --drop-rest \
             --require \"proximity-{form}, {m})\" {way} --replace --out {out}",
            acs.display()
        ))
        .done();
        let found = groups(&dir, &out, "generalize");
        assert_eq!(found.iter().map(Vec::len).sum::<usize>(), 500_000);
        let near = if form.starts_with('a') { absolute } else { relative };
        assert_eq!(violating(&found, m, near), 0, "{form}, {m}) {way}");
    }
    dir.run(&format!(
        "publish {} --quasi AGEP --sensitive PINCP --drop-rest --require \"proximity-absolute(4500, 17)\" --out no",
        acs.display()
    ))
    .refused(1, &["proximity-absolute(4500, 16)"]);
}
