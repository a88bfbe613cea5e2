//! A bit for each row, and how conditions find theirs.
//!
//! A test is answered once for each code of its column. Rows then only look up bits, in blocks whose words stay in the
//! nearest cache, and `and`, `or` and `not` work on 64 rows at once.

use super::formula::Formula;
use super::predicate::{BoundCondition, BoundTest};
use super::value::Scale;
use super::working::WorkingColumn;
use rayon::prelude::*;
use scumble_table::{Codes, with_codes};

/// Words of a block.
const WORDS: usize = 64;

/// Rows of a block.
pub(super) const BLOCK: usize = 64 * WORDS;

/// A bit for each row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Mask {
    words: Vec<u64>,
    n_rows: usize,
}

impl Mask {
    pub(super) fn none(n_rows: usize) -> Mask {
        Mask { words: vec![0; n_rows.div_ceil(64)], n_rows }
    }

    pub(super) fn all(n_rows: usize) -> Mask {
        let mut mask = Mask { words: vec![u64::MAX; n_rows.div_ceil(64)], n_rows };
        if let Some(last) = mask.words.last_mut().filter(|_| !n_rows.is_multiple_of(64)) {
            *last = (1 << (n_rows % 64)) - 1;
        }
        mask
    }

    /// Number of rows whose bit is set.
    pub(super) fn count(&self) -> u64 {
        self.words.iter().map(|word| u64::from(word.count_ones())).sum()
    }

    /// The rows whose bit is set, rising.
    pub(super) fn rows(&self) -> Vec<u32> {
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
    pub(super) fn remove(&mut self, other: &Mask) {
        self.words.iter_mut().zip(&other.words).for_each(|(word, other)| *word &= !other);
    }

    /// Adds rows.
    pub(super) fn add(&mut self, other: &Mask) {
        self.words.iter_mut().zip(&other.words).for_each(|(word, other)| *word |= other);
    }

    pub(super) fn words(&self) -> &[u64] {
        &self.words
    }

    pub(super) fn blocks(&self) -> rayon::slice::Chunks<'_, u64> {
        self.words.par_chunks(WORDS)
    }

    pub(super) fn blocks_mut(&mut self) -> rayon::slice::ChunksMut<'_, u64> {
        self.words.par_chunks_mut(WORDS)
    }
}

/// The answer to a test for every code of its column.
struct CodeBits {
    column: usize,
    bits: Vec<bool>,
}

/// A condition whose tests are answered.
type Lookup = Formula<CodeBits>;

/// The rows among `staying` that meet a condition.
pub(super) fn matching(
    condition: &BoundCondition,
    columns: &mut [WorkingColumn],
    scales: &[Scale],
    staying: &Mask,
) -> Mask {
    let lookup = answered(condition, columns, scales);
    let codes: Vec<&Codes> = columns.iter().map(|column| &column.codes).collect();
    let mut mask = staying.clone();
    let n_rows = mask.n_rows;
    mask.blocks_mut().enumerate().for_each(|(at, words)| {
        let start = at * BLOCK;
        let found = block(&lookup, &codes, start..n_rows.min(start + BLOCK));
        words.iter_mut().zip(found).for_each(|(word, found)| *word &= found);
    });
    mask
}

/// Answers every test for every code. What is asked about one column alone becomes one table.
fn answered(condition: &BoundCondition, columns: &mut [WorkingColumn], scales: &[Scale]) -> Lookup {
    match condition {
        Formula::Test(BoundTest { column, predicate }) => {
            let bits = columns[*column].bits(&scales[*column], |value| predicate.holds(value));
            Formula::Test(CodeBits { column: *column, bits })
        }
        Formula::Not(inner) => match answered(inner, columns, scales) {
            Formula::Test(CodeBits { column, mut bits }) => {
                bits.iter_mut().for_each(|bit| *bit = !*bit);
                Formula::Test(CodeBits { column, bits })
            }
            other => Formula::Not(Box::new(other)),
        },
        Formula::And(parts) => {
            joined(parts.iter().map(|part| answered(part, columns, scales)), |a, b| a & b, Formula::And)
        }
        Formula::Or(parts) => {
            joined(parts.iter().map(|part| answered(part, columns, scales)), |a, b| a | b, Formula::Or)
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
