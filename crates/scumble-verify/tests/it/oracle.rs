//! An independent program judges what we write.
//!
//! Looks for it where `SCUMBLE_ORACLE` says (a folder with `check_release.py` and `utility.py`), and
//! runs it with `SCUMBLE_PYTHON`, which needs numpy, pandas and pyarrow.
#![allow(clippy::print_stderr, reason = "a test that is skipped says so")]

mod common;

use common::{Coins, Maker, tree};
use scumble_io::NoProgress;
use scumble_release::{
    Release, ReleaseDir, TableFormat, VerifyOptions, WriteOptions, loss, release_loss, verify_table, write,
};
use scumble_table::{Kind, Role};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn oracle() -> Option<(PathBuf, PathBuf)> {
    match (std::env::var_os("SCUMBLE_ORACLE"), std::env::var_os("SCUMBLE_PYTHON")) {
        (Some(folder), Some(python)) => Some((folder.into(), python.into())),
        _ => {
            eprintln!("skipped: SCUMBLE_ORACLE and SCUMBLE_PYTHON are not set");
            None
        }
    }
}

/// Writes the release in both forms and formats and lets the oracle judge them; compares the losses if asked.
fn judge(maker: &Maker, compare_loss: bool) {
    judge_form(maker, &maker.release(), compare_loss);
    judge_form(maker, &maker.anatomized(), false);
}

fn judge_form(maker: &Maker, release: &Release, compare_loss: bool) {
    let Some((folder, python)) = oracle() else { return };
    let home = tempfile::tempdir().unwrap();
    let source = home.path().join("people_0815.csv");
    fs::write(&source, maker.source()).unwrap();
    for format in [TableFormat::Csv, TableFormat::Parquet] {
        let out = home.path().join(format!("{format:?}"));
        write(release, &out, &WriteOptions { format, replace: false, ..WriteOptions::default() }, &NoProgress).unwrap();
        let mut command = Command::new(&python);
        command.arg(folder.join("check_release.py")).arg(&out).arg("--source").arg(&source);
        // A manifest states what cells show, and that may be less than the source has.
        command.args(["--identifying", "name", "--skip", "source-domains"]);
        for requirement in &maker.requirements {
            command.args(["--require", requirement]);
        }
        let output = command.output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
        if compare_loss {
            same_loss(&folder, &python, &out, &source, release);
        }
    }
}

fn same_loss(folder: &Path, python: &Path, out: &Path, source: &Path, release: &Release) {
    let output = Command::new(python)
        .arg(folder.join("utility.py"))
        .arg(out)
        .arg("--source")
        .arg(source)
        .args(["--queries", "0", "--json"])
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let theirs: Value = serde_json::from_slice(&output.stdout).unwrap();
    let ours = loss(&ReleaseDir::open(out).unwrap(), &NoProgress).unwrap();
    assert_eq!(ours, release_loss(release).unwrap());
    let near = |ours: f64, theirs: &Value| (ours - theirs.as_f64().unwrap()).abs() < 1e-9;
    assert!(near(ours.loss, &theirs["loss"]), "{ours:?} {theirs}");
    assert!(near(ours.ncp, &theirs["ncp"]), "{ours:?} {theirs}");
    assert!(near(ours.ncp_per_attribute, &theirs["ncp_per_attribute"]));
    for attribute in &ours.by_attribute {
        assert!(near(attribute.ncp, &theirs["ncp_by_attribute"][&attribute.name]), "{ours:?} {theirs}");
    }
}

#[test]
fn numbers_and_sets() {
    let mut maker = Maker::people(400);
    maker.requirements.push("distinct-l-diversity(1)".into());
    maker.requirements.push("t-closeness(1)".into());
    judge(&maker, true);
}

#[test]
fn suppressed_rows() {
    let mut maker = Maker::people(400);
    // Rows in the middle, so that no value of the source is lost with them.
    let copied = maker.rows[196..200].to_vec();
    maker.rows[200..204].clone_from_slice(&copied);
    maker.groups[200..204].fill(None);
    let groups = maker.groups[204..].to_vec();
    maker.groups[204..].clone_from_slice(&groups.iter().map(|g| g.map(|g| g - 1)).collect::<Vec<_>>());
    judge(&maker, false);
}

