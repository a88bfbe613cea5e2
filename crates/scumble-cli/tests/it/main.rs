//! The program as a user runs it: arguments in; files, output and exit codes out.

mod bad_input;
mod commands;
mod kill;
mod oracle;
mod publish;
mod snapshots;
mod support;
