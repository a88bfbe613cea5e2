//! Exact people, and sensitive values that are known group by group: what anatomy and permuted releases tell alike.
//!
//! A permuted table shows a value beside every person, but by contract it is any value of the group. Once the table
//! is read, that tie is dropped: nothing that judges or measures a release can come to rely on it.

use super::group_numbers::take_texts;
use super::shown_column::{CheckedColumn, ShownColumn};
use crate::published_column::PublishedColumn;
use rayon::prelude::*;
use scumble_io::RawTable;
use scumble_table::{Codes, GroupedRows, rows_by_group};
use std::cmp::Ordering;

/// A release of exact quasi-identifiers in the terms of its manifest.
pub struct Exact {
    /// Quasi-identifying and kept columns, one value per person.
    pub people: Vec<ShownColumn>,
    /// One grouping for all sensitive columns, or one for each.
    pub groupings: Vec<GroupedValues>,
}

/// People in groups, with the sensitive values of each group.
pub struct GroupedValues {
    /// Group of each person from 0, or [`SUPPRESSED`](crate::SUPPRESSED).
    pub row_group: Vec<u32>,
    /// People of each group.
    pub sizes: Vec<u32>,
    /// The sensitive values of each group.
    pub sensitive: CountedValues,
}

/// Counted values, a row for each combination that occurs in a group.
pub struct CountedValues {
    /// Group of each row from 0.
    pub row_group: Vec<u32>,
    /// Sensitive columns.
    pub values: Vec<ShownColumn>,
    /// People of the group with these values.
    pub counts: Vec<u32>,
}

impl CountedValues {
    /// Counts the values of people, who are all in groups; rows rise by group and values.
    pub(super) fn count(row_group: &[u32], n_groups: usize, values: Vec<ShownColumn>) -> CountedValues {
        let GroupedRows { starts, mut rows } = rows_by_group(row_group, n_groups);
        let columns: Vec<&Codes> = values.iter().map(|column| &column.codes).collect();
        let compare = |a: &u32, b: &u32| {
            let both = columns.iter().map(|codes| codes.get(*a as usize).cmp(&codes.get(*b as usize)));
            both.fold(Ordering::Equal, Ordering::then)
        };
        let (mut counted, mut examples, mut counts) = (Vec::new(), Vec::new(), Vec::new());
        for (group, bounds) in starts.windows(2).enumerate() {
            let members = &mut rows[bounds[0] as usize..bounds[1] as usize];
            members.sort_unstable_by(compare);
            for alike in members.chunk_by(|a, b| compare(a, b).is_eq()) {
                counted.push(group as u32);
                examples.push(alike[0]);
                counts.push(alike.len() as u32);
            }
        }
        let example = |column: ShownColumn| ShownColumn { codes: column.codes.gather(&examples), ..column };
        CountedValues { row_group: counted, values: values.into_iter().map(example).collect(), counts }
    }

    /// The rows as many times as they count, as positions.
    pub fn expanded(&self) -> impl Iterator<Item = usize> + Clone + '_ {
        self.counts.iter().enumerate().flat_map(|(row, &count)| std::iter::repeat_n(row, count as usize))
    }
}

/// Sensitive values person by person: a group has as many places as people, and any of its people may have the values of
/// any of its places.
pub struct PlacedValues {
    /// Number of groups.
    pub n_groups: usize,
    /// Group of each person, or [`SUPPRESSED`](crate::SUPPRESSED).
    pub row_group: Vec<u32>,
    /// Group of each place. Suppressed people have a place of group [`SUPPRESSED`](crate::SUPPRESSED), or none.
    pub place_group: Vec<u32>,
    /// The sensitive columns, one value per place.
    pub columns: Vec<ShownColumn>,
}

impl CountedValues {
    /// The values place by place, for people who are in these groups.
    pub fn placed(&self, row_group: Vec<u32>, n_groups: usize) -> PlacedValues {
        let places: Vec<u32> = self.expanded().map(|row| row as u32).collect();
        let columns = self.values.iter().map(|values| ShownColumn {
            codes: values.codes.gather(&places),
            domain: values.domain.clone(),
            column: values.column.clone(),
        });
        PlacedValues {
            n_groups,
            row_group,
            columns: columns.collect(),
            place_group: places.iter().map(|&row| self.row_group[row as usize]).collect(),
        }
    }
}

impl GroupedValues {
    /// The values place by place.
    pub fn placed(&self) -> PlacedValues {
        self.sensitive.placed(self.row_group.clone(), self.sizes.len())
    }
}

impl Exact {
    /// The grouping that a sensitive column has, and the first where no column is named.
    pub fn grouping(&self, column: Option<&str>) -> Option<&GroupedValues> {
        let has = |grouping: &&GroupedValues| {
            column.is_none_or(|name| grouping.sensitive.values.iter().any(|values| values.column.name() == name))
        };
        self.groupings.iter().find(has)
    }
}

/// The texts of some columns, taken out of a table.
pub(super) fn texts<'a>(
    columns: impl Iterator<Item = &'a PublishedColumn>,
    raw: &mut RawTable,
    row_group: &[u32],
) -> Option<Vec<CheckedColumn>> {
    let read = take_texts(columns, raw)?.into_par_iter();
    Some(read.map(|(column, dictionary, codes)| CheckedColumn::read(column, &dictionary, codes, row_group)).collect())
}
