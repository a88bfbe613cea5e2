//! What stands for a person before any key is involved: a digest of the person's key, or of exact quasi-identifiers.
//!
//! Digests are not secret-keyed. They stay in memory and are never written anywhere; what a ledger keeps is made from them
//! with its key.

use sha2::{Digest, Sha256};

/// A value of a key in the form that is the same in every file: without blanks at its ends, and without the decimals of a whole
/// number, since programs that know a missing number write `301.0` for 301. Leading zeros stay: `007` and `7` may be two people.
pub fn plain_key(value: &str) -> &str {
    let trimmed = value.trim();
    let is_whole = |text: &str| {
        let digits = text.strip_prefix('-').unwrap_or(text);
        !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
    };
    match trimmed.split_once('.') {
        _ if trimmed.is_empty() => value,
        Some((whole, rest)) if is_whole(whole) && rest.bytes().all(|byte| byte == b'0') => whole,
        _ => trimmed,
    }
}

/// The keys that differ from a whole number in leading zeros alone: the one without them, or those with as many as make at most
/// as many digits as asked.
pub fn other_zeros(key: &str, most_digits: usize) -> Vec<String> {
    if key.is_empty() || !key.bytes().all(|byte| byte.is_ascii_digit()) {
        return Vec::new();
    }
    let bare = match key.trim_start_matches('0') {
        "" => "0",
        bare => bare,
    };
    let all = (bare.len()..=most_digits.max(bare.len())).map(|digits| format!("{bare:0>digits$}"));
    all.filter(|other| other != key).collect()
}

/// The digest of a person's key, given as the values of its columns in the form of [`plain_key`]. Names of columns do not count, so
/// that a column that was renamed still finds the same people.
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
    fn numbers_with_decimals_and_blanks_are_one_key_and_zeros_are_not() {
        for (value, plain) in [
            ("301.0", "301"),
            (" 301", "301"),
            ("301.000 ", "301"),
            ("-4.0", "-4"),
            ("00301", "00301"),
            ("00301.0", "00301"),
            ("301.5", "301.5"),
            ("301.05", "301.05"),
            ("1.0.0", "1.0.0"),
            (".0", ".0"),
            ("p7.0", "p7.0"),
            ("3e2", "3e2"),
            ("Ann Lee", "Ann Lee"),
            ("  ", "  "),
        ] {
            assert_eq!(plain_key(value), plain, "{value}");
        }
        assert_eq!(other_zeros("7", 3), ["07", "007"]);
        assert_eq!(other_zeros("007", 3), ["7", "07"]);
        assert_eq!(other_zeros("007", 0), ["7"]);
        assert_eq!(other_zeros("00", 2), ["0"]);
        assert!(other_zeros("p7", 3).is_empty() && other_zeros("", 3).is_empty() && other_zeros("-7", 3).is_empty());
    }

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
