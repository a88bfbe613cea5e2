//! The other commands.

use crate::support::{TestDir, patients};
use std::fs;

#[test]
fn generate_is_deterministic_and_prefix_stable() {
    let dir = TestDir::new();
    for sample in ["census", "occupation", "health", "salaries"] {
        dir.run(&format!("generate {sample} --rows 5000 --seed 3 --out {sample}.csv")).done();
        let more = dir.run(&format!("generate {sample} --rows 9000 --seed 3 --threads 1 --out -")).done().stdout;
        let fewer = fs::read_to_string(dir.path().join(format!("{sample}.csv"))).unwrap();
        assert!(more.starts_with(&fewer), "{sample}");
        assert_eq!(fewer.lines().count(), 5001);
        assert_ne!(dir.run(&format!("generate {sample} --rows 5000 --seed 4 --out -")).done().stdout, fewer);
    }
    dir.run("generate census --rows 5 --out census.csv").refused(2, &["exists already", "--replace"]);
    dir.run("generate census --rows 5 --out census.csv --replace").done();
    dir.run("generate nobody --out x.csv").refused(2, &["nobody", "census"]);
    dir.run("generate census --rows 5 --out no/where.csv").refused(2, &["no/where.csv"]);
}

#[test]
fn inspect_profiles_and_proposes() {
    let dir = TestDir::new();
    dir.file("data.csv", patients(300));
    let document = dir.run("inspect data.csv --json").done().json();
    assert_eq!(document["rows"], 300);
    let column =
        |name: &str| document["columns"].as_array().unwrap().iter().find(|c| c["name"] == name).unwrap().clone();
    assert_eq!(column("name")["proposal"], "identifying");
    assert_eq!(column("disease")["proposal"], "sensitive");
    assert_eq!(column("age")["type"], "number");
    assert_eq!((column("age")["min"].as_str(), column("age")["max"].as_str()), (Some("20"), Some("79")));
    assert_eq!(column("city")["distinct"], 2);
    // Every age and city comes several times.
    assert_eq!((&document["sets"], &document["sets_examined"]), (&serde_json::json!([]), &serde_json::json!(1)));
    let said = dir.run("inspect data.csv").done();
    assert!(said.stdout.contains("looked at: 1; none tells more rows apart"), "{}", said.stdout);
    dir.file("job.toml", "");
    dir.run("inspect data.csv --job-out job.toml").refused(2, &["exists already"]);
    dir.run("inspect data.csv --job-out data.csv --replace").refused(2, &["the data itself"]);
}

#[test]
fn verify_judges_tables_of_other_tools() {
    let dir = TestDir::new();
    dir.file("t.csv", "age;zip;pay\n[20,30];021*;10\n[20,30];021*;20\n[20,30];021*;10\n;021*;30\n;021*;40\n");
    let line = "verify t.csv --quasi age,zip --sensitive pay --require";
    let said = dir.run(&format!("{line} k-anonymity(2)")).done();
    for words in ["k-anonymity(2)", "distinct-l-diversity(2)", "frequency-l-diversity(1.5)", "t-closeness", "variance"]
    {
        assert!(said.stdout.contains(words), "{words}: {}", said.stdout);
    }
    let said = dir.run(&format!("{line} k-anonymity(3) --json"));
    assert_eq!(said.code, 1);
    assert_eq!(said.json()["ok"], false);
    dir.run("verify t.csv --quasi age --sensitive zip --require \"t-closeness(0.1, ordered)\"")
        .refused(2, &["zip", "--order"]);
    dir.run("verify t.csv").refused(2, &["--quasi"]);
    dir.run("verify t.csv --quasi age,zp").refused(2, &["did you mean `zip`?"]);
    dir.run("verify nothing-there --quasi age").refused(2, &["nothing-there", "no such file"]);
}

#[test]
fn verify_notices_what_was_done_to_a_release() {
    let dir = TestDir::new();
    dir.file("data.csv", patients(200));
    dir.run("publish data.csv --quasi age,city --sensitive disease --drop-rest --require k-anonymity(4) --out release")
        .done();
    let path = dir.path().join("release/table.csv");
    let good = fs::read_to_string(&path).unwrap();
    let said = dir.run("verify release --require k-anonymity(150)");
    assert_eq!(said.code, 1, "{}", said.stdout);
    fs::write(&path, good.replacen("flu", "gout", 1)).unwrap();
    let said = dir.run("verify release");
    assert_eq!(said.code, 1);
    assert!(said.stdout.contains("FAIL tables-intact"), "{}", said.stdout);
    fs::remove_file(&path).unwrap();
    assert_eq!(dir.run("verify release").code, 1);
    fs::remove_file(dir.path().join("release/manifest.json")).unwrap();
    dir.run("verify release").refused(2, &["not a release"]);
}

#[test]
fn methods_lists_what_help_names() {
    let dir = TestDir::new();
    let words = dir.run("methods").done().stdout;
    let document: serde_json::Value = serde_json::from_str(&dir.run("methods --json").done().stdout).unwrap();
    let help = dir.run("publish --help").done().stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    for list in ["methods", "algorithms"] {
        for entry in document[list].as_array().unwrap() {
            let name = entry["name"].as_str().unwrap();
            assert!(words.contains(&format!("\n  {name}\n      ")), "{name}");
            // What cannot be published is not offered.
            assert!(help.contains(name) || entry["methods"] == serde_json::json!([]), "{name}");
        }
    }
    assert_eq!(document["methods"].as_array().unwrap().len(), 5);
    assert_eq!(document["comparisons"][0]["name"], "perturbation");
}

#[test]
fn man_pages_and_completions_cover_every_command() {
    let dir = TestDir::new();
    dir.run("man --out man").done();
    for command in ["publish", "verify", "inspect", "advise", "generate"] {
        let page = fs::read_to_string(dir.path().join(format!("man/scumble-{command}.1"))).unwrap();
        assert!(page.contains("Examples") || page.contains("EXTRA"), "{command}");
        assert!(dir.run("completions bash").done().stdout.contains(command));
    }
}
