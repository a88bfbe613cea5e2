//! What opens a ledger: the key file of its owner, and ledgers of version 2.

use scumble_ledger::*;
use scumble_table::{Cancellation, Error, Monitor, Progress};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;

/// Two releases by version 2 without a passphrase: people `P00000001` and others, then people `Q00000007` and others.
const OPEN: &[u8] = include_bytes!("../files/version-2-without-passphrase.ledger");

/// One release by version 2 with the passphrase `five or six random words`.
const CLOSED: &[u8] = include_bytes!("../files/version-2-with-passphrase.ledger");

#[derive(Default)]
struct Warnings(Mutex<Vec<String>>);

impl Progress for Warnings {
    fn warn(&self, text: &str) {
        self.0.lock().unwrap().push(text.into());
    }
}

/// A folder with a ledger, and one with the key of its owner.
struct Home {
    folder: tempfile::TempDir,
    warnings: Warnings,
    cancellation: Cancellation,
}

impl Home {
    fn new() -> Home {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("data")).unwrap();
        Home { folder, warnings: Warnings::default(), cancellation: Cancellation::default() }
    }

    fn at(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn ledger(&self) -> PathBuf {
        self.at("data/people.ledger")
    }

    fn key(&self) -> PathBuf {
        self.at("settings/scumble/ledger.key")
    }

    fn secrets(&self) -> Secrets {
        Secrets::key_file(self.key())
    }

    fn monitor(&self) -> Monitor<'_> {
        Monitor::new(&self.warnings, &self.cancellation)
    }

    fn open(&self) -> Result<Ledger, Error> {
        Ledger::open_or_new(&self.ledger(), &self.secrets(), self.monitor())
    }

    fn refused(&self) -> String {
        self.open().err().unwrap().to_string()
    }

    /// What was warned of since the last call.
    fn warned(&self) -> String {
        self.warnings.0.lock().unwrap().drain(..).collect::<Vec<_>>().join("\n")
    }
}

/// Writes a file as private as a ledger is.
fn write_private(path: &Path, bytes: &[u8]) {
    let _ = fs::remove_file(path);
    fs::write(path, bytes).unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(path, fs::Permissions::from_mode(0o600)).unwrap();
    }
}

fn fields(number: u8) -> EntryFields {
    EntryFields {
        place: format!("/nowhere/{number}"),
        staged: format!("/nowhere/.{number}"),
        manifest: format!("{number:064}"),
        batches: None,
        method: "generalize".into(),
        columns: Vec::new(),
        requirements: Vec::new(),
        rows: 3,
        known_by: by_patient(),
        unnamed: 0,
        accept_overlap: false,
    }
}

fn by_patient() -> KnownBy {
    KnownBy::Person(vec!["patient".into()])
}

fn enter(ledger: &mut Ledger, number: u8, people: &[u128]) {
    let people = ledger.fingerprints(people, Monitor::silent()).unwrap();
    let number = ledger.enter(NewEntry { fields: fields(number), people: NewPeople::Own(&people) }).unwrap();
    ledger.confirm(number).unwrap();
}

fn overlaps(ledger: &Ledger, people: &[u128]) -> Vec<(u64, u64)> {
    let people = ledger.fingerprints(people, Monitor::silent()).unwrap();
    let found = ledger.overlaps(&people, &by_patient(), Monitor::silent()).unwrap();
    found.into_iter().map(|overlap| (overlap.release, overlap.people)).collect()
}

fn patients(keys: &[&str]) -> Vec<u128> {
    keys.iter().map(|key| person_digest([key])).collect()
}

