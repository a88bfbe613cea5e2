//! `--ledger`, `--accept-overlap` and `scumble ledger`.

use crate::support::{CommandOutput, TestDir, arguments};
use std::fs;
use std::process::{Command, Stdio};

/// Patients `from` to `to`, who look the same in every file.
fn people(from: usize, to: usize) -> String {
    let line = |at: usize| format!("p{at},{},{},i{}\n", 20 + at * 7 % 50, 100 + at * 3 % 8, at * 5 % 7);
    format!("patient,age,zip,illness\n{}", (from..to).map(line).collect::<String>())
}

/// A line that publishes a file under its name.
fn publish(name: &str) -> String {
    format!(
        "publish {name}.csv --person patient --quasi age,zip --sensitive illness --require distinct-l-diversity(3) --out {name} \
         --ledger people.ledger"
    )
}

fn command(dir: &TestDir, line: &str) -> Command {
    let mut command = dir.command();
    command.env("SCUMBLE_LEDGER_PASSPHRASE", "five or six random words").args(arguments(line));
    command
}

fn run(dir: &TestDir, line: &str) -> CommandOutput {
    command(dir, line).output().unwrap().into()
}

#[test]
fn next_months_file_is_refused_with_numbers() {
    let dir = TestDir::new();
    for (name, from, to) in [("jan", 0, 120), ("feb", 60, 180), ("new", 500, 560)] {
        dir.file(&format!("{name}.csv"), people(from, to));
    }
    let first = run(&dir, &publish("jan")).done();
    assert!(first.stdout.contains("entered as release 1; nobody of it is known"), "{}", first.stdout);
    let words =
        ["--ledger `people.ledger`", "60 of 120 people are in release 1", "laid over each other", "--accept-overlap"];
    run(&dir, &publish("feb")).refused(2, &words);
    run(&dir, &publish("new")).done();
    let accepted = run(&dir, &format!("{} --accept-overlap --json", publish("feb"))).done();
    assert!(accepted.stderr.contains("warning: 60 of 120 people"), "{}", accepted.stderr);
    assert!(
        accepted.stdout.contains("\"in_both\": 60") && accepted.stdout.contains("\"narrowed\""),
        "{}",
        accepted.stdout
    );
    let manifest = fs::read_to_string(dir.path().join("feb/manifest.json")).unwrap();
    assert!(manifest.contains("\"accept-overlap\"") && manifest.contains("\"ledger\": \"compared\""), "{manifest}");
    let report = |name: &str| fs::read_to_string(dir.path().join(name).join("report.html")).unwrap();
    assert!(report("feb").contains("People of this release may be in earlier releases too"));
    for name in ["jan", "new"] {
        assert!(report(name).contains("it recognized none of its people in other groups than these"));
    }
    let unasked = publish("new").replace("--out new", "--out unasked").replace("--ledger people.ledger", "");
    run(&dir, &unasked).done();
    assert!(report("unasked").contains("its publisher named no ledger"));
    assert!(!fs::read_to_string(dir.path().join("unasked/manifest.json")).unwrap().contains("\"ledger\""));
    fs::remove_dir_all(dir.path().join("unasked")).unwrap();
    let listed = run(&dir, "ledger people.ledger").done();
    assert!(listed.stdout.starts_with("people.ledger: 3 releases\n"), "{}", listed.stdout);
    assert_eq!(listed.stdout.matches("stands where it went").count(), 3);
    let explained = run(&dir, "ledger people.ledger --explain 3").done();
    for word in
        ["120 people by the key patient", "60 people in common with release 1", "0 people in common with release 2"]
    {
        assert!(explained.stdout.contains(word), "{}", explained.stdout);
    }
    run(&dir, "ledger people.ledger --explain 9").refused(2, &["--explain `9`", "no such release"]);
    let checked = run(&dir, "ledger people.ledger --check --json").done();
    assert!(checked.stdout.contains("\"checked\": true") && checked.stdout.contains("\"in_doubt\": []"));
    assert_eq!(
        dir.entries(),
        [".people.ledger.lock", "feb", "feb.csv", "jan", "jan.csv", "new", "new.csv", "people.ledger"]
    );
}

