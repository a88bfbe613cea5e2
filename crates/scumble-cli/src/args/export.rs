//! Flags of `scumble export`.

use clap::{Args, ValueHint};
use std::path::PathBuf;

/// Carry a release into a database, where SQL can ask it for bounds
#[derive(Debug, Args)]
#[command(after_long_help = "Examples:
  Into PostgreSQL, with the password in PGPASSWORD:
    scumble export release/ --to postgres://ann@localhost/statistics

  Then, of a permuted or anatomy release, the salaries of those over 50, and by sex:
    SET search_path = release;
    SELECT * FROM salary_bounds(ARRAY(SELECT \"group\" FROM people WHERE age > 50));
    SELECT sex, b.* FROM (SELECT sex, array_agg(\"group\") AS g FROM people GROUP BY sex) q,
        LATERAL salary_bounds(q.g) b;

  Of a generalized release, from rows that match for certain and from all that may match:
    SET search_path = release;
    SELECT * FROM salary_bounds(
        ARRAY(SELECT salary FROM people WHERE age_lower > 50),
        ARRAY(SELECT salary FROM people WHERE age_upper > 50));

  A newer release in its place:
    scumble export release/ --to postgres://ann@localhost/statistics --replace

  SQL and CSV files for any other database:
    scumble export release/ --to tables/

The release is checked before anything is sent, and loaded in one transaction that is committed only if
the database shows the same rows: whatever happens, nothing is half there. The same release is found to be
there already; another one is kept unless --replace is given. Connections are not encrypted: use a tunnel
to a server that is not on this machine. PostgreSQL 14 or later.")]
pub(crate) struct Export {
    /// Release directory
    #[arg(value_name = "RELEASE", value_hint = ValueHint::DirPath)]
    pub(crate) release: PathBuf,

    /// postgres://USER@HOST:PORT/DATABASE, or a directory that does not exist yet
    #[arg(long, value_name = "URL|DIR", value_hint = ValueHint::AnyPath)]
    pub(crate) to: String,

    /// Schema of the database
    #[arg(long, value_name = "NAME", default_value = "release")]
    pub(crate) schema: String,

    /// Swap another release that is in this schema; what is no part of one is never dropped
    #[arg(long)]
    pub(crate) replace: bool,
}
