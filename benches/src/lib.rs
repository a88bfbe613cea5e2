//! What the benchmark programs share: data, child processes that measure themselves, tables.

pub mod attacks;
pub mod ke_widths;
pub mod xcolor_data;

use arrow_csv::reader::Format;
use arrow_csv::{ReaderBuilder, WriterBuilder};
use flate2::read::MultiGzDecoder;
use scumble::{PublishRequest, Silent};
use serde_json::{Value, json};
use std::error::Error;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Seek};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::Instant;

/// Folder of the real data sets: `SCUMBLE_DATA`, or beside the project.
pub fn data() -> PathBuf {
    std::env::var_os("SCUMBLE_DATA")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data"), PathBuf::from)
}

/// Unpacks a `.gz` file so that decompression is not part of what is measured.
pub fn unpack(from: &Path, to: &Path) -> io::Result<()> {
    let mut reader = MultiGzDecoder::new(File::open(from)?);
    io::copy(&mut reader, &mut File::create(to)?)?;
    Ok(())
}

/// The greatest resident memory of this process so far, in MiB; 0 where the system does not tell.
pub fn peak_memory() -> u64 {
    scumble_platform::peak_memory().unwrap_or(0) >> 20
}

/// Runs a piece of work in this process and prints its time, memory and figures for the parent.
#[allow(clippy::print_stdout, reason = "the parent reads it")]
pub fn measured(work: impl FnOnce() -> Value) {
    let start = Instant::now();
    let figures = work();
    println!("{}", json!({"seconds": start.elapsed().as_secs_f64(), "peak_mib": peak_memory(), "figures": figures}));
}

/// Runs this program again as a child with other arguments, so that each measurement has a fresh
/// process, and reads what it measured.
pub fn child(arguments: &[&str]) -> io::Result<Value> {
    let output = Command::new(std::env::current_exe()?).args(arguments).output()?;
    if !output.status.success() {
        return Err(io::Error::other(String::from_utf8_lossy(&output.stderr).into_owned()));
    }
    serde_json::from_slice(&output.stdout).map_err(io::Error::other)
}

/// The fastest of some runs of a child.
pub fn best_of(runs: usize, arguments: &[&str]) -> io::Result<Value> {
    let mut best: Option<Value> = None;
    for _ in 0..runs {
        let one = child(arguments)?;
        if best.as_ref().is_none_or(|b| one["seconds"].as_f64() < b["seconds"].as_f64()) {
            best = Some(one);
        }
    }
    best.ok_or_else(|| io::Error::other("no run was asked for"))
}

/// Publishes, and tells the number of groups and the loss.
pub fn published(request: &PublishRequest) -> Result<Value, Box<dyn Error>> {
    let published = scumble::publish(request, &Silent)?;
    Ok(json!({"groups": published.groups, "loss": published.loss}))
}

/// A whole publish against the floor of its file.
pub struct Timed {
    /// Seconds of the floor.
    pub floor: f64,
    /// Seconds of the publish.
    pub seconds: f64,
    /// Its greatest memory.
    pub peak_mib: Value,
}

/// Times the floor of a file, and a publish of it by a child with these arguments.
pub fn against_floor(file: &Path, publish: &[&str]) -> Result<Timed, Box<dyn Error>> {
    let path = file.to_str().ok_or("a path in unicode is wanted")?;
    let floor = best_of(3, &["floor", path])?["seconds"].as_f64().unwrap_or(f64::NAN);
    let ours = best_of(2, publish)?;
    Ok(Timed { floor, seconds: ours["seconds"].as_f64().unwrap_or(f64::NAN), peak_mib: ours["peak_mib"].clone() })
}

/// Reads a CSV file and writes it again, with arrow's own reader and writer: the least that publishing it
/// could cost.
pub fn floor(path: &Path) -> Result<(), Box<dyn Error>> {
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
    Ok(())
}
