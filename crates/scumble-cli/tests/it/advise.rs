//! `scumble advise`: its answers beside those of the independent checker, and what it refuses.

use crate::support::{TestDir, data, patients};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use std::process::Command;

const TABLE_1: &str = "name,pay\nA,1000\nB,1010\nC,1020\nD,16000\nE,24000\nF,31000\nG,33000\nH,50000\n";

fn prepared_dir() -> TestDir {
    let dir = TestDir::new();
    dir.file("t.csv", TABLE_1);
    dir
}

#[test]
fn paper1_running_example() {
    let dir = prepared_dir();
    let answer = dir.run("advise t.csv --sensitive pay --epsilon 20 --json").done().json();
    assert_eq!(answer, json!({"column": "pay", "rows": 8, "missing": 0, "epsilon": "20", "maxsize": 3, "m_max": 2}));
    let answer = dir.run("advise t.csv --sensitive pay --m 3 --json").done().json();
    assert_eq!(
        answer,
        json!({
            "column": "pay", "rows": 8, "missing": 0, "m": 3,
            "epsilon_supremum": "20", "epsilon_largest": "19",
            "relative_supremum": "0.019607843137", "relative_supremum_exact": "1/51", "relative_largest": "0.0196",
        })
    );
    let said = dir.run("advise t.csv --sensitive pay --epsilon 20 --m 3 --json");
    assert_eq!(said.code, 1, "what cannot be had is a no");
    let answer = said.json();
    assert_eq!(answer["achievable"], false);
    assert_eq!(answer["nearest"]["m"], 2);
    assert_eq!(answer["nearest"]["epsilon"], "19");
    for requirement in answer["nearest"]["requirements"].as_array().unwrap() {
        let requirement = requirement.as_str().unwrap();
        let (epsilon, m) = requirement["proximity-absolute(".len()..].trim_end_matches(')').split_once(", ").unwrap();
        let again = dir.run(&format!("advise t.csv --sensitive pay --epsilon {epsilon} --m {m} --json")).done().json();
        assert_eq!(again["achievable"], true, "{requirement}");
    }
    let answer = dir.run("advise t.csv --sensitive pay --m 1 --json").done().json();
    assert_eq!((&answer["epsilon_supremum"], &answer["relative_supremum"]), (&Value::Null, &Value::Null));
}

#[test]
fn an_m_that_goes_with_no_epsilon_is_a_no() {
    let dir = prepared_dir();
    dir.file("ties.csv", "pay\n5\n5\n5\n7\n8\n9\n10\n11\n");
    for (file, m, most) in [("t.csv", 9, 8), ("ties.csv", 3, 2)] {
        let said = dir.run(&format!("advise {file} --sensitive pay --m {m} --json"));
        assert_eq!(said.code, 1, "{}", said.stderr);
        let answer = said.json();
        assert_eq!((&answer["achievable"], &answer["m_max"]), (&json!(false), &json!(most)));
        let nearest = [format!("proximity-absolute(0, {most})"), format!("proximity-relative(0, {most})")];
        assert_eq!(answer["nearest"], json!({"m": most, "epsilon": null, "requirements": nearest}));
        assert_eq!(answer["epsilon_supremum"], "0");
        let said = dir.run(&format!("advise {file} --sensitive pay --m {m}"));
        let words = format!("m = {m} goes with no epsilon, whatever the grouping: the largest m is {most}");
        assert!(said.code == 1 && said.stdout.contains(&words), "{}", said.stdout);
        let answer = dir.run(&format!("advise {file} --sensitive pay --m {most} --json")).done().json();
        assert_eq!((answer.get("achievable"), answer.get("m_max")), (None, None));
    }
}

