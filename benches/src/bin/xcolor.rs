//! XColor: loss, errors of count queries and time of `xcolor` against `paper`.
//!
//!     cargo run --release -p scumble-bench --bin xcolor [-- quality|stages|time]
//!
//! On a real sample of half a million rows, on its first tenth, and on as many generated ones: four quasi-identifiers,
//! and education, class of worker and income in 50 classes of equal frequency taken as one sensitive value. Figures are
//! ratios within one run.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a benchmark prints its results")]

use scumble::read_distance;
use scumble_bench::xcolor_data::{Case, case, census, prepared};
use scumble_bench::{Outcome, RUNS, Timed, against_floor, floor, load, measured, published, text};
use scumble_measure::{Answers, Partitioned, Workload};
use scumble_method::{Coins, Profile, Task, Variant, XColor};
use scumble_principle::dissimilarity::theory::allowed;
use scumble_principle::{BoundRequirements, JointColumns, Requirement, Test};
use scumble_table::{Monitor, Partition, Table};
use std::path::Path;
use std::time::{Duration, Instant};

/// What a search gets in the tables of losses; on large tables the printed exchanges, which take hours there, get less.
const LIMIT: Duration = Duration::from_secs(60);
const SHORT: Duration = Duration::from_secs(15);

/// Epsilon, delta and k as asked for, and the paper's own range of k.
const ASKED: [(&str, u64); 6] = [("0.8", 5), ("0.8", 10), ("0.8", 15), ("0.8", 20), ("0.9", 10), ("0.9", 20)];

fn main() -> Outcome<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["floor", file] => measured(|| floor(Path::new(file)))?,
        ["publish", name, file, requirement] => {
            measured(|| published(Path::new(file), case(name, Path::new(file)).job(requirement)?))?;
        }
        what @ ([] | ["quality" | "stages" | "time"]) => {
            let folder = tempfile::tempdir()?;
            let wanted = |name: &str| what.first().is_none_or(|one| *one == name);
            let cases = prepared(folder.path())?;
            if wanted("quality") {
                cases.iter().try_for_each(quality)?;
            }
            if wanted("stages") {
                cases.iter().filter(|case| case.name == "acs-50000").try_for_each(stages)?;
            }
            if wanted("time") {
                time(&cases, folder.path())?;
            }
        }
        _ => return Err("usage: xcolor [quality|stages|time]".into()),
    }
    Ok(())
}

/// The requirement tied to a table.
fn bound(case: &Case, table: &Table, requirement: &str) -> Outcome<BoundRequirements> {
    let requirements: Vec<Requirement> = vec![requirement.parse()?];
    let distance = read_distance(&case.distance.parse()?, &[])?;
    let together = JointColumns::new(&requirements, table.schema(), Some(&distance), |at| table.column(at))?;
    let whole = |column| table.column_bag(column);
    Ok(BoundRequirements::bind_joint(&requirements, table.schema(), whole, together.as_ref())?)
}

