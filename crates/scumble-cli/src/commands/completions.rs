//! `scumble completions`.

use crate::args::{Cli, Completions};
use clap::CommandFactory;
use scumble::Result;

pub(crate) fn run(args: &Completions) -> Result<bool> {
    clap_complete::generate(args.shell, &mut Cli::command(), "scumble", &mut std::io::stdout());
    Ok(true)
}
