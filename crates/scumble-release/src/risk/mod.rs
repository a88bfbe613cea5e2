//! What an attacker learns who knows some columns about people.
mod classes;
mod journalist;
mod lattice;
mod matches;
mod profile;

pub use classes::{Known, class_sizes};
pub use journalist::{Journalist, individual_risk};
pub use lattice::{Subset, lattice, n_subsets};
pub use matches::{Matched, Matches};
pub use profile::{Profile, Threshold};
