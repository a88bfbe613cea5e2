//! The CSV files of a release in engines that know nothing of releases: DataFusion and DuckDB, as packages of Python.

use crate::release::Published;
use serde_json::{Value, json};
use std::ffi::OsString;
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Mutex, OnceLock};

/// A Python with the package of an engine, from SCUMBLE_PYTHON. Without one a test says so and is skipped, but not in CI.
fn python(engine: &str) -> Option<OsString> {
    let import = format!("import {engine}");
    let found = std::env::var_os("SCUMBLE_PYTHON").filter(|python| {
        Command::new(python).args(["-c", &import]).output().is_ok_and(|output| output.status.success())
    });
    if found.is_none() {
        assert!(std::env::var_os("CI").is_none(), "CI must run the statements in {engine}: set SCUMBLE_PYTHON");
        eprintln!("there is no Python with {engine} in SCUMBLE_PYTHON: skipped");
    }
    found
}

/// The process that runs statements for all tests of this program.
struct Server {
    // Dropped with the program, which closes its input and ends it.
    _child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Server {
    fn start(python: OsString) -> Server {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/elsewhere.py");
        let mut child = Command::new(python).arg(script).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (input, output) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
        Server { _child: child, input, output }
    }
}

/// A release whose tables an engine has.
pub(crate) struct Elsewhere {
    engine: &'static str,
    dir: PathBuf,
}

/// A row of an answer: cells by heading.
pub(crate) type Cells = serde_json::Map<String, Value>;

impl Elsewhere {
    pub(crate) fn datafusion(release: &Published) -> Option<Elsewhere> {
        Elsewhere::new("datafusion", release)
    }

    pub(crate) fn duckdb(release: &Published) -> Option<Elsewhere> {
        Elsewhere::new("duckdb", release)
    }

    fn new(engine: &'static str, release: &Published) -> Option<Elsewhere> {
        static FOUND: Mutex<Vec<(&str, bool)>> = Mutex::new(Vec::new());
        let mut found = FOUND.lock().unwrap_or_else(|broken| broken.into_inner());
        let known = found.iter().find(|(name, _)| *name == engine).map(|(_, is_there)| *is_there);
        let is_there = known.unwrap_or_else(|| {
            let is_there = python(engine).is_some();
            found.push((engine, is_there));
            is_there
        });
        is_there.then(|| Elsewhere { engine, dir: release.path() })
    }

    pub(crate) fn run(&self, sql: &str) -> Vec<Cells> {
        static SERVER: OnceLock<Mutex<Server>> = OnceLock::new();
        let python = || std::env::var_os("SCUMBLE_PYTHON").unwrap();
        let server = SERVER.get_or_init(|| Mutex::new(Server::start(python())));
        let mut server = server.lock().unwrap_or_else(|broken| broken.into_inner());
        let asked = json!({"engine": self.engine, "dir": self.dir, "sql": sql});
        writeln!(server.input, "{asked}").unwrap();
        let mut line = String::new();
        server.output.read_line(&mut line).unwrap();
        let mut told: Value = serde_json::from_str(&line).unwrap();
        if let Some(error) = told.get("error") {
            panic!("{sql}\n{error}");
        }
        let Value::Array(rows) = told["rows"].take() else { panic!("{sql}\n{line}") };
        rows.into_iter().map(|row| if let Value::Object(cells) = row { cells } else { panic!("{row}") }).collect()
    }
}
