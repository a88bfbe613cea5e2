//! A division of the rows of a table into groups.

use crate::{Error, Result};

/// Groups of rows, laid end to end.
///
/// ```text
/// rows    4 0 | 2 | 1 3 5      row numbers, each at most once
/// starts  0     2   3      6   group g is rows[starts[g]..starts[g + 1]]
/// ```
///
/// Invariant: `rows` holds distinct row numbers below `n_rows`; `starts` rises strictly from 0 to
/// `rows.len()`. Rows of the table that are in no group are suppressed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Partition {
    rows: Vec<u32>,
    starts: Vec<u32>,
    n_rows: usize,
}

impl Partition {
    /// Checks the invariant; a violation is a bug of the partitioner.
    pub fn new(rows: Vec<u32>, starts: Vec<u32>, n_rows: usize) -> Result<Self> {
        let rising = starts.windows(2).all(|w| w[0] < w[1]);
        let framed = starts.first() == Some(&0) && starts.last().is_some_and(|&end| end as usize == rows.len());
        if !rising || !framed {
            return Err(Error::bug("group starts do not rise from 0 to the number of rows"));
        }
        let mut seen = vec![0u64; n_rows.div_ceil(64)];
        for &row in &rows {
            let (word, bit) = (row as usize / 64, 1u64 << (row % 64));
            if row as usize >= n_rows || seen[word] & bit != 0 {
                return Err(Error::bug("a row is in two groups or does not exist"));
            }
            seen[word] |= bit;
        }
        Ok(Partition { rows, starts, n_rows })
    }

    /// Number of groups.
    pub fn n_groups(&self) -> usize {
        self.starts.len() - 1
    }

    /// The rows of a group.
    pub fn group(&self, group_idx: usize) -> &[u32] {
        &self.rows[self.starts[group_idx] as usize..self.starts[group_idx + 1] as usize]
    }

    /// All groups in order.
    pub fn groups(&self) -> impl ExactSizeIterator<Item = &[u32]> + '_ {
        (0..self.n_groups()).map(|g| self.group(g))
    }

    /// Rows in groups, group by group.
    pub fn rows(&self) -> &[u32] {
        &self.rows
    }

    /// Where each group starts, closed by the number of grouped rows.
    pub fn starts(&self) -> &[u32] {
        &self.starts
    }

    /// Rows of the table that are in no group.
    pub fn n_suppressed(&self) -> usize {
        self.n_rows - self.rows.len()
    }

    /// Rows of the table.
    pub fn n_rows(&self) -> usize {
        self.n_rows
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_slices() {
        let p = Partition::new(vec![4, 0, 2, 1, 3], vec![0, 2, 3, 5], 6).unwrap();
        assert_eq!(p.groups().collect::<Vec<_>>(), [&[4, 0][..], &[2], &[1, 3]]);
        assert_eq!((p.n_groups(), p.n_suppressed()), (3, 1));
        assert_eq!(Partition::new(vec![], vec![0], 2).unwrap().n_groups(), 0);
    }

    #[test]
    fn broken_invariants_are_found() {
        for (rows, starts) in [
            (vec![0, 0], vec![0, 2]),
            (vec![0, 9], vec![0, 2]),
            (vec![0, 1], vec![0, 1]),
            (vec![0], vec![0, 0, 1]),
            (vec![], vec![]),
        ] {
            assert!(Partition::new(rows, starts, 2).is_err());
        }
    }
}
