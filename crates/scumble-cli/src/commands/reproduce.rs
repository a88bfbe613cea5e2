//! `scumble reproduce`: where the experiments of the papers went.

use crate::args::Reproduce;
use crate::output::Output;
use scumble::{Error, Result};

pub(crate) fn run(args: &Reproduce, _output: &Output) -> Result<bool> {
    let papers = if args.words.is_empty() { "paper1 --quick".to_string() } else { args.words.join(" ") };
    Err(Error::request("reproduce", "", "the experiments of the papers are a program of their own, `scumble-lab`")
        .hint(format!("cargo run --release -p scumble-lab -- {papers}")))
}
