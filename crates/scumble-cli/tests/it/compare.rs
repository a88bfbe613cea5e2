//! `scumble compare`: many releases of one table beside each other.

use crate::support::{TestDir, patients};
use serde_json::Value;
use std::path::Path;

/// Four methods, rules and missing values, and requirements that this data cannot meet.
pub(crate) const SWEEP: &str = r#"
[input]
path = "data.csv"
null = ["Turku"]

[columns]
age = "quasi"
city = "quasi"
cost = "sensitive"
disease = "sensitive"
name = "identifying"

[rules]
young = { when = "age < 25", delete = true }

[compare]
dir = "comparison"
seed = 5
queries = 50

[[run]]
method = ["generalize", "anatomy"]
require = ["k-anonymity({k})", "disease: frequency-l-diversity({l})"]
k = [3, 6]
l = [2, 7]

[[run]]
method = "angel"
angel_k = "{k}"
require = "disease: distinct-l-diversity(2)"
marginal = "age"
k = 4

[[run]]
profile = ["standard", "hardened"]
method = "full-domain"
require = "k-anonymity(4)"
max_suppressed = 0.1
"#;

pub(crate) fn document(dir: &TestDir, line: &str) -> Value {
    serde_json::from_str(&dir.run(line).done().stdout).unwrap()
}

fn runs(document: &Value) -> &Vec<Value> {
    document["runs"].as_array().unwrap()
}

/// All that must not depend on the machine: everything of a run but what it took.
pub(crate) fn figures(document: &Value) -> Vec<Value> {
    let mut all = runs(document).clone();
    for run in &mut all {
        run.as_object_mut().unwrap().remove("cost");
        run.as_object_mut().unwrap().remove("commands");
    }
    all
}

