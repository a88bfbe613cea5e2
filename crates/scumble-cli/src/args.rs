//! The command line: every command, flag and help text in one place. Man pages and completions
//! are made from it.

use clap::{Args, Parser, Subcommand, ValueEnum, ValueHint};
use std::path::PathBuf;

/// Publish tables about people without giving any of them away.
///
/// A release is written only after its bytes have been read again and every requirement was found
/// to hold.
///
/// Exit codes: 0 done; 1 the answer is no (a requirement cannot be met, a release does not
/// verify); 2 the request or the data is wrong; 3 a failure of the machine or of scumble itself.
#[derive(Debug, Parser)]
#[command(name = "scumble", version, propagate_version = true, max_term_width = 100)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,

    #[command(flatten)]
    pub(crate) global: Global,
}

/// Flags of every command.
#[derive(Debug, Args)]
pub(crate) struct Global {
    /// Print one JSON document on standard output and nothing else there
    #[arg(long, global = true, help_heading = "Everywhere")]
    pub(crate) json: bool,

    /// Print nothing but errors and, with --json, the document
    #[arg(long, short, global = true, help_heading = "Everywhere")]
    pub(crate) quiet: bool,

    /// Use this many threads; all cores by default. Results do not depend on it
    #[arg(long, global = true, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024), help_heading = "Everywhere")]
    pub(crate) threads: Option<u16>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Publish(Box<Publish>),
    Verify(Verify),
    Evaluate(Evaluate),
    Inspect(Inspect),
    Advise(Advise),
    Generate(Generate),
    Principles(Principles),
    Completions(Completions),
    Man(Man),
}

/// How the data is read.
#[derive(Debug, Args)]
pub(crate) struct Reading {
    /// Delimiter of a CSV file: one character, or `tab`; found in the header by default
    #[arg(long, value_name = "CHAR", help_heading = "Input")]
    pub(crate) delimiter: Option<String>,

    /// A text that means a missing value, beside the empty cell (repeatable)
    #[arg(long = "null", value_name = "TEXT", help_heading = "Input")]
    pub(crate) nulls: Vec<String>,
}

/// What the values of columns mean.
#[derive(Debug, Args)]
pub(crate) struct Typing {
    /// Type of a column; told by its values by default (repeatable)
    #[arg(long = "type", value_name = "COLUMN=number|date|ordinal|nominal", help_heading = "Input")]
    pub(crate) types: Vec<String>,

    /// File with the labels of an ordinal column in order, one a line (repeatable)
    #[arg(long = "order", value_name = "COLUMN=FILE", help_heading = "Input")]
    pub(crate) orders: Vec<String>,

    /// Generalization hierarchy of a column, `value;level1;...;*` a line (repeatable)
    #[arg(long = "hierarchy", value_name = "COLUMN=FILE", help_heading = "Input")]
    pub(crate) hierarchies: Vec<String>,
}

/// Publish a release: group the rows, loosen what ties values to a person, verify, put in place
#[derive(Debug, Args)]
#[command(after_long_help = "Examples:
  Five people at least behind every combination of age, sex and zipcode:
    scumble publish patients.csv --identifying name,ssn --quasi age,sex,zipcode \\
        --sensitive disease --require \"k-anonymity(5)\" \\
        --require \"frequency-l-diversity(3)\" --out release/

  With a hierarchy, a type and Parquet output:
    scumble publish visits.parquet --quasi age,country --hierarchy country=country.csv \\
        --sensitive cost --type age=number --require \"k-anonymity(10)\" \\
        --require \"t-closeness(0.2, ordered)\" --format parquet --out release/

  Exact quasi-identifiers, and sensitive values that are tied to groups only:
    scumble publish patients.csv --quasi age,sex,zipcode --sensitive disease --drop-rest \\
        --method anatomy --require \"frequency-l-diversity(3)\" --out release/

  From a job file that `scumble inspect` wrote:
    scumble publish --job job.toml

`scumble principles` lists what --require can ask for.")]
pub(crate) struct Publish {
    /// CSV (also .gz) or Parquet file, or `-` for standard input
    #[arg(value_name = "DATA", value_hint = ValueHint::FilePath, required_unless_present = "job")]
    pub(crate) data: Option<PathBuf>,

