//! Random numbers for measuring: they choose queries and noise for comparison, never anything that
//! is published, so a seed that everybody knows is what is wanted.

use rand_chacha::ChaCha20Rng;
use rand_core::{Rng, SeedableRng};
use scumble_table::uniform_below;

/// A stream of numbers named by a seed, a purpose and a place, the same on every machine and for any
/// number of threads.
#[derive(Debug)]
pub struct Draw(ChaCha20Rng);

impl Draw {
    /// The stream of a purpose, of which the first 24 bytes count, at a place.
    pub fn new(seed: u64, purpose: &[u8], place: u64) -> Self {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        for (to, from) in key[8..].iter_mut().zip(purpose) {
            *to = *from;
        }
        let mut rng = ChaCha20Rng::from_seed(key);
        rng.set_stream(place);
        Draw(rng)
    }

    /// A uniform number below `bound`, which must be positive.
    pub fn below(&mut self, bound: u64) -> u64 {
        uniform_below(bound, || self.0.next_u64())
    }

    /// A uniform number from 0 up to 1.
    pub fn share(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_are_named_not_shared() {
        let mut a = Draw::new(7, b"queries", 3);
        let mut b = Draw::new(7, b"queries", 3);
        let mut c = Draw::new(7, b"queries", 4);
        let first: Vec<u64> = (0..4).map(|_| a.below(1000)).collect();
        assert_eq!(first, (0..4).map(|_| b.below(1000)).collect::<Vec<_>>());
        assert_ne!(first, (0..4).map(|_| c.below(1000)).collect::<Vec<_>>());
        assert!((0..1000).all(|_| (0.0..1.0).contains(&a.share())));
        assert_eq!(a.below(1), 0);
    }
}
