//! XColor on thousands of small random tables: sensitive columns of every type under every distance, quasi-identifiers of
//! every shape, every way to colour. What comes out is judged by the tests of the release and by the definition in
//! fractions, which share no code.

#![allow(clippy::print_stdout, reason = "how much is missed is worth a look")]

mod exhaustive;
mod guaranteed;
mod initialize;
mod other_requirements;
mod partitions;
mod suppressed;
pub(crate) mod threads;
mod time_limit;
pub(crate) mod world;
