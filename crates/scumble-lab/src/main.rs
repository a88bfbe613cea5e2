//! The `scumble-lab` program: the experiments of the papers, done again.
#![allow(clippy::print_stderr, reason = "warnings and errors go to standard error")]

use clap::{Parser, ValueHint};
use scumble::{
    Cancellation, Context, Delimiter, Error, Input, OptionValue, Progress, Result, Stage, Value, replace_field_names,
};
use scumble_lab::{Claim, Paper, ReproduceRequest, Reproduction, reproduce, reproduction_page};
use scumble_platform::{LIMITATIONS, PendingFile, Readers};
use scumble_report::grouped;
use std::fs;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Arc, Mutex};

/// Do the experiments of the papers again, draw their figures and judge their claims by the numbers
///
/// Exit codes: 0 done; 1 a release that the experiments rest on cannot be made; 2 the request or the data is wrong;
/// 3 a failure of the machine or of scumble itself; 130 cancelled.
#[derive(Debug, Parser)]
#[command(name = "scumble-lab", version, max_term_width = 100)]
#[command(after_long_help = "Examples:
  A first look at the first paper, on generated data, in less than two minutes:
    scumble-lab paper1 --quick

  The first paper on a table of your own, with pages in a folder of your own:
    scumble-lab paper1 --data census.csv.gz --quasi age,state,occupation \\
        --sensitive income --out pages

For each paper a page `paperN.html` with its figures and tables as they come out here, and the same
as `paperN.json`. Each claim of the paper stands next to our numbers and is held, not held, or not
comparable; a test of the numbers decides, and is printed. Releases are made, verified and measured
in memory, and none is kept.")]
struct Args {
    /// Which: paper1, paper2, paper3, paper4, paper5
    #[arg(value_name = "PAPER", required = true)]
    papers: Vec<String>,

    /// CSV (also .gz) or Parquet file to take instead of generated data
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Data")]
    data: Option<PathBuf>,

    /// Quasi-identifiers of the data, in the order in which experiments take them; known by name by default
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',', requires = "data", help_heading = "Data")]
    quasi: Vec<String>,

    /// Sensitive columns of the data; known by name by default
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',', requires = "data", help_heading = "Data")]
    sensitive: Vec<String>,

    /// Delimiter of a CSV file: one character, or `tab` [default: found in the header]
    #[arg(long, value_name = "CHAR", requires = "data", help_heading = "Data")]
    delimiter: Option<String>,

    /// A text that means a missing value, as the empty cell does (repeatable)
    #[arg(long, value_name = "TEXT", requires = "data", help_heading = "Data")]
    null: Vec<String>,

    /// Fewer rows, parameters and questions: each paper in less than two minutes
    #[arg(long)]
    quick: bool,

    /// Folder for the pages; pages of an earlier run are written over
    #[arg(long, value_name = "DIR", default_value = "reproduction", value_hint = ValueHint::DirPath)]
    out: PathBuf,

    /// Seed of data, questions and coins; no release is kept, so it need not be secret
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Print one JSON document on standard output and nothing else there
    #[arg(long, help_heading = "Everywhere")]
    json: bool,

    /// Print nothing but errors and, with --json, the document
    #[arg(long, short, help_heading = "Everywhere")]
    quiet: bool,

    /// Use this many threads; all cores by default. Results do not depend on it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024), help_heading = "Everywhere")]
    threads: Option<u16>,
}

fn main() -> ExitCode {
    // The core of a program that has crashed holds all the data it had in memory.
    scumble_platform::disable_core_dumps();
    let args = Args::parse();
    let terminal = Arc::new(Terminal::new(args.quiet));
    match run(&args, &terminal) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            terminal.finish();
            eprintln!("error: {}", error.with_fields(flag_of));
            ExitCode::from(error.exit_code())
        }
    }
}

