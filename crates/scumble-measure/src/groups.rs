//! The sensitive values of the groups, and how large the groups are.

use crate::predicate::WantedRanks;
use crate::{Positions, Predicate};
use scumble_table::rows_by_group;
use serde::Serialize;

/// Sensitive values laid out group by group.
#[derive(Debug, Clone)]
pub struct GroupValues {
    starts: Vec<u32>,
    /// The sensitive columns, of which there is at least one, groups end to end.
    columns: Vec<Positions>,
}

impl GroupValues {
    /// From the group of each row, or [`SUPPRESSED`](scumble_release::SUPPRESSED), and its sensitive value.
    ///
    /// # Panics
    /// If there is not one group per row.
    pub fn new(row_group: &[u32], n_groups: usize, sensitive: &Positions) -> Self {
        GroupValues::with_columns(row_group, n_groups, std::slice::from_ref(sensitive))
    }

    /// The same with several sensitive columns, whose values stay together row by row.
    ///
    /// # Panics
    /// As [`GroupValues::new`], or if there is no column.
    pub fn with_columns(row_group: &[u32], n_groups: usize, sensitive: &[Positions]) -> Self {
        assert!(sensitive.iter().all(|column| column.len() == row_group.len()), "a group for every row");
        assert!(!sensitive.is_empty(), "a sensitive column");
        let grouped = rows_by_group(row_group, n_groups);
        let columns = sensitive.iter().map(|column| column.gather(&grouped.rows)).collect();
        GroupValues { starts: grouped.starts, columns }
    }

    /// Number of groups.
    pub fn n_groups(&self) -> usize {
        self.starts.len() - 1
    }

    /// Rows of each group.
    pub fn sizes(&self) -> Vec<u32> {
        self.starts.windows(2).map(|pair| pair[1] - pair[0]).collect()
    }

    /// Rows of a group.
    pub(super) fn size(&self, group: usize) -> u32 {
        self.starts[group + 1] - self.starts[group]
    }

    /// Ranks of the values of a group in the first sensitive column, in no order.
    pub(super) fn ranks(&self, group: usize) -> &[u32] {
        self.ranks_of(0, group)
    }

    fn ranks_of(&self, column: usize, group: usize) -> &[u32] {
        &self.columns[column].ranks()[self.starts[group] as usize..self.starts[group + 1] as usize]
    }

    /// The places of these ranks, from the rank 1.
    pub(super) fn places(&self) -> &[f64] {
        self.columns[0].places()
    }

    pub(super) fn starts(&self) -> &[u32] {
        &self.starts
    }

    /// The ranks of sensitive values that a query wants, column by column.
    ///
    /// # Panics
    /// If there is no such column.
    pub(super) fn wanted(&self, predicates: &[(usize, Predicate)]) -> Vec<(usize, WantedRanks)> {
        predicates.iter().map(|(at, predicate)| (*at, predicate.wanted(self.columns[*at].places()))).collect()
    }

    /// How many rows of a group have wanted sensitive values in all columns asked about.
    #[inline]
    pub(super) fn matching(&self, group: usize, wanted: &[(usize, WantedRanks)]) -> u32 {
        match wanted {
            [(at, WantedRanks::Run(run))] => {
                self.ranks_of(*at, group).iter().map(|&rank| u32::from(run.holds(rank))).sum()
            }
            [(at, one)] => self.ranks_of(*at, group).iter().map(|&rank| u32::from(one.holds(rank))).sum(),
            several => {
                let rows = self.starts[group] as usize..self.starts[group + 1] as usize;
                let holds = |row: usize| several.iter().all(|(at, one)| one.holds(self.columns[*at].ranks()[row]));
                rows.map(|row| u32::from(holds(row))).sum()
            }
        }
    }
}

