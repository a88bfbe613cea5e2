//! The partitioners and publishers on random tables, judged by definitions that are written out once more.

mod angel;
mod cancel;
mod epsilon_m;
mod full_domain;
mod golden;
mod ke_permutation;
mod mondrian;
mod people;
mod permute;
mod registry;
mod xcolor;

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
