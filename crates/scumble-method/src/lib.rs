//! The making side of Scumble: how microdata is divided into groups, and what is published of them.
//!
//! Nothing here judges a release: that is the work of `scumble-release`, which reads the bytes.

pub mod angel;
mod axis;
mod boxes;
pub mod coins;
pub mod correlation;
mod draws;
pub mod epsilon_m;
pub mod full_domain;
pub mod ke_permutation;
pub mod ladder;
mod lot;
pub mod mondrian;
mod points;
pub mod publish;
pub mod rounding;
mod shuffle;
mod swap;
pub mod xcolor;

pub use angel::Angel;
pub use coins::Coins;
pub use epsilon_m::EpsilonM;
pub use full_domain::FullDomain;
pub use ke_permutation::KePermutation;
pub use mondrian::Mondrian;
