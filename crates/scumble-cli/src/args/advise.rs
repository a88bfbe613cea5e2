//! Flags of `scumble advise`.

use super::option_flags::{FlagSet, OptionFlags, add_help};
use clap::{Arg, Args, ValueHint};
use scumble::ColumnRole;
use std::path::PathBuf;

/// Tell which parameters a requirement on near values can have on this data, for the publisher's eyes
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

  The same where people have several rows, each of them counted once:
    scumble advise payments.csv --sensitive amount --epsilon 100 --m 3 --person customer

  The deltas that dissimilarity can have under a distance of several columns:
    scumble advise census.csv --sensitive education,income --epsilon 0.1 --k 10 \\
        --distance \"l1(education:rank*0.3, income:range*0.7)\"

  Is dissimilarity(0.1, 0.8, 10) guaranteed, disproved, or for a search to find out?
    scumble advise census.csv --sensitive education,income --epsilon 0.1 --k 10 --delta 0.8 \\
        --distance \"l1(education:rank*0.3, income:range*0.7)\"

The answers tell how close together values of people lie: do not publish them.
Exit code 1 means that what was asked for cannot be had; for numbers the nearest that can is named.")]
pub(crate) struct Advise {
    /// CSV (also .gz) or Parquet file, or `-` for standard input
    #[arg(value_name = "DATA", value_hint = ValueHint::FilePath)]
    pub(crate) data: PathBuf,

    /// How near is near: in the column's own unit (proximity-absolute), or as a distance (dissimilarity)
    #[arg(long, value_name = "E", allow_negative_numbers = true)]
    pub(crate) epsilon: Option<String>,

    /// How near is near, as a share of the number itself, from 0 to below 1 (proximity-relative)
    #[arg(long, value_name = "R", allow_negative_numbers = true)]
    pub(crate) relative: Option<String>,

    /// At most one in M rows of a group may be near
    #[arg(long, value_name = "M", allow_negative_numbers = true)]
    pub(crate) m: Option<String>,

    /// The least number of rows of a group
    #[arg(long, value_name = "K", allow_negative_numbers = true, help_heading = "Dissimilarity")]
    pub(crate) k: Option<String>,

    /// The least share of others in a group that must not be near, from 0 to 1
    #[arg(long, value_name = "D", allow_negative_numbers = true, help_heading = "Dissimilarity")]
    pub(crate) delta: Option<String>,

    /// Write a page with the answer and the trade-off; keep it to yourself
    #[arg(long, value_name = "FILE.html", value_hint = ValueHint::FilePath)]
    pub(crate) report: Option<PathBuf>,

    /// Overwrite the page
    #[arg(long, requires = "report")]
    pub(crate) replace: bool,

    #[command(flatten)]
    pub(crate) options: OptionFlags<AdviseFlags>,
}

/// The options of a job that this command takes.
#[derive(Debug)]
pub(crate) struct AdviseFlags;

impl FlagSet for AdviseFlags {
    const OPTIONS: &'static [&'static str] = &["delimiter", "null", "type", "order", "hierarchy", "distance"];
    const ROLES: &'static [ColumnRole] = &[ColumnRole::Sensitive, ColumnRole::Person];

    fn adapt(arg: Arg) -> Arg {
        match arg.get_id().as_str() {
            "sensitive" => add_help(
                arg.required(true),
                ": one column of numbers, or with --distance any, taken as one value. A comma in a name is written `\\,`",
            ),
            "distance" => arg.help_heading("Dissimilarity"),
            _ => arg,
        }
    }
}
