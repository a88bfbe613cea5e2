//! Attacks on large tables: against reading the file, and against a group-by per subset.
//!
//!     cargo run --release -p scumble-bench --bin risk [-- ROWS SUBSET_ROWS]
//!
//! `ROWS` people (10,000,000) are attacked by six columns, and the time is compared with that of reading these columns.
//! `SUBSET_ROWS` people (1,000,000) are attacked by all subsets of up to three of ten columns, next to pandas where
//! `SCUMBLE_PYTHON` names a Python that has it, and of twenty columns. Every measurement is a process of its own; figures
//! are ratios within one run.
#![allow(clippy::print_stdout, reason = "a benchmark prints its results")]

use scumble::{Context, RiskRequest, RiskTarget, Sample, Source};
use scumble_bench::{Outcome, best_of, generate, measured, number, text};
use scumble_risk::Attack;
use scumble_table::Monitor;
use serde_json::{Value, json};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::process::Command;
use std::time::Instant;

/// What the attacker knows of the health sample.
const SIX: &str = "birth_year,sex,height,weight,medical_history,smoking";

/// Columns of three samples side by side: ten of ordinary people, and twenty with some of very many values.
const TEN: &str = "birth_year,sex,height,weight,medical_history,smoking,alcohol,age,education,birthplace";
const TWENTY: &str = "birth_year,sex,height,weight,medical_history,smoking,alcohol,age,gender,education,marital,race,\
                      workclass,birthplace,occupation,income,age_2,gender_2,education_2,occupation_2";

/// Subsets have up to this many columns.
const UP_TO: usize = 3;

/// Each measurement is the best of this many, of pandas too: on a machine that does other work as well, one run says little,
/// and the best of more runs on one side only would flatter that side.
const RUNS: usize = 5;

fn main() -> Outcome<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["read", file, names] => measured(|| columns(Path::new(file), names))?,
        ["risk", file, names] => measured(|| attack(Path::new(file), names))?,
        ["subsets", file, names] => measured(|| subsets(Path::new(file), names))?,
        [] => compare(10_000_000, 1_000_000)?,
        [rows, subset_rows] => compare(rows.parse()?, subset_rows.parse()?)?,
        _ => return Err("usage: risk [ROWS SUBSET_ROWS]".into()),
    }
    Ok(())
}

fn listed(names: &str) -> Vec<String> {
    names.split(',').map(String::from).collect()
}

/// Reads some columns as the attack does.
fn columns(path: &Path, names: &str) -> Outcome<Value> {
    let raw = Source::file(path).read_columns(&listed(names), "known", &Context::new())?;
    Ok(json!(raw.n_rows))
}

/// The whole command but for printing.
fn attack(path: &Path, names: &str) -> Outcome<Value> {
    let (known, context) = (listed(names), Context::new());
    let (table, _) = Source::file(path).read_known(&known, &[], &[], None, &context)?;
    let facts = scumble::risk(RiskTarget::Data(&table), &RiskRequest::new(known), &context)?;
    Ok(json!({"classes": facts.attack.profile.classes, "unique": facts.attack.profile.unique_records}))
}

/// All subsets, without the time of reading.
fn subsets(path: &Path, names: &str) -> Outcome<Value> {
    let known = listed(names);
    let (table, _) = Source::file(path).read_known(&known, &[], &[], None, &Context::new())?;
    let attack = Attack::on_data(&table, &known)?;
    let start = Instant::now();
    let found = attack.with_subsets(UP_TO, Monitor::silent())?;
    let seconds = start.elapsed().as_secs_f64();
    let classes: u64 = found.iter().map(|one| one.matches.classes()).sum();
    Ok(json!({"seconds": seconds, "subsets": found.len(), "classes": classes}))
}

