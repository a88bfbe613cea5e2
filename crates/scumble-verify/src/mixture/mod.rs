//! What somebody believes who knows a person's quasi-identifiers, but not the group.
//!
//! Groups under proximity and dissimilarity may overlap: several boxes cover the same person, or several groups hold
//! somebody with the same exact quasi-identifiers. An attacker who cannot tell them apart believes a mixture of their values. Both
//! principles speak of one group at a time, and a union of groups that meet them may fail them.
//!
//! **Definition.** Let S be the groups that somebody with certain quasi-identifiers may be in: those whose box covers them,
//! or those with a member of the same quasi-identifiers where these are exact. A row of a group G of n rows weighs 1 where
//! boxes cover it, for each row is as likely as any other, and t/n where quasi-identifiers are exact and t members of G
//! have them, for each of these t is as likely and has any value of G. The belief in what is near a value v is the weight of
//! the rows of S near v over the weight of all; under dissimilarity the person's own row is left out of both. It may be
//! 1/m, or 1 - delta.
//!
//! **Criterion.** For groups G and H that meet, that is, whose boxes have a point in common or which hold somebody with the
//! same exact quasi-identifiers, and for every value v of H: at most a share 1/m, or 1 - delta, of all rows of G is near v.
//! For G = H the principle itself is asked instead.
//!
//! **Theorem.** If every group meets the principle and the criterion holds, no belief about anybody exceeds what is allowed:
//! for any quasi-identifiers, whether or not the table holds them, and any weights of groups. *Proof.* Let v be a value of H
//! in S and w(G) the weight of each row of G. Any two groups of S meet. Under proximity the weight near v is the sum of
//! w(G) times the rows of G near v, at most the sum of w(G) |G| / m. Under dissimilarity, with a = 1 - delta, it is at most
//! w(H) a (|H| - 1) from the others of H and w(G) a |G| from any other G; the weight of all without the own row is w(H)
//! (|H| - 1) plus the sum of w(G) |G|, of which that is at most a times. A share of a union is a mean of shares, and no mean
//! exceeds the greatest. ∎
//!
//! The criterion asks more than the definition. A group with too much near v may be outweighed by others wherever it meets
//! v; and boxes that meet one by one need not have a point in common all together. It can be checked pair by pair.
//!
//! ```text
//! boxes of groups, or exact people -> Places: which groups meet, which groups somebody may be in
//! values of groups                 -> GroupValues, and Nearness: which values are near, and how many may be
//!                                     criterion: does it hold, and which groups break it
//!                                     figure: beliefs about the people of a table, for the publisher
//! ```

mod belief;
mod classes;
mod criterion;
mod figure;
mod index;
mod nearness;
mod places;
mod values;

pub use criterion::{Overlap, breaching, overlap};
pub use figure::{GroupedPeople, MixtureFigure, figure};
pub use nearness::Nearness;
pub use places::Places;
pub(crate) use places::points;
pub use values::GroupValues;

#[cfg(test)]
mod tests;
