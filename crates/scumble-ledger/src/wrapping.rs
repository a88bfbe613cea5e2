//! How the keys of a ledger are wrapped: its second line.
//!
//! A ledger must answer for ten million people in seconds, so whoever holds its keys can ask for anybody just as fast. What
//! a thief of the file alone can do therefore depends on something that is not in the file:
//!
//! * a *passphrase*, of which Argon2id makes what wraps the keys: each try of a passphrase costs one run of it;
//! * or a *key file* of 32 random bytes, which nobody can try.
//!
//! Either also makes a proof, which shows whether it was the right one. Version 2 wrapped one key, and where there was no
//! passphrase it took the empty one, so that a single run of the slow hash opened the ledger for everybody.

use crate::key_file::{KeyFile, is_id};
use crate::keys::{Bytes32, Hex, LedgerKey, random, tag};
use crate::passphrase::Passphrase;
use crate::place::refusal;
use argon2::{Algorithm, Argon2, Params, Version};
use scumble_table::{Error, Monitor, Result};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use zeroize::Zeroizing;

/// Memory of one try in KiB: 64 MiB, which a thief has to pay for every try that is made at the same time.
const MEMORY_KIB: u32 = 64 * 1024;

/// Passes over this memory. Together a fraction of a second.
const PASSES: u32 = 3;

/// What a file may ask of its reader at most, so that an altered one cannot take all memory: 1 GiB, and 16 passes.
const MOST_MEMORY_KIB: u32 = 1024 * 1024;
const MOST_PASSES: u32 = 16;
const MOST_LANES: u32 = 16;

/// What a ledger may be opened with. A new one takes the passphrase where there is one, else the key file.
#[derive(Debug, Clone, Default)]
pub struct Secrets {
    /// What its owner remembers.
    pub passphrase: Option<Passphrase>,
    /// Where its owner's key is, or is made when the first ledger needs one.
    pub key_file: Option<PathBuf>,
}

/// What opens a ledger.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum OpensWith {
    /// Its passphrase.
    Passphrase,
    /// The key file with this public name.
    Key(String),
    /// Nothing: it is of version 2 and has no passphrase.
    Nothing,
}

impl Secrets {
    /// A passphrase alone.
    pub fn passphrase(passphrase: Passphrase) -> Secrets {
        Secrets { passphrase: Some(passphrase), key_file: None }
    }

    /// A key file alone.
    pub fn key_file(path: impl Into<PathBuf>) -> Secrets {
        Secrets { passphrase: None, key_file: Some(path.into()) }
    }
}

/// The second line of a ledger of this version.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct WrappedKeys {
    #[serde(flatten)]
    by: Wrapping,
    salt: Hex,
    people: Hex,
    records: Hex,
    check: Hex,
}

/// What wraps the keys.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kdf")]
enum Wrapping {
    #[serde(rename = "argon2id")]
    Passphrase {
        #[serde(flatten)]
        cost: Cost,
    },
    #[serde(rename = "hmac-sha256")]
    KeyFile { key: String },
}

/// What a run of Argon2id costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct Cost {
    memory_kib: u32,
    passes: u32,
    lanes: u32,
}

impl Cost {
    /// Refuses what no ledger says.
    fn check(self) -> Result<(), &'static str> {
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

    /// As many keys as are asked for.
    fn derive<const N: usize>(self, passphrase: &[u8], salt: &Hex) -> Result<[Zeroizing<Bytes32>; N]> {
        let failed = |error: argon2::Error| Error::bug(format!("a key cannot be derived: {error}"));
        let params = Params::new(self.memory_kib, self.passes, self.lanes, Some(N * 32)).map_err(failed)?;
        let mut all = Zeroizing::new(vec![0u8; N * 32]);
        Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
            .hash_password_into(passphrase, &salt.0, &mut all)
            .map_err(failed)?;
        let mut keys = std::array::from_fn(|_| Zeroizing::new([0u8; 32]));
        keys.iter_mut().zip(all.chunks_exact(32)).for_each(|(key, made): (&mut Zeroizing<Bytes32>, _)| {
            key.copy_from_slice(made);
        });
        Ok(keys)
    }
}

