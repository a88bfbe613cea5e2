//! The distinct texts of a column, in order of first appearance.
//!
//! Texts lie end to end in one allocation: a column of ten million distinct texts costs its bytes
//! and eight more per text, not ten million allocations.

use hashbrown::HashTable;
use scumble_table::{Code, NULL, Stored};
use std::hash::BuildHasher;
use std::sync::Arc;

/// Distinct texts of a column; code `i` is the `i`-th text that appeared, code 0 (null) has none.
#[derive(Debug, Clone, Default)]
pub struct Dictionary {
    arena: String,
    /// Where each text ends in the arena.
    ends: Vec<u32>,
    /// Line on which each text first appeared, from 1; 0 where the file has no lines.
    lines: Vec<u32>,
    /// What the file stored the values as.
    stored: Stored,
}

/// Dictionaries are equal that hold the same texts from the same lines, whatever they were stored as.
impl PartialEq for Dictionary {
    fn eq(&self, other: &Dictionary) -> bool {
        (&self.arena, &self.ends, &self.lines) == (&other.arena, &other.ends, &other.lines)
    }
}

impl Eq for Dictionary {}

impl Dictionary {
    /// What the file stored the values as.
    pub fn stored(&self) -> &Stored {
        &self.stored
    }

    /// The same texts, stored as this.
    #[must_use]
    pub fn with_stored(self, stored: Stored) -> Self {
        Dictionary { stored, ..self }
    }

    /// Number of distinct texts.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// True when every cell is null.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The text of a code; null is empty.
    ///
    /// # Panics
    /// If `code` is above [`Dictionary::len`].
    pub fn text(&self, code: Code) -> &str {
        if code == NULL {
            return "";
        }
        let at = code as usize - 1;
        let start = if at == 0 { 0 } else { self.ends[at - 1] as usize };
        &self.arena[start..self.ends[at] as usize]
    }

    /// The line on which a text first appeared, in files that have lines.
    pub fn line(&self, code: Code) -> Option<u64> {
        let at = (code as usize).checked_sub(1)?;
        self.lines.get(at).filter(|line| **line > 0).map(|&line| u64::from(line))
    }

    /// The texts by rising code, from 1.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &str> + Clone {
        (0..self.len()).map(|at| self.text(at as Code + 1))
    }

    /// A dictionary of distinct texts that came from no line of a file, in the order of their codes; `None` when they are
    /// too long to be held together.
    pub fn from_distinct<S: AsRef<str>>(texts: impl Iterator<Item = S>) -> Option<Self> {
        let mut dictionary = Dictionary::default();
        for text in texts {
            dictionary.arena.push_str(text.as_ref());
            dictionary.ends.push(u32::try_from(dictionary.arena.len()).ok()?);
            dictionary.lines.push(0);
        }
        Some(dictionary)
    }
}

/// Builds a [`Dictionary`].
#[derive(Debug)]
pub(crate) struct Interner {
    dictionary: Dictionary,
    /// Codes, keyed by the text they stand for in the arena, with half of its hash: a growing table
    /// need not go back to the texts, which lie far apart.
    table: HashTable<(u32, Code)>,
    hasher: foldhash::fast::RandomState,
    /// Texts that mean null, besides the empty one.
    nulls: Arc<[String]>,
}

impl Interner {
    pub(crate) fn new(nulls: Arc<[String]>) -> Self {
        Interner { dictionary: Dictionary::default(), table: HashTable::new(), hasher: Default::default(), nulls }
    }

    /// The code of a text, which is new or known; `None` when the arena cannot take it.
    pub(crate) fn intern(&mut self, text: &str, line: u32) -> Option<Code> {
        if text.is_empty() || self.nulls.iter().any(|null| null == text) {
            return Some(NULL);
        }
        let half = self.hasher.hash_one(text) as u32;
        let Interner { dictionary, table, .. } = self;
        let same = |&(known, code): &(u32, Code)| known == half && dictionary.text(code) == text;
        if let Some(&(_, code)) = table.find(widened(half), same) {
            return Some(code);
        }
        let end = u32::try_from(dictionary.arena.len() + text.len()).ok()?;
        let code = Code::try_from(dictionary.len() + 1).ok()?;
        dictionary.arena.push_str(text);
        dictionary.ends.push(end);
        dictionary.lines.push(line);
        table.insert_unique(widened(half), (half, code), |&(half, _)| widened(half));
        Some(code)
    }

    /// Number of texts so far, which is also the greatest code given out.
    pub(crate) fn greatest(&self) -> Code {
        self.dictionary.len() as Code
    }

    pub(crate) fn finish(self) -> Dictionary {
        self.dictionary
    }
}

/// A hash of 64 bits from half of one: the table takes its tags from the top bits and its slots from
/// the low ones.
fn widened(half: u32) -> u64 {
    u64::from(half).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ u64::from(half)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_follow_first_appearance() {
        let mut interner = Interner::new(Arc::from(["?".to_string()]));
        let codes: Vec<_> =
            ["b", "", "a", "?", "b", "é"].iter().zip(2..).map(|(t, line)| interner.intern(t, line).unwrap()).collect();
        assert_eq!(codes, [1, 0, 2, 0, 1, 3]);
        let dictionary = interner.finish();
        assert_eq!(dictionary.iter().collect::<Vec<_>>(), ["b", "a", "é"]);
        assert_eq!((dictionary.text(0), dictionary.line(2), dictionary.line(0)), ("", Some(4), None));
        assert!(!dictionary.is_empty());
    }
}
