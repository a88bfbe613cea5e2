//! Flags of `scumble evaluate`.

use super::option_flags::{FlagSet, OptionFlags, add_help};
use clap::{Arg, ArgAction, Args, ValueHint};
use std::path::PathBuf;

/// Measure what a release lost and how well it still answers count queries, against its source
#[derive(Debug, Args)]
#[command(after_long_help = "Examples:
  What was lost, and the error of 1,000 counts over 2, 3 and 4 columns each:
    scumble evaluate release/ --source census.csv

  Smaller queries on the second sensitive column, and a page with charts:
    scumble evaluate release/ --source census.csv --sensitive income --w 3 --s 0.05 \\
        --report evaluation.html

  Queries about two sensitive columns and one to three quasi-identifiers:
    scumble evaluate release/ --source census.csv --qs 2 --w 3,4,5

  Queries on every column at once, and the distribution of age and city that the release tells:
    scumble evaluate release/ --source census.csv --volume 0.03,0.05,0.1 --reconstruct age,city

  Beside perturbation under the release's own proximity requirement:
    scumble evaluate release/ --source census.csv --baseline perturbation

  How wide the bounds of averages are, over ranges of ages and for random people:
    scumble evaluate release/ --source census.csv --bounds avg --range-over age --spans 10,30

  The same beside other groups that meet the release's (k, e)-anonymity:
    scumble evaluate release/ --source census.csv --bounds avg --algorithms all

  How many groups let near values through, by two distances:
    scumble evaluate release/ --source census.csv --vulnerability \\
        --distance \"l1(education:rank, income:range)\" \\
        --distance \"l2(education:rank, income:range)\" --report vulnerable.html

There is no --person here: what is measured is what readers get out of the rows, whosever they are. Who is found, and what is
learned about people who have several rows, is measured by `scumble risk release/ --source visits.csv --person patient`.

The figures compare the release with its source and are for its publisher's eyes.")]
pub(crate) struct Evaluate {
    /// Release directory
    #[arg(value_name = "RELEASE", value_hint = ValueHint::DirPath)]
    pub(crate) release: PathBuf,

    /// The data the release was made from
    #[arg(long, value_name = "DATA", value_hint = ValueHint::FilePath)]
    pub(crate) source: PathBuf,

    /// The job file whose rules the release was made with: they are applied to the source first
    #[arg(long, value_name = "JOB", value_hint = ValueHint::FilePath)]
    pub(crate) rules: Option<PathBuf>,

    /// Sensitive column that queries ask about; the first by default
    #[arg(long, value_name = "COLUMN", help_heading = "Queries")]
    pub(crate) sensitive: Option<String>,

