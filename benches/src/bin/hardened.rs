//! What boxes that hide their ends and stops by lot cost, and what boxes hide, on adult and on the census of the ACS.
//!
//!     cargo run --release -p scumble-bench --bin hardened [ROWS] [boxes|profiles]
//!
//! What undivided groups tell is measured by `attacks --attack stops`.
#![allow(clippy::print_stdout, reason = "a benchmark prints its results")]

use flate2::read::MultiGzDecoder;
use scumble::{BoxKind, ColumnRequest, ColumnRole, Input, Kind, Profile, PublishRequest, Silent};
use scumble_bench::data;
use scumble_bench::refined::{absent, refine};
use scumble_release::{Opened, OpenedData};
use std::error::Error;
use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;

/// A data set: its file, quasi-identifiers with those that are numbers first, and a sensitive column.
struct Set {
    name: &'static str,
    file: &'static str,
    quasi: &'static [&'static str],
    numbers: usize,
    sensitive: &'static str,
}

const SETS: [Set; 2] = [
    Set {
        name: "adult",
        file: "adult/adult_all_48842.csv.gz",
        quasi: &["age", "sex", "race", "marital_status", "education", "native_country", "workclass"],
        numbers: 1,
        sensitive: "occupation",
    },
    Set {
        name: "ACS",
        file: "acs2024/acs2024_sal_like_500000.csv.gz",
        quasi: &["AGEP", "SCHL", "SEX", "MAR", "RAC1P", "COW", "STATE"],
        numbers: 2,
        sensitive: "OCCP",
    },
];

fn main() -> Result<(), Box<dyn Error>> {
    let rows: usize = std::env::args().nth(1).map_or(Ok(12_000), |text| text.parse())?;
    let part = std::env::args().nth(2);
    let wanted = |name: &str| part.as_deref().is_none_or(|part| part == name);
    for set in &SETS {
        let source = data().join(set.file);
        if !source.exists() {
            println!("{} is not there: skipped", set.name);
            continue;
        }
        let lines: Vec<String> =
            BufReader::new(MultiGzDecoder::new(File::open(source)?)).lines().collect::<Result<_, _>>()?;
        let whole = |line: &&String| !line.split(',').any(|cell| cell == "?");
        let people: Vec<&String> = lines[1..].iter().filter(whole).collect();
        let strangers = &people[rows..(rows + rows / 4).min(people.len())];
        let folder = tempfile::tempdir()?;
        let file = folder.path().join("people.csv");
        let mut out = File::create(&file)?;
        writeln!(out, "{}", lines[0])?;
        for line in &people[..rows] {
            writeln!(out, "{line}")?;
        }
        drop(out);
        let header: Vec<&str> = lines[0].split(',').collect();
        if wanted("boxes") {
            boxes(set, &file, folder.path(), &header, strangers)?;
        }
        if wanted("profiles") {
            profiles(set, &file, folder.path())?;
        }
    }
    Ok(())
}

fn request(set: &Set, file: &Path, folder: &Path, requirements: &[String]) -> Result<PublishRequest, Box<dyn Error>> {
    let quasi = set.quasi.iter().enumerate().map(|(at, name)| ColumnRequest {
        kind: Some(if at < set.numbers { Kind::Number } else { Kind::Nominal }),
        ..ColumnRequest::new(*name, ColumnRole::Quasi)
    });
    let sensitive =
        ColumnRequest { kind: Some(Kind::Nominal), ..ColumnRequest::new(set.sensitive, ColumnRole::Sensitive) };
    Ok(PublishRequest {
        columns: quasi.chain([sensitive]).collect(),
        drop_rest: true,
        requirements: requirements.iter().map(|text| text.parse()).collect::<Result<_, _>>()?,
        seed: Some(1),
        out: folder.join("release"),
        replace: true,
        ..PublishRequest::new(Input::file(file))
    })
}

fn boxes(set: &Set, file: &Path, folder: &Path, header: &[&str], strangers: &[&String]) -> Result<(), Box<dyn Error>> {
    println!("\n{}: boxes\n\n| k | boxes | NCP | times minimal | cells known exactly | strangers absent |", set.name);
    println!("|---|---|---|---|---|---|");
    let places: Vec<usize> =
        set.quasi.iter().filter_map(|name| header.iter().position(|known| known == name)).collect();
    let outside: Vec<Vec<String>> = strangers
        .iter()
        .map(|line| {
            let cells: Vec<&str> = line.split(',').collect();
            places.iter().map(|&at| cells[at].to_string()).collect()
        })
        .collect();
    for k in [2, 5, 10] {
        let mut minimal = 0.0;
        for kind in BoxKind::ALL {
            let request =
                PublishRequest { boxes: Some(kind), ..request(set, file, folder, &[format!("k-anonymity({k})")])? };
            let published = scumble::publish(&request, &Silent)?;
            let opened = Opened::read(&request.out, &scumble_io::NoProgress)?;
            let OpenedData::Boxed(boxed) = opened.data() else {
                return Err("a generalized release is wanted".into());
            };
            if kind == BoxKind::Minimal {
                minimal = published.ncp;
            }
            println!(
                "| {k} | {kind} | {:.4} | {:.2} | {:.1} % | {:.1} % |",
                published.ncp / set.quasi.len() as f64,
                published.ncp / minimal,
                100.0 * refine(boxed, kind).share(),
                100.0 * absent(boxed, &outside)
            );
        }
    }
    Ok(())
}

/// NCP under requirements that look at values, by profile, with least boxes.
fn profiles(set: &Set, file: &Path, folder: &Path) -> Result<(), Box<dyn Error>> {
    println!("\n{}: profiles, least boxes\n\n| requirement | profile | NCP | groups |\n|---|---|---|---|", set.name);
    for requirement in ["frequency-l-diversity(2)", "distinct-l-diversity(2)", "frequency-l-diversity(4)"] {
        for profile in Profile::ALL {
            let request = PublishRequest {
                profile,
                boxes: Some(BoxKind::Minimal),
                ..request(set, file, folder, &[requirement.to_string()])?
            };
            let published = scumble::publish(&request, &Silent)?;
            let ncp = published.ncp / set.quasi.len() as f64;
            println!("| {requirement} | {profile} | {ncp:.4} | {} |", published.groups);
        }
    }
    Ok(())
}
