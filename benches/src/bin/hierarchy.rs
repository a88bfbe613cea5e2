//! The experiment of paper 3, section 5: a 2-anonymous release with the conventional split (height in 3 parts, birth
//! and weight in 2) against one whose heights are cut by a hierarchy built from correlation, everything else equal.
//!
//!     cargo run --release -p scumble-bench --bin hierarchy [-- ROWS]
//!
//! Tables: generated health data of the paper's size, the adults of NHANES, and generated health data of ROWS rows
//! (10 million unless said).
#![allow(clippy::print_stdout, reason = "a benchmark prints its results")]

use flate2::read::MultiGzDecoder;
use scumble::{AnyHierarchy, Context, Decimal, FromFile, Job, Method, Published, Release, Sample};
use scumble_bench::{Outcome, data, generate, load};
use scumble_measure::loss;
use scumble_method::automatic_levels::{Automatic, Fineness, LevelRule, build};
use scumble_method::correlation::{Algorithm, DEFAULT_GROUPS, Measure, Task};
use scumble_table::{ConditionalHierarchy, Monitor, Table};
use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

/// How a column is cut.
type Cut = FromFile<AnyHierarchy>;

/// A table and which of its columns are what in the paper's experiment.
struct Data {
    file: PathBuf,
    /// The columns of a few values, which contexts may ask about.
    few: Vec<&'static str>,
    /// Birth and weight: cut in 2.
    halved: [&'static str; 2],
    /// Height: cut in 3, or by context.
    focused: &'static str,
}

fn main() -> Outcome<()> {
    let rows = std::env::args().nth(1).map_or(Ok(10_000_000), |text| text.parse())?;
    let folder = tempfile::tempdir()?;
    println!(
        "| table | heights | rows | suppressed | classes | k, mean of records | k, mean of classes | k, greatest | height loss | s |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|");
    let mut curves = Vec::new();
    for (name, table) in [
        ("health, 20,708 rows".to_string(), Some(health(folder.path(), 20_708)?)),
        ("NHANES adults".to_string(), nhanes(folder.path())?),
        (format!("health, {rows} rows"), Some(health(folder.path(), rows)?)),
    ] {
        match table {
            Some(table) => curves.extend(compare(folder.path(), &name, &table)?),
            None => println!("| {name} | not there: skipped |"),
        }
    }
    println!("\nShare of records in classes of at most k:\n");
    let ks = [2, 5, 10, 20, 50, 100, 200, 500, 1_000, 10_000, 100_000, 1_000_000];
    println!("| table | cut | {} |", ks.map(|k| format!("k = {k}")).join(" | "));
    println!("|---|---|{}", "---|".repeat(ks.len()));
    for (name, sizes) in curves {
        let total: u64 = sizes.iter().map(|(size, classes)| size * classes).sum();
        let share = |k: u64| {
            let held: u64 = sizes.iter().filter(|(size, _)| *size <= k).map(|(size, classes)| size * classes).sum();
            format!("{:.3}", held as f64 / total as f64)
        };
        println!("| {name} | {} |", ks.map(share).join(" | "));
    }
    Ok(())
}

fn health(folder: &Path, rows: u64) -> Outcome<Data> {
    let file = folder.join(format!("health-{rows}.csv"));
    generate(Sample::Health, rows, &file)?;
    Ok(Data {
        file,
        few: vec!["sex", "medical_history", "smoking", "alcohol"],
        halved: ["birth_year", "weight"],
        focused: "height",
    })
}

/// People of 20 and more with everything present, heights and weights in whole centimetres and kilograms as in the paper.
fn nhanes(folder: &Path) -> Outcome<Option<Data>> {
    let source = data().join("nhanes/NHANESraw_20293.csv.gz");
    if !source.exists() {
        return Ok(None);
    }
    let columns = ["Age", "Gender", "Height", "Weight", "Smoke100"];
    let mut lines = BufReader::new(MultiGzDecoder::new(File::open(source)?)).lines();
    let header = lines.next().ok_or("an empty file")??;
    let header: Vec<&str> = header.split(',').collect();
    let place = |name: &&str| header.iter().position(|known| known == name).ok_or(format!("no column {name}"));
    let places = columns.iter().map(place).collect::<Result<Vec<_>, _>>()?;
    let file = folder.join("nhanes.csv");
    let mut out = BufWriter::new(File::create(&file)?);
    writeln!(out, "{}", columns.join(","))?;
    for line in lines {
        let line = line?;
        let cells: Vec<&str> = line.split(',').collect();
        let mut cells: Vec<String> = places.iter().map(|&at| cells[at].to_string()).collect();
        let adult = cells[0].parse::<u32>().is_ok_and(|age| age >= 20);
        if !adult || cells.iter().any(String::is_empty) {
            continue;
        }
        for cell in &mut cells[2..4] {
            *cell = format!("{:.0}", cell.parse::<f64>()?);
        }
        writeln!(out, "{}", cells.join(","))?;
    }
    Ok(Some(Data { file, few: vec!["Gender", "Smoke100"], halved: ["Age", "Weight"], focused: "Height" }))
}

type Curve = (String, Vec<(u64, u64)>);

/// Publishes a table both ways and prints a line for each.
fn compare(folder: &Path, name: &str, data: &Data) -> Outcome<Vec<Curve>> {
    let names: Vec<&str> = data.few.iter().chain(&data.halved).copied().chain([data.focused]).collect();
    let table = load(&data.file, &Job::new().quasi(names).drop_rest())?;
    let position = |name: &str| table.schema().position("column", name);
    let given = data.few.iter().map(|name| position(name)).collect::<Result<Vec<_>, _>>()?;
    let parts = |name: &str, parts| plain(&table, position(name)?, parts);
    let by_context = |name: &str, algorithm, share: u64| -> Outcome<Cut> {
        let task = Task {
            table: &table,
            focused: position(name)?,
            given: &given,
            least: table.n_rows() as u64 / share,
            groups: DEFAULT_GROUPS,
            measure: Measure::Nmi,
            algorithm,
            monitor: Monitor::silent(),
        };
        Ok(kept(format!("{name}-{algorithm:?}-{share}"), task.build()?.hierarchy))
    };
    let [birth, weight] = data.halved;
    let (born, heavy) = (parts(birth, 2)?, parts(weight, 2)?);
    let mut ways = vec![("height in 3".to_string(), vec![parts(data.focused, 3)?, born.clone(), heavy.clone()])];
    // The paper's 2,000 of 20,708 rows, and finer.
    for share in [10, 20, 40] {
        let tau = table.n_rows() as u64 / share;
        for algorithm in [Algorithm::Mdl, Algorithm::Paper] {
            let height = by_context(data.focused, algorithm, share)?;
            let word = if algorithm == Algorithm::Mdl { "by correlation" } else { "by correlation, paper" };
            ways.push((format!("height {word}, {tau} rows"), vec![height, born.clone(), heavy.clone()]));
        }
        let height = by_context(data.focused, Algorithm::Mdl, share)?;
        // Section 5.2 ends with three parts of the birth year.
        ways.push((
            format!("height by correlation, {tau} rows; {birth} in 3"),
            vec![height.clone(), parts(birth, 3)?, heavy.clone()],
        ));
        let all = vec![height, by_context(birth, Algorithm::Mdl, share)?, by_context(weight, Algorithm::Mdl, share)?];
        ways.push((format!("all three by correlation, {tau} rows"), all));
    }
    let mut curves = Vec::new();
    for (word, cuts) in ways {
        let start = Instant::now();
        let published = match publish(folder, data, &cuts) {
            Err(scumble::Error::Infeasible { .. }) => {
                println!("| {name} | {word} | needs more than 5 % of the rows suppressed |");
                continue;
            }
            other => other?,
        };
        let seconds = start.elapsed().as_secs_f64();
        let facts = &published.facts;
        let sizes = &facts.group_sizes;
        let rows: u64 = sizes.histogram.iter().map(|(size, classes)| size * classes).sum();
        let squares: u128 =
            sizes.histogram.iter().map(|&(size, n)| u128::from(size) * u128::from(size) * u128::from(n)).sum();
        let (release, context) = (Release::open(&published.release)?, Context::new());
        let lost = loss(release.manifest(), release.data(&context)?.tables());
        let height = lost.by_attribute.iter().find(|a| a.name == data.focused).map_or(f64::NAN, |a| a.loss);
        println!(
            "| {name} | {word} | {rows} | {} | {} | {:.2} | {:.2} | {} | {height:.3} | {seconds:.2} |",
            facts.suppressed,
            facts.groups,
            squares as f64 / rows as f64,
            sizes.mean,
            sizes.max
        );
        curves.push((format!("{name} | {word}"), sizes.histogram.clone()));
        std::fs::remove_dir_all(&published.release)?;
    }
    Ok(curves)
}

/// A hierarchy in memory.
fn kept(name: String, tree: ConditionalHierarchy) -> Cut {
    FromFile::value(name, AnyHierarchy::Conditional(Arc::new(tree)))
}

/// A single level of intervals that hold about the same number of rows each.
fn plain(table: &Table, column: usize, parts: u64) -> Outcome<Cut> {
    let attribute = table.attribute(column);
    let histogram = table.column(column).histogram(attribute.domain.n_codes());
    let fineness = Fineness { least: None, groups: Some(parts) };
    let Automatic::Intervals(mut tree) =
        build(attribute, &histogram, LevelRule::EqualFrequency, fineness, Monitor::silent())?
    else {
        return Err("a number has intervals".into());
    };
    tree.common.truncate(1);
    Ok(kept(format!("{}-{parts}", attribute.name), tree))
}

/// The release with these cuts of height, birth and weight, at the finest level of each.
fn publish(folder: &Path, data: &Data, cuts: &[Cut]) -> scumble::Result<Published> {
    let cut = [data.focused].into_iter().chain(data.halved);
    let mut job =
        Job::new().quasi(data.few.iter().copied().chain(cut.clone())).drop_rest().require("k-anonymity(2)")?;
    data.few.iter().for_each(|name| job.column_mut(name).level = Some(0));
    for (name, hierarchy) in cut.zip(cuts) {
        let column = job.column_mut(name);
        (column.hierarchy, column.level) = (Some(hierarchy.clone()), Some(1));
    }
    job.publish.method = Some(Method::FullDomain);
    job.publish.max_suppressed = Decimal::parse("0.05");
    job.output.dir = Some(folder.join("release"));
    scumble_bench::publish(&data.file, &job)
}
