//! Rules in the whole flow: a release with rules is the release of a file without what they took away.

mod orders;
mod random;

use crate::steps::{self, Heard, Say, job, publish, publish_in, refusal, source_rows};
use arrow_array::{Array, RecordBatch, StringArray};
use arrow_schema::{DataType, Field, Schema};
use scumble::{
    Context, EvaluateRequest, Evaluation, ExtendRequest, Job, Kind, Method, Profile, Published, Release, Result, Rule,
    RuleAction, Rules, Source, Verdict, VerifyRequest,
};
use std::fs;
use std::path::Path;
use std::sync::Arc;

/// Two clusters of ages, a few people who are easily told, and a name that is never published.
fn people(n: usize) -> Vec<[String; 5]> {
    let ills = ["flu", "gout", "asthma", "rare-lupus", "migraine"];
    let person = |i: usize| {
        let age = if i % 17 == 3 { String::new() } else { (10 + i * 7 % 60).to_string() };
        let place = ["Ghent", "Porto", "Turku", "Atlantis-hamlet"][if i % 23 == 5 { 3 } else { i * i % 3 }];
        let ill = ills[if i % 19 == 4 { 3 } else { [0, 1, 2, 4][i % 4] }];
        [format!("name-{i}"), age, place.into(), format!("20{:02}-0{}-1{}", i % 20, 1 + i % 9, i % 9), ill.into()]
    };
    (0..n).map(person).collect()
}

fn csv(rows: &[[String; 5]]) -> String {
    let lines = rows.iter().map(|row| row.join(",") + "\n");
    std::iter::once("name,age,place,seen,ill\n".to_string()).chain(lines).collect()
}

const RULES: &str = r#"
[rules]
minors = { when = "age < 18 or name = 'name-7'", delete = true }
hamlet = { when = "place = 'Atlantis-hamlet'", blank = ["place", "age"] }
rare   = { when = "ill = 'rare-lupus'", generalize = { ill = "other" } }
old    = { when = "age > 60", top_code = { age = 60 } }
months = { generalize = { seen = "month" } }
nobody = { when = "age = 17.5", delete = true }
"#;

/// The same by hand.
fn by_hand(rows: &[[String; 5]]) -> Vec<[String; 5]> {
    let stays = |row: &&[String; 5]| row[0] != "name-7" && !row[1].parse::<u32>().is_ok_and(|age| age < 18);
    let change = |row: &[String; 5]| {
        let [name, mut age, mut place, seen, mut ill] = row.clone();
        if place == "Atlantis-hamlet" {
            (age, place) = (String::new(), String::new());
        }
        if ill == "rare-lupus" {
            ill = "other".into();
        }
        if age.parse::<u32>().is_ok_and(|age| age > 60) {
            age = "60".into();
        }
        [name, age, place, format!("{}01", &seen[..8]), ill]
    };
    rows.iter().filter(stays).map(change).collect()
}

/// The rules of a job file.
fn rules(text: &str) -> Rules {
    Job::from_toml(text).unwrap().rules
}

fn asked(file: &Path, out: &Path, method: Method, rules: Rules) -> Job {
    let job = job(file, out).identifying(["name"]).quasi(["age", "place", "seen"]).sensitive(["ill"]);
    job.requiring(&["k-anonymity(3)", "distinct-l-diversity(2)"]).but(|job| {
        job.column_mut("age").kind = Some(Kind::Number);
        job.publish.method = Some(method);
        (job.publish.seed, job.publish.insecure_seed) = (Some(5), true);
        // Values follow from the other columns here, which other profiles refuse to give away by batches.
        job.publish.profile = Some(Profile::MaxUtility);
        job.rules = rules;
    })
}

/// What the verifier says of the release of a job against its data, with the rules of a job or none.
fn verdict(job: &Job, rules: Option<&Job>) -> Verdict {
    let asked = VerifyRequest::default();
    crate::steps::verify_release(job.out(), &asked, Some(&job.source()), rules, &Context::new()).unwrap()
}