#[test]
fn a_ledger_without_a_passphrase_is_opened_by_a_key_of_its_owner() {
    let dir = TestDir::new();
    dir.file("jan.csv", people(0, 60));
    dir.file("feb.csv", people(30, 90));
    let key = dir.settings().join("scumble/ledger.key");
    let first = dir.run(&publish("jan")).done();
    let shown = key.display().to_string();
    for words in ["warning: a key for your ledgers was made", &shown, "cannot be opened without it", "keep a copy"] {
        assert!(first.stderr.contains(words), "{words}: {}", first.stderr);
    }
    #[cfg(unix)]
    if !scumble_platform::PORTABLE {
        use std::os::unix::fs::PermissionsExt;
        let mode = |path: &std::path::Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&key), mode(key.parent().unwrap())), (0o600, 0o700));
    }
    let second = dir.run(&publish("feb")).refused(2, &["30 of 60 people"]);
    assert!(!second.stderr.contains("was made"), "{}", second.stderr);
    let listed = dir.run("ledger people.ledger --check").done();
    let id = listed.stdout.lines().nth(1).unwrap().strip_prefix("opens with the key ").unwrap().to_string();
    assert_eq!(id.len(), 16);
    let document = dir.run("ledger people.ledger --json").done();
    assert!(document.stdout.contains(&format!("\"key\": \"{id}\"")), "{}", document.stdout);
    // A passphrase that stands in the environment for other ledgers does no harm.
    run(&dir, "ledger people.ledger --check").done();
    // Named by a flag or in the environment, it is the same key.
    let moved = dir.settings().join("moved.key");
    fs::rename(&key, &moved).unwrap();
    let missing =
        [&format!("this ledger opens with the key {id}"), "there is no file", "--ledger-key", "SCUMBLE_LEDGER_KEY"];
    dir.run(&publish("feb")).refused(2, &missing);
    dir.run("ledger people.ledger").refused(2, &missing);
    assert!(!key.exists());
    dir.run(&format!("ledger people.ledger --ledger-key {}", moved.display())).done();
    dir.run(&format!("{} --ledger-key {}", publish("feb"), moved.display())).refused(2, &["30 of 60 people"]);
    let named: CommandOutput =
        dir.command().env("SCUMBLE_LEDGER_KEY", &moved).args(["ledger", "people.ledger"]).output().unwrap().into();
    named.done();
    let both = format!("{} --ledger-key {} --ledger-passphrase x", publish("feb"), moved.display());
    dir.run(&both).refused(2, &["--ledger-key", "both are named"]);
}

#[test]
fn without_a_home_and_a_passphrase_no_ledger_is_made() {
    let dir = TestDir::new();
    dir.file("jan.csv", people(0, 60));
    let homeless = |line: &str| -> CommandOutput {
        let mut command = dir.command();
        for variable in ["HOME", "XDG_CONFIG_HOME", "APPDATA", "SCUMBLE_LEDGER_KEY"] {
            command.env_remove(variable);
        }
        command.args(arguments(line)).output().unwrap().into()
    };
    let words = [
        "--ledger `people.ledger`: there is nothing that could protect it",
        "--ledger-passphrase",
        "--ledger-key",
        "HOME",
    ];
    homeless(&publish("jan")).refused(2, &words);
    for place in ["ledger.key", "jan/ledger.key"] {
        let line = format!("{} --ledger-key {place}", publish("jan"));
        homeless(&line).refused(2, &["--ledger-key"]);
    }
    assert_eq!(dir.entries(), [".people.ledger.lock", "jan.csv"]);
    // A place that cannot be made.
    let own = |name: &str| dir.settings().join(name).display().to_string();
    fs::write(own("file"), "").unwrap();
    homeless(&format!("{} --ledger-key {}", publish("jan"), own("file/ledger.key")))
        .refused(2, &["--ledger-key", "cannot be made"]);
    dir.run(&format!("{} --ledger-key keys/mine", publish("jan").replace("--ledger people.ledger", "")))
        .refused(2, &["--ledger-key", "no ledger is named"]);
    homeless(&format!("{} --ledger-key {}", publish("jan"), own("keys/mine"))).done();
    assert!(dir.settings().join("keys/mine").exists());
}