impl WrappedKeys {
    /// Refuses what no ledger of this version says.
    fn check_limits(&self) -> Result<(), &'static str> {
        match &self.by {
            Wrapping::Passphrase { cost } => cost.check(),
            Wrapping::KeyFile { key } if is_id(key) => Ok(()),
            Wrapping::KeyFile { .. } => Err("the name of its key is none"),
        }
    }

    /// Random keys, wrapped by the passphrase, or by a key file where there is none. The key for people may be one that is in
    /// use already.
    pub(crate) fn create(
        ledger: &Path,
        secrets: &Secrets,
        people: Option<&Bytes32>,
        monitor: Monitor<'_>,
    ) -> Result<(WrappedKeys, LedgerKey)> {
        let salt = Hex(random()?);
        let (by, [people_pad, records_pad, proof]) = match (&secrets.passphrase, &secrets.key_file) {
            (Some(passphrase), _) => {
                let cost = Cost { memory_kib: MEMORY_KIB, passes: PASSES, lanes: 1 };
                (Wrapping::Passphrase { cost }, cost.derive(passphrase.bytes(), &salt)?)
            }
            (None, Some(path)) => {
                let file = KeyFile::read_or_make(path, ledger, monitor)?;
                (Wrapping::KeyFile { key: file.id() }, file.derive(&salt))
            }
            (None, None) => {
                return Err(refusal(
                    ledger,
                    "there is nothing that could protect it: no passphrase was given, and no place for a key",
                )
                .hint("name a file in «ledger_passphrase» or «ledger_key», or set the environment variable HOME"));
            }
        };
        let people = Zeroizing::new(match people {
            Some(key) => *key,
            None => random()?,
        });
        let records = Zeroizing::new(random()?);
        let (people_hidden, records_hidden) = (Hex(xor(&people, &people_pad)), Hex(xor(&records, &records_pad)));
        let check = Hex(tag(&proof, &[&salt.0, &people_hidden.0, &records_hidden.0]));
        let wrapped = WrappedKeys { by, salt, people: people_hidden, records: records_hidden, check };
        Ok((wrapped, LedgerKey::new(&people, &records)))
    }

    /// The keys, if what opens them is there.
    fn unwrap(&self, ledger: &Path, secrets: &Secrets, monitor: Monitor<'_>) -> Result<LedgerKey> {
        let [people_pad, records_pad, proof] = match &self.by {
            Wrapping::Passphrase { cost } => {
                let passphrase = secrets.passphrase.as_ref().ok_or_else(|| no_passphrase(ledger))?;
                cost.derive(passphrase.bytes(), &self.salt)?
            }
            Wrapping::KeyFile { key } => KeyFile::wanted(key, ledger, secrets, monitor)?.derive(&self.salt),
        };
        if tag(&proof, &[&self.salt.0, &self.people.0, &self.records.0]) != self.check.0 {
            return Err(match &self.by {
                Wrapping::Passphrase { .. } => wrong_passphrase(ledger),
                Wrapping::KeyFile { .. } => refusal(ledger, "its second line was altered: its key does not open it")
                    .hint("put back the last good copy"),
            });
        }
        let people = Zeroizing::new(xor(&self.people.0, &people_pad));
        let records = Zeroizing::new(xor(&self.records.0, &records_pad));
        Ok(LedgerKey::new(&people, &records))
    }
}

/// The second line of a ledger of version 2.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct WrappedKey2 {
    kdf: String,
    #[serde(flatten)]
    cost: Cost,
    salt: Hex,
    wrapped: Hex,
    check: Hex,
}

