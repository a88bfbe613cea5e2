//! What stands for a person before any key is involved: a digest of the person's key, or of exact quasi-identifiers.
//!
//! Digests are not secret-keyed. They stay in memory and are never written anywhere; what a ledger keeps is made from them
//! with its key.

use sha2::{Digest, Sha256};

/// The digest of a person's key, given as the values of its columns. Names of columns do not count, so that a column that
/// was renamed still finds the same people.
pub fn person_digest<S: AsRef<str>>(values: impl IntoIterator<Item = S>) -> u128 {
    let mut hash = Sha256::new();
    hash.update(b"person");
    values.into_iter().for_each(|value| push(&mut hash, Some(value.as_ref())));
    first_half(hash)
}

/// The digest of exact quasi-identifiers, given as names and values by rising names; a missing value is none.
pub fn tuple_digest<'a, S: AsRef<str>>(cells: impl IntoIterator<Item = (&'a str, Option<S>)>) -> u128 {
    let mut hash = Sha256::new();
    hash.update(b"tuple");
    for (name, value) in cells {
        push(&mut hash, Some(name));
        push(&mut hash, value.as_ref().map(AsRef::as_ref));
    }
    first_half(hash)
}

/// A text with its length, so that no two lists of texts are the same bytes. A missing one has a length that no text has.
fn push(hash: &mut Sha256, text: Option<&str>) {
    hash.update(text.map_or(u64::MAX, |text| text.len() as u64).to_le_bytes());
    hash.update(text.unwrap_or_default());
}

fn first_half(hash: Sha256) -> u128 {
    let whole = hash.finalize();
    let mut half = [0; 16];
    half.copy_from_slice(&whole[..16]);
    u128::from_le_bytes(half)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn different_keys_have_different_digests() {
        let all = [
            person_digest(["a", "b"]),
            person_digest(["ab"]),
            person_digest(["ab", ""]),
            person_digest(["", "ab"]),
            tuple_digest([("a", Some("b"))]),
            tuple_digest([("a", None::<&str>)]),
            tuple_digest([("a", Some(""))]),
            tuple_digest([("a", Some("b")), ("c", None)]),
        ];
        for (at, digest) in all.iter().enumerate() {
            assert!(!all[..at].contains(digest), "{at}");
        }
        assert_eq!(person_digest(["a", "b"]), all[0]);
    }
}
