//! What it costs to count people: generated visits published with and without `person`.
//!
//!     cargo run --release -p scumble-bench --bin persons [-- ROWS ...]
//!     cargo run --release -p scumble-bench --bin persons -- keys PEOPLE
//!
//! Every measurement is a process of its own; figures are ratios within one run. Ten rows are of three patients. With `keys`, a
//! table of as many people with one row each is read, with and without its column of keys being called `person`.
#![allow(clippy::print_stdout, reason = "a benchmark prints its results")]

use scumble::{Algorithm, Job, Method, Sample};
use scumble_bench::{Outcome, best_of, child, generate, load, measured, number, published, text};
use serde_json::{Value, json};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

const QUASI: [&str; 3] = ["birth_year", "sex", "zipcode"];

/// The methods that are measured, with what is required of them and of which column.
const WAYS: [(&str, &str, &str); 6] = [
    ("mondrian", "code", "k-anonymity(5)"),
    ("mondrian", "code", "distinct-l-diversity(4)"),
    ("mondrian-relaxed", "code", "k-anonymity(5)"),
    ("permute", "cost", "ke-anonymity(5, 200)"),
    ("anatomy", "code", "distinct-l-diversity(4)"),
    ("proximity", "cost", "proximity-absolute(50, 3)"),
];

/// Beyond this many rows only the first of the ways are measured: the others take long, and grow as these do.
const LARGE: u64 = 2_000_000;

fn main() -> Outcome<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["publish", file, way, sensitive, requirement, counted] => {
            measured(|| publish(Path::new(file), way, sensitive, requirement, *counted == "people"))?;
        }
        ["read", file, counted] => measured(|| read(Path::new(file), *counted == "people"))?,
        ["keys", people] => keys(people.parse()?)?,
        [] => compare(&[1_000_000, 10_000_000])?,
        sizes => compare(&sizes.iter().map(|size| size.parse()).collect::<Result<Vec<u64>, _>>()?)?,
    }
    Ok(())
}

fn publish(file: &Path, way: &str, sensitive: &str, requirement: &str, people: bool) -> Outcome<Value> {
    let mut job = Job::new().quasi(QUASI).sensitive([sensitive]).drop_rest().require(requirement)?;
    if people {
        job = job.person(["patient"]);
    }
    match way {
        "mondrian" => job.publish.algorithm = Some(Algorithm::Mondrian),
        "mondrian-relaxed" => job.publish.algorithm = Some(Algorithm::MondrianRelaxed),
        "proximity" => job.publish.algorithm = Some(Algorithm::Proximity),
        "permute" => job.publish.method = Some(Method::Permute),
        _ => job.publish.method = Some(Method::Anatomy),
    }
    published(file, job)
}

fn compare(sizes: &[u64]) -> Outcome<()> {
    let folder = tempfile::tempdir()?;
    println!(
        "| rows | method | requirement | rows, s | people, s | ratio | rows, processor s | people, processor s | ratio \
         | groups of rows | of people | NCP of rows | of people |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|---|---|");
    for &rows in sizes {
        let file = folder.path().join("visits.csv");
        generate(Sample::Visits, rows, &file)?;
        let ways = if rows > LARGE { &WAYS[..2] } else { &WAYS[..] };
        for (way, sensitive, requirement) in ways {
            let runs = if rows > LARGE { 1 } else { 2 };
            let run = |counted: &str| -> Outcome<Value> {
                Ok(best_of(runs, &["publish", text(&file)?, way, sensitive, requirement, counted])?)
            };
            let (by_rows, by_people) = (run("rows")?, run("people")?);
            let seconds = |ours: &Value| number(&ours["seconds"]);
            let processor = |ours: &Value| number(&ours["processor_seconds"]);
            let ncp = |ours: &Value| number(&ours["figures"]["ncp"]) / QUASI.len() as f64;
            println!(
                "| {rows} | {way} | {requirement} | {:.2} | {:.2} | {:.2} | {:.2} | {:.2} | {:.2} | {} | {} | {:.5} | {:.5} |",
                seconds(&by_rows),
                seconds(&by_people),
                seconds(&by_people) / seconds(&by_rows),
                processor(&by_rows),
                processor(&by_people),
                processor(&by_people) / processor(&by_rows),
                by_rows["figures"]["groups"],
                by_people["figures"]["groups"],
                ncp(&by_rows),
                ncp(&by_people)
            );
        }
    }
    Ok(())
}

/// Reads a table of keys, and says how many people it has.
fn read(file: &Path, people: bool) -> Outcome<Value> {
    let mut job = Job::new().quasi(["birth_year", "sex"]).sensitive(["code"]).drop_rest();
    if people {
        job = job.person(["patient"]);
    }
    let table = load(file, &job)?;
    Ok(json!({"rows": table.n_rows()}))
}

/// What it costs to read a column of keys of which no two are equal.
fn keys(people: u64) -> Outcome<()> {
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("keys.csv");
    let mut out = BufWriter::with_capacity(1 << 20, File::create(&file)?);
    writeln!(out, "patient,birth_year,sex,code")?;
    for at in 0..people {
        // Keys come in no order.
        let key = at.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        writeln!(
            out,
            "K{key:016x},{},{},c{}",
            1930 + key % 90,
            ["F", "M"][(key >> 20) as usize % 2],
            (key >> 30) % 20
        )?;
    }
    out.flush()?;
    drop(out);
    let bytes = std::fs::metadata(&file)?.len();
    println!("{people} people, {bytes} bytes\n");
    println!("| read | clock, s | processor, s | peak, MiB |\n|---|---|---|---|");
    for counted in ["rows", "people"] {
        let ours = child(&["read", text(&file)?, counted])?;
        let (seconds, processor) = (number(&ours["seconds"]), number(&ours["processor_seconds"]));
        println!("| {counted} | {seconds:.2} | {processor:.2} | {} |", ours["peak_mib"]);
    }
    Ok(())
}
