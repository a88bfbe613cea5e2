//! Questions over small releases, compared with every table that could have given them.

#![allow(clippy::print_stderr, reason = "a test that is skipped says so")]

mod angel;
mod elsewhere;
mod export;
mod questions;
mod refusals;
mod release;
mod rewritten;
mod worlds;