/// How large the groups are.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct SizeSummary {
    /// Rows in the smallest group; 0 where there is none.
    pub min: u64,
    /// Mean number of rows.
    pub mean: f64,
    /// As many groups are smaller as are larger; the mean of two where their number is even.
    pub median: f64,
    /// Rows in the largest group.
    pub max: u64,
    /// Numbers of rows, rising, each with the number of groups that have it.
    pub histogram: Vec<(u64, u64)>,
}

impl SizeSummary {
    /// From the number of rows of each group.
    pub fn new(sizes: &[u32]) -> Self {
        let mut sorted = sizes.to_vec();
        sorted.sort_unstable();
        let n = sorted.len();
        let Some((&min, &max)) = sorted.first().zip(sorted.last()) else { return SizeSummary::default() };
        SizeSummary {
            min: min.into(),
            mean: sorted.iter().map(|&size| u64::from(size)).sum::<u64>() as f64 / n as f64,
            median: (f64::from(sorted[(n - 1) / 2]) + f64::from(sorted[n / 2])) / 2.0,
            max: max.into(),
            histogram: sorted.chunk_by(|a, b| a == b).map(|run| (u64::from(run[0]), run.len() as u64)).collect(),
        }
    }
}

/// Discernibility: how many rows each row cannot be told from, summed: the square of every group's
/// size, and for each suppressed row all rows.
pub fn discernibility(sizes: &[u32], suppressed: u64) -> u64 {
    let rows: u64 = sizes.iter().map(|&size| u64::from(size)).sum();
    let squares = sizes.iter().fold(0u64, |sum, &size| sum.saturating_add(u64::from(size) * u64::from(size)));
    squares.saturating_add((rows + suppressed).saturating_mul(suppressed))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::axis::Axis;
    use scumble_release::SUPPRESSED;

    #[test]
    fn values_find_their_groups() {
        let sensitive =
            Positions::from_places(Axis::between("s", true, 1.0, 9.0), &[5.0, 9.0, f64::NAN, 1.0, 2.0, 5.0]);
        let groups = GroupValues::new(&[1, 0, 1, SUPPRESSED, 1, 0], 2, &sensitive);
        assert_eq!((groups.n_groups(), groups.sizes()), (2, vec![2, 3]));
        let wanted = groups.wanted(&[(0, (2.0, 5.0).into())]);
        assert_eq!((groups.matching(0, &wanted), groups.matching(1, &wanted)), (1, 2));
    }

    #[test]
    fn columns_are_matched_row_by_row() {
        let axis = Axis::between("s", true, 1.0, 9.0);
        let column = |places: &[f64]| Positions::from_places(axis.clone(), places);
        let (s, t) = (column(&[5.0, 9.0, f64::NAN, 5.0, 2.0]), column(&[1.0, 1.0, 1.0, 2.0, 1.0]));
        let groups = GroupValues::with_columns(&[0, 0, 0, 0, SUPPRESSED], 1, &[s, t]);
        let count = |predicates: &[(usize, Predicate)]| groups.matching(0, &groups.wanted(predicates));
        assert_eq!(count(&[(0, (2.0, 5.0).into())]), 2);
        assert_eq!(count(&[(1, (1.0, 1.0).into())]), 3);
        assert_eq!(count(&[(1, (1.0, 1.0).into()), (0, (2.0, 5.0).into())]), 1);
        assert_eq!(count(&[(0, (1.0, 9.0).into()), (1, Predicate::OneOf(vec![1.0, 2.0]))]), 3);
    }

    #[test]
    fn sizes_are_summed_up() {
        let summary = SizeSummary::new(&[3, 2, 2, 9]);
        assert_eq!((summary.min, summary.mean, summary.median, summary.max), (2, 4.0, 2.5, 9));
        assert_eq!(summary.histogram, [(2, 2), (3, 1), (9, 1)]);
        assert_eq!(SizeSummary::new(&[]), SizeSummary::default());
        assert_eq!(discernibility(&[3, 2], 0), 13);
        // Two suppressed rows of seven could be any of them.
        assert_eq!(discernibility(&[3, 2], 2), 13 + 14);
    }
}
