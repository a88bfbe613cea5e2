//! The coins of the samples.
//!
//! These coins protect no one: the tables are made up, and anyone may know
//! every toss. Statistical quality, speed and the same stream everywhere are
//! all that is asked, so this is xoshiro256++ started by splitmix64 (Blackman
//! and Vigna, *Scrambled linear pseudorandom number generators*, 2021) and
//! never the generator that a release draws from.

/// Where every block of one table gets its coins from.
#[derive(Clone, Copy)]
pub(crate) struct Coins(u64);

impl Coins {
    /// The coins of one sample under one seed.
    pub(crate) fn new(seed: u64, salt: u64) -> Coins {
        Coins(mix(seed).wrapping_add(mix(!salt)))
    }

    /// The generator of one block of rows, which needs no other block's, so
    /// blocks can be made in any order on any thread.
    pub(crate) fn for_block(self, block: u64) -> Rng {
        // Mixed twice: the states of neighbouring blocks, and those of
        // neighbouring seeds, must have nothing in common.
        let mut start = mix(mix(self.0) ^ mix(block.wrapping_add(GOLDEN)));
        Rng(std::array::from_fn(|_| {
            start = start.wrapping_add(GOLDEN);
            mix(start)
        }))
    }
}

/// The odd number nearest to 2^64 over the golden ratio, splitmix64's step.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// The output function of splitmix64, a bijection on 64 bits.
pub(crate) fn mix(x: u64) -> u64 {
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// A stream of coins, xoshiro256++.
pub(crate) struct Rng([u64; 4]);

impl Rng {
    /// The next 64 coins.
    #[inline]
    pub(crate) fn bits(&mut self) -> u64 {
        let [a, b, c, d] = &mut self.0;
        let result = a.wrapping_add(*d).rotate_left(23).wrapping_add(*a);
        let t = *b << 17;
        *c ^= *a;
        *d ^= *b;
        *b ^= *c;
        *a ^= *d;
        *c ^= t;
        *d = d.rotate_left(45);
        result
    }

    /// A number below `n`; for `n` of at most some millions its bias is less
    /// than any table made here could show.
    #[inline]
    pub(crate) fn below(&mut self, n: u32) -> u32 {
        (((self.bits() >> 32) * u64::from(n)) >> 32) as u32
    }

    /// True `permille` times in a thousand.
    #[inline]
    pub(crate) fn chance(&mut self, permille: u32) -> bool {
        self.below(1000) < permille
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matches_the_published_stream() {
        // The first outputs of the reference code started with 1, 2, 3, 4.
        let mut rng = Rng([1, 2, 3, 4]);
        let first: [u64; 4] = std::array::from_fn(|_| rng.bits());
        assert_eq!(first, [41_943_041, 58_720_359, 3_588_806_011_781_223, 3_591_011_842_654_386]);
    }

    #[test]
    fn below_stays_below_and_reaches_everything_evenly() {
        let mut rng = Coins::new(u64::MAX, 0).for_block(u64::MAX);
        let mut counts = [0_u32; 7];
        for _ in 0..70_000 {
            counts[rng.below(7) as usize] += 1;
        }
        assert!(counts.iter().all(|count| count.abs_diff(10_000) < 500));
        assert_eq!(rng.below(1), 0);
    }

    #[test]
    fn chance_keeps_its_odds() {
        let mut rng = Coins::new(0, 0).for_block(0);
        let hits = (0..100_000).filter(|_| rng.chance(20)).count();
        assert!(hits.abs_diff(2_000) < 200, "{hits}");
        assert!(!(0..1000).any(|_| rng.chance(0)));
        assert!((0..1000).all(|_| rng.chance(1000)));
    }

    #[test]
    fn blocks_seeds_and_salts_each_change_the_stream() {
        let first = |seed, salt, block| Coins::new(seed, salt).for_block(block).bits();
        let mut seen = Vec::new();
        for seed in [0, 1, 2, u64::MAX] {
            for salt in 1..5 {
                for block in [0, 1, 2, u64::MAX] {
                    seen.push(first(seed, salt, block));
                }
            }
        }
        let total = seen.len();
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), total);
    }
}
