//! What leaves the house, in memory: a release owns its data and borrows nothing from a table.

use crate::Manifest;
use scumble_table::{Codes, Error, Hierarchy, Result, Role, with_codes};
use std::sync::Arc;

/// In [`Generalized::row_group`]: the row is published as stars.
pub const SUPPRESSED: u32 = u32::MAX;

/// The column that carries group numbers; no column of the data may bear its name.
pub const GROUP: &str = "group";

/// The text of a suppressed cell, and of a generalized value that covers everything.
pub const STAR: &str = "*";

/// All that leaves the house.
#[derive(Debug, Clone)]
pub struct Release {
    /// What the release says about itself. The writer fills in `tables` and `hierarchies`.
    pub manifest: Manifest,
    /// The data.
    pub form: Form,
    /// Trees that readers need to understand the tables, by column.
    pub hierarchies: Vec<(String, Arc<Hierarchy>)>,
    /// `report.html`, ready to be written.
    pub report: String,
}

/// The forms of a release: a closed set, so that the compiler shows every place a new one must be handled.
#[derive(Debug, Clone)]
pub enum Form {
    /// One table of boxes.
    Generalized(Generalized),
}

/// `table.csv`: every group shows one box, every row its exact sensitive and kept values.
///
/// Rows and groups come in the order in which they are to be written: the caller has shuffled both.
#[derive(Debug, Clone)]
pub struct Generalized {
    /// Number of groups; group `g` is published as `g + 1`.
    pub n_groups: u32,
    /// Group of each published row, or [`SUPPRESSED`].
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
}

/// A column published value by value.
#[derive(Debug, Clone)]
pub struct ValueColumn {
    /// Name in the header.
    pub name: String,
    /// Sensitive or kept.
    pub role: Role,
    /// Text of each code; code 0 is null and empty.
    pub texts: Vec<String>,
    /// Code of each published row; whatever stands at a suppressed row is never written.
    pub codes: Codes,
}

impl Generalized {
    /// Number of suppressed rows.
    pub fn n_suppressed(&self) -> usize {
        self.row_group.iter().filter(|&&g| g == SUPPRESSED).count()
    }

    /// Checks all that the writer relies on; a violation is a bug of whoever built the form.
    pub(crate) fn check(&self) -> Result<()> {
        let bug = |what: String| Err(Error::bug(what));
        let n_rows = self.row_group.len();
        if let Some(group) = self.row_group.iter().find(|&&g| g != SUPPRESSED && g >= self.n_groups) {
            return bug(format!("a row is in group {group} of {}", self.n_groups));
        }
        for column in &self.quasi {
            if column.of_group.len() != self.n_groups as usize {
                return bug(format!("column {} has not one text per group", column.name));
            }
            if column.of_group.iter().any(|&text| text as usize >= column.texts.len()) {
                return bug(format!("column {} lacks a text", column.name));
            }
        }
        for column in &self.values {
            let n_codes = column.texts.len();
            if column.codes.len() != n_rows {
                return bug(format!("column {} has not one value per row", column.name));
            }
            if column.texts.first().is_none_or(|null| !null.is_empty()) {
                return bug(format!("column {} has no empty text for null", column.name));
            }
            let in_range = with_codes!(&column.codes, |codes| codes
                .iter()
                .zip(&self.row_group)
                .all(|(&code, &group)| group == SUPPRESSED || (code as usize) < n_codes));
            if !in_range {
                return bug(format!("column {} lacks a text", column.name));
            }
        }
        let names: Vec<&str> = self.column_names().collect();
        for (at, name) in names.iter().enumerate() {
            if names[..at].contains(name) {
                let reason = if *name == GROUP {
                    "a release numbers its groups in a column of this name"
                } else {
                    "two columns have this name"
                };
                return Err(Error::request("column", *name, reason).hint("rename the column"));
            }
        }
        Ok(())
    }

    /// The header, in the order in which columns are written.
    pub fn column_names(&self) -> impl Iterator<Item = &str> + '_ {
        std::iter::once(GROUP)
            .chain(self.quasi.iter().map(|column| column.name.as_str()))
            .chain(self.values.iter().map(|column| column.name.as_str()))
    }
}
