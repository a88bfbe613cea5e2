//! The tables that experiments are done on.

use serde::Serialize;

/// A table that was used.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DataFacts {
    /// What it is: `generated census`, or the name of the file without its folder.
    pub name: String,
    /// How many rows were used.
    pub rows: u64,
    /// What the paper used in its place.
    pub stands_for: String,
    /// Whether it is the paper's own table, told by what the paper says of it and never by its name.
    pub is_papers_own: bool,
}
