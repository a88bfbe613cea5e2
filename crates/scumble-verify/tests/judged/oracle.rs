//! An independent program judges what we write.

use crate::common::oracle::oracle;
use crate::common::{Maker, tree, write};
use scumble_release::{Draft, TableFormat, WriteOptions};
use scumble_table::{Kind, Monitor, Role};
use scumble_verify::{VerifyOptions, verify_table};
use std::fs;
use std::process::Command;

/// Writes the release in both forms and formats and lets the oracle judge them.
fn judge(maker: &Maker) {
    judge_form(maker, &maker.release());
    judge_form(maker, &maker.anatomized());
}

fn judge_form(maker: &Maker, release: &Draft) {
    let Some((folder, python)) = oracle() else { return };
    let home = tempfile::tempdir().unwrap();
    let source = home.path().join("people_0815.csv");
    fs::write(&source, maker.source()).unwrap();
    for format in [TableFormat::Csv, TableFormat::Parquet] {
        let out = home.path().join(format!("{format:?}"));
        write(release, &out, &WriteOptions { format, replace: false }).unwrap();
        let mut command = Command::new(&python);
        command.arg(folder.join("check_release.py")).arg(&out).arg("--source").arg(&source);
        // A manifest states what cells show, and that may be less than the source has.
        command.args(["--identifying", "name", "--skip", "source-domains"]);
        // Columns of Parquet have types, so that suppressed rows are nulls there; the checker looks for stars in any format.
        if format == TableFormat::Parquet && release.manifest.suppressed > 0 {
            command.args(["--skip", "rows-add-up"]);
        }
        for requirement in &maker.requirements {
            command.args(["--require", requirement]);
        }
        let output = command.output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    }
}

#[test]
fn numbers_and_sets() {
    let mut maker = Maker::people(400);
    maker.requirements.push("distinct-l-diversity(1)".into());
    maker.requirements.push("t-closeness(1)".into());
    judge(&maker);
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
    judge(&maker);
}

#[test]
fn dates_orders_decimals_and_nulls() {
    judge(&Maker::mixed(400));
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
    judge(&maker);
}

#[test]
fn our_own_verifier_agrees_that_equal_texts_are_groups() {
    let home = tempfile::tempdir().unwrap();
    let out = home.path().join("release");
    let maker = Maker::mixed(400);
    let written = write(&maker.release(), &out, &WriteOptions::default()).unwrap();
    let raw = scumble_io::read(&out.join("table.csv"), &scumble_io::ReadOptions::default(), Monitor::silent()).unwrap();
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
    let table = scumble_io::encode(raw, &plans, Monitor::silent()).unwrap();
    let requirements: Vec<_> = maker.requirements.iter().map(|text| text.parse().unwrap()).collect();
    let verdict = verify_table(&table, &VerifyOptions { requirements, ..VerifyOptions::default() }).unwrap();
    assert!(verdict.ok, "{:#?}", verdict.checks);
    assert_eq!(verdict.attained, written.verdict.attained);
    assert_eq!((verdict.groups, verdict.levels), (100, written.verdict.levels));
}
