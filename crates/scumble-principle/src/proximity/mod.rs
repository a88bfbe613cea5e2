//! Proximity: what `proximity-absolute`, `proximity-interval` and `proximity-relative` share.
//!
//! The three differ in which numbers are near a number, and in nothing else: `principle` has all that follows from that, and
//! `proximity-window` borrows from it. [`Neighbourhood`] settles nearness once per column, in codes; `bound` judges groups by it;
//! `theory` says which m and which epsilon a column allows at all (paper 1, section 4).

mod bound;
mod neighbourhood;
mod principle;
pub mod theory;

pub(crate) use bound::{at_most, attained};
pub use neighbourhood::{Near, Neighbourhood};
pub(crate) use principle::{EpsilonTexts, NearPrinciple, alternatives, needs_numbers};

#[cfg(test)]
mod tests;
