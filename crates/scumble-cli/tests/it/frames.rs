//! The tables of every form in the hands of pandas, polars, DuckDB and pyarrow: a mean takes no cast.

use crate::support::TestDir;
use serde_json::{Value, json};
use std::ffi::OsString;
use std::process::Command;

/// A Python with these packages, from SCUMBLE_PYTHON. Without one a test says so and is skipped, but not in CI.
pub(crate) fn python(packages: &str) -> Option<OsString> {
    let import = format!("import {packages}");
    let found = std::env::var_os("SCUMBLE_PYTHON").filter(|python| {
        Command::new(python).args(["-c", &import]).output().is_ok_and(|output| output.status.success())
    });
    if found.is_none() {
        assert!(std::env::var_os("CI").is_none(), "CI must read tables with {packages}: set SCUMBLE_PYTHON");
        eprintln!("there is no Python with {packages} in SCUMBLE_PYTHON: skipped");
    }
    found
}

/// Means and types of columns of files, as four engines find them.
fn read(python: &OsString, dir: &TestDir, asked: &[(String, &str)]) -> Vec<Value> {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/frames.py");
    let asked: Vec<Value> =
        asked.iter().map(|(file, column)| json!([dir.path().join(file).display().to_string(), column])).collect();
    let output = Command::new(python).arg(script).arg(json!(asked).to_string()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let Value::Array(told) = serde_json::from_slice(&output.stdout).unwrap() else { panic!() };
    told
}

/// People with whole numbers, decimals, dates and labels.
fn people(dir: &TestDir) -> Vec<(f64, f64)> {
    let rows: Vec<(u32, u32)> = (0..120).map(|i| (20 + i * 7 % 45, 10_000 + i * 37 % 900)).collect();
    let lines: String = rows
        .iter()
        .enumerate()
        .map(|(i, (age, pay))| {
            format!("{age},{},19{}-0{}-11,t{},{}.5\n", pay, 60 + i % 30, 1 + i % 9, i % 3, pay / 100)
        })
        .collect();
    dir.file("people.csv", format!("age,pay,born,town,rate\n{lines}"));
    rows.iter().map(|&(age, pay)| (f64::from(age), f64::from(pay))).collect()
}

#[test]
fn a_mean_takes_no_cast_in_any_form() {
    let Some(python) = python("pandas, polars, duckdb, pyarrow") else { return };
    let dir = TestDir::new();
    let rows = people(&dir);
    let mean = |of: fn(&(f64, f64)) -> f64| rows.iter().map(of).sum::<f64>() / rows.len() as f64;
    let (age, pay) = (mean(|row| row.0), mean(|row| row.1));
    let flags = "--quasi age,born,town --sensitive pay,rate --seed 1 --insecure-seed --allow-sets town";
    let mut asked: Vec<(String, &str)> = Vec::new();
    let mut expected: Vec<Option<f64>> = Vec::new();
    let mut ask = |file: String, column: &'static str, mean: Option<f64>| {
        asked.push((file, column));
        expected.push(mean);
    };
    for (format, intervals) in [("parquet", ""), ("csv", "--intervals columns")] {
        for (method, more) in [
            ("generalize", intervals),
            ("permute", ""),
            ("anatomy", ""),
            ("angel", &format!("{intervals} --marginal age,town")),
        ] {
            let out = format!("{method}-{format}");
            dir.run(&format!(
                "publish people.csv {flags} --method {method} {more} --require k-anonymity(4) --format {format} --out {out}"
            ))
            .done();
            let file = |table: &str| format!("{out}/{table}.{format}");
            match method {
                "generalize" => {
                    ask(file("table"), "pay", Some(pay));
                    ask(file("table"), "rate", None);
                    ask(file("table"), "age_lower", None);
                    ask(file("table"), "age_upper", None);
                }
                "permute" => {
                    ask(file("permuted"), "age", Some(age));
                    ask(file("permuted"), "pay", Some(pay));
                    ask(file("mapping-pay"), "group", None);
                    ask(file("help-pay"), "sum_lower", None);
                    ask(file("help-rate"), "max_upper", None);
                }
                "anatomy" => {
                    ask(file("qit"), "age", Some(age));
                    ask(file("st"), "count", None);
                    ask(file("st"), "rate", None);
                }
                _ => {
                    ask(file("batches"), "pay", None);
                    ask(file("generalized"), "age_upper", None);
                    ask(file("marginal-age-town"), "age_lower", None);
                }
            }
        }
    }
    for ((told, (file, column)), expected) in read(&python, &dir, &asked).iter().zip(&asked).zip(expected) {
        let means: Vec<f64> = told["means"]
            .as_object()
            .unwrap()
            .iter()
            .map(|(engine, mean)| {
                mean.as_str().unwrap().parse().unwrap_or_else(|_| panic!("{file} {column} in {engine}: {mean}"))
            })
            .collect();
        let first = expected.unwrap_or(means[0]);
        assert!(means.iter().all(|mean| (mean - first).abs() < 1e-6 * first.abs().max(1.0)), "{file} {column}: {told}");
    }
}

