//! `scumble query`: the program's way of asking, and answers compared with the independent checker.

use crate::permute::FIGURE_1;
use crate::support::{CommandOutput, TestDir};
use serde_json::Value;
use std::path::Path;
use std::process::{Command, Stdio};

const NINE: &str = "publish nine.csv --identifying name --quasi age,zipcode,gender --sensitive salary --algorithm mondrian \
                    --profile max-utility --require k-anonymity(3)";

/// The paper's table, permuted.
fn nine() -> TestDir {
    let dir = TestDir::new();
    dir.file("nine.csv", FIGURE_1);
    dir.run(&format!("{NINE} --method permute --out r")).done();
    dir
}

fn ask(dir: &TestDir, release: &str, sql: &str, more: &[&str]) -> CommandOutput {
    CommandOutput::from(dir.command().args(["query", release, sql]).args(more).output().unwrap())
}

#[test]
fn answers_as_table_csv_and_document() {
    let dir = nine();
    let sql = "SELECT gender, SUM(salary) AS total FROM release WHERE age BETWEEN 35 AND 55 GROUP BY gender";
    let words = ask(&dir, "r", sql, &[]);
    assert_eq!(words.code, 0, "{}", words.stderr);
    let lines: Vec<&str> = words.stdout.lines().collect();
    assert!(lines[0].contains("gender") && lines[0].contains("lower") && lines[0].contains("deviation"), "{lines:?}");
    assert!(lines[1].trim_start().starts_with("F") && lines[1].contains("total"), "{lines:?}");
    let csv = ask(&dir, "r", sql, &["--csv"]);
    assert!(csv.stdout.starts_with("gender,aggregate,lower,upper,estimate,deviation\nF,total,"), "{}", csv.stdout);
    let document: Value = serde_json::from_str(&ask(&dir, "r", sql, &["--json"]).stdout).unwrap();
    let first = &document["rows"][0];
    assert_eq!(first["keys"]["gender"], "F");
    assert_eq!(first["answers"][0]["aggregate"], "sum(salary)");
    assert!(first["answers"][0]["lower"].as_f64() <= first["answers"][0]["estimate"].as_f64());
    assert!(document["sql"][0].as_str().unwrap().contains("\"help\""), "{document}");
    let confident = ask(&dir, "r", sql, &["--confidence", "0.9", "--json"]);
    let document: Value = serde_json::from_str(&confident.stdout).unwrap();
    assert_eq!(document["rows"][0]["answers"][0]["interval"]["normal"].as_array().unwrap().len(), 2);
}

#[test]
fn statements_come_from_standard_input_and_are_explained() {
    let dir = nine();
    let piped = |text: &str, arguments: &[&str]| {
        let mut child = dir
            .command()
            .args(["query", "r"])
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        std::io::Write::write_all(&mut child.stdin.take().unwrap(), text.as_bytes()).unwrap();
        CommandOutput::from(child.wait_with_output().unwrap())
    };
    let two = piped("SELECT COUNT(*)\nFROM release;\nSELECT MAX(salary) FROM release;\n", &["--csv"]);
    assert_eq!(two.code, 0, "{}", two.stderr);
    assert!(
        two.stdout.contains("count(*),9,9,9,0") && two.stdout.contains("max(salary),85000,85000"),
        "{}",
        two.stdout
    );
    let several = piped("SELECT COUNT(*) FROM release;\nSELECT COUNT(*) FROM release;\n", &["--json"]);
    assert_eq!(several.code, 2, "{}", several.stdout);
    assert_eq!(piped("\n", &[]).code, 2);
    for dialect in ["postgres", "duckdb", "datafusion", "ansi"] {
        let said =
            ask(&dir, "r", "SELECT AVG(salary) FROM release WHERE age > 50", &["--explain", "--dialect", dialect]);
        assert!(said.stdout.starts_with("WITH hits AS") && said.stdout.trim_end().ends_with(';'), "{}", said.stdout);
    }
}

#[test]
fn what_cannot_be_asked_is_refused_with_a_hint() {
    let dir = nine();
    for (sql, reason) in [
        ("SELECT salary FROM release", "whose value is whose"),
        ("SELECT COUNT(*) FROM release; DROP TABLE release", "one SELECT"),
        ("SELECT AVG(wage) FROM release", "no such column"),
        ("SELECT AVG(salary) FROM release WHERE agee > 3", "did you mean `age`"),
    ] {
        let said = ask(&dir, "r", sql, &[]);
        assert_eq!(said.code, 2, "{sql}");
        assert!(said.stderr.contains(reason) && said.stdout.is_empty(), "{sql}: {}", said.stderr);
        let said = ask(&dir, "r", sql, &["--json"]);
        let document: Value = serde_json::from_str(&said.stdout).unwrap();
        assert_eq!(document["error"]["kind"], "request");
    }
    assert_eq!(ask(&dir, "r", "SELECT COUNT(*) FROM release", &["--confidence", "1.2"]).code, 2);
    assert_eq!(ask(&dir, "nothing", "SELECT COUNT(*) FROM release", &[]).code, 2);
    std::fs::write(dir.path().join("r/help.csv"), "group,hits\n").unwrap();
    let said = ask(&dir, "r", "SELECT COUNT(*) FROM release", &[]);
    assert_eq!(said.code, 1, "{}", said.stderr);
    assert!(said.stderr.contains("help.csv"), "{}", said.stderr);
}