/// A ledger of two releases that version 2 made without a passphrase.
#[test]
fn a_ledger_of_the_version_before_is_put_under_a_key() {
    let dir = TestDir::new();
    dir.file("jan.csv", people(0, 60));
    let old = include_bytes!("../../../scumble-ledger/tests/files/version-2-without-passphrase.ledger");
    dir.file("people.ledger", old);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(dir.path().join("people.ledger"), fs::Permissions::from_mode(0o600)).unwrap();
    }
    let listed = dir.run("ledger people.ledger").done();
    assert!(listed.stdout.contains("opens without a passphrase or a key"), "{}", listed.stdout);
    assert!(listed.stderr.contains("whoever has the file can test who is in it"), "{}", listed.stderr);
    let published = dir.run(&publish("jan")).done();
    assert!(published.stderr.contains("it was written again under the key"), "{}", published.stderr);
    assert!(published.stdout.contains("entered as release 3"), "{}", published.stdout);
    let checked = dir.run("ledger people.ledger --check").done();
    assert!(
        checked.stdout.contains("3 releases\nopens with the key ") && checked.stderr.is_empty(),
        "{}",
        checked.stderr
    );
}

#[test]
fn what_is_wrong_with_a_ledger_is_told_and_nothing_is_published() {
    let dir = TestDir::new();
    dir.file("jan.csv", people(0, 60));
    dir.file("feb.csv", people(100, 160));
    let at = |name: &str| dir.path().join(name);
    run(&dir, &publish("jan").replace("people.ledger", "jan/people.ledger")).refused(2, &["would lie in the release"]);
    run(&dir, &publish("jan")).done();
    run(&dir, &publish("feb").replace("people.ledger", "jan/x")).refused(2, &["lies in a release"]);
    run(&dir, &publish("feb").replace("people.ledger", "feb.csv")).refused(2, &["feb.csv"]);
    let whole = fs::read(at("people.ledger")).unwrap();
    let with = |bytes: &[u8], words: &[&str]| {
        fs::write(at("people.ledger"), bytes).unwrap();
        run(&dir, &publish("feb")).refused(2, words);
        run(&dir, "ledger people.ledger --check").refused(2, words);
    };
    with(&whole[..whole.len() / 2], &["was cut"]);
    let end = whole.iter().rposition(|&byte| byte == b'd').unwrap();
    with(&whole[..end - 67], &["was cut"]);
    let mut altered = whole.clone();
    let fingerprint = altered.windows(2).position(|pair| pair == b"}\n").unwrap();
    let after = altered.iter().skip(fingerprint + 2).position(|&byte| byte == b'\n').unwrap() + fingerprint + 12;
    altered[after] ^= 0x40;
    with(&altered, &["altered or damaged"]);
    with(String::from_utf8_lossy(&whole).replacen("ledger 3", "ledger 7", 1).as_bytes(), &["version `7`"]);
    fs::write(at("people.ledger"), &whole).unwrap();
    let mut other = command(&dir, &publish("feb"));
    let other: CommandOutput = other.env("SCUMBLE_LEDGER_PASSPHRASE", "other random words").output().unwrap().into();
    other.refused(2, &["the passphrase is not that of this ledger"]);
    #[cfg(unix)]
    if !scumble_platform::PORTABLE {
        use std::os::unix::fs::{PermissionsExt, chown, symlink};
        fs::set_permissions(at("people.ledger"), fs::Permissions::from_mode(0o644)).unwrap();
        run(&dir, &publish("feb")).refused(2, &["others may read or write it (mode 644)", "chmod 600"]);
        fs::set_permissions(at("people.ledger"), fs::Permissions::from_mode(0o600)).unwrap();
        symlink("people.ledger", at("link")).unwrap();
        run(&dir, &publish("feb").replace("people.ledger", "link")).refused(2, &["it is a link"]);
        if chown(at("people.ledger"), Some(12345), None).is_ok() {
            run(&dir, &publish("feb")).refused(2, &["belongs to another user"]);
            chown(at("people.ledger"), Some(0), None).unwrap();
        }
    }
    assert!(!at("feb").exists());
    run(&dir, &publish("feb")).done();
}

