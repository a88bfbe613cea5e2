//! How often the bins of two attributes meet.

use super::bins::Bins;
use rayon::prelude::*;
use scumble_table::{Codes, with_codes};

/// Rows that one thread counts at a time.
const BLOCK: usize = 1 << 16;

/// Rows of the focused attribute's bins (down) and of a given attribute's bins (across).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Crosstab {
    across: usize,
    counts: Vec<u64>,
}

impl Crosstab {
    /// From counts, line by line.
    ///
    /// # Panics
    /// If the counts are not whole lines.
    pub fn new(across: usize, counts: Vec<u64>) -> Self {
        assert!(across > 0 && counts.len().is_multiple_of(across) || counts.is_empty());
        Crosstab { across: across.max(1), counts }
    }

    /// Counts some rows, or all.
    pub(crate) fn count(focused: (&Codes, &Bins), given: (&Codes, &Bins), rows: Option<&[u32]>) -> Self {
        let (down, across) = (focused.1.len(), given.1.len().max(1));
        let (f, q) = (focused.1.bin_of(), given.1.bin_of());
        let field = |a: usize, b: usize| f[a] as usize * across + q[b] as usize;
        let zero = || vec![0u64; down * across];
        let counts = with_codes!(focused.0, |a| with_codes!(given.0, |b| match rows {
            Some(rows) => rows
                .par_chunks(BLOCK)
                .map(|rows| {
                    let mut counts = zero();
                    for &row in rows {
                        counts[field(a[row as usize] as usize, b[row as usize] as usize)] += 1;
                    }
                    counts
                })
                .reduce(zero, sum),
            None => a
                .par_chunks(BLOCK)
                .zip(b.par_chunks(BLOCK))
                .map(|(a, b)| {
                    let mut counts = zero();
                    for (&a, &b) in a.iter().zip(b) {
                        counts[field(a as usize, b as usize)] += 1;
                    }
                    counts
                })
                .reduce(zero, sum),
        }));
        Crosstab { across, counts }
    }

    /// Lines, one for each bin of the focused attribute.
    pub fn lines(&self) -> impl Iterator<Item = &[u64]> {
        self.counts.chunks(self.across)
    }

    /// How many bins the given attribute has.
    pub fn across(&self) -> usize {
        self.across
    }

    /// Rows of each bin of the focused attribute.
    pub fn down_totals(&self) -> Vec<u64> {
        self.lines().map(|line| line.iter().sum()).collect()
    }

    /// Rows of each bin of the given attribute.
    pub fn across_totals(&self) -> Vec<u64> {
        let mut totals = vec![0; self.across];
        for line in self.lines() {
            for (total, count) in totals.iter_mut().zip(line) {
                *total += count;
            }
        }
        totals
    }

    /// All rows.
    pub fn rows(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// The same without some bins of the given attribute.
    #[must_use]
    pub(crate) fn without(&self, left_out: impl Fn(usize) -> bool) -> Crosstab {
        let keep: Vec<usize> = (0..self.across).filter(|&at| !left_out(at)).collect();
        let counts = self.lines().flat_map(|line| keep.iter().map(|&at| line[at])).collect();
        Crosstab { across: keep.len().max(1), counts }
    }
}

fn sum(mut a: Vec<u64>, b: Vec<u64>) -> Vec<u64> {
    for (a, b) in a.iter_mut().zip(b) {
        *a += b;
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;
    use scumble_table::Domain;

    #[test]
    fn rows_are_counted_by_bin() {
        let f: Codes = [1, 2, 2, 0, 3, 1].into_iter().collect();
        let q: Codes = [1, 1, 2, 2, 0, 1].into_iter().collect();
        let domain = Domain::nominal(vec!["a".into(), "b".into()]);
        let (fb, qb) = (Bins::equal_frequency(&f.histogram(4), 20), Bins::given(&domain, &q.histogram(3)));
        let all = Crosstab::count((&f, &fb), (&q, &qb), None);
        assert_eq!(all.lines().collect::<Vec<_>>(), [[2, 0, 0], [1, 1, 0], [0, 0, 1], [0, 1, 0]]);
        assert_eq!((all.down_totals(), all.across_totals(), all.rows()), (vec![2, 2, 1, 1], vec![3, 2, 1], 6));
        let some = Crosstab::count((&f, &fb), (&q, &qb), Some(&[0, 4]));
        assert_eq!(some.across_totals(), [1, 0, 1]);
        assert_eq!(all.without(|at| at == 2).across_totals(), [3, 2]);
    }
}
