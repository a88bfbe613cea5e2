//! Hierarchies built from correlation. See `paper.md` in this folder.

mod adjust;
mod bins;
mod build;
mod contexts;
mod crosstab;
pub(crate) mod cuts;
pub mod measures;
pub(crate) mod nesting;
mod paper;
#[cfg(test)]
mod tests;
mod texts;

pub use adjust::adjust;
pub use bins::Part;
pub use build::{Algorithm, Built, BuiltContext, Correlation, DEFAULT_GROUPS, LevelFacts, Task};
pub use contexts::{Clause, ContextRows, Contexts, Division, contexts};
pub use crosstab::Crosstab;
pub use cuts::{Rule, cuts, loss};
pub use measures::Measure;
pub use nesting::{LevelCuts, Nested, Sizes, nest};
