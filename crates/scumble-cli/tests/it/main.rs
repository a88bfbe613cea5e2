//! The program as a user runs it: arguments in; files, output and exit codes out.

#![allow(clippy::print_stderr, reason = "a test that is skipped says so")]

mod anatomy;
mod bad_input;
mod commands;
mod kill;
mod oracle;
mod publish;
mod snapshots;
mod support;