/// Publishes people of whom the ledger knows the same ones by another key, or not at all.
#[test]
fn people_under_another_key_are_not_called_unknown() {
    let dir = TestDir::new();
    let at = |name: &str| dir.path().join(name);
    let file = |head: &str, key: &dyn Fn(usize) -> String| {
        let line = |at: usize| format!("{},{},{},i{}\n", key(at), 20 + at * 7 % 50, 100 + at * 3 % 8, at * 5 % 7);
        format!("{head},age,zip,illness\n{}", (0..60).map(line).collect::<String>())
    };
    dir.file("jan.csv", people(0, 60));
    dir.file("capital.csv", people(1000, 1060).replacen("patient", "PATIENT", 1));
    dir.file("house.csv", file("household", &|at| format!("h{}", at / 2)));
    dir.file("both.csv", file("patient,household", &|at| format!("p{at},h{}", at / 2)));
    dir.file("nobody.csv", file("patient", &|_| String::new()));
    dir.file("some.csv", people(2000, 2060).replacen("p2007", "", 1));
    let manifest = |name: &str| fs::read_to_string(at(name).join("manifest.json")).unwrap();
    let report = |name: &str| fs::read_to_string(at(name).join("report.html")).unwrap();
    let told = |name: &str, person: &str, console: &[&str], warned: &[&str]| {
        let line = publish(name).replace("--person patient", &format!("--person {person}"));
        let output = run(&dir, &line).done();
        assert!(!output.stdout.contains("is known from earlier releases"), "{}", output.stdout);
        console.iter().for_each(|words| assert!(output.stdout.contains(words), "{words}: {}", output.stdout));
        warned.iter().for_each(|words| assert!(output.stderr.contains(words), "{words}: {}", output.stderr));
        assert!(manifest(name).contains("\"ledger\": \"partly\""), "{}", manifest(name));
        assert!(report(name).contains("it could not look for everybody everywhere"), "{name}");
        assert!(!report(name).contains("it recognized none of its"), "{name}");
    };
    run(&dir, &publish("jan")).done();
    // Small and capital letters in the name of a key are no difference.
    let second = run(&dir, &publish("capital").replace("--person patient", "--person PATIENT")).done();
    assert!(second.stdout.contains("release 2; nobody of it is known from earlier releases"), "{}", second.stdout);
    assert!(!second.stderr.contains("not known"), "{}", second.stderr);
    assert!(manifest("capital").contains("\"ledger\": \"compared\""));
    told(
        "house",
        "household",
        &["entered as release 3; not known for releases 1, 2, where people are not known by the same"],
        &[
            "in releases 1, 2 of the ledger is not known: people are known by the key `PATIENT`, or by the key `patient` there",
        ],
    );
    told(
        "both",
        "patient,household",
        &["entered as release 4; not known for releases 1, 2, 3"],
        &["the key `household`", "by the key `household`, `patient` here"],
    );
    told(
        "nobody",
        "patient",
        &["entered as release 5; not known for releases 1, 2, 3, 4", "not known for 60 rows of it that do not say"],
        &["60 rows do not say whose they are", "in releases 3, 4 of the ledger is not known"],
    );
    told(
        "some",
        "patient",
        &[
            "entered as release 6; nobody who is named in it is known in releases 1, 2; not known for releases 3, 4, 5",
            "not known for 1 row of it that does not say whose it is",
        ],
        &[
            "in releases 3, 4 of the ledger is not known",
            "release 5 of the ledger has 60 rows that did not say whose they were",
        ],
    );
    // A release with rows that nobody is named in stays in doubt for the next one.
    dir.file("last.csv", people(3000, 3060));
    told(
        "last",
        "patient",
        &["in releases 1, 2, 6", "not known for rows of release 6"],
        &["release 6 of the ledger has 1 row"],
    );
    let explained = run(&dir, "ledger people.ledger --explain 1").done().stdout;
    assert!(explained.contains("0 people in common with release 2\n"), "{explained}");
    assert!(explained.contains("0 people in common with release 6, not counting rows that did not say"), "{explained}");
    for number in 3..=5 {
        assert!(explained.contains(&format!("not known for release {number}:")), "{explained}");
    }
    assert!(explained.matches("in common").count() == 3, "{explained}");
}

