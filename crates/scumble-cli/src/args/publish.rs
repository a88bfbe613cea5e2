//! Flags of `scumble publish`.

use super::{Reading, Typing};
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

    /// Columns an attacker may know of a person; generalized, or exact with --method permute or anatomy
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

    /// The form of the release: generalize (coarser quasi-identifiers), permute (exact ones beside sensitive
    /// values shuffled inside groups), anatomy (exact ones, with the sensitive values counted per group in a
    /// table of their own), angel (coarser ones beside batch numbers, with the sensitive values counted per
    /// batch in a table of their own) or full-domain (as generalize, with one level of its hierarchy for each
    /// quasi-identifier, the best of all combinations) [default: permute for ke-anonymity alone, full-domain where
    /// a hierarchy is conditional, else generalize]
    #[arg(long, value_name = "METHOD", help_heading = "Protection")]
    pub(crate) method: Option<String>,

    /// With --method full-domain, the level that a quasi-identifier shows: 0 its values, then the levels of its
    /// hierarchy (repeatable) [default: the levels of least loss]
    #[arg(long = "level", value_name = "COLUMN=N", help_heading = "Protection")]
    pub(crate) levels: Vec<String>,

    /// With --method permute, move all sensitive values of a person as one, in the same groups; otherwise each
    /// sensitive column is shuffled by itself, in groups of its own
    #[arg(long, help_heading = "Protection")]
    pub(crate) together: bool,

    /// With --method angel, how many people share every box [default: the k of k-anonymity, where it is required]
    #[arg(long, value_name = "K", help_heading = "Protection")]
    pub(crate) angel_k: Option<u64>,

    /// With --method angel, quasi-identifiers that get a table of their own, finer than the one over all
    /// (repeatable)
    #[arg(long, value_name = "COLUMNS", help_heading = "Protection")]
    pub(crate) marginal: Vec<String>,

    /// With --method angel, refuse where the tables, joined by batch, could leave somebody among fewer people
    #[arg(long, value_name = "K", help_heading = "Protection")]
    pub(crate) join_k: Option<u64>,

    /// How groups are found: mondrian, mondrian-relaxed, proximity, xcolor, angel, full-domain or paper; along the order of the numbers under
    /// ke-anonymity: expected-width, min-sum, min-max, min-max-overlap, max-groups or random [default: proximity
    /// where a requirement is about proximity, xcolor under dissimilarity, expected-width under ke-anonymity with exact quasi-identifiers, angel
    /// for angel and anatomy, else mondrian]
    #[arg(long, value_name = "NAME", help_heading = "Protection")]
    pub(crate) algorithm: Option<String>,

    /// What groups are to be good for under a proximity requirement: answers (small errors of estimated
    /// counts) or loss (small boxes) [default: answers]
    #[arg(long, value_name = "AIM", help_heading = "Protection")]
    pub(crate) aim: Option<String>,

    /// What boxes tell about their ends: minimal (as small as the group: somebody lies at each end), rounded (moved
    /// outward to round values, so that no box by itself tells a value that occurs) or cells (those of mondrian's cuts, which tile the
    /// whole domain, so that nobody with all values is absent for certain) [default: rounded in profile hardened, else minimal]
    #[arg(long, value_name = "KIND", help_heading = "Protection")]
    pub(crate) boxes: Option<String>,

    /// Under proximity and dissimilarity, what is done about people whose quasi-identifiers are known, but not their
    /// group: report (tell the publisher what is believed of them) or hold (no more than is allowed in a group, checked
    /// by verify, or nothing is published) [default: report]
    #[arg(long, value_name = "WORD", help_heading = "Protection")]
    pub(crate) mixtures: Option<String>,

    /// How far apart sensitive values are, for dissimilarity: each column by range, rank, equal, tree or matrix:FILE,
    /// combined by l1, l2, max or min, such as "l1(education:rank*0.3, income:range*0.7)"
    #[arg(long, value_name = "DISTANCE", help_heading = "Protection")]
    pub(crate) distance: Option<String>,

    /// How long groups may be sought under dissimilarity; then nothing is published, and what was reached is told
    /// [default: 900]
    #[arg(long, value_name = "SECONDS", help_heading = "Protection")]
    pub(crate) time_limit: Option<u64>,

    /// Greatest share of outlying rows that may be suppressed where that lowers the loss, or, under dissimilarity
    /// and with --method full-domain, where they stand in the way [default: 0]
    #[arg(long, value_name = "SHARE", allow_negative_numbers = true, help_heading = "Protection")]
    pub(crate) max_suppressed: Option<String>,

    /// How far chance hides the choices of the search: standard, hardened or max-utility [default: standard]
    #[arg(long, value_name = "NAME", help_heading = "Protection")]
    pub(crate) profile: Option<String>,

    /// Make the random choices repeatable; for tests only, since whoever knows the seed can repeat them too
    #[arg(long, value_name = "N", help_heading = "Protection")]
    pub(crate) seed: Option<u64>,

    /// Take --seed where coins hide whose values are whose (anatomy, permute, angel): whoever tries seeds can then undo
    /// them and, of a permuted release, read every value; never with real people
    #[arg(long, help_heading = "Protection")]
    pub(crate) insecure_seed: bool,

    /// Directory of the release; must not exist
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, help_heading = "Output")]
    pub(crate) out: Option<PathBuf>,

    /// Swap a release that is already there, in one step
    #[arg(long, help_heading = "Output")]
    pub(crate) replace: bool,

    /// Add the --marginal tables to this angel release, with its own batches and in one step
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, requires = "source", help_heading = "Output")]
    pub(crate) extend: Option<PathBuf>,

    /// With --extend, the data that the release was made from
    #[arg(long, value_name = "DATA", value_hint = ValueHint::FilePath, requires = "extend", help_heading = "Output")]
    pub(crate) source: Option<PathBuf>,

    /// With --extend, the job file whose rules the release was made with
    #[arg(long, value_name = "JOB", value_hint = ValueHint::FilePath, requires = "extend", help_heading = "Output")]
    pub(crate) rules: Option<PathBuf>,

    /// Format of the tables: csv or parquet [default: csv]
    #[arg(long, value_name = "FORMAT", help_heading = "Output")]
    pub(crate) format: Option<String>,
}
