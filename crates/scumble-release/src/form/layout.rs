//! A table of a release as it is written: all that the writers of CSV and Parquet need to know.

use super::{QuasiColumn, SUPPRESSED, ValueColumn};
use crate::intervals::end_names;
use scumble_table::{Codes, Error, Kind, Result, Stored, with_codes};
use std::borrow::Cow;

/// One table. Where its rows are in groups, the number of the group and texts that all rows of a group
/// share come first; the other columns follow in their order.
#[derive(Debug, Clone)]
pub(crate) struct Layout<'a> {
    /// Name of the table in the manifest.
    pub(crate) name: String,
    pub(crate) n_rows: usize,
    /// Groups of the rows, where the table shows them first.
    pub(crate) groups: Option<Grouped<'a>>,
    pub(crate) columns: Vec<Column<'a>>,
}

/// Rows in groups, and what all rows of a group show.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Grouped<'a> {
    /// The column that shows the number of the group first of all, where one does.
    pub(crate) number: Option<&'a str>,
    pub(crate) n_groups: u32,
    /// Group of each row, or [`SUPPRESSED`].
    pub(crate) row_group: &'a [u32],
    pub(crate) quasi: &'a [QuasiColumn],
}

/// A column that all rows of a group share, as it is written.
#[derive(Debug, Clone)]
pub(crate) struct SharedColumn<'a> {
    pub(crate) name: Cow<'a, str>,
    pub(crate) texts: &'a [String],
    /// Position in `texts` for each group.
    pub(crate) of_group: &'a [u32],
    /// What the texts are values of, where they are no generalized ones.
    pub(crate) values: Option<(Kind, &'a Stored)>,
}

impl<'a> Grouped<'a> {
    /// The columns that rows share: one for each quasi-identifier, or two where it shows its ends.
    pub(crate) fn shared(&self) -> impl Iterator<Item = SharedColumn<'a>> + use<'a> {
        self.quasi.iter().flat_map(|column| {
            let QuasiColumn { name, texts, of_group, ends } = column;
            let shown =
                |name: Cow<'a, str>, texts: &'a [String], values| SharedColumn { name, texts, of_group, values };
            match ends {
                None => vec![shown(Cow::Borrowed(name), texts, None)],
                Some(ends) => {
                    let [lower, upper] = end_names(name).map(Cow::Owned);
                    let values = Some((ends.kind, &ends.stored));
                    vec![shown(lower, &ends.lower, values), shown(upper, &ends.upper, values)]
                }
            }
        })
    }
}

/// A column with one cell per row.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Column<'a> {
    pub(crate) name: &'a str,
    pub(crate) cells: Cells<'a>,
}