#[test]
fn numbers_that_are_keys_of_something_else_are_called_that() {
    let dir = TestDir::new();
    dir.file("jan.csv", people(0, 60).replace("\np", "\n"));
    dir.file("house.csv", people(30, 90).replace("\np", "\n").replacen("patient", "household", 1));
    run(&dir, &publish("jan")).done();
    let words =
        ["30 of 60 people have keys that people of release 1", "where the key is `patient`, and may be the same"];
    run(&dir, &publish("house").replace("--person patient", "--person household")).refused(2, &words);
}

#[test]
fn what_is_wrong_with_a_passphrase_is_told_by_its_name() {
    let dir = TestDir::new();
    dir.file("jan.csv", people(0, 60));
    let with = |passphrase: &str| -> CommandOutput {
        let mut command = dir.command();
        command.env("SCUMBLE_LEDGER_PASSPHRASE", passphrase).args(arguments(&publish("jan")));
        command.output().unwrap().into()
    };
    with("aaaaaaaaaaaa").refused(2, &["--ledger-passphrase", "at least 5 different characters"]);
    assert!(!dir.path().join("people.ledger").exists());
    with("five or six random words").done();
    let words = [
        "--ledger `people.ledger`: this ledger has a passphrase, and none was given",
        "--ledger-passphrase",
        "SCUMBLE_LEDGER_PASSPHRASE",
    ];
    dir.run(&publish("jan").replace("--out jan", "--out feb")).refused(2, &words);
    dir.run("ledger people.ledger").refused(2, &["this ledger has a passphrase, and none was given"]);
    let nofile = "ledger people.ledger --ledger-passphrase nofile";
    dir.run(nofile).refused(2, &["--ledger-passphrase `nofile`: there is no such file"]);
    dir.run("ledger nofile")
        .refused(2, &["`nofile`: there is no such file", "`scumble publish` makes it with --ledger"]);
}

#[test]
fn a_ledger_that_lies_in_a_release_is_listed_with_a_warning() {
    let dir = TestDir::new();
    dir.file("jan.csv", people(0, 60));
    run(&dir, &publish("jan")).done();
    assert!(!run(&dir, "ledger people.ledger").done().stderr.contains("lies in a release"));
    fs::rename(dir.path().join("people.ledger"), dir.path().join("jan/x.ledger")).unwrap();
    let listed = run(&dir, "ledger jan/x.ledger").done();
    assert!(listed.stderr.contains("warning: the ledger lies in a release"), "{}", listed.stderr);
    assert!(listed.stdout.contains("1 release"), "{}", listed.stdout);
}

/// A limit on the size of files is a disk that is full at that point.
#[cfg(unix)]
#[test]
fn a_full_disk_leaves_neither_a_release_nor_a_changed_ledger() {
    let dir = TestDir::new();
    dir.file("jan.csv", people(0, 40_000));
    dir.file("feb.csv", people(50_000, 50_200));
    run(&dir, &publish("jan")).done();
    let before = (fs::read(dir.path().join("people.ledger")).unwrap(), dir.entries());
    assert!(before.0.len() > 300_000);
    let program = dir.command().get_program().to_owned();
    let mut limited = Command::new("bash");
    limited
        .args(["-c", "trap '' XFSZ; ulimit -f 200; exec \"$@\"", "bash"])
        .arg(program)
        .args(arguments(&publish("feb")));
    limited.current_dir(dir.path()).env("SCUMBLE_LEDGER_PASSPHRASE", "five or six random words");
    let output: CommandOutput = limited.output().unwrap().into();
    output.refused(3, &["cannot write `people.ledger`"]);
    assert_eq!((fs::read(dir.path().join("people.ledger")).unwrap(), dir.entries()), before);
    run(&dir, &publish("feb")).done();
}

