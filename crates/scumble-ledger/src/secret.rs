//! The keys of a ledger: one random key, wrapped by a passphrase that is slow to try.
//!
//! A ledger must answer for ten million people in seconds, so whoever holds its key can ask for anybody just as fast. What
//! a thief of the file alone can do therefore depends on something that is not in the file. That is the passphrase:
//! Argon2id makes two keys of it and of a random salt, one of which wraps the random key, while the other shows whether the
//! passphrase was the right one. To test whether a person is in a stolen ledger one must first try passphrases, and each
//! try costs one run of Argon2id.
//!
//! Fingerprints are the same in every release that a person is in, so even fingerprints without names would tell: whoever knows
//! in which releases somebody is would find the one that is in all of these, and read off the others. They are therefore
//! encrypted, release by release, each under a key that is used for this one release.

use argon2::{Algorithm, Argon2, Params, Version};
use hmac::{Hmac, KeyInit, Mac};
use rand_chacha::ChaCha20Rng;
use rand_core::{Rng, SeedableRng};
use scumble_table::{Error, Result};
use serde::{Deserialize, Serialize};
use sha2::Sha256;
use std::collections::BTreeSet;
use std::fmt;
use zeroize::Zeroizing;

/// 32 bytes, which are both a key and a tag.
pub(crate) type Bytes32 = [u8; 32];

/// Shorter passphrases are found by trying, however slow each try is.
const SHORTEST: usize = 12;

/// Passphrases of fewer different characters are repetitions, which are tried first. Five random words have twice as many.
const FEWEST_DIFFERENT: usize = 5;

/// Memory of one try in KiB: 64 MiB, which a thief has to pay for every try that is made at the same time.
const MEMORY_KIB: u32 = 64 * 1024;

/// Passes over this memory. Together a fraction of a second.
const PASSES: u32 = 3;

/// What a file may ask of its reader at most, so that an altered one cannot take all memory: 1 GiB, and 16 passes.
const MOST_MEMORY_KIB: u32 = 1024 * 1024;
const MOST_PASSES: u32 = 16;
const MOST_LANES: u32 = 16;

/// What opens a ledger. It is wiped after use and never shown.
#[derive(Clone)]
pub struct Passphrase(Zeroizing<String>);

impl Passphrase {
    /// A passphrase; line ends after it do not count, so that it can be the one line of a file.
    ///
    /// # Errors
    /// If it is too short, or too much of a repetition, to protect anybody.
    pub fn new(text: &str) -> Result<Passphrase> {
        let text = text.trim_end_matches(['\r', '\n']);
        let refused = |reason: String| {
            Error::request("ledger_passphrase", "", reason)
                .hint("five or six random words, or the output of a generator; keep it where the ledger is not")
        };
        if text.chars().count() < SHORTEST {
            return Err(refused(format!("the passphrase of a ledger has at least {SHORTEST} characters")));
        }
        if text.chars().collect::<BTreeSet<char>>().len() < FEWEST_DIFFERENT {
            let reason = format!("the passphrase of a ledger has at least {FEWEST_DIFFERENT} different characters");
            return Err(refused(format!("{reason}: repetitions are found by trying")));
        }
        Ok(Passphrase(Zeroizing::new(text.to_string())))
    }

    /// No passphrase: one run of the slow hash opens the ledger for everybody who has the file.
    pub fn none() -> Passphrase {
        Passphrase(Zeroizing::default())
    }

    /// True if there is no passphrase.
    pub fn is_none(&self) -> bool {
        self.0.is_empty()
    }
}

impl fmt::Debug for Passphrase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Passphrase")
    }
}

/// The second line of a ledger: how its key is wrapped.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct WrappedKey {
    kdf: String,
    memory_kib: u32,
    passes: u32,
    lanes: u32,
    salt: Hex,
    wrapped: Hex,
    check: Hex,
}

/// The only function that is known.
const KDF: &str = "argon2id";