/// The release of a job evaluated against its data, with the rules of a job or none.
fn evaluated(job: &Job, rules: Option<&Job>, queries: usize) -> Result<Evaluation> {
    let release = Release::open(job.out())?;
    let rows = source_rows(&release, &job.source(), rules)?;
    scumble::evaluate(&release, &rows, &EvaluateRequest { queries, ..EvaluateRequest::new() }, &Context::new())
}

/// The texts of all files of a release, by name.
fn bytes(release: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<_> = fs::read_dir(release).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files.iter().map(|path| (path.file_name().unwrap().to_string_lossy().into(), fs::read(path).unwrap())).collect()
}

const METHODS: [Method; 4] = [Method::Generalize, Method::Permute, Method::Anatomy, Method::Angel];

#[test]
fn the_release_is_that_of_a_file_without_what_the_rules_took_away() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let rows = people(300);
    fs::write(path("raw.csv"), csv(&rows)).unwrap();
    fs::write(path("edited.csv"), csv(&by_hand(&rows))).unwrap();
    for method in METHODS {
        let ruled = asked(&path("raw.csv"), &path(&format!("ruled-{method}")), method, rules(RULES));
        let plain = asked(&path("edited.csv"), &path(&format!("plain-{method}")), method, Rules::default());
        let published = publish(&ruled).unwrap();
        publish(&plain).unwrap();
        assert_eq!(bytes(ruled.out()), bytes(plain.out()), "{method}");
        // Nothing of what was taken away, and nothing about the taking.
        for (file, content) in bytes(ruled.out()) {
            let text = String::from_utf8_lossy(&content);
            for word in ["lupus", "Atlantis", "name-", "minors", "hamlet", "rule", "deleted", "-1", ",17,", "job.toml"]
            {
                // Interval ends such as `[40,-1` do not occur, and dates are all first days.
                let found = match word {
                    "-1" => text.contains("-11") && file != "report.html" && file != "manifest.json",
                    word => text.to_lowercase().contains(&word.to_lowercase()),
                };
                assert!(!found, "{method}: {file} tells `{word}`");
            }
        }
        check_counts(&published, &rows);
        verifies_with_rules_only(&ruled);
    }
}

fn check_counts(published: &Published, rows: &[[String; 5]]) {
    let minors =
        rows.iter().filter(|row| row[0] == "name-7" || row[1].parse::<u32>().is_ok_and(|a| a < 18)).count() as u64;
    let count = |name: &str| published.facts.rules.iter().find(|rule| rule.name == name).unwrap().clone();
    assert_eq!((count("minors").matched, count("minors").deleted, count("minors").cells), (minors, minors, 0));
    assert_eq!(published.facts.rows + published.facts.suppressed, rows.len() as u64 - minors);
    let hamlet = count("hamlet");
    assert!(hamlet.matched > 3 && hamlet.changed == hamlet.matched && hamlet.cells > hamlet.matched, "{hamlet:?}");
    assert_eq!((count("nobody").matched, published.facts.rules.len()), (0, 6));
}

fn verifies_with_rules_only(job: &Job) {
    let found = verdict(job, Some(job));
    assert!(found.ok, "{:?}", steps::failures(&found));
    let found = verdict(job, None);
    let failure = found.failures().find(|check| check.name == "source-rows").unwrap();
    assert!(failure.detail.ends_with("; rules of its job file must be applied to it first"), "{}", failure.detail);
    assert_eq!(evaluated(job, Some(job), 50).unwrap().workloads.len(), 3);
    let error = refusal(evaluated(job, None, 50));
    assert!(error.contains("with `rules` its job file if that has rules"), "{error}");
    let none = crate::steps::verify_release(job.out(), &VerifyRequest::default(), None, Some(job), &Context::new());
    assert!(refusal(none).contains("rules: rules are applied to the source, and none is named"));
    let without = crate::steps::verify_release(
        job.out(),
        &VerifyRequest::default(),
        Some(&job.source()),
        Some(&Job::new()),
        &Context::new(),
    );
    assert!(refusal(without).contains("this job file has no rules"));
}

