//! What a ledger says about releases, record by record. Records are only ever added.

use crate::keys::Hex;
use serde::{Deserialize, Serialize};

/// A line of a ledger.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub(crate) enum Record {
    /// A release is about to be put in its place.
    Release(Box<Entry>),
    /// The release of this number stands in its place.
    Confirmed {
        /// Number of the release.
        release: u64,
    },
    /// The release of this number was never put in its place.
    Withdrawn {
        /// Number of the release.
        release: u64,
        /// How that is known.
        because: String,
    },
}

/// A release as its ledger remembers it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// Releases are numbered from 1.
    pub number: u64,
    /// When it was entered, in UTC.
    pub when: String,
    #[serde(flatten)]
    pub(crate) release: EntryFields,
    /// Number of fingerprints.
    pub people: u64,
    /// The release whose people these are, where it has none of its own here.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub same_people_as: Option<u64>,
    /// What the key of its fingerprints is made with, where it has some of its own.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) salt: Option<Hex>,
    /// Checksums of the encrypted fingerprints, part by part.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub(crate) parts: Vec<Hex>,
}

impl std::ops::Deref for Entry {
    type Target = EntryFields;

    fn deref(&self) -> &EntryFields {
        &self.release
    }
}

/// What is known of a release when it is entered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EntryFields {
    /// Its directory, as an absolute path.
    pub place: String,
    /// Where it was written before it was put in its place.
    pub staged: String,
    /// SHA-256 of its manifest, which holds those of all its tables.
    pub manifest: String,
    /// SHA-256 of its table of batches, which stays when tables are added to an angel release.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub batches: Option<String>,
    /// The form of the release.
    pub method: String,
    /// Published columns.
    pub columns: Vec<EntryColumn>,
    /// What was required.
    pub requirements: Vec<String>,
    /// Published rows.
    pub rows: u64,
    /// What its fingerprints are of.
    pub known_by: KnownBy,
    /// Rows whose person was not named, and which are not remembered therefore.
    #[serde(skip_serializing_if = "is_zero", default)]
    pub unnamed: u64,
    /// Whether its publisher accepted that people are in several releases.
    #[serde(skip_serializing_if = "is_false", default)]
    pub accept_overlap: bool,
}

/// A published column.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EntryColumn {
    /// Its name.
    pub name: String,
    /// Its role in the manifest.
    pub role: String,
}

/// What people are known by.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum KnownBy {
    /// The key that the columns of role `person` make.
    Person(Vec<String>),
    /// Exact quasi-identifiers, by rising names.
    Quasi(Vec<String>),
}

/// Whether people of two releases are known by the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SameKey {
    /// They are: whoever is in both is found.
    Yes,
    /// Their keys have as many columns and other names. Whoever is found is in both; if nobody is found, nothing is known.
    OtherNames,
    /// They are not, and nobody can be found.
    No,
}

impl KnownBy {
    /// Whether people are known by the same elsewhere. Fingerprints are made of the values of a key in the order of the names of
    /// its columns, and names are the same that differ in small and capital letters only.
    pub fn same_key(&self, other: &KnownBy) -> SameKey {
        let is_same = |(one, other): (&String, &String)| one.to_lowercase() == other.to_lowercase();
        match (self, other) {
            (KnownBy::Person(one), KnownBy::Person(other)) if one.len() != other.len() => SameKey::No,
            (KnownBy::Person(one), KnownBy::Person(other)) if one.iter().zip(other).all(is_same) => SameKey::Yes,
            (KnownBy::Person(_), KnownBy::Person(_)) => SameKey::OtherNames,
            (KnownBy::Quasi(one), KnownBy::Quasi(other)) if one == other => SameKey::Yes,
            _ => SameKey::No,
        }
    }
}

fn is_zero(n: &u64) -> bool {
    *n == 0
}

fn is_false(said: &bool) -> bool {
    !said
}

/// Whether a release that was entered was put in its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum State {
    /// It was.
    Published,
    /// Nothing says so, and nothing proves that it was not: it counts as published.
    InDoubt,
    /// It was not.
    Withdrawn,
}

impl State {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            State::Published => "published",
            State::InDoubt => "in doubt",
            State::Withdrawn => "withdrawn",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_the_same_by_their_columns() {
        let person = |names: &[&str]| KnownBy::Person(names.iter().map(|name| name.to_string()).collect());
        let quasi = |names: &[&str]| KnownBy::Quasi(names.iter().map(|name| name.to_string()).collect());
        let patient = person(&["patient"]);
        for (other, expected) in [
            (person(&["patient"]), SameKey::Yes),
            (person(&["Patient"]), SameKey::Yes),
            (person(&["household"]), SameKey::OtherNames),
            (person(&["household", "patient"]), SameKey::No),
            (quasi(&["patient"]), SameKey::No),
        ] {
            assert_eq!((patient.same_key(&other), other.same_key(&patient)), (expected, expected), "{other:?}");
        }
        // Capital letters come first, so that these have their values in another order.
        assert_eq!(person(&["Patient", "house"]).same_key(&person(&["House", "patient"])), SameKey::OtherNames);
        assert_eq!(quasi(&["age"]).same_key(&quasi(&["age", "zip"])), SameKey::No);
        assert_eq!(quasi(&["age"]).same_key(&quasi(&["age"])), SameKey::Yes);
    }
}