#[test]
fn the_trade_off_and_its_page() {
    let dir = prepared_dir();
    let answer = dir.run("advise t.csv --sensitive pay --json").done().json();
    let absolute = answer["curve"]["absolute"].as_array().unwrap();
    assert_eq!(absolute[0], json!({"epsilon": "0", "maxsize": 1, "m_max": 8}));
    assert!(absolute.contains(&json!({"epsilon": "20", "maxsize": 3, "m_max": 2})), "{absolute:?}");
    assert!(answer["curve"]["relative"].as_array().unwrap().len() > 10);
    let said = dir.run("advise t.csv --sensitive pay --m 3 --report advice.html").done();
    assert!(said.stdout.contains("advice.html"), "{}", said.stdout);
    let page = fs::read_to_string(dir.path().join("advice.html")).unwrap();
    for words in ["not for publication", "for the publisher only", "<svg", "1&#47;51", "Largest m, absolute epsilon"] {
        assert!(page.contains(words), "{words}");
    }
    dir.run("advise t.csv --sensitive pay --report advice.html").refused(2, &["exists already", "--replace"]);
    dir.run("advise t.csv --sensitive pay --report advice.html --replace").done();
    dir.run("advise t.csv --sensitive pay --report t.csv --replace").refused(2, &["the data itself"]);
    assert_eq!(dir.entries(), ["advice.html", "t.csv"]);
    dir.run("advise t.csv --sensitive pay --report no/where.html")
        .refused(2, &["no/where.html", "there is no folder `no`"]);
    assert_eq!(fs::read_to_string(dir.path().join("t.csv")).unwrap(), TABLE_1);
}

#[test]
fn missing_numbers_are_counted_apart() {
    let dir = TestDir::new();
    dir.file("t.csv", "pay;id\n1;a\n;b\nn/a;c\n5;d\n");
    dir.run("advise t.csv --sensitive pay --m 2").refused(2, &["the column is nominal", "--null"]);
    let answer = dir.run("advise t.csv --sensitive pay --m 2 --null n/a --json").done().json();
    assert_eq!((&answer["rows"], &answer["missing"]), (&json!(2), &json!(2)));
    assert_eq!(answer["epsilon_largest"], "3");
    let said = dir.run("advise t.csv --sensitive pay --m 2 --null n/a").done();
    assert!(said.stdout.contains("2 rows have none and are left out here"), "{}", said.stdout);
}

#[test]
fn wrong_questions_are_refused() {
    let dir = TestDir::new();
    dir.file("data.csv", patients(30));
    for (line, words) in [
        ("advise data.csv --sensitive coast", ["there is no such column", "did you mean `cost`?"]),
        ("advise data.csv --sensitive disease", ["advice is about numbers", "the column is nominal"]),
        ("advise data.csv", ["--sensitive", "required"]),
        ("advise data.csv --sensitive cost --epsilon -1", ["--epsilon `-1`", "a number, 0 or more"]),
        ("advise data.csv --sensitive cost --epsilon much", ["--epsilon `much`", "an exact decimal is wanted"]),
        ("advise data.csv --sensitive cost --relative 1", ["--relative `1`", "from 0 to below 1"]),
        ("advise data.csv --sensitive cost --relative -0.1", ["--relative `-0.1`", "from 0 to below 1"]),
        ("advise data.csv --sensitive cost --relative 0.1 --epsilon 5", ["--relative", "one of them at a time"]),
        ("advise data.csv --sensitive cost --m 0", ["--m `0`", "a whole number, 1 or more"]),
        ("advise data.csv --sensitive cost --m 2.5", ["--m `2.5`", "a whole number, 1 or more"]),
        ("advise data.csv --sensitive cost --m -3", ["--m `-3`", "a whole number, 1 or more"]),
        ("advise nobody.csv --sensitive cost", ["nobody.csv", "no such file"]),
        ("advise data.csv --sensitive cost --delimiter xx", ["--delimiter", "one ASCII character"]),
        ("advise data.csv --sensitive cost --replace", ["--replace", "--report"]),
    ] {
        dir.run(line).refused(2, &words);
    }
    dir.file("empty.csv", "pay\n");
    dir.run("advise empty.csv --sensitive pay").refused(2, &["empty.csv", "no rows"]);
    assert_eq!(dir.entries(), ["data.csv", "empty.csv"]);
}

