//! ANGEL: divergence, errors of count queries and time, compared with plain generalization.
//!
//!     cargo run --release -p scumble-bench --bin angel [-- quality [acs|occupation]|claims|marginals|time]
//!
//! On 300,000 rows of a real sample and on as many generated ones, with five quasi-identifiers and 50 sensitive values,
//! after section 6 of the paper: buckets of 10 people, frequency l-diversity and t-closeness. Everything goes through
//! `publish` and `evaluate`, so that what is measured is what is on disk. `claims`, which is run only
//! if asked for and on the first 50,000 rows of each, prints next to the divergence how often the common-value attack is right in each
//! profile; what is claimed is also what it would get with the values shuffled inside the batches, on average.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a benchmark prints its results")]

use scumble::{Algorithm, EvaluateRequest, Evaluation, Kind, Method, Profile, Sample};
use scumble_bench::{
    Outcome, RUNS, Timed, against_floor, evaluated, floor, generate, job, measured, number, publish, text, unpacked,
};
use serde_json::{Value, json};
use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

const ACS: &str = "acsincome2018/ACSIncome_665800.csv.gz";
const ADULT: &str = "adult/adult_all_48842.csv.gz";
const ROWS: u64 = 300_000;
/// Rows of those that claims are attacked on.
const ATTACKED: u64 = 50_000;
/// People who share a box of an angel release.
const K: u64 = 10;
const VOLUMES: [f64; 3] = [0.03, 0.05, 0.1];
const REQUIREMENTS: [&str; 8] = [
    "frequency-l-diversity(4)",
    "frequency-l-diversity(6)",
    "frequency-l-diversity(8)",
    "frequency-l-diversity(10)",
    "t-closeness(0.15)",
    "t-closeness(0.2)",
    "t-closeness(0.25)",
    "t-closeness(0.3)",
];

/// The ways to be compared: a word, whether it is angel, the algorithm and the profile.
const WAYS: [(&str, bool, Option<Algorithm>, Profile); 5] = [
    ("generalize", false, Some(Algorithm::Paper), Profile::Standard),
    ("angel, paper", true, Some(Algorithm::Paper), Profile::Standard),
    ("angel", true, None, Profile::Standard),
    ("angel, hardened", true, None, Profile::Hardened),
    ("angel, max-utility", true, None, Profile::MaxUtility),
];

/// A data set; its quasi-identifiers come in the order in which the paper's marginals take them in.
struct Case {
    name: &'static str,
    file: PathBuf,
    quasi: [(&'static str, Kind); 5],
    sensitive: &'static str,
}

fn main() -> Outcome<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["floor", file] => measured(|| floor(Path::new(file)))?,
        ["publish", name, file, way, requirement] => {
            measured(|| case(name, Path::new(file)).publish(way, requirement, &[]))?;
        }
        what @ ([] | ["quality"] | ["quality", "acs" | "occupation"] | ["claims"] | ["marginals"] | ["time"]) => {
            let folder = tempfile::tempdir()?;
            let cases = prepared(folder.path(), if what == ["claims"] { ATTACKED } else { ROWS })?;
            let wanted = |case: &&Case| what.get(1).is_none_or(|name| *name == case.name);
            let all = what.is_empty();
            if all || what[0] == "quality" {
                cases.iter().filter(wanted).try_for_each(quality)?;
            }
            if what == ["claims"] {
                claims(&cases, folder.path())?;
            }
            if all || what[0] == "marginals" {
                cases.iter().try_for_each(marginals)?;
            }
            if all || what[0] == "time" {
                time(&cases, folder.path())?;
            }
        }
        _ => return Err("usage: angel [quality [acs|occupation]|claims|marginals|time]".into()),
    }
    Ok(())
}

fn case(name: &str, file: &Path) -> Case {
    let file = file.to_path_buf();
    match name {
        "acs" => Case {
            name: "acs",
            file,
            quasi: ["MAR", "COW", "SCHL", "SEX", "AGEP"].map(|name| (name, Kind::Number)),
            sensitive: "OCC",
        },
        "adult" => Case {
            name: "adult",
            file,
            quasi: [
                ("marital_status", Kind::Nominal),
                ("workclass", Kind::Nominal),
                ("education", Kind::Nominal),
                ("sex", Kind::Nominal),
                ("age", Kind::Number),
            ],
            sensitive: "occupation",
        },
        _ => Case {
            name: "occupation",
            file,
            quasi: [
                ("marital", Kind::Nominal),
                ("workclass", Kind::Nominal),
                ("education", Kind::Nominal),
                ("gender", Kind::Nominal),
                ("age", Kind::Number),
            ],
            sensitive: "occupation",
        },
    }
}

