//! Publishing against the floor of the same work: reading the file with the arrow CSV reader and
//! writing it again with the arrow CSV writer.
//!
//!     cargo run --release -p scumble-bench --bin publish [-- LARGEST_ROWS]
//!
//! Every measurement is a process of its own; figures are ratios within one run.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a benchmark prints its results")]

use scumble::{Algorithm, Job, Sample};
use scumble_bench::{Outcome, Timed, against_floor, floor, generate, measured, number, published, text, unpacked};
use serde_json::Value;
use std::path::Path;

const ACS: &str = "acs2024/acs2024_sal_like_1283347.csv.gz";

fn main() -> Outcome<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["floor", file] => measured(|| floor(Path::new(file)))?,
        ["publish", file, quasi, sensitive, requirements @ ..] => {
            measured(|| publish(Path::new(file), quasi, sensitive, requirements))?;
        }
        [] => compare(30_000_000)?,
        [largest] => compare(largest.parse()?)?,
        _ => return Err("usage: publish [LARGEST_ROWS]".into()),
    }
    Ok(())
}

fn publish(path: &Path, quasi: &str, sensitive: &str, requirements: &[&str]) -> Outcome<Value> {
    let job = Job::new().quasi(quasi.split(',')).sensitive(sensitive.split(',')).drop_rest();
    let mut job = requirements.iter().try_fold(job, |job, requirement| job.require(requirement))?;
    job.publish.algorithm = Some(Algorithm::Mondrian);
    published(path, job)
}

fn compare(largest: u64) -> Outcome<()> {
    let folder = tempfile::tempdir()?;
    println!("| data | rows | requirements | floor s | publish s | ratio | peak MiB | groups | NCP per attribute |");
    println!("|---|---|---|---|---|---|---|---|---|");
    let file = folder.path().join("acs.csv");
    if unpacked(ACS, &file)? {
        let quasi = "AGEP,SEX,SCHL,MAR,RAC1P,COW,STATE";
        for requirements in [&["k-anonymity(5)"][..], &["k-anonymity(5)", "t-closeness(0.2, ordered)"]] {
            row("ACS 2024", 1_283_347, &file, quasi, "PINCP", requirements)?;
        }
    }
    let mut times = Vec::new();
    for rows in [1_000_000u64, 10_000_000, 30_000_000].into_iter().filter(|&rows| rows <= largest) {
        let file = folder.path().join("census.csv");
        generate(Sample::Census, rows, &file)?;
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

fn row(data: &str, rows: u64, file: &Path, quasi: &str, sensitive: &str, requirements: &[&str]) -> Outcome<f64> {
    let runs = if rows > 5_000_000 { 1 } else { 3 };
    let mut arguments = vec!["publish", text(file)?, quasi, sensitive];
    arguments.extend(requirements);
    let Timed { floor, seconds, ours } = against_floor(file, &arguments, (runs, runs))?;
    let attributes = quasi.split(',').count() as f64;
    println!(
        "| {data} | {rows} | {} | {floor:.2} | {seconds:.2} | {:.2} | {} | {} | {:.5} |",
        requirements.join(" + "),
        seconds / floor,
        ours["peak_mib"],
        ours["figures"]["groups"],
        number(&ours["figures"]["ncp"]) / attributes
    );
    Ok(seconds)
}