#[test]
fn a_sweep_is_published_verified_measured_and_attacked() {
    let dir = TestDir::new();
    dir.file("data.csv", patients(400));
    dir.file("sweep.toml", SWEEP);
    let found = document(&dir, "compare --job sweep.toml --json --threads 2");
    let status: Vec<&str> = runs(&found).iter().map(|run| run["status"].as_str().unwrap()).collect();
    // No disease can be rarer than one in six, and the best levels leave nothing to draw.
    let (done, not) = ("done", "infeasible");
    assert_eq!(status, [done, not, done, not, done, not, done, not, done, done, "refused"]);
    let reason = runs(&found)[1]["reason"].as_str().unwrap();
    assert!(reason.contains("frequency-l-diversity(7)") && reason.contains("hint"), "{reason}");
    for run in runs(&found).iter().filter(|run| run["status"] == done) {
        let figures = &run["figures"];
        for name in ["loss", "ncp", "count_error_mean", "count_error_median", "belief", "prosecutor", "marketer"] {
            assert!(figures[name].is_number(), "{name} in {run}");
        }
        assert!(figures["rows"].as_u64().unwrap() + figures["suppressed"].as_u64().unwrap() < 400);
        assert!(figures["group_min"].as_u64() >= Some(2) && run["cost"]["peak_memory"].as_u64() > Some(1 << 20));
        assert_eq!(figures["bound_width"].is_number(), run["method"] != "angel", "{run}");
        assert_eq!(run["commands"].as_array().unwrap().len(), 3);
    }
    let front = runs(&found).iter().filter(|run| run["on_belief_front"] == true).count();
    assert!((1..8).contains(&front), "{front}");
    // Only the figures are left, for the publisher's eyes.
    assert_eq!(dir.entries(), ["comparison", "data.csv", "sweep.toml"]);
    let folder = dir.path().join("comparison");
    let mut names: Vec<String> =
        std::fs::read_dir(&folder).unwrap().map(|e| e.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    assert_eq!(names, ["comparison.csv", "comparison.html", "comparison.json", "runs"]);
    is_private(&folder, 0o700);
    for file in ["comparison.csv", "comparison.html", "comparison.json"] {
        is_private(&folder.join(file), 0o600);
    }
    let kept: Vec<_> = std::fs::read_dir(folder.join("runs")).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(kept.len(), 11);
    for file in &kept {
        is_private(file, 0o600);
        let text = std::fs::read_to_string(file).unwrap();
        assert!(!text.contains("Person") && !text.contains("Ghent") && !text.contains("migraine"), "{text}");
    }
    let json: Value = serde_json::from_slice(&std::fs::read(folder.join("comparison.json")).unwrap()).unwrap();
    assert_eq!(figures(&json), figures(&found));
    let csv = std::fs::read_to_string(folder.join("comparison.csv")).unwrap();
    assert_eq!(csv.lines().count(), 12);
    assert!(csv.starts_with("number,kind,method,algorithm,profile,require,parameter_method,parameter_k,parameter_l,"));
}

#[test]
fn the_page_shows_front_lines_table_reasons_and_commands() {
    let dir = TestDir::new();
    dir.file("data.csv", patients(300));
    dir.file("sweep.toml", SWEEP);
    dir.run("compare --job sweep.toml --quiet").done();
    let page = std::fs::read_to_string(dir.path().join("comparison/comparison.html")).unwrap();
    for words in [
        "class=\"front\"",
        "class=\"dot series1 shape1\"",
        "<table class=\"sortable\">",
        "over k</figcaption>",
        "frequency-l-diversity(7)",
        "scumble publish --job sweep.toml --require",
        "scumble evaluate release-N --source data.csv --rules sweep.toml",
        "scumble risk release-N --json",
        "full-domain hardened",
        "script-src 'sha256-",
    ] {
        assert!(page.contains(words), "{words}");
    }
    assert_eq!(page.matches("<script").count(), 1);
    for bad in ["src=", "url(", "<link", "javascript:", "Person 1", "migraine"] {
        assert!(!page.contains(bad), "{bad}");
    }
}

/// Nobody but their owner reads the figures; a promise of the Unix implementation alone.
#[cfg(unix)]
fn is_private(path: &Path, mode: u32) {
    let found = std::os::unix::fs::PermissionsExt::mode(&std::fs::metadata(path).unwrap().permissions());
    assert_eq!(found & 0o777, mode, "{}", path.display());
}

#[cfg(not(unix))]
fn is_private(_path: &Path, _mode: u32) {}

/// The commands are written for a shell.
#[cfg(unix)]
#[test]
fn every_command_of_a_comparison_gives_its_figures_again() {
    let dir = TestDir::new();
    dir.file("data.csv", patients(300));
    dir.file("sweep.toml", SWEEP);
    let found = document(&dir, "compare --job sweep.toml --json");
    let flags = "compare data.csv --quasi age,city --sensitive cost --drop-rest --null Turku --type age=number --require \
                 \"ke-anonymity({k}, 20)\" --grid k=2,4 --method permute --queries 40 --out flags --json";
    let short = document(&dir, flags);
    let mut n = 0;
    for run in runs(&found).iter().chain(runs(&short)).filter(|run| run["status"] == "done") {
        let commands: Vec<&str> = run["commands"].as_array().unwrap().iter().map(|c| c.as_str().unwrap()).collect();
        let said = |command: &str| -> Value {
            let program = Path::new(env!("CARGO_BIN_EXE_scumble")).parent().unwrap();
            let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap_or_default());
            let told = std::process::Command::new("sh")
                .args(["-c", command])
                .current_dir(dir.path())
                .env("PATH", path)
                .output();
            let told = told.unwrap();
            assert!(told.status.success(), "{command}: {}", String::from_utf8_lossy(&told.stderr));
            serde_json::from_slice(&told.stdout).unwrap()
        };
        let figures = &run["figures"];
        let published = said(&format!("{} --json", commands[0]));
        for name in ["rows", "suppressed", "groups", "loss", "ncp"] {
            assert_eq!(published[name], figures[name], "{name} of {}", commands[0]);
        }
        let evaluated = said(commands[1]);
        let estimators = evaluated["workloads"][0]["estimators"].as_object().unwrap();
        let errors = estimators.values().next().unwrap();
        assert_eq!(
            (&errors["mean"], &errors["median"]),
            (&figures["count_error_mean"], &figures["count_error_median"])
        );
        assert_eq!(evaluated["reconstruction"][0]["kl"], figures["kl_nats"]);
        if figures["bound_width"].is_number() {
            assert_eq!(evaluated["bounds"]["lines"][0]["arbitrary"][0]["mean"], figures["bound_width"]);
        }
        let attacked = said(commands[2]);
        for name in ["prosecutor", "marketer", "unique_records"] {
            assert_eq!(attacked[name], figures[name], "{name} of {}", commands[2]);
        }
        let largest = attacked["inference"].as_array().unwrap().iter().map(|one| one["largest"].as_f64().unwrap());
        assert_eq!(largest.reduce(f64::max), figures["belief"].as_f64());
        // Releases of one comparison stand beside each other; the other comparison has numbers of its own.
        let number = run["number"].as_u64().unwrap();
        let release = dir.path().join(format!("release-{number}"));
        assert!(release.is_dir());
        if std::ptr::eq(run, runs(&found).iter().rfind(|run| run["status"] == "done").unwrap()) {
            for number in 1..=runs(&found).len() {
                let _ = std::fs::remove_dir_all(dir.path().join(format!("release-{number}")));
            }
        }
        n += 1;
    }
    assert_eq!(n, 6 + 2);
}

