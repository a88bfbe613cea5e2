//! The command line: every command, flag and help text in one place, a file for each command. Man
//! pages and completions are made from it.

mod about;
mod advise;
mod compare;
mod evaluate;
mod export;
mod generate;
mod hierarchy;
mod inspect;
#[cfg(test)]
mod job_round_trip;
mod ledger;
mod names;
pub(crate) mod option_flags;
mod publish;
mod query;
mod reproduce;
mod risk;
mod verify;

pub(crate) use about::{Completions, Man, Methods, Principles};
pub(crate) use advise::Advise;
pub(crate) use compare::Compare;
pub(crate) use evaluate::Evaluate;
pub(crate) use export::Export;
pub(crate) use generate::{Generate, SampleName};
pub(crate) use hierarchy::Hierarchy;
pub(crate) use inspect::Inspect;
pub(crate) use ledger::Ledger;
pub(crate) use names::all_names;
pub(crate) use publish::Publish;
pub(crate) use query::{DialectName, Query};
pub(crate) use reproduce::Reproduce;
pub(crate) use risk::Risk;
pub(crate) use verify::Verify;

use clap::{Args, Parser, Subcommand};

/// Publish tables about people without giving any of them away.
///
/// A release is written only after its bytes have been read again and every requirement was found
/// to hold.
///
/// Exit codes: 0 done; 1 the answer is no (a requirement cannot be met, a release does not
/// verify); 2 the request or the data is wrong; 3 a failure of the machine or of scumble itself;
/// 130 cancelled, with nothing left behind.
#[derive(Debug, Parser)]
#[command(name = "scumble", version, long_version = crate::output::version())]
#[command(propagate_version = true, max_term_width = 100)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,

    #[command(flatten)]
    pub(crate) global: Global,
}

/// Flags of every command.
#[derive(Debug, Args)]
pub(crate) struct Global {
    /// Print one JSON document on standard output and nothing else there
    #[arg(long, global = true, help_heading = "Everywhere")]
    pub(crate) json: bool,

    /// Print nothing but errors and, with --json, the document
    #[arg(long, short, global = true, help_heading = "Everywhere")]
    pub(crate) quiet: bool,

    /// Use this many threads; all cores by default. Results do not depend on it
    #[arg(long, global = true, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024), help_heading = "Everywhere")]
    pub(crate) threads: Option<u16>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Publish(Box<Publish>),
    Verify(Verify),
    Query(Query),
    Export(Export),
    Evaluate(Evaluate),
    Risk(Risk),
    Inspect(Inspect),
    Ledger(Ledger),
    Advise(Advise),
    Hierarchy(Box<Hierarchy>),
    Compare(Box<Compare>),
    Reproduce(Reproduce),
    Generate(Generate),
    Principles(Principles),
    Methods(Methods),
    Completions(Completions),
    Man(Man),
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent_and_every_command_has_an_example() {
        let command = Cli::command();
        command.clone().debug_assert();
        for sub in command.get_subcommands() {
            let help = sub.clone().render_long_help().to_string();
            assert!(help.contains("Example"), "{} has no example", sub.get_name());
        }
    }

    #[test]
    fn what_is_the_same_has_one_name_in_help_texts() {
        let command = Cli::command();
        let all = command.get_subcommands().flat_map(clap::Command::get_arguments);
        let mut sources = 0;
        for arg in all.filter(|arg| arg.get_long() == Some("source")) {
            assert_eq!(arg.get_value_names().unwrap_or_default(), ["DATA"]);
            sources += 1;
        }
        assert!(sources >= 4);
    }
}
