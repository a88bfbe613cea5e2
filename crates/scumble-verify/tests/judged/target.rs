//! Where a release may not be written.

use crate::common::{Maker, write};
use scumble_release::{WriteOptions, check_target};
use std::fs;
use std::path::Path;

pub(crate) fn refusal(out: &Path, replace: bool, input: Option<&Path>) -> String {
    let error = check_target(out, replace, input).unwrap_err();
    assert_eq!(error.exit_code(), 2, "{error}");
    error.to_string()
}

#[test]
fn refusals_come_before_the_work() {
    let home = tempfile::tempdir().unwrap();
    let at = |name: &str| home.path().join(name);
    fs::create_dir(at("dir")).unwrap();
    fs::write(at("file"), "x").unwrap();
    for (name, replace, part) in [
        ("dir", false, "it exists already; hint: name another directory, or use `replace`"),
        ("dir/", false, "it exists already"),
        ("file", false, "it is a file"),
        ("file", true, "it is a file"),
        ("dir", true, "it is not a release"),
        ("file/x", false, "is not a directory"),
        ("nowhere/x", false, "does not exist; hint: create it first"),
        ("..", false, "a directory of its own"),
    ] {
        let error = refusal(&at(name), replace, None);
        assert!(error.contains(part) && error.starts_with("out"), "{name}: {error}");
    }
    for out in ["/", "..", ".", ""] {
        assert!(refusal(Path::new(out), false, None).contains("a release needs a directory"), "{out}");
    }
    check_target(&at("new"), false, None).unwrap();
    check_target(&at("new"), true, None).unwrap();
    check_target(&at("dir").join("new"), false, Some(&at("file"))).unwrap();
    check_target(&at("new"), false, Some(Path::new("-"))).unwrap();
}

#[test]
fn a_release_may_be_replaced() {
    let home = tempfile::tempdir().unwrap();
    let out = home.path().join("release");
    let mut release = Maker::people(8).release();
    write(&release, &out, &WriteOptions::default()).unwrap();
    assert!(write(&release, &out, &WriteOptions::default()).is_err());
    release.manifest.algorithm = "paper".into();
    let options = WriteOptions { replace: true, ..WriteOptions::default() };
    let written = write(&release, &out, &options).unwrap();
    assert!(fs::read_to_string(out.join("manifest.json")).unwrap().contains("\"algorithm\": \"paper\""));
    assert_eq!(fs::read_dir(home.path()).unwrap().count(), 1);
    let bytes: u64 = fs::read_dir(&out).unwrap().map(|entry| entry.unwrap().metadata().unwrap().len()).sum();
    assert_eq!(written.bytes, bytes);
    assert!(written.verdict.ok && written.manifest.tables[0].rows == 8);
}

#[test]
fn same_release_same_bytes_for_any_number_of_threads() {
    let home = tempfile::tempdir().unwrap();
    let mut maker = Maker::people(100_000);
    maker.groups[99_996..].fill(None);
    let release = maker.release();
    let mut sums = Vec::new();
    for threads in [1, 2, 8] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let out = home.path().join(threads.to_string());
        let written = pool.install(|| write(&release, &out, &WriteOptions::default())).unwrap();
        sums.push((written.manifest.tables[0].sha256.clone(), fs::read(out.join("manifest.json")).unwrap()));
    }
    assert!(sums.windows(2).all(|pair| pair[0] == pair[1]));
}
