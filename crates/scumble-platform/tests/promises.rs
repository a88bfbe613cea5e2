//! What both implementations promise.

use scumble_platform::*;
use std::ffi::OsStr;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::Path;

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// Names of this test's hidden directories.
fn is_ours(name: &OsStr) -> bool {
    name.to_str().is_some_and(|name| name.starts_with(".r-") && !name.contains("lock") && !name.contains("aside"))
}

#[cfg(unix)]
#[test]
fn only_plain_files_are_opened() {
    let home = tempfile::tempdir().unwrap();
    let at = |name: &str| home.path().join(name);
    fs::write(at("plain"), "x").unwrap();
    std::os::unix::fs::symlink(at("plain"), at("link")).unwrap();
    std::os::unix::fs::symlink(at("nowhere"), at("dangling")).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(at("pipe")).status().unwrap().success());
    std::os::unix::net::UnixListener::bind(at("socket")).unwrap();
    fs::create_dir(at("dir")).unwrap();
    assert_eq!(io::read_to_string(open_plain_file(&at("plain")).unwrap()).unwrap(), "x");
    let paths = ["link", "dangling", "pipe", "socket", "dir"].map(at).into_iter().chain(["/dev/zero".into()]);
    for path in paths {
        assert_eq!(open_plain_file(&path).unwrap_err().kind(), ErrorKind::InvalidInput, "{}", path.display());
    }
    assert_eq!(open_plain_file(&at("nothing")).unwrap_err().kind(), ErrorKind::NotFound);
}

#[test]
fn a_name_that_is_taken_is_not_overwritten() {
    let home = tempfile::tempdir().unwrap();
    let at = |name: &str| home.path().join(name);
    fs::create_dir(at("from")).unwrap();
    fs::create_dir(at("empty")).unwrap();
    fs::write(at("file"), "x").unwrap();
    for taken in ["empty", "file"] {
        assert_eq!(rename_new(&at("from"), &at(taken)).unwrap_err().kind(), ErrorKind::AlreadyExists, "{taken}");
    }
    rename_new(&at("from"), &at("to")).unwrap();
    assert_eq!(names(home.path()), ["empty", "file", "to"]);
}

#[test]
fn directories_are_exchanged() {
    let home = tempfile::tempdir().unwrap();
    let (new, old) = (home.path().join(".r-1"), home.path().join("release"));
    let lock = make_locked_dir(&new).unwrap().unwrap();
    fs::create_dir(&old).unwrap();
    fs::write(new.join("new"), "").unwrap();
    fs::write(old.join("old"), "").unwrap();
    let replaced = lock_replaced_dir(&old).unwrap();
    exchange(&new, &old).unwrap();
    assert_eq!((names(&old), names(&new)), (vec!["new".to_string()], vec!["old".to_string()]));
    // The old one waits for its removal and is not taken for an abandoned one.
    remove_abandoned(home.path(), &is_ours);
    assert!(new.join("old").exists());
    fs::remove_dir_all(&new).unwrap();
    drop((lock, replaced));
    assert_eq!(names(home.path()), ["release"]);
}

#[test]
fn an_exchange_that_fails_leaves_the_old_directory() {
    let home = tempfile::tempdir().unwrap();
    let (new, old) = (home.path().join(".r-1"), home.path().join("release"));
    let lock = make_locked_dir(&new).unwrap().unwrap();
    fs::create_dir(&old).unwrap();
    fs::write(old.join("old"), "").unwrap();
    fs::remove_dir(&new).unwrap();
    assert!(exchange(&new, &old).is_err());
    drop(lock);
    assert_eq!((names(home.path()), names(&old)), (vec!["release".to_string()], vec!["old".to_string()]));
}

/// What stands in the folder when a run is killed after each step of an exchange in steps.
#[test]
fn an_exchange_that_was_killed_is_settled() {
    for step in 0..4 {
        let home = tempfile::tempdir().unwrap();
        let (new, old) = (home.path().join(".r-1"), home.path().join("release"));
        let aside = home.path().join(".r-1.aside");
        for (dir, file) in [(&new, "new"), (&old, "old")] {
            fs::create_dir(dir).unwrap();
            fs::write(dir.join(file), "").unwrap();
        }
        fs::create_dir(&aside).unwrap();
        if step > 0 {
            fs::rename(&old, aside.join("release")).unwrap();
        }
        if step > 1 {
            fs::rename(&new, &old).unwrap();
        }
        if step > 2 {
            fs::rename(aside.join("release"), &new).unwrap();
        }
        remove_abandoned(home.path(), &is_ours);
        assert_eq!(names(home.path()), ["release"], "{step}");
        assert_eq!(names(&old), [if step < 2 { "old" } else { "new" }], "{step}");
    }
}

