//! The tables that experiments are done on.

use crate::ReproduceRequest;
use crate::columns::{FoundColumns, WantedColumns};
use crate::runner::Runner;
use crate::study_table::StudyTable;
use scumble::{Delimiter, Error, Input, Result, Sample, generate};
use scumble_io::{ReadOptions, Want, read, read_stream};
use serde::{Deserialize, Serialize};
use std::io::Cursor;
use std::path::PathBuf;
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

impl DataFacts {
    /// A table that a study makes up itself.
    pub(crate) fn made_up<S: ToString>(name: &str, rows: usize, columns: &[S], stands_for: &str) -> Self {
        DataFacts {
            name: name.into(),
            rows: rows as u64,
            without_value: 0,
            columns: columns.iter().map(S::to_string).collect(),
            stands_for: stands_for.into(),
            is_papers_own: false,
        }
    }
}

/// What a study wants of its table.
#[derive(Debug, Clone, Copy)]
pub(crate) struct StudySource {
    /// The columns.
    pub(crate) columns: WantedColumns,
    /// What is generated where no file is given.
    pub(crate) stand_in: Sample,
    /// Most rows.
    pub(crate) rows: u64,
    /// Most rows of a quick run.
    pub(crate) quick_rows: u64,
}

/// The table of a study and what its columns are.
#[derive(Debug, Clone)]
pub(crate) struct StudyData {
    /// The columns that have a part, quasi-identifiers first, in rows without a missing value.
    pub(crate) table: StudyTable,
    /// Which column plays which part.
    pub(crate) columns: FoundColumns,
    name: String,
    without_value: u64,
}

/// Figures of fewer people would be chance, and some groups could not be formed at all.
const LEAST_ROWS: usize = 100;

impl StudySource {
    /// Reads the file of a request or generates the stand-in, and draws a random sample where there are more rows than
    /// the study takes.
    pub(crate) fn sampled(&self, request: &ReproduceRequest, runner: &Runner) -> Result<StudyData> {
        let data = self.all(request, runner)?;
        let table = data.table.sample(self.most_rows(request), request.seed);
        Ok(StudyData { table, ..data })
    }

    /// The same with the first rows instead of a sample.
    pub(crate) fn first(&self, request: &ReproduceRequest, runner: &Runner) -> Result<StudyData> {
        let data = self.all(request, runner)?;
        let n = self.most_rows(request).min(data.table.n_rows());
        let table = data.table.rows(&(0..n).collect::<Vec<_>>());
        Ok(StudyData { table, ..data })
    }

    /// Most rows of a run.
    fn most_rows(&self, request: &ReproduceRequest) -> usize {
        usize::try_from(if request.quick { self.quick_rows } else { self.rows }).unwrap_or(usize::MAX)
    }

    /// All rows of a file, or as many generated ones as are wanted.
    fn all(&self, request: &ReproduceRequest, runner: &Runner) -> Result<StudyData> {
        let found = OnceLock::new();
        let choose = |header: &[String]| {
            let columns = self.columns.find(header, &request.quasi, &request.sensitive, request.paper)?;
            let names = columns.names();
            let wants = header.iter().map(|name| if names.contains(name) { Want::Text } else { Want::Skip }).collect();
            // A header is read once.
            let _ = found.set(columns);
            Ok(wants)
        };
        let options = ReadOptions::default().header(choose).secret(|_| true);
        let monitor = runner.context().monitor();
        let (raw, name) = match &request.data {
            Some(input) => {
                let path = input.path.clone().unwrap_or_else(|| PathBuf::from("-"));
                if path.as_os_str() != "-" && !path.exists() {
                    return Err(Error::request("data", path.display().to_string(), "there is no such file"));
                }
                let options = options
                    .format(input.format.unwrap_or_default())
                    .delimiter(input.delimiter.map(|Delimiter(byte)| byte))
                    .nulls(input.null.clone());
                (read(&path, &options, monitor)?, file_name(input))
            }
            None => {
                let (name, mut csv) = (format!("generated {}", self.stand_in.name()), Vec::new());
                generate(self.stand_in, self.most_rows(request) as u64, request.seed, &mut csv, &mut |_| ())
                    .map_err(|error| Error::io("generate", self.stand_in.name(), &error))?;
                (read_stream(Cursor::new(csv), &name, &options, monitor)?, name)
            }
        };
        let columns = found.get().cloned().ok_or_else(|| Error::bug("a table was read without a header"))?;
        let (table, without_value) = StudyTable::from_raw(&raw, &columns.names())?;
        let data = StudyData { table, columns, name, without_value: without_value as u64 };
        data.checked()
    }
}

impl StudyData {
    fn checked(self) -> Result<Self> {
        let StudyData { table, columns, name, .. } = &self;
        if table.n_rows() == 0 {
            let reason = format!("every row misses a value in one of {}", columns.names().join(", "));
            return Err(Error::data(name, reason));
        }
        for (column, what) in &columns.numbers {
            if table.column(column)?.numbers().is_none() {
                let reason = format!("what plays the part of {what} must be numbers");
                return Err(Error::data(name, reason).at(None, Some(column)));
            }
        }
        if table.n_rows() < LEAST_ROWS {
            let reason = format!("{} rows have a value in all of {}", table.n_rows(), columns.names().join(", "));
            return Err(Error::data(name, reason).hint(format!("experiments want at least {LEAST_ROWS} rows")));
        }
        Ok(self)
    }

    /// What to tell of it.
    pub(crate) fn facts(&self, stands_for: &str, is_papers_own: bool) -> DataFacts {
        DataFacts {
            name: self.name.clone(),
            rows: self.table.n_rows() as u64,
            without_value: self.without_value,
            columns: self.columns.names(),
            stands_for: stands_for.into(),
            is_papers_own,
        }
    }
}

/// A file's name. The folder it lies in is its owner's business.
fn file_name(input: &Input) -> String {
    match input.path.as_ref().and_then(|path| path.file_name()) {
        Some(name) if name != "-" => name.to_string_lossy().into_owned(),
        _ => "standard input".into(),
    }
}
