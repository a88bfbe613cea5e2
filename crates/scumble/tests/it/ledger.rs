//! A ledger from the library: asked before a release is made, told before it is put in place.
#![allow(clippy::print_stdout, reason = "the child tells its parent how far it is")]

use scumble::{
    Cancellation, Context, Error, ExtendRequest, Job, LedgerFiles, LedgerListing, LedgerQuestion, LedgerWord, Method,
    Progress, Published, Release, Result, Source, Stage, State, TableFormat, anonymize, check, publish, read_ledger,
};
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;

fn context() -> Context {
    Context::new().with_ledger_passphrase("five or six random words")
}

/// Visits of patients `from` to `to`: key, age, zip and illness. Everybody has the same values in every file.
fn write(folder: &Path, name: &str, from: usize, to: usize) {
    let line = |at: usize| format!("p{at},{},{},i{}\n", 20 + at * 7 % 50, 100 + at * 3 % 8, at * 5 % 7);
    let lines: String = (from..to).map(line).collect();
    fs::write(folder.join(name), format!("patient,age,zip,illness\n{lines}")).unwrap();
}

fn job(folder: &Path, data: &str, out: &str) -> Job {
    let mut job = Job::new().person(["patient"]).quasi(["age", "zip"]).sensitive(["illness"]);
    job = job.require("distinct-l-diversity(3)").unwrap();
    job.input.path = Some(folder.join(data));
    job.output.dir = Some(folder.join(out));
    job.output.ledger = Some(folder.join("people.ledger"));
    job
}

fn run(job: &Job) -> Result<Published> {
    check(job)?;
    let context = context();
    let table = Source::of_job(job)?.read(job, &context)?;
    publish(&table, job, &context)
}

fn listing(folder: &Path) -> LedgerListing {
    read_ledger(&folder.join("people.ledger"), &LedgerFiles::default(), LedgerQuestion::Check, &context()).unwrap()
}

fn states(folder: &Path) -> Vec<State> {
    listing(folder).releases.iter().map(|release| release.state).collect()
}

#[test]
fn people_are_published_once_unless_that_is_accepted() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path();
    for (name, from, to) in [("jan.csv", 0, 120), ("feb.csv", 60, 180), ("new.csv", 500, 600)] {
        write(folder, name, from, to);
    }
    let first = run(&job(folder, "jan.csv", "jan")).unwrap();
    assert_eq!(first.ledger.unwrap().release, 1);
    let refused = run(&job(folder, "feb.csv", "feb")).unwrap_err();
    let words = refused.to_string();
    assert!(matches!(refused, Error::Request { .. }) && words.contains("60 of 120 people are in release 1"), "{words}");
    assert!(words.contains("laid over each other") && words.contains("`illness`"), "{words}");
    assert!(!folder.join("feb").exists());
    run(&job(folder, "new.csv", "new")).unwrap();
    let mut accepted = job(folder, "feb.csv", "feb");
    accepted.publish.accept_overlap = true;
    let second = run(&accepted).unwrap();
    let facts = second.ledger.unwrap();
    assert_eq!((facts.release, facts.overlaps.len(), facts.overlaps[0].in_both), (3, 1, 60));
    assert_eq!(facts.overlaps[0].together[0].people, 60);
    assert_eq!(Release::open(folder.join("feb")).unwrap().manifest().accepted, ["accept-overlap"]);
    assert_eq!(states(folder), [State::Published; 3]);
    // Nothing of a ledger is in a release.
    let hash = &listing(folder).releases[0].manifest;
    for entry in fs::read_dir(folder.join("feb")).unwrap() {
        let text = String::from_utf8_lossy(&fs::read(entry.unwrap().path()).unwrap()).into_owned();
        assert!(!text.contains(hash) && !text.contains("people.ledger") && !text.contains("fingerprint"));
    }
    // An earlier release that is gone can be counted, but not laid over the new one.
    fs::remove_dir_all(folder.join("jan")).unwrap();
    fs::remove_dir_all(folder.join("feb")).unwrap();
    let words = run(&job(folder, "feb.csv", "again")).unwrap_err().to_string();
    assert!(words.contains("120 of 120 people") && words.contains("is not where it went"), "{words}");
}

