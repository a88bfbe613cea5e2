//! From a partition to the form that is published.

mod anatomize;
mod generalize;
mod help;
mod people;
mod permute;

pub use anatomize::anatomize;
pub use generalize::generalize;
pub use permute::{Permutation, permute};
