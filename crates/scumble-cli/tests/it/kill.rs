//! `kill -9` at any moment leaves the whole old state or the whole new one.

use crate::support::{Desk, patients};
use std::path::Path;
use std::process::Stdio;
use std::thread::sleep;
use std::time::Instant;

const LINE: &str = "publish data.csv --quasi age,city --sensitive disease --keep cost --identifying name --require k-anonymity(3) --out release --replace";

fn stands(release: &Path, desk: &Desk) -> bool {
    if !release.exists() {
        return false;
    }
    desk.run("verify release").done();
    true
}

#[test]
fn a_killed_publish_leaves_the_old_state_or_the_new_one() {
    let desk = Desk::new();
    desk.file("data.csv", patients(60_000));
    let release = desk.path().join("release");
    // How long a whole run takes decides when the kills come.
    let start = Instant::now();
    desk.run(LINE).done();
    let whole = start.elapsed();
    std::fs::remove_dir_all(&release).unwrap();
    let (mut killed, mut done, mut stood) = (0, 0, false);
    const TRIES: u32 = 60;
    for i in 0..TRIES {
        // Releases of one form and of three tables take turns.
        let form = ["--method generalize", "--method permute"][i as usize % 2];
        let line = LINE.split(' ').chain(form.split(' '));
        let mut child = desk.command().args(line).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        sleep(whole.mul_f64(1.15 * f64::from(i) / f64::from(TRIES)));
        // Already finished is fine: then there was nothing to kill.
        let _ = child.kill();
        match child.wait().unwrap().success() {
            true => done += 1,
            false => killed += 1,
        }
        let stands_now = stands(&release, &desk);
        assert!(stands_now || !stood, "a release that stood is gone");
        stood = stands_now;
    }
    assert!(killed > TRIES / 3, "{killed} killed, {done} done");
    // The next whole run sweeps away what the killed ones left beside the release.
    desk.run(LINE).done();
    assert_eq!(desk.entries(), ["data.csv", "release"]);
}

#[test]
fn a_killed_extension_leaves_the_old_release_or_the_extended_one() {
    let desk = Desk::new();
    desk.file("data.csv", patients(40_000));
    let publish = "publish data.csv --quasi age,city --sensitive disease --keep cost --identifying name --method angel --angel-k 5 \
                   --require distinct-l-diversity(3) --out release --replace";
    const EXTEND: &str = "publish --extend release --source data.csv --marginal age";
    desk.run(publish).done();
    let start = Instant::now();
    desk.run(EXTEND).done();
    let whole = start.elapsed();
    let marginal = desk.path().join("release/marginal-age.csv");
    let (mut killed, mut done) = (0, 0);
    const TRIES: u32 = 20;
    for i in 0..TRIES {
        if marginal.exists() {
            desk.run(publish).done();
        }
        let mut child =
            desk.command().args(EXTEND.split(' ')).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        sleep(whole.mul_f64(1.1 * f64::from(i) / f64::from(TRIES)));
        let _ = child.kill();
        match child.wait().unwrap().success() {
            true => done += 1,
            false => killed += 1,
        }
        desk.run("verify release").done();
    }
    assert!(killed > 2, "{killed} killed, {done} done");
    desk.run(publish).done();
    assert_eq!(desk.entries(), ["data.csv", "release", "release.private-batches"]);
}