#[test]
fn the_same_release_and_the_same_groups_are_no_overlap() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path();
    write(folder, "jan.csv", 0, 120);
    let mut seeded = job(folder, "jan.csv", "one");
    seeded.publish.seed = Some(7);
    run(&seeded).unwrap();
    seeded.output.dir = Some(folder.join("two"));
    assert_eq!(run(&seeded).unwrap().ledger.unwrap().same_groups_as, Some(1));
    // Other groups of the same people are refused.
    seeded.publish.seed = Some(8);
    seeded.output.dir = Some(folder.join("three"));
    assert!(run(&seeded).is_err());
    // A release in memory is entered when it is written; written again in another format, it is the same groups.
    write(folder, "feb.csv", 200, 300);
    let (job, context) = (job(folder, "feb.csv", "unused"), context());
    let table = Source::of_job(&job).unwrap().read(&job, &context).unwrap();
    let release = anonymize(&table, &job, &context).unwrap();
    assert_eq!(states(folder).len(), 2);
    release.write(folder.join("csv"), &context).unwrap();
    let again = release.write_as(&folder.join("parquet"), TableFormat::Parquet, false, &context).unwrap();
    assert_eq!(again.ledger.unwrap().same_groups_as, Some(3));
    assert!(anonymize(&table, &job, &context).is_err());
    assert_eq!(states(folder), [State::Published; 4]);
    // Two releases that were made before either was written.
    write(folder, "mar.csv", 400, 500);
    let job = self::job(folder, "mar.csv", "unused");
    let table = Source::of_job(&job).unwrap().read(&job, &context).unwrap();
    let (one, other) = (anonymize(&table, &job, &context).unwrap(), anonymize(&table, &job, &context).unwrap());
    one.write(folder.join("first"), &context).unwrap();
    let words = other.write(folder.join("second"), &context).err().unwrap().to_string();
    assert!(words.contains("100 of 100 people") && !folder.join("second").exists(), "{words}");
}

#[test]
fn tables_are_added_to_an_angel_release_that_the_ledger_knows() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path();
    write(folder, "jan.csv", 0, 120);
    let mut angel = job(folder, "jan.csv", "jan");
    angel.publish.method = Some(Method::Angel);
    angel.publish.angel_k = Some(4);
    run(&angel).unwrap();
    let request = |ledger: &str| ExtendRequest {
        marginals: vec![vec!["age".into()]],
        ledger: Some(folder.join(ledger)),
        ..ExtendRequest::default()
    };
    let extend = |ledger: &str| {
        let release = Release::open(folder.join("jan")).unwrap();
        release.extend(&Source::file(folder.join("jan.csv")), None, &request(ledger), &context())
    };
    let words = extend("other.ledger").err().unwrap().to_string();
    assert!(words.contains("is not in it"), "{words}");
    assert_eq!(extend("people.ledger").unwrap().ledger.unwrap().same_groups_as, Some(1));
    let found = listing(folder);
    assert_eq!(found.releases.len(), 2);
    assert!(found.releases.iter().all(|release| release.standing.is_there()));
    assert_eq!((found.releases[1].people, found.releases[1].same_people_as), (120, Some(1)));
}

