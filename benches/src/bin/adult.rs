//! The ground the peers are measured on: the first 32,561 rows of adult without those holding `?`,
//! seven quasi-identifiers, no hierarchies, no suppression; NCP, groups and time of every rule.
//!
//!     cargo run --release -p scumble-bench --bin adult
#![allow(clippy::print_stdout, reason = "a benchmark prints its results")]

use flate2::read::MultiGzDecoder;
use scumble::{Algorithm, Job, Profile};
use scumble_bench::{Outcome, data, publish};
use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::time::Instant;

const QUASI: [&str; 7] = ["age", "sex", "race", "marital_status", "education", "native_country", "workclass"];

fn main() -> Outcome<()> {
    let source = data().join("adult/adult_all_48842.csv.gz");
    if !source.exists() {
        println!("adult is not there ({}): skipped", source.display());
        return Ok(());
    }
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("adult.csv");
    let mut out = File::create(&file)?;
    let mut rows = 0;
    for (i, line) in BufReader::new(MultiGzDecoder::new(File::open(source)?)).lines().take(32_562).enumerate() {
        let line = line?;
        if i == 0 || !line.split(',').any(|cell| cell == "?") {
            writeln!(out, "{line}")?;
            rows += usize::from(i > 0);
        }
    }
    println!("{rows} rows\n");
    println!("| requirements | rule | profile | NCP | groups | partition s | publish s |");
    println!("|---|---|---|---|---|---|---|");
    let cases: [&[&str]; 4] = [
        &["k-anonymity(5)"],
        &["k-anonymity(5)", "distinct-l-diversity(5)"],
        &["k-anonymity(5)", "frequency-l-diversity(5)"],
        &["k-anonymity(5)", "t-closeness(0.2)"],
    ];
    for requirements in cases {
        for (rule, algorithm) in [
            ("strict, least loss", Algorithm::Mondrian),
            ("relaxed, least loss", Algorithm::MondrianRelaxed),
            ("widest attribute, median", Algorithm::Paper),
        ] {
            for profile in Profile::ALL {
                // Under k-anonymity alone the profiles choose alike, and the median rule never draws.
                if profile != Profile::Standard && (requirements.len() == 1 || algorithm == Algorithm::Paper) {
                    continue;
                }
                let job = Job::new().quasi(QUASI).sensitive(["occupation"]).drop_rest();
                let mut job = requirements.iter().try_fold(job, |job, requirement| job.require(requirement))?;
                (job.publish.algorithm, job.publish.profile) = (Some(algorithm), Some(profile));
                job.publish.seed = Some(1);
                (job.output.dir, job.output.replace) = (Some(folder.path().join("release")), true);
                let start = Instant::now();
                let facts = publish(&file, &job)?.facts;
                let seconds = start.elapsed().as_secs_f64();
                println!(
                    "| {} | {rule} | {profile} | {:.4} | {} | {:.3} | {seconds:.3} |",
                    requirements.join(" + "),
                    facts.ncp / QUASI.len() as f64,
                    facts.groups,
                    facts.partition_seconds
                );
            }
        }
    }
    Ok(())
}