#[test]
fn types_of_a_parquet_source_come_back() {
    let Some(python) = python("pyarrow, pandas, polars, duckdb") else { return };
    let dir = TestDir::new();
    let program = "\
import datetime, decimal, pyarrow, pyarrow.parquet
n = range(90)
pyarrow.parquet.write_table(pyarrow.table({
    'age': pyarrow.array([20 + i * 7 % 45 for i in n], pyarrow.int16()),
    'born': pyarrow.array([datetime.date(1960, 1, 1 + i % 28) for i in n]),
    'pay': pyarrow.array([decimal.Decimal(1000 + i) / 4 for i in n], pyarrow.decimal128(9, 2)),
    'rate': pyarrow.array([i / 8 for i in n], pyarrow.float32()),
    'seen': pyarrow.array([datetime.datetime(2024, 1, 1, 10, i % 7) for i in n], pyarrow.timestamp('us')),
    'smoker': pyarrow.array([i % 3 == 0 for i in n]),
    'town': pyarrow.array(['t%d' % (i % 2) for i in n]),
}), 'people.parquet')";
    let made = Command::new(&python).args(["-c", program]).current_dir(dir.path()).output().unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    dir.run(
        "publish people.parquet --quasi age,born,town --sensitive pay,rate --keep seen,smoker --accept-keep seen,smoker \
         --require k-anonymity(5) --format parquet --seed 1 --out release",
    )
    .done();
    let program = "\
import pyarrow.parquet
schema = pyarrow.parquet.read_schema('release/table.parquet')
print({name: str(schema.field(name).type) for name in schema.names})";
    let read = Command::new(&python).args(["-c", program]).current_dir(dir.path()).output().unwrap();
    let said = String::from_utf8_lossy(&read.stdout).into_owned();
    for expected in [
        "'age_lower': 'int16'",
        "'age_upper': 'int16'",
        "'born_lower': 'date32[day]'",
        "'pay': 'decimal128(9, 2)'",
        "'rate': 'float'",
        "'seen': 'timestamp[us]'",
        "'smoker': 'bool'",
        "'town': 'string'",
    ] {
        assert!(said.contains(expected), "{expected}: {said}");
    }
}

/// The fenced blocks of a page, each with its language.
fn blocks(page: &str) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    let mut inside = false;
    for line in page.lines() {
        match line.strip_prefix("```") {
            Some(_) if inside => inside = false,
            Some(language) => {
                inside = true;
                found.push((language.into(), String::new()));
            }
            None if inside => found.last_mut().unwrap().1.push_str(&format!("{line}\n")),
            None => {}
        }
    }
    found
}

#[test]
fn the_page_about_the_use_of_a_release_runs() {
    let Some(python) = python("pandas, polars, duckdb, pyarrow, sklearn, numpy") else { return };
    let page = include_str!("../../../../docs/manual/src/guides/use-a-release.md");
    let (dir, blocks) = (TestDir::new(), blocks(page));
    let of = |language: &'static str| {
        blocks.iter().filter(move |(known, _)| known == language).map(|(_, text)| text.clone())
    };
    for block in of("console") {
        for command in block.replace("\\\n", " ").lines().filter_map(|line| line.strip_prefix("$ scumble ")) {
            dir.run(command).done();
        }
    }
    let run = |program: &str| {
        let output = Command::new(&python).args(["-c", program]).current_dir(dir.path()).output().unwrap();
        assert!(output.status.success(), "{program}\n{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    // The blocks of Python are one program, and the slope of incomes over ages is a number.
    let program = of("python").collect::<String>() + "\nprint('slope', float(slope))\n";
    let said = run(&program);
    let slope = said.lines().find_map(|line| line.strip_prefix("slope ")).unwrap();
    assert!(slope.parse::<f64>().unwrap().is_finite(), "{said}");
    let statements: Vec<String> = of("sql").collect();
    assert_eq!(statements.len(), 2);
    for statement in statements {
        let said = run(&format!("import duckdb\nprint(duckdb.sql({}).fetchall())", json!(statement)));
        assert!(said.starts_with("[("), "{said}");
    }
    assert!(of("r").count() == 1 && of("python").count() == 4);
}
