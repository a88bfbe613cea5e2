//! Flags of `scumble query`.

use clap::{Args, ValueEnum, ValueHint};
use std::path::PathBuf;

/// Answer aggregates over a release, with bounds that hold the true answer
#[derive(Debug, Args)]
#[command(after_long_help = "Examples:
  The mean salary of those over 50, as the release allows it to be told:
    scumble query release/ \"SELECT AVG(salary) FROM release WHERE age > 50\"

  Several aggregates for each department, with a condition on the sensitive column:
    scumble query release/ \"SELECT department, COUNT(*), MAX(salary) FROM release
        WHERE sex = 'F' AND salary >= 40000 GROUP BY department\" --confidence 0.95

  The statement to run on the published tables in a database of your own:
    scumble query release/ \"SELECT SUM(salary) FROM release WHERE age > 50\" \\
        --explain --dialect postgres

  A prompt with history:
    scumble query release/

COUNT(*), COUNT, SUM, AVG, MIN and MAX of sensitive columns can be asked for. Conditions on quasi-identifying
and kept columns may be of any kind; conditions on sensitive columns are joined to them by AND. Lower and
upper hold the true answer, for the rows published with values, in every table that could have given this release; estimate and deviation are
mean and standard deviation over all that the release leaves open. This is not sampling error.")]
pub(crate) struct Query {
    /// Release directory
    #[arg(value_name = "RELEASE", value_hint = ValueHint::DirPath)]
    pub(crate) release: PathBuf,

    /// One SELECT over the table `release`; without it a prompt, or statements from standard input, each
    /// ended by a semicolon
    #[arg(value_name = "SQL")]
    pub(crate) sql: Option<String>,

    /// Add intervals that hold the answer with this probability over what the release leaves open
    #[arg(long, value_name = "LEVEL", allow_negative_numbers = true)]
    pub(crate) confidence: Option<f64>,

    /// Print the rewritten statements over the published tables instead of an answer
    #[arg(long)]
    pub(crate) explain: bool,

    /// The SQL to write the statements in: postgres and ansi for tables that `export` made, the others for the files of
    /// the release
    #[arg(long, value_name = "DIALECT", value_enum, default_value_t = DialectName::Datafusion)]
    pub(crate) dialect: DialectName,

    /// Print the answer as CSV
    #[arg(long, conflicts_with = "explain")]
    pub(crate) csv: bool,
}

/// The SQL of an engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum DialectName {
    /// DataFusion
    Datafusion,
    /// PostgreSQL
    Postgres,
    /// DuckDB
    Duckdb,
    /// Standard SQL
    Ansi,
}
