//! The `scumble-lab` program, run as its users do.

mod reproduce;
// The same folder and helper functions as the tests of the `scumble` program.
#[allow(dead_code, clippy::print_stderr, reason = "the lab needs less of it; what is skipped is said")]
#[path = "../../../scumble-cli/tests/it/support.rs"]
mod support;