#[test]
fn abandoned_directories_go_and_locked_ones_stay() {
    let home = tempfile::tempdir().unwrap();
    let at = |name: &str| home.path().join(name);
    fs::create_dir_all(at(".r-1/deeper")).unwrap();
    fs::create_dir(at("mine")).unwrap();
    fs::write(at(".r-2"), "a file is not ours").unwrap();
    let lock = make_locked_dir(&at(".r-3")).unwrap().unwrap();
    assert_eq!(make_locked_dir(&at(".r-3")).unwrap_err().kind(), ErrorKind::AlreadyExists);
    remove_abandoned(home.path(), &is_ours);
    assert!(at(".r-3").exists() && at("mine").exists() && at(".r-2").exists() && !at(".r-1").exists());
    drop(lock);
    remove_abandoned(home.path(), &is_ours);
    assert_eq!(names(home.path()), [".r-2", "mine"]);
    remove_abandoned(&at("nowhere"), &is_ours);
}

#[test]
fn a_folder_and_a_file_are_locked_for_one_at_a_time() {
    let home = tempfile::tempdir().unwrap();
    let lock = lock_folder(home.path()).unwrap();
    assert_eq!(lock_folder(home.path()).unwrap_err().kind(), ErrorKind::WouldBlock);
    drop(lock);
    lock_folder(home.path()).unwrap();
    let file = home.path().join("f");
    assert_eq!(lock_file(&file).unwrap_err().kind(), ErrorKind::NotFound);
    fs::write(&file, "x").unwrap();
    let lock = lock_file(&file).unwrap();
    assert_eq!(fs::read_to_string(&file).unwrap(), "x");
    let (file, (say, hear)) = (file.clone(), std::sync::mpsc::channel());
    let waiting = std::thread::spawn(move || {
        let lock = lock_file(&file).unwrap();
        say.send(()).unwrap();
        drop(lock);
    });
    assert!(hear.recv_timeout(std::time::Duration::from_millis(50)).is_err());
    drop(lock);
    waiting.join().unwrap();
    hear.recv().unwrap();
}

#[test]
fn a_lock_beside_a_file_stays_while_the_file_is_replaced() {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("f");
    let lock = lock_beside(&file).unwrap();
    assert_eq!(lock_beside(&file).unwrap_err().kind(), ErrorKind::WouldBlock);
    fs::write(&file, "x").unwrap();
    fs::write(home.path().join("g"), "y").unwrap();
    fs::rename(home.path().join("g"), &file).unwrap();
    assert_eq!(lock_beside(&file).unwrap_err().kind(), ErrorKind::WouldBlock);
    drop(lock);
    lock_beside(&file).unwrap();
    assert_eq!(names(home.path()), [".f.lock", "f"]);
    assert_eq!(lock_beside(Path::new("/")).unwrap_err().kind(), ErrorKind::InvalidInput);
}

#[test]
fn a_private_file_is_opened_and_anything_else_is_told_apart() {
    let home = tempfile::tempdir().unwrap();
    let at = |name: &str| home.path().join(name);
    drop(create_private_file(&at("f")).unwrap());
    open_private_file(&at("f")).unwrap();
    fs::create_dir(at("d")).unwrap();
    assert!(matches!(open_private_file(&at("d")), Err(PrivateFault::NotPlain)));
    let missing = open_private_file(&at("nothing"));
    assert!(matches!(missing, Err(PrivateFault::Io(error)) if error.kind() == ErrorKind::NotFound));
    #[cfg(all(unix, not(feature = "portable")))]
    {
        use std::os::unix::fs::{PermissionsExt, chown, symlink};
        symlink(at("f"), at("link")).unwrap();
        assert!(matches!(open_private_file(&at("link")), Err(PrivateFault::NotPlain)));
        for mode in [0o640, 0o604, 0o660, 0o601] {
            fs::set_permissions(at("f"), fs::Permissions::from_mode(mode)).unwrap();
            assert!(matches!(open_private_file(&at("f")), Err(PrivateFault::Open(found)) if found == mode), "{mode:o}");
        }
        fs::set_permissions(at("f"), fs::Permissions::from_mode(0o400)).unwrap();
        open_private_file(&at("f")).unwrap();
        // Only an administrator can give files away.
        if chown(at("f"), Some(12345), None).is_ok() {
            assert!(matches!(open_private_file(&at("f")), Err(PrivateFault::Foreign)));
        }
    }
}

