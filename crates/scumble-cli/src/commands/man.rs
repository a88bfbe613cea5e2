//! `scumble man`.

use crate::args::{Cli, Man};
use crate::output::Output;
use clap::CommandFactory;
use scumble::{Error, Result};
use serde_json::json;

pub(crate) fn run(args: &Man, output: &Output) -> Result<bool> {
    let fail = |e: std::io::Error| Error::io("write man pages to", args.out.display(), &e);
    std::fs::create_dir_all(&args.out).map_err(fail)?;
    clap_mangen::generate_to(Cli::command(), &args.out).map_err(fail)?;
    output.result(&json!({"directory": args.out}), || format!("man pages in {}\n", args.out.display()))?;
    Ok(true)
}