    /// Take everything from a job file; flags given beside it win
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) job: Option<PathBuf>,

    /// Columns an attacker may know of a person; generalized, or exact with --method anatomy
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',', help_heading = "Columns")]
    pub(crate) quasi: Vec<String>,

    /// Columns that nobody may learn about a person
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',', help_heading = "Columns")]
    pub(crate) sensitive: Vec<String>,

    /// Columns that name people; dropped
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',', help_heading = "Columns")]
    pub(crate) identifying: Vec<String>,

    /// Columns published as they are
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',', help_heading = "Columns")]
    pub(crate) keep: Vec<String>,

    /// Drop columns without a role instead of refusing
    #[arg(long, help_heading = "Columns")]
    pub(crate) drop_rest: bool,

    #[command(flatten)]
    pub(crate) reading: Reading,

    #[command(flatten)]
    pub(crate) typing: Typing,

    /// What every group must satisfy, such as "k-anonymity(5)" (repeatable; all must hold)
    #[arg(long, value_name = "REQUIREMENT", help_heading = "Protection")]
    pub(crate) require: Vec<String>,

    /// The form of the release: generalize (coarser quasi-identifiers) or anatomy (exact ones, with the
    /// sensitive values counted per group in a table of their own) [default: generalize]
    #[arg(long, value_name = "METHOD", help_heading = "Protection")]
    pub(crate) method: Option<String>,

    /// How groups are found: mondrian, mondrian-relaxed, proximity or paper [default: proximity where a
    /// requirement is about proximity, else mondrian]
    #[arg(long, value_name = "NAME", help_heading = "Protection")]
    pub(crate) algorithm: Option<String>,

    /// What groups are to be good for under a proximity requirement: answers (small errors of estimated
    /// counts) or loss (small boxes) [default: answers]
    #[arg(long, value_name = "AIM", help_heading = "Protection")]
    pub(crate) aim: Option<String>,

    /// Greatest share of outlying rows that may be suppressed where that lowers the loss [default: 0]
    #[arg(long, value_name = "SHARE", allow_negative_numbers = true, help_heading = "Protection")]
    pub(crate) max_suppressed: Option<String>,

    /// How far chance hides the choices of the search: standard, hardened or max-utility [default: standard]
    #[arg(long, value_name = "NAME", help_heading = "Protection")]
    pub(crate) profile: Option<String>,

    /// Make the random choices repeatable; for tests only, since whoever knows the seed can repeat them too
    #[arg(long, value_name = "N", help_heading = "Protection")]
    pub(crate) seed: Option<u64>,

    /// Directory of the release; must not exist
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, help_heading = "Output")]
    pub(crate) out: Option<PathBuf>,

    /// Swap a release that is already there, in one step
    #[arg(long, help_heading = "Output")]
    pub(crate) replace: bool,

    /// Format of the tables: csv or parquet [default: csv]
    #[arg(long, value_name = "FORMAT", help_heading = "Output")]
    pub(crate) format: Option<String>,
}

/// Check a release from its bytes alone, or any table whose equal quasi-identifiers form groups
#[derive(Debug, Args)]
#[command(after_long_help = "Examples:
  A release keeps what its manifest promises:
    scumble verify release/

  and hides nothing lost, invented or wrongly covered from its publisher:
    scumble verify release/ --source patients.csv

  A table made by another tool:
    scumble verify anonymized.csv --quasi age,sex,zipcode --sensitive disease \\
        --require \"k-anonymity(5)\"")]
pub(crate) struct Verify {
    /// Release directory, or a CSV or Parquet table (`-` for standard input)
    #[arg(value_name = "RELEASE|TABLE", value_hint = ValueHint::AnyPath)]
    pub(crate) target: PathBuf,

    /// The data the release was made from, to check that it is covered row by row
    #[arg(long, value_name = "DATA", value_hint = ValueHint::FilePath)]
    pub(crate) source: Option<PathBuf>,

