//! Flags of `scumble reproduce`.

use clap::Args;

/// Says where the experiments of the papers went: into a program of their own, `scumble-lab`
#[derive(Debug, Args)]
#[command(after_long_help = "Example:
  What used to be `scumble reproduce paper1 --quick` is now
    cargo run --release -p scumble-lab -- paper1 --quick")]
pub(crate) struct Reproduce {
    /// What `scumble-lab` is to be told
    #[arg(value_name = "WORDS", trailing_var_arg = true, allow_hyphen_values = true)]
    pub(crate) words: Vec<String>,
}
