//! Numbers for controls and samples, the same for the same seed.

/// A small generator (splitmix64). Nothing that protects people comes from here.
#[derive(Debug, Clone)]
pub struct Dice(u64);

impl Dice {
    /// A stream for a seed and a purpose.
    pub fn new(seed: u64, purpose: u64) -> Self {
        Dice(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ purpose.wrapping_mul(0xD1B5_4A32_D192_ED03))
    }

    /// The next 64 bits.
    pub fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `bound`; the bias of a 64-bit product is far below what any figure here shows.
    pub fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.draw()) * bound as u128) >> 64) as usize
    }

    /// Puts items into a random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn same_seed_same_order_and_all_orders_come() {
        let orders: std::collections::BTreeSet<Vec<u8>> = (0..200)
            .map(|seed| {
                let mut items = vec![0, 1, 2];
                Dice::new(seed, 1).shuffle(&mut items);
                items
            })
            .collect();
        assert_eq!(orders.len(), 6);
        let (mut a, mut b) = (Dice::new(4, 2), Dice::new(4, 2));
        assert_eq!(a.draw(), b.draw());
        assert_ne!(Dice::new(4, 3).draw(), Dice::new(4, 2).draw());
    }
}