fn run(args: &Args, terminal: &Arc<Terminal>) -> Result<()> {
    let context = Context::new().with_progress(terminal.clone()).with_cancellation(cancelled_by_interrupts());
    if let Some(threads) = args.threads {
        rayon::ThreadPoolBuilder::new().num_threads(usize::from(threads)).build_global().map_err(|e| Error::Io {
            doing: "start".into(),
            path: format!("{threads} threads"),
            reason: e.to_string(),
        })?;
    }
    let requests = requests(args)?;
    fs::create_dir_all(&args.out).map_err(|e| Error::io("make", args.out.display(), &e))?;
    let mut done = Vec::new();
    for request in &requests {
        let found = reproduce(request, &context).inspect_err(|_| {
            // A folder that was made for nothing goes again; one that holds anything stays.
            let _ = fs::remove_dir(&args.out);
        })?;
        let [page, document] = files(&args.out, request.paper);
        write(&page, &reproduction_page(&found), found.from_file)?;
        write(&document, &json(&found)?, found.from_file)?;
        if found.from_file {
            LIMITATIONS.private.into_iter().for_each(|sentence| terminal.warn(sentence));
        }
        done.push(found);
    }
    terminal.finish();
    let text = match (args.json, args.quiet) {
        (true, _) => json(&serde_json::json!({ "papers": done }))?,
        (false, true) => String::new(),
        (false, false) => done.iter().map(|found| summary(found, &args.out)).collect::<Vec<_>>().join("\n"),
    };
    match std::io::stdout().lock().write_all(text.as_bytes()) {
        Err(e) if e.kind() != std::io::ErrorKind::BrokenPipe => Err(Error::io("write", "standard output", &e)),
        _ => Ok(()),
    }
}

/// What is asked for, paper by paper. What can be refused is refused before anything is made.
fn requests(args: &Args) -> Result<Vec<ReproduceRequest>> {
    let mut papers: Vec<Paper> = args.papers.iter().map(|name| name.parse()).collect::<Result<_>>()?;
    papers.sort();
    papers.dedup();
    let named =
        [("quasi", &args.quasi), ("sensitive", &args.sensitive)].into_iter().find(|(_, names)| !names.is_empty());
    if let (true, Some((field, names))) = (papers.len() > 1, named) {
        return Err(Error::request(field, names.join(","), "each paper takes columns of its own")
            .hint("name one paper at a time, or leave the columns to their names"));
    }
    let refused = |reason: &str, hint: &str| Error::request("out", args.out.display().to_string(), reason).hint(hint);
    if args.out.exists() && !args.out.is_dir() {
        return Err(refused("it is a file", "name a directory"));
    }
    if fs::read_to_string(args.out.join("manifest.json")).is_ok_and(|text| text.contains("\"scumble\"")) {
        return Err(refused("this is a release, and the pages are for your eyes", "name another directory"));
    }
    let data = args.data.as_ref().and_then(|data| fs::canonicalize(data).ok());
    let is_data = |file: &PathBuf| data.is_some() && fs::canonicalize(file).ok() == data;
    if papers.iter().flat_map(|paper| files(&args.out, *paper)).any(|file| is_data(&file)) {
        return Err(refused("a page would be written over the data", "name another directory"));
    }
    let delimiter = args.delimiter.as_ref().map(|text| {
        let delimiter: Result<Option<Delimiter>, _> = OptionValue::read(&Value::text(text.clone()));
        delimiter.map_err(|fault| fault.in_field("delimiter", text))
    });
    let delimiter = delimiter.transpose()?.flatten();
    let input = |path: &PathBuf| Input {
        path: Some(path.clone()),
        format: None,
        delimiter,
        null: args.null.clone(),
        ..Input::default()
    };
    let request = |paper| ReproduceRequest {
        data: args.data.as_ref().map(input),
        quasi: args.quasi.clone(),
        sensitive: args.sensitive.clone(),
        quick: args.quick,
        seed: args.seed,
        ..ReproduceRequest::new(paper)
    };
    Ok(papers.into_iter().map(request).collect())
}

/// The page and the document of a paper.
fn files(out: &Path, paper: Paper) -> [PathBuf; 2] {
    ["html", "json"].map(|ending| out.join(format!("{}.{ending}", paper.name())))
}

fn json(value: &impl serde::Serialize) -> Result<String> {
    Ok(serde_json::to_string_pretty(value).map_err(|e| Error::bug(e.to_string()))? + "\n")
}

/// Writes a file; figures of people who are not made up are for their owner's eyes.
fn write(file: &Path, text: &str, private: bool) -> Result<()> {
    match private {
        true => {
            PendingFile::write(file, Readers::Owner, |out| out.write_all(text.as_bytes())).and_then(PendingFile::put)
        }
        false => fs::write(file, text),
    }
    .map_err(|error| Error::io("write", file.display(), &error))
}

