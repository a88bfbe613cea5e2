//! Flags of `scumble inspect`.

use super::option_flags::{FlagSet, OptionFlags, add_help};
use clap::{Arg, Args, ValueHint};
use scumble::ColumnRole;
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

    /// Write a commented starter job file that `publish --job` accepts
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) job_out: Option<PathBuf>,

    /// Overwrite the job file
    #[arg(long, requires = "job_out")]
    pub(crate) replace: bool,

    #[command(flatten)]
    pub(crate) options: OptionFlags<InspectFlags>,
}

/// The options of a job that this command takes.
#[derive(Debug)]
pub(crate) struct InspectFlags;

impl FlagSet for InspectFlags {
    const OPTIONS: &'static [&'static str] = &["delimiter", "null"];
    const ROLES: &'static [ColumnRole] = &[ColumnRole::Person];

    fn adapt(arg: Arg) -> Arg {
        if arg.get_id() == "person" { add_help(arg, ". Without it such columns are proposed") } else { arg }
    }
}