impl WrappedKey {
    /// Refuses what no ledger of this version says.
    pub(crate) fn check_limits(&self) -> Result<(), &'static str> {
        if self.kdf != KDF {
            return Err("its key is wrapped in a way that is not known here");
        }
        let within = |n: u32, most: u32| (1..=most).contains(&n);
        match within(self.passes, MOST_PASSES)
            && within(self.lanes, MOST_LANES)
            && within(self.memory_kib, MOST_MEMORY_KIB)
            && self.memory_kib >= 8 * self.lanes
        {
            true => Ok(()),
            false => Err("its key asks for more work than any ledger of this version"),
        }
    }

    /// The key, if the passphrase is the right one; nothing otherwise.
    pub(crate) fn unwrap(&self, passphrase: &Passphrase) -> Result<Option<LedgerKey>> {
        let (pad, proof) = self.derive(passphrase)?;
        if tag(&proof, &[&self.salt.0, &self.wrapped.0]) != self.check.0 {
            return Ok(None);
        }
        let mut key = Zeroizing::new(self.wrapped.0);
        key.iter_mut().zip(pad.iter()).for_each(|(key, pad)| *key ^= pad);
        Ok(Some(LedgerKey::new(&key)))
    }

    /// A new random key, wrapped by a passphrase. The salt is used once, so the pad is, too.
    pub(crate) fn create(passphrase: &Passphrase) -> Result<(WrappedKey, LedgerKey)> {
        let (salt, key) = (random()?, Zeroizing::new(random()?));
        let mut wrapped = WrappedKey {
            kdf: KDF.into(),
            memory_kib: MEMORY_KIB,
            passes: PASSES,
            lanes: 1,
            salt: Hex(salt),
            wrapped: Hex([0; 32]),
            check: Hex([0; 32]),
        };
        let (pad, proof) = wrapped.derive(passphrase)?;
        wrapped.wrapped.0.iter_mut().zip(key.iter().zip(pad.iter())).for_each(|(to, (key, pad))| *to = key ^ pad);
        wrapped.check = Hex(tag(&proof, &[&wrapped.salt.0, &wrapped.wrapped.0]));
        Ok((wrapped, LedgerKey::new(&key)))
    }

    /// The two keys that the passphrase stands for here.
    fn derive(&self, passphrase: &Passphrase) -> Result<(Zeroizing<Bytes32>, Zeroizing<Bytes32>)> {
        let failed = |error: argon2::Error| Error::bug(format!("a key cannot be derived: {error}"));
        let params = Params::new(self.memory_kib, self.passes, self.lanes, Some(64)).map_err(failed)?;
        let mut both = Zeroizing::new([0u8; 64]);
        Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
            .hash_password_into(passphrase.0.as_bytes(), &self.salt.0, &mut *both)
            .map_err(failed)?;
        let (mut pad, mut proof) = (Zeroizing::new([0u8; 32]), Zeroizing::new([0u8; 32]));
        pad.copy_from_slice(&both[..32]);
        proof.copy_from_slice(&both[32..]);
        Ok((pad, proof))
    }
}

/// The keys of an open ledger.
#[derive(Clone)]
pub(crate) struct LedgerKey {
    /// Makes fingerprints.
    people: Hmac<Sha256>,
    /// Seals records.
    seal: Zeroizing<Bytes32>,
    /// Makes the keys that fingerprints are encrypted under.
    blocks: Zeroizing<Bytes32>,
}

impl LedgerKey {
    fn new(key: &Bytes32) -> LedgerKey {
        let people = Zeroizing::new(tag(key, &[b"scumble ledger: people"]));
        let seal = Zeroizing::new(tag(key, &[b"scumble ledger: records"]));
        let blocks = Zeroizing::new(tag(key, &[b"scumble ledger: blocks"]));
        LedgerKey { people: hmac(&people), seal, blocks }
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

fn tag(key: &Bytes32, parts: &[&[u8]]) -> Bytes32 {
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

    #[test]
    fn a_key_comes_back_with_its_passphrase_alone() {
        let right = Passphrase::new("correct horse battery\n").unwrap();
        let (wrapped, key) = WrappedKey::create(&right).unwrap();
        let again = wrapped.unwrap(&Passphrase::new("correct horse battery").unwrap()).unwrap().unwrap();
        assert_eq!(again.fingerprint(7), key.fingerprint(7));
        assert_ne!(key.fingerprint(7), key.fingerprint(8));
        assert!(wrapped.unwrap(&Passphrase::new("correct horse batterz").unwrap()).unwrap().is_none());
        let (other, other_key) = WrappedKey::create(&right).unwrap();
        assert_ne!(other, wrapped);
        assert_ne!(other_key.fingerprint(7), key.fingerprint(7));
        // Cheaper parameters in an altered file lead to another key, and are noticed.
        let cheaper = WrappedKey { passes: 1, ..wrapped };
        assert!(cheaper.unwrap(&right).unwrap().is_none());
    }

    #[test]
    fn short_passphrases_and_hungry_files_are_refused() {
        assert!(Passphrase::new("elevenchars").is_err() && Passphrase::new("\n").is_err());
        assert!(Passphrase::new("twelve chars").is_ok());
        for repeated in ["aaaaaaaaaaaa", "abababababababab", "abcdabcdabcdabcd", "111122223333"] {
            let error = Passphrase::new(repeated).unwrap_err().to_string();
            assert!(error.contains("at least 5 different characters") && !error.contains(repeated), "{error}");
        }
        assert!(Passphrase::new("abcdeabcdeabcde").is_ok());
        assert_eq!(format!("{:?}", Passphrase::new("twelve chars").unwrap()), "Passphrase");
        let (wrapped, _) = WrappedKey::create(&Passphrase::new("twelve chars").unwrap()).unwrap();
        assert!(wrapped.check_limits().is_ok());
        for change in [
            |key: &mut WrappedKey| key.memory_kib = u32::MAX,
            |key: &mut WrappedKey| key.memory_kib = 7,
            |key: &mut WrappedKey| key.passes = 0,
            |key: &mut WrappedKey| key.lanes = 17,
            |key: &mut WrappedKey| key.kdf = "none".into(),
        ] {
            let mut changed = wrapped.clone();
            change(&mut changed);
            assert!(changed.check_limits().is_err());
        }
    }

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
        let (_, key) = WrappedKey::create(&Passphrase::none()).unwrap();
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