fn summary(found: &Reproduction, out: &Path) -> String {
    let mut text = format!("{}: {}\n\n", found.paper.name(), found.reference);
    for one in &found.data {
        text.push_str(&format!("  {}: {} rows, for {}\n", one.name, grouped(one.rows), one.stands_for));
    }
    text.push('\n');
    for Claim { place, says, found, standing, .. } in &found.claims {
        text.push_str(&format!("  {:14}  {says} ({place})\n  {:14}  {found}\n", standing.name(), ""));
    }
    let page = &files(out, found.paper)[0];
    let n = found.figures.len();
    text.push_str(&format!("\n{n} figures and tables are in {} ({:.0} s)\n", page.display(), found.seconds));
    text
}

/// A field of a request in the words of the command line.
fn flag_of(field: &str) -> String {
    if field == "paper" { "PAPER".into() } else { format!("--{}", field.replace('_', "-")) }
}

/// The first interrupt asks the work to stop; the second ends the program.
fn cancelled_by_interrupts() -> Cancellation {
    let cancellation = Cancellation::default();
    let asked = cancellation.clone();
    scumble_platform::on_interrupt(Error::Cancelled.exit_code(), move || asked.cancel());
    cancellation
}

/// One line of progress on standard error where that is a terminal, and warnings as lines.
struct Terminal {
    shown: bool,
    quiet: bool,
    /// What is being done, how much of it is done, and how much there is.
    line: Mutex<(&'static str, u64, u64)>,
}

/// Goes back to the beginning of a line and clears it.
const CLEAR: &str = "\r\x1b[K";

impl Terminal {
    fn new(quiet: bool) -> Self {
        Terminal { shown: !quiet && std::io::stderr().is_terminal(), quiet, line: Mutex::new(("", 0, 0)) }
    }

    /// Takes the line away before something is printed.
    fn finish(&self) {
        if self.shown {
            eprint!("{CLEAR}");
        }
    }
}

impl Progress for Terminal {
    fn begin(&self, stage: Stage, total: Option<u64>) {
        if let Ok(mut line) = self.line.lock() {
            *line = (stage.name(), 0, total.unwrap_or(0));
        }
    }

    fn advance(&self, amount: u64) {
        if let Ok(mut line) = self.line.lock() {
            line.1 += amount;
        }
    }

    fn note(&self, text: &str) {
        if let (true, Ok(line)) = (self.shown, self.line.lock()) {
            eprint!("{CLEAR}{} {}/{}: {text}", line.0, line.1, line.2);
        }
    }

    fn warn(&self, text: &str) {
        if !self.quiet {
            self.finish();
            eprintln!("warning: {}", replace_field_names(text, flag_of));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    fn refused(words: &[&str]) -> String {
        let args = Args::try_parse_from([&["scumble-lab"], words].concat()).unwrap();
        requests(&args).unwrap_err().with_fields(flag_of)
    }

    #[test]
    fn the_command_line_is_consistent() {
        Args::command().debug_assert();
    }

    #[test]
    fn requests_are_refused_in_the_words_of_the_flags() {
        assert!(refused(&["paper9"]).starts_with("PAPER"), "{}", refused(&["paper9"]));
        let two = refused(&["paper1", "paper2", "--data", "x.csv", "--quasi", "a,b"]);
        assert!(two.contains("--quasi") && two.contains("one paper at a time"), "{two}");
        assert!(refused(&["paper1", "--data", "x.csv", "--delimiter", "::"]).contains("--delimiter"));
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("manifest.json"), "{\"scumble\": \"0.1.0\"}").unwrap();
        assert!(refused(&["paper1", "--out", folder.path().to_str().unwrap()]).contains("this is a release"));
    }

    #[test]
    fn papers_are_done_once_and_in_order() {
        let args = Args::try_parse_from(["scumble-lab", "paper3", "paper1", "paper3", "--quick"]).unwrap();
        let papers: Vec<Paper> = requests(&args).unwrap().iter().map(|request| request.paper).collect();
        assert_eq!(papers, [Paper::Paper1, Paper::Paper3]);
    }
}
