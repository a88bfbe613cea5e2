//! The making side of Scumble: how microdata is divided into groups, and what is published of them.
//!
//! Nothing here judges a release: that is the work of `scumble-release`, which reads the bytes.

pub mod angel;
pub mod automatic_levels;
mod axis;
mod boxes;
mod choice;
pub mod coins;
pub mod correlation;
mod cut_tree;
mod draws;
pub mod epsilon_m;
pub mod full_domain;
pub mod ke_permutation;
mod lottery;
pub mod mondrian;
mod monotone_queue;
mod partitioner;
mod people;
mod pieces;
mod points;
mod profile;
pub mod publish;
pub mod rounding;
mod shuffle;
mod swap;
mod task;
pub mod xcolor;

pub use angel::Angel;
pub use coins::Coins;
pub use epsilon_m::EpsilonM;
pub use full_domain::FullDomain;
pub use ke_permutation::KePermutation;
pub use mondrian::Mondrian;
pub use partitioner::{Partitioner, check_partition, partition_checked, partitioner, register_partitioner};
pub use profile::{Profile, Variant};
pub use task::Task;
pub use xcolor::XColor;