    /// Quasi-identifying columns of a table
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',', help_heading = "Tables of other tools")]
    pub(crate) quasi: Vec<String>,

    /// Sensitive columns of a table
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',', help_heading = "Tables of other tools")]
    pub(crate) sensitive: Vec<String>,

    /// A requirement to check, beside those of a manifest (repeatable)
    #[arg(long, value_name = "REQUIREMENT")]
    pub(crate) require: Vec<String>,

    #[command(flatten)]
    pub(crate) reading: Reading,

    #[command(flatten)]
    pub(crate) typing: Typing,
}

/// Measure what a release lost and how well it still answers count queries, against its source
#[derive(Debug, Args)]
#[command(after_long_help = "Examples:
  What was lost, and the error of 1,000 counts over 2, 3 and 4 columns each:
    scumble evaluate release/ --source census.csv

  Smaller queries on the second sensitive column, and a page with charts:
    scumble evaluate release/ --source census.csv --sensitive income --w 3 --s 0.05 \\
        --report evaluation.html

  Beside perturbation under the release's own proximity requirement:
    scumble evaluate release/ --source census.csv --baseline perturbation

The figures compare the release with its source and are for its publisher's eyes.")]
pub(crate) struct Evaluate {
    /// Release directory
    #[arg(value_name = "RELEASE", value_hint = ValueHint::DirPath)]
    pub(crate) release: PathBuf,

    /// The data the release was made from
    #[arg(long, value_name = "DATA", value_hint = ValueHint::FilePath)]
    pub(crate) source: PathBuf,

    /// Sensitive column that queries ask about; the first by default
    #[arg(long, value_name = "COLUMN", help_heading = "Queries")]
    pub(crate) sensitive: Option<String>,

    /// Number of queries of each workload; 0 asks none
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(0..=10_000_000), help_heading = "Queries")]
    pub(crate) queries: u32,

    /// Columns in a query, the sensitive one included; a workload each [default: 2,3,4 as far as there are columns]
    #[arg(long, value_name = "W", value_delimiter = ',', help_heading = "Queries")]
    pub(crate) w: Vec<usize>,

    /// Volume: a query takes a share of s^(1/w) of the domain of each of its columns
    #[arg(long, value_name = "S", default_value_t = 0.1, allow_negative_numbers = true, help_heading = "Queries")]
    pub(crate) s: f64,

    /// Seed of the questions, and of the noise of --baseline
    #[arg(long, value_name = "N", default_value_t = 7, help_heading = "Queries")]
    pub(crate) seed: u64,

    /// What to put beside the release: perturbation
    #[arg(long, value_name = "NAME")]
    pub(crate) baseline: Option<String>,

    /// Write a page with tables and charts
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Output")]
    pub(crate) report: Option<PathBuf>,

    /// Overwrite the page
    #[arg(long, requires = "report", help_heading = "Output")]
    pub(crate) replace: bool,

    #[command(flatten)]
    pub(crate) reading: Reading,
}

/// Profile a file: types, distinct values, missing values, who is unique; propose roles
#[derive(Debug, Args)]
#[command(after_long_help = "Examples:
    scumble inspect patients.csv
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
    pub(crate) reading: Reading,
}

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
Exit code 1 means that what was asked for cannot be had.")]
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
}

/// List what --require can ask for
#[derive(Debug, Args)]
#[command(after_long_help = "Examples:
    scumble principles
    scumble principles --json")]
pub(crate) struct Principles {}

/// Print shell completions
#[derive(Debug, Args)]
#[command(after_long_help = "Examples:
    scumble completions bash > ~/.local/share/bash-completion/completions/scumble
    scumble completions zsh > ~/.zfunc/_scumble")]
pub(crate) struct Completions {
    /// The shell
    pub(crate) shell: clap_complete::Shell,
}

/// Write man pages
#[derive(Debug, Args)]
#[command(after_long_help = "Examples:
    scumble man --out man/ && man -l man/scumble-publish.1")]
pub(crate) struct Man {
    /// Directory for the pages; created if missing
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) out: PathBuf,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent_and_every_command_has_an_example() {
        let command = Cli::command();
        command.clone().debug_assert();
        for sub in command.get_subcommands() {
            let help = sub.clone().render_long_help().to_string();
            assert!(help.contains("Example"), "{} has no example", sub.get_name());
        }
    }
}