#[test]
fn figures_depend_neither_on_threads_nor_on_order() {
    let dir = TestDir::new();
    dir.file("data.csv", patients(300));
    dir.file("sweep.toml", SWEEP);
    let one = document(&dir, "compare --job sweep.toml --out one --threads 1 --json");
    let many = document(&dir, "compare --job sweep.toml --out many --threads 5 --json");
    assert_eq!(figures(&one), figures(&many));
    // The runs the other way round.
    let parts: Vec<&str> = SWEEP.split("[[run]]").collect();
    let turned = format!("{}[[run]]{}[[run]]{}[[run]]{}", parts[0], parts[3], parts[2], parts[1]);
    dir.file("turned.toml", turned);
    let turned = document(&dir, "compare --job turned.toml --out turned --json");
    let by_settings = |document: &Value| {
        let mut all: Vec<String> = runs(document)
            .iter()
            .map(|run| format!("{} {} {} {}", run["method"], run["require"], run["profile"], run["figures"]))
            .collect();
        all.sort();
        all
    };
    assert_eq!(by_settings(&one), by_settings(&turned));
}

#[test]
fn the_short_form_says_what_it_found() {
    let dir = TestDir::new();
    dir.file("data.csv", patients(300));
    let line = "compare data.csv --quasi age,city --sensitive disease --drop-rest --require \"k-anonymity({k})\" \
                --grid k=3,400 --method generalize,anatomy --queries 20";
    let said = dir.run(line).done();
    for words in [
        "comparison/comparison.html",
        "2 releases of 300 rows measured, 2 cannot be met by this data",
        "No other release is better",
        "Without a release:",
        "k-anonymity(400)",
    ] {
        assert!(said.stdout.contains(words), "{words} in {}", said.stdout);
    }
    assert_eq!(said.stderr, "");
    let again = dir.run(line).done();
    assert!(again.stdout.contains("4 had been finished before"), "{}", again.stdout);
}

#[test]
fn one_release_in_other_words_is_one_run() {
    let dir = TestDir::new();
    dir.file("data.csv", patients(300));
    let line = "compare data.csv --quasi age,city --sensitive disease --drop-rest --require \"k-anonymity({k})\" \
                --grid k=3,6.0,6 --queries 20 --json";
    let found = document(&dir, line);
    let numbers: Vec<(u64, &str)> =
        runs(&found).iter().map(|run| (run["number"].as_u64().unwrap(), run["require"][0].as_str().unwrap())).collect();
    assert_eq!(numbers, [(1, "k-anonymity(3)"), (2, "k-anonymity(6)")]);
}

/// Nothing can be published: that is an answer, and the answer is no.
#[test]
fn a_comparison_without_a_release_says_no() {
    let dir = TestDir::new();
    dir.file("data.csv", patients(30));
    let line =
        "compare data.csv --quasi age --sensitive disease --drop-rest --require \"k-anonymity({k})\" --grid k=40,50";
    let said = dir.run(line);
    assert_eq!(said.code, 1, "{}", said.stderr);
    assert!(said.stdout.contains("2 cannot be met by this data"), "{}", said.stdout);
    let page = std::fs::read_to_string(dir.path().join("comparison/comparison.html")).unwrap();
    assert!(page.contains("None of these releases") && !page.contains("<svg"));
}

