//! A comparison that was killed goes on where it stopped, and leaves nothing of its releases.

use crate::compare::{document, figures};
use crate::support::{Desk, patients};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::thread::sleep;
use std::time::Duration;

const LINE: &str = "compare data.csv --quasi age,city --sensitive disease --drop-rest --require k-anonymity({k}) \
                    --grid k=2,3,4,5,6,7,8,9 --method generalize,anatomy --queries 20";

fn finished(folder: &Path) -> usize {
    let entries = std::fs::read_dir(folder.join("runs")).map(|entries| entries.flatten().collect::<Vec<_>>());
    entries.unwrap_or_default().iter().filter(|entry| entry.file_name().to_string_lossy().ends_with(".json")).count()
}

/// The processes that a process has started.
fn children(parent: u32) -> Vec<u32> {
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    let numbers = processes.filter_map(|entry| entry.file_name().to_string_lossy().parse::<u32>().ok());
    let is_child = |number: &u32| {
        let status = std::fs::read_to_string(format!("/proc/{number}/status")).unwrap_or_default();
        status.lines().any(|line| line.strip_prefix("PPid:").is_some_and(|of| of.trim() == parent.to_string()))
    };
    numbers.filter(is_child).collect()
}

/// True if a process is gone, or waits for nothing but to be noticed.
fn has_ended(process: u32) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    !status.contains("State:") || status.contains("State:\tZ")
}

/// Hidden folders of a process, wherever they are made.
fn folders(process: u32, out: &Path) -> Vec<PathBuf> {
    let places = [Path::new("/dev/shm"), out].into_iter().filter_map(|place| std::fs::read_dir(place).ok());
    let mark = format!(".measured.scumble-{process}-");
    let mine = |entry: &std::fs::DirEntry| entry.file_name().to_string_lossy().starts_with(&mark);
    places.flatten().flatten().filter(mine).map(|entry| entry.path()).collect()
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
    let desk = Desk::new();
    desk.file("data.csv", patients(3000));
    let out = desk.path().join("comparison");
    let line: Vec<&str> = LINE.split_whitespace().collect();
    let mut killed = desk.command().args(&line).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let mut workers: Vec<u32> = Vec::new();
    until("a finished run", || {
        workers.extend(children(killed.id()));
        finished(&out) >= 2
    });
    workers.extend(children(killed.id()));
    killed.kill().unwrap();
    killed.wait().unwrap();
    workers.sort_unstable();
    workers.dedup();
    assert!(!workers.is_empty());
    // The runs notice, clear up and go.
    until("the end of the runs", || workers.iter().all(|worker| has_ended(*worker)));
    for &worker in &workers {
        assert_eq!(folders(worker, &out), Vec::<PathBuf>::new());
    }
    let kept = finished(&out);
    assert!((2..16).contains(&kept), "{kept}");
    let resumed = document(&desk, &format!("{LINE} --json"));
    assert_eq!(resumed["kept"].as_u64(), Some(kept as u64));
    let whole = document(&desk, &format!("{LINE} --out whole --json"));
    assert_eq!((figures(&resumed), whole["kept"].as_u64()), (figures(&whole), Some(0)));
}

#[test]
fn a_run_that_is_killed_leaves_nothing_and_is_tried_again() {
    let desk = Desk::new();
    desk.file("data.csv", patients(20_000));
    let out = desk.path().join("comparison");
    let line = LINE.replace("2,3,4,5,6,7,8,9", "2,3");
    let mut comparison =
        desk.command().args(line.split_whitespace()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let mut hurt = None;
    until("a run", || {
        hurt = children(comparison.id()).into_iter().find(|worker| !folders(*worker, &out).is_empty());
        hurt.is_some()
    });
    let hurt = hurt.unwrap();
    assert!(std::process::Command::new("kill").args(["-9", &hurt.to_string()]).status().unwrap().success());
    // One run broke off, and the comparison says so at its end.
    assert_eq!(comparison.wait().unwrap().code(), Some(3));
    assert_eq!(folders(hurt, &out), Vec::<PathBuf>::new());
    assert_eq!(finished(&out), 3);
    let again = document(&desk, &format!("{line} --json"));
    assert_eq!((again["kept"].as_u64(), figures(&again).len()), (Some(3), 4));
}

#[test]
fn changed_data_and_changed_questions_are_compared_anew() {
    let desk = Desk::new();
    desk.file("data.csv", patients(200));
    let line = format!("{} --json", LINE.replace("2,3,4,5,6,7,8,9", "2,3"));
    let kept = |line: &str| document(&desk, line)["kept"].as_u64();
    assert_eq!((kept(&line), kept(&line)), (Some(0), Some(4)));
    // More points make only these, and other questions all.
    assert_eq!(kept(&line.replace("k=2,3", "k=2,3,4")), Some(4));
    assert_eq!(kept(&line.replace("--queries 20", "--queries 21")), Some(0));
    assert_eq!(kept(&format!("{line} --seed 2")), Some(0));
    desk.file("data.csv", patients(201));
    assert_eq!(kept(&line), Some(0));
    desk.file("data.csv", patients(200));
    assert_eq!(kept(&line), Some(4));
}

#[test]
fn runs_that_need_more_than_the_budget_are_stopped() {
    let desk = Desk::new();
    desk.file("data.csv", patients(60_000));
    let line = LINE.replace("2,3,4,5,6,7,8,9", "2");
    let said = desk.run(&format!("{line} --memory 16M")).refused(3, &["runs", "--memory"]);
    assert!(said.stdout.contains("2 broke off"), "{}", said.stdout);
    // With room enough they are made.
    assert_eq!(document(&desk, &format!("{line} --memory 2G --json"))["kept"].as_u64(), Some(0));
}
