//! Flags of `scumble evaluate`.

use super::Reading;
use clap::{Args, ValueHint};
use std::path::PathBuf;

/// Measure what a release lost and how well it still answers count queries, against its source
#[derive(Debug, Args)]
#[command(after_long_help = "Examples:
  What was lost, and the error of 1,000 counts over 2, 3 and 4 columns each:
    scumble evaluate release/ --source census.csv

  Smaller queries on the second sensitive column, and a page with charts:
    scumble evaluate release/ --source census.csv --sensitive income --w 3 --s 0.05 \\
        --report evaluation.html

  Beside perturbation under the release's own proximity requirement:
    scumble evaluate release/ --source census.csv --baseline perturbation

The figures compare the release with its source and are for its publisher's eyes.")]
pub(crate) struct Evaluate {
    /// Release directory
    #[arg(value_name = "RELEASE", value_hint = ValueHint::DirPath)]
    pub(crate) release: PathBuf,

    /// The data the release was made from
    #[arg(long, value_name = "DATA", value_hint = ValueHint::FilePath)]
    pub(crate) source: PathBuf,

    /// Sensitive column that queries ask about; the first by default
    #[arg(long, value_name = "COLUMN", help_heading = "Queries")]
    pub(crate) sensitive: Option<String>,

    /// Number of queries of each workload; 0 asks none
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(0..=10_000_000), help_heading = "Queries")]
    pub(crate) queries: u32,

    /// Columns in a query, the sensitive one included; a workload each [default: 2,3,4 as far as there are columns]
    #[arg(long, value_name = "W", value_delimiter = ',', help_heading = "Queries")]
    pub(crate) w: Vec<usize>,

    /// Volume: a query takes a share of s^(1/w) of the domain of each of its columns
    #[arg(long, value_name = "S", default_value_t = 0.1, allow_negative_numbers = true, help_heading = "Queries")]
    pub(crate) s: f64,

    /// Seed of the questions, and of the noise of --baseline
    #[arg(long, value_name = "N", default_value_t = 7, help_heading = "Queries")]
    pub(crate) seed: u64,

    /// What to put beside the release: perturbation
    #[arg(long, value_name = "NAME")]
    pub(crate) baseline: Option<String>,

    /// Write a page with tables and charts
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Output")]
    pub(crate) report: Option<PathBuf>,

    /// Overwrite the page
    #[arg(long, requires = "report", help_heading = "Output")]
    pub(crate) replace: bool,

    #[command(flatten)]
    pub(crate) reading: Reading,
}