/// No file can have a byte: neither a key nor a ledger is left, and the next run makes both.
#[cfg(unix)]
#[test]
fn a_full_disk_leaves_no_part_of_a_key() {
    let dir = TestDir::new();
    dir.file("jan.csv", people(0, 60));
    let program = dir.command().get_program().to_owned();
    let mut limited = Command::new("bash");
    limited
        .args(["-c", "trap '' XFSZ; ulimit -f 0; exec \"$@\"", "bash"])
        .arg(program)
        .args(arguments(&publish("jan")));
    limited.current_dir(dir.path()).env("XDG_CONFIG_HOME", dir.settings());
    let output: CommandOutput = limited.output().unwrap().into();
    output.refused(2, &["--ledger-key", "the key of this user cannot be made there"]);
    let left = fs::read_dir(dir.settings().join("scumble")).unwrap().map(|entry| entry.unwrap().file_name());
    assert_eq!(left.collect::<Vec<_>>(), [".ledger.key.lock"]);
    assert_eq!(dir.entries(), [".people.ledger.lock", "jan.csv"]);
    dir.run(&publish("jan")).done();
}

#[test]
fn two_first_runs_at_once_make_one_key() {
    let dir = TestDir::new();
    for name in ["jan", "feb"] {
        dir.file(&format!("{name}.csv"), people(0, 300));
    }
    let spawn = |name: &str| {
        let line = publish(name).replace("people.ledger", &format!("{name}.ledger"));
        let mut command = dir.command();
        command.args(arguments(&line)).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
    };
    let both = ["jan", "feb"].map(spawn).map(|child| child.wait_with_output().unwrap());
    assert!(both.iter().all(|output| output.status.success()), "{both:?}");
    let made = |output: &std::process::Output| {
        String::from_utf8_lossy(&output.stderr).contains("a key for your ledgers was made")
    };
    assert_eq!(both.iter().filter(|output| made(output)).count(), 1, "{both:?}");
    for name in ["jan", "feb"] {
        dir.run(&format!("ledger {name}.ledger --check")).done();
    }
}

#[test]
fn of_two_runs_at_once_one_publishes_the_people() {
    let dir = TestDir::new();
    dir.file("jan.csv", people(0, 3000));
    dir.file("feb.csv", people(1000, 4000));
    for _ in 0..3 {
        let spawn =
            |name: &str| command(&dir, &publish(name)).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let both = ["jan", "feb"].map(spawn).map(|child| child.wait_with_output().unwrap());
        let done: Vec<bool> = both.iter().map(|output| output.status.success()).collect();
        assert!(done == [true, false] || done == [false, true], "{both:?}");
        let stands = ["jan", "feb"].map(|name| dir.path().join(name).exists());
        assert_eq!(stands.to_vec(), done);
        run(&dir, "ledger people.ledger --check").done();
        for name in ["jan", "feb"] {
            let _ = fs::remove_dir_all(dir.path().join(name));
        }
        fs::remove_file(dir.path().join("people.ledger")).unwrap();
    }
}

#[test]
fn without_a_ledger_a_release_next_to_it_is_named() {
    let dir = TestDir::new();
    dir.file("jan.csv", people(0, 60));
    dir.file("feb.csv", people(0, 60));
    let without = |name: &str| publish(name).replace(" --ledger people.ledger", "");
    let first = dir.run(&without("jan")).done();
    assert!(!first.stderr.contains("next to it"), "{}", first.stderr);
    let second = dir.run(&without("feb")).done();
    assert!(second.stderr.contains("warning: `jan` next to it shows the same columns"), "{}", second.stderr);
    assert!(second.stderr.contains("--ledger"), "{}", second.stderr);
    // Other columns are another matter.
    let other = dir.run(&without("jan").replace("age,zip", "age").replace("--out jan", "--drop-rest --out age")).done();
    assert!(!other.stderr.contains("next to it"), "{}", other.stderr);
    // Without a ledger there is nothing that could be accepted.
    let accepted = dir.run(&format!("{} --replace --accept-overlap", without("feb"))).done();
    assert!(accepted.stderr.contains("--accept-overlap sets nothing aside"), "{}", accepted.stderr);
    assert!(accepted.stderr.contains("warning: `jan` next to it"), "{}", accepted.stderr);
}

