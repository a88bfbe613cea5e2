//! A comparison that was killed goes on where it stopped, and leaves nothing of its releases.

use crate::compare::{document, figures};
use crate::support::{TestDir, patients};
use std::path::Path;
use std::process::Stdio;
use std::thread::sleep;
use std::time::Duration;

const LINE: &str = "compare data.csv --quasi age,city --sensitive disease --drop-rest --require k-anonymity({k}) \
                    --grid k=2,3,4,5,6,7,8,9 --method generalize,anatomy --queries 20";

fn finished(folder: &Path) -> usize {
    let entries = std::fs::read_dir(folder.join("runs")).map(|entries| entries.flatten().collect::<Vec<_>>());
    entries.unwrap_or_default().iter().filter(|entry| entry.file_name().to_string_lossy().ends_with(".json")).count()
}

/// Waits for something that is bound to happen.
fn until(what: &str, mut happened: impl FnMut() -> bool) {
    for _ in 0..6000 {
        if happened() {
            return;
        }
        sleep(Duration::from_millis(10));
    }
    panic!("{what} did not happen");
}

#[test]
fn a_killed_comparison_goes_on_where_it_stopped() {
    let dir = TestDir::new();
    dir.file("data.csv", patients(3000));
    let out = dir.path().join("comparison");
    let line: Vec<&str> = LINE.split_whitespace().collect();
    let mut killed = dir.command().args(&line).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    until("a finished run", || finished(&out) >= 2);
    killed.kill().unwrap();
    killed.wait().unwrap();
    let kept = finished(&out);
    assert!((2..16).contains(&kept), "{kept}");
    // No release is ever written, and what was half written goes with the next run.
    std::fs::write(out.join("runs/.x.json.1.part"), "").unwrap();
    let resumed = document(&dir, &format!("{LINE} --json"));
    assert!(!out.join("runs/.x.json.1.part").exists());
    assert_eq!(dir.entries(), ["comparison", "data.csv"]);
    assert_eq!(resumed["kept"].as_u64(), Some(kept as u64));
    let whole = document(&dir, &format!("{LINE} --out whole --json"));
    assert_eq!((figures(&resumed), whole["kept"].as_u64()), (figures(&whole), Some(0)));
}

#[test]
fn changed_data_and_changed_questions_are_compared_anew() {
    let dir = TestDir::new();
    dir.file("data.csv", patients(200));
    let line = format!("{} --json", LINE.replace("2,3,4,5,6,7,8,9", "2,3"));
    let kept = |line: &str| document(&dir, line)["kept"].as_u64();
    assert_eq!((kept(&line), kept(&line)), (Some(0), Some(4)));
    // More points make only these, and other questions all.
    assert_eq!(kept(&line.replace("k=2,3", "k=2,3,4")), Some(4));
    assert_eq!(kept(&line.replace("--queries 20", "--queries 21")), Some(0));
    assert_eq!(kept(&format!("{line} --seed 2")), Some(0));
    dir.file("data.csv", patients(201));
    assert_eq!(kept(&line), Some(0));
    dir.file("data.csv", patients(200));
    assert_eq!(kept(&line), Some(4));
}

#[test]
fn runs_that_need_more_than_the_budget_are_stopped() {
    let dir = TestDir::new();
    dir.file("data.csv", patients(60_000));
    let line = LINE.replace("2,3,4,5,6,7,8,9", "2");
    let said = dir.run(&format!("{line} --memory 16M")).refused(3, &["2 of 2 runs", "--memory"]);
    assert!(said.stdout.contains("2 broke off"), "{}", said.stdout);
    // With room enough they are made.
    assert_eq!(document(&dir, &format!("{line} --memory 2G --json"))["kept"].as_u64(), Some(0));
}
