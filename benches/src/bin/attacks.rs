//! Attacks on releases next to controls: what each gains on real data, against which forms and profiles.
//!
//!     cargo run --release -p scumble-bench --bin attacks [-- OPTIONS]
//!
//!     --data adult,acs,occupation     data sets; those that are not there are skipped
//!     --attack common-value,...       attacks: common-value, learning, stops, refined, absent, mixture
//!     --method generalize,...         methods: angel, anatomy, generalize, permute
//!     --profile standard,...          profiles
//!     --rows N                        people in the release, and half as many held out
//!     --releases N                    releases of each kind, each with secret coins of its own (2)
//!     --seed N                        seed of everything else: who is held out, controls, samples (1)
//!     --json FILE                     writes the document of the run
//!     --from FILE,...                 measures nothing and takes the documents of earlier runs, joined
//!     --keep                          keeps the document under benches/runs and puts its tables into the pages of the manual
//!
//! Standard output has one table per data set.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a benchmark prints its results and where it is")]

use scumble::{Method, Profile};
use scumble_bench::attacks::data::CASES;
use scumble_bench::attacks::plan::Attack;
use scumble_bench::attacks::run::{Wanted, run};
use scumble_bench::attacks::{Failure, document, page};
use serde_json::Value;
use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

/// Methods whose releases are attacked.
const METHODS: [Method; 4] = [Method::Angel, Method::Anatomy, Method::Generalize, Method::Permute];

struct Options {
    wanted: Wanted,
    json: Option<PathBuf>,
    from: Vec<PathBuf>,
    keep: bool,
}

fn main() -> ExitCode {
    match options().and_then(|options| work(&options)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("attacks: {error}");
            ExitCode::FAILURE
        }
    }
}

fn work(options: &Options) -> Result<(), Failure> {
    let mut documents: Vec<Value> = Vec::new();
    for file in &options.from {
        documents.push(serde_json::from_str(&fs::read_to_string(file)?)?);
    }
    if options.from.is_empty() {
        let start = Instant::now();
        documents.push(run(&options.wanted, &|what| eprintln!("{:7.1} s  {what}", start.elapsed().as_secs_f64()))?);
    }
    let document = document::joined(documents);
    if let Some(file) = &options.json {
        fs::write(file, serde_json::to_string_pretty(&document)? + "\n")?;
    }
    if options.keep {
        page::keep(&document)?;
    }
    println!("{}", page::tables(&document).replace('@', ""));
    Ok(())
}

fn options() -> Result<Options, Failure> {
    let mut options = Options {
        wanted: Wanted {
            cases: CASES.map(|case| (case, case.rows)).to_vec(),
            attacks: Attack::ALL.to_vec(),
            methods: METHODS.map(|method| method.name().to_string()).to_vec(),
            profiles: Profile::ALL.map(|profile| profile.name().to_string()).to_vec(),
            releases: 2,
            seed: 1,
        },
        json: None,
        from: Vec::new(),
        keep: false,
    };
    let mut arguments = std::env::args().skip(1);
    while let Some(flag) = arguments.next() {
        if flag == "--keep" {
            options.keep = true;
            continue;
        }
        let value = arguments.next().ok_or_else(|| format!("{flag} needs a value"))?;
        let words = || value.split(',').map(str::trim).collect::<Vec<_>>();
        let wanted = &mut options.wanted;
        match flag.as_str() {
            "--data" => {
                known(&words(), &CASES.map(|case| case.name))?;
                wanted.cases.retain(|(case, _)| words().contains(&case.name));
            }
            "--attack" => {
                known(&words(), &Attack::ALL.map(Attack::name))?;
                wanted.attacks.retain(|attack| words().contains(&attack.name()));
            }
            "--method" => {
                known(&words(), &METHODS.map(Method::name))?;
                wanted.methods = words().iter().map(ToString::to_string).collect();
            }
            "--profile" => {
                known(&words(), &Profile::ALL.map(Profile::name))?;
                wanted.profiles = words().iter().map(ToString::to_string).collect();
            }
            "--rows" => {
                let rows: usize = value.parse()?;
                wanted.cases.iter_mut().for_each(|(_, n)| *n = (rows, rows / 2));
            }
            "--releases" => wanted.releases = value.parse()?,
            "--seed" => wanted.seed = value.parse()?,
            "--json" => options.json = Some(value.into()),
            "--from" => options.from = words().iter().map(PathBuf::from).collect(),
            _ => return Err(format!("unknown option {flag}; the first lines of the source list them all").into()),
        }
    }
    Ok(options)
}

/// Refuses a word that is none of these.
fn known(words: &[&str], all: &[&str]) -> Result<(), Failure> {
    match words.iter().find(|word| !all.contains(word)) {
        Some(word) => Err(format!("there is no `{word}`; hint: {}", all.join(", ")).into()),
        None => Ok(()),
    }
}
