//! A bit for each row, and how conditions find theirs.
//!
//! A test is answered once for each code of its column. Rows then only look up bits, in blocks whose words stay in the
//! nearest cache, and `and`, `or` and `not` work on 64 rows at once.

use crate::{Codes, Formula, with_codes};
use rayon::prelude::*;

/// Words of a block.
const WORDS: usize = 64;

/// Rows of a block.
pub const BLOCK_ROWS: usize = 64 * WORDS;

/// A bit for each row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowMask {
    words: Vec<u64>,
    n_rows: usize,
}

impl RowMask {
    /// No row.
    pub fn none(n_rows: usize) -> RowMask {
        RowMask { words: vec![0; n_rows.div_ceil(64)], n_rows }
    }

    /// Every row.
    pub fn all(n_rows: usize) -> RowMask {
        let mut mask = RowMask { words: vec![u64::MAX; n_rows.div_ceil(64)], n_rows };
        if let Some(last) = mask.words.last_mut().filter(|_| !n_rows.is_multiple_of(64)) {
            *last = (1 << (n_rows % 64)) - 1;
        }
        mask
    }

    /// Number of rows whose bit is set.
    pub fn count(&self) -> u64 {
        self.words.iter().map(|word| u64::from(word.count_ones())).sum()
    }

    /// The mask of these bits, 64 rows in a word; bits beyond the last row are cleared.
    pub fn from_words(mut words: Vec<u64>, n_rows: usize) -> RowMask {
        words.resize(n_rows.div_ceil(64), 0);
        let mut mask = RowMask::all(n_rows);
        mask.words.iter_mut().zip(words).for_each(|(word, given)| *word &= given);
        mask
    }

    /// The rows whose bit is set, rising.
    pub fn rows(&self) -> Vec<u32> {
        let mut rows = Vec::with_capacity(self.count() as usize);
        for (at, &word) in self.words.iter().enumerate() {
            let mut rest = word;
            while rest != 0 {
                rows.push((at * 64) as u32 + rest.trailing_zeros());
                rest &= rest - 1;
            }
        }
        rows
    }

    /// Takes rows out.
    pub fn remove(&mut self, other: &RowMask) {
        self.words.iter_mut().zip(&other.words).for_each(|(word, other)| *word &= !other);
    }

    /// Adds rows.
    pub fn add(&mut self, other: &RowMask) {
        self.words.iter_mut().zip(&other.words).for_each(|(word, other)| *word |= other);
    }

    /// Number of rows, whether their bit is set or not.
    pub fn n_rows(&self) -> usize {
        self.n_rows
    }

    /// The bits, 64 rows in a word.
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// The words of [`BLOCK_ROWS`] rows at a time.
    pub fn blocks(&self) -> rayon::slice::Chunks<'_, u64> {
        self.words.par_chunks(WORDS)
    }

    /// The same, to be changed.
    pub fn blocks_mut(&mut self) -> rayon::slice::ChunksMut<'_, u64> {
        self.words.par_chunks_mut(WORDS)
    }
}

/// The answer to a test for every code of its column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CodeBits {
    /// The place of the column.
    pub column: usize,
    /// The answer for each of its codes, null first.
    pub bits: Vec<bool>,
}

/// A condition whose tests are answered.
type Lookup = Formula<CodeBits>;

impl Formula<CodeBits> {
    /// The rows among `rows` that meet the formula; `columns` are those that its tests name by their places.
    pub fn matching(&self, columns: &[&Codes], rows: &RowMask) -> RowMask {
        let lookup = self.joined();
        let mut mask = rows.clone();
        let n_rows = mask.n_rows;
        mask.blocks_mut().enumerate().for_each(|(at, words)| {
            let start = at * BLOCK_ROWS;
            let found = block(&lookup, columns, start..n_rows.min(start + BLOCK_ROWS));
            words.iter_mut().zip(found).for_each(|(word, found)| *word &= found);
        });
        mask
    }

    /// The same formula in which tests of one column that stand together are one table.
    fn joined(&self) -> Formula<CodeBits> {
        match self {
            Formula::Test(test) => Formula::Test(test.clone()),
            Formula::Not(inner) => match inner.joined() {
                Formula::Test(CodeBits { column, bits }) => {
                    Formula::Test(CodeBits { column, bits: bits.iter().map(|bit| !bit).collect() })
                }
                other => Formula::Not(Box::new(other)),
            },
            Formula::And(parts) => joined(parts.iter().map(Formula::joined), |a, b| a & b, Formula::And),
            Formula::Or(parts) => joined(parts.iter().map(Formula::joined), |a, b| a | b, Formula::Or),
        }
    }
}

