//! Tables from short texts to codes.
//!
//! Most cells of microdata are short. A text of at most seven bytes fits into one machine word
//! together with its length, and one of at most thirty-one bytes into four, so looking it up is a few
//! multiplications and, nearly always, one comparison.

use scumble_table::Code;

/// A text with its length in the top byte: never 0, and two texts have the same key only if they are
/// the same text, NUL bytes included.
pub(crate) trait Key: Copy + Eq + Default {
    /// The longest text that has a key of this kind.
    const LONGEST: usize;

    /// The key of the `len` bytes at `at`, 1 to `LONGEST`; the data goes on for 32 bytes from there.
    fn from_bytes(data: &[u8], at: usize, len: usize) -> Self;

    /// The top bits of a product with 2^64 divided by the golden ratio, on which every byte of the key
    /// has a say: texts that differ in a few digits only still reach every slot.
    fn spread(self, shift: u32) -> usize;
}

const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// One word, for texts of one to seven bytes.
impl Key for u64 {
    const LONGEST: usize = 7;

    #[inline(always)]
    fn from_bytes(data: &[u8], at: usize, len: usize) -> Self {
        (word_at(data, at) & (u64::MAX >> (64 - 8 * len))) | (len as u64) << 56
    }

    #[inline(always)]
    fn spread(self, shift: u32) -> usize {
        (self.wrapping_mul(GOLDEN) >> shift) as usize
    }
}

/// Four words, for texts of one to thirty-one bytes.
pub(crate) type Wide = [u64; 4];

impl Key for Wide {
    const LONGEST: usize = 31;

    #[inline(always)]
    fn from_bytes(data: &[u8], at: usize, len: usize) -> Self {
        let mask = &MASKS[len & 31];
        let mut words: Wide = std::array::from_fn(|i| word_at(data, at + 8 * i) & mask[i]);
        words[3] |= (len as u64) << 56;
        words
    }

    #[inline(always)]
    fn spread(self, shift: u32) -> usize {
        // Odd constants of their own for the four words, so that equal words do not cancel each other.
        const ODD: Wide = [GOLDEN, 0xc2b2_ae3d_27d4_eb4f, 0x1656_67b1_9e37_79f9, 0xff51_afd7_ed55_8ccd];
        let product = |i: usize| self[i].wrapping_mul(ODD[i]);
        let sum = product(0) ^ product(1).rotate_left(17) ^ product(2).rotate_left(31) ^ product(3).rotate_left(47);
        (sum.wrapping_mul(GOLDEN) >> shift) as usize
    }
}

/// For each length the bytes of a wide key that belong to the text; looked up rather than computed, so
/// that columns whose texts differ in length cost no more than others.
static MASKS: [Wide; 32] = {
    let mut masks = [[0; 4]; 32];
    let mut len = 0usize;
    while len < 32 {
        let mut word = 0;
        while word < 4 {
            let bytes = len.saturating_sub(8 * word);
            masks[len][word] = if bytes >= 8 { u64::MAX } else { (1 << (8 * bytes)) - 1 };
            word += 1;
        }
        len += 1;
    }
    masks
};

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
        // By four at first, so that a column of many values is soon done with growing; by two once
        // room in the cache counts.
        let bits = if self.slots.len() < 4096 { 2 } else { 1 };
        let old = std::mem::take(&mut self.slots);
        self.slots = vec![(K::default(), 0); old.len() << bits];
        self.shift -= bits;
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
        data.resize(text.len() + 32, b'#');
        K::from_bytes(&data, 0, text.len())
    }

    #[test]
    fn keys_tell_texts_apart() {
        assert!(
            key::<u64>("a") != key::<u64>("a\0") && key::<u64>("\0") != key::<u64>("\0\0") && key::<u64>("\0") != 0
        );
        assert_eq!(key::<u64>("abcdefg"), key::<u64>("abcdefg"));
        let wide = key::<Wide>;
        assert!(wide("12345678") != wide("12345678\0") && wide("1") != wide("1\0"));
        let long = "1234567890123456789012345678901";
        assert!(wide(long) == wide(long) && wide(long) != wide(&long.replace("8901", "8902")));
        for len in 1..31 {
            assert_ne!(wide(&long[..len]), wide(&long[..len + 1]));
        }
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
        grows::<Wide>(|number| format!("user-{number:08}"));
        grows::<Wide>(|number| format!("a rather long name {number}"));
    }
}
