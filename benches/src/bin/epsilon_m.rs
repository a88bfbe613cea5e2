//! (epsilon, m)-anonymity: loss, errors of count queries and time of `proximity` against `paper`.
//!
//!     cargo run --release -p scumble-bench --bin epsilon_m [-- quality|time]
//!
//! On a real sample of half a million rows and on as many generated ones, with the epsilons of paper 1:
//! absolute 4500 and relative 0.125. Figures are ratios within one run.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a benchmark prints its results")]

use scumble::{Aim, Algorithm, ColumnRequest, ColumnRole, Input, Kind, Profile, PublishRequest, Sample};
use scumble_bench::{Timed, against_floor, data, floor, measured, published, unpack};
use scumble_io::{ColumnPlan, EncodeOptions, NoProgress, ReadOptions, encode, read};
use scumble_method::Coins;
use scumble_method::epsilon_m::{Aim as MethodAim, Dealing, EpsilonM};
use scumble_method::mondrian::Task;
use scumble_principle::{BoundRequirements, Neighbourhood, Requirement, proximity::theory};
use scumble_release::{Answers, Errors, Microdata, Partitioned, Perturbed, Workload, largest_retention};
use scumble_table::{Partition, Role, Table};
use serde_json::Value;
use std::error::Error;
use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};

const ACS: &str = "acs2024/acs2024_sal_like_500000.csv.gz";

/// A data set: its file, quasi-identifiers with their types, and the sensitive column.
struct Case {
    name: &'static str,
    file: PathBuf,
    quasi: &'static [(&'static str, Kind)],
    sensitive: &'static str,
}

/// The ways to be compared; the first is what the others are measured against.
const WAYS: [(&str, Dealing, MethodAim); 5] = [
    ("paper", Dealing::Paper, MethodAim::Loss),
    ("proximity", Dealing::Drawn, MethodAim::Answers),
    ("proximity, loss", Dealing::Drawn, MethodAim::Loss),
    ("max-utility, loss", Dealing::Best, MethodAim::Loss),
    ("hardened", Dealing::Lanes, MethodAim::Answers),
];

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["floor", file] => measured(|| floor(Path::new(file)).map_or_else(|e| panic!("{e}"), |()| Value::Null)),
        ["publish", name, file, algorithm, requirement] => measured(|| {
            let case = cases(Path::new(""), Some((name, Path::new(file)))).remove(0);
            publish(&case, algorithm, requirement).unwrap_or_else(|e| panic!("{e}"))
        }),
        what @ ([] | ["quality"] | ["quality", "acs" | "census"] | ["time"]) => {
            let folder = tempfile::tempdir()?;
            let cases = prepared(folder.path())?;
            let wanted = |case: &&Case| what.get(1).is_none_or(|name| *name == case.name);
            if what != ["time"] {
                cases.iter().filter(wanted).try_for_each(quality)?;
            }
            if what.first() != Some(&"quality") {
                time(&cases, folder.path())?;
            }
        }
        _ => return Err("usage: epsilon_m [quality [acs|census]|time]".into()),
    }
    Ok(())
}

fn cases(folder: &Path, only: Option<(&str, &Path)>) -> Vec<Case> {
    let file = |name: &str| only.map_or_else(|| folder.join(format!("{name}.csv")), |(_, file)| file.into());
    let acs: &[(&str, Kind)] = &[("AGEP", Kind::Ordinal), ("STATE", Kind::Ordinal), ("OCCP", Kind::Ordinal)];
    let census: &[(&str, Kind)] =
        &[("age", Kind::Number), ("birthplace", Kind::Nominal), ("occupation", Kind::Nominal)];
    let all = vec![
        Case { name: "acs", file: file("acs"), quasi: acs, sensitive: "PINCP" },
        Case { name: "census", file: file("census"), quasi: census, sensitive: "income" },
    ];
    all.into_iter().filter(|case| only.is_none_or(|(name, _)| name == case.name)).collect()
}

fn prepared(folder: &Path) -> Result<Vec<Case>, Box<dyn Error>> {
    let mut cases = cases(folder, None);
    let real = data().join(ACS);
    if real.exists() {
        unpack(&real, &cases[0].file)?;
    } else {
        println!("(acs skipped: {} is not there)", real.display());
        cases.remove(0);
    }
    for case in cases.iter().filter(|case| case.name == "census") {
        scumble::generate(Sample::Census, 500_000, 1, &mut BufWriter::new(File::create(&case.file)?), &mut |_| ())?;
    }
    Ok(cases)
}

