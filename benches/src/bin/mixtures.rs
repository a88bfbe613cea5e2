//! Mixtures of groups: what is believed of people whose quasi-identifiers are known, but not their group, and what every way to
//! hold that within what is allowed in a group costs.
//!
//!     cargo run --release -p scumble-bench --bin mixtures [-- ways|time]
//!
//! On the first 50,000 rows of a real sample: NCP, relative errors of count queries and seconds of each way. `time` asks how
//! long the figure takes on the whole sample.
#![allow(clippy::print_stdout, reason = "a benchmark prints its results")]

use scumble::{EvaluateRequest, Job, Kind, MixtureStrategy, Mixtures, Published};
use scumble_bench::{Outcome, evaluated, job, publish, unpacked, xcolor_data};
use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::Path;
use std::time::Instant;

const ACS: &str = "acs2024/acs2024_sal_like_500000.csv.gz";
const ROWS: usize = 50_000;

/// Queries of each workload.
const QUERIES: usize = 1000;

/// How many seconds groups may be sought under dissimilarity, by each way.
const LIMIT: u64 = 60;

fn main() -> Outcome<()> {
    let what = std::env::args().nth(1).unwrap_or_default();
    let folder = tempfile::tempdir()?;
    let all = folder.path().join("all.csv");
    if !unpacked(ACS, &all)? {
        return Ok(());
    }
    if what != "time" {
        let part = folder.path().join("part.csv");
        first_rows(&all, &part, ROWS)?;
        ways("proximity", &part, &salaries(&part)?)?;
        let classed = xcolor_data::prepared_part(&all, folder.path(), ROWS)?;
        let mut job = put_next_to(&classed.file, classed.job("dissimilarity(0.05, 0.8, 10)")?);
        job.publish.time_limit = Some(LIMIT);
        ways("dissimilarity", &classed.file, &job)?;
    }
    if what != "ways" {
        time(&all, &salaries(&all)?)?;
    }
    Ok(())
}

/// Incomes by age, state and occupation.
fn salaries(file: &Path) -> Outcome<Job> {
    let quasi = ["AGEP", "STATE", "OCCP"].map(|name| (name, Kind::Ordinal));
    Ok(put_next_to(file, job(&quasi, &[("PINCP", Kind::Number)], &["proximity-absolute(4500, 5)"])?))
}

/// The same job with its release next to a file, in the place of an earlier one.
fn put_next_to(file: &Path, mut job: Job) -> Job {
    job.publish.seed = Some(1);
    (job.output.dir, job.output.replace) = (Some(file.with_file_name("release")), true);
    job
}

/// The usual groups, then every way to hold mixtures.
fn ways(name: &str, file: &Path, job: &Job) -> Outcome<()> {
    println!("\n## {name}: {}, {ROWS} rows\n", job.publish.require[0]);
    println!("| way | groups | NCP | people above | greatest belief | w = 2 | w = 3 | w = 4 | s |");
    println!("|---|---|---|---|---|---|---|---|---|");
    line("as usual", file, job)?;
    let mut held = job.clone();
    held.publish.mixtures = Some(Mixtures::Hold);
    for &way in MixtureStrategy::ALL.iter().filter(|way| **way != MixtureStrategy::Usual) {
        held.publish.mixture_way = Some(way);
        line(&format!("hold, {}", way.name()), file, &held)?;
    }
    held.publish.mixture_way = None;
    if let Some(published) = line("hold", file, &held)? {
        for tried in published.facts.mixture_ways {
            let ncp = tried.ncp.map_or("-".into(), |ncp| format!("{ncp:.4}"));
            println!("<!-- {} NCP {ncp}, holds {}, chosen {} -->", tried.way, tried.holds, tried.chosen);
        }
    }
    Ok(())
}

/// Publishes and measures; says so where nothing is published.
fn line(name: &str, file: &Path, job: &Job) -> Outcome<Option<Published>> {
    let start = Instant::now();
    let published = match publish(file, job) {
        Ok(published) => published,
        Err(error) if error.exit_code() == 1 => {
            println!("| {name} | nothing is published | | | | | | | {:.1} |", start.elapsed().as_secs_f64());
            return Ok(None);
        }
        Err(error) => return Err(error.into()),
    };
    let seconds = start.elapsed().as_secs_f64();
    let request = EvaluateRequest { queries: QUERIES, ..EvaluateRequest::default() };
    let evaluation = evaluated(&published.release, file, &request)?;
    let median = |at: usize| {
        let errors = evaluation.workloads.get(at).and_then(|workload| workload.estimators.first()?.1.as_ref());
        errors.map_or("-".into(), |errors| format!("{:.4}", errors.median))
    };
    let facts = &published.facts;
    let figure = facts.mixture.first().ok_or("no figure")?;
    println!(
        "| {name} | {} | {:.4} | {} | {:.4} | {} | {} | {} | {seconds:.1} |",
        facts.groups,
        facts.ncp,
        figure.above,
        figure.greatest,
        median(0),
        median(1),
        median(2)
    );
    Ok(Some(published))
}

/// The figure on the whole sample, next to the search for groups.
fn time(file: &Path, job: &Job) -> Outcome<()> {
    let start = Instant::now();
    let published = publish(file, job)?;
    let facts = &published.facts;
    let figure = facts.mixture.first().ok_or("no figure")?;
    println!(
        "\n{}: {} people, {} above {:.2}, greatest {:.4}; {:.1} s in all, of which {:.1} for groups and the figure",
        job.publish.require[0],
        figure.people,
        figure.above,
        figure.allowed,
        figure.greatest,
        start.elapsed().as_secs_f64(),
        facts.partition_seconds
    );
    Ok(())
}

fn first_rows(from: &Path, to: &Path, rows: usize) -> Outcome<()> {
    let mut out = BufWriter::new(File::create(to)?);
    for line in BufReader::new(File::open(from)?).lines().take(rows + 1) {
        writeln!(out, "{}", line?)?;
    }
    Ok(())
}
