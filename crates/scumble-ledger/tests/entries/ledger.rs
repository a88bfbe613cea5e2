//! What a ledger promises: nothing is forgotten, nothing is believed that was not written.

use scumble_ledger::*;
use scumble_table::{Error, Monitor};
use std::fs;
use std::io::{BufRead, BufReader, Cursor};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

fn passphrase() -> Secrets {
    Secrets::passphrase(Passphrase::new("five or six random words").unwrap())
}

fn open(path: &Path) -> Result<Ledger, Error> {
    Ledger::open_or_new(path, &passphrase(), Monitor::silent())
}

fn by_person() -> KnownBy {
    KnownBy::Person(vec!["id".into()])
}

/// A folder with releases that hold a manifest each.
struct Home {
    folder: tempfile::TempDir,
}

impl Home {
    fn new() -> Home {
        Home { folder: tempfile::tempdir().unwrap() }
    }

    fn at(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn ledger(&self) -> PathBuf {
        self.at("people.ledger")
    }

    /// Writes a release under its hidden name, and says what is known of it.
    fn staged(&self, name: &str) -> EntryFields {
        let (place, staged) = (self.at(name), self.at(&format!(".{name}.scumble-1-1")));
        fs::create_dir_all(&staged).unwrap();
        fs::write(staged.join("manifest.json"), format!("{{\"scumble\":\"{name}\",\"tables\":[]}}")).unwrap();
        EntryFields {
            manifest: manifest_digest(&staged).unwrap(),
            place: place.to_str().unwrap().into(),
            staged: staged.to_str().unwrap().into(),
            batches: None,
            method: "generalize".into(),
            columns: vec![EntryColumn { name: "age".into(), role: "quasi".into() }],
            requirements: vec!["k-anonymity(2)".into()],
            rows: 3,
            known_by: by_person(),
            unnamed: 0,
            accept_overlap: false,
        }
    }

    fn publish(&self, ledger: &mut Ledger, name: &str, people: &[u128]) -> u64 {
        let fields = self.staged(name);
        let (from, to) = (fields.staged.clone(), fields.place.clone());
        let number = enter(ledger, fields, people).unwrap();
        fs::rename(from, to).unwrap();
        ledger.confirm(number).unwrap();
        number
    }
}

fn enter(ledger: &mut Ledger, fields: EntryFields, people: &[u128]) -> Result<u64, Error> {
    let people = ledger.fingerprints(people, Monitor::silent())?;
    ledger.enter(NewEntry { fields, people: NewPeople::Own(&people) })
}

fn overlaps(ledger: &Ledger, people: &[u128]) -> Vec<(u64, u64)> {
    let people = ledger.fingerprints(people, Monitor::silent()).unwrap();
    let found = ledger.overlaps(&people, &by_person(), Monitor::silent()).unwrap();
    found.into_iter().map(|overlap| (overlap.release, overlap.people)).collect()
}

#[test]
fn people_are_found_in_every_release_that_they_were_in() {
    let home = Home::new();
    let mut ledger = open(&home.ledger()).unwrap();
    assert!(!ledger.exists() && overlaps(&ledger, &[1, 2]).is_empty());
    assert_eq!(home.publish(&mut ledger, "jan", &[1, 2, 3, 0, 0]), 1);
    assert_eq!(home.publish(&mut ledger, "feb", &[3, 4]), 2);
    let same = NewEntry { fields: home.staged("again"), people: NewPeople::SameAs(1) };
    assert_eq!(ledger.enter(same).unwrap(), 3);
    drop(ledger);
    let ledger = open(&home.ledger()).unwrap();
    assert_eq!(overlaps(&ledger, &[3, 2, 9, 3]), [(1, 2), (2, 1)]);
    // The third was never put in its place, and its directory proves it.
    assert_eq!(ledger.state(3), State::Withdrawn);
    assert_eq!([1, 2].map(|number| ledger.state(number)), [State::Published; 2]);
    // Whoever is not named is nobody's double.
    assert_eq!(overlaps(&ledger, &[0, 5]), []);
    let people = ledger.fingerprints(&[9, 3, 7, 1], Monitor::silent()).unwrap();
    assert_eq!(ledger.members(1, &people, Monitor::silent()).unwrap(), [1, 3]);
    assert_eq!(ledger.in_common(1, 2, Monitor::silent()).unwrap(), Some(1));
    assert_eq!(ledger.entry(1).unwrap().people, 3);
    let by_quasi = KnownBy::Quasi(vec!["age".into()]);
    assert!(ledger.overlaps(&people, &by_quasi, Monitor::silent()).unwrap().is_empty());
    assert!(ledger.compare(&people, &by_quasi, Monitor::silent()).unwrap().iter().all(|one| one.people.is_none()));
    assert_eq!(ledger.same_release(&ledger.entry(2).unwrap().manifest).unwrap().number, 2);
    ledger.check_people(Monitor::silent()).unwrap();
}

#[test]
fn every_altered_byte_and_every_cut_is_noticed() {
    let home = Home::new();
    let mut ledger = open(&home.ledger()).unwrap();
    home.publish(&mut ledger, "jan", &[1, 2, 3]);
    drop(ledger);
    let whole = fs::read(home.ledger()).unwrap();
    let layout = Layout::read(Cursor::new(&whole)).unwrap();
    let people = |from: u64, n: u64| whole[from as usize..(from + n) as usize].to_vec();
    assert_eq!(layout.bytes(people), whole);
    let read = |bytes: &[u8]| Layout::read(Cursor::new(bytes));
    for end in 0..whole.len() {
        assert!(read(&whole[..end]).is_err(), "cut at {end}");
    }
    let mut longer = whole.clone();
    longer.push(b'\n');
    assert!(read(&longer).is_err());
    // Where the form stays right, the seals do not: only those bytes take the slow way with the passphrase.
    let (mut slow, mut tried) = (0, 0);
    for at in 0..whole.len() {
        let mut altered = whole.clone();
        altered[at] ^= 1;
        if read(&altered).is_err() {
            continue;
        }
        tried += 1;
        if tried % 101 != 0 {
            continue;
        }
        slow += 1;
        fs::write(home.ledger(), &altered).unwrap();
        let opened = open(&home.ledger()).and_then(|ledger| ledger.check_people(Monitor::silent()));
        assert!(opened.is_err(), "byte {at} was altered");
    }
    assert!(slow > 3, "{slow} of {tried}");
    // A record that is taken out between two others.
    let record = whole.windows(12).position(|part| part == b"{\"confirmed\"").unwrap();
    let end = record + whole[record..].iter().position(|&byte| byte == b'\n').unwrap() + 1;
    // Its tag stands before it.
    let without = [&whole[..record - 65], &whole[end..]].concat();
    assert!(read(&without).is_ok());
    fs::write(home.ledger(), &without).unwrap();
    let error = open(&home.ledger()).err().unwrap().to_string();
    assert!(error.contains("altered or damaged"), "{error}");
}

#[test]
fn what_is_no_ledger_of_ours_is_refused_with_words() {
    let home = Home::new();
    home.publish(&mut open(&home.ledger()).unwrap(), "jan", &[1]);
    let whole = fs::read(home.ledger()).unwrap();
    let refused = |bytes: &[u8]| {
        fs::write(home.ledger(), bytes).unwrap();
        open(&home.ledger()).err().unwrap().to_string()
    };
    let text = String::from_utf8_lossy(&whole).into_owned();
    for other in ["1", "4"] {
        let words = refused(text.replacen("ledger 3", &format!("ledger {other}"), 1).as_bytes());
        assert!(
            words.contains(&format!("version `{other}`")) && words.contains("reads versions `2` and `3`"),
            "{words}"
        );
    }
    assert!(refused(b"id,age\n1,2\n").contains("not a ledger of scumble"));
    assert!(refused(b"").contains("not a ledger of scumble"));
    assert!(refused(&whole[..whole.len() - 1]).contains("was cut"));
    fs::write(home.ledger(), &whole).unwrap();
    let other = Secrets::passphrase(Passphrase::new("some other words here").unwrap());
    let error = Ledger::open(&home.ledger(), &other, Monitor::silent()).err().unwrap().to_string();
    assert!(error.contains("the passphrase is not that of this ledger"), "{error}");
    let error = Ledger::open(&home.ledger(), &Secrets::default(), Monitor::silent()).err().unwrap().to_string();
    for words in ["none was given", "`ledger_passphrase`", "SCUMBLE_LEDGER_PASSPHRASE"] {
        assert!(error.contains(words), "{error}");
    }
    let error = Ledger::open(&home.at("nowhere"), &other, Monitor::silent()).err().unwrap().to_string();
    assert!(error.contains("there is no such file"), "{error}");
    assert!(check_place(&home.at("no/folder")).unwrap_err().to_string().contains("does not exist"));
    assert!(check_place(&home.at("jan")).unwrap_err().to_string().contains("not a plain file"));
    #[cfg(all(unix, not(feature = "portable")))]
    {
        use std::os::unix::fs::{PermissionsExt, symlink};
        fs::set_permissions(home.ledger(), fs::Permissions::from_mode(0o640)).unwrap();
        assert!(open(&home.ledger()).err().unwrap().to_string().contains("mode 640"));
        fs::set_permissions(home.ledger(), fs::Permissions::from_mode(0o600)).unwrap();
        symlink(home.ledger(), home.at("link")).unwrap();
        assert!(open(&home.at("link")).err().unwrap().to_string().contains("a link"));
        assert_eq!(fs::metadata(home.ledger()).unwrap().permissions().mode() & 0o777, 0o600);
    }
}

#[test]
fn an_entry_that_was_not_confirmed_counts_unless_it_is_proved_that_nothing_was_published() {
    let home = Home::new();
    let mut ledger = open(&home.ledger()).unwrap();
    let [killed, renamed, vanished] = ["killed", "renamed", "vanished"].map(|name| home.staged(name));
    for (fields, people) in [(&killed, 1), (&renamed, 2), (&vanished, 3)] {
        enter(&mut ledger, fields.clone(), &[people]).unwrap();
    }
    fs::rename(&renamed.staged, &renamed.place).unwrap();
    fs::remove_dir_all(&vanished.staged).unwrap();
    drop(ledger);
    let mut ledger = open(&home.ledger()).unwrap();
    let states = |ledger: &Ledger| [1, 2, 3].map(|number| ledger.state(number));
    assert_eq!(states(&ledger), [State::Withdrawn, State::Published, State::InDoubt]);
    assert_eq!(overlaps(&ledger, &[1, 2, 3]), [(2, 1), (3, 1)]);
    assert!(ledger.withdrawn_because(1).unwrap().contains("still lay where it was written"));
    // What was settled is written with the next entry, and stays so whatever happens to the directories.
    home.publish(&mut ledger, "next", &[4]);
    for dir in [&killed.staged, &renamed.place] {
        fs::remove_dir_all(dir).unwrap();
    }
    drop(ledger);
    assert_eq!(states(&open(&home.ledger()).unwrap()), [State::Withdrawn, State::Published, State::InDoubt]);
}

/// Bytes of a file that are no text: its fingerprints.
fn blocks(path: &Path) -> Vec<Vec<u8>> {
    let whole = fs::read(path).unwrap();
    let found = std::cell::RefCell::new(Vec::new());
    let keep = |from: u64, n: u64| {
        let block = whole[from as usize..(from + n) as usize].to_vec();
        found.borrow_mut().push(block.clone());
        block
    };
    assert_eq!(Layout::read(Cursor::new(&whole)).unwrap().bytes(keep), whole);
    found.into_inner()
}

#[test]
fn entries_of_the_same_people_cannot_be_laid_over_each_other() {
    let home = Home::new();
    let mut ledger = open(&home.ledger()).unwrap();
    let people: Vec<u128> = (1..2000).collect();
    for name in ["jan", "feb"] {
        home.publish(&mut ledger, name, &people);
    }
    home.publish(&mut open(&home.at("other.ledger")).unwrap(), "mar", &people);
    let mut all = blocks(&home.ledger());
    all.extend(blocks(&home.at("other.ledger")));
    assert_eq!(all.iter().map(Vec::len).collect::<Vec<_>>(), [1999 * 8; 3]);
    // No eight bytes come twice, at whatever place.
    let mut seen: Vec<&[u8]> = all.iter().flat_map(|block| block.windows(8)).collect();
    let n = seen.len();
    seen.sort_unstable();
    seen.dedup();
    assert_eq!(seen.len(), n);
    // Nor do the numbers of a block rise, as fingerprints do.
    for block in &all {
        let numbers: Vec<u64> = block.chunks(8).map(|eight| u64::from_le_bytes(eight.try_into().unwrap())).collect();
        let rising = numbers.windows(2).filter(|pair| pair[0] < pair[1]).count();
        assert!((800..1200).contains(&rising), "{rising}");
    }
    // With the key they are the same people, also after the file was written again.
    assert_eq!(ledger.in_common(1, 2, Monitor::silent()).unwrap(), Some(1999));
    let before = blocks(&home.ledger());
    home.publish(&mut ledger, "apr", &[7]);
    assert_eq!(blocks(&home.ledger())[..2], before[..]);
    drop(ledger);
    assert_eq!(overlaps(&open(&home.ledger()).unwrap(), &[7, 1999, 2000]), [(1, 2), (2, 2), (3, 1)]);
}

#[test]
fn nobody_is_called_unknown_who_cannot_be_looked_for() {
    let home = Home::new();
    let mut ledger = open(&home.ledger()).unwrap();
    let known_by = |names: &[&str]| KnownBy::Person(names.iter().map(|name| name.to_string()).collect());
    let mut publish = |name: &str, keys: KnownBy, unnamed: u64, people: &[u128]| {
        let mut fields = home.staged(name);
        (fields.known_by, fields.unnamed) = (keys, unnamed);
        let (from, to) = (fields.staged.clone(), fields.place.clone());
        let number = enter(&mut ledger, fields, people).unwrap();
        fs::rename(from, to).unwrap();
        ledger.confirm(number).unwrap();
    };
    publish("patients", known_by(&["patient"]), 0, &[1, 2, 3]);
    publish("households", known_by(&["household"]), 0, &[11, 12]);
    publish("both", known_by(&["household", "patient"]), 0, &[21, 22]);
    publish("nobody", known_by(&["patient"]), 5, &[0]);
    publish("some", known_by(&["PATIENT"]), 2, &[4, 0]);
    publish("quasi", KnownBy::Quasi(vec!["age".into()]), 0, &[31]);
    let told = |keys: &[&str], people: &[u128]| -> Vec<(Option<u64>, u64)> {
        let people = ledger.fingerprints(people, Monitor::silent()).unwrap();
        let all = ledger.compare(&people, &known_by(keys), Monitor::silent()).unwrap();
        all.iter().map(|one| (one.people, one.unnamed)).collect()
    };
    let (no, none) = ((None, 0), (Some(0), 0));
    assert_eq!(told(&["patient"], &[7, 8]), [none, no, no, (None, 5), (Some(0), 2), no]);
    assert_eq!(told(&["patient"], &[2, 4]), [(Some(1), 0), no, no, (None, 5), (Some(1), 2), no]);
    assert_eq!(told(&["household"], &[7, 8]), [no, none, no, (None, 5), (None, 2), no]);
    assert_eq!(told(&["household"], &[3, 8])[0], (Some(1), 0), "who is found is found under whatever name");
    assert_eq!(told(&["household", "patient"], &[7]), [no, no, none, (None, 5), (None, 2), no]);
    assert_eq!(told(&["patient"], &[0, 0]), [no, no, no, (None, 5), (None, 2), no], "nobody is named");
    let common = |one, other| ledger.in_common(one, other, Monitor::silent()).unwrap();
    assert_eq!([common(1, 2), common(1, 3), common(1, 4), common(1, 6)], [None; 4]);
    assert_eq!(common(1, 5), Some(0));
}

/// The file that takes the place of a ledger is its owner's alone from the moment that it appears.
#[cfg(all(unix, not(feature = "portable")))]
#[test]
fn the_file_that_is_being_written_is_private() {
    use std::os::unix::fs::PermissionsExt;
    use std::sync::atomic::{AtomicBool, Ordering};
    let home = Home::new();
    let mut ledger = open(&home.ledger()).unwrap();
    let people: Vec<u128> = (1..400_000).collect();
    let done = AtomicBool::new(false);
    let mut modes = Vec::new();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for at in 0..4 {
                home.publish(&mut ledger, &format!("r{at}"), &people);
            }
            done.store(true, Ordering::Relaxed);
        });
        while !done.load(Ordering::Relaxed) {
            for entry in fs::read_dir(home.folder.path()).unwrap().flatten() {
                let is_part = entry.file_name().to_string_lossy().ends_with(".part");
                // It may be gone already.
                if let Some(found) = entry.metadata().ok().filter(|_| is_part) {
                    modes.push(found.permissions().mode() & 0o777);
                }
            }
        }
    });
    assert!(!modes.is_empty() && modes.iter().all(|mode| *mode == 0o600), "{modes:?}");
}

