//! Every option of a job through every way to write it down: TOML, JSON, and flags as the program reads them.

use super::{Cli, Command};
use clap::Parser;
use scumble::{Data, Job, JobOption, Value};

/// A value of an option as a job file states it; every option has one.
fn sample(option: &JobOption) -> &'static str {
    match (option.section, option.name) {
        ("input", "path") => "\"data/people.csv\"",
        ("input", "format") => "\"parquet\"",
        ("input", "delimiter") => "\"tab\"",
        ("input", "null") => "[\"?\", \"N/A\", \"a \\\"quoted\\\" text, with a comma\"]",
        ("input", "population") => "\"data/residents.csv\"",
        ("columns", "role") => "\"identifying\"",
        ("columns", "type") => "\"ordinal\"",
        ("columns", "order") => "\"orders/age.txt\"",
        ("columns", "hierarchy") => "\"trees/age.csv\"",
        ("columns", "level") => "3",
        ("columns", "missing") => "\"ignore\"",
        ("publish", "accept_overlap" | "drop_rest" | "rows_are_people" | "together" | "insecure_seed")
        | ("output", "replace") => "true",
        ("publish", "allow_sets") => "[\"age\", \"a strange name\"]",
        ("publish", "accept_keep") => "[\"a.b\"]",
        ("publish", "require") => "[\"pay: proximity-absolute(4500.50, 5)\", \"k-anonymity(10)\"]",
        ("publish", "method") => "\"full-domain\"",
        ("publish", "angel_k") => "10",
        ("publish", "marginal") => "[[\"age\", \"zip code\"], [\"sex\"]]",
        ("publish", "join_k") => "4",
        ("publish", "algorithm") => "\"min-max-overlap\"",
        ("publish", "aim") => "\"loss\"",
        ("publish", "boxes") => "\"cells\"",
        ("publish", "mixtures") => "\"hold\"",
        ("publish", "mixture_way") => "\"window\"",
        ("publish", "distance") => "\"l1(education:rank*0.3, pay:matrix:pay.csv*0.7)\"",
        ("publish", "time_limit") => "18446744073709551615",
        ("publish", "max_suppressed") => "0.0212345678901",
        ("publish", "profile") => "\"max-utility\"",
        ("publish", "seed") => "18446744073709551615",
        ("output", "dir") => "\"release\"",
        ("output", "format") => "\"parquet\"",
        ("output", "intervals") => "\"columns\"",
        ("output", "suppressed") => "\"stars\"",
        ("output", "ledger") => "\"private/people.ledger\"",
        ("output", "ledger_passphrase") => "\"private/passphrase\"",
        ("output", "ledger_key") => "\"private/ledger.key\"",
        _ => panic!("`{}` of `{}` has no sample: give it one", option.name, option.section),
    }
}

fn value(option: &JobOption) -> Value {
    let document = Value::from_toml(&format!("x = {}", sample(option))).unwrap();
    document.entries("a document").unwrap()[0].1.clone()
}

/// The column that options of columns are about.
const COLUMN: &str = "age";

/// The field of an option, as a job names it.
fn field(option: &JobOption) -> String {
    match option.section {
        "columns" => format!("columns.{COLUMN}.{}", option.name),
        section => format!("{section}.{}", option.name),
    }
}

/// What every job here says, so that an option of a column has a column.
fn base() -> Job {
    Job::new().quasi([COLUMN])
}

fn stating(option: &JobOption) -> Job {
    let mut job = base();
    job.set(&field(option), &value(option)).unwrap();
    job
}

fn comes_back(job: &Job, what: &str) {
    let toml = job.to_toml();
    assert_eq!(&Job::from_toml(&toml).unwrap_or_else(|error| panic!("{what}: {error}\n{toml}")), job, "{what}\n{toml}");
    let json = serde_json::to_string(job).unwrap();
    let read: Job = serde_json::from_str(&json).unwrap_or_else(|error| panic!("{what}: {error}\n{json}"));
    assert_eq!(&read, job, "{what}\n{json}");
    let tree = serde_json::to_value(job).unwrap();
    assert_eq!(&serde_json::from_value::<Job>(tree).unwrap(), job, "{what}\n{json}");
}

#[test]
fn every_option_comes_back_from_toml_and_json() {
    for option in Job::options() {
        let job = stating(option);
        assert_ne!(job, base(), "{}", field(option));
        comes_back(&job, &field(option));
    }
}

