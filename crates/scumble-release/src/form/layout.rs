//! A table of a release as it is written: all that the writers of CSV and Parquet need to know.

use super::{COUNT, GROUP, QuasiColumn, SUPPRESSED, ValueColumn};
use scumble_table::{Error, Result};

/// One table: the group of each row, texts that all rows of a group share, values of single rows,
/// and counts where a row stands for several people. Columns are written in this order.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Layout<'a> {
    /// Name of the table in the manifest.
    pub(crate) name: &'static str,
    pub(crate) n_groups: u32,
    /// Group of each row, or [`SUPPRESSED`].
    pub(crate) row_group: &'a [u32],
    pub(crate) quasi: &'a [QuasiColumn],
    pub(crate) values: &'a [ValueColumn],
    pub(crate) counts: Option<&'a [u32]>,
}

impl Layout<'_> {
    /// The header.
    pub(crate) fn column_names(&self) -> impl Iterator<Item = &str> + '_ {
        std::iter::once(GROUP)
            .chain(self.quasi.iter().map(|column| column.name.as_str()))
            .chain(self.values.iter().map(|column| column.name.as_str()))
            .chain(self.counts.map(|_| COUNT))
    }

    /// Checks all that the writers rely on. Where values are `counted` in some table of the release, no
    /// column of the data may bear the name of the counts.
    pub(super) fn check(&self, counted: bool) -> Result<()> {
        let bug = |what: String| Err(Error::bug(what));
        if let Some(group) = self.row_group.iter().find(|&&g| g != SUPPRESSED && g >= self.n_groups) {
            return bug(format!("a row is in group {group} of {}", self.n_groups));
        }
        for column in self.quasi {
            if column.of_group.len() != self.n_groups as usize {
                return bug(format!("column {} has not one text per group", column.name));
            }
            if column.of_group.iter().any(|&text| text as usize >= column.texts.len()) {
                return bug(format!("column {} lacks a text", column.name));
            }
        }
        for column in self.values {
            column.check(self.row_group)?;
        }
        if self.counts.is_some_and(|counts| counts.len() != self.row_group.len()) {
            return bug("there is not one count per row".into());
        }
        let data = self.quasi.iter().map(|column| &column.name).chain(self.values.iter().map(|column| &column.name));
        let names: Vec<&str> = data.map(String::as_str).collect();
        for (at, name) in names.iter().enumerate() {
            let reason = match *name {
                GROUP => "a release numbers its groups in a column of this name",
                COUNT if counted => "this release counts values in a column of this name",
                _ if names[..at].contains(name) => "two columns have this name",
                _ => continue,
            };
            return Err(Error::request("column", *name, reason).hint("rename the column"));
        }
        Ok(())
    }
}
