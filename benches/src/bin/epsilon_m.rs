//! (epsilon, m)-anonymity: loss, errors of count queries and time of `proximity` against `paper`.
//!
//!     cargo run --release -p scumble-bench --bin epsilon_m [-- quality|time]
//!
//! On a real sample of half a million rows and on as many generated ones, with the epsilons of paper 1:
//! absolute 4500 and relative 0.125. Figures are ratios within one run.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a benchmark prints its results")]

use scumble::{Aim, Algorithm, Job, Kind, Profile, Sample};
use scumble_bench::{
    Outcome, RUNS, Timed, against_floor, floor, generate, job, load, measured, published, text, unpacked, with_task,
};
use scumble_measure::{Answers, Errors, Microdata, Partitioned, Perturbed, Workload, largest_retention};
use scumble_method::{EpsilonM, Variant};
use scumble_principle::{BoundRequirements, Requirement, proximity::theory};
use scumble_table::{Monitor, Partition, Role, Table};
use std::path::{Path, PathBuf};
use std::slice::from_ref;

const ACS: &str = "acs2024/acs2024_sal_like_500000.csv.gz";

/// A data set: its file, quasi-identifiers with their types, and the sensitive column.
struct Case {
    name: &'static str,
    file: PathBuf,
    quasi: &'static [(&'static str, Kind)],
    sensitive: &'static str,
}

/// The ways to be compared; the first is what the others are measured against.
const WAYS: [(&str, Variant, Profile, Aim); 5] = [
    ("paper", Variant::Paper, Profile::Standard, Aim::Loss),
    ("proximity", Variant::Ours, Profile::Standard, Aim::Answers),
    ("proximity, loss", Variant::Ours, Profile::Standard, Aim::Loss),
    ("max-utility, loss", Variant::Ours, Profile::MaxUtility, Aim::Loss),
    ("hardened", Variant::Ours, Profile::Hardened, Aim::Answers),
];

fn main() -> Outcome<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["floor", file] => measured(|| floor(Path::new(file)))?,
        ["publish", name, file, algorithm, requirement] => measured(|| {
            let case = cases(Path::new(""), Some((name, Path::new(file)))).remove(0);
            published(&case.file, case.job(algorithm, requirement)?)
        })?,
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

fn prepared(folder: &Path) -> Outcome<Vec<Case>> {
    let mut cases = cases(folder, None);
    if !unpacked(ACS, &cases[0].file)? {
        cases.remove(0);
    }
    for case in cases.iter().filter(|case| case.name == "census") {
        generate(Sample::Census, 500_000, &case.file)?;
    }
    Ok(cases)
}

impl Case {
    /// What is published of it; of the algorithms, `paper` and `max-utility` are told apart from our usual one.
    fn job(&self, algorithm: &str, requirement: &str) -> Outcome<Job> {
        let mut job = job(self.quasi, &[(self.sensitive, Kind::Number)], &[requirement])?;
        (job.publish.algorithm, job.publish.profile, job.publish.aim) = match algorithm {
            "paper" => (Some(Algorithm::Paper), None, None),
            "max-utility" => (None, Some(Profile::MaxUtility), Some(Aim::Loss)),
            _ => (None, None, None),
        };
        Ok(job)
    }

    fn load(&self) -> Outcome<Table> {
        Ok(load(&self.file, &self.job("proximity", "proximity-absolute(4500, 2)")?)?)
    }
}

/// A requirement up to its m, and the values of m to try, the largest that the table allows last.
type Form = (String, Vec<u64>);

/// The forms of paper 1.
fn requirements(table: &Table) -> Outcome<Vec<Form>> {
    let mut found = Vec::new();
    for form in ["proximity-absolute(4500, ", "proximity-relative(0.125, "] {
        let column = table.schema().of_role(Role::Sensitive)[0];
        let requirement: Requirement = format!("{form}1)").parse()?;
        let bound = BoundRequirements::bind(&[requirement], table.schema(), |column| table.column_bag(column))?;
        let (near, _) = bound.tests()[0].test().neighbourhood().ok_or("no neighbourhood")?;
        let largest = theory::largest_m(&table.column_bag(column), near);
        let mut ms: Vec<u64> = [2, 5, 10, 14].into_iter().filter(|&m| m < largest).collect();
        ms.push(largest);
        found.push((form.into(), ms));
    }
    Ok(found)
}

