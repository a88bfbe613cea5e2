//! Attacks against a brute-force attacker who looks at every pair of a person and a record, reads releases from the texts of
//! their files, and shares no code with the fast one.

mod case;
mod data;
mod naive;
mod published;
mod releases;
mod world;
