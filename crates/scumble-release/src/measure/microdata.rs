//! True answers, from the source.

use super::axis::Positions;
use super::predicate::Wanted;
use super::workload::Query;

/// Rows that a pass looks at together: the marks of a block stay in the nearest cache.
const BLOCK: usize = 4096;

/// The rows of a table laid out for counting: sorted by sensitive value, so that a query looks only at
/// the rows whose sensitive value suits it.
#[derive(Debug, Clone)]
pub struct Microdata {
    quasi: Vec<Positions>,
    sensitive: Positions,
    /// Quasi-identifiers by rank, rows in the order of their sensitive value.
    sorted: Vec<Vec<u32>>,
    /// Where the rows of each sensitive rank begin, null first; closed by the number of rows.
    starts: Vec<u32>,
}

impl Microdata {
    /// Takes the columns of a table; all must have the same number of rows.
    ///
    /// # Panics
    /// If they have not.
    pub fn new(quasi: Vec<Positions>, sensitive: Positions) -> Self {
        assert!(quasi.iter().all(|column| column.len() == sensitive.len()), "columns of different length");
        let mut starts = vec![0u32; sensitive.places().len() + 2];
        for &rank in sensitive.ranks() {
            starts[rank as usize + 1] += 1;
        }
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        let mut next = starts.clone();
        let mut order = vec![0u32; sensitive.len()];
        for (row, &rank) in sensitive.ranks().iter().enumerate() {
            order[next[rank as usize] as usize] = row as u32;
            next[rank as usize] += 1;
        }
        let sort = |column: &Positions| order.iter().map(|&row| column.ranks()[row as usize]).collect();
        let sorted = quasi.iter().map(sort).collect();
        Microdata { quasi, sensitive, sorted, starts }
    }

    /// The quasi-identifiers, rows in their own order.
    pub fn quasi(&self) -> &[Positions] {
        &self.quasi
    }

    /// The sensitive column, rows in their own order.
    pub fn sensitive(&self) -> &Positions {
        &self.sensitive
    }

    /// How many rows a query counts.
    pub fn count(&self, query: &Query) -> u64 {
        let runs = query.sensitive.wanted(self.sensitive.places()).runs();
        let rows =
            |(first, end): (u32, u32)| (self.starts[first as usize] as usize, self.starts[end as usize] as usize);
        runs.into_iter().map(rows).map(|(first, end)| self.count_between(query, first, end)).sum()
    }

    /// How many rows have a sensitive value and suit a query in all else.
    pub fn count_quasi(&self, query: &Query) -> u64 {
        self.count_between(query, self.starts[1] as usize, self.sensitive.len())
    }

    fn count_between(&self, query: &Query, first: usize, end: usize) -> u64 {
        let columns: Vec<(&[u32], Wanted)> = query
            .quasi
            .iter()
            .map(|(at, predicate)| (&self.sorted[*at][first..end], predicate.wanted(self.quasi[*at].places())))
            .collect();
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
pub(super) fn mark<'a>(columns: impl Iterator<Item = (&'a [u32], &'a Wanted)>, marks: &mut [u8]) {
    marks.fill(1);
    for (ranks, wanted) in columns {
        let both = marks.iter_mut().zip(ranks);
        match wanted {
            Wanted::Run(run) => both.for_each(|(mark, &rank)| *mark &= u8::from(run.holds(rank))),
            Wanted::Some(some) => both.for_each(|(mark, &rank)| *mark &= u8::from(some[rank as usize])),
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
    use super::super::axis::Axis;
    use super::super::predicate::Predicate;
    use super::*;
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
            let query = Query { quasi: vec![(1, interval(ends[0]).into()), (0, interval(ends[1]).into())], sensitive: interval(ends[2]).into() };
            let inside = |value: Option<u8>, wanted: &Predicate| value.is_some_and(|v| wanted.holds(f64::from(v)));
            let quasi = |row: &&[Option<u8>; 3]| inside(row[1], &query.quasi[0].1) && inside(row[0], &query.quasi[1].1);
            let all = rows.iter().filter(quasi).filter(|row| inside(row[2], &query.sensitive)).count();
            prop_assert_eq!(data.count(&query), all as u64);
            prop_assert_eq!(data.count_quasi(&query), rows.iter().filter(quasi).filter(|row| row[2].is_some()).count() as u64);
        }
    }

    #[test]
    fn many_rows_are_counted_in_blocks() {
        let values: Vec<f64> = (0..20_000).map(|row| f64::from(row % 10)).collect();
        let axis = Axis::between("x", true, 0.0, 9.0);
        let column = Positions::from_places(axis, &values);
        let data = Microdata::new(vec![column.clone()], column);
        assert_eq!(data.count(&Query { quasi: vec![(0, (0.0, 4.0).into())], sensitive: (3.0, 8.0).into() }), 4_000);
        assert_eq!(data.count(&Query { quasi: vec![(0, (0.0, 9.0).into())], sensitive: (0.0, 9.0).into() }), 20_000);
        assert_eq!(data.count(&Query { quasi: vec![(0, (0.0, 9.0).into())], sensitive: (2.2, 2.8).into() }), 0);
        let set = |places: &[f64]| Predicate::OneOf(places.to_vec());
        assert_eq!(
            data.count(&Query { quasi: vec![(0, set(&[1.0, 4.0, 7.0]))], sensitive: set(&[0.0, 4.0, 5.0, 7.0]) }),
            4_000
        );
    }
}
