//! Rules in the whole flow: a release with rules is the release of a file without what they took away.

mod orders;
mod random;

use arrow_array::{Array, RecordBatch, StringArray};
use arrow_schema::{DataType, Field, Schema};
use scumble::{
    ColumnRequest, ColumnRole, EvaluateRequest, ExtendRequest, Input, Job, Kind, Method, Observer, Profile,
    PublishRequest, Published, ReleaseToVerify, Rule, RuleAction, Rules, Silent, SourceRules, Stage,
};
use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex};

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

fn job(text: &str) -> Job {
    Job::parse("job.toml", text, Path::new("")).unwrap()
}

fn columns() -> Vec<ColumnRequest> {
    vec![
        ColumnRequest::new("name", ColumnRole::Identifying),
        ColumnRequest { kind: Some(Kind::Number), ..ColumnRequest::new("age", ColumnRole::Quasi) },
        ColumnRequest::new("place", ColumnRole::Quasi),
        ColumnRequest::new("seen", ColumnRole::Quasi),
        ColumnRequest::new("ill", ColumnRole::Sensitive),
    ]
}

fn request(file: &Path, out: &Path, method: Method) -> PublishRequest {
    PublishRequest {
        columns: columns(),
        requirements: vec!["k-anonymity(3)".parse().unwrap(), "distinct-l-diversity(2)".parse().unwrap()],
        method: Some(method),
        seed: Some(5),
        insecure_seed: true,
        // Values follow from the other columns here, which other profiles refuse to give away by batches.
        profile: Profile::MaxUtility,
        out: out.into(),
        ..PublishRequest::new(Input::file(file))
    }
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
    let job = job(RULES);
    for method in METHODS {
        let ruled = PublishRequest {
            rules: Rules::from_job(&job).unwrap(),
            ..request(&path("raw.csv"), &path(&format!("ruled-{method}")), method)
        };
        let plain = request(&path("edited.csv"), &path(&format!("plain-{method}")), method);
        let published = scumble::publish(&ruled, &Silent).unwrap();
        scumble::publish(&plain, &Silent).unwrap();
        assert_eq!(bytes(&ruled.out), bytes(&plain.out), "{method}");
        // Nothing of what was taken away, and nothing about the taking.
        for (file, content) in bytes(&ruled.out) {
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
        verifies_with_rules_only(&ruled, &job);
    }
}

fn check_counts(published: &Published, rows: &[[String; 5]]) {
    let minors =
        rows.iter().filter(|row| row[0] == "name-7" || row[1].parse::<u32>().is_ok_and(|a| a < 18)).count() as u64;
    let count = |name: &str| published.rules.iter().find(|rule| rule.name == name).unwrap().clone();
    assert_eq!((count("minors").matched, count("minors").deleted, count("minors").cells), (minors, minors, 0));
    assert_eq!(published.rows + published.suppressed, rows.len() as u64 - minors);
    let hamlet = count("hamlet");
    assert!(hamlet.matched > 3 && hamlet.changed == hamlet.matched && hamlet.cells > hamlet.matched, "{hamlet:?}");
    assert_eq!((count("nobody").matched, published.rules.len()), (0, 6));
}

fn verifies_with_rules_only(request: &PublishRequest, job: &Job) {
    let rules = SourceRules { rules: Rules::from_job(job).unwrap(), columns: columns() };
    let mut asked = ReleaseToVerify {
        source: Some(request.input.clone()),
        rules: Some(rules.clone()),
        ..ReleaseToVerify::new(&request.out)
    };
    let verdict = scumble::verify_release(&asked, &Silent).unwrap();
    assert!(verdict.ok, "{:?}", verdict.failures().collect::<Vec<_>>());
    asked.rules = None;
    let verdict = scumble::verify_release(&asked, &Silent).unwrap();
    let failure = verdict.failures().find(|check| check.name == "source-rows").unwrap();
    assert!(failure.detail.ends_with("; rules of its job file are applied with --rules"), "{}", failure.detail);
    let evaluate = |rules: Option<SourceRules>| {
        let request =
            EvaluateRequest { rules, queries: 50, ..EvaluateRequest::new(&request.out, request.input.clone()) };
        scumble::evaluate(&request, &Silent)
    };
    assert_eq!(evaluate(Some(rules)).unwrap().workloads.len(), 3);
    let error = evaluate(None).unwrap_err().to_string();
    assert!(error.contains("with --rules its job file if that has rules"), "{error}");
    let error = scumble::verify_release(
        &ReleaseToVerify { rules: SourceRules::from_job(job).ok(), ..ReleaseToVerify::new(&request.out) },
        &Silent,
    );
    assert!(error.unwrap_err().to_string().contains("--rules: rules are applied to the source, and none is named"));
}

#[test]
fn tables_can_be_added_to_a_release_that_was_made_with_rules() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("raw.csv"), csv(&people(300))).unwrap();
    let rules = Rules::from_job(&job(RULES)).unwrap();
    let base = PublishRequest { rules: rules.clone(), ..request(&path("raw.csv"), &path("release"), Method::Angel) };
    scumble::publish(&base, &Silent).unwrap();
    let mut extension = ExtendRequest {
        release: base.out.clone(),
        source: base.input.clone(),
        rules: None,
        marginals: vec![vec!["age".into(), "seen".into()]],
        join_k: None,
        seed: Some(1),
        insecure_seed: true,
    };
    assert!(scumble::extend(&extension, &Silent).is_err());
    extension.rules = Some(SourceRules { rules, columns: columns() });
    scumble::extend(&extension, &Silent).unwrap();
    let asked = ReleaseToVerify {
        source: Some(base.input.clone()),
        rules: extension.rules.clone(),
        ..ReleaseToVerify::new(&base.out)
    };
    assert!(scumble::verify_release(&asked, &Silent).unwrap().ok);
}

