//! What `inspect` costs in processor time on a large table, and where it goes.
//!
//!     cargo run --release -p scumble-bench --bin inspect [-- ROWS]
//!
//! A table of `ROWS` made-up people (2,700,000) and 38 columns is written, as a census might have it: codes of few values, some
//! amounts of many, an id and a date. It is read and inspected, and attacked by all pairs of the same columns as
//! `risk --up-to 2` does. Every measurement is a process of its own. Processor seconds are those of the user and of the system
//! together, of all threads, so that what else the machine does falls on the clock alone.
#![allow(clippy::print_stdout, reason = "a benchmark prints its results")]

use scumble::{Context, Inspection, Progress, RiskRequest, RiskTarget, Source, Stage};
use scumble_bench::{Outcome, child, number, text};
use serde_json::{Value, json};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::sync::{Arc, Mutex};

/// Columns of few codes: name, number of codes, and how much commoner low ones are.
const CODES: [(&str, u64, u32); 28] = [
    ("sex", 2, 1),
    ("race", 9, 3),
    ("marital", 5, 2),
    ("education", 24, 1),
    ("citizenship", 5, 3),
    ("mobility", 4, 3),
    ("military", 5, 3),
    ("workclass", 9, 2),
    ("commute_mode", 12, 3),
    ("language", 130, 4),
    ("english", 5, 2),
    ("relationship", 18, 2),
    ("rooms", 14, 1),
    ("bedrooms", 7, 1),
    ("vehicles", 7, 2),
    ("tenure", 4, 2),
    ("building", 10, 3),
    ("built", 30, 1),
    ("fuel", 9, 3),
    ("internet", 4, 3),
    ("insurance_kind", 8, 2),
    ("hours", 99, 2),
    ("weeks", 52, 3),
    ("industry", 268, 1),
    ("occupation", 529, 1),
    ("state", 51, 1),
    ("birthplace", 219, 4),
    ("ancestry", 236, 2),
];

/// Columns of many numbers: name, number of values, skew and the step between values.
const NUMBERS: [(&str, u64, u32, u64); 6] = [
    ("income", 12_000, 3, 10),
    ("rent", 4_000, 2, 1),
    ("property_tax", 900, 2, 50),
    ("electricity", 600, 2, 1),
    ("departure", 285, 1, 5),
    ("house_value", 9_000, 3, 100),
];

fn main() -> Outcome<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["read", file] => in_processor_seconds(|| read(Path::new(file))),
        ["inspect", file] => in_processor_seconds(|| inspect(Path::new(file))),
        ["pairs", file, names] => in_processor_seconds(|| pairs(Path::new(file), names)),
        [] => compare(2_700_000),
        [rows] => compare(rows.parse()?),
        _ => Err("usage: inspect [ROWS]".into()),
    }
}

fn compare(rows: u64) -> Outcome<()> {
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("census.csv");
    write(rows, &file)?;
    let path = text(&file)?;
    let (reading, inspecting) = (child(&["read", path])?, child(&["inspect", path])?);
    let stages = &inspecting["figures"]["stages"];
    let names = inspecting["figures"]["quasi"].as_str().unwrap_or_default();
    let pairs = child(&["pairs", path, names])?;
    let seconds = |one: &Value| number(&one["processor"]);
    println!("| {rows} rows, {} columns | processor s | sets |\n|---|---|---|", columns());
    println!("| reading alone | {:.2} | |", seconds(&reading));
    println!("| inspect, with reading | {:.2} | {} |", seconds(&inspecting), inspecting["figures"]["sets"]);
    for (name, what) in [("reading", "reading"), ("profile", "columns"), ("copies", "copies"), ("sets", "sets")] {
        println!("| of these: {what} | {:.2} | |", number(&stages[name]));
    }
    println!(
        "| all pairs, as `risk --up-to 2`, with reading | {:.2} | {} |",
        seconds(&pairs),
        pairs["figures"]["sets"]
    );
    println!("\ninspect / pairs: {:.2}", seconds(&inspecting) / seconds(&pairs));
    println!("told apart by the first set: {}", inspecting["figures"]["first"]);
    println!("near-unique: {}", inspecting["figures"]["near_unique"]);
    Ok(())
}

