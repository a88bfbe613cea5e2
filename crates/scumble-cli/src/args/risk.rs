//! Flags of `scumble risk`.

use super::names::Names;
use super::option_flags::{FlagSet, OptionFlags};
use clap::{Arg, Args, ValueHint};
use scumble::ColumnRole;
use std::path::PathBuf;

/// Attack data or a release as somebody who knows some columns would, and count whom that finds
#[derive(Debug, Args)]
#[command(after_long_help = "Examples:
  How easily are people found by three columns?
    scumble risk patients.csv --known birth_year,sex,height

  Which columns, and which sets of up to three, tell most? As a page with charts too:
    scumble risk patients.csv --known birth_year,sex,height,weight,smoking --up-to 3 \\
        --report risk.html

  The data is a sample of 250,000 people, or of those in a file:
    scumble risk patients.csv --known birth_year,sex --population 250000
    scumble risk patients.csv --known birth_year,sex --population register.csv

  A release, by what it shows; and by the people it was made from:
    scumble risk release/ --known age,city
    scumble risk release/ --known age,city --source patients.csv

  People who have several rows count once:
    scumble risk visits.csv --known age,city --person patient
    scumble risk release/ --source visits.csv --person patient

  What would the rules of a job file change?
    scumble risk patients.csv --known age,city --rules job.toml

  How many people have a probability of 9 % or more, and of whom is a cost within 100 believed
  with more than 60 %?
    scumble risk release/ --source patients.csv --threshold 0.09 --belief 0.6 --epsilon 100

A directory is a release, a file is data. The probability to find a person is one in the number of
records that match. Prosecutor risk is the greatest, for a target known to be in the data;
journalist risk is the greatest within a population; marketer risk is the share of all people whom
an attacker is expected to find. The figures are for the publisher's eyes.")]
pub(crate) struct Risk {
    /// CSV (also .gz) or Parquet file, `-` for standard input, or a release directory
    #[arg(value_name = "DATA|RELEASE", value_hint = ValueHint::AnyPath)]
    pub(crate) target: PathBuf,

    /// Columns that the attacker knows about people; of a release all quasi-identifiers by default. A comma in a name is
    /// written `\,`
    #[arg(long, value_name = "COLUMNS", help_heading = "Attacker")]
    pub(crate) known: Vec<Names>,

    /// Attack with every subset of the known columns up to this size as well, and rank subsets and columns
    #[arg(long, value_name = "N", help_heading = "Attacker")]
    pub(crate) up_to: Option<usize>,

    /// The data that the release was made from: its people are looked for, among rows whose values cover theirs
    #[arg(long, value_name = "DATA", value_hint = ValueHint::FilePath, help_heading = "Attacker")]
    pub(crate) source: Option<PathBuf>,

    /// A job file whose rules are applied first: to data, or to the source of a release that was made with them
    #[arg(long, value_name = "JOB", value_hint = ValueHint::FilePath, help_heading = "Attacker")]
    pub(crate) rules: Option<PathBuf>,

    /// Whom the data is a sample of: a file with the known columns, or a number of people
    #[arg(long, value_name = "FILE|N", allow_negative_numbers = true, value_hint = ValueHint::FilePath, help_heading = "Attacker")]
    pub(crate) population: Option<String>,

    /// Count people whose probability to be found is at least this (repeatable) [default: 0.05 0.1 0.2 0.33 0.5 1]
    #[arg(long, value_name = "P", allow_negative_numbers = true, help_heading = "What counts")]
    pub(crate) threshold: Vec<String>,

    /// Count people of whose sensitive value more than this is believed [default: 0.5]
    #[arg(long, value_name = "P", allow_negative_numbers = true, help_heading = "What counts")]
    pub(crate) belief: Option<String>,

    /// Count a sensitive number, or date in days, that is this near as known
    #[arg(long, value_name = "E", allow_negative_numbers = true, help_heading = "What counts")]
    pub(crate) epsilon: Option<String>,

    /// Write a page with tables and charts
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Output")]
    pub(crate) report: Option<PathBuf>,

    /// Overwrite the page
    #[arg(long, requires = "report", help_heading = "Output")]
    pub(crate) replace: bool,

    #[command(flatten)]
    pub(crate) options: OptionFlags<RiskFlags>,
}

/// The options of a job that this command takes. Its `--population` is none of them: it may be a number of people.
#[derive(Debug)]
pub(crate) struct RiskFlags;

impl FlagSet for RiskFlags {
    const OPTIONS: &'static [&'static str] = &["delimiter", "null", "type"];
    const ROLES: &'static [ColumnRole] = &[ColumnRole::Person];

    fn adapt(arg: Arg) -> Arg {
        if arg.get_id() == "person" { arg.help_heading("Attacker") } else { arg }
    }
}