#[test]
fn without_a_person_column_exact_quasi_identifiers_are_remembered() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path();
    for (name, from, to) in [("jan.csv", 0, 40), ("feb.csv", 20, 60)] {
        write(folder, name, from, to);
    }
    let unnamed = |data: &str, out: &str| {
        let mut job = job(folder, data, out);
        job.columns.retain(|(name, _)| name != "patient");
        job.publish.drop_rest = true;
        job
    };
    run(&unnamed("jan.csv", "jan")).unwrap();
    let words = run(&unnamed("feb.csv", "feb")).unwrap_err().to_string();
    assert!(
        words.contains("of 40 rows have quasi-identifiers that rows of release 1")
            && words.contains("may be of the same people"),
        "{words}"
    );
    // What is known by keys cannot be compared with what is not.
    run(&job(folder, "feb.csv", "feb")).unwrap();
    let explained =
        read_ledger(&folder.join("people.ledger"), &LedgerFiles::default(), LedgerQuestion::Explain(2), &context());
    let explained = explained.unwrap();
    assert_eq!(explained.releases[0].in_common[0].people, None);
    let said = |name: &str| Release::open(folder.join(name)).unwrap().manifest().ledger;
    assert_eq!(["jan", "feb"].map(said), [Some(LedgerWord::Partly); 2]);
}

/// A release that is entered while another one is made must not make its word untrue.
#[test]
fn what_is_entered_meanwhile_and_cannot_be_compared_is_told_or_refused() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path();
    for (name, from, to) in [("jan.csv", 0, 60), ("feb.csv", 100, 160), ("mar.csv", 200, 260), ("apr.csv", 300, 360)] {
        write(folder, name, from, to);
    }
    let by_quasi = |data: &str, out: &str| {
        let mut job = job(folder, data, out);
        job.columns.retain(|(name, _)| name != "patient");
        job.publish.drop_rest = true;
        job
    };
    let made = |data: &str| {
        let job = job(folder, data, "unused");
        let table = Source::of_job(&job).unwrap().read(&job, &context()).unwrap();
        anonymize(&table, &job, &context()).unwrap()
    };
    run(&job(folder, "jan.csv", "jan")).unwrap();
    let (compared, other) = (made("feb.csv"), made("mar.csv"));
    assert_eq!(compared.manifest().ledger, Some(LedgerWord::Compared));
    run(&by_quasi("apr.csv", "apr")).unwrap();
    let words = compared.write(folder.join("feb"), &context()).err().unwrap().to_string();
    assert!(words.contains("release 2 was entered after this run had looked for its people"), "{words}");
    assert!(words.contains("publish again") && !folder.join("feb").exists(), "{words}");
    assert!(other.write(folder.join("mar"), &context()).is_err());
    // Made again, it says what is true, and what is entered meanwhile changes nothing about that.
    let again = made("feb.csv");
    assert_eq!(again.manifest().ledger, Some(LedgerWord::Partly));
    let facts = again.write(folder.join("feb"), &context()).unwrap().ledger.unwrap();
    assert_eq!((facts.release, facts.compared, facts.not_compared), (3, vec![1], vec![2]));
}

