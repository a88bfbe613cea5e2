//! True answers, from the source.

use crate::predicate::WantedRanks;
use crate::{Positions, Query};
use scumble_table::rows_by_group;

/// Rows that a pass looks at together: the marks of a block stay in the nearest cache.
const BLOCK: usize = 4096;

/// The rows of a table laid out for counting: sorted by sensitive value, so that a query looks only at
/// the rows whose sensitive value suits it.
#[derive(Debug, Clone)]
pub struct Microdata {
    quasi: Vec<Positions>,
    /// The sensitive columns, at least one.
    sensitive: Vec<Positions>,
    /// Quasi-identifiers by rank, rows in the order of their value in the first sensitive column.
    sorted: Vec<Vec<u32>>,
    /// The sensitive columns likewise, but for the first.
    others: Vec<Vec<u32>>,
    /// Where the rows of each rank of the first sensitive column begin, null first; closed by the number of rows.
    starts: Vec<u32>,
}

impl Microdata {
    /// Takes the columns of a table; all must have the same number of rows.
    ///
    /// # Panics
    /// If they have not.
    pub fn new(quasi: Vec<Positions>, sensitive: Positions) -> Self {
        Microdata::with_columns(quasi, vec![sensitive])
    }

    /// The same with several sensitive columns.
    ///
    /// # Panics
    /// As [`Microdata::new`], or if there is none.
    pub fn with_columns(quasi: Vec<Positions>, columns: Vec<Positions>) -> Self {
        let sensitive = columns.first().unwrap_or_else(|| panic!("a sensitive column"));
        let all = quasi.iter().chain(&columns);
        assert!(all.into_iter().all(|column| column.len() == sensitive.len()), "columns of different length");
        let by_value = rows_by_group(sensitive.ranks(), sensitive.places().len() + 1);
        let sort = |column: &Positions| by_value.rows.iter().map(|&row| column.ranks()[row as usize]).collect();
        let sorted = quasi.iter().map(sort).collect();
        let others = columns.iter().skip(1).map(sort).collect();
        Microdata { quasi, sensitive: columns, sorted, others, starts: by_value.starts }
    }

    /// The quasi-identifiers, rows in their own order.
    pub fn quasi(&self) -> &[Positions] {
        &self.quasi
    }

    /// The first sensitive column, rows in their own order.
    pub fn sensitive(&self) -> &Positions {
        &self.sensitive[0]
    }

    /// The sensitive columns, rows in their own order.
    pub fn sensitive_columns(&self) -> &[Positions] {
        &self.sensitive
    }

    /// How many rows a query counts.
    ///
    /// # Panics
    /// If it is about a column that is not there.
    pub fn count(&self, query: &Query) -> u64 {
        let runs = match query.sensitive.iter().find(|(at, _)| *at == 0) {
            Some((_, predicate)) => predicate.wanted(self.sensitive[0].places()).runs(),
            None => vec![(0, self.starts.len() as u32 - 1)],
        };
        let others = query.sensitive.iter().filter(|(at, _)| *at > 0);
        let others: Vec<(&[u32], WantedRanks)> = others
            .map(|(at, predicate)| (self.others[*at - 1].as_slice(), predicate.wanted(self.sensitive[*at].places())))
            .collect();
        let rows =
            |(first, end): (u32, u32)| (self.starts[first as usize] as usize, self.starts[end as usize] as usize);
        runs.into_iter().map(rows).map(|(first, end)| self.count_between(query, &others, first, end)).sum()
    }

    /// How many rows have a value in the first sensitive column and suit the quasi-identifiers of a query.
    pub fn count_quasi(&self, query: &Query) -> u64 {
        self.count_between(query, &[], self.starts[1] as usize, self.sensitive[0].len())
    }

    fn count_between(&self, query: &Query, others: &[(&[u32], WantedRanks)], first: usize, end: usize) -> u64 {
        let quasi = query.quasi.iter();
        let quasi =
            quasi.map(|(at, predicate)| (&self.sorted[*at][first..end], predicate.wanted(self.quasi[*at].places())));
        let others = others.iter().map(|(ranks, wanted)| (&ranks[first..end], wanted.clone()));
        let columns: Vec<(&[u32], WantedRanks)> = quasi.chain(others).collect();
        let mut marks = [0u8; BLOCK];
        let mut total = 0;
        for from in (0..end - first).step_by(BLOCK) {
            let n = BLOCK.min(end - first - from);
            mark(columns.iter().map(|(ranks, wanted)| (&ranks[from..from + n], wanted)), &mut marks[..n]);
            total += marked(&marks[..n]);
        }
        total
    }
}

