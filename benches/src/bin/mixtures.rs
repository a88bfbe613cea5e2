//! Mixtures of groups: what is believed of people whose quasi-identifiers are known, but not their group, and what every way to
//! hold that within what is allowed in a group costs.
//!
//!     cargo run --release -p scumble-bench --bin mixtures [-- ways|time]
//!
//! On the first 50,000 rows of a real sample: NCP, relative errors of count queries and seconds of each way. `time` asks how
//! long the figure takes on the whole sample.
#![allow(clippy::print_stdout, reason = "a benchmark prints its results")]

use scumble::{
    ColumnRequest, ColumnRole, EvaluateRequest, Input, Kind, MixtureWay, Mixtures, PublishRequest, Published, Silent,
    read_ruler,
};
use scumble_bench::xcolor_data;
use scumble_bench::{data, unpack};
use std::error::Error;
use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::Path;
use std::time::{Duration, Instant};

const ACS: &str = "acs2024/acs2024_sal_like_500000.csv.gz";
const ROWS: usize = 50_000;

/// Queries of each workload.
const QUERIES: usize = 1000;

/// How long groups may be sought under dissimilarity, by each way.
const LIMIT: Duration = Duration::from_secs(60);

fn main() -> Result<(), Box<dyn Error>> {
    let what = std::env::args().nth(1).unwrap_or_default();
    let folder = tempfile::tempdir()?;
    let packed = data().join(ACS);
    if !packed.exists() {
        println!("(skipped: {} is not there)", packed.display());
        return Ok(());
    }
    let all = folder.path().join("all.csv");
    unpack(&packed, &all)?;
    if what != "time" {
        let part = folder.path().join("part.csv");
        first_rows(&all, &part, ROWS)?;
        ways("proximity", &salaries(&part, "proximity-absolute(4500, 5)"))?;
        let classed = xcolor_data::prepared_part(&all, folder.path(), ROWS)?;
        ways("dissimilarity", &unlike(&classed, "dissimilarity(0.05, 0.8, 10)")?)?;
    }
    if what != "ways" {
        time(&salaries(&all, "proximity-absolute(4500, 5)"))?;
    }
    Ok(())
}

/// Incomes by age, state and occupation.
fn salaries(file: &Path, requirement: &str) -> PublishRequest {
    let quasi = ["AGEP", "STATE", "OCCP"].map(|name| (name, Kind::Ordinal, ColumnRole::Quasi));
    asked(file, quasi.into_iter().chain([("PINCP", Kind::Number, ColumnRole::Sensitive)]), requirement)
}

/// Education, class of worker and income taken as one value.
fn unlike(case: &xcolor_data::Case, requirement: &str) -> Result<PublishRequest, Box<dyn Error>> {
    let quasi = case.quasi.iter().map(|(name, kind)| (*name, *kind, ColumnRole::Quasi));
    let sensitive = case.sensitive.iter().map(|(name, kind)| (*name, *kind, ColumnRole::Sensitive));
    let request = asked(&case.file, quasi.chain(sensitive), requirement);
    Ok(PublishRequest { distance: Some(read_ruler(case.distance)?), time_limit: LIMIT, ..request })
}

fn asked<'a>(
    file: &Path,
    columns: impl Iterator<Item = (&'a str, Kind, ColumnRole)>,
    requirement: &str,
) -> PublishRequest {
    let column = |(name, kind, role)| ColumnRequest { kind: Some(kind), ..ColumnRequest::new(name, role) };
    PublishRequest {
        columns: columns.map(column).collect(),
        drop_rest: true,
        requirements: requirement.parse().into_iter().collect(),
        seed: Some(1),
        out: file.with_file_name("release"),
        replace: true,
        ..PublishRequest::new(Input::file(file))
    }
}

/// The usual groups, then every way to hold mixtures.
fn ways(name: &str, request: &PublishRequest) -> Result<(), Box<dyn Error>> {
    println!("\n## {name}: {}, {ROWS} rows\n", request.requirements[0]);
    println!("| way | groups | NCP | people above | greatest belief | w = 2 | w = 3 | w = 4 | s |");
    println!("|---|---|---|---|---|---|---|---|---|");
    line("as usual", request)?;
    for way in MixtureWay::ALL.into_iter().filter(|way| *way != MixtureWay::Usual) {
        let held = PublishRequest { mixtures: Mixtures::Hold, mixture_way: Some(way), ..request.clone() };
        line(&format!("hold, {}", way.name()), &held)?;
    }
    let held = PublishRequest { mixtures: Mixtures::Hold, ..request.clone() };
    if let Some(published) = line("hold", &held)? {
        for tried in published.mixture_ways {
            let ncp = tried.ncp.map_or("-".into(), |ncp| format!("{ncp:.4}"));
            println!("<!-- {} NCP {ncp}, holds {}, chosen {} -->", tried.way, tried.holds, tried.chosen);
        }
    }
    Ok(())
}

/// Publishes and measures; says so where nothing is published.
fn line(name: &str, request: &PublishRequest) -> Result<Option<Published>, Box<dyn Error>> {
    let start = Instant::now();
    let published = match scumble::publish(request, &Silent) {
        Ok(published) => published,
        Err(error) if error.exit_code() == 1 => {
            println!("| {name} | nothing is published | | | | | | | {:.1} |", start.elapsed().as_secs_f64());
            return Ok(None);
        }
        Err(error) => return Err(error.into()),
    };
    let seconds = start.elapsed().as_secs_f64();
    let evaluate =
        EvaluateRequest { queries: QUERIES, ..EvaluateRequest::new(&published.release, request.input.clone()) };
    let evaluation = scumble::evaluate(&evaluate, &Silent)?;
    let median = |at: usize| {
        let errors = evaluation.workloads.get(at).and_then(|workload| workload.estimators.first()?.1.as_ref());
        errors.map_or("-".into(), |errors| format!("{:.4}", errors.median))
    };
    let figure = published.mixture.first().ok_or("no figure")?;
    println!(
        "| {name} | {} | {:.4} | {} | {:.4} | {} | {} | {} | {seconds:.1} |",
        published.groups,
        published.ncp,
        figure.above,
        figure.greatest,
        median(0),
        median(1),
        median(2)
    );
    Ok(Some(published))
}

/// The figure on the whole sample, beside the search for groups.
fn time(request: &PublishRequest) -> Result<(), Box<dyn Error>> {
    let start = Instant::now();
    let published = scumble::publish(request, &Silent)?;
    let figure = published.mixture.first().ok_or("no figure")?;
    println!(
        "\n{}: {} people, {} above {:.2}, greatest {:.4}; {:.1} s in all, of which {:.1} for groups and the figure",
        request.requirements[0],
        figure.people,
        figure.above,
        figure.allowed,
        figure.greatest,
        start.elapsed().as_secs_f64(),
        published.partition_seconds
    );
    Ok(())
}

fn first_rows(from: &Path, to: &Path, rows: usize) -> Result<(), Box<dyn Error>> {
    let mut out = BufWriter::new(File::create(to)?);
    for line in BufReader::new(File::open(from)?).lines().take(rows + 1) {
        writeln!(out, "{}", line?)?;
    }
    Ok(())
}
