//! Where a release may not be written, and what is left when writing fails: what takes links, limits, mounts and permissions.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "children tell their parent what happened")]

use crate::common::{Maker, leftovers, write};
use crate::target::refusal;
use scumble_release::{WriteOptions, check_target};
use scumble_verify::{VerifyOptions, verify_dir};
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

#[test]
fn links_are_refused() {
    let home = tempfile::tempdir().unwrap();
    let at = |name: &str| home.path().join(name);
    fs::create_dir(at("dir")).unwrap();
    symlink(at("dir"), at("link")).unwrap();
    symlink(at("nowhere"), at("dangling")).unwrap();
    for (name, replace) in [("link", true), ("dangling", false)] {
        let error = refusal(&at(name), replace, None);
        assert!(error.contains("symbolic link") && error.starts_with("out"), "{name}: {error}");
    }
}

#[test]
fn the_input_is_safe() {
    let home = tempfile::tempdir().unwrap();
    let at = |name: &str| home.path().join(name);
    let options = WriteOptions::default();
    write(&Maker::people(8).release(), &at("release"), &options).unwrap();
    fs::write(at("release/input.csv"), "x").unwrap();
    symlink(at("release/input.csv"), at("alias.csv")).unwrap();
    fs::write(at("input.csv"), "x").unwrap();
    assert!(refusal(&at("input.csv"), false, Some(&at("input.csv"))).contains("this is the input"));
    assert!(refusal(&at("release"), true, Some(&at("release/input.csv"))).contains("the input lies in it"));
    assert!(refusal(&at("release"), true, Some(&at("alias.csv"))).contains("the input lies in it"));
    assert!(refusal(&at("input.csv/x"), false, Some(&at("input.csv"))).contains("not a directory"));
    fs::create_dir(at("folder")).unwrap();
    assert!(refusal(&at("folder/x"), false, Some(&at("folder"))).contains("lie in the input"));
}

/// Runs `child` in a process of its own, started by a shell that may limit it.
fn child_output(shell: &str, out: &Path, uid: Option<u32>) -> String {
    let exe = std::env::current_exe().unwrap();
    let mut command = Command::new("sh");
    command.arg("-c").arg(format!("{shell} exec \"$0\" \"$@\"")).arg(exe);
    command.args(["--exact", "target_unix::child", "--ignored", "--nocapture"]).env("CHILD_OUT", out).current_dir("/");
    if let Some(uid) = uid {
        command.uid(uid);
    }
    String::from_utf8_lossy(&command.output().unwrap().stdout).into_owned()
}

#[test]
#[ignore = "only run as a child of other tests"]
fn child() {
    let Some(out) = std::env::var_os("CHILD_OUT") else { return };
    match write(&Maker::people(4000).release(), Path::new(&out), &WriteOptions::default()) {
        Ok(_) => println!("written"),
        Err(error) => println!("error {}: {error}", error.exit_code()),
    }
}

#[test]
fn a_file_too_large_leaves_nothing() {
    for blocks in [8, 64, 160] {
        let home = tempfile::tempdir().unwrap();
        let out = home.path().join("release");
        let told = child_output(&format!("trap '' XFSZ; ulimit -f {blocks};"), &out, None);
        assert!(told.contains("error 3: cannot write `"), "{blocks}: {told}");
        assert_eq!(fs::read_dir(home.path()).unwrap().count(), 0, "{blocks}");
    }
    let home = tempfile::tempdir().unwrap();
    assert!(child_output("", &home.path().join("release"), None).contains("written"));
}

#[test]
fn a_full_disk_leaves_nothing() {
    let home = tempfile::tempdir().unwrap();
    let mount = Command::new("mount").args(["-t", "tmpfs", "-o", "size=128k", "tmpfs"]).arg(home.path()).output();
    if !mount.is_ok_and(|output| output.status.success()) {
        eprintln!("skipped: only root can make a small disk");
        return;
    }
    let error = write(&Maker::people(8000).release(), &home.path().join("r"), &WriteOptions::default());
    let error = error.unwrap_err();
    let left = fs::read_dir(home.path()).unwrap().count();
    let remount = Command::new("mount").args(["-o", "remount,ro"]).arg(home.path()).output();
    let read_only = check_target(&home.path().join("r"), false, None);
    Command::new("umount").arg(home.path()).output().unwrap();
    assert!(error.to_string().contains("No space left") && error.exit_code() == 3, "{error}");
    assert!(error.to_string().contains("r/table.csv"), "{error}");
    assert_eq!(left, 0);
    if remount.is_ok_and(|output| output.status.success()) {
        assert!(read_only.unwrap_err().to_string().contains("is not writable"));
    }
}

#[test]
fn an_unwritable_parent_is_refused() {
    let home = tempfile::tempdir_in("/tmp").unwrap();
    let out = home.path().join("release");
    let is_root = fs::metadata("/proc/self").is_ok_and(|own| std::os::unix::fs::MetadataExt::uid(&own) == 0);
    // Root may write anywhere, so it lets somebody else try.
    let told = if is_root {
        fs::set_permissions(home.path(), fs::Permissions::from_mode(0o755)).unwrap();
        child_output("", &out, Some(65_534))
    } else {
        fs::set_permissions(home.path(), fs::Permissions::from_mode(0o555)).unwrap();
        child_output("", &out, None)
    };
    fs::set_permissions(home.path(), fs::Permissions::from_mode(0o755)).unwrap();
    if told.is_empty() {
        eprintln!("skipped: nobody else can run this test");
        return;
    }
    assert!(told.contains("is not writable"), "{told}");
    assert!(leftovers(home.path()).is_empty());
    assert!(verify_dir(&out, &VerifyOptions::default()).is_err());
}
