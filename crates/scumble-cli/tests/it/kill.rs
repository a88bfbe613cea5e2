//! `kill -9` at any moment leaves the whole old state or the whole new one.

use crate::support::{TestDir, patients};
use std::path::Path;
use std::process::Stdio;
use std::thread::sleep;
use std::time::Instant;

const LINE: &str = "publish data.csv --quasi age,city --sensitive disease --keep cost --accept-keep cost --identifying name --require k-anonymity(3) --out release --replace";

fn stands(release: &Path, dir: &TestDir) -> bool {
    if !release.exists() {
        return false;
    }
    dir.run("verify release").done();
    true
}

#[test]
fn a_killed_publish_leaves_the_old_state_or_the_new_one() {
    let dir = TestDir::new();
    dir.file("data.csv", patients(60_000));
    let release = dir.path().join("release");
    // How long a whole run takes decides when the kills come.
    let start = Instant::now();
    dir.run(LINE).done();
    let whole = start.elapsed();
    std::fs::remove_dir_all(&release).unwrap();
    let (mut killed, mut done, mut stood) = (0, 0, false);
    const TRIES: u32 = 60;
    for i in 0..TRIES {
        // Releases of one form and of three tables take turns.
        let form = ["--method generalize", "--method permute"][i as usize % 2];
        let line = LINE.split(' ').chain(form.split(' '));
        let mut child = dir.command().args(line).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        sleep(whole.mul_f64(1.15 * f64::from(i) / f64::from(TRIES)));
        // Already finished is fine: then there was nothing to kill.
        let _ = child.kill();
        match child.wait().unwrap().success() {
            true => done += 1,
            false => killed += 1,
        }
        let stands_now = stands(&release, &dir);
        assert!(stands_now || !stood, "a release that stood is gone");
        stood = stands_now;
    }
    assert!(killed > TRIES / 3, "{killed} killed, {done} done");
    // The next whole run sweeps away what the killed ones left beside the release.
    dir.run(LINE).done();
    assert_eq!(dir.entries(), ["data.csv", "release"]);
}

#[test]
fn a_killed_extension_leaves_the_old_release_or_the_extended_one() {
    let dir = TestDir::new();
    dir.file("data.csv", patients(40_000));
    let publish = "publish data.csv --quasi age,city --sensitive disease --keep cost --accept-keep cost --identifying name --method angel --angel-k 5 \
                   --require distinct-l-diversity(3) --out release --replace";
    const EXTEND: &str = "publish --extend release --source data.csv --marginal age";
    dir.run(publish).done();
    let start = Instant::now();
    dir.run(EXTEND).done();
    let whole = start.elapsed();
    let marginal = dir.path().join("release/marginal-age.csv");
    let (mut killed, mut done) = (0, 0);
    const TRIES: u32 = 20;
    for i in 0..TRIES {
        if marginal.exists() {
            dir.run(publish).done();
        }
        let mut child =
            dir.command().args(EXTEND.split(' ')).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        sleep(whole.mul_f64(1.1 * f64::from(i) / f64::from(TRIES)));
        let _ = child.kill();
        match child.wait().unwrap().success() {
            true => done += 1,
            false => killed += 1,
        }
        dir.run("verify release").done();
    }
    assert!(killed > 2, "{killed} killed, {done} done");
    dir.run(publish).done();
    assert_eq!(dir.entries(), ["data.csv", "release", "release.private-batches"]);
}

#[test]
fn what_a_killed_generate_left_is_swept_by_the_next_one() {
    let dir = TestDir::new();
    let line = "generate census --rows 100000000 --out people.csv";
    let mut child = dir.command().args(line.split(' ')).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let left = format!(".people.csv.{}.part", child.id());
    while !dir.entries().contains(&left) {
        sleep(std::time::Duration::from_millis(5));
    }
    // A file that is being written is left alone.
    dir.run("generate census --rows 5 --out people.csv").done();
    assert_eq!(dir.entries(), [left.as_str(), "people.csv"]);
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(dir.entries(), [left.as_str(), "people.csv"]);
    dir.run("generate census --rows 5 --out people.csv --replace").done();
    assert_eq!(dir.entries(), ["people.csv"]);
}
