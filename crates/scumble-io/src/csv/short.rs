//! A table from texts of at most seven bytes to codes.
//!
//! Most cells of microdata are that short. Such a text fits into one machine word together with its
//! length, so looking it up is one multiplication and, nearly always, one comparison.

use scumble_table::Code;

/// A text of one to seven bytes with its length in the top byte: never 0, and two texts have the
/// same key only if they are the same text, NUL bytes included.
pub(crate) type Key = u64;

/// The longest text that has a key.
pub(crate) const LONGEST: usize = 7;

/// The key of the `len` bytes at `at`, where `len` is 1 to 7 and eight bytes can be read.
#[inline(always)]
pub(crate) fn key_of(word: u64, len: usize) -> Key {
    (word & (u64::MAX >> (64 - 8 * len))) | (len as u64) << 56
}

/// Open addressing with linear probing; slots are a power of two, at most half of them taken.
#[derive(Debug)]
pub(crate) struct ShortTable {
    slots: Vec<(Key, Code)>,
    shift: u32,
    taken: usize,
}

/// Enough for the codes of a typical category without growing.
const FIRST_SLOTS: usize = 64;

impl Default for ShortTable {
    fn default() -> Self {
        ShortTable { slots: vec![(0, 0); FIRST_SLOTS], shift: 64 - FIRST_SLOTS.trailing_zeros(), taken: 0 }
    }
}

impl ShortTable {
    /// The code of a key, or the slot where it belongs.
    #[inline(always)]
    pub(crate) fn find(&self, key: Key) -> Result<Code, usize> {
        let mut slot = spread(key, self.shift);
        loop {
            let (held, code) = self.slots[slot];
            if held == key {
                return Ok(code);
            }
            if held == 0 {
                return Err(slot);
            }
            slot = (slot + 1) & (self.slots.len() - 1);
        }
    }

    /// Puts a new key into the slot that [`ShortTable::find`] named.
    pub(crate) fn insert(&mut self, slot: usize, key: Key, code: Code) {
        self.slots[slot] = (key, code);
        self.taken += 1;
        if self.taken * 2 > self.slots.len() {
            self.grow();
        }
    }

    fn grow(&mut self) {
        // By four, so that a column of many values is soon done with growing.
        let old = std::mem::take(&mut self.slots);
        self.slots = vec![(0, 0); old.len() * 4];
        self.shift -= 2;
        for (key, code) in old.into_iter().filter(|(key, _)| *key != 0) {
            if let Err(slot) = self.find(key) {
                self.slots[slot] = (key, code);
            }
        }
    }

    /// Forgets all keys but keeps the room.
    pub(crate) fn clear(&mut self) {
        self.slots.fill((0, 0));
        self.taken = 0;
    }
}

/// The top bits of a product with 2^64 divided by the golden ratio, on which every byte of the key
/// has a say: texts that differ in a few digits only still reach every slot.
#[inline(always)]
fn spread(key: Key, shift: u32) -> usize {
    (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> shift) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(text: &[u8]) -> Key {
        let mut word = [b'#'; 8];
        word[..text.len()].copy_from_slice(text);
        key_of(u64::from_le_bytes(word), text.len())
    }

    #[test]
    fn keys_tell_texts_apart() {
        assert_ne!(key(b"a"), key(b"a\0"));
        assert_ne!(key(b"\0"), key(b"\0\0"));
        assert_eq!(key(b"abcdefg"), key(b"abcdefg"));
        assert_ne!(key(b"\0"), 0);
    }

    #[test]
    fn grows_without_losing_anything() {
        let mut table = ShortTable::default();
        for round in 0..2 {
            for number in 0..20_000u32 {
                let key = key(number.to_string().as_bytes());
                match table.find(key) {
                    Err(slot) => table.insert(slot, key, number + 1),
                    Ok(_) => panic!("{number} was not inserted yet in round {round}"),
                }
            }
            for number in 0..20_000u32 {
                assert_eq!(table.find(key(number.to_string().as_bytes())), Ok(number + 1));
            }
            table.clear();
        }
    }
}
