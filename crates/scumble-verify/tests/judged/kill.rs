//! Whenever the program is killed, the target is absent, old or new, and the next run cleans up.
#![allow(clippy::print_stdout, reason = "the child tells its parent how far it is")]

use crate::common::{Coins, Maker, leftovers, write};
use scumble_release::{Draft, WriteOptions, sweep};
use scumble_table::{Cancellation, Monitor, Progress, Stage};
use scumble_verify::{Promise, VerifyOptions, verify_dir};
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

/// Tells the parent of every step and gives it time to kill.
struct Slow;

fn step() {
    println!("#");
    std::thread::sleep(Duration::from_millis(6));
}

impl Progress for Slow {
    fn begin(&self, _stage: Stage, _total: Option<u64>) {
        step();
    }

    fn advance(&self, _amount: u64) {
        step();
    }
}

fn release(name: &str) -> Draft {
    // A release of another form, and of two tables, takes the place of the old one.
    let maker = Maker::people(4000);
    let mut release = if name == "xcolor" { maker.anatomized() } else { maker.release() };
    release.manifest.algorithm = name.into();
    release
}

#[test]
#[ignore = "only run as a child of the other test"]
fn child() {
    let Some(out) = std::env::var_os("CHILD_OUT") else { return };
    let options = WriteOptions { replace: std::env::var_os("CHILD_REPLACE").is_some(), ..WriteOptions::default() };
    let release = release("xcolor");
    step();
    let cancellation = Cancellation::default();
    let monitor = Monitor::new(&Slow, &cancellation);
    scumble_verify::write(&release, Path::new(&out), &options, Promise::default(), monitor).unwrap();
}

/// What stands at the target; anything but a whole release fails the test.
fn state(out: &Path) -> Option<String> {
    if !out.exists() {
        return None;
    }
    let verdict = verify_dir(out, &VerifyOptions::default()).unwrap();
    assert!(verdict.ok, "{:#?}", verdict.checks);
    let manifest: serde_json::Value = serde_json::from_slice(&fs::read(out.join("manifest.json")).unwrap()).unwrap();
    Some(manifest["algorithm"].as_str().unwrap().to_string())
}

#[test]
fn a_killed_run_leaves_old_or_new() {
    let exe = std::env::current_exe().unwrap();
    let mut coins = Coins(11);
    let mut seen = std::collections::BTreeMap::<(bool, Option<String>), usize>::new();
    let mut swept = 0;
    for round in 0..40 {
        let replace = round % 2 == 1;
        let home = tempfile::tempdir().unwrap();
        let out = home.path().join("release");
        if replace {
            write(&release("mondrian"), &out, &WriteOptions::default()).unwrap();
        }
        let mut command = Command::new(&exe);
        command
            .args(["--exact", "kill::child", "--ignored", "--nocapture"])
            .env("CHILD_OUT", &out)
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        if replace {
            command.env("CHILD_REPLACE", "1");
        }
        let mut child = command.spawn().unwrap();
        // Kill after so many steps, and a little later; a child that is through has fewer of them.
        let steps = 1 + coins.below(20) as usize;
        let mut told = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
        told.by_ref().filter(|line| line.ends_with('#')).take(steps).for_each(drop);
        std::thread::sleep(Duration::from_micros(coins.below(7_000)));
        child.kill().unwrap();
        child.wait().unwrap();
        drop(told);
        let mut found = state(&out);
        if scumble_platform::PORTABLE && replace && found.is_none() {
            // Only an exchange in one step leaves no moment without a release; elsewhere the next run puts it back.
            sweep(home.path());
            found = state(&out);
        }
        assert!(!replace || found.is_some(), "a release that was there must not vanish");
        assert!(replace || found != Some("mondrian".into()));
        *seen.entry((replace, found)).or_default() += 1;
        swept += usize::from(!leftovers(home.path()).is_empty());
        let options = WriteOptions { replace: true, ..WriteOptions::default() };
        write(&release("paper"), &out, &options).unwrap();
        assert_eq!(state(&out), Some("paper".into()));
        assert!(leftovers(home.path()).is_empty());
    }
    // The kills must have fallen on both sides of the rename, else the test tests nothing.
    assert!(swept > 5, "{swept} {seen:?}");
    assert!(seen.len() >= 3, "{seen:?}");
}