/// Marks the rows whose ranks are all wanted with 1, others with 0.
pub(super) fn mark<'a>(columns: impl Iterator<Item = (&'a [u32], &'a WantedRanks)>, marks: &mut [u8]) {
    marks.fill(1);
    for (ranks, wanted) in columns {
        let both = marks.iter_mut().zip(ranks);
        match wanted {
            WantedRanks::Run(run) => both.for_each(|(mark, &rank)| *mark &= u8::from(run.holds(rank))),
            WantedRanks::Some(some) => both.for_each(|(mark, &rank)| *mark &= u8::from(some[rank as usize])),
        }
    }
}

/// How many rows are marked.
pub(super) fn marked(marks: &[u8]) -> u64 {
    // A byte holds the marks of 255 rows.
    marks.chunks(255).map(|part| u64::from(part.iter().sum::<u8>())).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::axis::Axis;
    use crate::predicate::Predicate;
    use proptest::prelude::*;

    fn column(values: &[Option<u8>]) -> Positions {
        let places: Vec<f64> = values.iter().map(|value| value.map_or(f64::NAN, f64::from)).collect();
        Positions::from_places(Axis::between("x", true, 0.0, 9.0), &places)
    }

    proptest! {
        /// Block by block or row by row, the count is the same; null lies in no interval.
        #[test]
        fn counts_are_those_of_a_scan(
            rows in prop::collection::vec(prop::array::uniform3(prop::option::weighted(0.9, 0u8..10)), 0..300),
            ends in prop::collection::vec((0u8..10, 0u8..10), 3),
        ) {
            let pick = |at: usize| column(&rows.iter().map(|row| row[at]).collect::<Vec<_>>());
            let data = Microdata::new(vec![pick(0), pick(1)], pick(2));
            let interval = |(a, b): (u8, u8)| (f64::from(a.min(b)), f64::from(a.max(b)));
            let query = Query { quasi: vec![(1, interval(ends[0]).into()), (0, interval(ends[1]).into())], sensitive: vec![(0, interval(ends[2]).into())] };
            let inside = |value: Option<u8>, wanted: &Predicate| value.is_some_and(|v| wanted.holds(f64::from(v)));
            let quasi = |row: &&[Option<u8>; 3]| inside(row[1], &query.quasi[0].1) && inside(row[0], &query.quasi[1].1);
            let all = rows.iter().filter(quasi).filter(|row| inside(row[2], &query.sensitive[0].1)).count();
            prop_assert_eq!(data.count(&query), all as u64);
            prop_assert_eq!(data.count_quasi(&query), rows.iter().filter(quasi).filter(|row| row[2].is_some()).count() as u64);
        }
    }

    proptest! {
        /// Several sensitive columns, with or without the one that rows are sorted by.
        #[test]
        fn several_columns_count_like_a_scan(
            rows in prop::collection::vec(prop::array::uniform4(prop::option::weighted(0.9, 0u8..6)), 0..200),
            ends in prop::collection::vec((0u8..6, 0u8..6), 4),
            asked in prop::sample::subsequence(vec![0usize, 1, 2], 1..=3).prop_shuffle(),
        ) {
            let pick = |at: usize| column(&rows.iter().map(|row| row[at]).collect::<Vec<_>>());
            let data = Microdata::with_columns(vec![pick(0)], vec![pick(1), pick(2), pick(3)]);
            let interval = |(a, b): (u8, u8)| Predicate::from((f64::from(a.min(b)), f64::from(a.max(b))));
            let sensitive = asked.iter().map(|&at| (at, interval(ends[at + 1]))).collect();
            let query = Query { quasi: vec![(0, interval(ends[0]))], sensitive };
            let inside = |value: Option<u8>, wanted: &Predicate| value.is_some_and(|v| wanted.holds(f64::from(v)));
            let suits = |row: &&[Option<u8>; 4]| {
                inside(row[0], &query.quasi[0].1) && query.sensitive.iter().all(|(at, wanted)| inside(row[at + 1], wanted))
            };
            prop_assert_eq!(data.count(&query), rows.iter().filter(suits).count() as u64);
        }
    }

    #[test]
    fn many_rows_are_counted_in_blocks() {
        let values: Vec<f64> = (0..20_000).map(|row| f64::from(row % 10)).collect();
        let axis = Axis::between("x", true, 0.0, 9.0);
        let column = Positions::from_places(axis, &values);
        let data = Microdata::new(vec![column.clone()], column);
        assert_eq!(data.count(&Query::new(vec![(0, (0.0, 4.0).into())], (3.0, 8.0))), 4_000);
        assert_eq!(data.count(&Query::new(vec![(0, (0.0, 9.0).into())], (0.0, 9.0))), 20_000);
        assert_eq!(data.count(&Query::new(vec![(0, (0.0, 9.0).into())], (2.2, 2.8))), 0);
        let set = |places: &[f64]| Predicate::OneOf(places.to_vec());
        assert_eq!(data.count(&Query::new(vec![(0, set(&[1.0, 4.0, 7.0]))], set(&[0.0, 4.0, 5.0, 7.0]))), 4_000);
    }
}