fn compare(rows: u64, subset_rows: u64) -> Outcome<()> {
    let folder = tempfile::tempdir()?;
    let health = folder.path().join("health.csv");
    generate(Sample::Health, rows, &health)?;
    let path = text(&health)?;
    let (reading, ours) = in_turn(&["read", path, SIX], &["risk", path, SIX])?;
    println!("| rows | known | reading s | risk s | ratio | peak MiB | classes | found alone |");
    println!("|---|---|---|---|---|---|---|---|");
    let (floor, seconds) = (number(&reading["seconds"]), number(&ours["seconds"]));
    println!(
        "| {rows} | 6 | {floor:.2} | {seconds:.2} | {:.2} | {} | {} | {} |\n",
        seconds / floor,
        ours["peak_mib"],
        ours["figures"]["classes"],
        ours["figures"]["unique"]
    );
    std::fs::remove_file(&health)?;
    let wide = folder.path().join("wide.csv");
    side_by_side(subset_rows, folder.path(), &wide)?;
    let path = text(&wide)?;
    println!("| rows | columns | up to | subsets | seconds | peak MiB | pandas s | ratio | by categories s | ratio |");
    println!("|---|---|---|---|---|---|---|---|---|---|");
    for names in [TEN, TWENTY] {
        let ours = best_of(RUNS, &["subsets", path, names])?;
        let figures = &ours["figures"];
        let seconds = number(&figures["seconds"]);
        let pandas = if names == TEN { group_by(path, names)? } else { None };
        if let Some(theirs) = &pandas
            && theirs["classes"] != figures["classes"]
        {
            return Err(format!("pandas finds {} classes, and we {}", theirs["classes"], figures["classes"]).into());
        }
        let beside = |name: &str| match &pandas {
            Some(theirs) => format!("{:.1} | {:.1}", number(&theirs[name]), number(&theirs[name]) / seconds),
            None => "- | -".into(),
        };
        println!(
            "| {subset_rows} | {} | {UP_TO} | {} | {seconds:.2} | {} | {} | {} |",
            names.split(',').count(),
            figures["subsets"],
            ours["peak_mib"],
            beside("seconds"),
            beside("as_categories")
        );
    }
    Ok(())
}

/// The best runs of two children that take turns, so that what else the machine does falls on both.
fn in_turn(one: &[&str], other: &[&str]) -> Outcome<(Value, Value)> {
    let (mut a, mut b) = (best_of(1, one)?, best_of(1, other)?);
    let better =
        |known: Value, new: Value| if number(&new["seconds"]) < number(&known["seconds"]) { new } else { known };
    for _ in 1..RUNS {
        a = better(a, best_of(1, one)?);
        b = better(b, best_of(1, other)?);
    }
    Ok((a, b))
}

/// The same by pandas; nothing where there is no Python for it.
fn group_by(path: &str, names: &str) -> Outcome<Option<Value>> {
    let Some(python) = std::env::var_os("SCUMBLE_PYTHON") else {
        println!("(pandas skipped: SCUMBLE_PYTHON is not set)");
        return Ok(None);
    };
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("risk_groupby.py");
    let output =
        Command::new(python).arg(script).args([path, names, &UP_TO.to_string(), &RUNS.to_string()]).output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned().into());
    }
    Ok(Some(serde_json::from_slice(&output.stdout)?))
}

/// Three samples side by side; a name that comes again is numbered.
fn side_by_side(rows: u64, folder: &Path, path: &Path) -> Outcome<()> {
    let mut parts = Vec::new();
    for sample in [Sample::Health, Sample::Census, Sample::Occupation] {
        let part = folder.join(sample.name());
        generate(sample, rows, &part)?;
        parts.push(std::fs::read_to_string(&part)?);
        std::fs::remove_file(&part)?;
    }
    let mut seen: Vec<&str> = Vec::new();
    let mut header = Vec::new();
    for name in parts.iter().flat_map(|part| part.lines().next().unwrap_or_default().split(',')) {
        seen.push(name);
        header.push(match seen.iter().filter(|known| **known == name).count() {
            1 => name.to_string(),
            n => format!("{name}_{n}"),
        });
    }
    let mut out = BufWriter::new(File::create(path)?);
    writeln!(out, "{}", header.join(","))?;
    let mut lines: Vec<_> = parts.iter().map(|part| part.lines().skip(1)).collect();
    for _ in 0..rows {
        let row: Vec<&str> = lines.iter_mut().filter_map(Iterator::next).collect();
        writeln!(out, "{}", row.join(","))?;
    }
    out.flush()?;
    Ok(())
}
