//! From a partition to the form that is published.

mod anatomize;
mod generalize;
mod people;

pub use anatomize::anatomize;
pub use generalize::generalize;
