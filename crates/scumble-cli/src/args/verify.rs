//! Flags of `scumble verify`.

use super::option_flags::{FlagSet, OptionFlags, add_help};
use clap::{Arg, Args, ValueHint};
use scumble::ColumnRole;
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

    /// A requirement that need not hold: tells how many groups break it (repeatable)
    #[arg(long, value_name = "REQUIREMENT")]
    pub(crate) against: Vec<String>,

    #[command(flatten)]
    pub(crate) options: OptionFlags<VerifyFlags>,
}

/// The options of a job that this command takes.
#[derive(Debug)]
pub(crate) struct VerifyFlags;

impl FlagSet for VerifyFlags {
    const OPTIONS: &'static [&'static str] =
        &["delimiter", "null", "population", "type", "order", "hierarchy", "require", "join_k", "distance"];
    const ROLES: &'static [ColumnRole] = &[ColumnRole::Quasi, ColumnRole::Sensitive, ColumnRole::Person];

    fn adapt(arg: Arg) -> Arg {
        match arg.get_id().as_str() {
            "quasi" | "sensitive" => arg.help_heading("Tables of other tools"),
            "person" => add_help(arg, ". They are columns of the source, and of the population"),
            "require" => add_help(arg, ", besides what a manifest promises"),
            "distance" => add_help(arg, " [default: that of the manifest]"),
            _ => arg,
        }
    }
}