fn prepared(folder: &Path, rows: u64) -> Outcome<Vec<Case>> {
    let mut cases = Vec::new();
    let all = folder.join("all.csv");
    if unpacked(ACS, &all)? {
        let acs = case("acs", &folder.join("acs.csv"));
        cut(&all, &acs.file, rows)?;
        cases.push(acs);
    }
    let made = case("occupation", &folder.join("occupation.csv"));
    generate(Sample::Occupation, rows, &made.file)?;
    cases.push(made);
    Ok(cases)
}

/// The first rows, with the occupation codes divided by 200: 50 groups of them.
fn cut(from: &Path, to: &Path, rows: u64) -> Outcome<()> {
    let mut lines = BufReader::new(File::open(from)?).lines();
    let mut out = BufWriter::new(File::create(to)?);
    let header = lines.next().ok_or("an empty file")??;
    let at = header.split(',').position(|name| name == "OCCP").ok_or("no column OCCP")?;
    writeln!(out, "{header},OCC")?;
    for line in lines.take(rows as usize) {
        let line = line?;
        let code: u32 = line.split(',').nth(at).ok_or("a short line")?.parse()?;
        writeln!(out, "{line},{}", code / 200)?;
    }
    Ok(())
}

impl Case {
    /// Where its release is put, in the place of an earlier one.
    fn release(&self) -> PathBuf {
        self.file.with_extension("release")
    }

    fn publish(&self, way: &str, requirement: &str, marginals: &[Vec<String>]) -> Outcome<Value> {
        let (_, angel, algorithm, profile) = WAYS.into_iter().find(|known| known.0 == way).ok_or("no such way")?;
        let mut job = job(&self.quasi, &[(self.sensitive, Kind::Nominal)], &[requirement])?;
        job.publish.method = Some(if angel { Method::Angel } else { Method::Generalize });
        job.publish.angel_k = angel.then_some(K);
        job.publish.marginal = marginals.to_vec();
        (job.publish.algorithm, job.publish.profile) = (algorithm, Some(profile));
        (job.publish.seed, job.publish.insecure_seed) = (Some(1), true);
        (job.output.dir, job.output.replace) = (Some(self.release()), true);
        let facts = publish(&self.file, &job)?.facts;
        Ok(json!({"groups": facts.groups, "loss": facts.loss, "common_value": facts.common_value}))
    }

    fn evaluated(&self, queries: usize, sets: &[Vec<String>]) -> Outcome<Evaluation> {
        let request = EvaluateRequest {
            queries,
            volumes: VOLUMES.to_vec(),
            reconstruct: sets.to_vec(),
            ..EvaluateRequest::default()
        };
        Ok(evaluated(&self.release(), &self.file, &request)?)
    }
}

fn quality(case: &Case) -> Outcome<()> {
    println!("\n## {}: KL(D||D*) in nats, and the mean relative error of 1,000 counts over every column\n", case.name);
    println!("| requirement | way | KL | of angel, paper | error, s = 3 % | 5 % | 10 % | publish s | evaluate s |");
    println!("|---|---|---|---|---|---|---|---|---|");
    for requirement in REQUIREMENTS {
        let mut found = Vec::new();
        for (way, ..) in WAYS {
            let start = Instant::now();
            if let Err(error) = case.publish(way, requirement, &[]) {
                println!("| {requirement} | {way} | {error} | | | | | | |");
                continue;
            }
            let published = start.elapsed().as_secs_f64();
            let start = Instant::now();
            found.push((way, published, case.evaluated(1000, &[])?, start.elapsed().as_secs_f64()));
        }
        let paper = found.iter().find(|one| one.0 == "angel, paper").map_or(f64::NAN, |one| kl(&one.2, 0));
        for (way, published, evaluation, seconds) in &found {
            let error = |at: usize| {
                let uniform = evaluation.workloads[at].estimators.first().and_then(|(_, errors)| *errors);
                uniform.map_or("-".into(), |errors| format!("{:.4}", errors.mean))
            };
            let kl = kl(evaluation, 0);
            println!(
                "| {requirement} | {way} | {kl:.4} | {:.2} | {} | {} | {} | {published:.1} | {seconds:.1} |",
                kl / paper,
                error(0),
                error(1),
                error(2)
            );
        }
    }
    Ok(())
}

fn kl(evaluation: &Evaluation, at: usize) -> f64 {
    evaluation.reconstruction.get(at).and_then(|one| one.kl).unwrap_or(f64::INFINITY)
}

