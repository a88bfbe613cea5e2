//! Fingerprints of the people of a release: rising numbers, looked through part by part.

use crate::keys::{BlockCipher, Bytes32, Hex, LedgerKey};
use rayon::prelude::*;
use scumble_table::{Monitor, Result};
use sha2::{Digest, Sha256};
use std::io::{self, Read, Seek, SeekFrom};

/// Bytes of a fingerprint in the file.
pub(crate) const WIDTH: u64 = 8;

/// Fingerprints of a part: each has a checksum of its own, so that parts are read and checked side by side.
pub(crate) const PART: usize = 1 << 20;

/// Fingerprints by rising value, and whose they are.
pub struct Fingerprints {
    /// Rising; without doubles where they are entered.
    values: Vec<u64>,
    /// Position of the digest that each was made from.
    of: Vec<u32>,
}

impl Fingerprints {
    /// The fingerprints of digests; those that are 0 stand for nobody.
    pub(crate) fn new(key: &LedgerKey, digests: &[u128], monitor: Monitor<'_>) -> Result<Fingerprints> {
        monitor.check()?;
        let made = digests.par_iter().enumerate().with_min_len(1 << 12).filter(|(_, digest)| **digest != 0);
        let mut pairs: Vec<(u64, u32)> = made.map(|(at, &digest)| (key.fingerprint(digest), at as u32)).collect();
        monitor.check()?;
        pairs.par_sort_unstable();
        pairs.dedup_by_key(|pair| pair.0);
        monitor.check()?;
        let (values, of) = pairs.into_iter().unzip();
        Ok(Fingerprints { values, of })
    }

    /// The fingerprints by which people may be known: of their digests, and of others that the same people may have, 0 for none.
    /// They are for looking people up, and are not entered.
    pub(crate) fn for_looking(
        key: &LedgerKey,
        digests: &[u128],
        others: &[u128],
        monitor: Monitor<'_>,
    ) -> Result<Fingerprints> {
        monitor.check()?;
        let made = |digests: &[u128]| -> Vec<(u64, u32)> {
            let made = digests.par_iter().enumerate().with_min_len(1 << 12).filter(|(_, digest)| **digest != 0);
            made.map(|(at, &digest)| (key.fingerprint(digest), at as u32)).collect()
        };
        let mut pairs = made(digests);
        pairs.extend(made(others));
        monitor.check()?;
        pairs.par_sort_unstable();
        pairs.dedup();
        monitor.check()?;
        let (values, of) = pairs.into_iter().unzip();
        Ok(Fingerprints { values, of })
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The bytes that are stored of each part: encrypted.
    pub(crate) fn encrypted(&self, cipher: &BlockCipher) -> Vec<Vec<u8>> {
        self.values.par_chunks(PART).enumerate().map(|(at, part)| encrypted_part(part, at, cipher)).collect()
    }
}

/// The bytes that are stored of a part.
pub(crate) fn encrypted_part(values: &[u64], at: usize, cipher: &BlockCipher) -> Vec<u8> {
    let mut bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
    cipher.apply(&mut bytes, start_of(at));
    bytes
}

/// The checksums of parts as they are stored: whether they were altered is seen before anything is decrypted.
pub(crate) fn checksums(parts: &[Vec<u8>]) -> Vec<Hex> {
    parts.par_iter().map(|part| Hex(checksum(part))).collect()
}

/// Where a part begins in its block.
fn start_of(part: usize) -> u64 {
    part as u64 * PART as u64 * WIDTH
}

fn checksum(bytes: &[u8]) -> Bytes32 {
    Sha256::digest(bytes).into()
}

/// Where the fingerprints of a release are in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Block {
    pub(crate) offset: u64,
    pub(crate) n: u64,
    pub(crate) salt: Hex,
    pub(crate) parts: Vec<Hex>,
}

/// A part of a block that is not the one that was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Altered;

impl Block {
    /// Bytes that it takes.
    pub(crate) fn len(&self) -> u64 {
        self.n * WIDTH
    }

    /// Reads a part, which is the one that was written, and decrypts it; its fingerprints rise.
    pub(crate) fn read_part(
        &self,
        file: &mut (impl Read + Seek),
        at: usize,
        cipher: &BlockCipher,
    ) -> io::Result<Result<Vec<u64>, Altered>> {
        let n = (self.n - at as u64 * PART as u64).min(PART as u64) as usize;
        file.seek(SeekFrom::Start(self.offset + start_of(at)))?;
        let mut bytes = vec![0; n * WIDTH as usize];
        file.read_exact(&mut bytes)?;
        if checksum(&bytes) != self.parts[at].0 {
            return Ok(Err(Altered));
        }
        cipher.apply(&mut bytes, start_of(at));
        let whole = bytes.chunks_exact(WIDTH as usize);
        let values: Vec<u64> = whole.map(|eight| u64::from_le_bytes(eight.try_into().unwrap_or([0; 8]))).collect();
        Ok(if values.windows(2).all(|pair| pair[0] < pair[1]) { Ok(values) } else { Err(Altered) })
    }
}

/// Positions in `mine` of the values that are also in `part`; both rise.
pub(crate) fn common(mine: &[u64], part: &[u64]) -> Vec<usize> {
    let (Some(first), Some(last)) = (part.first(), part.last()) else { return Vec::new() };
    let from = mine.partition_point(|value| value < first);
    let to = mine.partition_point(|value| value <= last);
    let (mut found, mut at) = (Vec::new(), 0);
    for (place, value) in mine[from..to].iter().enumerate() {
        while part[at] < *value {
            at += 1;
        }
        if part[at] == *value {
            found.push(from + place);
        }
    }
    found
}

impl Fingerprints {
    /// The values.
    pub(crate) fn values(&self) -> &[u64] {
        &self.values
    }

    /// Which digest a fingerprint was made from.
    pub(crate) fn digest_of(&self, at: usize) -> u32 {
        self.of[at]
    }

    /// Fingerprints that were read, which are of nobody known.
    pub(crate) fn from_values(values: Vec<u64>) -> Fingerprints {
        Fingerprints { of: (0..values.len() as u32).collect(), values }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_values_are_those_of_both() {
        let mut state = 1u64;
        let mut next = move |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % below
        };
        for _ in 0..2000 {
            let mut set = |n: u64| {
                let mut values: Vec<u64> = (0..n).map(|_| next(40)).collect();
                values.sort_unstable();
                values.dedup();
                values
            };
            let (mine, part) = (set(12), set(15));
            let naive: Vec<usize> = (0..mine.len()).filter(|&at| part.contains(&mine[at])).collect();
            assert_eq!(common(&mine, &part), naive, "{mine:?} {part:?}");
        }
        assert!(common(&[1], &[]).is_empty() && common(&[], &[1]).is_empty());
    }
}
