//! All pairs as bits.

use rayon::prelude::*;
use scumble_table::Code;

/// Bits in a word.
const WORD: usize = u64::BITS as usize;

/// One bit per ordered pair of values, row by row. It is the same both ways, and a value is near itself.
pub(super) struct Bits {
    words: Vec<u64>,
    /// Words of a row.
    width: usize,
}

impl Bits {
    /// Bits of `n` values: `after` tells of a value, with some memory, which of those that follow it are near. Each pair is
    /// asked about once, rows in parallel, and turned around afterwards.
    pub(super) fn new<M: Default>(n: usize, after: impl Fn(usize, &mut M, &mut dyn FnMut(usize)) + Sync) -> Self {
        let width = n.div_ceil(WORD);
        let mut words = vec![0u64; width * n];
        words.par_chunks_mut(width.max(1)).enumerate().for_each_init(M::default, |memory, (value, row)| {
            row[value / WORD] |= 1 << (value % WORD);
            after(value, memory, &mut |other| row[other / WORD] |= 1 << (other % WORD));
        });
        let mut bits = Bits { words, width };
        bits.turn(n);
        bits
    }

    /// Copies what stands above the diagonal to below it, block by block.
    fn turn(&mut self, n: usize) {
        let mut block = [0u64; WORD];
        for down in 0..self.width {
            for right in down..self.width {
                let rows = down * WORD..((down + 1) * WORD).min(n);
                block.fill(0);
                rows.clone().for_each(|row| block[row - rows.start] = self.words[row * self.width + right]);
                transpose(&mut block);
                for row in right * WORD..((right + 1) * WORD).min(n) {
                    self.words[row * self.width + down] |= block[row % WORD];
                }
            }
        }
    }

    /// The bits of a value.
    pub(super) fn row(&self, value: Code) -> &[u64] {
        &self.words[value as usize * self.width..][..self.width]
    }

    #[inline]
    pub(super) fn near(&self, a: Code, b: Code) -> bool {
        is_set(self.row(a), b)
    }

    pub(super) fn each_near(&self, value: Code, mut found: impl FnMut(Code)) {
        for (at, &word) in self.row(value).iter().enumerate() {
            let mut word = word;
            while word != 0 {
                found((at * WORD) as Code + word.trailing_zeros());
                word &= word - 1;
            }
        }
    }
}

#[inline]
pub(super) fn is_set(row: &[u64], value: Code) -> bool {
    row[value as usize / WORD] >> (value as usize % WORD) & 1 == 1
}

/// Turns a square of bits around: halves that lie across are exchanged, then quarters, and so on.
fn transpose(block: &mut [u64; WORD]) {
    let (mut half, mut mask) = (WORD / 2, u64::MAX >> (WORD / 2));
    while half > 0 {
        for row in (0..WORD).filter(|row| row & half == 0) {
            let change = (block[row] >> half ^ block[row + half]) & mask;
            block[row + half] ^= change;
            block[row] ^= change << half;
        }
        half /= 2;
        mask ^= mask << half;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_turned_around() {
        let bit = |row: usize, column: usize| (row * 31 + column * column * 7 + row / 3).is_multiple_of(5);
        let mut block = [0u64; WORD];
        (0..WORD).for_each(|row| (0..WORD).for_each(|column| block[row] |= u64::from(bit(row, column)) << column));
        transpose(&mut block);
        (0..WORD).for_each(|row| {
            (0..WORD).for_each(|column| assert_eq!(block[row] >> column & 1 == 1, bit(column, row), "{row} {column}"));
        });
    }

    #[test]
    fn pairs_are_asked_once_and_known_both_ways() {
        for n in [0, 1, 2, 63, 64, 65, 130, 200] {
            let asked = std::sync::atomic::AtomicUsize::new(0);
            let near = |a: usize, b: usize| (a * 7 + b * 7 + a * b).is_multiple_of(3);
            let bits = Bits::new(n, |value, (): &mut (), found| {
                for other in value + 1..n {
                    asked.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                    if near(value, other) {
                        found(other);
                    }
                }
            });
            assert_eq!(asked.into_inner(), n * n.saturating_sub(1) / 2);
            for a in 0..n as Code {
                let expected: Vec<Code> = (0..n as Code).filter(|&b| a == b || near(a as usize, b as usize)).collect();
                let mut found = Vec::new();
                bits.each_near(a, |b| found.push(b));
                assert_eq!(found, expected);
                assert!((0..n as Code).all(|b| bits.near(a, b) == expected.contains(&b)));
            }
        }
    }
}
