//! Several columns taken as one.

use crate::{Bag, Code, Codes, CodesBuilder};

/// The distinct combinations of codes that some columns show, numbered from 0 in the order of their codes, and which
/// of them each row has. Combinations are compared by their codes, never by joined texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Composite {
    /// For each column the code of every combination.
    columns: Vec<Vec<Code>>,
    /// The combination of each row.
    rows: Codes,
    /// Rows of each combination.
    weights: Vec<u32>,
}

/// Keys below this are renumbered by a lookup table, unless there are too few of them; others by binary search.
const DIRECT: u64 = 1 << 24;

/// A lookup table may have this many entries for each key.
const SPREAD: u64 = 64;

/// The number of codes there can be, whatever the bound of a column.
const ALL_CODES: u64 = 1 << Code::BITS;

impl Composite {
    /// Takes columns of one length together. `n_codes` bounds the codes of each column.
    ///
    /// # Panics
    /// If the columns differ in length, there is not one bound per column, or a code is not below its bound.
    pub fn new(columns: &[&Codes], n_codes: &[usize]) -> Self {
        assert_eq!(columns.len(), n_codes.len(), "every column has a bound");
        let n_rows = columns.first().map_or(0, |codes| codes.len());
        let (mut keys, mut room) = (vec![0u64; n_rows], 1u64);
        for (codes, &width) in columns.iter().zip(n_codes) {
            assert_eq!(codes.len(), n_rows, "columns of one table have one length");
            let width = (width as u64).clamp(1, ALL_CODES);
            if room.checked_mul(width).is_none() {
                // Rows are fewer than 2^32, and so are the keys that they leave.
                room = renumber(&mut keys, room).len() as u64;
            }
            room *= width;
            for (key, code) in keys.iter_mut().zip(codes.iter()) {
                assert!(u64::from(code) < width, "a code lies in its domain");
                *key = *key * width + u64::from(code);
            }
        }
        let found = renumber(&mut keys, room);
        let mut weights = vec![0u32; found.len()];
        let mut first = vec![0usize; found.len()];
        for (row, &key) in keys.iter().enumerate().rev() {
            weights[key as usize] += 1;
            first[key as usize] = row;
        }
        let mut rows = CodesBuilder::new(found.len().saturating_sub(1) as Code, n_rows);
        rows.extend(keys.iter().map(|&key| key as Code));
        let columns = columns.iter().map(|codes| first.iter().map(|&row| codes.get(row)).collect()).collect();
        Composite { columns, rows: rows.finish(), weights }
    }

    /// Number of combinations.
    pub fn len(&self) -> usize {
        self.weights.len()
    }

    /// True when there is no row.
    pub fn is_empty(&self) -> bool {
        self.weights.is_empty()
    }

    /// The code that a column has in each combination.
    pub fn column(&self, at: usize) -> &[Code] {
        &self.columns[at]
    }

    /// Number of columns.
    pub fn n_columns(&self) -> usize {
        self.columns.len()
    }

    /// The combination of each row.
    pub fn rows(&self) -> &Codes {
        &self.rows
    }

    /// Rows of each combination, at least one.
    pub fn weights(&self) -> &[u32] {
        &self.weights
    }

    /// The bag of all rows.
    pub fn bag(&self) -> Bag {
        let mut bag = Bag::default();
        bag.refill_sorted((0..).zip(self.weights.iter().copied()));
        bag
    }
}

/// Replaces keys below `room` by their places among the keys that occur, which are returned in order.
fn renumber(keys: &mut [u64], room: u64) -> Vec<u64> {
    let mut found: Vec<u64>;
    if room <= DIRECT.min(SPREAD * keys.len() as u64) {
        let mut place = vec![u32::MAX; room as usize];
        keys.iter().for_each(|&key| place[key as usize] = 0);
        found = (0..room).filter(|&key| place[key as usize] == 0).collect();
        (0..).zip(&found).for_each(|(at, &key)| place[key as usize] = at);
        keys.iter_mut().for_each(|key| *key = u64::from(place[*key as usize]));
    } else {
        found = keys.to_vec();
        found.sort_unstable();
        found.dedup();
        keys.iter_mut().for_each(|key| *key = found.partition_point(|known| known < key) as u64);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn combinations_are_numbered_in_order() {
        let a: Codes = [2, 0, 2, 1, 0].into_iter().collect();
        let b: Codes = [1, 3, 0, 3, 3].into_iter().collect();
        let both = Composite::new(&[&a, &b], &[3, 4]);
        assert_eq!(both.rows().iter().collect::<Vec<_>>(), [3, 0, 2, 1, 0]);
        assert_eq!((both.column(0), both.column(1)), ([0, 1, 2, 2].as_slice(), [3, 3, 0, 1].as_slice()));
        assert_eq!((both.weights(), both.len(), both.n_columns()), ([2, 1, 1, 1].as_slice(), 4, 2));
        assert_eq!(both.bag().counts(), [(0, 2), (1, 1), (2, 1), (3, 1)]);
        assert!(Composite::new(&[&Codes::U8(vec![])], &[1]).is_empty());
        let nothing = Composite::new(&[], &[]);
        assert_eq!((nothing.len(), nothing.n_columns(), nothing.rows().len()), (0, 0, 0));
    }

    #[test]
    fn bounds_beyond_all_codes_overflow_nothing() {
        let codes: Codes = [u32::MAX, 0, 7, u32::MAX].into_iter().collect();
        let all = Composite::new(&[&codes; 5], &[usize::MAX; 5]);
        assert_eq!(all.rows().iter().collect::<Vec<_>>(), [2, 0, 1, 2]);
        assert_eq!((all.column(4), all.weights()), ([0, 7, u32::MAX].as_slice(), [1, 1, 2].as_slice()));
    }

    #[test]
    fn many_combinations_are_told_apart() {
        // Two columns of 100,000 numbers each: the table of keys would have ten billion places.
        let a: Codes = (0..100_000u32).collect();
        let b: Codes = (0..100_000u32).map(|row| row * 7 % 100_000).collect();
        let both = Composite::new(&[&a, &b], &[100_000; 2]);
        assert_eq!((both.len(), both.column(1)[99_999]), (100_000, b.get(99_999)));
    }

    #[test]
    #[should_panic(expected = "every column has a bound")]
    fn a_column_without_a_bound_is_a_mistake() {
        let codes: Codes = [1, 2].into_iter().collect();
        let _ = Composite::new(&[&codes, &codes], &[3]);
    }

    proptest! {
        #[test]
        fn equal_combinations_and_no_others_share_a_number(
            rows in prop::collection::vec([0u32..4, 0u32..4, 0u32..4], 1..40), wide in prop::bool::ANY,
        ) {
            // Wide bounds make keys overflow, so that they are renumbered on the way.
            let bound = if wide { u32::MAX as usize } else { 4 };
            let columns: Vec<Codes> = (0..3).map(|c| rows.iter().map(|row| row[c]).collect()).collect();
            let all = Composite::new(&columns.iter().collect::<Vec<_>>(), &[bound; 3]);
            for (i, a) in rows.iter().enumerate() {
                let at = all.rows().get(i) as usize;
                prop_assert_eq!([0, 1, 2].map(|c| all.column(c)[at]), *a);
                for (j, b) in rows.iter().enumerate() {
                    prop_assert_eq!(all.rows().get(i).cmp(&all.rows().get(j)), a.cmp(b));
                }
            }
        }
    }
}
