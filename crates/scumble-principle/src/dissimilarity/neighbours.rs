//! Which values are within epsilon of which: the abstract graph of paper 2, Definition 8, on distinct values.
//!
//! How it is kept depends on the number V of distinct values:
//!
//! | V | kept as | memory |
//! |---|---|---|
//! | up to 16,384 | one bit per pair | up to 32 MiB |
//! | up to 131,072, with up to 2^26 pairs of neighbours | a rising list per value | up to 256 MiB |
//! | above | nothing: the distance is asked each time | that of the columns |
//!
//! Bits and lists are worked out once, rows in parallel. Whether lists fit is told by a sample of the values before the
//! work is done, and again by their true number. A hundred thousand values have ten billion pairs: their bits would
//! take 1.2 GiB, and asking a distance anew is as fast as fetching a bit from so far away.

use crate::distance::{Metric, Terms, with_sums};
use rayon::prelude::*;
use scumble_table::{Code, Composite, Decimal, Result};
use std::fmt;

/// The most values whose pairs are kept as bits.
const MOST_BITS: usize = 1 << 14;

/// The most values, and the most pairs, that are kept as lists.
const MOST_LISTED: usize = 1 << 17;
const MOST_PAIRS: usize = 1 << 26;

/// Values whose neighbours are counted before the lists of all are made.
const SAMPLE: usize = 256;

/// Which distinct values are near which. Nearness is mutual, and a value is near itself.
pub struct Neighbours {
    n: usize,
    kept: Kept,
    asked: Asked,
}

enum Kept {
    /// Row by row, `words` words each.
    Bits { bits: Vec<u64>, words: usize },
    /// The neighbours of value v are `ids[starts[v]..starts[v + 1]]`, rising, v among them.
    Lists { starts: Vec<usize>, ids: Vec<Code> },
    /// Nothing.
    Nothing,
}

enum Asked {
    /// A distance over columns of codes.
    Metric { terms: Terms, columns: Vec<Vec<Code>> },
    /// Any function of two values.
    Function(Box<dyn Fn(Code, Code) -> bool + Send + Sync>),
}

impl Neighbours {
    /// The neighbours within `epsilon` among the combinations of a composite whose columns are those that the metric was
    /// tied to.
    ///
    /// # Errors
    /// If the distance has too many digits to be compared exactly.
    pub fn within(metric: &Metric, composite: &Composite, epsilon: Decimal) -> Result<Self> {
        let terms = metric.within(epsilon)?;
        let columns = (0..composite.n_columns()).map(|at| composite.column(at).to_vec()).collect();
        Ok(Neighbours::keep(composite.len(), Asked::Metric { terms, columns }))
    }

    /// The neighbours by any function of two of `n` values, which must be mutual and true of a value and itself.
    pub fn by(n: usize, near: impl Fn(Code, Code) -> bool + Send + Sync + 'static) -> Self {
        Neighbours::keep(n, Asked::Function(Box::new(near)))
    }

    fn keep(n: usize, asked: Asked) -> Self {
        let mut neighbours = Neighbours { n, kept: Kept::Nothing, asked };
        if n <= MOST_BITS {
            neighbours.kept = neighbours.bits();
        } else if n <= MOST_LISTED {
            neighbours.kept = neighbours.lists().unwrap_or(Kept::Nothing);
        }
        neighbours
    }

    fn bits(&self) -> Kept {
        let words = self.n.div_ceil(64).max(1);
        let mut bits = vec![0u64; words * self.n];
        bits.par_chunks_mut(words).enumerate().for_each_init(Memory::default, |memory, (value, row)| {
            self.ask(value, memory, |other, near| row[other / 64] |= u64::from(near) << (other % 64));
        });
        Kept::Bits { bits, words }
    }

