//! XColor on thousands of small random tables: sensitive columns of every type under every distance, quasi-identifiers of
//! every shape, every way to colour. What comes out is judged by the tests of the release and by the definition in
//! fractions, which share no code.

#![allow(clippy::print_stdout, reason = "how much is missed is worth a look")]

mod beside;
mod exhaustive;
mod guaranteed;
mod initialize;
mod partitions;
mod suppressed;
mod threads;
mod time_limit;
mod world;

// Random tables under a distance, and what that distance is by its definition: the tests of the principles have them.
#[allow(dead_code, reason = "not all of it is needed here")]
#[path = "../../../scumble-principle/tests/properties/dice.rs"]
mod dice;
#[allow(dead_code, reason = "not all of it is needed here")]
#[path = "../../../scumble-principle/tests/properties/fraction.rs"]
mod fraction;
#[allow(dead_code, reason = "not all of it is needed here")]
#[path = "../../../scumble-principle/tests/properties/distance/table.rs"]
mod measured;
