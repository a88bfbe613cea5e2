//! Flags of `scumble reproduce`.

use super::Reading;
use clap::{Args, ValueHint};
use std::path::PathBuf;

/// Do the experiments of the papers again, draw their figures and judge their claims by the numbers
#[derive(Debug, Args)]
#[command(after_long_help = "Examples:
  A first look at the first paper, on generated data, in less than two minutes:
    scumble reproduce paper1 --quick

  The first paper on a table of your own, with pages in a folder of your own:
    scumble reproduce paper1 --data census.csv.gz --quasi age,state,occupation \\
        --sensitive income --out pages

For each paper a page `paperN.html` with its figures and tables as they come out here, and the same
as `paperN.json`. Each claim of the paper stands beside our numbers and is held, not held, or not
comparable; a test of the numbers decides, and is printed. Releases are made, verified and measured
on the way and none is kept.")]
pub(crate) struct Reproduce {
    /// Which: paper1, paper2, paper3, paper4, paper5
    #[arg(value_name = "PAPER", required = true)]
    pub(crate) papers: Vec<String>,

    /// CSV (also .gz) or Parquet file to take instead of generated data
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Data")]
    pub(crate) data: Option<PathBuf>,

    /// Quasi-identifiers of the data, in the order in which experiments take them; known by name by default
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',', requires = "data", help_heading = "Data")]
    pub(crate) quasi: Vec<String>,

    /// Sensitive columns of the data; known by name by default
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',', requires = "data", help_heading = "Data")]
    pub(crate) sensitive: Vec<String>,

    #[command(flatten)]
    pub(crate) reading: Reading,

    /// Fewer rows, parameters and questions: each paper in less than two minutes
    #[arg(long)]
    pub(crate) quick: bool,

    /// Folder for the pages; pages of an earlier run are written over
    #[arg(long, value_name = "DIR", default_value = "reproduction", value_hint = ValueHint::DirPath)]
    pub(crate) out: PathBuf,

    /// Seed of data, questions and coins; no release is kept, so it need not be secret
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
}