/// Puts a question to the program and to the checker, which must agree on every figure. `people` and `pay` are the
/// conditions in the checker's own language.
fn compared(dir: &TestDir, release: &str, sql: &str, oracle: &[&str]) {
    let Some((folder, python)) = crate::oracle_place::oracle() else { return };
    let said = ask(dir, release, sql, &["--json"]);
    assert_eq!(said.code, 0, "{sql}: {}", said.stderr);
    let answer = dir.file("answer.json", &said.stdout);
    let output = Command::new(python)
        .arg(Path::new(&folder).join("query_oracle.py"))
        .arg(dir.path().join(release))
        .args(oracle)
        .arg("--compare")
        .arg(&answer)
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{sql}: {told}\n{}", said.stdout);
}

#[test]
fn the_checker_agrees() {
    let dir = TestDir::new();
    dir.run("generate census --rows 3000 --out census.csv").done();
    let line = "publish census.csv --quasi age,gender,education,race --sensitive income --drop-rest";
    dir.run(&format!("{line} --require \"ke-anonymity(4, 1000)\" --out p")).done();
    dir.run(&format!("{line} --method anatomy --require k-anonymity(5) --out a")).done();
    dir.run(&format!("{line} --require k-anonymity(5) --out g")).done();
    for release in ["p", "a", "g"] {
        for aggregate in ["count", "sum", "avg", "min", "max"] {
            let call = if aggregate == "count" { "COUNT(*)".to_string() } else { format!("{aggregate}(income)") };
            let of = ["--aggregate", aggregate, "--column", "income"];
            for (sql, people) in [
                ("age > 50", "age > 50"),
                ("age BETWEEN 30 AND 45 AND gender = 'female'", "age >= 30 and age <= 45 and gender == 'female'"),
            ] {
                let question = format!("SELECT {call} FROM release WHERE {sql}");
                compared(&dir, release, &question, &[&of[..], &["--where", people]].concat());
                let question = format!("{question} AND income > 30000");
                let oracle = [&of[..], &["--where", people, "--where-sensitive", "income > 30000"]].concat();
                compared(&dir, release, &question, &oracle);
            }
            if release != "g" {
                let question = format!("SELECT gender, {call} FROM release WHERE age < 40 GROUP BY gender");
                compared(
                    &dir,
                    release,
                    &question,
                    &[&of[..], &["--where", "age < 40", "--group-by", "gender"]].concat(),
                );
            }
        }
    }
}

/// Runs a statement over the CSV files of a release in DuckDB, and prints its rows as JSON.
const DUCKDB: &str = "
import duckdb, glob, json, os, sys
db = duckdb.connect()
for f in glob.glob(os.path.join(sys.argv[1], '*.csv')):
    name = os.path.splitext(os.path.basename(f))[0]
    db.execute(f'CREATE TABLE \"{name}\" AS SELECT * FROM read_csv(?, header=true)', [f])
r = db.execute(sys.argv[2])
names = [d[0] for d in r.description]
print(json.dumps([{n: (v if v is None or isinstance(v, str) else float(v)) for n, v in zip(names, row)} for row in r.fetchall()]))
";

#[test]
fn duckdb_gives_the_same_bounds() {
    let python = std::env::var_os("SCUMBLE_PYTHON");
    let there = |python: &std::ffi::OsString| {
        Command::new(python).args(["-c", "import duckdb"]).output().is_ok_and(|o| o.status.success())
    };
    let Some(python) = python.filter(|python| there(python)) else {
        eprintln!("there is no Python with duckdb in SCUMBLE_PYTHON: skipped");
        return;
    };
    let dir = TestDir::new();
    dir.run("generate census --rows 800 --out census.csv").done();
    let line = "publish census.csv --quasi age,gender,education --sensitive income --drop-rest";
    dir.run(&format!("{line} --require \"ke-anonymity(4, 1000)\" --out p")).done();
    dir.run(&format!("{line} --method anatomy --require k-anonymity(5) --out a")).done();
    dir.run(&format!("{line} --require k-anonymity(5) --out g")).done();
    let all = "COUNT(*), SUM(income), AVG(income), MIN(income), MAX(income)";
    for release in ["p", "a", "g"] {
        for sql in [
            format!("SELECT {all} FROM release WHERE age > 50"),
            format!("SELECT {all} FROM release WHERE age BETWEEN 30 AND 50 AND gender = 'male' AND income > 30000"),
            format!("SELECT gender, {all} FROM release WHERE age < 40 GROUP BY gender"),
        ] {
            if release == "g" && sql.contains("GROUP BY") {
                continue;
            }
            let said = ask(&dir, release, &sql, &["--json", "--dialect", "duckdb"]);
            let answer: Value = serde_json::from_str(&said.stdout).unwrap();
            let mut found = serde_json::Map::new();
            for statement in answer["sql"].as_array().unwrap() {
                let output = Command::new(&python)
                    .args(["-c", DUCKDB, release, statement.as_str().unwrap()])
                    .current_dir(dir.path())
                    .output()
                    .unwrap();
                let told = String::from_utf8_lossy(&output.stderr);
                assert!(output.status.success(), "{statement}\n{told}");
                for row in serde_json::from_slice::<Vec<serde_json::Map<String, Value>>>(&output.stdout).unwrap() {
                    let key = row.get("gender").map_or(String::new(), ToString::to_string);
                    found.extend(row.into_iter().map(|(name, value)| (format!("{key}{name}"), value)));
                }
            }
            for row in answer["rows"].as_array().unwrap() {
                let key = row["keys"].get("gender").map_or(String::new(), ToString::to_string);
                for figure in row["answers"].as_array().unwrap() {
                    for end in ["lower", "upper"] {
                        let name = format!("{key}{} {end}", figure["aggregate"].as_str().unwrap());
                        let (got, wanted) = (found[&name].as_f64().unwrap(), figure[end].as_f64().unwrap());
                        assert!(
                            (got - wanted).abs() <= 1e-9 * wanted.abs().max(1.0),
                            "{release} {sql} {name}: {got} {wanted}"
                        );
                    }
                }
            }
        }
    }
}
