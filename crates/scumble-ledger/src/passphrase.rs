//! What a person remembers to open a ledger.

use scumble_table::{Error, Result};
use std::collections::BTreeSet;
use std::fmt;
use zeroize::Zeroizing;

/// Shorter passphrases are found by trying, however slow each try is.
const SHORTEST: usize = 12;

/// Passphrases of fewer different characters are repetitions, which are tried first. Five random words have twice as many.
const FEWEST_DIFFERENT: usize = 5;

/// What opens a ledger that was made with it. It is wiped after use and never shown.
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

    /// Its bytes.
    pub(crate) fn bytes(&self) -> &[u8] {
        self.0.as_bytes()
    }
}

impl fmt::Debug for Passphrase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Passphrase")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_passphrases_and_repetitions_are_refused() {
        assert!(Passphrase::new("elevenchars").is_err() && Passphrase::new("\n").is_err());
        assert!(Passphrase::new("twelve chars").is_ok());
        for repeated in ["aaaaaaaaaaaa", "abababababababab", "abcdabcdabcdabcd", "111122223333"] {
            let error = Passphrase::new(repeated).unwrap_err().to_string();
            assert!(error.contains("at least 5 different characters") && !error.contains(repeated), "{error}");
        }
        assert!(Passphrase::new("abcdeabcdeabcde").is_ok());
        assert_eq!(format!("{:?}", Passphrase::new("twelve chars").unwrap()), "Passphrase");
    }
}
