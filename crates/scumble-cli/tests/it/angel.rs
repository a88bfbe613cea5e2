//! `publish --method angel`: batches, boxes, marginals, and tables that are added later.

use crate::oracle::judged;
use crate::support::{TestDir, patients};
use std::fs;

const CENSUS: &str =
    "publish census.csv --quasi age,gender,education,marital --sensitive occupation --drop-rest --method angel";

fn lines(dir: &TestDir, file: &str) -> Vec<String> {
    fs::read_to_string(dir.path().join(file)).unwrap().lines().map(String::from).collect()
}

#[test]
fn batches_boxes_and_marginals() {
    let dir = TestDir::new();
    dir.run("generate census --rows 3000 --out census.csv").done();
    let source = dir.path().join("census.csv");
    for (out, extra) in [
        ("plain", ""),
        ("paper", "--algorithm paper"),
        ("best", "--profile max-utility"),
        ("hard", "--profile hardened --format parquet"),
    ] {
        let line = format!(
            "{CENSUS} --angel-k 10 --marginal age,education --marginal gender --require frequency-l-diversity(4) {extra} --out {out}"
        );
        let said = dir.run(&format!("{line} --json")).done().json();
        assert_eq!((said["method"].as_str(), said["rows"].as_u64()), (Some("angel"), Some(3000)));
        assert!(
            said["joined"]["tables"] == 3 && said["joined"]["k"] == 10 && said["joined"]["least"].as_u64() >= Some(1),
            "{said}"
        );
        assert_eq!(said["private"], format!("{out}.private-batches"));
        let verdict = dir.run(&format!("verify {out} --source census.csv --json")).done().json();
        assert_eq!((verdict["ok"].as_bool(), verdict["joined"]["exact"].as_bool()), (Some(true), Some(true)));
        assert!(verdict["joined"]["people"].as_u64() <= said["joined"]["people"].as_u64());
        judged(&dir, out, &source, &["--require", "frequency-l-diversity(4)", "--angel-k", "10"]);
    }
    assert_eq!(lines(&dir, "plain/batches.csv")[0], "batch,occupation,count");
    assert_eq!(lines(&dir, "plain/generalized.csv")[0], "age,gender,education,marital,batch");
    assert_eq!(lines(&dir, "plain/marginal-age-education.csv")[0], "age,education,batch");
    assert_eq!(lines(&dir, "plain/marginal-gender.csv").len(), 3001);
}

#[test]
fn every_monotone_principle_and_several_columns() {
    let dir = TestDir::new();
    dir.run("generate salaries --rows 2500 --out salaries.csv").done();
    let source = dir.path().join("salaries.csv");
    let line = "publish salaries.csv --person ssn --identifying name,email --quasi birth_date,zipcode,sex,department,hire_date --method angel --angel-k 6 --marginal zipcode,sex";
    for (at, (sensitive, required)) in [
        ("diagnosis", "t-closeness(0.3)"),
        ("diagnosis", "entropy-l-diversity(3)"),
        ("diagnosis", "recursive-l-diversity(2, 3)"),
        ("diagnosis", "distinct-l-diversity(4)"),
        ("diagnosis", "alpha-k-anonymity(0.4, 5)"),
        ("salary", "t-closeness(0.2, ordered)"),
        ("salary", "ke-anonymity(4, 2000)"),
        ("salary", "variance(1000000)"),
    ]
    .into_iter()
    .enumerate()
    {
        dir.run(&format!("{line} --sensitive {sensitive} --drop-rest --require \"{required}\" --out r{at}")).done();
        dir.run(&format!("verify r{at} --source salaries.csv")).done();
        judged(
            &dir,
            &format!("r{at}"),
            &source,
            &["--identifying", "name,ssn,email", "--require", required, "--angel-k", "6"],
        );
    }
    // The checker does not know windows.
    dir.run(&format!("{line} --sensitive salary --drop-rest --require \"proximity-window(500, 500, 3)\" --out w"))
        .done();
    dir.run("verify w --source salaries.csv --require proximity-interval(500,500,3)").done();
    let required = ["diagnosis: frequency-l-diversity(3)", "salary: t-closeness(0.4, ordered)"];
    dir.run(&format!(
        "{line} --sensitive salary,diagnosis --require \"{}\" --require \"{}\" --require k-anonymity(5) --out both",
        required[0], required[1]
    ))
    .done();
    dir.run("verify both --source salaries.csv").done();
    let arguments =
        ["--require", required[0], "--require", required[1], "--require", "k-anonymity(5)", "--angel-k", "6"];
    judged(&dir, "both", &source, &[&["--identifying", "name,ssn,email"], &arguments[..]].concat());
}

#[test]
fn missing_values_and_hierarchies() {
    let dir = TestDir::new();
    let text = patients(300).replace("Porto", "").replace("flu", "").replace(",41,", ",,");
    let source = dir.file("data.csv", &text);
    dir.file("city.csv", "Ghent;West;*\nTurku;North;*\n");
    let line = "publish data.csv --quasi age,city --sensitive disease --keep cost --accept-keep cost --identifying name --hierarchy city=city.csv --method angel --marginal city --angel-k 4";
    dir.run(&format!("{line} --require distinct-l-diversity(2) --out release")).done();
    dir.run("verify release --source data.csv").done();
    judged(
        &dir,
        "release",
        &source,
        &["--identifying", "name", "--require", "distinct-l-diversity(2)", "--angel-k", "4"],
    );
    dir.run("publish --extend release --source data.csv --marginal age").done();
    dir.run("verify release --source data.csv").done();
    judged(
        &dir,
        "release",
        &source,
        &["--identifying", "name", "--require", "distinct-l-diversity(2)", "--angel-k", "4"],
    );
}

