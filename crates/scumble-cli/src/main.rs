//! The `scumble` program: flags in, the library's flow, words or JSON out.

mod args;
mod commands;
mod flag_names;
mod job_file;
mod output;
mod progress;
mod whole_file;

use args::{Cli, Command};
use clap::Parser;
use output::Output;
use scumble::{Cancellation, Error, Result};
use std::process::ExitCode;

fn main() -> ExitCode {
    // The core file of a program that has crashed holds all that it had in memory: the data, and the coins.
    scumble_platform::disable_core_dumps();
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(refusal) => return output::refused_words(&refusal),
    };
    let output = Output::new(cli.global.json, cli.global.quiet, cancelled_by_interrupts());
    match run(&cli, &output) {
        Ok(yes) => ExitCode::from(u8::from(!yes)),
        Err(error) => {
            output.error(&error);
            ExitCode::from(error.exit_code())
        }
    }
}

/// The first interrupt asks the work to stop, which leaves nothing behind; the second ends the program.
fn cancelled_by_interrupts() -> Cancellation {
    let cancellation = Cancellation::default();
    let asked = cancellation.clone();
    scumble_platform::on_interrupt(Error::Cancelled.exit_code(), move || asked.cancel());
    cancellation
}

/// Runs a command; false means that the answer is no.
fn run(cli: &Cli, output: &Output) -> Result<bool> {
    if let Some(threads) = cli.global.threads {
        rayon::ThreadPoolBuilder::new().num_threads(usize::from(threads)).build_global().map_err(|e| Error::Io {
            doing: "start".into(),
            path: format!("{threads} threads"),
            reason: e.to_string(),
        })?;
    }
    match &cli.command {
        Command::Publish(args) => commands::publish::run(args, output),
        Command::Verify(args) => commands::verify::run(args, output),
        #[cfg(feature = "sql")]
        Command::Query(args) => commands::query::run(args, output),
        #[cfg(feature = "sql")]
        Command::Export(args) => commands::export::run(args, output),
        #[cfg(not(feature = "sql"))]
        Command::Query(_) => commands::without_sql::refuse("query"),
        #[cfg(not(feature = "sql"))]
        Command::Export(_) => commands::without_sql::refuse("export"),
        Command::Evaluate(args) => commands::evaluate::run(args, output),
        Command::Risk(args) => commands::risk::run(args, output),
        Command::Inspect(args) => commands::inspect::run(args, output),
        Command::Ledger(args) => commands::ledger::run(args, output),
        Command::Advise(args) => commands::advise::run(args, output),
        Command::Hierarchy(args) => commands::hierarchy::run(args, output),
        Command::Compare(args) => commands::compare::run(args, output),
        Command::Reproduce(args) => commands::reproduce::run(args, output),
        Command::Generate(args) => commands::generate::run(args, output),
        Command::Principles(_) => commands::principles::run(output),
        Command::Methods(_) => commands::methods::run(output),
        Command::Completions(args) => commands::completions::run(args),
        Command::Man(args) => commands::man::run(args, output),
    }
}