#[test]
fn a_job_that_states_everything_comes_back() {
    let mut job = base().sensitive(["pay", "a \"strange\" name = é"]).keep(["a.b"]);
    for option in Job::options() {
        job.set(&field(option), &value(option)).unwrap();
    }
    comes_back(&job, "everything");
    let rules = r#"
[rules]
minors = { when = "age < 18 or name = 'it''s'", delete = true }
coded = { when = "pay is missing", blank = ["age", "sex"], top_code = { pay = 1e5 }, generalize = { born = "year" } }
"#;
    job.rules = Job::from_toml(rules).unwrap().rules;
    assert!(!job.rules.is_empty());
    comes_back(&job, "everything and rules");
}

/// Options that only a job file can state.
const NOT_ON_THE_COMMAND_LINE: [&str; 2] = ["input.format", "publish.mixture_way"];

/// The data that the command line names where a job names none.
const DATA: &str = "people.csv";

/// The job that `scumble publish` reads from data and flags.
fn parsed(data: &str, flags: &[String]) -> Job {
    let words = ["scumble", "publish", data].map(String::from).into_iter().chain(flags.iter().cloned());
    let cli = Cli::try_parse_from(words).unwrap_or_else(|error| panic!("{flags:?}: {error}"));
    let Command::Publish(args) = cli.command else { panic!("{flags:?} are of another command") };
    crate::commands::publish::job(&args).unwrap_or_else(|error| panic!("{flags:?}: {error}"))
}

/// A job as the command line gives it back: all of it, but for the data that it has to name.
fn comes_back_from_flags(job: &Job, what: &str) {
    let flags = job.flags_beyond(&Job::new());
    let data = job.input.path.as_ref().map_or(DATA.into(), |path| path.display().to_string());
    let mut expected = job.clone();
    expected.input.path = Some(data.clone().into());
    assert_eq!(parsed(&data, &flags), expected, "{what}: {flags:?}");
    assert!(job.flags_beyond(job).is_empty(), "{what}");
}

#[test]
fn every_option_comes_back_from_the_command_line() {
    for option in Job::options() {
        let (job, field) = (stating(option), field(option));
        match NOT_ON_THE_COMMAND_LINE.contains(&field.as_str()) {
            true => assert!(option.flag.is_none() && job.flags_beyond(&base()).is_empty(), "{field} has a flag"),
            false => comes_back_from_flags(&job, &field),
        }
    }
}

#[test]
fn a_job_that_states_all_that_has_a_flag_comes_back_from_the_command_line() {
    let mut job = base().sensitive(["pay", "a \"strange\" name é"]).keep(["a.b"]);
    for option in Job::options().filter(|option| option.flag.is_some()) {
        job.set(&field(option), &value(option)).unwrap();
    }
    comes_back_from_flags(&job, "everything");
}

#[test]
fn names_of_options_and_flags_are_used_once() {
    let options: Vec<&JobOption> = Job::options().collect();
    for (at, option) in options.iter().enumerate() {
        let others = &options[..at];
        assert!(!others.iter().any(|other| (other.section, other.name) == (option.section, option.name)));
        assert!(
            option.flag.is_none()
                || !others.iter().any(|other| other.flag.map(|one| one.name) == option.flag.map(|one| one.name))
        );
        assert!(!option.help.trim().is_empty(), "{}", option.name);
    }
}

#[test]
fn what_is_no_option_is_refused_by_name() {
    let mut job = Job::new();
    for wrong in ["publish.metod", "input", "nothing.at_all", "columns.age", "columns.age.tipe"] {
        let error = job.set(wrong, &Value::text("x")).unwrap_err().to_string();
        assert!(error.contains(wrong) || error.contains("no such field"), "{error}");
    }
    let error = job.set("method", &Value::text("generalise")).unwrap_err().to_string();
    assert!(error.starts_with("method `generalise`") && error.contains("did you mean `generalize`?"), "{error}");
    let error = job.set("publish.seed", &Data::Bool(true).into()).unwrap_err().to_string();
    assert!(error.contains("a whole number, not a boolean"), "{error}");
    assert_eq!(job.publish, Job::new().publish);
}

#[test]
fn columns_are_accepted_one_by_one_or_with_commas() {
    let flags = |words: &[&str]| parsed(DATA, &words.iter().map(ToString::to_string).collect::<Vec<_>>());
    for flag in ["--accept-keep", "--allow-sets"] {
        let (list, each) = (flags(&[flag, "ka,kb"]), flags(&[flag, "ka", flag, "kb"]));
        assert_eq!(list, each);
        assert_eq!([list.publish.accept_keep, list.publish.allow_sets].concat(), ["ka", "kb"]);
    }
    // A text that means a missing value may have a comma of its own.
    assert_eq!(flags(&["--null", "a,b"]).input.null, ["a,b"]);
}