/// Without sensitive columns people can still be found.
#[test]
fn without_sensitive_columns_the_front_of_risks_is_told() {
    let dir = TestDir::new();
    dir.file("data.csv", patients(300));
    let line = "compare data.csv --quasi age,city --drop-rest --require \"k-anonymity({k})\" --grid k=3,30 --max-suppressed 0.02";
    let said = dir.run(line).done();
    for words in ["the expected share found and in NCP", "found, expected", "--max-suppressed 0.02"] {
        assert!(said.stdout.contains(words), "{words} in {}", said.stdout);
    }
}

#[test]
fn sweeps_that_make_no_sense_are_refused_with_file_and_line() {
    let dir = TestDir::new();
    dir.file("data.csv", patients(30));
    for (name, from, to, words) in [
        (
            "a",
            "method = \"angel\"",
            "method = \"angle\"",
            &["line 28", "`method`", "angle", "did you mean `angel`?"][..],
        ),
        ("b", "k-anonymity({k})", "k-anonimity({k})", &["line 23", "k-anonimity", "did you mean"]),
        ("c", "k = [3, 6]", "k = [0, 6]", &["line 23", "k-anonymity(0)"]),
        ("d", "k = [3, 6]", "k = []", &["line 24", "`k`", "no values"]),
        ("e", "l = [2, 7]", "m = [2, 7]", &["line 23", "`{l}` stands for nothing"]),
        ("f", "max_suppressed = 0.1", "max_supressed = 0.1", &["line 38", "did you mean `max_suppressed`?"]),
        ("g", "age = \"quasi\"", "aeg = \"quasi\"", &["g.toml, line ", "`aeg`", "did you mean `age`?"]),
        ("h", "path = \"data.csv\"", "path = \"-\"", &["the commands of a comparison name its data"]),
        ("i", "queries = 50", "queries = 0", &["`queries`"]),
        ("j", "path = \"data.csv\"", "path = \"nowhere.csv\"", &["nowhere.csv"]),
    ] {
        let file = format!("{name}.toml");
        assert!(SWEEP.contains(from), "{from}");
        dir.file(&file, SWEEP.replace(from, to));
        let said = dir.run(&format!("compare --job {file}")).refused(2, words);
        assert_eq!(said.stdout, "");
    }
    let line = |rest: &str| format!("compare data.csv --quasi age --sensitive disease --drop-rest {rest}");
    for (rest, words) in [
        ("--require \"k-anonymity({k})\"", &["--require", "`{k}` stands for nothing", "--grid k=2,5,10"][..]),
        ("--require \"k-anonymity(2)\" --grid k=2,3", &["--grid", "k=2, 3", "no requirement has a place"]),
        ("--require \"k-anonymity({k})\" --grid k", &["--grid", "NAME=VALUES"]),
        ("--require \"k-anonymity({k})\" --grid k=2,,3", &["--grid", "a value is empty"]),
        ("--require \"k-anonymity({k})\" --grid k=2,2", &["--grid", "twice"]),
        ("--require \"k-anonymity(2)\" --memory lots", &["--memory", "lots", "such as 4G"]),
        ("--require \"k-anonymity(2)\" --method anatomie", &["--method", "did you mean `anatomy`?"]),
        ("--require \"k-anonymity(2)\" --out data.csv", &["--out", "it is a file"]),
        ("--require \"k-anonymity(2)\" --out .", &["--out", "no part of a comparison"]),
    ] {
        dir.run(&line(rest)).refused(2, words);
    }
    dir.run("compare --job a.toml --quasi age").refused(2, &["--quasi"]);
    dir.run("compare --job .").refused(2, &["it is a directory"]);
    for (columns, words) in [
        ("--quasi age --sensitive age", &["the column is also named in --quasi"][..]),
        ("--quasi age,age --sensitive cost", &["the column is named twice in --quasi"]),
        ("--quasi age --sensitive cost --keep cost", &["the column is also named in"]),
    ] {
        dir.run(&format!("compare data.csv {columns} --drop-rest --require \"k-anonymity(2)\"")).refused(2, words);
    }
    assert!(!dir.path().join("comparison").exists());
}
