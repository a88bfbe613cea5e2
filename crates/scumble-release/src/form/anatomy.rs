//! The form of method `anatomy`.

use super::layout::{Cells, Column, Grouped};
use super::{COUNT, GROUP, Layout, ValueColumn};

/// `qit.csv` and `st.csv`: exact quasi-identifiers in one table, the sensitive values of each group
/// counted in another. Only the group ties them together, so that every member of a group may have
/// any of its values.
///
/// People and groups come in the order in which they are to be written: the caller has shuffled both.
#[derive(Debug, Clone)]
pub struct Anatomy {
    /// Number of groups; group `g` is published as `g + 1`.
    pub n_groups: u32,
    /// Group of each person, or [`SUPPRESSED`](crate::SUPPRESSED).
    pub row_group: Vec<u32>,
    /// Quasi-identifying and kept columns, one exact value per person.
    pub people: Vec<ValueColumn>,
    /// The sensitive values of each group.
    pub sensitive: SensitiveCounts,
}

/// How often each sensitive value, or combination of values where there are several columns, occurs
/// in each group. Rows rise by group and values, so that their order tells nothing.
#[derive(Debug, Clone)]
pub struct SensitiveCounts {
    /// Group of each row.
    pub row_group: Vec<u32>,
    /// Sensitive columns.
    pub values: Vec<ValueColumn>,
    /// People of the group who have these values; positive.
    pub counts: Vec<u32>,
}

impl Anatomy {
    /// The name of the table of people.
    pub const PEOPLE: &str = "qit";

    /// The name of the table of sensitive values.
    pub const SENSITIVE: &str = "st";

    /// The tables as they are written.
    pub(super) fn layouts(&self) -> [Layout<'_>; 2] {
        let groups = Grouped { number: Some(GROUP), n_groups: self.n_groups, row_group: &self.row_group, quasi: &[] };
        let people = Layout::grouped(Anatomy::PEOPLE, groups, self.people.iter().map(Column::values));
        [people, self.sensitive.layout(Anatomy::SENSITIVE, GROUP, self.n_groups)]
    }
}

impl SensitiveCounts {
    /// The table as it is written; `number` is the column that shows the groups.
    pub(super) fn layout<'a>(&'a self, name: &str, number: &'a str, n_groups: u32) -> Layout<'a> {
        let groups = Grouped { number: Some(number), n_groups, row_group: &self.row_group, quasi: &[] };
        let counts = Column { name: COUNT, cells: Cells::Numbers(&self.counts) };
        Layout::grouped(name, groups, self.values.iter().map(Column::values).chain([counts]))
    }
}