fn load(case: &Case) -> Result<Table, Box<dyn Error>> {
    let wanted = |name: &str| name == case.sensitive || case.quasi.iter().any(|(quasi, _)| *quasi == name);
    let options = ReadOptions::default().columns(|name| match wanted(name) {
        true => scumble_io::Want::Text,
        false => scumble_io::Want::Skip,
    });
    let raw = read(&case.file, &options, &NoProgress)?;
    let plan = |name: &str, role, kind| ColumnPlan { kind: Some(kind), ..ColumnPlan::new(name, role) };
    let mut plans: Vec<ColumnPlan> = case.quasi.iter().map(|(name, kind)| plan(name, Role::Quasi, *kind)).collect();
    plans.push(plan(case.sensitive, Role::Sensitive, Kind::Number));
    Ok(encode(raw, &plans, &EncodeOptions::default())?)
}

fn bind(table: &Table, requirement: &Requirement) -> scumble_table::Result<BoundRequirements> {
    BoundRequirements::bind(std::slice::from_ref(requirement), table.schema(), |column| table.whole(column))
}

/// A requirement up to its m, and the values of m to try, the largest that the table allows last.
type Form = (String, Vec<u64>);

/// The forms of paper 1.
fn requirements(table: &Table) -> Result<Vec<Form>, Box<dyn Error>> {
    let mut found = Vec::new();
    for form in ["proximity-absolute(4500, ", "proximity-relative(0.125, "] {
        let bound = bind(table, &format!("{form}1)").parse()?)?;
        let near: Option<(&Neighbourhood, u64)> = bound.tests()[0].test().neighbourhood();
        let (near, _) = near.ok_or("no neighbourhood")?;
        let column = table.schema().of_role(Role::Sensitive)[0];
        let largest = theory::largest_m(&table.whole(column), near);
        let mut ms: Vec<u64> = [2, 5, 10, 14].into_iter().filter(|&m| m < largest).collect();
        ms.push(largest);
        found.push((form.into(), ms));
    }
    Ok(found)
}

fn partition(table: &Table, requirement: &Requirement, way: EpsilonM) -> scumble_table::Result<Partition> {
    let bound = bind(table, requirement)?;
    way.partition(&Task {
        table,
        bound: &bound,
        rebind: &|_| bind(table, requirement),
        most_suppressed: 0,
        coins: &Coins::from_seed(1),
        tick: &|_| (),
    })
}

fn quality(case: &Case) -> Result<(), Box<dyn Error>> {
    let table = load(case)?;
    let empty = Partition::new(Vec::new(), vec![0], table.n_rows())?;
    let microdata = Partitioned::new(&table, &empty, case.sensitive)?.microdata();
    let workloads: Vec<Answers> =
        (2..=4).map(|w| Answers::of(Workload::new(w), &microdata)).collect::<scumble_table::Result<_>>()?;
    let zero: Vec<usize> = workloads.iter().map(Answers::without_answer).collect();
    println!(
        "\n## {}: {} rows, 1,000 queries of volume 0.1 each; without answer {zero:?}\n",
        case.name,
        table.n_rows()
    );
    for (form, ms) in requirements(&table)? {
        for m in ms {
            let requirement: Requirement = format!("{form}{m})").parse()?;
            println!("### {requirement}\n");
            println!(
                "| groups by | loss | of paper | s | w = 2: mean, median, signed | w = 3 | w = 4 | uniform: mean |"
            );
            println!("|---|---|---|---|---|---|---|---|");
            ways(case, &table, &requirement, &workloads)?;
            rival(&table, &requirement, &microdata, &workloads)?;
            println!();
        }
    }
    Ok(())
}

fn ways(case: &Case, table: &Table, requirement: &Requirement, workloads: &[Answers]) -> Result<(), Box<dyn Error>> {
    let mut paper = f64::NAN;
    for (name, dealing, aim) in WAYS {
        let start = std::time::Instant::now();
        let found = partition(table, requirement, EpsilonM { dealing, aim })?;
        let seconds = start.elapsed().as_secs_f64();
        let measured = Partitioned::new(table, &found, case.sensitive)?;
        let loss = measured.loss().loss;
        if name == "paper" {
            paper = loss;
        }
        let boxes = measured.generalization();
        let errors: Vec<(Option<Errors>, Option<Errors>)> =
            workloads.iter().map(|workload| workload.of_generalization(&boxes)).collect();
        let ends: Vec<String> = errors.iter().map(|(_, ends)| words(ends.as_ref())).collect();
        let uniform: Vec<String> = errors
            .iter()
            .map(|(uniform, _)| uniform.as_ref().map_or("-".into(), |e| format!("{:.4}", e.mean)))
            .collect();
        println!(
            "| {name} | {loss:.4} | {:.3} | {seconds:.1} | {} | {} |",
            loss / paper,
            ends.join(" | "),
            uniform.join(" ")
        );
        if name == "proximity" {
            let exact = measured.anatomy();
            let errors: Vec<String> = workloads.iter().map(|w| words(w.of_anatomy(&exact).as_ref())).collect();
            println!("| the same as anatomy | - | - | - | {} | - |", errors.join(" | "));
        }
    }
    Ok(())
}

