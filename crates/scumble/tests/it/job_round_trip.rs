//! Every option of a job through every way to write it down: TOML, JSON and flags.

use scumble::{Data, Flag, Job, JobOption, Value};

/// A value of an option as a job file states it; every option has one.
fn sample(option: &JobOption) -> &'static str {
    match (option.section, option.name) {
        ("input", "path") => "\"data/people.csv\"",
        ("input", "format") => "\"parquet\"",
        ("input", "delimiter") => "\"tab\"",
        ("input", "null") => "[\"?\", \"N/A\", \"a \\\"quoted\\\" text, with a comma\"]",
        ("columns", "role") => "\"identifying\"",
        ("columns", "type") => "\"ordinal\"",
        ("columns", "order") => "\"orders/age.txt\"",
        ("columns", "hierarchy") => "\"trees/age.csv\"",
        ("columns", "level") => "3",
        ("publish", "drop_rest" | "together" | "insecure_seed") | ("output", "replace") => "true",
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

/// The texts that follow a flag, each time that it is there.
fn given(flags: &[String], flag: Flag) -> Option<Vec<String>> {
    let name = format!("--{}", flag.name);
    let places: Vec<usize> = (0..flags.len()).filter(|&at| flags[at] == name).collect();
    let texts = places.iter().map(|&at| if flag.value.is_empty() { String::new() } else { flags[at + 1].clone() });
    (!places.is_empty()).then(|| texts.collect())
}

#[test]
fn every_option_with_a_flag_is_among_the_flags() {
    let mut flagged = 0;
    for option in Job::options() {
        let job = stating(option);
        let flags = job.flags_beyond(&base());
        let Some(flag) = option.flag else {
            let role = option.section == "columns" && option.name == "role";
            assert_eq!(flags.is_empty(), !role, "{}: {flags:?}", field(option));
            continue;
        };
        flagged += 1;
        let texts = given(&flags, flag).unwrap_or_else(|| panic!("{} is not among {flags:?}", flag.name));
        // What the command line reads from them is what was stated.
        let own = |text: &String| text.strip_prefix(&format!("{COLUMN}=")).map_or(text.clone(), String::from);
        let texts: Vec<String> = if option.section == "columns" { texts.iter().map(own).collect() } else { texts };
        let mut read = base();
        read.set(&field(option), &option.form.value(&texts)).unwrap();
        assert_eq!(read, job, "{}: {flags:?}", field(option));
        assert!(job.flags_beyond(&job).is_empty());
        assert!(job.flags_beyond(&Job::new()).windows(2).any(|pair| pair[0] == "--quasi" && pair[1] == COLUMN));
    }
    assert!(flagged > 20, "{flagged}");
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
