//! Where delimiters and line ends are in the next sixty-four bytes, one bit per byte.

/// Bytes looked at in one step.
pub(crate) const STEP: usize = 64;

/// Bits of the bytes at `base..base + 64` that are a delimiter or a line end; none where the data is
/// shorter than that.
#[inline(always)]
pub(crate) fn marks(data: &[u8], base: usize, delimiter: u8) -> u64 {
    let Some(chunk) = data.get(base..).and_then(|rest| rest.first_chunk::<STEP>()) else {
        return 0;
    };
    // Written as a plain loop over bytes, which compilers turn into a few wide comparisons.
    let mut flags = [0u8; STEP];
    for (flag, &byte) in flags.iter_mut().zip(chunk) {
        *flag = u8::from(byte == delimiter) | u8::from(byte == b'\n');
    }
    let (words, _) = flags.as_chunks::<8>();
    words.iter().enumerate().fold(0, |bits, (at, word)| bits | gathered(u64::from_le_bytes(*word)) << (8 * at))
}

/// The lowest bits of eight bytes as one byte: bit `8 i` times bit `56 - 7 i` of the constant lands on
/// bit `56 + i`, and nothing else lands there.
#[inline(always)]
fn gathered(flags: u64) -> u64 {
    flags.wrapping_mul(0x0102_0408_1020_4080) >> 56
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_mark_is_found(data in proptest::collection::vec(8u8..13, STEP..STEP + 9), base in 0usize..12) {
            let expected = match data.get(base..base + STEP) {
                Some(chunk) => {
                    chunk.iter().enumerate().fold(0u64, |bits, (i, b)| bits | u64::from([9, 10].contains(b)) << i)
                }
                None => 0,
            };
            prop_assert_eq!(marks(&data, base, 9), expected);
        }
    }
}