fn quality(case: &Case) -> Outcome<()> {
    let table = case.load()?;
    let empty = Partition::new(Vec::new(), vec![0], table.n_rows())?;
    let microdata = Partitioned::new(&table, &empty, case.sensitive)?.microdata();
    let workloads: Vec<Answers> = (2..=4)
        .map(|w| Answers::new(Workload::new(w), &microdata, Monitor::silent()))
        .collect::<scumble_table::Result<_>>()?;
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

fn ways(case: &Case, table: &Table, requirement: &Requirement, workloads: &[Answers]) -> Outcome<()> {
    let mut paper = f64::NAN;
    for (name, variant, profile, aim) in WAYS {
        let start = std::time::Instant::now();
        let way = EpsilonM { variant, profile, aim };
        let found: Partition = with_task(table, from_ref(requirement), 1, |task| way.partition(task))?;
        let seconds = start.elapsed().as_secs_f64();
        let measured = Partitioned::new(table, &found, case.sensitive)?;
        let loss = measured.loss().loss;
        if name == "paper" {
            paper = loss;
        }
        let boxes = measured.generalization();
        let errors: Vec<(Option<Errors>, Option<Errors>)> = workloads
            .iter()
            .map(|w| w.generalization_errors(&boxes, Monitor::silent()))
            .collect::<scumble::Result<_>>()?;
        let ends: Vec<String> = errors.iter().map(|(_, ends)| error_text(ends.as_ref())).collect();
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
            let errors = asked(workloads, |workload| workload.anatomy_errors(&exact, Monitor::silent()))?;
            println!("| the same as anatomy | - | - | - | {} | - |", errors.join(" | "));
        }
    }
    Ok(())
}

/// Perturbation under the same requirement.
fn rival(table: &Table, requirement: &Requirement, microdata: &Microdata, workloads: &[Answers]) -> Outcome<()> {
    let column = table.schema().of_role(Role::Sensitive)[0];
    let retention = largest_retention(&table.attribute(column).domain, &table.column_bag(column), requirement)?;
    let perturbed = Perturbed::new(microdata, retention, 1);
    let errors = asked(workloads, |workload| workload.perturbation_errors(&perturbed, Monitor::silent()))?;
    println!("| perturbation, p = {retention:.4} | - | - | - | {} | - |", errors.join(" | "));
    Ok(())
}

/// The errors of every workload as words.
fn asked(
    workloads: &[Answers],
    errors: impl Fn(&Answers) -> scumble::Result<Option<Errors>>,
) -> scumble::Result<Vec<String>> {
    workloads.iter().map(|workload| Ok(error_text(errors(workload)?.as_ref()))).collect()
}

fn error_text(errors: Option<&Errors>) -> String {
    errors.map_or("-".into(), |e| format!("{:.4}, {:.4}, {:+.4}", e.mean, e.median, e.signed_mean))
}

fn time(cases: &[Case], folder: &Path) -> Outcome<()> {
    println!("\n## Time of a whole publish, verification included, against reading and writing the file\n");
    println!("| data | requirement | algorithm | floor s | publish s | ratio | peak MiB |");
    println!("|---|---|---|---|---|---|---|");
    let mut census = None;
    for case in cases {
        for (form, ms) in requirements(&case.load()?)? {
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
    generate(Sample::Census, 5_000_000, &large.file)?;
    let seconds = timed(&large, &format!("{form}5)"), "proximity")?;
    println!("\n5 million rows cost {:.1} times half a million", seconds / small);
    Ok(())
}

fn timed(case: &Case, requirement: &str, algorithm: &str) -> Outcome<f64> {
    let arguments = ["publish", case.name, text(&case.file)?, algorithm, requirement];
    let Timed { floor, seconds, ours } = against_floor(&case.file, &arguments, RUNS)?;
    println!(
        "| {} | {requirement} | {algorithm} | {floor:.2} | {seconds:.2} | {:.1} | {} |",
        case.name,
        seconds / floor,
        ours["peak_mib"]
    );
    Ok(seconds)
}
