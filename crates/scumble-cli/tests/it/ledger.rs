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
    assert!(manifest.contains("\"accept-overlap\"") && manifest.contains("\"ledger\": true"), "{manifest}");
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
fn a_ledger_without_a_passphrase_works_and_says_what_it_does_not_do() {
    let dir = TestDir::new();
    dir.file("jan.csv", people(0, 60));
    dir.file("feb.csv", people(30, 90));
    let told = "the ledger has no passphrase";
    let first = dir.run(&publish("jan")).done();
    assert!(first.stderr.contains(told) && first.stderr.contains("--ledger-passphrase"), "{}", first.stderr);
    dir.run(&publish("feb")).refused(2, &["30 of 60 people"]);
    dir.run("ledger people.ledger --check").done();
    // With a passphrase it is another ledger.
    run(&dir, &publish("feb")).refused(2, &["the passphrase is not that of this ledger"]);
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
    with(String::from_utf8_lossy(&whole).replacen("ledger 1", "ledger 7", 1).as_bytes(), &["version `7`"]);
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
    // Other columns are another matter, and so is what was accepted.
    let other = dir.run(&without("jan").replace("age,zip", "age").replace("--out jan", "--drop-rest --out age")).done();
    assert!(!other.stderr.contains("next to it"), "{}", other.stderr);
    let accepted = dir.run(&format!("{} --replace --accept-overlap", without("feb"))).done();
    assert!(!accepted.stderr.contains("next to it"), "{}", accepted.stderr);
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