/// Tables of the same column become one.
fn joined(
    parts: impl Iterator<Item = Lookup>,
    join: impl Fn(bool, bool) -> bool,
    row: impl Fn(Vec<Lookup>) -> Lookup,
) -> Lookup {
    let mut kept: Vec<Lookup> = Vec::new();
    for part in parts {
        let same = kept.iter_mut().find_map(|known| match (known, &part) {
            (Formula::Test(known), Formula::Test(new)) if known.column == new.column => Some((known, new)),
            _ => None,
        });
        match same {
            Some((known, new)) => known.bits.iter_mut().zip(&new.bits).for_each(|(a, b)| *a = join(*a, *b)),
            None => kept.push(part),
        }
    }
    match kept.len() {
        1 => kept.remove(0),
        _ => row(kept),
    }
}

/// The bits of one block of rows; bits beyond its end mean nothing.
fn block(lookup: &Lookup, columns: &[&Codes], rows: std::ops::Range<usize>) -> [u64; WORDS] {
    match lookup {
        Formula::Test(CodeBits { column, bits }) => {
            let mut words = [0; WORDS];
            with_codes!(columns[*column], |s| for (word, cells) in words.iter_mut().zip(s[rows].chunks(64)) {
                for (at, &cell) in cells.iter().enumerate() {
                    *word |= u64::from(bits[cell as usize]) << at;
                }
            });
            words
        }
        Formula::Not(inner) => block(inner, columns, rows).map(|word| !word),
        Formula::And(parts) => {
            let mut words = [u64::MAX; WORDS];
            for part in parts {
                let found = block(part, columns, rows.clone());
                words.iter_mut().zip(found).for_each(|(word, found)| *word &= found);
                if words == [0; WORDS] {
                    break;
                }
            }
            words
        }
        Formula::Or(parts) => {
            let mut words = [0; WORDS];
            for part in parts {
                let found = block(part, columns, rows.clone());
                words.iter_mut().zip(found).for_each(|(word, found)| *word |= found);
            }
            words
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Code, CodesBuilder, uniform_below};

    /// A formula of some depth over three columns of four codes each.
    fn formula(depth: usize, draw: &mut impl FnMut(u64) -> u64) -> Formula<CodeBits> {
        match (depth, draw(4)) {
            (0, _) | (_, 0) => {
                Formula::Test(CodeBits { column: draw(3) as usize, bits: (0..4).map(|_| draw(2) == 1).collect() })
            }
            (_, 1) => Formula::Not(Box::new(formula(depth - 1, draw))),
            (_, joint) => {
                let parts = (0..draw(4)).map(|_| formula(depth - 1, draw)).collect();
                if joint == 2 { Formula::And(parts) } else { Formula::Or(parts) }
            }
        }
    }

    fn holds(formula: &Formula<CodeBits>, row: &[Code]) -> bool {
        match formula {
            Formula::Test(test) => test.bits[row[test.column] as usize],
            Formula::Not(inner) => !holds(inner, row),
            Formula::And(parts) => parts.iter().all(|part| holds(part, row)),
            Formula::Or(parts) => parts.iter().any(|part| holds(part, row)),
        }
    }

    #[test]
    fn masks_are_what_each_row_says() {
        let mut state = 7u64;
        let mut random = move || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            state ^ state >> 29
        };
        let mut draw = |below: u64| uniform_below(below, &mut random);
        let coded = |cells: &Vec<Code>| {
            let mut codes = CodesBuilder::new(3, cells.len());
            codes.extend(cells.iter().copied());
            codes.finish()
        };
        for case in 0..2000 {
            let n_rows = [0, 1, 63, 64, 65, 200, BLOCK_ROWS + 3][case % 7];
            let columns: Vec<Vec<Code>> = (0..3).map(|_| (0..n_rows).map(|_| draw(4) as Code).collect()).collect();
            let codes: Vec<Codes> = columns.iter().map(coded).collect();
            let formula = formula(3, &mut draw);
            let words = (0..n_rows.div_ceil(64)).map(|_| draw(u64::MAX)).collect();
            let among = RowMask::from_words(words, n_rows);
            let found = formula.matching(&codes.iter().collect::<Vec<_>>(), &among);
            let wanted: Vec<u32> = among
                .rows()
                .into_iter()
                .filter(|&row| holds(&formula, &[0, 1, 2].map(|column| columns[column][row as usize])))
                .collect();
            assert_eq!(found.rows(), wanted, "{formula:?}");
            assert_eq!(found.count(), wanted.len() as u64);
        }
    }
}
