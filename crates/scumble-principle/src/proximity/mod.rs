//! Proximity: what `proximity-absolute`, `proximity-interval` and `proximity-relative` share.
//!
//! The three differ in which numbers are near a number, and in nothing else; `proximity-window` borrows from them. [`Neighbourhood`]
//! settles that once per column, in codes; `bound` judges groups by it; `theory` says which m and
//! which epsilon a column allows at all (paper 1, section 4).

mod bound;
mod neighbourhood;
pub mod theory;

pub(crate) use bound::{alternatives, at_most, attained, bind, needs_numbers, reason};
pub use neighbourhood::{Near, Neighbourhood};

#[cfg(test)]
mod tests;
