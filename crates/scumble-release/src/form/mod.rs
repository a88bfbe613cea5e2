//! What leaves the house, in memory: a release owns its data and borrows nothing from a table.

mod anatomy;
mod generalized;
mod layout;

pub use anatomy::{Anatomy, SensitiveCounts};
pub use generalized::{Generalized, QuasiColumn};

pub(crate) use layout::Layout;

use crate::{Manifest, Method};
use scumble_table::{Codes, Error, Hierarchy, Result, Role, with_codes};
use std::sync::Arc;

/// Instead of a group: the row is published as stars.
pub const SUPPRESSED: u32 = u32::MAX;

/// The column that carries group numbers; no column of the data may bear its name.
pub const GROUP: &str = "group";

/// The column that carries counts where values are counted; no column of the data may bear its name there.
pub const COUNT: &str = "count";

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
    /// A table of exact quasi-identifiers, and one of counted sensitive values.
    Anatomy(Anatomy),
}

impl Form {
    /// The word for it in manifests.
    pub fn method(&self) -> Method {
        match self {
            Form::Generalized(_) => Method::Generalize,
            Form::Anatomy(_) => Method::Anatomy,
        }
    }

    /// Group of each person in the order of publication, or [`SUPPRESSED`].
    pub fn row_group(&self) -> &[u32] {
        match self {
            Form::Generalized(form) => &form.row_group,
            Form::Anatomy(form) => &form.row_group,
        }
    }

    /// Number of groups.
    pub fn n_groups(&self) -> u32 {
        match self {
            Form::Generalized(form) => form.n_groups,
            Form::Anatomy(form) => form.n_groups,
        }
    }

    /// Number of suppressed rows.
    pub fn n_suppressed(&self) -> usize {
        self.row_group().iter().filter(|&&group| group == SUPPRESSED).count()
    }

    /// Name and number of rows of each table.
    pub fn tables(&self) -> impl Iterator<Item = (&'static str, u64)> + '_ {
        self.layouts().into_iter().map(|layout| (layout.name, layout.row_group.len() as u64))
    }

    /// The tables as they are written.
    pub(crate) fn layouts(&self) -> Vec<Layout<'_>> {
        match self {
            Form::Generalized(form) => vec![form.layout()],
            Form::Anatomy(form) => form.layouts().into(),
        }
    }

    /// Checks all that the writer relies on; a violation is a bug of whoever built the form.
    pub(crate) fn check(&self) -> Result<()> {
        let layouts = self.layouts();
        // Readers know a column of counts by its name, in whichever table a column of the data has it too.
        let counted = layouts.iter().any(|layout| layout.counts.is_some());
        for layout in &layouts {
            layout.check(counted)?;
        }
        Ok(())
    }
}

/// A column published value by value.
#[derive(Debug, Clone)]
pub struct ValueColumn {
    /// Name in the header.
    pub name: String,
    /// Sensitive or kept, or quasi where quasi-identifiers are exact.
    pub role: Role,
    /// Text of each code; code 0 is null and empty.
    pub texts: Vec<String>,
    /// Code of each published row; whatever stands at a suppressed row is never written.
    pub codes: Codes,
}

impl ValueColumn {
    /// Whether every row that is not suppressed has a text.
    fn check(&self, row_group: &[u32]) -> Result<()> {
        let bug = |what: &str| Err(Error::bug(format!("column {} {what}", self.name)));
        let n_codes = self.texts.len();
        if self.codes.len() != row_group.len() {
            return bug("has not one value per row");
        }
        if self.texts.first().is_none_or(|null| !null.is_empty()) {
            return bug("has no empty text for null");
        }
        let in_range = with_codes!(&self.codes, |codes| codes
            .iter()
            .zip(row_group)
            .all(|(&code, &group)| group == SUPPRESSED || (code as usize) < n_codes));
        if in_range { Ok(()) } else { bug("lacks a text") }
    }
}
