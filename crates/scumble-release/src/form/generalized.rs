//! The form of method `generalize`.

use super::layout::{Column, Grouped};
use super::{GROUP, Layout, ValueColumn};
use scumble_table::{Kind, Stored};

/// `table.csv`: every group shows one box, every row its exact sensitive and kept values.
///
/// Rows and groups come in the order in which they are to be written: the caller has shuffled both.
#[derive(Debug, Clone)]
pub struct Generalized {
    /// Number of groups; group `g` is published as `g + 1`.
    pub n_groups: u32,
    /// Group of each published row, or [`SUPPRESSED`](crate::SUPPRESSED).
    pub row_group: Vec<u32>,
    /// Quasi-identifiers, one text per group.
    pub quasi: Vec<QuasiColumn>,
    /// Sensitive and kept columns, one value per row.
    pub values: Vec<ValueColumn>,
}

/// A quasi-identifier of a generalized table.
#[derive(Debug, Clone)]
pub struct QuasiColumn {
    /// Name in the header.
    pub name: String,
    /// Distinct generalized texts.
    pub texts: Vec<String>,
    /// Position in `texts` for each group.
    pub of_group: Vec<u32>,
    /// What is shown in place of the texts, where a release shows the ends of intervals in two columns.
    pub ends: Option<IntervalEnds>,
}

/// The ends of generalized values, in two columns of a type.
#[derive(Debug, Clone)]
pub struct IntervalEnds {
    /// How the values compare.
    pub kind: Kind,
    /// What the source stored them as.
    pub stored: Stored,
    /// The lower end of each text; empty where the value is missing.
    pub lower: Vec<String>,
    /// The upper end of each text.
    pub upper: Vec<String>,
}

impl Generalized {
    /// The name of the table.
    pub const TABLE: &str = "table";

    /// The table as it is written.
    pub(super) fn layout(&self) -> Layout<'_> {
        let (n_groups, row_group, quasi) = (self.n_groups, &self.row_group, &self.quasi);
        let groups = Grouped { number: Some(GROUP), n_groups, row_group, quasi };
        Layout::grouped(Generalized::TABLE, groups, self.values.iter().map(Column::values))
    }
}