/// Groups by some way, or why there are none.
fn grouped(
    table: &Table,
    bound: &BoundRequirements,
    find: impl Fn(&Task<'_>) -> scumble_table::Result<Partition>,
) -> (scumble_table::Result<Partition>, f64) {
    let rebind = |_: &[u32]| Err(scumble_table::Error::bug("nothing is left out here"));
    let coins = Coins::from_seed(1);
    let task = Task { table, bound, rebind: &rebind, most_suppressed: 0, coins: &coins, monitor: Monitor::silent() };
    let start = Instant::now();
    let found = find(&task);
    (found, start.elapsed().as_secs_f64())
}

/// Rows with more near others than their group allows, counted from the definition.
fn violations(bound: &BoundRequirements, partition: &Partition) -> usize {
    let (Some(test), Some(together)) = (bound.dissimilarities().next(), bound.joint()) else { return usize::MAX };
    let rows = together.composite().rows();
    let of_group = |group: &[u32]| {
        let values: Vec<u32> = group.iter().map(|&row| rows.get(row as usize)).collect();
        let t = allowed(values.len() as u64, test.principle().delta());
        let near = |a: u32| values.iter().filter(|&&b| test.neighbours().near(a, b)).count() as u64 - 1;
        let small = if (values.len() as u64) < test.least_size() { values.len() } else { 0 };
        small + values.iter().filter(|&&a| near(a) > t).count()
    };
    partition.groups().map(of_group).sum()
}

fn quality(case: &Case) -> Outcome<()> {
    let table = load(&case.file, &case.job("dissimilarity(0.1, 0.8, 10)")?)?;
    let empty = Partition::new(Vec::new(), vec![0], table.n_rows())?;
    let microdata = Partitioned::by_all(&table, &empty)?.microdata();
    let workload = |qd: usize| Answers::new(Workload { qs: 2, ..Workload::new(2 + qd) }, &microdata, Monitor::silent());
    let workloads: Vec<Answers> = (1..=3).map(workload).collect::<scumble_table::Result<_>>()?;
    println!("\n## {}: {} rows, {}; queries with qs = 2, volume 0.1\n", case.name, table.n_rows(), case.distance);
    println!("| requirement | groups by | violations | groups | loss | of initial | s | qd = 1 | qd = 2 | qd = 3 |");
    println!("|---|---|---|---|---|---|---|---|---|---|");
    for (delta, k) in ASKED {
        let requirement = format!("dissimilarity(0.1, {delta}, {k})");
        let bound = bound(case, &table, &requirement)?;
        let limited = |profile| XColor::new(Variant::Ours, profile, Some(2 * LIMIT));
        let mut initial = f64::NAN;
        let ways: [(&str, Option<XColor>); 5] = [
            ("paper, initial", None),
            (
                "paper",
                Some(XColor::new(
                    Variant::Paper,
                    Profile::Standard,
                    Some(if table.n_rows() > 50_000 { SHORT } else { LIMIT }),
                )),
            ),
            ("xcolor", Some(limited(Profile::Standard))),
            ("hardened", Some(limited(Profile::Hardened))),
            ("max-utility", Some(limited(Profile::MaxUtility))),
        ];
        for (name, way) in ways {
            let (found, seconds) = grouped(&table, &bound, |task| match way {
                None => XColor::initial(task),
                Some(way) => way.partition(task),
            });
            let found = match found {
                Ok(found) => found,
                Err(error) => {
                    println!("| {requirement} | {name} | - | - | - | - | {seconds:.1} | {} |", report(&error));
                    continue;
                }
            };
            let measured = Partitioned::by_all(&table, &found)?;
            let loss = measured.loss().loss;
            if name == "paper, initial" {
                initial = loss;
            }
            let boxes = measured.generalization();
            let mut errors = Vec::new();
            for workload in &workloads {
                let (_, ends) = workload.generalization_errors(&boxes, Monitor::silent())?;
                errors.push(ends.map_or("-".into(), |e| format!("{:.4}", e.mean)));
            }
            println!(
                "| {requirement} | {name} | {} | {} | {loss:.4} | {:.3} | {seconds:.2} | {} |",
                violations(&bound, &found),
                found.n_groups(),
                loss / initial,
                errors.join(" | ")
            );
        }
    }
    Ok(())
}

/// What a search that found nothing says.
fn report(error: &scumble_table::Error) -> String {
    match error {
        scumble_table::Error::NotFound { report, .. } => {
            let figures: Vec<String> = report.iter().map(|(name, value)| format!("{name} {value}")).collect();
            figures.join(", ")
        }
        other => other.to_string(),
    }
}

/// What roomier classes and cycles of three bring, the other things being equal.
fn stages(case: &Case) -> Outcome<()> {
    let table = load(&case.file, &case.job("dissimilarity(0.1, 0.8, 10)")?)?;
    println!("\n## {}: what roomier classes and cycles of three bring\n", case.name);
    println!("| requirement | classes | cycles | s | groups | loss, or what was reached |");
    println!("|---|---|---|---|---|---|");
    for (delta, k) in [("0.8", 10), ("0.9", 10), ("0.9", 15), ("0.9", 20)] {
        let requirement = format!("dissimilarity(0.1, {delta}, {k})");
        let bound = bound(case, &table, &requirement)?;
        for (roomy, cycles) in [(false, false), (false, true), (true, false), (true, true)] {
            let way = XColor { roomy, cycles, ..XColor::new(Variant::Ours, Profile::Standard, Some(LIMIT)) };
            let (found, seconds) = grouped(&table, &bound, |task| way.partition(task));
            let (groups, reached) = match &found {
                Ok(found) => {
                    let loss = Partitioned::by_all(&table, found)?.loss().loss;
                    (found.n_groups().to_string(), format!("{loss:.4}"))
                }
                Err(error) => ("-".into(), report(error)),
            };
            let (size, cycles) = (if roomy { "roomier" } else { "of k" }, if cycles { "yes" } else { "no" });
            println!("| {requirement} | {size} | {cycles} | {seconds:.2} | {groups} | {reached} |");
        }
    }
    Ok(())
}

fn time(cases: &[Case], folder: &Path) -> Outcome<()> {
    println!("\n## Time of a whole publish, verification included, against reading and writing the file\n");
    println!("| data | rows | requirement | floor s | publish s | ratio | peak MiB |");
    println!("|---|---|---|---|---|---|---|");
    for case in cases.iter().filter(|case| case.name == "acs") {
        for (delta, k) in ASKED {
            timed(case, 500_000, &format!("dissimilarity(0.1, {delta}, {k})"))?;
        }
    }
    let mut before: Option<(u64, f64)> = None;
    for rows in [50_000, 500_000, 5_000_000] {
        let case = case("census", &census(folder, rows)?);
        let seconds = timed(&case, rows, "dissimilarity(0.1, 0.8, 10)")?;
        if let Some((fewer, earlier)) = before {
            let log = |n: u64| n as f64 * (n as f64).ln();
            println!(
                "\n{rows} rows cost {:.1} times {fewer}; n log n would be {:.1} times\n",
                seconds / earlier,
                log(rows) / log(fewer)
            );
        }
        before = Some((rows, seconds));
    }
    Ok(())
}

fn timed(case: &Case, rows: u64, requirement: &str) -> Outcome<f64> {
    let arguments = ["publish", case.name, text(&case.file)?, requirement];
    let Timed { floor, seconds, ours } = against_floor(&case.file, &arguments, RUNS)?;
    println!(
        "| {} | {rows} | {requirement} | {floor:.2} | {seconds:.2} | {:.1} | {} |",
        case.name,
        seconds / floor,
        ours["peak_mib"]
    );
    Ok(seconds)
}
