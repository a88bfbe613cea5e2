//! The program as a user runs it: arguments in; files, output and exit codes out.

#![allow(clippy::print_stderr, reason = "a test that is skipped says so")]

mod advise;
mod advise_choices;
mod advise_dissimilarity;
mod anatomy;
mod angel;
mod bad_input;
mod by_hand;
mod commands;
mod compare;
mod compare_resume;
#[cfg(target_os = "linux")]
mod core_dumps;
mod documents;
mod evaluate;
mod evaluate_bounds;
mod evaluate_several;
mod export;
mod flags;
mod frames;
mod full_domain;
mod hierarchy;
mod inspect;
// An interrupt is sent by the command `kill`.
#[cfg(unix)]
mod interrupt;
mod kill;
mod ledger;
mod mixtures;
mod oracle;
// Where the independent checker is, as the tests of the verifier find it.
#[path = "../../../scumble-verify/tests/judged/common/oracle.rs"]
mod oracle_place;
mod permute;
mod persons;
mod population;
mod proximity;
mod publish;
mod query;
mod query_angel;
mod reproduce;
mod risk;
mod rooms;
mod rules;
mod second_opinion;
mod snapshots;
mod support;
mod verify_distance;
mod who_is_counted;
mod xcolor;
