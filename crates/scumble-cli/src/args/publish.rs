//! Flags of `scumble publish`.

use super::option_flags::{AllOptions, OptionFlags};
use clap::{Args, ValueHint};
use std::path::PathBuf;

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

  Exact quasi-identifiers beside salaries that were shuffled inside groups, with bounds for
  every sum, so that totals can still be computed:
    scumble publish staff.csv --quasi age,zipcode --sensitive salary --drop-rest \\
        --require \"ke-anonymity(4, 2000)\" --out release/

  Boxes that ten people share, sensitive values counted per batch, and a finer table of two
  columns beside it:
    scumble publish patients.csv --quasi age,sex,zipcode --sensitive disease --drop-rest \\
        --method angel --angel-k 10 --marginal age,zipcode \\
        --require \"frequency-l-diversity(4)\" --out release/

  One more table later, with the same batches:
    scumble publish --extend release/ --source patients.csv --marginal sex,zipcode

  Nobody's education and income, taken together, are nearly known:
    scumble publish census.csv --quasi age,sex,marital --sensitive education,income --drop-rest \\
        --distance \"l1(education:rank*0.4, income:rank*0.6)\" \\
        --require \"dissimilarity(0.1, 0.8, 10)\" --out release/

  Nobody's salary is nearly known to those who know age and zipcode, whichever group they look at:
    scumble publish staff.csv --quasi age,zipcode --sensitive salary --drop-rest \\
        --require \"proximity-absolute(3000, 5)\" --mixtures hold --out release/

  One level of its hierarchy for each column, the best of all, with at most 2 % of the rows left
  out; heights are cut differently for women and men:
    scumble publish health.csv --quasi sex,height,birth_year --hierarchy height=height.toml \\
        --sensitive medical_history --drop-rest --method full-domain --max-suppressed 0.02 \\
        --require \"k-anonymity(2)\" --out release/

  Boxes that end at round numbers, so that nobody's exact age is one of them:
    scumble publish patients.csv --quasi age,sex,zipcode --sensitive disease --drop-rest \\
        --require \"k-anonymity(5)\" --boxes rounded --out release/

  People who have several rows each, counted once, and a ledger that remembers who was published, so
  that a later release of the same people is refused:
    scumble publish visits.csv --person patient --quasi age,sex,zipcode --sensitive disease \\
        --drop-rest --require \"k-anonymity(5)\" --require \"frequency-l-diversity(3)\" \\
        --ledger ../people.ledger --out release/

  Everybody looks like ten people of the town at least, whether or not they are in the data:
    scumble publish patients.csv --quasi age,sex,zipcode --sensitive disease --drop-rest \\
        --require \"k-map(10)\" --population residents.csv --out release/

  From a job file that `scumble inspect` wrote:
    scumble publish --job job.toml

`scumble principles` lists what --require can ask for.")]
pub(crate) struct Publish {
    /// CSV (also .gz) or Parquet file, or `-` for standard input
    #[arg(value_name = "DATA", value_hint = ValueHint::FilePath, required_unless_present_any = ["job", "extend"])]
    pub(crate) data: Option<PathBuf>,

    /// Take everything from a job file; flags given beside it win
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) job: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) options: OptionFlags<AllOptions>,

    /// Add the --marginal tables to this angel release, with its own batches and in one step
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, requires = "source", help_heading = "Output")]
    pub(crate) extend: Option<PathBuf>,

    /// With --extend, the data that the release was made from
    #[arg(long, value_name = "DATA", value_hint = ValueHint::FilePath, requires = "extend", help_heading = "Output")]
    pub(crate) source: Option<PathBuf>,

    /// With --extend, the job file whose rules the release was made with
    #[arg(long, value_name = "JOB", value_hint = ValueHint::FilePath, requires = "extend", help_heading = "Output")]
    pub(crate) rules: Option<PathBuf>,
}