/// Dates, ordered labels, decimals, nulls and two sensitive columns.
fn mixed(n: usize) -> Maker {
    let mut maker = Maker::people(n);
    let mut coins = Coins(5);
    let column = |name: &str, role, kind| (name.to_string(), role, kind);
    maker.columns.push(column("born", Role::Quasi, Kind::Date));
    maker.columns.push(column("school", Role::Quasi, Kind::Ordinal));
    maker.columns.push(column("weight", Role::Quasi, Kind::Number));
    maker.columns.push(column("pay, net", Role::Sensitive, Kind::Number));
    let levels = ["none", "some", "much", "all"];
    maker.orders.push(("school".into(), levels.map(String::from).to_vec()));
    for (at, row) in maker.rows.iter_mut().enumerate() {
        // A row that has a null has one in all the columns of its group, so that boxes stay tight.
        let null = at / 4 % 9 == 0;
        row.push(format!("19{:02}-0{}-1{}", 40 + coins.below(50), 1 + coins.below(9), coins.below(10)));
        row.push(levels[coins.below(4) as usize].into());
        row.push(if null { String::new() } else { format!("{}.5", 40 + coins.below(60)) });
        row.push(if coins.below(20) == 0 { String::new() } else { (10 * coins.below(500)).to_string() });
    }
    maker.requirements = vec![
        "k-anonymity(4)".into(),
        "illness: distinct-l-diversity(1)".into(),
        "t-closeness(1)".into(),
        "pay, net: variance(0)".into(),
    ];
    maker
}

#[test]
fn dates_orders_decimals_and_nulls() {
    judge(&mixed(400), true);
}

#[test]
fn hierarchies() {
    let mut maker = Maker::people(400);
    let ages: Vec<String> = (10..90).map(|age| format!("{age};{}-{};*", age / 10 * 10, age / 10 * 10 + 9)).collect();
    maker.hierarchies.push(("age".into(), tree(&ages.join("\n"))));
    maker.hierarchies.push(("sex".into(), tree("F;*\nM;*")));
    maker.hierarchies.push((
        "illness".into(),
        tree("flu;short;*\n\"cold\";short;*\nmumps, mild;short;*\ngout;long;*\nangina;long;*"),
    ));
    maker.requirements.push("t-closeness(1, hierarchical)".into());
    judge(&maker, false);
}

#[test]
fn our_own_verifier_agrees_that_equal_texts_are_groups() {
    let home = tempfile::tempdir().unwrap();
    let out = home.path().join("release");
    let maker = mixed(400);
    let written = write(&maker.release(), &out, &WriteOptions::default(), &NoProgress).unwrap();
    let raw = scumble_io::read(&out.join("table.csv"), &scumble_io::ReadOptions::default(), &NoProgress).unwrap();
    let plans: Vec<scumble_io::ColumnPlan> = maker
        .columns
        .iter()
        .filter(|(_, role, _)| *role != Role::Kept)
        .map(|(name, role, kind)| {
            let mut plan = scumble_io::ColumnPlan::new(name.clone(), *role);
            plan.kind = Some(if *role == Role::Quasi { Kind::Nominal } else { *kind });
            plan
        })
        .collect();
    let table = scumble_io::encode(raw, &plans, &scumble_io::EncodeOptions::default()).unwrap();
    let requirements: Vec<_> = maker.requirements.iter().map(|text| text.parse().unwrap()).collect();
    let verdict = verify_table(&table, &VerifyOptions { requirements, ..VerifyOptions::default() }).unwrap();
    assert!(verdict.ok, "{:#?}", verdict.checks);
    assert_eq!(verdict.attained, written.verdict.attained);
    assert_eq!((verdict.groups, verdict.levels), (100, written.verdict.levels));
}