impl WrappedKey2 {
    fn check_limits(&self) -> Result<(), &'static str> {
        if self.kdf == "argon2id" {
            self.cost.check()
        } else {
            Err("its key is wrapped in a way that is not known here")
        }
    }

    /// The keys, and whether nothing was needed to open them.
    fn unwrap(&self, ledger: &Path, secrets: &Secrets) -> Result<(LedgerKey, bool)> {
        let given = secrets.passphrase.as_ref();
        if let Some(passphrase) = given
            && let Some(key) = self.try_open(passphrase.bytes())?
        {
            return Ok((key, false));
        }
        match self.try_open(&[])? {
            Some(key) => Ok((key, true)),
            None => Err(if given.is_some() { wrong_passphrase(ledger) } else { no_passphrase(ledger) }),
        }
    }

    fn try_open(&self, passphrase: &[u8]) -> Result<Option<LedgerKey>> {
        let [pad, proof] = self.cost.derive(passphrase, &self.salt)?;
        if tag(&proof, &[&self.salt.0, &self.wrapped.0]) != self.check.0 {
            return Ok(None);
        }
        let key = Zeroizing::new(xor(&self.wrapped.0, &pad));
        let people = Zeroizing::new(tag(&key, &[b"scumble ledger: people"]));
        Ok(Some(LedgerKey::new(&people, &key)))
    }
}

/// The second line of a ledger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Head {
    /// Of this version.
    Current(WrappedKeys),
    /// Of version 2.
    Two(WrappedKey2),
}

impl Head {
    /// Refuses what no ledger says.
    pub(crate) fn check_limits(&self) -> Result<(), &'static str> {
        match self {
            Head::Current(keys) => keys.check_limits(),
            Head::Two(key) => key.check_limits(),
        }
    }

    /// The keys, and what opened them.
    pub(crate) fn unwrap(
        &self,
        ledger: &Path,
        secrets: &Secrets,
        monitor: Monitor<'_>,
    ) -> Result<(LedgerKey, OpensWith)> {
        match self {
            Head::Current(keys) => Ok((keys.unwrap(ledger, secrets, monitor)?, keys.opens_with())),
            Head::Two(key) => {
                let (key, is_open) = key.unwrap(ledger, secrets)?;
                Ok((key, if is_open { OpensWith::Nothing } else { OpensWith::Passphrase }))
            }
        }
    }
}

impl WrappedKeys {
    /// What opens them.
    pub(crate) fn opens_with(&self) -> OpensWith {
        match &self.by {
            Wrapping::Passphrase { .. } => OpensWith::Passphrase,
            Wrapping::KeyFile { key } => OpensWith::Key(key.clone()),
        }
    }
}

fn xor(one: &Bytes32, other: &Bytes32) -> Bytes32 {
    std::array::from_fn(|at| one[at] ^ other[at])
}

fn no_passphrase(ledger: &Path) -> Error {
    refusal(ledger, "this ledger has a passphrase, and none was given").hint(
        "name the file that holds it in «ledger_passphrase», or set the environment variable SCUMBLE_LEDGER_PASSPHRASE",
    )
}