/// The common-value attack and the divergence, profile by profile.
fn claims(cases: &[Case], folder: &Path) -> Outcome<()> {
    println!("\n## The common-value attack: how often it is right, what is claimed, and the divergence\n");
    println!(
        "In all boxes of several batches that share one value, and in those of them whose people are all in different batches.\n"
    );
    println!(
        "| data | requirement | way | people | right | claimed | apart: people | right | claimed | batches | KL |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|");
    let (adult, file) = (case("adult", &folder.join("adult.csv")), folder.join("adult-all.csv"));
    let mut all: Vec<&Case> = cases.iter().collect();
    if unpacked(ADULT, &file)? {
        known(&file, &adult.file)?;
        all.push(&adult);
    }
    for case in all {
        for requirement in ["frequency-l-diversity(4)", "frequency-l-diversity(10)"] {
            for way in ["angel", "angel, hardened", "angel, max-utility"] {
                let made = match case.publish(way, requirement, &[]) {
                    Ok(made) => made,
                    Err(error) => {
                        println!("| {} | {requirement} | {way} | {error} | | | | | |", case.name);
                        continue;
                    }
                };
                let kl = kl(&case.evaluated(0, &[])?, 0);
                let line = |guessed: &Value| {
                    let figure = |name: &str| number(&guessed[name]);
                    let people = figure("people");
                    format!("{people} | {:.3} | {:.3}", figure("hits") / people, figure("claimed") / people)
                };
                let found = &made["common_value"];
                println!(
                    "| {} | {requirement} | {way} | {} | {} | {} | {kl:.4} |",
                    case.name,
                    line(found),
                    line(&found["apart"]),
                    made["groups"],
                );
            }
        }
    }
    Ok(())
}

/// The rows of the adult table whose occupation is known: for the others it follows from the kind of work.
fn known(from: &Path, to: &Path) -> Outcome<()> {
    let mut lines = BufReader::new(File::open(from)?).lines();
    let mut out = BufWriter::new(File::create(to)?);
    let header = lines.next().ok_or("an empty file")??;
    let at = header.split(',').position(|name| name == "occupation").ok_or("no column occupation")?;
    writeln!(out, "{header}")?;
    for line in lines {
        let line = line?;
        if line.split(',').nth(at).ok_or("a short line")?.trim() != "?" {
            writeln!(out, "{line}")?;
        }
    }
    Ok(())
}

/// The shape of Table 9: the divergence on one to four quasi-identifiers from their own table and from that of all.
fn marginals(case: &Case) -> Outcome<()> {
    println!("\n## {}: KL on some quasi-identifiers, from the table of all and from their own\n", case.name);
    println!("| requirement | way | quasi-identifiers | table of all | own table | own / all |");
    println!("|---|---|---|---|---|---|");
    let names: Vec<String> = case.quasi.iter().map(|(name, _)| name.to_string()).collect();
    let sets: Vec<Vec<String>> = (1..=4).map(|n| names[..n].to_vec()).collect();
    for requirement in ["frequency-l-diversity(10)", "t-closeness(0.2)"] {
        for way in ["angel, paper", "angel"] {
            // The same coins give both releases the same batches.
            case.publish(way, requirement, &[])?;
            let all = case.evaluated(0, &sets)?;
            case.publish(way, requirement, &sets)?;
            let own = case.evaluated(0, &sets)?;
            for (at, set) in sets.iter().enumerate() {
                let (all, own) = (kl(&all, at + 1), kl(&own, at + 1));
                println!("| {requirement} | {way} | {} | {all:.5} | {own:.5} | {:.4} |", set.join(","), own / all);
            }
        }
    }
    Ok(())
}

fn time(cases: &[Case], folder: &Path) -> Outcome<()> {
    println!("\n## Time of a whole publish, verification included, against reading and writing the file\n");
    println!("| data | requirement | way | floor s | publish s | ratio | peak MiB |");
    println!("|---|---|---|---|---|---|---|");
    let mut small = f64::NAN;
    for case in cases {
        for (requirement, way) in [
            ("frequency-l-diversity(10)", "angel, paper"),
            ("frequency-l-diversity(10)", "angel"),
            ("t-closeness(0.2)", "angel"),
        ] {
            let seconds = timed(case, requirement, way)?;
            if case.name == "occupation" && requirement == "frequency-l-diversity(10)" {
                small = seconds;
            }
        }
    }
    let large = case("occupation", &folder.join("large.csv"));
    generate(Sample::Occupation, 10 * ROWS, &large.file)?;
    let seconds = timed(&large, "frequency-l-diversity(10)", "angel")?;
    println!("\n3 million rows cost {:.1} times 300,000", seconds / small);
    Ok(())
}

fn timed(case: &Case, requirement: &str, way: &str) -> Outcome<f64> {
    let arguments = ["publish", case.name, text(&case.file)?, way, requirement];
    let Timed { floor, seconds, ours } = against_floor(&case.file, &arguments, RUNS)?;
    println!(
        "| {} | {requirement} | {way} | {floor:.2} | {seconds:.2} | {:.1} | {} |",
        case.name,
        seconds / floor,
        ours["peak_mib"]
    );
    Ok(seconds)
}
