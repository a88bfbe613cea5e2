//! Flags of `scumble advise`.

use super::option_flags::{FlagSet, OptionFlags, add_help};
use clap::{Arg, Args, ValueHint};
use scumble::ColumnRole;
use std::path::PathBuf;

/// Tell which parameters requirements can have on this data and what each costs, for the publisher's eyes
#[derive(Debug, Args)]
#[command(after_long_help = "Examples:
  What every principle allows on these columns, and what is lost by it:
    scumble advise patients.csv --quasi age,sex,zipcode --sensitive disease --report advice.html

  How large may groups be? Chances of finding somebody are taken as well: 0.05, 0.09, 1/11:
    scumble advise patients.csv --quasi age,sex,zipcode --sensitive disease \\
        --principle k-anonymity --values 3,5,10,1/11,0.05

  Two parameters: at least k different numbers in a group, which span at least e:
    scumble advise payroll.csv --quasi age,sex --sensitive salary \\
        --principle ke-anonymity --values 2,5,10 --values e=1000,5000

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

With --quasi, requirements are tried: can any grouping of all rows meet them, and what does a release of a sample
lose? The releases are thrown away.
The answers tell how close together values of people lie: do not publish them.
Exit code 1 means that what was asked for cannot be had; for numbers the nearest that can is named.")]
pub(crate) struct Advise {
    /// CSV (also .gz) or Parquet file, or `-` for standard input
    #[arg(value_name = "DATA", value_hint = ValueHint::FilePath)]
    pub(crate) data: PathBuf,

    /// A principle to advise on, by its name or an alias (repeatable) [default: all]
    #[arg(long, value_name = "NAME", requires = "quasi", help_heading = "Principles")]
    pub(crate) principle: Vec<String>,

    /// The values of its first parameter, or of another by its name, such as e=100,1000 (repeatable) [default: values that suit
    /// the column]
    #[arg(long, value_name = "VALUES", requires = "principle", help_heading = "Principles")]
    pub(crate) values: Vec<String>,

    /// Rows that requirements are tried on, drawn by lot; a table that has no more is tried as a whole [default: 10000]
    #[arg(long, value_name = "ROWS", requires = "quasi", help_heading = "Principles")]
    pub(crate) sample: Option<u64>,

    /// Seed of the sample and of what is tried; no release is kept, so it need not be secret [default: 1]
    #[arg(long, value_name = "N", requires = "quasi", help_heading = "Principles")]
    pub(crate) seed: Option<u64>,

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
    const OPTIONS: &'static [&'static str] =
        &["delimiter", "null", "population", "type", "order", "hierarchy", "missing", "distance"];
    const ROLES: &'static [ColumnRole] = &[ColumnRole::Quasi, ColumnRole::Sensitive, ColumnRole::Person];

    fn adapt(arg: Arg) -> Arg {
        match arg.get_id().as_str() {
            "sensitive" => add_help(
                arg.required_unless_present("quasi"),
                ": one column of numbers, or any with --quasi, or with --distance, which takes them as one value. A comma in a name is written `\\,`",
            ),
            "quasi" => add_help(
                arg,
                ": principles are then tried with a grid of parameters, and what these columns lose is told",
            ),
            "distance" => arg.help_heading("Dissimilarity"),
            _ => arg,
        }
    }
}
