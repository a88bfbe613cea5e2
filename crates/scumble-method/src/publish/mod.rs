//! From a partition to the form that is published.

mod generalize;

pub use generalize::generalize;
