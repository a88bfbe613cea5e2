//! An interrupt from the terminal cancels every command, which says so and leaves nothing behind.

use crate::support::{TestDir, patients};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Instant;

const COLUMNS: &str = "--quasi age,city --sensitive disease,cost --identifying name";

/// Moments of a run at which it is interrupted, as shares of its whole time.
const MOMENTS: [f64; 7] = [0.9, 0.75, 0.6, 0.45, 0.3, 0.2, 0.1];

/// Interrupts a command again and again, until it was cancelled before it was done.
fn interrupted(dir: &TestDir, line: &str, undo: &dyn Fn()) {
    let before = dir.entries();
    let start = Instant::now();
    dir.run(line).done();
    let whole = start.elapsed();
    undo();
    assert_eq!(dir.entries(), before, "{line}");
    let mut cancelled = 0;
    for moment in MOMENTS {
        let arguments = crate::support::arguments(line);
        let mut command = dir.command();
        let child = command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let child = child.spawn().unwrap();
        sleep(whole.mul_f64(moment));
        // A process that has ended cannot be interrupted, and that is fine.
        let _ = Command::new("kill").args(["-INT", &child.id().to_string()]).stderr(Stdio::null()).status();
        let ended = child.wait_with_output().unwrap();
        let stderr = String::from_utf8_lossy(&ended.stderr);
        match ended.status.code() {
            Some(0) => undo(),
            Some(130) => {
                assert!(stderr.contains("cancelled: nothing unfinished was left behind"), "{line}: {stderr}");
                assert!(ended.stdout.is_empty(), "{line}");
                cancelled += 1;
            }
            // Before the program listens for interrupts, they end it as they end any other.
            None => {}
            Some(code) => panic!("{line}: {code}, {stderr}"),
        }
        assert_eq!(dir.entries(), before, "{line}, interrupted at {moment}");
        if cancelled == 2 {
            return;
        }
    }
    assert!(cancelled > 0, "{line}: no interrupt came in time");
}

fn remove(dir: &TestDir, names: &[&str]) {
    for name in names {
        let path = dir.path().join(name);
        let _ = if path.is_dir() { std::fs::remove_dir_all(path) } else { std::fs::remove_file(path) };
    }
}

#[test]
fn publishing() {
    let dir = TestDir::new();
    dir.file("data.csv", patients(60_000));
    for rest in [
        "--method generalize --require k-anonymity(5)",
        "--method full-domain --require k-anonymity(5)",
        "--method anatomy --require \"disease: distinct-l-diversity(2)\"",
        "--method angel --angel-k 5 --require \"disease: distinct-l-diversity(2)\" --marginal age",
        "--method permute --require \"cost: ke-anonymity(4, 10)\" --require \"disease: k-anonymity(4)\"",
        "--require \"cost: proximity-absolute(20, 3)\"",
        "--require \"cost: dissimilarity(0.05, 0.5, 4)\" --distance cost:range",
    ] {
        let line = format!("publish data.csv {COLUMNS} {rest} --out release");
        interrupted(&dir, &line, &|| remove(&dir, &["release", "release.private-batches"]));
    }
}

#[test]
fn releases_that_are_read() {
    let dir = TestDir::new();
    dir.file("data.csv", patients(60_000));
    dir.run(&format!("publish data.csv {COLUMNS} --require k-anonymity(5) --out release")).done();
    for line in [
        "verify release",
        "verify release --source data.csv",
        "evaluate release --source data.csv",
        "risk release --source data.csv",
        "query release \"SELECT city, age, COUNT(*), AVG(cost) FROM release WHERE disease <> 'flu' GROUP BY city, age\"",
        "export release --to exported",
    ] {
        interrupted(&dir, line, &|| remove(&dir, &["exported"]));
    }
}

#[test]
fn data_that_is_looked_at() {
    let dir = TestDir::new();
    dir.file("data.csv", patients(150_000));
    for line in [
        "inspect data.csv --job-out job.toml",
        "advise data.csv --sensitive cost",
        "advise data.csv --quasi age,city --sensitive cost --principle k-anonymity --sample 100000",
        "risk data.csv --known age,city,cost,disease --up-to 4",
        "hierarchy data.csv --for cost --given age,city --out trees",
        "verify data.csv --quasi age --sensitive disease --require k-anonymity(3)",
        "generate census --rows 300000 --out people.csv",
    ] {
        interrupted(&dir, line, &|| remove(&dir, &["job.toml", "trees", "people.csv"]));
    }
}

/// What a comparison has finished is kept on purpose, so that it can go on.
#[test]
fn comparisons_keep_what_is_finished() {
    let dir = TestDir::new();
    dir.file("data.csv", patients(20_000));
    let line = "compare data.csv --quasi age,city --sensitive disease --drop-rest --require k-anonymity({k}) \
                --grid k=2,3,4,5,6,7,8,9 --queries 50";
    let child = dir.command().args(line.split_whitespace()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let child = child.unwrap();
    let runs = || std::fs::read_dir(dir.path().join("comparison/runs")).map_or(0, |entries| entries.flatten().count());
    while runs() == 0 {
        sleep(std::time::Duration::from_millis(2));
    }
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let ended = child.wait_with_output().unwrap();
    assert_eq!((ended.status.code(), ended.stdout.len()), (Some(130), 0));
    assert!(String::from_utf8_lossy(&ended.stderr).contains("nothing unfinished was left behind"));
    assert!(!dir.path().join("comparison/comparison.html").exists());
    let kept = runs();
    let found: serde_json::Value = dir.run(&format!("{line} --json")).done().json();
    assert_eq!(found["kept"].as_u64(), Some(kept as u64));
}