/// Perturbation under the same requirement.
fn rival(
    table: &Table,
    requirement: &Requirement,
    microdata: &Microdata,
    workloads: &[Answers],
) -> Result<(), Box<dyn Error>> {
    let column = table.schema().of_role(Role::Sensitive)[0];
    let retention = largest_retention(&table.attribute(column).domain, &table.whole(column), requirement)?;
    let perturbed = Perturbed::new(microdata, retention, 1);
    let errors: Vec<String> = workloads.iter().map(|w| words(w.of_perturbed(&perturbed).as_ref())).collect();
    println!("| perturbation, p = {retention:.4} | - | - | - | {} | - |", errors.join(" | "));
    Ok(())
}

fn words(errors: Option<&Errors>) -> String {
    errors.map_or("-".into(), |e| format!("{:.4}, {:.4}, {:+.4}", e.mean, e.median, e.signed_mean))
}

fn publish(case: &Case, algorithm: &str, requirement: &str) -> Result<Value, Box<dyn Error>> {
    let out = tempfile::tempdir_in(case.file.parent().unwrap_or(Path::new(".")))?;
    let typed = |(name, kind): &(&str, Kind)| ColumnRequest {
        kind: Some(*kind),
        ..ColumnRequest::new(*name, ColumnRole::Quasi)
    };
    let mut columns: Vec<ColumnRequest> = case.quasi.iter().map(typed).collect();
    columns.push(ColumnRequest::new(case.sensitive, ColumnRole::Sensitive));
    let (algorithm, profile, aim) = match algorithm {
        "paper" => (Some(Algorithm::Paper), Profile::Standard, None),
        "max-utility" => (None, Profile::MaxUtility, Some(Aim::Loss)),
        _ => (None, Profile::Standard, None),
    };
    let request = PublishRequest {
        columns,
        drop_rest: true,
        requirements: vec![requirement.parse()?],
        algorithm,
        profile,
        aim,
        out: out.path().join("release"),
        ..PublishRequest::new(Input::file(&case.file))
    };
    published(&request)
}

fn time(cases: &[Case], folder: &Path) -> Result<(), Box<dyn Error>> {
    println!("\n## Time of a whole publish, verification included, against reading and writing the file\n");
    println!("| data | requirement | algorithm | floor s | publish s | ratio | peak MiB |");
    println!("|---|---|---|---|---|---|---|");
    let mut census = None;
    for case in cases {
        for (form, ms) in requirements(&load(case)?)? {
            let largest = ms.last().copied().unwrap_or(2);
            for (m, algorithm) in [(5, "paper"), (5, "proximity"), (largest, "paper"), (largest, "proximity")] {
                let seconds = timed(case, &format!("{form}{m})"), algorithm)?;
                if case.name == "census" && m == 5 && algorithm == "proximity" {
                    census.get_or_insert((form.clone(), seconds));
                }
            }
        }
    }
    let Some((form, small)) = census else { return Ok(()) };
    let large =
        Case { file: folder.join("large.csv"), ..self::cases(folder, Some(("census", Path::new("")))).remove(0) };
    scumble::generate(Sample::Census, 5_000_000, 1, &mut BufWriter::new(File::create(&large.file)?), &mut |_| ())?;
    let seconds = timed(&large, &format!("{form}5)"), "proximity")?;
    println!("\n5 million rows cost {:.1} times half a million", seconds / small);
    Ok(())
}

fn timed(case: &Case, requirement: &str, algorithm: &str) -> Result<f64, Box<dyn Error>> {
    let path = case.file.to_str().ok_or("a path in unicode is wanted")?;
    let child = ["publish", case.name, path, algorithm, requirement];
    let Timed { floor, seconds, peak_mib } = against_floor(&case.file, &child)?;
    println!(
        "| {} | {requirement} | {algorithm} | {floor:.2} | {seconds:.2} | {:.1} | {peak_mib} |",
        case.name,
        seconds / floor
    );
    Ok(seconds)
}
