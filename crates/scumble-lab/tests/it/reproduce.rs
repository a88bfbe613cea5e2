//! Refusals, the document, pages.

use crate::support::TestDir;
use serde_json::Value;
use std::fs;

#[test]
fn papers_that_nobody_knows_are_refused() {
    let dir = TestDir::new();
    dir.run("paper6 --quick").refused(2, &["PAPER `paper6`", "paper1, paper2"]);
    dir.run("paper1 Paper2 --quick").refused(2, &["`Paper2`"]);
    assert!(dir.entries().is_empty());
}

#[test]
fn tables_without_the_columns_are_refused_with_what_is_wanted() {
    let dir = TestDir::new();
    dir.file("people.csv", "age,town,pay\n30,a,1\n31,b,2\n");
    let wanted = ["--quasi", "birthplace", "`POBP`", "`town`", "--sensitive"];
    dir.run("paper1 --data people.csv --quick").refused(2, &wanted);
    dir.run("paper1 --data people.csv --quick --quasi age,town")
        .refused(2, &["--quasi `age,town`", "3 of them", "age, birthplace, occupation"]);
    dir.run("paper1 --data people.csv --quick --quasi age,twon,pay").refused(2, &["`twon`", "did you mean `town`?"]);
    dir.run("paper1 --data nowhere.csv --quick").refused(2, &["--data `nowhere.csv`", "no such file"]);
    dir.run("paper1 --quasi age --quick").refused(2, &["--data"]);
    dir.run("paper1 paper2 --data people.csv --quasi age,town --quick")
        .refused(2, &["--quasi `age,town`", "each paper takes columns of its own", "one paper at a time"]);
    dir.file("words.csv", "age,birthplace,occupation,income\n30,a,b,much\n31,a,b,little\n");
    let said = dir.run("paper1 --data words.csv --quick").refused(2, &["column `income`", "must be numbers"]);
    assert!(!said.stderr.contains("much") && !said.stderr.contains("little"), "{}", said.stderr);
}

#[test]
fn a_quick_run_writes_pages_and_a_document() {
    let dir = TestDir::new();
    let mut people = Vec::new();
    scumble::generate(scumble::Sample::Census, 600, 4, &mut people, &mut |_| ()).unwrap();
    dir.file("people.csv", people);
    let said = dir.run("paper1 --data people.csv --quick --out pages --json").done();
    assert_eq!(said.stderr, "");
    let found = said.json();
    let paper = &found["papers"][0];
    assert_eq!((&paper["paper"], &paper["quick"]), (&Value::from("paper1"), &Value::from(true)));
    assert_eq!((&paper["data"][0]["name"], &paper["data"][0]["rows"]), (&Value::from("people.csv"), &Value::from(600)));
    let exhibits = paper["exhibits"].as_array().unwrap();
    assert_eq!(exhibits[0]["number"], "Figure 4a, w = 2");
    assert_eq!(
        (&exhibits[0]["body"]["kind"], &exhibits[0]["body"]["unit"]),
        (&Value::from("lines"), &Value::from("%"))
    );
    for claim in paper["claims"].as_array().unwrap() {
        let standing = claim["standing"].as_str().unwrap();
        assert!(["held", "not-held", "not-comparable"].contains(&standing), "{claim}");
        for part in ["place", "says", "found", "test"] {
            assert!(!claim[part].as_str().unwrap().is_empty(), "{part} of {claim}");
        }
    }
    let page = fs::read_to_string(dir.path().join("pages/paper1.html")).unwrap();
    assert!(page.contains("Figure 7b, relative") && page.contains("a first look") && !page.contains("<script"));
    let document: Value =
        serde_json::from_str(&fs::read_to_string(dir.path().join("pages/paper1.json")).unwrap()).unwrap();
    assert_eq!(&document, paper);
    // No release is left anywhere.
    assert_eq!(dir.entries(), ["pages", "people.csv"]);
}

#[test]
fn threads_do_not_change_what_is_found() {
    let dir = TestDir::new();
    let run = |threads: u32| {
        let line = format!("paper3 --quick --seed 3 --threads {threads} --out pages-{threads} --json");
        dir.run(&line).done().json()["papers"][0].clone()
    };
    let (one, two) = (run(1), run(2));
    assert_eq!(one["data"][0]["name"], "generated health");
    assert!(one["claims"].as_array().unwrap().len() > 15, "{}", one["claims"]);
    for part in ["data", "exhibits", "claims", "left_out"] {
        assert_eq!(one[part], two[part], "{part}");
    }
}
