//! Where delimiters, line ends and quotes are in the next sixty-four bytes, one bit per byte.

/// Bytes looked at in one step.
pub(crate) const STEP: usize = 64;

/// Bits of the bytes at `base..base + 64` that are any of the three given ones; none where the data is
/// shorter than that.
#[inline(always)]
pub(crate) fn marks(data: &[u8], base: usize, wanted: [u8; 3]) -> u64 {
    let Some(chunk) = data.get(base..).and_then(|rest| rest.first_chunk::<STEP>()) else {
        return 0;
    };
    // Written as a plain loop over bytes, which compilers turn into a few wide comparisons.
    let mut flags = [0u8; STEP];
    for (flag, &byte) in flags.iter_mut().zip(chunk) {
        *flag = u8::from(byte == wanted[0]) | u8::from(byte == wanted[1]) | u8::from(byte == wanted[2]);
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
        fn every_mark_is_found(data in proptest::collection::vec(7u8..14, STEP..STEP + 9), base in 0usize..12) {
            let expected = match data.get(base..base + STEP) {
                Some(chunk) => {
                    chunk.iter().enumerate().fold(0u64, |bits, (i, b)| bits | u64::from([8, 10, 12].contains(b)) << i)
                }
                None => 0,
            };
            prop_assert_eq!(marks(&data, base, [8, 10, 12]), expected);
        }
    }
}