    /// Sensitive columns in a query; where the release has more they are drawn at random
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = "Queries")]
    pub(crate) qs: usize,

    /// Number of queries of each workload, and of questions about bounds; 0 asks none
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(0..=10_000_000), help_heading = "Queries")]
    pub(crate) queries: u32,

    /// Columns in a query, the sensitive ones included; a workload each [default: with 1, 2 and 3 quasi-identifiers as far as
    /// there are, none with --volume]
    #[arg(long, value_name = "W", value_delimiter = ',', help_heading = "Queries")]
    pub(crate) w: Vec<usize>,

    /// Volume: a query takes a share of s^(1/w) of the domain of each of its columns
    #[arg(long, value_name = "S", default_value_t = 0.1, allow_negative_numbers = true, help_heading = "Queries")]
    pub(crate) s: f64,

    /// Volumes of queries on every column, a workload each: of n columns a share of s^(1/n) of each domain, an interval
    /// where the column has an order, any values where it has none
    #[arg(long, value_name = "S", value_delimiter = ',', allow_negative_numbers = true, help_heading = "Queries")]
    pub(crate) volume: Vec<f64>,

    /// Quasi-identifiers, such as age,city: measure how far their distribution with the sensitive column, as a reader
    /// would reconstruct it from the release, is from the source's, beside that of all of them; may be repeated
    #[arg(long, value_name = "COLUMNS")]
    pub(crate) reconstruct: Vec<String>,

    /// Seed of the questions, of the noise of --baseline and of the groups of --algorithms
    #[arg(long, value_name = "N", default_value_t = 7, help_heading = "Queries")]
    pub(crate) seed: u64,

    /// What to put beside the release: perturbation
    #[arg(long, value_name = "NAME")]
    pub(crate) baseline: Option<String>,

    /// Measure how wide the bounds of averages or sums of the sensitive column are: avg or sum
    #[arg(long, value_name = "AGGREGATE", help_heading = "Bounds")]
    pub(crate) bounds: Option<String>,

    /// Quasi-identifier to take ranges of; the first that has an order by default
    #[arg(long, value_name = "COLUMN", requires = "bounds", help_heading = "Bounds")]
    pub(crate) range_over: Option<String>,

    /// Lengths of ranges, such as 5,10,30 [default: 5, 10, 20 and 40 % of the column's own range]
    #[arg(
        long,
        value_name = "LENGTH",
        value_delimiter = ',',
        allow_negative_numbers = true,
        requires = "bounds",
        help_heading = "Bounds"
    )]
    pub(crate) spans: Vec<f64>,

    /// Shares of the people that arbitrary questions select [default: 0.05,0.1,0.2,0.3,0.5]
    #[arg(
        long,
        value_name = "SHARE",
        value_delimiter = ',',
        allow_negative_numbers = true,
        requires = "bounds",
        help_heading = "Bounds"
    )]
    pub(crate) sizes: Vec<f64>,

    /// Other ways to meet the release's (k, e)-anonymity, measured on the source: expected-width, min-sum, min-max,
    /// min-max-overlap, max-groups, random, mondrian, rank-swap, or all
    #[arg(long, value_name = "NAME", value_delimiter = ',', requires = "bounds", help_heading = "Bounds")]
    pub(crate) algorithms: Vec<String>,

    /// Measure the share of groups that contain a proximity breach, over a grid of epsilon and delta
    #[arg(long, help_heading = "Vulnerability")]
    pub(crate) vulnerability: bool,

    /// How near is near [default: 0.02,0.04 and so on to 0.3]
    #[arg(
        long,
        value_name = "EPSILON",
        value_delimiter = ',',
        allow_negative_numbers = true,
        requires = "vulnerability",
        help_heading = "Vulnerability"
    )]
    pub(crate) epsilons: Vec<String>,

    /// Shares of others that must not be near [default: 0.5,0.55 and so on to 0.95]
    #[arg(
        long,
        value_name = "DELTA",
        value_delimiter = ',',
        allow_negative_numbers = true,
        requires = "vulnerability",
        help_heading = "Vulnerability"
    )]
    pub(crate) deltas: Vec<String>,

    /// Write a page with tables and charts
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Output")]
    pub(crate) report: Option<PathBuf>,

    /// Overwrite the page
    #[arg(long, requires = "report", help_heading = "Output")]
    pub(crate) replace: bool,

    #[command(flatten)]
    pub(crate) options: OptionFlags<EvaluateFlags>,
}

/// The options of a job that this command takes.
#[derive(Debug)]
pub(crate) struct EvaluateFlags;

impl FlagSet for EvaluateFlags {
    const OPTIONS: &'static [&'static str] = &["delimiter", "null", "distance", "hierarchy"];

    fn adapt(arg: Arg) -> Arg {
        let arg = match arg.get_id().as_str() {
            // Several distances are compared.
            "distance" => add_help(arg.action(ArgAction::Append), " (repeatable) [default: that of the manifest]")
                .requires("vulnerability"),
            "hierarchy" => arg.requires("distance"),
            _ => return arg,
        };
        arg.help_heading("Vulnerability")
    }
}