fn wrong_passphrase(ledger: &Path) -> Error {
    refusal(ledger, "the passphrase is not that of this ledger")
        .hint("it was set when the ledger was made; without it nobody can be looked for in the ledger")
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEDGER: &str = "people.ledger";

    fn secrets(text: &str) -> Secrets {
        Secrets::passphrase(Passphrase::new(text).unwrap())
    }

    fn create(secrets: &Secrets) -> (WrappedKeys, LedgerKey) {
        WrappedKeys::create(Path::new(LEDGER), secrets, None, Monitor::silent()).unwrap()
    }

    fn unwrap(wrapped: &WrappedKeys, secrets: &Secrets) -> Result<LedgerKey> {
        wrapped.unwrap(Path::new(LEDGER), secrets, Monitor::silent())
    }

    #[test]
    fn keys_come_back_with_their_passphrase_alone() {
        let right = secrets("correct horse battery\n");
        let (wrapped, key) = create(&right);
        let again = unwrap(&wrapped, &secrets("correct horse battery")).unwrap();
        assert_eq!((again.fingerprint(7), again.seal(&[0; 32], b"x")), (key.fingerprint(7), key.seal(&[0; 32], b"x")));
        assert_ne!(key.fingerprint(7), key.fingerprint(8));
        assert!(unwrap(&wrapped, &secrets("correct horse batterz")).is_err());
        assert!(unwrap(&wrapped, &Secrets::default()).is_err());
        let (other, other_key) = create(&right);
        assert_ne!(other, wrapped);
        assert_ne!(other_key.fingerprint(7), key.fingerprint(7));
        // Cheaper parameters in an altered file lead to other keys, and are noticed.
        let cost = Cost { memory_kib: MEMORY_KIB, passes: 1, lanes: 1 };
        assert!(unwrap(&WrappedKeys { by: Wrapping::Passphrase { cost }, ..wrapped }, &right).is_err());
    }

    #[test]
    fn keys_come_back_with_their_key_file_alone() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| Secrets::key_file(folder.path().join("private").join(name));
        let (wrapped, key) = create(&at("one"));
        assert_eq!(unwrap(&wrapped, &at("one")).unwrap().fingerprint(7), key.fingerprint(7));
        let OpensWith::Key(id) = wrapped.opens_with() else { panic!("a key opens it") };
        let missing = unwrap(&wrapped, &at("two")).err().unwrap().to_string();
        assert!(missing.contains(&id) && missing.contains("two"), "{missing}");
        let (other, other_key) = create(&at("two"));
        assert_ne!(other_key.fingerprint(7), key.fingerprint(7));
        let wrong = unwrap(&wrapped, &at("two")).err().unwrap().to_string();
        let OpensWith::Key(other_id) = other.opens_with() else { panic!("a key opens it") };
        assert!(wrong.contains(&id) && wrong.contains(&other_id), "{wrong}");
        // Keys under the name of another do not open it.
        let renamed = WrappedKeys { by: other.by.clone(), ..wrapped };
        assert!(unwrap(&renamed, &at("two")).is_err());
    }

    #[test]
    fn hungry_files_are_refused() {
        let (wrapped, _) = create(&secrets("twelve chars"));
        assert!(wrapped.check_limits().is_ok());
        let cost = Cost { memory_kib: MEMORY_KIB, passes: PASSES, lanes: 1 };
        for cost in [
            Cost { memory_kib: u32::MAX, ..cost },
            Cost { memory_kib: 7, ..cost },
            Cost { passes: 0, ..cost },
            Cost { lanes: 17, ..cost },
        ] {
            let changed = WrappedKeys { by: Wrapping::Passphrase { cost }, ..wrapped.clone() };
            assert!(changed.check_limits().is_err());
        }
        for key in ["", "0123456789abcdeg", "0123456789ABCDEF", "0123456789abcdef0"] {
            let changed = WrappedKeys { by: Wrapping::KeyFile { key: key.into() }, ..wrapped.clone() };
            assert!(changed.check_limits().is_err());
        }
    }

    /// A line of version 2 whose passphrase is the empty one.
    #[test]
    fn version_2_without_a_passphrase_opens_whatever_is_given() {
        let (salt, key, cost) = (Hex([5; 32]), [6; 32], Cost { memory_kib: 64, passes: 1, lanes: 1 });
        let [pad, proof] = cost.derive(&[], &salt).unwrap();
        let wrapped = Hex(xor(&key, &pad));
        let check = Hex(tag(&proof, &[&salt.0, &wrapped.0]));
        let two = WrappedKey2 { kdf: "argon2id".into(), cost, salt, wrapped, check };
        let people = tag(&key, &[b"scumble ledger: people"]);
        for given in [Secrets::default(), secrets("correct horse battery")] {
            let (opened, is_open) = two.unwrap(Path::new(LEDGER), &given).unwrap();
            assert!(is_open && opened.people_key() == &people);
        }
        let text = crate::format::json(&two);
        assert!(
            text.starts_with("{\"kdf\":\"argon2id\",\"memory_kib\":64,\"passes\":1,\"lanes\":1,\"salt\":"),
            "{text}"
        );
    }
}