#[test]
fn the_starter_job_names_a_ledger_and_relative_paths_are_meant_from_it() {
    let dir = TestDir::new();
    dir.file("jan.csv", people(0, 60));
    dir.run("inspect jan.csv --job-out job.toml").done();
    let job = fs::read_to_string(dir.path().join("job.toml")).unwrap();
    assert!(job.contains("# ledger = \"people.ledger\""), "{job}");
    fs::create_dir(dir.path().join("private")).unwrap();
    let secret = dir.file("private/passphrase", "five or six random words\n");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(&secret, fs::Permissions::from_mode(0o600)).unwrap();
    }
    assert!(secret.exists());
    let text = "[input]\npath = \"jan.csv\"\n[columns]\npatient = \"person\"\nage = \"quasi\"\nzip = \"quasi\"\nillness = \"sensitive\"\n\
         [publish]\nrequire = [\"k-anonymity(3)\"]\n[output]\ndir = \"jan\"\nledger = \"people.ledger\"\n\
         ledger_passphrase = \"private/passphrase\"\n";
    dir.file("ledger.toml", text);
    fs::create_dir(dir.path().join("elsewhere")).unwrap();
    let mut command = dir.command();
    let output: CommandOutput = command
        .current_dir(dir.path().join("elsewhere"))
        .args(["publish", "--job", "../ledger.toml"])
        .output()
        .unwrap()
        .into();
    output.done();
    assert!(dir.path().join("people.ledger").exists() && dir.path().join("jan").exists());
    dir.run("ledger people.ledger --ledger-passphrase private/passphrase").done();
}

#[test]
fn a_key_that_was_written_with_decimals_or_blanks_was_nobody_known() {
    let dir = TestDir::new();
    let file = |name: &str, key: &dyn Fn(usize) -> String| {
        let line = |at: usize| format!("{},{},{},i{}\n", key(at), 20 + at * 7 % 50, 100 + at * 3 % 8, at * 5 % 7);
        dir.file(name, format!("patient,age,zip,illness\n{}", (300..360).map(line).collect::<String>()));
    };
    file("jan.csv", &|at| at.to_string());
    file("decimals.csv", &|at| format!("{at}.0"));
    file("blanks.csv", &|at| format!(" {at}"));
    file("zeros.csv", &|at| format!("00{at}"));
    file("halves.csv", &|at| format!("{at}.5"));
    run(&dir, &publish("jan")).done();
    for name in ["decimals", "blanks"] {
        run(&dir, &publish(name)).refused(2, &["60 of 60 people are in release 1"]);
    }
    let halves = run(&dir, &publish("halves")).done();
    assert!(halves.stdout.contains("nobody of it is known"), "{}", halves.stdout);
    // Other zeros are other people, and may be the same: nothing is said to be known.
    let zeros = run(&dir, &publish("zeros")).done();
    assert!(zeros.stderr.contains("release 1 of the ledger with more or fewer leading zeros"), "{}", zeros.stderr);
    assert!(zeros.stdout.contains("not known for release 1"), "{}", zeros.stdout);
    let manifest = fs::read_to_string(dir.path().join("zeros/manifest.json")).unwrap();
    assert!(manifest.contains("\"ledger\": \"partly\""), "{manifest}");
}

#[test]
fn two_spellings_of_a_key_in_one_table_stay_two_people() {
    let dir = TestDir::new();
    let line = |at: usize, key: &str| format!("{key},{},{},i{}\n", 20 + at * 7 % 50, 100 + at * 3 % 8, at * 5 % 7);
    let both: String = (300..330).map(|at| line(at, &at.to_string()) + &line(at, &format!("00{at}"))).collect();
    dir.file("jan.csv", format!("patient,age,zip,illness\n{both}"));
    run(&dir, &publish("jan")).done();
    let listed = run(&dir, "ledger people.ledger").done();
    assert!(listed.stdout.contains("60 people"), "{}", listed.stdout);
}