#[test]
fn two_runs_at_once_take_turns() {
    let home = Home::new();
    let path = home.ledger();
    // A second one waits until the first is done; a cancelled one does not.
    let ledger = open(&path).unwrap();
    let cancellation = scumble_table::Cancellation::default();
    cancellation.cancel();
    let monitor = Monitor::new(&scumble_table::Silent, &cancellation);
    assert_eq!(Ledger::open_or_new(&path, &passphrase(), monitor).err(), Some(Error::Cancelled));
    drop(ledger);
    std::thread::scope(|scope| {
        for at in 0..4u128 {
            let (home, path) = (&home, &path);
            scope.spawn(move || {
                let mut ledger = open(path).unwrap();
                home.publish(&mut ledger, &format!("r{at}"), &[at + 1, 100]);
            });
        }
    });
    let ledger = open(&path).unwrap();
    assert_eq!(ledger.entries().count(), 4);
    assert_eq!(overlaps(&ledger, &[100]).len(), 4);
    assert_eq!(overlaps(&ledger, &[1, 2, 3, 4]).iter().map(|found| found.1).sum::<u64>(), 4);
}

#[test]
#[ignore = "only run as a child of the other test"]
fn child() {
    let Some(folder) = std::env::var_os("CHILD_HOME") else { return };
    let at = |name: &str| Path::new(&folder).join(name);
    let step = || {
        println!("#");
        std::thread::sleep(std::time::Duration::from_millis(4));
    };
    let mut ledger = open(&at("people.ledger")).unwrap();
    let home = Home { folder: tempfile::tempdir_in(&folder).unwrap() };
    let mut fields = home.staged("r");
    fields.place = at("published").to_str().unwrap().into();
    let (from, to) = (fields.staged.clone(), fields.place.clone());
    let people: Vec<u128> = (1..300_000).collect();
    step();
    let number = enter(&mut ledger, fields, &people).unwrap();
    step();
    fs::rename(from, to).unwrap();
    step();
    ledger.confirm(number).unwrap();
    step();
    // What is left of the folder is of no account.
    std::mem::forget(home);
}