    /// Lists, where they are few enough.
    fn lists(&self) -> Option<Kept> {
        let step = self.n.div_ceil(SAMPLE).max(1);
        let row = |memory: &mut Memory, value: usize| {
            let mut row: Vec<Code> = Vec::new();
            self.ask(value, memory, |other, near| {
                if near {
                    row.push(other as Code);
                }
            });
            row
        };
        let sampled = (0..self.n).into_par_iter().step_by(step);
        let (asked, pairs) = sampled
            .map_init(Memory::default, |memory, value| (1, row(memory, value).len()))
            .reduce(|| (0, 0), |a, b| (a.0 + b.0, a.1 + b.1));
        if pairs / asked.max(1) * self.n > MOST_PAIRS {
            return None;
        }
        let rows: Vec<Vec<Code>> =
            (0..self.n).into_par_iter().map_init(Memory::default, |memory, value| row(memory, value)).collect();
        let mut starts = vec![0usize];
        for row in &rows {
            starts.push(starts[starts.len() - 1] + row.len());
        }
        (starts[self.n] <= MOST_PAIRS).then(|| Kept::Lists { starts, ids: rows.concat() })
    }

    /// Tells of every value whether it is near one, from the distance itself.
    fn ask(&self, value: usize, memory: &mut Memory, mut found: impl FnMut(usize, bool)) {
        match &self.asked {
            Asked::Metric { terms: Terms::Narrow(sums), columns } => {
                sums.row(value, columns, &mut memory.narrow, found);
            }
            Asked::Metric { terms: Terms::Wide(sums), columns } => sums.row(value, columns, &mut memory.wide, found),
            Asked::Function(near) => (0..self.n).for_each(|other| found(other, near(value as Code, other as Code))),
        }
    }

    /// Number of distinct values.
    pub fn len(&self) -> usize {
        self.n
    }

    /// True where there is no value.
    pub fn is_empty(&self) -> bool {
        self.n == 0
    }

    /// How the neighbours are kept: `bits`, `lists` or `asked`.
    pub fn kept(&self) -> &'static str {
        match self.kept {
            Kept::Bits { .. } => "bits",
            Kept::Lists { .. } => "lists",
            Kept::Nothing => "asked",
        }
    }

    /// Whether two values are near.
    #[inline]
    pub fn near(&self, a: Code, b: Code) -> bool {
        match &self.kept {
            Kept::Bits { bits, words } => bits[a as usize * words + b as usize / 64] >> (b % 64) & 1 == 1,
            // Asking is faster than halving a list.
            Kept::Lists { .. } | Kept::Nothing => match &self.asked {
                Asked::Metric { terms, columns } => {
                    with_sums!(terms, |sums| sums
                        .near(|column| columns[column][a as usize], |column| columns[column][b as usize]))
                }
                Asked::Function(near) => near(a, b),
            },
        }
    }

    /// Gives `found` every value that is near one, itself among them, in rising order.
    pub fn each_near(&self, value: Code, mut found: impl FnMut(Code)) {
        match &self.kept {
            Kept::Bits { bits, words } => {
                let row = &bits[value as usize * words..(value as usize + 1) * words];
                for (at, &word) in row.iter().enumerate() {
                    let mut word = word;
                    while word != 0 {
                        found((at * 64) as Code + word.trailing_zeros());
                        word &= word - 1;
                    }
                }
            }
            Kept::Lists { starts, ids } => {
                ids[starts[value as usize]..starts[value as usize + 1]].iter().for_each(|&other| found(other));
            }
            Kept::Nothing => self.ask(value as usize, &mut Memory::default(), |other, near| {
                if near {
                    found(other as Code);
                }
            }),
        }
    }

    /// For each value the number of other rows that are near a row of it; `weights` has the rows of each value.
    ///
    /// # Panics
    /// If there is not one weight per value.
    pub fn degrees(&self, weights: &[u32]) -> Vec<u64> {
        assert_eq!(weights.len(), self.n, "one weight per value");
        let rows = |value: usize| {
            let mut rows = 0u64;
            self.each_near(value as Code, |other| rows += u64::from(weights[other as usize]));
            rows.saturating_sub(1)
        };
        (0..self.n).into_par_iter().map(rows).collect()
    }
}

#[derive(Default)]
struct Memory {
    narrow: Vec<Vec<u64>>,
    wide: Vec<Vec<u128>>,
}

impl fmt::Debug for Neighbours {
    /// Nobody wants to see all pairs.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Neighbours").field("values", &self.n).field("kept", &self.kept()).finish_non_exhaustive()
    }
}