#[test]
fn private_files_are_made_and_written_over() {
    use std::io::Write;
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("f");
    create_private_file(&file).unwrap().write_all(b"first").unwrap();
    assert_eq!(create_private_file(&file).unwrap_err().kind(), ErrorKind::AlreadyExists);
    let write = |place: &Path| PendingFile::write(place, Readers::Owner, |out| out.write_all(b"2"));
    write(&file).and_then(PendingFile::put).unwrap();
    assert_eq!(fs::read(&file).unwrap(), b"2");
    make_private_dirs(&home.path().join("a/b")).unwrap();
    make_private_dirs(&home.path().join("a/b")).unwrap();
    assert!(!others_may_read(&file));
}

/// Permissions are a promise of the Unix implementation alone.
#[cfg(all(unix, not(feature = "portable")))]
#[test]
fn private_things_are_for_their_owner() {
    use std::os::unix::fs::PermissionsExt;
    let home = tempfile::tempdir().unwrap();
    let at = |name: &str| home.path().join(name);
    make_private_dirs(&at("a/b")).unwrap();
    drop(create_private_file(&at("f")).unwrap());
    PendingFile::write(&at("g"), Readers::Owner, |_| Ok(())).and_then(PendingFile::put).unwrap();
    let _lock = make_locked_dir(&at("h")).unwrap();
    let mode = |name: &str| fs::metadata(at(name)).unwrap().permissions().mode() & 0o777;
    assert_eq!(["a", "a/b", "h", "f", "g"].map(mode), [0o700, 0o700, 0o700, 0o600, 0o600]);
    fs::set_permissions(at("f"), fs::Permissions::from_mode(0o640)).unwrap();
    assert!(others_may_read(&at("f")) && !others_may_read(&at("g")));
}

#[test]
fn a_directory_that_can_be_written_stays_as_it_was() {
    let home = tempfile::tempdir().unwrap();
    check_writable(home.path()).unwrap();
    sync_dir(home.path()).unwrap();
    assert_eq!(names(home.path()), Vec::<String>::new());
    assert!(check_writable(&home.path().join("nowhere")).is_err());
}

#[test]
fn what_is_unknown_is_not_made_up() {
    let known = cfg!(target_os = "linux") && !PORTABLE;
    assert_eq!(peak_memory().is_some(), known);
    reset_peak_memory();
    assert_eq!(peak_memory().is_some_and(|bytes| bytes > 0), known);
    assert_eq!(LIMITATIONS.memory.is_none(), known);
}

#[test]
fn a_weaker_build_says_so_in_sentences() {
    assert_eq!(
        (LIMITATIONS.replacing.is_some(), LIMITATIONS.private.is_some(), LIMITATIONS.core_dumps.is_some()),
        (PORTABLE, PORTABLE, PORTABLE)
    );
    for sentence in LIMITATIONS.sentences() {
        assert!(sentence.starts_with("this ") && !sentence.ends_with('.'), "{sentence}");
    }
}

/// Windows gives names to devices in every folder, and reads a colon as part of no name.
#[cfg(any(not(unix), feature = "portable"))]
#[test]
fn names_of_devices_are_refused() {
    let home = tempfile::tempdir().unwrap();
    let kind = |name: &str| open_plain_file(&home.path().join(name)).unwrap_err().kind();
    for name in ["con", "NUL", "nul.csv", "Aux .txt", "com1", "LPT9.tar.gz", "table.csv:secret", "CONIN$"] {
        assert_eq!(kind(name), ErrorKind::InvalidInput, "{name}");
    }
    for name in ["table.csv", "console.csv", "com.csv", "com10", "lptx", "hierarchy-con.csv"] {
        assert_eq!(kind(name), ErrorKind::NotFound, "{name}");
    }
}

/// The portable lock is a file, which a killed run may leave without its directory.
#[cfg(any(not(unix), feature = "portable"))]
#[test]
fn a_lock_without_its_directory_is_swept_and_one_that_is_held_stays() {
    let home = tempfile::tempdir().unwrap();
    let at = |name: &str| home.path().join(name);
    fs::write(at(".r-1.lock"), "").unwrap();
    fs::write(at("b.lock"), "not ours").unwrap();
    let held = make_locked_dir(&at(".r-2")).unwrap().unwrap();
    fs::remove_dir(at(".r-2")).unwrap();
    remove_abandoned(home.path(), &is_ours);
    assert_eq!(names(home.path()), [".r-2.lock", "b.lock"]);
    drop(held);
    assert_eq!(names(home.path()), ["b.lock"]);
}