/// Killed at any moment, a run leaves a ledger that opens, and never a release that it does not know.
#[test]
fn a_killed_run_leaves_no_release_without_its_entry() {
    let exe = std::env::current_exe().unwrap();
    let mut seen = std::collections::BTreeMap::<(bool, &str), usize>::new();
    for round in 0..12 {
        let home = tempfile::tempdir().unwrap();
        let mut command = Command::new(&exe);
        command.args(["--exact", "ledger::child", "--ignored", "--nocapture"]).env("CHILD_HOME", home.path());
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let told = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
        told.filter(|line| line.ends_with('#')).take(1 + round % 4).for_each(drop);
        std::thread::sleep(std::time::Duration::from_millis(round as u64 / 4 * 3));
        child.kill().unwrap();
        child.wait().unwrap();
        let published = home.path().join("published").exists();
        let ledger = open(&home.path().join("people.ledger")).unwrap();
        let state = if ledger.entries().count() == 0 { "none" } else { ledger.state(1).name() };
        let is_known = !overlaps(&ledger, &[1]).is_empty();
        assert_eq!(published, state == "published", "{state}");
        assert_eq!(published, is_known, "{state}");
        *seen.entry((published, state)).or_default() += 1;
        let mut ledger = ledger;
        // The next run can use it.
        let next = Home { folder: tempfile::tempdir_in(home.path()).unwrap() };
        next.publish(&mut ledger, "next", &[7_000_000]);
    }
    assert!(seen.len() >= 2, "the kills fell on one side only: {seen:?}");
}
