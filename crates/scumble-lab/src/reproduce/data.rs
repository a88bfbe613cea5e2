//! The tables that experiments are done on.

use super::ReproduceRequest;
use super::cells::StudyTable;
use super::columns::{Cast, Roles};
use super::workshop::Workshop;
use scumble::{Error, Input, Observer, Result, Sample, Stage, generate};
use scumble_io::{ReadOptions, Want, read};
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::BufWriter;
use std::sync::OnceLock;

/// A table that was used.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DataFacts {
    /// What it is: `generated census`, or the name of the file without its folder.
    pub name: String,
    /// How many rows were used.
    pub rows: u64,
    /// How many rows were left out because they miss a value in one of the columns.
    pub without_value: u64,
    /// The columns that play the parts of the paper's, quasi-identifiers first.
    pub columns: Vec<String>,
    /// What the paper used in its place.
    pub stands_for: String,
    /// Whether it is the paper's own table, told by what the paper says of it and never by its name.
    pub is_papers_own: bool,
}

/// What a study wants of its table.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Brief {
    /// The columns.
    pub(crate) roles: Roles,
    /// What is generated where no file is given.
    pub(crate) stand_in: Sample,
    /// Most rows.
    pub(crate) rows: u64,
    /// Most rows of a quick run.
    pub(crate) quick_rows: u64,
}

impl Brief {
    /// Most rows of a run.
    fn most_rows(&self, request: &ReproduceRequest) -> usize {
        let rows = if request.quick { self.quick_rows } else { self.rows };
        usize::try_from(rows).unwrap_or(usize::MAX)
    }
}

/// The table of a study and what its columns are.
#[derive(Debug, Clone)]
pub(crate) struct Source {
    /// The columns that have a part, quasi-identifiers first, in rows without a missing value.
    pub(crate) table: StudyTable,
    /// Who plays what.
    pub(crate) cast: Cast,
    name: String,
    without_value: u64,
}

/// Figures of fewer people would be chance, and some groups could not be formed at all.
const LEAST_ROWS: usize = 100;

impl Source {
    /// Reads the file of a request or generates the stand-in, and draws a random sample where there are more rows than
    /// the study takes.
    pub(crate) fn of(request: &ReproduceRequest, brief: &Brief, workshop: &Workshop<'_>) -> Result<Self> {
        let source = Source::whole(request, brief, workshop)?;
        let table = source.table.sample(brief.most_rows(request), request.seed);
        Ok(Source { table, ..source })
    }

    /// The same with the first rows instead of a sample.
    pub(crate) fn first(request: &ReproduceRequest, brief: &Brief, workshop: &Workshop<'_>) -> Result<Self> {
        let source = Source::whole(request, brief, workshop)?;
        let n = brief.most_rows(request).min(source.table.n_rows());
        let table = source.table.rows(&(0..n).collect::<Vec<_>>());
        Ok(Source { table, ..source })
    }

    /// All rows of a file, or as many generated ones as are wanted.
    fn whole(request: &ReproduceRequest, brief: &Brief, workshop: &Workshop<'_>) -> Result<Self> {
        let rows = brief.most_rows(request) as u64;
        let (input, name) = match &request.data {
            Some(input) => (input.clone(), file_name(input)),
            None => (
                generated(brief.stand_in, rows, request.seed, workshop)?,
                format!("generated {}", brief.stand_in.name()),
            ),
        };
        let (table, cast, without_value) = cells(&input, request, &brief.roles, workshop.observer())?;
        if table.n_rows() == 0 {
            return Err(Error::data(name, format!("every row misses a value in one of {}", cast.names().join(", "))));
        }
        for (column, what) in &cast.numbers {
            if table.column(column)?.numbers().is_none() {
                return Err(
                    Error::data(&name, format!("what plays the part of {what} must be numbers")).at(None, Some(column))
                );
            }
        }
        if table.n_rows() < LEAST_ROWS {
            let reason = format!("{} rows have a value in all of {}", table.n_rows(), cast.names().join(", "));
            return Err(Error::data(name, reason).hint(format!("experiments want at least {LEAST_ROWS} rows")));
        }
        Ok(Source { table, cast, name, without_value: without_value as u64 })
    }

    /// What to tell of it.
    pub(crate) fn facts(&self, stands_for: &str, is_papers_own: bool) -> DataFacts {
        DataFacts {
            name: self.name.clone(),
            rows: self.table.n_rows() as u64,
            without_value: self.without_value,
            columns: self.cast.names(),
            stands_for: stands_for.into(),
            is_papers_own,
        }
    }
}

/// A file's name without its folder, which is nobody's business.
fn file_name(input: &Input) -> String {
    match input.path.file_name() {
        Some(name) if name != "-" => name.to_string_lossy().into_owned(),
        _ => "standard input".into(),
    }
}

fn generated(sample: Sample, rows: u64, seed: u64, workshop: &Workshop<'_>) -> Result<Input> {
    let path = workshop.fresh("generated.csv");
    let fail = |e: std::io::Error| Error::io("write", path.display(), &e);
    workshop.observer().begin(Stage::Write, Some(rows));
    let mut out = BufWriter::new(File::create_new(&path).map_err(fail)?);
    let mut before = 0;
    let mut progress = |done: u64| {
        workshop.observer().advance(done - before);
        before = done;
    };
    generate(sample, rows, seed, &mut out, &mut progress).map_err(fail)?;
    Ok(Input::file(path))
}

/// The columns of a file that have a part, and how many rows miss a value.
fn cells(
    input: &Input,
    request: &ReproduceRequest,
    roles: &Roles,
    observer: &dyn Observer,
) -> Result<(StudyTable, Cast, usize)> {
    if input.path.as_os_str() != "-" && !input.path.exists() {
        return Err(Error::request("--data", input.path.display().to_string(), "there is no such file"));
    }
    let found = OnceLock::new();
    let choose = |header: &[String]| {
        let cast = roles.cast(header, &request.quasi, &request.sensitive, request.paper)?;
        let names = cast.names();
        let wants = header.iter().map(|name| if names.contains(name) { Want::Text } else { Want::Skip }).collect();
        // A header is read once.
        let _ = found.set(cast);
        Ok(wants)
    };
    let options = ReadOptions::default()
        .format(input.format)
        .delimiter(input.delimiter)
        .nulls(input.nulls.clone())
        .header(choose)
        .secret(|_| true);
    let raw = read(&input.path, &options, &Reading(observer))?;
    drop(options);
    let cast = found.into_inner().ok_or_else(|| Error::bug("a table was read without a header"))?;
    let (table, left_out) = StudyTable::from_raw(&raw, &cast.names())?;
    Ok((table, cast, left_out))
}

/// Listens to a read on behalf of an observer.
struct Reading<'a>(&'a dyn Observer);

impl scumble_io::Progress for Reading<'_> {
    fn start(&self, total_bytes: Option<u64>) {
        self.0.begin(Stage::Read, total_bytes);
    }

    fn advance(&self, bytes: u64, _rows: u64) {
        self.0.advance(bytes);
    }
}
