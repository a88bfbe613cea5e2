//! What leaves the house, in memory: a release owns its data and borrows nothing from a table.

mod anatomy;
mod angel;
mod generalized;
mod layout;
mod permuted;

pub use anatomy::{Anatomy, SensitiveCounts};
pub use angel::{Angel, BucketTable};
pub use generalized::{Generalized, IntervalEnds, QuasiColumn};
pub use permuted::{Extremes, Grouping, Help, Permuted, PermutedTables, Sums};

pub(crate) use layout::{Cells, Column, Grouped, Layout, SharedColumn};

use crate::{Manifest, MatrixFile, Method};
use scumble_table::{Codes, Error, Hierarchy, Kind, Result, Role, Stored};
use std::sync::Arc;

/// Instead of a group: the row is published as stars.
pub const SUPPRESSED: u32 = u32::MAX;

/// The column that carries group numbers; no column of the data may bear its name.
pub const GROUP: &str = "group";

/// The column that carries batch numbers; no column of the data may bear its name there.
pub const BATCH: &str = "batch";

/// The column that carries counts where values are counted; no column of the data may bear its name there.
pub const COUNT: &str = "count";

/// The column that numbers people where tables speak of each of them; no column of the data may bear its name there.
pub const TUPLE: &str = "tuple";

/// The column of a help table that says how many people of a group are asked about; no column of the data may bear
/// its name beside one.
pub const HITS: &str = "hits";

/// The text of a suppressed cell, and of a generalized value that covers everything.
pub const STAR: &str = "*";

/// A release as it was made, before anybody has judged it.
#[derive(Debug, Clone)]
pub struct Draft {
    /// What the release says about itself. The writer fills in `tables` and `hierarchies`.
    pub manifest: Manifest,
    /// The data.
    pub form: Form,
    /// Trees that readers need to understand the tables, by column.
    pub hierarchies: Vec<(String, Arc<Hierarchy>)>,
    /// Distances between values that readers need to judge `dissimilarity`, in the files that the manifest's `distance`
    /// names.
    pub matrices: Vec<MatrixFile>,
    /// `report.html`, ready to be written.
    pub report: String,
}

impl Draft {
    /// Checks all that writers and readers rely on. A manifest that speaks of another table is the caller's mistake, found
    /// before any work.
    pub(crate) fn check(&self) -> Result<()> {
        self.form.check()?;
        let (manifest, n_rows, suppressed) = (&self.manifest, self.form.n_rows(), self.form.n_suppressed());
        // Suppressed rows are published as stars, or left out.
        let suppressed_stated = if suppressed == 0 { 0 } else { manifest.suppressed };
        let found = ((n_rows - suppressed) as u64, suppressed as u64, self.form.n_groups());
        let stated = (manifest.rows, suppressed_stated, manifest.groups);
        if manifest.method != self.form.method() || found != stated {
            return Err(Error::bug(format!("the manifest states {stated:?} and the release holds {found:?}")));
        }
        if n_rows == 0 {
            return Err(Error::request("rows", "0", "there is nothing to publish"));
        }
        Ok(())
    }
}

/// The forms of a release: a closed set, so that the compiler shows every place a new one must be handled.
#[derive(Debug, Clone)]
pub enum Form {
    /// One table of boxes.
    Generalized(Generalized),
    /// A table of exact quasi-identifiers, and one of counted sensitive values.
    Anatomy(Anatomy),
    /// A table of exact quasi-identifiers with shuffled sensitive values, and tables of groups and bounds.
    Permuted(Permuted),
    /// A table of counted sensitive values by batch, and tables of boxes with batch numbers.
    Angel(Angel),
}

impl Form {
    /// The word for it in manifests.
    pub fn method(&self) -> Method {
        match self {
            Form::Generalized(_) => Method::Generalize,
            Form::Anatomy(_) => Method::Anatomy,
            Form::Permuted(_) => Method::Permute,
            Form::Angel(_) => Method::Angel,
        }
    }

    /// People in the release, suppressed ones included.
    pub fn n_rows(&self) -> usize {
        if let Form::Permuted(form) = self { form.n_rows } else { self.row_group().len() }
    }

    /// The group of each person, where some may be suppressed.
    fn row_group(&self) -> &[u32] {
        match self {
            Form::Generalized(form) => &form.row_group,
            Form::Anatomy(form) => &form.row_group,
            Form::Permuted(_) => &[],
            Form::Angel(form) => form.tables.first().map_or(&[], |table| &table.row_bucket),
        }
    }

    /// Number of groups, of all groupings together where there are several; of batches where there are some.
    pub fn n_groups(&self) -> u64 {
        match self {
            Form::Generalized(form) => form.n_groups.into(),
            Form::Anatomy(form) => form.n_groups.into(),
            Form::Permuted(form) => form.groupings.iter().map(|grouping| u64::from(grouping.n_groups)).sum(),
            Form::Angel(form) => form.n_batches.into(),
        }
    }

    /// Number of suppressed rows that are in it.
    pub fn n_suppressed(&self) -> usize {
        self.row_group().iter().filter(|&&group| group == SUPPRESSED).count()
    }

    /// Leaves suppressed rows out, of which the manifest then tells no more than their number.
    pub fn leave_suppressed_out(&mut self) {
        let leave_out = |row_group: &mut Vec<u32>, columns: &mut [ValueColumn]| {
            if !row_group.contains(&SUPPRESSED) {
                return;
            }
            let kept: Vec<u32> =
                (0..row_group.len() as u32).filter(|&row| row_group[row as usize] != SUPPRESSED).collect();
            row_group.retain(|&group| group != SUPPRESSED);
            for column in columns {
                column.codes = column.codes.gather(&kept);
            }
        };
        match self {
            Form::Generalized(form) => leave_out(&mut form.row_group, &mut form.values),
            Form::Anatomy(form) => leave_out(&mut form.row_group, &mut form.people),
            // All rows are published.
            Form::Permuted(_) | Form::Angel(_) => {}
        }
    }

    /// Name and number of rows of each table.
    pub fn tables(&self) -> impl Iterator<Item = (String, u64)> + '_ {
        self.layouts().into_iter().map(|layout| (layout.name, layout.n_rows as u64))
    }

    /// The tables as they are written.
    pub(crate) fn layouts(&self) -> Vec<Layout<'_>> {
        match self {
            Form::Generalized(form) => vec![form.layout()],
            Form::Anatomy(form) => form.layouts().into(),
            Form::Permuted(form) => form.layouts(),
            Form::Angel(form) => form.layouts(),
        }
    }

    /// Checks all that the writer relies on; a violation is a bug of the caller.
    pub fn check(&self) -> Result<()> {
        if let Form::Permuted(form) = self {
            form.check()?;
        }
        for layout in self.layouts() {
            layout.check()?;
            layout.check_names(self.method().reserved())?;
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
    /// How its values compare.
    pub kind: Kind,
    /// What the source stored them as.
    pub stored: Stored,
}
