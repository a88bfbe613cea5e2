//! Attacks on releases, each next to a control: what an attacker gains who has a release, knows the algorithm that made it and
//! the quasi-identifiers of people.
//!
//! ```text
//! data ──► People ──► Plan ──► release ──► Seen ──► one file per attack ──► Outcome ──► page
//! ```
//!
//! A release is made by the library as a steward makes it, with coins of the operating system. It keeps one more column, the
//! number of the person, which no attack looks at: it is there to tell afterwards whether a guess was right.

pub mod absent;
pub mod cell;
pub mod common_value;
pub mod cost;
pub mod cover;
pub mod data;
pub mod dice;
pub mod document;
pub mod learning;
pub mod lots;
pub mod mixture;
pub mod neighbours;
pub mod outcome;
pub mod page;
pub mod people;
pub mod plan;
pub mod refined;
pub mod run;
pub mod seen;
pub mod stops;

/// What can go wrong in a measurement: it ends with a message.
pub type Failure = Box<dyn std::error::Error>;
