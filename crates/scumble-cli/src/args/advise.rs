//! Flags of `scumble advise`.

use super::Reading;
use clap::{Args, ValueHint};
use std::path::PathBuf;

/// Tell which epsilon goes with which m on a column of sensitive numbers, for the publisher's eyes
#[derive(Debug, Args)]
#[command(after_long_help = "Examples:
  The trade-off between epsilon and m, as tables and as a page with charts:
    scumble advise payroll.csv --sensitive salary --report advice.html

  The largest m for salaries that must not be known to within 4500:
    scumble advise payroll.csv --sensitive salary --epsilon 4500

  The largest epsilons that one in five allows:
    scumble advise payroll.csv --sensitive salary --m 5

  Can both be had, and if not, what is nearest?
    scumble advise payroll.csv --sensitive salary --relative 0.125 --m 5

The answers tell gaps between the numbers of people: do not publish them.
Exit code 1 means that what was asked for cannot be had; the nearest that can is named.")]
pub(crate) struct Advise {
    /// CSV (also .gz) or Parquet file, or `-` for standard input
    #[arg(value_name = "DATA", value_hint = ValueHint::FilePath)]
    pub(crate) data: PathBuf,

    /// The column of sensitive numbers
    #[arg(long, value_name = "COLUMN", required = true)]
    pub(crate) sensitive: String,

    /// How near is near, in the column's own unit (proximity-absolute)
    #[arg(long, value_name = "E", allow_negative_numbers = true)]
    pub(crate) epsilon: Option<String>,

    /// How near is near, as a share of the number itself, from 0 to below 1 (proximity-relative)
    #[arg(long, value_name = "R", allow_negative_numbers = true)]
    pub(crate) relative: Option<String>,

    /// At most one in M rows of a group may be near
    #[arg(long, value_name = "M", allow_negative_numbers = true)]
    pub(crate) m: Option<String>,

    /// Write a page with the answer and the trade-off; keep it to yourself
    #[arg(long, value_name = "FILE.html", value_hint = ValueHint::FilePath)]
    pub(crate) report: Option<PathBuf>,

    /// Overwrite the page
    #[arg(long, requires = "report")]
    pub(crate) replace: bool,

    #[command(flatten)]
    pub(crate) reading: Reading,
}