/// The cells of a column.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Cells<'a> {
    /// The place of the row, from 1.
    Place,
    /// Whole numbers.
    Numbers(&'a [u32]),
    /// Groups from 0, shown from 1; empty where the row is suppressed.
    Groups(&'a [u32]),
    /// Texts by code, values of a kind that the source stored as something; code 0 is null and empty.
    Texts { texts: &'a [String], codes: &'a Codes, kind: Kind, stored: &'a Stored },
    /// Whole multiples of `10^-scale`, of values that the source stored as something.
    Amounts { scale: u8, of_row: &'a [i128], stored: &'a Stored },
    /// Nothing in any row.
    Empty,
}

impl<'a> Column<'a> {
    /// A column of the data.
    pub(super) fn values(column: &'a ValueColumn) -> Self {
        let ValueColumn { name, texts, codes, kind, stored, .. } = column;
        Column { name, cells: Cells::Texts { texts, codes, kind: *kind, stored } }
    }

    fn n_rows(&self) -> Option<usize> {
        match self.cells {
            Cells::Place | Cells::Empty => None,
            Cells::Numbers(numbers) | Cells::Groups(numbers) => Some(numbers.len()),
            Cells::Texts { codes, .. } => Some(codes.len()),
            Cells::Amounts { of_row, .. } => Some(of_row.len()),
        }
    }
}

impl<'a> Layout<'a> {
    /// A table whose rows are in groups.
    pub(super) fn grouped(name: &str, groups: Grouped<'a>, columns: impl IntoIterator<Item = Column<'a>>) -> Self {
        let (n_rows, columns) = (groups.row_group.len(), columns.into_iter().collect());
        Layout { name: name.into(), n_rows, groups: Some(groups), columns }
    }

    /// The header.
    pub(crate) fn column_names(&self) -> impl Iterator<Item = Cow<'_, str>> + '_ {
        let of_groups = |groups: &Grouped<'a>| {
            groups.number.map(Cow::Borrowed).into_iter().chain(groups.shared().map(|column| column.name))
        };
        let columns = self.columns.iter().map(|column| Cow::Borrowed(column.name));
        self.groups.as_ref().into_iter().flat_map(of_groups).chain(columns)
    }

    /// The group of each row, where some may be suppressed.
    pub(crate) fn row_group(&self) -> Option<&[u32]> {
        self.groups.map(|groups| groups.row_group)
    }

    /// Checks all that the writers rely on.
    pub(crate) fn check(&self) -> Result<()> {
        let bug = |what: String| Err(Error::bug(what));
        if let Some(Grouped { n_groups, row_group, quasi, .. }) = self.groups {
            if row_group.len() != self.n_rows {
                return bug("there is not one group per row".into());
            }
            if let Some(group) = row_group.iter().find(|&&g| g != SUPPRESSED && g >= n_groups) {
                return bug(format!("a row is in group {group} of {n_groups}"));
            }
            for column in quasi {
                if column.of_group.len() != n_groups as usize {
                    return bug(format!("column {} has not one text per group", column.name));
                }
                if column.of_group.iter().any(|&text| text as usize >= column.texts.len()) {
                    return bug(format!("column {} lacks a text", column.name));
                }
                let ends = column.ends.iter().flat_map(|ends| [&ends.lower, &ends.upper]);
                if ends.into_iter().any(|ends| ends.len() != column.texts.len()) {
                    return bug(format!("column {} has not two ends per text", column.name));
                }
            }
        }
        for column in &self.columns {
            if column.n_rows().is_some_and(|n| n != self.n_rows) {
                return bug(format!("column {} has not one cell per row", column.name));
            }
            if let Cells::Texts { texts, codes, .. } = column.cells {
                self.check_texts(column.name, texts, codes)?;
            }
        }
        Ok(())
    }

    /// Whether every row that is not suppressed has a text. Without groups no row is suppressed.
    fn check_texts(&self, name: &str, texts: &[String], codes: &Codes) -> Result<()> {
        let bug = |what: &str| Err(Error::bug(format!("column {name} {what}")));
        if texts.first().is_none_or(|null| !null.is_empty()) {
            return bug("has no empty text for null");
        }
        let suppressed = |row: usize| self.row_group().is_some_and(|groups| groups[row] == SUPPRESSED);
        let in_range = with_codes!(codes, |codes| codes
            .iter()
            .enumerate()
            .all(|(row, &code)| (code as usize) < texts.len() || suppressed(row)));
        if in_range { Ok(()) } else { bug("lacks a text") }
    }

    /// Columns of texts: those of the data, and in a help table the ends of its bounds.
    fn data_names(&self) -> impl Iterator<Item = Cow<'_, str>> + '_ {
        let quasi = self.groups.iter().flat_map(|groups| groups.shared().map(|column| column.name));
        let values = self.columns.iter().filter(|column| matches!(column.cells, Cells::Texts { .. }));
        quasi.chain(values.map(|column| Cow::Borrowed(column.name)))
    }

    /// Refuses columns of the data that bear a name which the release needs for itself. Readers know such a
    /// column by its name, in whichever table of the release a column of the data has it too; some in any case.
    pub(crate) fn check_names(&self, reserved: &[(&str, &str)]) -> Result<()> {
        let names: Vec<Cow<'_, str>> = self.data_names().collect();
        for (at, name) in names.iter().enumerate() {
            let reason = match reserved.iter().find(|(taken, _)| taken.eq_ignore_ascii_case(name)) {
                Some((_, what)) => format!("this release shows {what} in a column of this name"),
                None if names[..at].contains(name) => "two columns have this name".into(),
                None => continue,
            };
            return Err(Error::request("column", &**name, reason).hint("rename the column"));
        }
        Ok(())
    }
}
