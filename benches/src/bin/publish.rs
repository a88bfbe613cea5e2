//! Publishing against the floor of the same work: reading the file with the arrow CSV reader and
//! writing it again with the arrow CSV writer.
//!
//!     cargo run --release -p scumble-bench --bin publish [-- LARGEST_ROWS]
//!
//! Every measurement is a process of its own; figures are ratios within one run.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a benchmark prints its results")]

use scumble::{Algorithm, ColumnRequest, ColumnRole, Input, PublishRequest, Sample, Silent};
use scumble_bench::{best_of, data, floor, measured, unpack};
use serde_json::{Value, json};
use std::error::Error;
use std::fs::File;
use std::io::BufWriter;
use std::path::Path;

const ACS: &str = "acs2024/acs2024_sal_like_1283347.csv.gz";

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["floor", file] => measured(|| floor(Path::new(file)).map_or_else(|e| panic!("{e}"), |()| Value::Null)),
        ["publish", file, quasi, sensitive, requirements @ ..] => {
            measured(|| publish(Path::new(file), quasi, sensitive, requirements).unwrap_or_else(|e| panic!("{e}")));
        }
        [] => compare(30_000_000)?,
        [largest] => compare(largest.parse()?)?,
        _ => return Err("usage: publish [LARGEST_ROWS]".into()),
    }
    Ok(())
}

fn publish(path: &Path, quasi: &str, sensitive: &str, requirements: &[&str]) -> Result<Value, Box<dyn Error>> {
    let out = tempfile::tempdir_in(path.parent().unwrap_or(Path::new(".")))?;
    let columns = quasi
        .split(',')
        .map(|name| ColumnRequest::new(name, ColumnRole::Quasi))
        .chain(sensitive.split(',').map(|name| ColumnRequest::new(name, ColumnRole::Sensitive)))
        .collect();
    let request = PublishRequest {
        columns,
        drop_rest: true,
        requirements: requirements.iter().map(|text| text.parse()).collect::<Result<_, _>>()?,
        algorithm: Some(Algorithm::Mondrian),
        out: out.path().join("release"),
        ..PublishRequest::new(Input::file(path))
    };
    let published = scumble::publish(&request, &Silent)?;
    Ok(json!({"groups": published.groups, "ncp": published.ncp}))
}

fn compare(largest: u64) -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    println!("| data | rows | requirements | floor s | publish s | ratio | peak MiB | groups | NCP per attribute |");
    println!("|---|---|---|---|---|---|---|---|---|");
    let real = data().join(ACS);
    if real.exists() {
        let file = folder.path().join("acs.csv");
        unpack(&real, &file)?;
        let quasi = "AGEP,SEX,SCHL,MAR,RAC1P,COW,STATE";
        for requirements in [&["k-anonymity(5)"][..], &["k-anonymity(5)", "t-closeness(0.2, ordered)"]] {
            row("ACS 2024", 1_283_347, &file, quasi, "PINCP", requirements)?;
        }
    } else {
        println!("(ACS 2024 skipped: {} is not there)", real.display());
    }
    let mut times = Vec::new();
    for rows in [1_000_000u64, 10_000_000, 30_000_000].into_iter().filter(|&rows| rows <= largest) {
        let file = folder.path().join("census.csv");
        scumble::generate(Sample::Census, rows, 1, &mut BufWriter::new(File::create(&file)?), &mut |_| ())?;
        let quasi = "age,gender,education,marital,race,workclass,birthplace";
        times.push((rows, row("census", rows, &file, quasi, "income", &["k-anonymity(5)"])?));
    }
    if let Some(&(n0, t0)) = times.first() {
        for &(n, t) in &times[1..] {
            let (n0, n) = (n0 as f64, n as f64);
            println!("\n{n} rows cost {:.1} times {n0}; n log n allows {:.1}", t / t0, n * n.ln() / (n0 * n0.ln()));
        }
    }
    Ok(())
}

fn row(
    data: &str,
    rows: u64,
    file: &Path,
    quasi: &str,
    sensitive: &str,
    requirements: &[&str],
) -> Result<f64, Box<dyn Error>> {
    let path = file.to_str().ok_or("a path in unicode is wanted")?;
    let runs = if rows > 5_000_000 { 1 } else { 3 };
    let floor = best_of(runs, &["floor", path])?;
    let mut arguments = vec!["publish", path, quasi, sensitive];
    arguments.extend(requirements);
    let ours = best_of(runs, &arguments)?;
    let (floor, seconds) =
        (floor["seconds"].as_f64().unwrap_or(f64::NAN), ours["seconds"].as_f64().unwrap_or(f64::NAN));
    let attributes = quasi.split(',').count() as f64;
    println!(
        "| {data} | {rows} | {} | {floor:.2} | {seconds:.2} | {:.2} | {} | {} | {:.5} |",
        requirements.join(" + "),
        seconds / floor,
        ours["peak_mib"],
        ours["figures"]["groups"],
        ours["figures"]["ncp"].as_f64().unwrap_or(f64::NAN) / attributes
    );
    Ok(seconds)
}
