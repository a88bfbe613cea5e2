//! Ledgers on disk: what opens them, what is entered in them, and what a run leaves that is killed.
#![allow(clippy::print_stdout, reason = "the child tells its parent how far it is")]

mod keys;
mod ledger;
