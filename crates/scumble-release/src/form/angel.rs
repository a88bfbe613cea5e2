//! The form of method `angel`.

use super::layout::{Cells, Column, Grouped};
use super::{BATCH, Layout, QuasiColumn, SensitiveCounts, ValueColumn};

/// `batches.csv`, `generalized.csv` and any number of `marginal-<a>-<b>.csv` (paper 4, Definition 8 and section 4.1).
///
/// Sensitive values are counted batch by batch. Every other table shows each person once, in a box that
/// at least `angel_k` people share, with the number of the person's batch. The tables have the same batches and
/// nothing else in common: people stand in each of them in an order of its own.
#[derive(Debug, Clone)]
pub struct Angel {
    /// Number of batches; batch `b` is published as `b + 1`.
    pub n_batches: u32,
    /// The sensitive values of each batch, in place of a group.
    pub sensitive: SensitiveCounts,
    /// The tables of boxes: the one over all quasi-identifiers first, then the marginals.
    pub tables: Vec<BucketTable>,
}

/// A table of boxes. Rows come in the order in which they are to be written: the caller has shuffled them.
#[derive(Debug, Clone)]
pub struct BucketTable {
    /// Its name.
    pub name: String,
    /// Number of buckets; they bear no number, their box tells them apart.
    pub n_buckets: u32,
    /// Bucket of each person, or [`SUPPRESSED`](crate::SUPPRESSED).
    pub row_bucket: Vec<u32>,
    /// Batch of each person; whatever stands at a suppressed one is never written.
    pub row_batch: Vec<u32>,
    /// Quasi-identifiers, one text per bucket.
    pub quasi: Vec<QuasiColumn>,
    /// Kept columns, one value per person; in the first table only.
    pub kept: Vec<ValueColumn>,
}

impl Angel {
    /// The name of the table of sensitive values.
    pub const BATCHES: &str = "batches";

    /// The name of the table over all quasi-identifiers.
    pub const GENERALIZED: &str = "generalized";

    /// How the names of the other tables begin.
    pub const MARGINAL: &str = "marginal-";

    /// The name of the table over some quasi-identifiers: `marginal-age-zip`. `quasi` are all
    /// quasi-identifiers of the release, `chosen` positions among them. Columns whose names could not be
    /// part of a file's name everywhere go by their number, as in permuted releases.
    pub fn marginal_name(quasi: &[&str], chosen: &[usize]) -> String {
        let parts: Vec<String> = chosen.iter().map(|&at| super::permuted::table_name("", quasi, Some(at))).collect();
        format!("{}{}", Angel::MARGINAL.trim_end_matches('-'), parts.concat())
    }

    /// The tables as they are written.
    pub(super) fn layouts(&self) -> Vec<Layout<'_>> {
        let batches = self.sensitive.layout(Angel::BATCHES, BATCH, self.n_batches);
        std::iter::once(batches).chain(self.tables.iter().map(BucketTable::layout)).collect()
    }
}

impl BucketTable {
    pub(crate) fn layout(&self) -> Layout<'_> {
        let batch = Column { name: BATCH, cells: Cells::Groups(&self.row_batch) };
        let groups =
            Grouped { number: None, n_groups: self.n_buckets, row_group: &self.row_bucket, quasi: &self.quasi };
        Layout::grouped(&self.name, groups, std::iter::once(batch).chain(self.kept.iter().map(Column::values)))
    }
}
