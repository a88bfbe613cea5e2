//! Flags of `scumble compare`.

use super::option_flags::{OptionFlags, SweptOptions};
use clap::{Args, ValueHint};
use std::path::PathBuf;

/// Compare methods, algorithms, profiles and parameters on one table, with figures, pictures and commands
#[derive(Debug, Args)]
#[command(after_long_help = "Examples:
  Three methods with three sizes of groups each:
    scumble compare patients.csv --quasi age,sex,zipcode --sensitive disease --drop-rest \\
        --require \"k-anonymity({k})\" --require \"frequency-l-diversity({l})\" \\
        --grid k=2,5,10 --grid l=3 --method generalize,anatomy,angel --out comparison

  As a sweep file says, which may hold any number of runs:
    scumble compare --job sweep.toml

A sweep file is a job file with runs, each with requirements in which names in braces stand for
the values of a list; every combination is a point:

    [input]
    path = \"patients.csv\"

    [columns]
    age = \"quasi\"
    disease = \"sensitive\"

    [compare]
    dir = \"comparison\"

    [[run]]
    method = [\"generalize\", \"anatomy\"]
    require = [\"k-anonymity({k})\", \"frequency-l-diversity({l})\"]
    k = [2, 5, 10]
    l = [2, 3]

Options take several values with commas between them, or a name in braces. Every point is
published in memory, verified, measured and attacked; no release is written.
Finished points are kept in the directory: a comparison that was interrupted goes on where it
stopped, and one with more points makes only these. The directory gets `comparison.html` (open it
in a browser), `comparison.json` and `comparison.csv`. They are for the publisher's eyes.")]
pub(crate) struct Compare {
    /// CSV (also .gz) or Parquet file
    #[arg(value_name = "DATA", value_hint = ValueHint::FilePath, required_unless_present = "job")]
    pub(crate) data: Option<PathBuf>,

    /// Take data, columns, rules and runs from a sweep file
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with_all = ["data", "grid"])]
    pub(crate) job: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) options: OptionFlags<SweptOptions>,

    /// The values that a name in braces takes, such as k=2,5,10 (repeatable; all combinations are made)
    #[arg(long, value_name = "NAME=VALUES", help_heading = "What is compared")]
    pub(crate) grid: Vec<String>,

    /// Count queries that every release answers [default: 1000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000_000), help_heading = "How it is compared")]
    pub(crate) queries: Option<u32>,

    /// Seed of coins and questions; no release is kept, so it need not be secret [default: 1]
    #[arg(long, value_name = "N", help_heading = "How it is compared")]
    pub(crate) seed: Option<u64>,

    /// Memory that the program may hold, such as 4G; a run that needs more is broken off [default: no limit]
    #[arg(long, value_name = "BYTES", help_heading = "How it is compared")]
    pub(crate) memory: Option<String>,

    /// Directory of the comparison; finished runs in it are used [default: comparison]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, help_heading = "Output")]
    pub(crate) out: Option<PathBuf>,
}