/// Asks the independent checker the same; `None` where there is none.
fn checker(file: &Path, column: &str, arguments: &[&str]) -> Option<Value> {
    let (folder, python) = crate::oracle_place::oracle()?;
    let mut command = Command::new(python);
    let output = command.arg(Path::new(&folder).join("em_bounds.py")).arg(file).arg("--column").arg(column);
    let output = output.args(arguments).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(serde_json::from_slice(&output.stdout).unwrap())
}

/// Whether two texts or numbers denote about the same number.
fn same(ours: &Value, theirs: &Value) -> bool {
    let number = |value: &Value| value.as_f64().or_else(|| value.as_str()?.parse().ok());
    match (number(ours), number(theirs)) {
        (Some(a), Some(b)) => (a - b).abs() <= 1e-9 * b.abs().max(1e-3),
        (a, b) => a == b,
    }
}

/// Asks both the same, an epsilon, a share and an m at a time.
fn compared(dir: &TestDir, file: &Path, column: &str, questions: &[(&str, &str, u64)]) {
    let ask = |flag: &str, value: &str| {
        let mut command = dir.command();
        let command = command.arg("advise").arg(file).args(["--sensitive", column, "--json", flag, value]);
        serde_json::from_slice::<Value>(&command.output().unwrap().stdout).unwrap()
    };
    for &(epsilon, relative, m) in questions {
        let m = m.to_string();
        let asked = ["--epsilon", epsilon, "--relative", relative, "--m", &m];
        let Some(theirs) = checker(file, column, &asked) else { return };
        let ours = ask("--epsilon", epsilon);
        for (name, their) in [("rows", "rows"), ("maxsize", "maxsize"), ("m_max", "max_m")] {
            assert_eq!(ours[name], theirs[their], "{name} at {epsilon}");
        }
        let ours = ask("--relative", relative);
        assert_eq!(ours["maxsize"], theirs["relative_maxsize"], "relative {relative}");
        assert_eq!(ours["m_max"], theirs["relative_max_m"], "relative {relative}");
        let ours = ask("--m", &m);
        assert!(same(&ours["epsilon_supremum"], &theirs["sup_epsilon"]), "m {m}: {ours} {theirs}");
        if theirs.get("sup_relative").is_some() {
            assert!(same(&ours["relative_supremum"], &theirs["sup_relative"]), "m {m}: {ours} {theirs}");
            if !ours["relative_supremum_exact"].is_null() {
                assert_eq!(ours["relative_supremum_exact"], theirs["sup_relative_exact"], "m {m}");
            }
        }
    }
}

#[test]
fn the_checker_agrees() {
    let dir = prepared_dir();
    let questions = [("0", "0", 1), ("9.99", "0.0098", 2), ("10", "0.01", 3), ("20", "0.125", 8), ("10000", "0.5", 9)];
    compared(&dir, &dir.path().join("t.csv"), "pay", &questions);
    let patients = dir.file("patients.csv", patients(400));
    let questions = [("0", "0", 2), ("0.01", "0.001", 7), ("12.34", "0.125", 100), ("100", "0.9", 401)];
    compared(&dir, &patients, "cost", &questions);
    dir.run("generate census --rows 4000 --out census.csv").done();
    let questions = [("0", "0.01", 2), ("4500", "0.125", 5), ("1000.5", "0.5", 50)];
    compared(&dir, &dir.path().join("census.csv"), "income", &questions);
}

#[test]
fn the_checker_agrees_on_census_incomes() {
    let Some(file) = data("acs2024/acs2024_sal_like_500000.csv.gz") else { return };
    compared(&TestDir::new(), &file, "PINCP", &[("4500", "0.125", 5)]);
}
