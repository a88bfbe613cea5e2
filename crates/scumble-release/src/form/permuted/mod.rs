//! The form of method `permute`.

mod tables;

pub use tables::PermutedTables;
pub(super) use tables::table_name;

use super::layout::{Cells, Column, Grouped};
use super::{GROUP, HITS, Layout, TUPLE, ValueColumn};
use scumble_table::{Codes, Error, Kind, Result, Role, Stored};

/// `permuted.csv`, `mapping.csv` and `help.csv`: people with exact quasi-identifiers beside sensitive values that
/// were shuffled inside groups, the group of each person, and the bounds of what a group can add to an answer.
///
/// People come in the order in which they are to be written: the caller has shuffled them. A person's number is the
/// place there, so that numbers tell no more than the order does. No row is suppressed.
#[derive(Debug, Clone)]
pub struct Permuted {
    /// People.
    pub n_rows: usize,
    /// Quasi-identifying and kept columns as they are, sensitive ones shuffled; one value per person.
    pub values: Vec<ValueColumn>,
    /// One grouping for all sensitive columns, or one for each of them in their order.
    pub groupings: Vec<Grouping>,
    /// The bounds of some sensitive columns.
    pub helps: Vec<Help>,
}

/// Groups inside which sensitive values were shuffled.
#[derive(Debug, Clone)]
pub struct Grouping {
    /// Number of groups; group `g` is published as `g + 1`.
    pub n_groups: u32,
    /// Group of each person.
    pub row_group: Vec<u32>,
}

/// The bounds of what a number of people of a group can come to in one column: a row for each group and number of hits, which
/// rise, so that their order tells nothing.
#[derive(Debug, Clone)]
pub struct Help {
    /// The column, as a position among the sensitive ones.
    pub column: usize,
    /// Group of each row.
    pub row_group: Vec<u32>,
    /// People asked about, in each row.
    pub hits: Vec<u32>,
    /// Least and greatest sum; nothing where values are no numbers.
    pub sums: Option<Sums>,
    /// Least and greatest minimum and maximum; nothing where values have no order.
    pub ends: Option<Extremes>,
}

/// Values at the ends.
#[derive(Debug, Clone)]
pub struct Extremes {
    /// Text of each code; code 0 is null and empty.
    pub texts: Vec<String>,
    /// How the values compare.
    pub kind: Kind,
    /// What the source stored them as.
    pub stored: Stored,
    /// Codes of the least and greatest minimum and of the least and greatest maximum of each row.
    pub codes: [Codes; 4],
}

/// Sums in units of `10^-scale`.
#[derive(Debug, Clone)]
pub struct Sums {
    /// Digits after the point.
    pub scale: u8,
    /// Least sum of each row.
    pub lower: Vec<i128>,
    /// Greatest sum of each row.
    pub upper: Vec<i128>,
}

impl Permuted {
    /// The name of the table of people.
    pub const PEOPLE: &str = "permuted";

    /// The name of the table of groups, or how it begins where there are several.
    pub const MAPPING: &str = "mapping";

    /// The name of the table of bounds, or how it begins where there are several.
    pub const HELP: &str = "help";

    /// The bounds of a help table, in their order.
    pub const BOUNDS: [&str; 6] = ["sum_lower", "sum_upper", "min_lower", "min_upper", "max_lower", "max_upper"];

    fn sensitive(&self) -> Vec<&str> {
        let sensitive = self.values.iter().filter(|column| column.role == Role::Sensitive);
        sensitive.map(|column| column.name.as_str()).collect()
    }

    /// The tables as they are written.
    pub(super) fn layouts(&self) -> Vec<Layout<'_>> {
        let names = self.sensitive();
        let tuple = Column { name: TUPLE, cells: Cells::Place };
        let plain = |name: String, columns| Layout { name, n_rows: self.n_rows, groups: None, columns };
        let people = std::iter::once(tuple).chain(self.values.iter().map(Column::values)).collect();
        let mut layouts = vec![plain(Permuted::PEOPLE.into(), people)];
        for (at, grouping) in self.groupings.iter().enumerate() {
            let group = Column { name: GROUP, cells: Cells::Groups(&grouping.row_group) };
            let apart = (self.groupings.len() > 1).then_some(at);
            layouts.push(plain(table_name(Permuted::MAPPING, &names, apart), vec![tuple, group]));
        }
        for help in &self.helps {
            let apart = (names.len() > 1).then_some(help.column);
            let n_groups = self.groupings.get(help.column).or(self.groupings.first()).map_or(0, |g| g.n_groups);
            layouts.push(help.layout(&table_name(Permuted::HELP, &names, apart), n_groups));
        }
        layouts
    }

    /// Checks what single tables cannot show.
    pub(super) fn check(&self) -> Result<()> {
        let n_sensitive = self.sensitive().len();
        if self.groupings.len() != 1 && self.groupings.len() != n_sensitive {
            return Err(Error::bug("there is neither one grouping for all sensitive columns nor one for each"));
        }
        if self.helps.iter().any(|help| help.column >= n_sensitive) {
            return Err(Error::bug("there are bounds of a column that is not there"));
        }
        let out = |grouping: &Grouping| grouping.row_group.iter().any(|&group| group >= grouping.n_groups);
        if self.groupings.iter().any(out) {
            return Err(Error::bug("somebody is in no group"));
        }
        Ok(())
    }
}

impl Help {
    fn layout(&self, name: &str, n_groups: u32) -> Layout<'_> {
        static UNSTATED: Stored = Stored::Unstated;
        let stored = self.ends.as_ref().map_or(&UNSTATED, |ends| &ends.stored);
        let sums = match &self.sums {
            Some(Sums { scale, lower, upper }) => {
                [lower, upper].map(|of_row| Cells::Amounts { scale: *scale, of_row, stored })
            }
            None => [Cells::Empty; 2],
        };
        let ends = match &self.ends {
            Some(Extremes { texts, kind, stored, codes }) => {
                codes.each_ref().map(|codes| Cells::Texts { texts, codes, kind: *kind, stored })
            }
            None => [Cells::Empty; 4],
        };
        let bounds = Permuted::BOUNDS.iter().zip(sums.into_iter().chain(ends));
        let hits = Column { name: HITS, cells: Cells::Numbers(&self.hits) };
        let groups = Grouped { number: Some(GROUP), n_groups, row_group: &self.row_group, quasi: &[] };
        Layout::grouped(name, groups, std::iter::once(hits).chain(bounds.map(|(name, cells)| Column { name, cells })))
    }
}
