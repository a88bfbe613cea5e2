//! The keys of an open ledger, and what is made with them.
//!
//! Fingerprints are the same in every release that a person is in, so even fingerprints without names would tell: whoever knows
//! in which releases somebody is would find the one that is in all of these, and read off the others. They are therefore
//! encrypted, release by release, each under a key that is used for this one release.

use hmac::{Hmac, KeyInit, Mac};
use rand_chacha::ChaCha20Rng;
use rand_core::{Rng, SeedableRng};
use scumble_table::{Error, Result};
use serde::{Deserialize, Serialize};
use sha2::Sha256;
use std::fmt;
use zeroize::Zeroizing;

/// 32 bytes, which are both a key and a tag.
pub(crate) type Bytes32 = [u8; 32];

/// The keys of an open ledger.
#[derive(Clone)]
pub(crate) struct LedgerKey {
    /// The key that fingerprints are made with, and what makes them.
    people_key: Zeroizing<Bytes32>,
    people: Hmac<Sha256>,
    /// Seals records.
    seal: Zeroizing<Bytes32>,
    /// Makes the keys that fingerprints are encrypted under.
    blocks: Zeroizing<Bytes32>,
}

impl LedgerKey {
    /// The keys that one key for people and one for records stand for.
    pub(crate) fn new(people_key: &Bytes32, records: &Bytes32) -> LedgerKey {
        let seal = Zeroizing::new(tag(records, &[b"scumble ledger: records"]));
        let blocks = Zeroizing::new(tag(records, &[b"scumble ledger: blocks"]));
        LedgerKey { people: hmac(people_key), people_key: Zeroizing::new(*people_key), seal, blocks }
    }

    /// The key that fingerprints are made with. It stays as long as the ledger, since nobody's digest is kept.
    pub(crate) fn people_key(&self) -> &Bytes32 {
        &self.people_key
    }

    /// The fingerprint of a person: HMAC-SHA-256 of the digest of the person's key, of which 64 bits are kept. Among 24
    /// releases of ten million people each, these take anybody for somebody else once in ten thousand whole checks.
    #[inline]
    pub(crate) fn fingerprint(&self, digest: u128) -> u64 {
        let mut mac = self.people.clone();
        mac.update(&digest.to_le_bytes());
        let whole = mac.finalize().into_bytes();
        let mut first = [0; 8];
        first.copy_from_slice(&whole[..8]);
        u64::from_le_bytes(first)
    }

    /// The tag of a record, which follows another one.
    pub(crate) fn seal(&self, before: &Bytes32, record: &[u8]) -> Bytes32 {
        tag(&self.seal, &[before, record])
    }

    /// The cipher of the fingerprints of one release. The salt is drawn for this release, so no key stream is used twice.
    pub(crate) fn cipher(&self, salt: &Hex) -> BlockCipher {
        BlockCipher(Zeroizing::new(tag(&self.blocks, &[&salt.0])))
    }
}

/// Encrypts and decrypts the fingerprints of one release: they are added to the stream of ChaCha20 under a key of their own.
pub(crate) struct BlockCipher(Zeroizing<Bytes32>);

impl BlockCipher {
    /// Adds the key stream to bytes that begin at an offset in the block, a multiple of the 64 bytes that ChaCha20 makes at once.
    pub(crate) fn apply(&self, bytes: &mut [u8], offset: u64) {
        let mut stream = ChaCha20Rng::from_seed(*self.0);
        stream.set_word_pos(u128::from(offset / 4));
        let mut pad = Zeroizing::new([0u8; 4096]);
        for chunk in bytes.chunks_mut(pad.len()) {
            stream.fill_bytes(&mut pad[..]);
            chunk.iter_mut().zip(pad.iter()).for_each(|(byte, pad)| *byte ^= pad);
        }
    }
}

/// 32 bytes from the operating system.
pub(crate) fn random() -> Result<Bytes32> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(|error| Error::Io {
        doing: "take random bytes from".into(),
        path: "the system".into(),
        reason: error.to_string(),
    })?;
    Ok(bytes)
}

fn hmac(key: &Bytes32) -> Hmac<Sha256> {
    // Shorter keys are filled up with zeros to a block by definition.
    let mut block = Zeroizing::new([0u8; 64]);
    block[..32].copy_from_slice(key);
    Hmac::<Sha256>::new(&(*block).into())
}

pub(crate) fn tag(key: &Bytes32, parts: &[&[u8]]) -> Bytes32 {
    let mut mac = hmac(key);
    parts.iter().for_each(|part| mac.update(part));
    mac.finalize().into_bytes().into()
}

/// 32 bytes, written in hexadecimal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Hex(pub(crate) Bytes32);

impl Hex {
    /// Reads 64 digits, small letters only: every value has one text.
    pub(crate) fn parse(text: &[u8]) -> Option<Hex> {
        let digit = |byte: u8| match byte {
            b'0'..=b'9' => Some(byte - b'0'),
            b'a'..=b'f' => Some(byte - b'a' + 10),
            _ => None,
        };
        if text.len() != 64 {
            return None;
        }
        let mut bytes = [0; 32];
        for (byte, pair) in bytes.iter_mut().zip(text.chunks_exact(2)) {
            *byte = digit(pair[0])? << 4 | digit(pair[1])?;
        }
        Some(Hex(bytes))
    }
}

impl fmt::Display for Hex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl Serialize for Hex {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Hex {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Hex, D::Error> {
        let text = String::deserialize(from)?;
        Hex::parse(text.as_bytes()).ok_or_else(|| serde::de::Error::custom("64 hexadecimal digits are wanted"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Test case 2 of RFC 4231, whose key is filled up to 32 bytes with zeros, which is the same key.
    #[test]
    fn tags_are_hmac_sha_256() {
        let mut key = [0; 32];
        key[..4].copy_from_slice(b"Jefe");
        let tag = Hex(tag(&key, &[b"what do ya want ", b"for nothing?"])).to_string();
        assert_eq!(tag, "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
    }

    /// The first test vector of RFC 8439, appendix A.1, is the stream of a key of zeros.
    #[test]
    fn blocks_are_encrypted_with_chacha20() {
        let zeros = BlockCipher(Zeroizing::new([0; 32]));
        let mut bytes = [0; 32];
        zeros.apply(&mut bytes, 0);
        let expected = "76b8e0ada0f13d90405d6ae55386bd28bdd219b8a08ded1aa836efcc8b770dc7";
        assert_eq!(Hex(bytes).to_string(), expected);
        // A part in the middle is decrypted by itself.
        let key = LedgerKey::new(&[3; 32], &[4; 32]);
        let (salt, other) = (Hex([1; 32]), Hex([2; 32]));
        let mut whole = vec![7u8; 10_000];
        key.cipher(&salt).apply(&mut whole, 0);
        let mut part = whole[8192..].to_vec();
        key.cipher(&salt).apply(&mut part, 8192);
        assert_eq!(part, [7; 10_000 - 8192]);
        key.cipher(&other).apply(&mut whole, 0);
        assert!(whole.iter().filter(|&&byte| byte == 7).count() < 200);
    }

    #[test]
    fn hexadecimal_has_one_form() {
        let text = "00ff".repeat(16);
        assert_eq!(Hex::parse(text.as_bytes()).unwrap().to_string(), text);
        assert!(Hex::parse(text.to_uppercase().as_bytes()).is_none() && Hex::parse(b"00").is_none());
    }
}