#[test]
fn tables_can_be_added_to_a_release_that_was_made_with_rules() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("raw.csv"), csv(&people(300))).unwrap();
    let job = asked(&path("raw.csv"), &path("release"), Method::Angel, rules(RULES));
    publish(&job).unwrap();
    let extension = ExtendRequest {
        marginals: vec![vec!["age".into(), "seen".into()]],
        seed: Some(1),
        insecure_seed: true,
        ..ExtendRequest::default()
    };
    let release = Release::open(job.out()).unwrap();
    assert!(release.extend(&job.source(), None, &extension, &Context::new()).is_err());
    release.extend(&job.source(), Some(&job), &extension, &Context::new()).unwrap();
    assert!(verdict(&job, Some(&job)).ok);
}

#[test]
fn record_batches_are_ruled_alike_and_a_rule_for_nobody_warns() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let rows = people(200);
    fs::write(path("raw.csv"), csv(&rows)).unwrap();
    let file = asked(&path("raw.csv"), &path("file"), Method::Generalize, rules(RULES));
    let batches = file.clone().but(|job| job.output.dir = Some(path("batches")));
    let (heard, context) = Heard::listen();
    publish_in(&file, &context).unwrap();
    let warnings = heard.warnings().join("\n");
    assert!(warnings.contains("no record met the condition of rule `nobody` when its turn came"), "{warnings}");
    assert_eq!(warnings.matches("rule `").count(), 1, "{warnings}");
    let names = ["name", "age", "place", "seen", "ill"];
    let schema = Arc::new(Schema::new(names.map(|name| Field::new(name, DataType::Utf8, true)).to_vec()));
    let column = |at: usize| {
        let cells = rows.iter().map(|row| Some(row[at].as_str()).filter(|text| !text.is_empty()));
        Arc::new(cells.collect::<StringArray>()) as Arc<dyn Array>
    };
    let batch = RecordBatch::try_new(schema.clone(), (0..5).map(column).collect()).unwrap();
    let loaded = Source::arrow(schema, [batch]).load(&batches, &Context::new()).unwrap();
    scumble::publish(&loaded.table, &batches, &Context::new()).unwrap();
    assert_eq!(bytes(file.out()), bytes(batches.out()));
    assert_eq!(loaded.rules.len(), 6);
}

#[test]
fn rules_without_a_job_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("raw.csv"), csv(&people(100))).unwrap();
    let with = |rule: Rule| asked(&path("raw.csv"), &path("release"), Method::Generalize, Rules::new(vec![rule]));
    let said = |rule: Rule| refusal(publish(&with(rule)));
    let blank = |column: &str| Rule::new("x", vec![RuleAction::Blank { column: column.into() }]);
    assert_eq!(said(blank("plaice")), "rules: rule `x`: there is no column `plaice`; hint: did you mean `place`?");
    assert!(said(blank("name")).contains("column `name` is not published"));
    let error = said(blank("age").when("agee = 3".parse().unwrap()));
    assert!(error.starts_with("rules: rule `x`, character 1 of its condition: there is no column `agee`"), "{error}");
    assert!(said(Rule::new("x", vec![])).contains("the rule does nothing"));
    assert!(said(Rule::new("x", vec![RuleAction::Delete])).contains("the rules delete all 100 records"));
    assert!(!path("release").exists());
    // A number among texts of a column that is only asked about stays out of messages.
    let mut job = with(blank("age").when("name = 'name-3'".parse().unwrap()));
    job.column_mut("name").kind = Some(Kind::Number);
    let error = refusal(publish(&job));
    assert!(error.contains("column `name`") && !error.contains("name-0"), "{error}");
    // A column that has no role and is dropped with the rest can be asked about, too.
    job.columns.remove(0);
    job.publish.drop_rest = true;
    assert_eq!(publish(&job).unwrap().facts.rules[0].matched, 1);
    assert!(!bytes(job.out()).iter().any(|(_, content)| String::from_utf8_lossy(content).contains("name-3")));
}
