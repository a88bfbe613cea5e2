//! Flags of the commands that tell of the program itself.

use clap::{Args, ValueHint};
use std::path::PathBuf;

/// List what --require can ask for
#[derive(Debug, Args)]
#[command(after_long_help = "Examples:
    scumble principles
    scumble principles --json")]
pub(crate) struct Principles {}

/// List what --method and --algorithm can name
#[derive(Debug, Args)]
#[command(after_long_help = "Examples:
    scumble methods
    scumble methods --json")]
pub(crate) struct Methods {}

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