#[test]
fn rows_without_a_person_were_said_to_have_changed() {
    let dir = TestDir::new();
    let line =
        |at: usize, shift: usize| format!("{},{},i{}\n", 20 + at * 7 % 50, 100 + at * 3 % 8, (at * 5 + shift) % 40);
    for (name, shift) in [("jan", 0), ("feb", 20)] {
        dir.file(
            &format!("{name}.csv"),
            format!("age,zip,illness\n{}", (0..60).map(|at| line(at, shift)).collect::<String>()),
        );
    }
    let publish = |name: &str| publish(name).replace("--person patient ", "");
    run(&dir, &publish("jan")).done();
    let refused = run(&dir, &publish("feb")).refused(2, &["may be of the same people", "they are of other people or"]);
    assert!(!refused.stderr.contains("so that theirs has changed"), "{}", refused.stderr);
}

#[test]
fn a_plain_listing_did_not_say_what_it_had_not_read() {
    let dir = TestDir::new();
    dir.file("jan.csv", people(0, 60));
    run(&dir, &publish("jan")).done();
    let listed = run(&dir, "ledger people.ledger").done();
    assert!(listed.stdout.contains("fingerprints, which `--check` reads, and tables of releases were not looked at"));
    assert!(listed.stdout.contains("its manifest stands where it went"), "{}", listed.stdout);
    let checked = run(&dir, "ledger people.ledger --check").done();
    assert!(!checked.stdout.contains("were not looked at"), "{}", checked.stdout);
    // What became of the earlier release is a sentence.
    dir.file("feb.csv", people(30, 90));
    fs::write(dir.path().join("jan/manifest.json"), "{}").unwrap();
    run(&dir, &publish("feb")).refused(2, &["was not computed: something else stands where the earlier release went"]);
}

#[test]
fn a_key_below_the_folder_of_the_ledger_was_made_without_a_word() {
    let dir = TestDir::new();
    dir.file("jan.csv", people(0, 60));
    let below = |flags: &str| dir.run(&format!("{} --ledger-key private/deep/ledger.key{flags}", publish("jan")));
    below("").refused(2, &["--ledger-key `private/deep/ledger.key`", "or below it"]);
    assert!(!dir.path().join("private").exists() && !dir.path().join("jan").exists());
    // Where it is made is said even by a quiet run; a key that was put below the ledger is used with a warning.
    let outside = dir.settings().join("own.key");
    let flag = format!("{} --quiet --ledger-key {}", publish("jan"), outside.display());
    let made = dir.run(&flag).done();
    assert!(made.stderr.contains("warning: a key for your ledgers was made"), "{}", made.stderr);
    fs::create_dir_all(dir.path().join("private/deep")).unwrap();
    fs::rename(&outside, dir.path().join("private/deep/ledger.key")).unwrap();
    let listed = dir.run("ledger people.ledger --ledger-key private/deep/ledger.key").done();
    assert!(listed.stderr.contains("the key lies in the folder of the ledger or below it"), "{}", listed.stderr);
}

#[test]
fn the_same_groups_entered_twice_were_told_twice() {
    let dir = TestDir::new();
    dir.file("jan.csv", people(0, 120));
    dir.file("feb.csv", people(60, 180));
    let angel = |name: &str| format!("{} --method angel --angel-k 4", publish(name));
    run(&dir, &angel("jan")).done();
    run(&dir, "publish --extend jan --source jan.csv --marginal age --ledger people.ledger --person patient").done();
    let listed = run(&dir, "ledger people.ledger --json").done().json();
    let refused = run(&dir, &publish("feb")).refused(2, &["60 of 120 people are in release 1"]);
    assert_eq!(listed["releases"].as_array().unwrap().len(), 2, "{listed}");
    assert!(refused.stderr.contains("and in the same groups release 2"), "{}", refused.stderr);
    assert_eq!(refused.stderr.matches("60 of 120 people").count(), 1, "{}", refused.stderr);
}
