//! What the benchmark programs share: data, child processes that measure themselves, tables.

pub mod attacks;
pub mod ke_widths;
pub mod xcolor_data;

use arrow_csv::reader::Format;
use arrow_csv::{ReaderBuilder, WriterBuilder};
use flate2::read::MultiGzDecoder;
use scumble::{Context, EvaluateRequest, Evaluation, Job, Kind, Published, Release, Sample, Source};
use scumble_method::{Coins, Task};
use scumble_principle::{BoundRequirements, Requirement};
use scumble_table::{Monitor, Table};
use serde_json::{Value, json};
use std::error::Error;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Seek};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::Instant;

/// A benchmark ends with a message where something goes wrong.
pub type Outcome<T> = Result<T, Box<dyn Error>>;

/// Folder of the real data sets: `SCUMBLE_DATA`, or next to the project.
pub fn data() -> PathBuf {
    std::env::var_os("SCUMBLE_DATA")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data"), PathBuf::from)
}

/// Unpacks a real data set so that decompression is not part of what is measured. False, after saying so, where the data
/// set is not there.
///
/// # Errors
/// If it cannot be unpacked.
#[allow(clippy::print_stdout, reason = "a benchmark says what it skips")]
pub fn unpacked(name: &str, to: &Path) -> io::Result<bool> {
    let from = data().join(name);
    if !from.exists() {
        println!("(skipped: {} is not there)", from.display());
        return Ok(false);
    }
    io::copy(&mut MultiGzDecoder::new(File::open(from)?), &mut File::create(to)?)?;
    Ok(true)
}

/// Writes generated people to a file, always the same ones.
///
/// # Errors
/// If the file cannot be written.
pub fn generate(sample: Sample, rows: u64, to: &Path) -> io::Result<()> {
    scumble::generate(sample, rows, 1, &mut BufWriter::new(File::create(to)?), &mut |_| ())
}

/// A job over columns of given types. All other columns are dropped.
///
/// # Errors
/// If a requirement is none.
pub fn job(quasi: &[(&str, Kind)], sensitive: &[(&str, Kind)], requirements: &[&str]) -> scumble::Result<Job> {
    let name = |(name, _): &(&str, Kind)| name.to_string();
    let mut job = Job::new().quasi(quasi.iter().map(name)).sensitive(sensitive.iter().map(name)).drop_rest();
    for (name, kind) in quasi.iter().chain(sensitive) {
        job.column_mut(name).kind = Some(*kind);
    }
    requirements.iter().try_fold(job, |job, requirement| job.require(requirement))
}

/// Reads the columns of a job from a file.
///
/// # Errors
/// If they cannot be read.
pub fn load(file: &Path, job: &Job) -> scumble::Result<Table> {
    Source::file(file).read(job, &Context::new())
}

/// Reads a file, publishes it and verifies the release from its bytes. The job says where the release goes.
///
/// # Errors
/// If it cannot be published.
pub fn publish(file: &Path, job: &Job) -> scumble::Result<Published> {
    scumble::publish(&load(file, job)?, job, &Context::new())
}

/// Publishes into a folder that is removed afterwards, and tells what a child hands to its parent.
///
/// # Errors
/// If it cannot be published.
pub fn published(file: &Path, mut job: Job) -> Outcome<Value> {
    let folder = tempfile::tempdir_in(file.parent().unwrap_or(Path::new(".")))?;
    job.output.dir = Some(folder.path().join("release"));
    let facts = publish(file, &job)?.facts;
    Ok(json!({"groups": facts.groups, "loss": facts.loss, "ncp": facts.ncp}))
}

/// Verifies a release on disk and measures it against its source.
///
/// # Errors
/// If it cannot be measured.
pub fn evaluated(release: &Path, source: &Path, request: &EvaluateRequest) -> scumble::Result<Evaluation> {
    let (release, context) = (Release::open(release)?, Context::new());
    let source = Source::file(source).read_published(release.columns(), None, context.monitor())?;
    scumble::evaluate(&release, &source, request, &context)
}