#[test]
fn a_table_more() {
    let dir = TestDir::new();
    dir.run("generate census --rows 2000 --out census.csv").done();
    dir.run(&format!("{CENSUS} --angel-k 5 --require distinct-l-diversity(3) --out release")).done();
    let before = fs::read(dir.path().join("release/generalized.csv")).unwrap();
    let said = dir.run("publish --extend release --source census.csv --marginal age,marital --json").done().json();
    assert_eq!((said["joined"]["tables"].as_u64(), said["groups"].is_u64()), (Some(2), true));
    assert_eq!(fs::read(dir.path().join("release/generalized.csv")).unwrap(), before);
    dir.run("verify release --source census.csv").done();
    judged(
        &dir,
        "release",
        &dir.path().join("census.csv"),
        &["--require", "distinct-l-diversity(3)", "--angel-k", "5"],
    );
    assert_eq!(dir.entries(), ["census.csv", "release", "release.private-batches"]);
    // Refusals leave the release as it is.
    dir.run("publish --extend release --source census.csv --marginal marital,age")
        .refused(2, &["--marginal", "already"]);
    dir.run("publish --extend release --source census.csv --marginal age --quasi age")
        .refused(2, &["--quasi", "from the release"]);
    dir.run("publish --extend release --source census.csv --marginal age --join-k 40")
        .refused(1, &["--join-k 40", "among"]);
    dir.run("publish --extend release --marginal age").refused(2, &["--source"]);
    dir.run("publish --source census.csv --marginal age").refused(2, &["--extend"]);
    dir.run("publish --extend nowhere --source census.csv --marginal age").refused(2, &["nowhere"]);
    let private = dir.path().join("release.private-batches");
    #[cfg(unix)]
    {
        let open = std::os::unix::fs::PermissionsExt::from_mode(0o644);
        fs::set_permissions(&private, open).unwrap();
    }
    let said = dir.run("publish --extend release --source census.csv --marginal gender").done();
    if cfg!(unix) {
        assert!(said.stderr.contains("others than you may read"), "{}", said.stderr);
    }
    fs::remove_file(&private).unwrap();
    dir.run("publish --extend release --source census.csv --marginal age")
        .refused(2, &["private-batches", "new batches"]);
    let said = dir.run("verify release --source census.csv").done().stdout;
    assert!(said.contains("batches attain l 3") && said.contains("2,000 rows in"), "{said}");
}

#[test]
fn another_form_in_its_place_leaves_a_word_about_the_private_file() {
    let dir = TestDir::new();
    dir.file("data.csv", patients(100));
    let line =
        "publish data.csv --quasi age,city --sensitive disease --drop-rest --require k-anonymity(4) --out release";
    dir.run(&format!("{line} --method angel")).done();
    let said = dir.run(&format!("{line} --replace")).done();
    assert!(
        said.stderr.contains("release.private-batches") && said.stderr.contains("stood here before"),
        "{}",
        said.stderr
    );
}

#[test]
fn the_join_can_be_a_refusal() {
    let dir = TestDir::new();
    dir.run("generate census --rows 2000 --out census.csv").done();
    let line = format!("{CENSUS} --angel-k 5 --marginal age --require distinct-l-diversity(3)");
    dir.run(&format!("{line} --join-k 5 --out release")).refused(1, &["--join-k 5", "leave at most", "hint"]);
    assert_eq!(dir.entries(), ["census.csv"]);
    dir.run(&format!("{line} --out release")).done();
    dir.run("verify release --join-k 1").done();
    let failed = dir.run("verify release --join-k 5");
    assert!(failed.code == 1 && failed.stdout.contains("FAIL joined"), "{}", failed.stdout);
    dir.run("publish census.csv --quasi age --sensitive income --drop-rest --require k-anonymity(3) --out boxes")
        .done();
    dir.run("verify boxes --join-k 2").refused(2, &["--join-k", "angel"]);
}

#[test]
fn from_a_job_file() {
    let dir = TestDir::new();
    dir.run("generate census --rows 1000 --out census.csv").done();
    dir.file(
        "job.toml",
        "[input]\npath = \"census.csv\"\n[columns]\nage = \"quasi\"\ngender = \"quasi\"\noccupation = \"sensitive\"\n\
         [publish]\nrequire = [\"frequency-l-diversity(3)\"]\nmethod = \"angel\"\nangel_k = 4\nmarginal = [\"gender\"]\ndrop_rest = true\njoin_k = 1\n\
         [output]\ndir = \"release\"\n",
    );
    dir.run("publish --job job.toml").done();
    assert!(dir.path().join("release/marginal-gender.csv").is_file());
    let manifest = fs::read_to_string(dir.path().join("release/manifest.json")).unwrap();
    assert!(manifest.contains("\"angel_k\": 4"));
}