/// Remembers warnings.
#[derive(Default)]
struct Heard(Mutex<Vec<String>>);

impl Observer for Heard {
    fn begin(&self, _stage: Stage, _total: Option<u64>) {}
    fn advance(&self, _amount: u64) {}
    fn warn(&self, text: &str) {
        self.0.lock().unwrap().push(text.into());
    }
}

#[test]
fn record_batches_are_ruled_alike_and_a_rule_for_nobody_warns() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let rows = people(200);
    fs::write(path("raw.csv"), csv(&rows)).unwrap();
    let rules = Rules::from_job(&job(RULES)).unwrap();
    let file = PublishRequest { rules: rules.clone(), ..request(&path("raw.csv"), &path("file"), Method::Generalize) };
    let batches = PublishRequest { out: path("batches"), ..file.clone() };
    let heard = Heard::default();
    scumble::publish(&file, &heard).unwrap();
    let warnings = heard.0.lock().unwrap().join("\n");
    assert!(warnings.contains("no record met the condition of rule `nobody` when its turn came"), "{warnings}");
    assert_eq!(warnings.matches("rule `").count(), 1, "{warnings}");
    let names = ["name", "age", "place", "seen", "ill"];
    let schema = Arc::new(Schema::new(names.map(|name| Field::new(name, DataType::Utf8, true)).to_vec()));
    let column = |at: usize| {
        let cells = rows.iter().map(|row| Some(row[at].as_str()).filter(|text| !text.is_empty()));
        Arc::new(cells.collect::<StringArray>()) as Arc<dyn Array>
    };
    let batch = RecordBatch::try_new(schema.clone(), (0..5).map(column).collect()).unwrap();
    let published = scumble::publish_batches(&schema, [batch], &batches, &Silent).unwrap();
    assert_eq!(bytes(&file.out), bytes(&batches.out));
    assert_eq!(published.rules.len(), 6);
}

#[test]
fn rules_without_a_job_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("raw.csv"), csv(&people(100))).unwrap();
    let with = |rule: Rule| PublishRequest {
        rules: Rules::new(vec![rule]),
        ..request(&path("raw.csv"), &path("release"), Method::Generalize)
    };
    let said = |rule: Rule| scumble::publish(&with(rule), &Silent).unwrap_err().to_string();
    let blank = |column: &str| Rule::new("x", vec![RuleAction::Blank { column: column.into() }]);
    assert_eq!(said(blank("plaice")), "rules: rule `x`: there is no column `plaice`; hint: did you mean `place`?");
    assert!(said(blank("name")).contains("column `name` is not published"));
    let error = said(blank("age").when("agee = 3".parse().unwrap()));
    assert!(error.starts_with("rules: rule `x`, character 1 of its condition: there is no column `agee`"), "{error}");
    assert!(said(Rule::new("x", vec![])).contains("the rule does nothing"));
    assert!(said(Rule::new("x", vec![RuleAction::Delete])).contains("the rules delete all 100 records"));
    assert!(!path("release").exists());
    // A number among texts of a column that is only asked about stays out of messages.
    let mut request = with(blank("age").when("name = 'name-3'".parse().unwrap()));
    request.columns[0].kind = Some(Kind::Number);
    let error = scumble::publish(&request, &Silent).unwrap_err().to_string();
    assert!(error.contains("column `name`") && !error.contains("name-0"), "{error}");
    // A column that has no role and is dropped with the rest can be asked about, too.
    request.columns.remove(0);
    request.drop_rest = true;
    assert_eq!(scumble::publish(&request, &Silent).unwrap().rules[0].matched, 1);
    assert!(!bytes(&request.out).iter().any(|(_, content)| String::from_utf8_lossy(content).contains("name-3")));
}
