//! Tables from short texts to codes.
//!
//! Most cells of microdata are short. A text of at most seven bytes fits into one machine word
//! together with its length, and one of at most fifteen bytes into two, so looking it up is a
//! multiplication or two and, nearly always, one comparison.

use scumble_table::Code;

/// A text with its length in the top byte: never 0, and two texts have the same key only if they are
/// the same text, NUL bytes included.
pub(crate) trait Key: Copy + Eq + Default {
    /// The longest text that has a key of this kind.
    const LONGEST: usize;

    /// The key of the `len` bytes at `at`; at least sixteen bytes must follow `at`.
    fn of(data: &[u8], at: usize, len: usize) -> Self;

    /// The top bits of a product with 2^64 divided by the golden ratio, on which every byte of the key
    /// has a say: texts that differ in a few digits only still reach every slot.
    fn spread(self, shift: u32) -> usize;
}

const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// Texts of one to seven bytes.
impl Key for u64 {
    const LONGEST: usize = 7;

    #[inline(always)]
    fn of(data: &[u8], at: usize, len: usize) -> Self {
        masked(word_at(data, at), len) | (len as u64) << 56
    }

    #[inline(always)]
    fn spread(self, shift: u32) -> usize {
        (self.wrapping_mul(GOLDEN) >> shift) as usize
    }
}

/// Texts of eight to fifteen bytes.
impl Key for u128 {
    const LONGEST: usize = 15;

    #[inline(always)]
    fn of(data: &[u8], at: usize, len: usize) -> Self {
        let rest = if len > 8 { masked(word_at(data, at + 8), len - 8) } else { 0 };
        u128::from(word_at(data, at)) | u128::from(rest | (len as u64) << 56) << 64
    }

    #[inline(always)]
    fn spread(self, shift: u32) -> usize {
        // The rotation keeps equal halves from cancelling each other.
        let halves = (self as u64).rotate_left(23) ^ ((self >> 64) as u64).wrapping_mul(GOLDEN);
        (halves.wrapping_mul(GOLDEN) >> shift) as usize
    }
}

/// The first `len` bytes of a word, 1 to 7.
#[inline(always)]
fn masked(word: u64, len: usize) -> u64 {
    word & (u64::MAX >> (64 - 8 * len))
}

/// Eight bytes; blocks are padded, so that there always are eight.
#[inline(always)]
fn word_at(data: &[u8], at: usize) -> u64 {
    data.get(at..).and_then(|rest| rest.first_chunk()).map_or(0, |word| u64::from_le_bytes(*word))
}

/// Open addressing with linear probing; slots are a power of two, at most half of them taken.
#[derive(Debug)]
pub(crate) struct ShortTable<K> {
    slots: Vec<(K, Code)>,
    shift: u32,
    taken: usize,
}

/// Enough for the codes of a typical category without growing.
const FIRST_SLOTS: usize = 64;

impl<K: Key> Default for ShortTable<K> {
    fn default() -> Self {
        let slots = vec![(K::default(), 0); FIRST_SLOTS];
        ShortTable { slots, shift: 64 - FIRST_SLOTS.trailing_zeros(), taken: 0 }
    }
}

impl<K: Key> ShortTable<K> {
    /// The code of a key, or the slot where it belongs.
    #[inline(always)]
    pub(crate) fn find(&self, key: K) -> Result<Code, usize> {
        let mut slot = key.spread(self.shift);
        loop {
            let (held, code) = self.slots[slot];
            if held == key {
                return Ok(code);
            }
            if held == K::default() {
                return Err(slot);
            }
            slot = (slot + 1) & (self.slots.len() - 1);
        }
    }

    /// Puts a new key into the slot that [`ShortTable::find`] named.
    pub(crate) fn insert(&mut self, slot: usize, key: K, code: Code) {
        self.slots[slot] = (key, code);
        self.taken += 1;
        if self.taken * 2 > self.slots.len() {
            self.grow();
        }
    }

    fn grow(&mut self) {
        // By four, so that a column of many values is soon done with growing.
        let old = std::mem::take(&mut self.slots);
        self.slots = vec![(K::default(), 0); old.len() * 4];
        self.shift -= 2;
        for (key, code) in old.into_iter().filter(|(key, _)| *key != K::default()) {
            if let Err(slot) = self.find(key) {
                self.slots[slot] = (key, code);
            }
        }
    }

    /// Forgets all keys but keeps the room.
    pub(crate) fn clear(&mut self) {
        if self.taken > 0 {
            self.slots.fill((K::default(), 0));
            self.taken = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key<K: Key>(text: &str) -> K {
        let mut data = text.as_bytes().to_vec();
        data.resize(text.len() + 16, b'#');
        K::of(&data, 0, text.len())
    }

    #[test]
    fn keys_tell_texts_apart() {
        assert!(key::<u64>("a") != key("a\0") && key::<u64>("\0") != key("\0\0") && key::<u64>("\0") != 0);
        assert_eq!(key::<u64>("abcdefg"), key("abcdefg"));
        assert!(
            key::<u128>("12345678") != key("12345678\0") && key::<u128>("12345678901234x") != key("12345678901234y")
        );
        assert_eq!(key::<u128>("123456789012345"), key("123456789012345"));
    }

    fn grows<K: Key>(text: impl Fn(u32) -> String) {
        let mut table = ShortTable::<K>::default();
        for _ in 0..2 {
            for number in 0..20_000u32 {
                let key = key(&text(number));
                let slot = table.find(key).expect_err("it was not inserted yet");
                table.insert(slot, key, number + 1);
            }
            for number in 0..20_000u32 {
                assert_eq!(table.find(key(&text(number))), Ok(number + 1));
            }
            table.clear();
        }
    }

    #[test]
    fn grows_without_losing_anything() {
        grows::<u64>(|number| number.to_string());
        grows::<u128>(|number| format!("user-{number:08}"));
        grows::<u128>(|number| format!("{number:08}"));
    }
}