#[test]
fn what_cannot_be_a_ledger_is_refused_before_data_is_read() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path();
    write(folder, "jan.csv", 0, 60);
    let refused = |ledger: &str| {
        let mut job = job(folder, "jan.csv", "jan");
        job.output.ledger = Some(folder.join(ledger));
        check(&job).unwrap_err().to_string()
    };
    assert!(refused("jan/people.ledger").contains("would lie in the release"));
    assert!(refused("jan").contains("would lie in the release"));
    assert!(refused("nowhere/people.ledger").contains("does not exist"));
    run(&job(folder, "jan.csv", "out")).unwrap();
    assert!(refused("out/people.ledger").contains("lies in a release"));
    let mut job = job(folder, "jan.csv", "jan");
    let table = Source::of_job(&job).unwrap().read(&job, &context()).unwrap();
    let words = publish(&table, &job, &Context::new()).unwrap_err().to_string();
    assert!(words.contains("has a passphrase, and none was given"), "{words}");
    let words = publish(&table, &job, &Context::new().with_ledger_passphrase("short")).unwrap_err().to_string();
    assert!(words.contains("at least 12"), "{words}");
    fs::write(folder.join("secret"), "five or six random words\n").unwrap();
    job.output.ledger_passphrase = Some(folder.join("secret"));
    #[cfg(unix)]
    if !scumble_platform::PORTABLE {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(folder.join("secret"), fs::Permissions::from_mode(0o644)).unwrap();
        assert!(publish(&table, &job, &Context::new()).unwrap_err().to_string().contains("others may read it"));
        fs::set_permissions(folder.join("secret"), fs::Permissions::from_mode(0o600)).unwrap();
    }
    // The passphrase is the right one now: the people are found.
    let words = publish(&table, &job, &Context::new()).unwrap_err().to_string();
    assert!(words.contains("60 of 60 people"), "{words}");
    job.output.ledger = None;
    assert!(check(&job).unwrap_err().to_string().contains("no ledger is named"));
    // A table that was read without a ledger does not know its people.
    let mut without = self::job(folder, "jan.csv", "jan");
    without.output.ledger = None;
    let table = Source::of_job(&without).unwrap().read(&without, &context()).unwrap();
    let words = publish(&table, &self::job(folder, "jan.csv", "jan"), &context()).unwrap_err().to_string();
    assert!(words.contains("read by a job without a ledger"), "{words}");
}

/// Tells the parent of every step and gives it time to kill.
struct Slow;

fn step() {
    println!("#");
    std::thread::sleep(std::time::Duration::from_millis(5));
}

impl Progress for Slow {
    fn begin(&self, stage: Stage, _total: Option<u64>) {
        if matches!(stage, Stage::Flush | Stage::Verify | Stage::Place) {
            step();
        }
    }

    fn note(&self, text: &str) {
        if matches!(text, "ledger" | "entered" | "settled") {
            step();
        }
    }
}

#[test]
#[ignore = "only run as a child of the other test"]
fn child() {
    let Some(folder) = std::env::var_os("CHILD_HOME") else { return };
    let job = job(Path::new(&folder), "jan.csv", "jan");
    let context = context().with_progress(Arc::new(Slow)).with_cancellation(Cancellation::default());
    let table = Source::of_job(&job).unwrap().read(&job, &context).unwrap();
    step();
    publish(&table, &job, &context).unwrap();
}

/// Killed at any step, a run leaves no release without its entry, and an entry that counts only where there may be a release.
#[test]
fn a_killed_publish_leaves_no_release_without_its_entry() {
    let exe = std::env::current_exe().unwrap();
    let mut seen = std::collections::BTreeMap::<(bool, Option<&str>), usize>::new();
    for round in 0..21 {
        let home = tempfile::tempdir().unwrap();
        let folder = home.path();
        write(folder, "jan.csv", 0, 200);
        let mut command = Command::new(&exe);
        command.args(["--exact", "ledger::child", "--ignored", "--nocapture"]).env("CHILD_HOME", folder);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let told = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
        told.filter(|line| line.ends_with('#')).take(1 + round % 7).for_each(drop);
        std::thread::sleep(std::time::Duration::from_millis(round as u64 / 7 * 4));
        child.kill().unwrap();
        child.wait().unwrap();
        let stands = folder.join("jan").exists();
        let state = match folder.join("people.ledger").exists() {
            true => listing(folder).releases.first().map(|release| release.state.name()),
            false => None,
        };
        assert!(!stands || state == Some("published"), "{state:?}");
        assert!(stands || matches!(state, None | Some("withdrawn")), "{state:?}");
        *seen.entry((stands, state)).or_default() += 1;
        // The next run publishes them if they were not, and is refused if they were.
        let again = run(&job(folder, "jan.csv", "again"));
        assert_eq!(again.is_ok(), !stands, "{:?}", again.err());
    }
    assert!(seen.len() >= 2 && seen.keys().any(|(stands, _)| *stands), "{seen:?}");
}
