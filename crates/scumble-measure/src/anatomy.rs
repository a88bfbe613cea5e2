//! Answers from a table of exact quasi-identifiers whose sensitive values are known group by group,
//! as `anatomy` and `permute` publish them.

use crate::microdata::{mark, marked};
use crate::predicate::WantedRanks;
use crate::{GroupValues, Positions, Predicate, Query};
use scumble_table::rows_by_group;

/// Exact quasi-identifiers row by row, sensitive values group by group.
#[derive(Debug, Clone)]
pub struct Anatomized {
    /// The quasi-identifiers, rows laid out group by group.
    quasi: Vec<Positions>,
    starts: Vec<u32>,
    sensitive: GroupValues,
}

impl Anatomized {
    /// Rows with their groups, in the order of the queries' attributes, and the groups' sensitive values.
    ///
    /// # Panics
    /// If a column has not one value per row, or the sensitive values are of other groups.
    pub fn new(quasi: &[Positions], row_group: &[u32], sensitive: GroupValues) -> Self {
        assert!(quasi.iter().all(|column| column.len() == row_group.len()), "a group for every row");
        let grouped = rows_by_group(row_group, sensitive.n_groups());
        let quasi = quasi.iter().map(|column| column.gather(&grouped.rows)).collect();
        Anatomized { quasi, starts: grouped.starts, sensitive }
    }

    /// The quasi-identifiers of the people who are not suppressed, group by group.
    pub fn quasi(&self) -> &[Positions] {
        &self.quasi
    }

    /// The groups of these people.
    pub(super) fn row_groups(&self) -> Vec<u32> {
        let groups = self.starts.windows(2).zip(0..);
        groups.flat_map(|(rows, group)| std::iter::repeat_n(group, (rows[1] - rows[0]) as usize)).collect()
    }

    /// The groups and their sensitive values.
    pub fn groups(&self) -> &GroupValues {
        &self.sensitive
    }

    /// Estimates the answer to a query: in each group the rows that suit its quasi-identifiers, which
    /// are exact, times the share of the group's sensitive values that suit it. `marks` is kept from
    /// query to query to spare allocations.
    pub fn estimate(&self, query: &Query, marks: &mut Vec<u8>) -> f64 {
        let column = |(at, predicate): &(usize, Predicate)| {
            (self.quasi[*at].ranks(), predicate.wanted(self.quasi[*at].places()))
        };
        let columns: Vec<(&[u32], WantedRanks)> = query.quasi.iter().map(column).collect();
        let n_rows = self.starts.last().map_or(0, |&end| end as usize);
        marks.resize(n_rows, 0);
        mark(columns.iter().map(|(ranks, wanted)| (*ranks, wanted)), marks);
        let wanted = self.sensitive.wanted(&query.sensitive);
        let sizes = self.sensitive.starts().windows(2).map(|pair| pair[1] - pair[0]);
        let mut sum = 0.0;
        for ((group, rows), size) in self.starts.windows(2).enumerate().zip(sizes) {
            let hits = marked(&marks[rows[0] as usize..rows[1] as usize]);
            if hits > 0 && size > 0 {
                sum += hits as f64 * f64::from(self.sensitive.matching(group, &wanted)) / f64::from(size);
            }
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::axis::Axis;
    use proptest::prelude::*;
    use scumble_release::SUPPRESSED;

    proptest! {
        /// Each row that suits the quasi-identifiers counts with its group's share of wanted values.
        #[test]
        fn fast_equals_naive(
            rows in prop::collection::vec((prop::option::weighted(0.95, 0u32..6), 0u8..20, prop::option::weighted(0.9, 0u8..20), 0u8..20), 0..100),
            ends in prop::collection::vec((0u8..20, 0u8..20), 3),
        ) {
            let axis = Axis::between("x", true, 0.0, 19.0);
            let place = |value: Option<u8>| value.map_or(f64::NAN, f64::from);
            let column = |values: Vec<f64>| Positions::from_places(axis.clone(), &values);
            let quasi = [column(rows.iter().map(|r| place(Some(r.1))).collect()), column(rows.iter().map(|r| place(r.2)).collect())];
            let sensitive = column(rows.iter().map(|r| place(Some(r.3))).collect());
            let row_group: Vec<u32> = rows.iter().map(|r| r.0.unwrap_or(SUPPRESSED)).collect();
            let interval = |(a, b): (u8, u8)| (f64::from(a.min(b)), f64::from(a.max(b)));
            let query = Query { quasi: vec![(0, interval(ends[0]).into()), (1, interval(ends[1]).into())], sensitive: vec![(0, interval(ends[2]).into())] };
            let mut slow = 0.0;
            for (row, &group) in row_group.iter().enumerate().filter(|(_, group)| **group != SUPPRESSED) {
                if query.quasi.iter().all(|(at, wanted)| wanted.holds(quasi[*at].place(row))) {
                    let mates: Vec<usize> = (0..rows.len()).filter(|&other| row_group[other] == group).collect();
                    let wanted = mates.iter().filter(|&&mate| query.sensitive[0].1.holds(sensitive.place(mate))).count();
                    slow += wanted as f64 / mates.len() as f64;
                }
            }
            let table = Anatomized::new(&quasi, &row_group, GroupValues::new(&row_group, 6, &sensitive));
            let mut marks = vec![1; 7];
            prop_assert!((table.estimate(&query, &mut marks) - slow).abs() < 1e-9);
        }
    }

    #[test]
    fn quasi_identifiers_are_exact() {
        let axis = Axis::between("x", true, 0.0, 9.0);
        let quasi = Positions::from_places(axis.clone(), &[1.0, 2.0, 3.0, 4.0]);
        let sensitive = Positions::from_places(axis, &[0.0, 9.0, 0.0, 9.0]);
        let table = Anatomized::new(&[quasi], &[0, 0, 1, 1], GroupValues::new(&[0, 0, 1, 1], 2, &sensitive));
        let ask = |a, b, sensitive: (f64, f64)| {
            table.estimate(&Query::new(vec![(0, (a, b).into())], sensitive), &mut Vec::new())
        };
        assert_eq!(ask(2.0, 4.0, (0.0, 9.0)), 3.0);
        assert_eq!(ask(2.0, 4.0, (0.0, 5.0)), 1.5);
        assert_eq!(ask(5.0, 9.0, (0.0, 9.0)), 0.0);
    }
}
