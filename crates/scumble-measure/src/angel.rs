//! Answers from an angel release: boxes with batch numbers, and sensitive values batch by batch.
//!
//! A bucket's sensitive values are a mixture of those of its people's batches (equation 2 of the ANGEL paper), and its
//! people lie evenly in its box (equations 7 and 8, times the number of rows):
//!
//! ```text
//! sum over buckets C and batches B of  people of B in C * share of C in the query * a_B / |B|
//! ```
//!
//! where `a_B` values of `B` suit the query. A question about some attributes is put to the table with the fewest
//! others.

use crate::estimate::BoxShares;
use crate::{Boxes, Estimate, GroupValues, Query, Scratch};
use scumble_verify::Synthesis;

/// The tables of an angel release, laid out for answering.
#[derive(Debug, Clone)]
pub struct AngelTables {
    tables: Vec<AngelTable>,
    batches: GroupValues,
}

/// A table of boxes with batch numbers.
#[derive(Debug, Clone)]
pub struct AngelTable {
    name: String,
    /// Its quasi-identifiers, as positions among those of the release.
    columns: Vec<usize>,
    boxes: Vec<Boxes>,
    /// The batches of each bucket's people.
    synthesis: Synthesis,
    sizes: Vec<u32>,
}

impl AngelTables {
    /// The table over all quasi-identifiers first, and the sensitive values of each batch.
    ///
    /// # Panics
    /// If there is no table, or a table names a batch that is not there.
    pub fn new(tables: Vec<AngelTable>, batches: GroupValues) -> Self {
        assert!(!tables.is_empty(), "a table over all quasi-identifiers");
        let known = |table: &AngelTable| {
            let mut parts = (0..table.sizes.len()).flat_map(|bucket| table.parts(bucket));
            parts.all(|(batch, _)| (*batch as usize) < batches.n_groups())
        };
        assert!(tables.iter().all(known), "a batch without values");
        AngelTables { tables, batches }
    }

    /// The tables of boxes.
    pub fn tables(&self) -> &[AngelTable] {
        &self.tables
    }

    /// The batches and their sensitive values.
    pub fn batches(&self) -> &GroupValues {
        &self.batches
    }

    /// The table that has all of some attributes and the fewest others; of several the first.
    pub fn best(&self, attributes: impl Iterator<Item = usize> + Clone) -> &AngelTable {
        let has = |table: &&AngelTable| attributes.clone().all(|at| table.columns.contains(&at));
        self.tables.iter().filter(has).min_by_key(|table| table.columns.len()).unwrap_or(&self.tables[0])
    }

    /// Estimates the answer to a query. `scratch` is kept from query to query to spare allocations.
    ///
    /// # Panics
    /// If the query is about an attribute that no table has.
    pub fn estimate(&self, query: &Query, scratch: &mut Scratch) -> Estimate {
        let table = self.best(query.quasi.iter().map(|(at, _)| *at));
        let box_shares = BoxShares::new(query, |at| table.boxes_of(at), &mut scratch.parts);
        let wanted = self.batches.wanted(&query.sensitive);
        // The share of a batch is worked out when a bucket first needs it.
        let shares = &mut scratch.shares;
        shares.clear();
        shares.resize(self.batches.n_groups(), f64::NAN);
        let mut share_of = |batch: u32| {
            let share = &mut shares[batch as usize];
            if share.is_nan() {
                let size = f64::from(self.batches.size(batch as usize)).max(1.0);
                *share = f64::from(self.batches.matching(batch as usize, &wanted)) / size;
            }
            *share
        };
        let mut sum = Estimate::default();
        for (bucket, &size) in table.sizes.iter().enumerate() {
            let rows = || table.parts(bucket).iter().map(|&(batch, n)| f64::from(n) * share_of(batch)).sum();
            sum.add(box_shares.of_group(bucket, size), rows);
        }
        sum
    }
}

impl AngelTable {
    /// A table from the bucket and the batch of each of its rows, [`SUPPRESSED`](scumble_release::SUPPRESSED) where the row is;
    /// `columns` are its quasi-identifiers as positions among those of the release, with the boxes of each.
    ///
    /// # Panics
    /// If a row has not both, or a bucket has no box.
    pub fn new(
        name: impl Into<String>,
        columns: Vec<usize>,
        boxes: Vec<Boxes>,
        n_buckets: usize,
        row_bucket: &[u32],
        row_batch: &[u32],
    ) -> Self {
        assert_eq!(row_bucket.len(), row_batch.len(), "a batch for every row");
        assert_eq!(columns.len(), boxes.len(), "boxes for every column");
        assert!(boxes.iter().all(|column| column.n_groups() == n_buckets), "a box for every bucket");
        let synthesis = Synthesis::new(n_buckets, row_bucket, row_batch);
        let people = |bucket: usize| synthesis.of_bucket(bucket).iter().map(|&(_, people)| people).sum();
        let sizes = (0..n_buckets).map(people).collect();
        AngelTable { name: name.into(), columns, boxes, synthesis, sizes }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its quasi-identifiers, as positions among those of the release.
    pub fn columns(&self) -> &[usize] {
        &self.columns
    }

    /// What the buckets cover, in the order of the columns.
    pub fn boxes(&self) -> &[Boxes] {
        &self.boxes
    }

    /// People of each bucket.
    pub fn sizes(&self) -> &[u32] {
        &self.sizes
    }

    /// The batches of a bucket's people, and how many of each.
    pub(super) fn parts(&self, bucket: usize) -> &[(u32, u32)] {
        self.synthesis.of_bucket(bucket)
    }

    /// The boxes of a quasi-identifier of the release. Callers choose the table by [`AngelTables::best`], which has all columns
    /// asked about: the first table has every column of the release.
    pub(super) fn boxes_of(&self, column: usize) -> &Boxes {
        let at = self.columns.iter().position(|&known| known == column);
        at.map(|at| &self.boxes[at]).unwrap_or_else(|| panic!("the table `{}` has no column {column}", self.name))
    }
}

#[cfg(test)]
#[path = "angel_tests.rs"]
mod tests;
