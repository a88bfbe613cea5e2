//! How fast a CSV file is read, compared with arrow's own reader.
//!
//! `cargo run --release --example read_speed -- FILE [arrow|scumble|both] [THREADS]`
//!
//! For each reader: seconds of the best of five passes, processor seconds per pass, megabytes per
//! second of the file, and the process's peak memory after it. Memory peaks only rise, so ask for one
//! reader at a time to compare them.
#![allow(clippy::print_stdout, reason = "a program that measures prints what it measured")]

use scumble_io::{ColumnPlan, ReadOptions, encode, read};
use scumble_table::{Monitor, Role};
use std::fs::File;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("give a CSV file")?;
    let which = arguments.next().unwrap_or_else(|| "both".into());
    let threads: usize = arguments.next().map_or(Ok(2), |n| n.parse())?;
    rayon::ThreadPoolBuilder::new().num_threads(threads).build_global()?;
    let bytes = std::fs::metadata(&path)?.len();
    if which != "scumble" {
        report("arrow-csv, read", bytes, best(|| arrow_read(&path))?);
    }
    if which != "arrow" {
        report("scumble-io, read", bytes, best(|| scumble_read(&path, false))?);
        report("scumble-io, read and encode", bytes, best(|| scumble_read(&path, true))?);
    }
    Ok(())
}

/// The least of five passes: what else runs on the machine only adds time.
fn best(pass: impl Fn() -> Result<usize, Failure>) -> Result<(Duration, f64, usize), Failure> {
    const PASSES: u32 = 5;
    let mut least = Duration::MAX;
    let mut rows = 0;
    let processor = processor_seconds();
    for _ in 0..PASSES {
        let start = Instant::now();
        rows = pass()?;
        least = least.min(start.elapsed());
    }
    Ok((least, (processor_seconds() - processor) / f64::from(PASSES), rows))
}

fn arrow_read(path: &str) -> Result<usize, Failure> {
    let format = arrow_csv::reader::Format::default().with_header(true);
    let (schema, _) = format.infer_schema(File::open(path)?, Some(1000))?;
    let reader = arrow_csv::ReaderBuilder::new(Arc::new(schema)).with_header(true).build(File::open(path)?)?;
    let mut rows = 0;
    for batch in reader {
        rows += batch?.num_rows();
    }
    Ok(rows)
}

fn scumble_read(path: &str, encoded: bool) -> Result<usize, Failure> {
    let raw = read(Path::new(path), &ReadOptions::default(), Monitor::silent())?;
    if !encoded {
        return Ok(raw.n_rows);
    }
    let plans: Vec<ColumnPlan> = raw.names.iter().map(|name| ColumnPlan::new(name, Role::Quasi)).collect();
    Ok(encode(raw, &plans, Monitor::silent())?.n_rows())
}

fn report(what: &str, bytes: u64, (least, processor, rows): (Duration, f64, usize)) {
    let seconds = least.as_secs_f64();
    let speed = bytes as f64 / 1e6 / seconds;
    let peak = peak_megabytes();
    println!("{what:<28} {rows:>9} rows {seconds:>7.3} s {processor:>7.3} cpu-s {speed:>6.0} MB/s  peak {peak:>5} MB");
}

/// Processor time of all threads so far; the system counts it in hundredths of a second.
fn processor_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after_name = stat.rsplit(')').next().unwrap_or_default();
    let ticks = |at: usize| after_name.split_whitespace().nth(at).and_then(|t| t.parse::<f64>().ok()).unwrap_or(0.0);
    (ticks(11) + ticks(12)) / 100.0
}

fn peak_megabytes() -> u64 {
    scumble_platform::peak_memory().unwrap_or(0) >> 20
}
