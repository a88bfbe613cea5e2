//! The other commands.

use crate::support::{Desk, patients};
use std::fs;

#[test]
fn generate_is_deterministic_and_prefix_stable() {
    let desk = Desk::new();
    for sample in ["census", "occupation", "health", "salaries"] {
        desk.run(&format!("generate {sample} --rows 5000 --seed 3 --out {sample}.csv")).done();
        let more = desk.run(&format!("generate {sample} --rows 9000 --seed 3 --threads 1 --out -")).done().stdout;
        let fewer = fs::read_to_string(desk.path().join(format!("{sample}.csv"))).unwrap();
        assert!(more.starts_with(&fewer), "{sample}");
        assert_eq!(fewer.lines().count(), 5001);
        assert_ne!(desk.run(&format!("generate {sample} --rows 5000 --seed 4 --out -")).done().stdout, fewer);
    }
    desk.run("generate census --rows 5 --out census.csv").refused(2, &["exists already", "--replace"]);
    desk.run("generate census --rows 5 --out census.csv --replace").done();
    desk.run("generate nobody --out x.csv").refused(2, &["nobody", "census"]);
    desk.run("generate census --rows 5 --out no/where.csv").refused(3, &["no/where.csv"]);
}

#[test]
fn inspect_profiles_and_proposes() {
    let desk = Desk::new();
    desk.file("data.csv", patients(300));
    let document = desk.run("inspect data.csv --json").done().json();
    assert_eq!(document["rows"], 300);
    let column =
        |name: &str| document["columns"].as_array().unwrap().iter().find(|c| c["name"] == name).unwrap().clone();
    assert_eq!(column("name")["proposal"], "identifying");
    assert_eq!(column("disease")["proposal"], "sensitive");
    assert_eq!(column("age")["type"], "number");
    assert_eq!((column("age")["min"].as_str(), column("age")["max"].as_str()), (Some("20"), Some("79")));
    assert_eq!(column("city")["distinct"], 2);
    assert!(
        document["sets"].as_array().unwrap().iter().any(|set| set["columns"] == serde_json::json!(["age", "city"]))
    );
    desk.file("job.toml", "");
    desk.run("inspect data.csv --job-out job.toml").refused(2, &["exists already"]);
    desk.run("inspect data.csv --job-out data.csv --replace").refused(2, &["the data itself"]);
}

#[test]
fn verify_judges_tables_of_other_tools() {
    let desk = Desk::new();
    desk.file("t.csv", "age;zip;pay\n[20,30];021*;10\n[20,30];021*;20\n[20,30];021*;10\n;021*;30\n;021*;40\n");
    let line = "verify t.csv --quasi age,zip --sensitive pay --require";
    let said = desk.run(&format!("{line} k-anonymity(2)")).done();
    for words in ["k-anonymity(2)", "distinct-l-diversity(2)", "frequency-l-diversity(1.5)", "t-closeness", "variance"]
    {
        assert!(said.stdout.contains(words), "{words}: {}", said.stdout);
    }
    let said = desk.run(&format!("{line} k-anonymity(3) --json"));
    assert_eq!(said.code, 1);
    assert_eq!(said.json()["ok"], false);
    desk.run("verify t.csv --quasi age --sensitive zip --require \"t-closeness(0.1, ordered)\"")
        .refused(2, &["zip", "--order"]);
    desk.run("verify t.csv").refused(2, &["--quasi"]);
    desk.run("verify t.csv --quasi age,zp").refused(2, &["did you mean `zip`?"]);
    desk.run("verify nothing-there --quasi age").refused(2, &["nothing-there", "no such file"]);
}

#[test]
fn verify_notices_what_was_done_to_a_release() {
    let desk = Desk::new();
    desk.file("data.csv", patients(200));
    desk.run(
        "publish data.csv --quasi age,city --sensitive disease --drop-rest --require k-anonymity(4) --out release",
    )
    .done();
    let path = desk.path().join("release/table.csv");
    let good = fs::read_to_string(&path).unwrap();
    let said = desk.run("verify release --require k-anonymity(150)");
    assert_eq!(said.code, 1, "{}", said.stdout);
    fs::write(&path, good.replacen("flu", "gout", 1)).unwrap();
    let said = desk.run("verify release");
    assert_eq!(said.code, 1);
    assert!(said.stdout.contains("FAIL tables-intact"), "{}", said.stdout);
    fs::remove_file(&path).unwrap();
    assert_eq!(desk.run("verify release").code, 1);
    fs::remove_file(desk.path().join("release/manifest.json")).unwrap();
    desk.run("verify release").refused(2, &["not a release"]);
}

#[test]
fn methods_lists_what_help_names() {
    let desk = Desk::new();
    let words = desk.run("methods").done().stdout;
    let document: serde_json::Value = serde_json::from_str(&desk.run("methods --json").done().stdout).unwrap();
    let help = desk.run("publish --help").done().stdout.split_whitespace().collect::<Vec<_>>().join(" ");
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
    let desk = Desk::new();
    desk.run("man --out man").done();
    for command in ["publish", "verify", "inspect", "advise", "generate"] {
        let page = fs::read_to_string(desk.path().join(format!("man/scumble-{command}.1"))).unwrap();
        assert!(page.contains("Examples") || page.contains("EXTRA"), "{command}");
        assert!(desk.run("completions bash").done().stdout.contains(command));
    }
}
