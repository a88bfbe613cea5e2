//! What a release has lost, and how well it still answers.
//!
//! ```text
//! source  -> Microdata -------------------+-> Answers: a workload of count queries with true answers -> Errors
//! release -> Generalization, Anatomized  -+-> divergence: how much of the source's distribution it still tells
//!            or AngelTables
//! ```
//!
//! [`vulnerability`] counts the groups that let near values through. [`bounds_of_partition`] and [`bound_widths`] measure
//! how wide the bounds of sums and averages are.
//!
//! Losses need a release alone. Everything else compares it with its source and is for the eyes of its
//! publisher. The tables here are columns of places on axes, built from a release and its source ([`Comparison`]), from a
//! table and a partition in memory ([`Partitioned`]) or by hand.

mod anatomy;
mod angel;
mod answers;
mod axis;
mod bounds;
mod boxes;
mod compare;
mod draw;
mod errors;
mod estimate;
mod groups;
mod loss;
mod microdata;
mod partition;
mod perturbation;
mod predicate;
mod reconstruction;
mod source_line;
mod vulnerability;
mod workload;

pub use anatomy::Anatomized;
pub use angel::{AngelTable, AngelTables};
pub use answers::{Answers, BothErrors};
pub use axis::{Axis, Positions};
pub use bounds::{
    AskedWidths, BoundQuestions, Bounding, Ends, GroupedNumbers, PartitionWidths, RankSwapped, Selection, Truth,
    Widths, bound_widths, bounds_of_partition, bounds_of_rank_swap,
};
pub use boxes::{Boxes, Shape};
pub use compare::{ComparedSource, Comparison, Estimator, Reconstruction};
pub use draw::Draw;
pub use errors::Errors;
pub use estimate::{Estimate, Generalization, Scratch};
pub use groups::{GroupValues, SizeSummary, discernibility};
pub use loss::{AttributeLoss, Loss, draft_loss, draft_loss_on, loss, loss_of_boxes, loss_of_exact};
pub use microdata::Microdata;
pub use partition::{Partitioned, row_groups};
pub use perturbation::{Perturbed, largest_retention};
pub use predicate::{Predicate, Predicates};
pub use reconstruction::{Divergence, divergence};
pub use vulnerability::{Grid, Vulnerability, vulnerability};
pub use workload::{Query, WORKLOAD_SEED, Workload};