/// Ties requirements to a whole table and hands over the task of finding groups in it.
///
/// # Errors
/// If the requirements cannot be put to the table, or as the search says.
pub fn with_task<T>(
    table: &Table,
    requirements: &[Requirement],
    seed: u64,
    search: impl FnOnce(&Task<'_>) -> scumble::Result<T>,
) -> scumble::Result<T> {
    let bind = || BoundRequirements::bind(requirements, table.schema(), |column| table.column_bag(column));
    search(&Task {
        table,
        bound: &bind()?,
        rebind: &|_| bind(),
        most_suppressed: 0,
        coins: &Coins::from_seed(seed),
        monitor: Monitor::silent(),
    })
}

/// The greatest resident memory of this process so far, in MiB; 0 where the system does not tell.
pub fn peak_memory() -> u64 {
    scumble_platform::peak_memory().unwrap_or(0) >> 20
}

/// Seconds that all processors worked for this process so far; 0 where the system does not tell.
pub fn processor_seconds() -> f64 {
    // The name of the program, which comes second, is in parentheses; the system counts a hundred ticks in a second.
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks = |at: usize| fields.get(at).and_then(|field| field.parse::<u64>().ok()).unwrap_or(0);
    (ticks(11) + ticks(12)) as f64 / 100.0
}

/// Runs a piece of work in this process and prints its time, memory and figures for the parent.
///
/// # Errors
/// If the work fails.
#[allow(clippy::print_stdout, reason = "the parent reads it")]
pub fn measured(work: impl FnOnce() -> Outcome<Value>) -> Outcome<()> {
    let start = Instant::now();
    let figures = work()?;
    let seconds = start.elapsed().as_secs_f64();
    let all = json!({
        "seconds": seconds, "processor_seconds": processor_seconds(), "peak_mib": peak_memory(), "figures": figures
    });
    println!("{all}");
    Ok(())
}

/// Runs this program again as a child with other arguments, so that each measurement has a fresh
/// process, and reads what it measured.
///
/// # Errors
/// If the child fails.
pub fn child(arguments: &[&str]) -> io::Result<Value> {
    let output = Command::new(std::env::current_exe()?).args(arguments).output()?;
    if !output.status.success() {
        return Err(io::Error::other(String::from_utf8_lossy(&output.stderr).into_owned()));
    }
    serde_json::from_slice(&output.stdout).map_err(io::Error::other)
}

/// The fastest of some runs of a child.
///
/// # Errors
/// If a run fails, or none was asked for.
pub fn best_of(runs: usize, arguments: &[&str]) -> io::Result<Value> {
    let mut best: Option<Value> = None;
    for _ in 0..runs {
        let one = child(arguments)?;
        if best.as_ref().is_none_or(|b| number(&one["seconds"]) < number(&b["seconds"])) {
            best = Some(one);
        }
    }
    best.ok_or_else(|| io::Error::other("no run was asked for"))
}

/// A number that a child measured.
pub fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or(f64::NAN)
}

/// A path as an argument of a child.
///
/// # Errors
/// If it is not in unicode.
pub fn text(path: &Path) -> Outcome<&str> {
    path.to_str().ok_or_else(|| "a path in unicode is wanted".into())
}

/// A whole publish against the floor of its file.
pub struct Timed {
    /// Seconds of the floor.
    pub floor: f64,
    /// Seconds of the publish.
    pub seconds: f64,
    /// All that the child measured.
    pub ours: Value,
}

/// Times the floor of a file, and a publish of it by a child with these arguments, each as the best of some runs.
///
/// # Errors
/// If a child fails.
pub fn against_floor(file: &Path, publish: &[&str], (floor, ours): (usize, usize)) -> Outcome<Timed> {
    let floor = number(&best_of(floor, &["floor", text(file)?])?["seconds"]);
    let ours = best_of(ours, publish)?;
    Ok(Timed { floor, seconds: number(&ours["seconds"]), ours })
}

/// Runs of the floor and of a publish, of which the best counts.
pub const RUNS: (usize, usize) = (3, 2);

/// Reads a CSV file and writes it again, with arrow's own reader and writer: the least that publishing it
/// could cost.
///
/// # Errors
/// If the file cannot be read or copied.
pub fn floor(path: &Path) -> Outcome<Value> {
    let mut file = File::open(path)?;
    let (schema, _) = Format::default().with_header(true).infer_schema(&mut file, Some(10_000))?;
    file.rewind()?;
    let reader = ReaderBuilder::new(Arc::new(schema))
        .with_header(true)
        .with_batch_size(8192)
        .build(BufReader::with_capacity(1 << 20, file))?;
    let copy = path.with_extension("copy");
    let mut writer =
        WriterBuilder::new().with_header(true).build(BufWriter::with_capacity(1 << 20, File::create(&copy)?));
    for batch in reader {
        writer.write(&batch?)?;
    }
    drop(writer);
    std::fs::remove_file(copy)?;
    Ok(Value::Null)
}
