//! How far an attacker gets who knows some columns about people.
//!
//! ```text
//! Attack: records, in classes of those that show the same, or around the people of a source
//!   -> Matches: how many records match how many people -> Profile: k, prosecutor, marketer, distribution
//!   -> Journalist: the same among a population         -> lattice: every subset of the columns
//!   -> Inference: what is believed about sensitive values
//! two releases -> Intersection: what they tell together about people who are in both
//! ```
//!
//! *Definition.* An attacker who knows some values of a person and finds `n` records that match takes one of them for the
//! person's and is right with probability `1/n`. *Prosecutor*: the target is known to be in the data, and the risk is the greatest
//! `1/n`. *Journalist*: anybody of a population will do, and the records that match are counted there. *Marketer*: all
//! people are looked for, and the risk is the expected share of them who are found.
//!
//! *Reference.* Mimoto, Basu, Kiyomoto, Towards practical k-anonymization, SciTePress 2016, section 4, algorithms 2 and 3.
//! Classes are tuples of codes where the paper joins texts, and mean k is given over records and over classes.

mod attack;
mod attributes;
mod classes;
mod common_value;
mod group_counts;
mod inference;
mod intersection;
mod journalist;
mod lattice;
mod matches;
mod persons;
mod profile;

pub use attack::{Attack, AttackOutcome, JOINED_TABLES};
pub use attributes::{AddedRisk, added_risks, gains_over_parts};
pub use classes::{Known, class_sizes};
pub use common_value::{CommonValue, GuessedBoxes};
pub use inference::{Inference, InferenceOptions};
pub use intersection::{CandidateCounts, Intersection, PeopleInBoth, candidate_counts, intersect};
pub use journalist::{Journalist, individual_risk};
pub use lattice::{Subset, extended, lattice, n_subsets};
pub use matches::{Matched, Matches};
pub use persons::class_sizes_by_person;
pub use profile::{Profile, Threshold};
