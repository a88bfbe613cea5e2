//! Studies: what can only be said of many releases together.
//!
//! [`compare`] puts many releases of one table beside each other.
//!
//! [`reproduce`] does the experiments of the papers again and judges the papers' claims by the numbers that come out.
//!
//! A study stands outside of the flow: it calls the library as a steward would, looks at what was published and at its
//! source, and shows the publisher how choices compare. Nothing that it writes is a release.

pub mod compare;
pub mod reproduce;