fn id_of(ledger: &Ledger) -> String {
    match ledger.opens_with() {
        OpensWith::Key(id) => id.clone(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_key_is_made_once_and_opens_all_ledgers_of_its_owner() {
    let home = Home::new();
    let mut ledger = home.open().unwrap();
    let id = id_of(&ledger);
    let words = home.warned();
    assert!(words.contains("a key for your ledgers was made") && words.contains(&id), "{words}");
    assert!(words.contains(home.key().to_str().unwrap()) && words.contains("cannot be opened without it"), "{words}");
    #[cfg(all(unix, not(feature = "portable")))]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&home.key()), mode(home.key().parent().unwrap())), (0o600, 0o700));
    }
    enter(&mut ledger, 1, &[1, 2, 3]);
    drop(ledger);
    let ledger = home.open().unwrap();
    assert_eq!((id_of(&ledger), overlaps(&ledger, &[3, 4])), (id.clone(), vec![(1, 1)]));
    drop(ledger);
    let other = Ledger::open_or_new(&home.at("data/other"), &home.secrets(), home.monitor()).unwrap();
    assert_eq!((id_of(&other), home.warned()), (id, String::new()));
    // Whatever the ledger holds, it does not hold the key, nor anything that opens it.
    let key = fs::read_to_string(home.key()).unwrap();
    let digits = key.lines().nth(1).unwrap();
    assert!(!String::from_utf8_lossy(&fs::read(home.ledger()).unwrap()).contains(digits));
    let words = |secrets: &Secrets| Ledger::open(&home.ledger(), secrets, Monitor::silent()).err().unwrap().to_string();
    for guess in [Secrets::default(), Secrets::passphrase(Passphrase::new("five or six random words").unwrap())] {
        assert!(words(&guess).contains("this ledger opens with the key"), "{}", words(&guess));
    }
}

#[test]
fn a_key_that_is_lost_cut_or_another_one_is_named_and_none_is_made() {
    let home = Home::new();
    let mut ledger = home.open().unwrap();
    let id = id_of(&ledger);
    enter(&mut ledger, 1, &[1]);
    drop(ledger);
    let (key, before) = (fs::read(home.key()).unwrap(), fs::read(home.ledger()).unwrap());
    fs::remove_file(home.key()).unwrap();
    let words = home.refused();
    for part in
        [&id, "there is no file", home.key().to_str().unwrap(), "`ledger_key`", "SCUMBLE_LEDGER_KEY", "another machine"]
    {
        assert!(words.contains(part), "{part}: {words}");
    }
    assert!(!home.key().exists(), "a new key would not open it");
    for end in 0..key.len() {
        write_private(&home.key(), &key[..end]);
        assert!(home.refused().contains("not the whole of a key file"), "cut at {end}");
        // Nor is a new ledger made with it.
        let new = Ledger::open_or_new(&home.at("data/new"), &home.secrets(), home.monitor()).err().unwrap();
        assert!(new.to_string().contains("not the whole of a key file"), "cut at {end}");
    }
    write_private(&home.key(), &[&key[..], b"\n"].concat());
    assert!(home.refused().contains("not the whole of a key file"));
    let mut altered = key.clone();
    let last = altered.len() - 2;
    altered[last] = if altered[last] == b'0' { b'1' } else { b'0' };
    write_private(&home.key(), &altered);
    let words = home.refused();
    assert!(words.contains(&format!("opens with the key {id}")) && words.contains("holds the key"), "{words}");
    assert!(!words.contains(&String::from_utf8(altered).unwrap()[80..100]), "{words}");
    #[cfg(all(unix, not(feature = "portable")))]
    {
        use std::os::unix::fs::{PermissionsExt, chown, symlink};
        write_private(&home.key(), &key);
        fs::set_permissions(home.key(), fs::Permissions::from_mode(0o640)).unwrap();
        assert!(home.refused().contains("mode 640"));
        fs::set_permissions(home.key(), fs::Permissions::from_mode(0o600)).unwrap();
        if chown(home.key(), Some(12345), None).is_ok() {
            assert!(home.refused().contains("belongs to another user"));
        }
        fs::remove_file(home.key()).unwrap();
        write_private(&home.at("elsewhere"), &key);
        symlink(home.at("elsewhere"), home.key()).unwrap();
        assert!(home.refused().contains("it is a link"));
        // A link that leads nowhere is no place for a new one.
        fs::remove_file(home.at("elsewhere")).unwrap();
        assert!(home.refused().contains("it is a link"));
        let new = Ledger::open_or_new(&home.at("data/new"), &home.secrets(), home.monitor()).err().unwrap();
        assert!(new.to_string().contains("it is a link") && !home.at("elsewhere").exists());
        fs::remove_file(home.key()).unwrap();
    }
    assert_eq!(fs::read(home.ledger()).unwrap(), before);
    write_private(&home.key(), &key);
    assert_eq!(overlaps(&home.open().unwrap(), &[1]), [(1, 1)]);
}

#[test]
fn no_key_is_made_where_a_thief_of_the_ledger_finds_it() {
    let home = Home::new();
    let beside = Secrets::key_file(home.at("data/ledger.key"));
    let words = Ledger::open_or_new(&home.ledger(), &beside, home.monitor()).err().unwrap().to_string();
    assert!(words.contains("lies in the folder of the ledger") && !home.at("data/ledger.key").exists(), "{words}");
    let words = Ledger::open_or_new(&home.ledger(), &Secrets::default(), home.monitor()).err().unwrap().to_string();
    for part in ["nothing that could protect it", "`ledger_passphrase`", "`ledger_key`", "HOME"] {
        assert!(words.contains(part), "{part}: {words}");
    }
    assert!(!home.ledger().exists());
    // One that was moved there opens its ledgers, with a warning.
    enter(&mut home.open().unwrap(), 1, &[1]);
    fs::rename(home.key(), home.at("data/ledger.key")).unwrap();
    home.warned();
    drop(Ledger::open(&home.ledger(), &beside, home.monitor()).unwrap());
    assert!(home.warned().contains("the key lies in the folder of the ledger"));
}

#[test]
fn two_runs_at_once_make_one_key() {
    let home = Home::new();
    let ids: Vec<String> = std::thread::scope(|scope| {
        let run = |at: u8| {
            let home = &home;
            move || {
                let path = home.at(&format!("data/{at}"));
                let ledger = Ledger::open_or_new(&path, &home.secrets(), home.monitor()).unwrap();
                id_of(&ledger)
            }
        };
        let all: Vec<_> = (0..8).map(|at| scope.spawn(run(at))).collect();
        all.into_iter().map(|one| one.join().unwrap()).collect()
    });
    assert!(ids.iter().all(|id| *id == ids[0]), "{ids:?}");
    assert_eq!(home.warned().matches("was made").count(), 1);
}

#[test]
#[ignore = "only run as a child of the other test"]
fn child() {
    let Some(folder) = std::env::var_os("CHILD_HOME") else { return };
    let at = |name: &str| Path::new(&folder).join(name);
    println!("#");
    let secrets = Secrets::key_file(at("settings/scumble/ledger.key"));
    let mut ledger = Ledger::open_or_new(&at("data/people.ledger"), &secrets, Monitor::silent()).unwrap();
    enter(&mut ledger, 1, &(1..200_000).collect::<Vec<u128>>());
}

/// Killed at any moment, a run leaves no ledger without the key that opens it, and no key that does not read.
#[test]
fn a_killed_run_leaves_no_ledger_without_its_key() {
    let exe = std::env::current_exe().unwrap();
    let mut seen = std::collections::BTreeSet::new();
    for round in 0..24 {
        let home = Home::new();
        let mut command = Command::new(&exe);
        command.args(["--exact", "keys::child", "--ignored", "--nocapture"]).env("CHILD_HOME", home.folder.path());
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(std::time::Duration::from_millis(round * 3));
        child.kill().unwrap();
        child.wait().unwrap();
        let (had_key, had_ledger) = (home.key().exists(), home.ledger().exists());
        assert!(had_key || !had_ledger);
        seen.insert((had_key, had_ledger));
        let mut ledger = home.open().unwrap();
        assert_eq!(!overlaps(&ledger, &[1]).is_empty(), had_ledger);
        assert_eq!(home.warned().contains("was made"), !had_key);
        enter(&mut ledger, 2, &[7_000_000]);
    }
    assert!(seen.len() >= 2, "the kills fell on one side only: {seen:?}");
}

#[test]
fn version_2_without_a_passphrase_is_written_again_under_a_key() {
    let home = Home::new();
    write_private(&home.ledger(), OPEN);
    let both = patients(&["P00000001", "P00000012", "Q00000007", "Q00000001"]);
    // Looking at it changes nothing, and needs no key.
    let looked = Ledger::open(&home.ledger(), &Secrets::default(), home.monitor()).unwrap();
    assert_eq!((looked.opens_with(), overlaps(&looked, &both)), (&OpensWith::Nothing, vec![(1, 2), (2, 1)]));
    drop(looked);
    assert!(fs::read(home.ledger()).unwrap() == OPEN && !home.key().exists());
    // Nothing is entered where there is nothing to protect it.
    let mut unprotected = Ledger::open(&home.ledger(), &Secrets::default(), home.monitor()).unwrap();
    assert!(unprotected.settle(home.monitor()).unwrap_err().to_string().contains("nothing that could protect it"));
    assert!(unprotected.confirm(1).is_err() && fs::read(home.ledger()).unwrap() == OPEN);
    drop(unprotected);
    let mut ledger = home.open().unwrap();
    ledger.settle(home.monitor()).unwrap();
    let (id, words) = (id_of(&ledger), home.warned());
    assert!(words.contains("made by an earlier version without a passphrase") && words.contains(&id), "{words}");
    assert!(words.contains("remove them"), "{words}");
    assert_eq!(overlaps(&ledger, &both), [(1, 2), (2, 1)]);
    ledger.check_people(Monitor::silent()).unwrap();
    drop(ledger);
    let mut ledger = home.open().unwrap();
    ledger.settle(home.monitor()).unwrap();
    assert_eq!((overlaps(&ledger, &both), home.warned()), (vec![(1, 2), (2, 1)], String::new()));
    assert_eq!(ledger.entries().map(|entry| ledger.state(entry.number)).collect::<Vec<_>>(), [State::Published; 2]);
    ledger.check_people(Monitor::silent()).unwrap();
    enter(&mut ledger, 3, &patients(&["P00000001"]));
    assert_eq!(overlaps(&ledger, &both), [(1, 2), (2, 1), (3, 1)]);
    drop(ledger);
    // The key is needed now, and no eight bytes of the old fingerprints are left.
    let words = Ledger::open(&home.ledger(), &Secrets::default(), Monitor::silent()).err().unwrap().to_string();
    assert!(words.contains(&format!("opens with the key {id}")), "{words}");
    let now = fs::read(home.ledger()).unwrap();
    assert!(now.starts_with(b"scumble ledger 3:"));
    let record = OPEN.windows(8).position(|eight| eight == b"{\"releas").unwrap();
    let block = record + OPEN[record..].iter().position(|&byte| byte == b'\n').unwrap() + 1;
    let layout = Layout::read(std::io::Cursor::new(OPEN)).unwrap();
    let first = std::cell::Cell::new(None);
    layout.bytes(|from, n| {
        first.set(first.get().or(Some((from as usize, n as usize))));
        OPEN[from as usize..(from + n) as usize].to_vec()
    });
    let (from, n) = first.get().unwrap();
    assert_eq!((from, n), (block, 11 * 8));
    assert!(OPEN[from..from + n].windows(8).all(|eight| !now.windows(8).any(|other| other == eight)));
}

#[test]
fn version_2_is_written_again_under_the_passphrase_that_is_given() {
    let secrets = |text: &str| Secrets::passphrase(Passphrase::new(text).unwrap());
    for (file, passphrase) in [(OPEN, "now it has a passphrase"), (CLOSED, "five or six random words")] {
        let home = Home::new();
        write_private(&home.ledger(), file);
        let mut ledger = Ledger::open(&home.ledger(), &secrets(passphrase), home.monitor()).unwrap();
        ledger.settle(home.monitor()).unwrap();
        assert!(home.warned().contains("written again under the passphrase"));
        drop(ledger);
        let ledger = Ledger::open(&home.ledger(), &secrets(passphrase), home.monitor()).unwrap();
        assert_eq!(ledger.opens_with(), &OpensWith::Passphrase);
        assert_eq!(overlaps(&ledger, &patients(&["P00000001", "P00000012"])), [(1, 2)]);
        drop(ledger);
        let words =
            |secrets: &Secrets| Ledger::open(&home.ledger(), secrets, home.monitor()).err().unwrap().to_string();
        assert!(words(&secrets("another passphrase")).contains("the passphrase is not that of this ledger"));
        assert!(words(&home.secrets()).contains("has a passphrase, and none was given"));
    }
    // One with a passphrase needs it.
    let home = Home::new();
    write_private(&home.ledger(), CLOSED);
    assert!(home.refused().contains("has a passphrase, and none was given") && !home.key().exists());
    assert_eq!(fs::read(home.ledger()).unwrap(), CLOSED);
}

#[test]
fn an_altered_ledger_of_version_2_is_not_written_again() {
    let home = Home::new();
    // The last byte of the last fingerprint of the first release stands before the tag of the next record.
    let record = OPEN.windows(12).position(|part| part == b"{\"confirmed\"").unwrap();
    let mut altered = OPEN.to_vec();
    altered[record - 66] ^= 1;
    write_private(&home.ledger(), &altered);
    let mut ledger = home.open().unwrap();
    let words = ledger.settle(home.monitor()).unwrap_err().to_string();
    assert!(words.contains("altered or damaged"), "{words}");
    drop(ledger);
    assert_eq!(fs::read(home.ledger()).unwrap(), altered);
    let mut names: Vec<_> = fs::read_dir(home.at("data")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, [".people.ledger.lock", "people.ledger"], "nothing is left beside it");
}
