//! Equal rows found by their codes: tuples of codes are numbered, texts are never joined.

use hashbrown::HashMap;
use rayon::prelude::*;

/// Tables of this many entries are addressed directly instead of being hashed.
const DIRECT: u64 = 1 << 24;

/// Classes of equal rows in the making: tuples of codes, one per row, packed into numbers column by column.
#[derive(Debug)]
pub struct RowClasses {
    keys: Vec<u64>,
    /// Every key is below this.
    room: u64,
}

impl RowClasses {
    /// Empty tuples: all rows are equal.
    pub fn new(n_rows: usize) -> Self {
        RowClasses { keys: vec![0; n_rows], room: 1 }
    }

    /// Adds a column whose codes are below `n_codes`.
    pub fn push(&mut self, n_codes: usize, code: impl Fn(usize) -> u32 + Sync) {
        let width = (n_codes as u64).max(1);
        if self.room.checked_mul(width).is_none() {
            self.room = self.renumber().max(1);
        }
        // After renumbering both factors are below 2^32, so their product fits.
        self.room = self.room.saturating_mul(width);
        self.keys.par_iter_mut().enumerate().for_each(|(row, key)| *key = *key * width + u64::from(code(row)));
    }

    /// Numbers the tuples from 0 in order of first appearance, and returns how many there are.
    fn renumber(&mut self) -> u64 {
        let mut next = 0;
        let mut fresh = || {
            next += 1;
            next - 1
        };
        if self.room <= DIRECT {
            let mut known = vec![u64::MAX; self.room as usize];
            for key in &mut self.keys {
                let number = &mut known[*key as usize];
                if *number == u64::MAX {
                    *number = fresh();
                }
                *key = *number;
            }
        } else {
            let mut known: HashMap<u64, u64, foldhash::fast::RandomState> = HashMap::default();
            for key in &mut self.keys {
                *key = *known.entry(*key).or_insert_with(&mut fresh);
            }
        }
        self.room = next;
        next
    }

    /// The tuples as numbers, equal ones the same, and what all of them are below.
    pub fn into_numbers(self) -> (Vec<u64>, u64) {
        (self.keys, self.room)
    }

    /// The class of each row and the number of classes.
    pub fn finish(mut self) -> (Vec<u32>, usize) {
        let n = self.renumber() as usize;
        (self.keys.into_iter().map(|key| key as u32).collect(), n)
    }
}

/// First row and number of rows of each class.
pub fn class_members(of_row: &[u32], n_classes: usize) -> Vec<(u32, u32)> {
    let mut out = vec![(u32::MAX, 0); n_classes];
    for (row, &class) in of_row.iter().enumerate() {
        let (first, count) = &mut out[class as usize];
        *first = (*first).min(row as u32);
        *count += 1;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_numbered_by_first_appearance() {
        let columns: [&[u32]; 2] = [&[1, 0, 1, 0, 1], &[2, 2, 2, 0, 1]];
        for widths in [[2, 3], [1 << 20, 1 << 20]] {
            let mut keys = RowClasses::new(5);
            for (column, width) in columns.iter().zip(widths) {
                keys.push(width, |row| column[row]);
            }
            let (classes, n) = keys.finish();
            assert_eq!((classes.as_slice(), n), ([0, 1, 0, 2, 3].as_slice(), 4));
            assert_eq!(class_members(&classes, n), [(0, 2), (1, 1), (3, 1), (4, 1)]);
        }
        let mut wide = RowClasses::new(3);
        for _ in 0..9 {
            wide.push(u32::MAX as usize, |row| row as u32 % 2);
        }
        assert_eq!(wide.finish(), (vec![0, 1, 0], 2));
        assert_eq!(RowClasses::new(2).finish(), (vec![0, 0], 1));
    }
}
