//! Flags of `scumble generate`.

use clap::{Args, ValueEnum, ValueHint};
use std::path::PathBuf;

/// Make sample microdata about people who do not exist
#[derive(Debug, Args)]
#[command(after_long_help = "Examples:
    scumble generate census --rows 100000 --out census.csv
    scumble generate salaries --rows 1000 --seed 7 --out - | head

The same sample, rows and seed give the same bytes, and fewer rows give a prefix of more.")]
pub(crate) struct Generate {
    /// Which table to imitate
    #[arg(value_name = "SAMPLE")]
    pub(crate) sample: SampleName,

    /// Number of rows
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    pub(crate) rows: u64,

    /// Seed
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,

    /// File to write, or `-` for standard output
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) out: PathBuf,

    /// Overwrite a file that is already there
    #[arg(long)]
    pub(crate) replace: bool,
}

/// The samples that can be made.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum SampleName {
    /// A census: age, gender, education, ..., income
    Census,
    /// Occupations with demographics
    Occupation,
    /// A health examination: birth year, sex, height, weight, habits
    Health,
    /// A payroll with names and numbers that must be dropped
    Salaries,
    /// Visits to a hospital, several rows a patient
    Visits,
}
