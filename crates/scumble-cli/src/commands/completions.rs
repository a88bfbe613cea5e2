//! `scumble completions`.

use crate::args::{Cli, Completions};
use crate::output::print_text;
use clap::CommandFactory;
use scumble::Result;

pub(crate) fn run(args: &Completions) -> Result<bool> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "scumble", &mut script);
    print_text(&String::from_utf8_lossy(&script))?;
    Ok(true)
}