/// Processor seconds of this process so far; nothing where the system does not tell.
fn processor_seconds() -> Option<f64> {
    /// Ticks of a second, as Linux tells them to programs.
    const TICKS: f64 = 100.0;
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The name of the program stands in parentheses and may hold blanks. After it, user and system time are the 12th and 13th.
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks = |at: usize| fields.get(at)?.parse::<f64>().ok();
    Some((ticks(11)? + ticks(12)?) / TICKS)
}

fn in_processor_seconds(work: impl FnOnce() -> Outcome<Value>) -> Outcome<()> {
    let figures = work()?;
    let processor = processor_seconds().ok_or("this system does not tell processor seconds")?;
    println!("{}", json!({"processor": processor, "figures": figures}));
    Ok(())
}

fn read(path: &Path) -> Outcome<Value> {
    Ok(json!(Source::file(path).read_all(&Context::new())?.n_rows))
}

/// Keeps the processor seconds at which stages begin.
#[derive(Default)]
struct Clock(Mutex<Vec<f64>>);

impl Progress for Clock {
    fn begin(&self, _: Stage, _: Option<u64>) {
        if let (Ok(mut begun), Some(now)) = (self.0.lock(), processor_seconds()) {
            begun.push(now);
        }
    }
}

fn inspect(path: &Path) -> Outcome<Value> {
    let clock = Arc::new(Clock::default());
    let context = Context::new().with_progress(clock.clone());
    let table = Source::file(path).read_all(&context)?;
    let read = processor_seconds().unwrap_or(f64::NAN);
    if let Ok(mut begun) = clock.0.lock() {
        begun.clear();
    }
    let found: Inspection = scumble::inspect(&table, &context)?;
    let end = processor_seconds().unwrap_or(f64::NAN);
    // Columns, copies and sets are a stage each.
    let begun = clock.0.lock().map_err(|_| "the clock broke")?.clone();
    let &[profile, copies, sets] = begun.as_slice() else { return Err("other stages than three".into()) };
    let quasi: Vec<&str> = found
        .columns
        .iter()
        .filter(|column| column.proposal == scumble::ColumnRole::Quasi)
        .map(|column| column.name.as_str())
        .collect();
    let first = found.sets.first().map(|set| json!({"columns": set.columns, "unique_rows": set.unique_rows}));
    Ok(json!({
        "stages": {"reading": read, "profile": copies - profile, "copies": sets - copies, "sets": end - sets},
        "sets": found.sets_examined, "quasi": quasi.join(","), "first": first, "near_unique": found.near_unique,
    }))
}

fn pairs(path: &Path, names: &str) -> Outcome<Value> {
    let (known, context): (Vec<String>, _) = (names.split(',').map(String::from).collect(), Context::new());
    let (table, _) = Source::file(path).read_known(&known, &[], &[], None, &context)?;
    let mut request = RiskRequest::new(known);
    request.up_to = Some(2);
    let facts = scumble::risk(RiskTarget::Data(&table), &request, &context)?;
    Ok(json!({"sets": facts.subsets.map(|subsets| subsets.len())}))
}

fn columns() -> usize {
    // An id, a date, an age and the area stand beside them.
    CODES.len() + NUMBERS.len() + 4
}

/// Numbers that look drawn by lot and are the same in every run.
struct Dice(u64);

impl Dice {
    fn draw(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Below `n`, lower ones more often the greater the skew.
    fn below(&mut self, n: u64, skew: u32) -> u64 {
        (self.draw().powi(skew as i32) * n as f64) as u64
    }
}

fn write(rows: u64, path: &Path) -> Outcome<()> {
    let mut out = BufWriter::with_capacity(1 << 20, File::create(path)?);
    let names = CODES.iter().map(|code| code.0).chain(NUMBERS.iter().map(|column| column.0));
    writeln!(out, "serial,interview,age,area,{}", names.collect::<Vec<_>>().join(","))?;
    let mut dice = Dice(1);
    for row in 0..rows {
        let (month, day) = (1 + dice.below(12, 1), 1 + dice.below(28, 1));
        write!(out, "2024{row:09},2024-{month:02}-{day:02},{},{}", dice.below(96, 1), 100 + dice.below(2_400, 1))?;
        for (_, n, skew) in CODES {
            write!(out, ",{}", 1 + dice.below(n, skew))?;
        }
        for (_, n, skew, step) in NUMBERS {
            // Some do not say.
            match dice.below(20, 1) {
                0 => write!(out, ",")?,
                _ => write!(out, ",{}", step * dice.below(n, skew))?,
            }
        }
        writeln!(out)?;
    }
    out.flush()?;
    Ok(())
}
