//! Flags of `scumble compare`.

use super::{Reading, Typing};
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

Every point is published in memory, verified, measured and attacked in a process of its own.
Finished points are kept in the directory: a comparison that was interrupted goes on where it
stopped, and one with more points makes only these. The directory gets `comparison.html` (open it
in a browser), `comparison.json` and `comparison.csv`. They are for the publisher's eyes.")]
pub(crate) struct Compare {
    /// CSV (also .gz) or Parquet file
    #[arg(value_name = "DATA", value_hint = ValueHint::FilePath, required_unless_present_any = ["job", "worker"])]
    pub(crate) data: Option<PathBuf>,

    /// Take data, columns, rules and runs from a sweep file
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with_all = ["data", "quasi", "sensitive", "identifying", "keep", "drop_rest", "types", "orders", "hierarchies", "delimiter", "nulls", "require", "grid", "method", "algorithm", "profile", "aim", "boxes", "mixtures", "angel_k", "marginal", "distance", "max_suppressed"])]
    pub(crate) job: Option<PathBuf>,

    /// Columns an attacker may know of a person
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',', help_heading = "Columns")]
    pub(crate) quasi: Vec<String>,

    /// Columns that nobody may learn about a person; count queries ask about the first
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

    /// What every group must satisfy, with names in braces for what varies, such as "k-anonymity({k})"
    /// (repeatable; all must hold)
    #[arg(long, value_name = "TEMPLATE", help_heading = "What is compared")]
    pub(crate) require: Vec<String>,

    /// The values that a name in braces takes, such as k=2,5,10 (repeatable; all combinations are made)
    #[arg(long, value_name = "NAME=VALUES", help_heading = "What is compared")]
    pub(crate) grid: Vec<String>,

    /// Methods, such as generalize,full-domain,anatomy,permute,angel [default: as publish chooses]
    #[arg(long, value_name = "METHODS", value_delimiter = ',', help_heading = "What is compared")]
    pub(crate) method: Vec<String>,

    /// Algorithms, such as mondrian,mondrian-relaxed [default: as publish chooses]
    #[arg(long, value_name = "NAMES", value_delimiter = ',', help_heading = "What is compared")]
    pub(crate) algorithm: Vec<String>,

    /// Profiles, such as standard,hardened,max-utility [default: standard]
    #[arg(long, value_name = "NAMES", value_delimiter = ',', help_heading = "What is compared")]
    pub(crate) profile: Vec<String>,

    /// Aims under a proximity requirement: answers,loss [default: answers]
    #[arg(long, value_name = "AIMS", value_delimiter = ',', help_heading = "What is compared")]
    pub(crate) aim: Vec<String>,

    /// Kinds of boxes, such as minimal,rounded,cells [default: as publish chooses]
    #[arg(long, value_name = "KINDS", value_delimiter = ',', help_heading = "What is compared")]
    pub(crate) boxes: Vec<String>,

    /// What is done about mixtures of groups under proximity and dissimilarity: report,hold [default: report]
    #[arg(long, value_name = "WORDS", value_delimiter = ',', help_heading = "What is compared")]
    pub(crate) mixtures: Vec<String>,

    /// With angel, how many people share every box; numbers, or a name in braces
    #[arg(long, value_name = "K", value_delimiter = ',', help_heading = "What is compared")]
    pub(crate) angel_k: Vec<String>,

    /// With angel, quasi-identifiers that get a table of their own (repeatable)
    #[arg(long, value_name = "COLUMNS", help_heading = "What is compared")]
    pub(crate) marginal: Vec<String>,

    /// How far apart sensitive values are, for dissimilarity
    #[arg(long, value_name = "DISTANCE", help_heading = "What is compared")]
    pub(crate) distance: Option<String>,

    /// Greatest shares of rows that may be suppressed; numbers, or a name in braces [default: 0]
    #[arg(long, value_name = "SHARES", value_delimiter = ',', help_heading = "What is compared")]
    pub(crate) max_suppressed: Vec<String>,

    /// Count queries that every release answers [default: 1000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000_000), help_heading = "How it is compared")]
    pub(crate) queries: Option<u32>,

    /// Seed of coins and questions; no release is kept, so it need not be secret [default: 1]
    #[arg(long, value_name = "N", help_heading = "How it is compared")]
    pub(crate) seed: Option<u64>,

    /// Memory that all runs together may take, such as 4G [default: half of what is free]
    #[arg(long, value_name = "BYTES", help_heading = "How it is compared")]
    pub(crate) memory: Option<String>,

    /// Directory of the comparison; finished runs in it are used [default: comparison]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, help_heading = "Output")]
    pub(crate) out: Option<PathBuf>,

    /// Make one run, as told on standard input
    #[arg(long, hide = true)]
    pub(crate) worker: bool,
}
