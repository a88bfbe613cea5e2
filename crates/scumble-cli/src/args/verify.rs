//! Flags of `scumble verify`.

use super::names::Names;
use super::option_flags::{InputOptions, OptionFlags, TypeOptions};
use clap::{Args, ValueHint};
use std::path::PathBuf;

/// Check a release from its bytes alone, or any table whose equal quasi-identifiers form groups
#[derive(Debug, Args)]
#[command(after_long_help = "Examples:
  A release keeps what its manifest promises:
    scumble verify release/

  and hides nothing lost, invented or wrongly covered from its publisher:
    scumble verify release/ --source patients.csv

  The same of a release whose job file has rules:
    scumble verify release/ --source patients.csv --rules job.toml

  What is promised holds for persons, who may have several rows:
    scumble verify release/ --source visits.csv --person patient

  What is promised of boxes holds in the population that its people come from:
    scumble verify release/ --population residents.csv

  A table made by another tool:
    scumble verify anonymized.csv --quasi age,sex,zipcode --sensitive disease \\
        --require \"k-anonymity(5)\"

  How many groups let near values through, though nobody promised otherwise:
    scumble verify release/ --against \"dissimilarity(0.18, 0.85, 5)\" \\
        --distance \"l1(education:rank, income:range)\"")]
pub(crate) struct Verify {
    /// Release directory, or a CSV or Parquet table (`-` for standard input)
    #[arg(value_name = "RELEASE|TABLE", value_hint = ValueHint::AnyPath)]
    pub(crate) target: PathBuf,

    /// The data the release was made from, to check that it is covered row by row
    #[arg(long, value_name = "DATA", value_hint = ValueHint::FilePath)]
    pub(crate) source: Option<PathBuf>,

    /// The job file whose rules the release was made with: they are applied to the source first
    #[arg(long, value_name = "JOB", value_hint = ValueHint::FilePath, requires = "source")]
    pub(crate) rules: Option<PathBuf>,

    /// Columns of the source that together say whose row each row is: requirements are then judged by persons too
    #[arg(long, value_name = "COLUMNS", requires = "source")]
    pub(crate) person: Vec<Names>,

    /// The people who could be in the data, one a row with all quasi-identifiers, for k-map and delta-presence
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) population: Option<PathBuf>,

    /// Fail where the tables of an angel release, joined by batch, could leave somebody among fewer people
    #[arg(long, value_name = "K")]
    pub(crate) join_k: Option<u64>,

    /// Quasi-identifying columns of a table. A comma in a name is written `\,`
    #[arg(long, value_name = "COLUMNS", help_heading = "Tables of other tools")]
    pub(crate) quasi: Vec<Names>,

    /// Sensitive columns of a table
    #[arg(long, value_name = "COLUMNS", help_heading = "Tables of other tools")]
    pub(crate) sensitive: Vec<Names>,

    /// A requirement to check, beside those of a manifest (repeatable)
    #[arg(long, value_name = "REQUIREMENT")]
    pub(crate) require: Vec<String>,

    /// A requirement that need not hold: tells how many groups break it (repeatable)
    #[arg(long, value_name = "REQUIREMENT")]
    pub(crate) against: Vec<String>,

    /// How far apart sensitive values are, for dissimilarity in --require and --against; by default as the manifest
    /// says
    #[arg(long, value_name = "DISTANCE")]
    pub(crate) distance: Option<String>,

    #[command(flatten)]
    pub(crate) reading: OptionFlags<InputOptions>,

    #[command(flatten)]
    pub(crate) typing: OptionFlags<TypeOptions>,
}
