//! Flags of `scumble inspect`.

use super::option_flags::{InputOptions, OptionFlags};
use clap::{Args, ValueHint};
use std::path::PathBuf;

/// Profile a file: types, distinct values, missing values, who is unique; propose roles
#[derive(Debug, Args)]
#[command(after_long_help = "Examples:
    scumble inspect patients.csv
    scumble inspect visits.csv --person patient      (counts people, who have several rows)
    scumble inspect visits.csv --person household,member
    scumble inspect patients.csv --job-out job.toml
    scumble publish --job job.toml      (after a look at the roles it proposes)")]
pub(crate) struct Inspect {
    /// CSV (also .gz) or Parquet file, or `-` for standard input
    #[arg(value_name = "DATA", value_hint = ValueHint::FilePath)]
    pub(crate) data: PathBuf,

    /// Columns that together say whose row each row is: people are counted who are alone, not rows; without it such columns
    /// are proposed
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',')]
    pub(crate) person: Vec<String>,

    /// Write a commented starter job file that `publish --job` accepts
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) job_out: Option<PathBuf>,

    /// Overwrite the job file
    #[arg(long, requires = "job_out")]
    pub(crate) replace: bool,

    #[command(flatten)]
    pub(crate) reading: OptionFlags<InputOptions>,
}
