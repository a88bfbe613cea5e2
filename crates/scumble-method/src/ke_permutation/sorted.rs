//! Rows in the order of their sensitive numbers, equal ones in a secret random order.
//!
//! Which of two people with equal numbers comes first decides which group they go to, so it must not
//! follow the source. The rows are shuffled and then sorted by a stable radix sort
//! on codes, whose order is that of the numbers; both move code and row together, so that memory is
//! read in order and the time per row does not grow with the table.

use crate::coins::{Coins, Purpose};
use crate::shuffle::shuffled;
use scumble_table::{Code, Codes, NULL, with_codes};

/// Bits of a digit of the sort.
const DIGIT: u32 = 8;

/// The rows of a table in the order of one column; null comes first.
pub(super) struct Sorted {
    /// The code in the upper half, the row in the lower.
    items: Vec<u64>,
    n_null: usize,
}

impl Sorted {
    pub(super) fn new(codes: &Codes, coins: &Coins) -> Self {
        let items: Vec<u64> = with_codes!(codes, |slice| {
            slice.iter().zip(0u64..).map(|(&code, row)| u64::from(code) << 32 | row).collect()
        });
        let items = by_code(shuffled(items, coins, Purpose::Ties));
        let n_null = items.partition_point(|item| (item >> 32) as Code == NULL);
        Sorted { items, n_null }
    }

    /// Number of rows.
    pub(super) fn len(&self) -> usize {
        self.items.len()
    }

    /// How many rows have no number; they have the first places.
    pub(super) fn n_null(&self) -> usize {
        self.n_null
    }

    /// The code at a place.
    #[inline]
    pub(super) fn code(&self, place: u32) -> Code {
        (self.items[place as usize] >> 32) as Code
    }

    /// The row at a place.
    #[inline]
    pub(super) fn row(&self, place: u32) -> u32 {
        self.items[place as usize] as u32
    }

    /// How many different numbers there are.
    pub(super) fn n_distinct_numbers(&self) -> u64 {
        let numbers = &self.items[self.n_null..];
        let changes = numbers.windows(2).filter(|pair| pair[0] >> 32 != pair[1] >> 32).count() as u64;
        changes + u64::from(!numbers.is_empty())
    }
}

/// A stable sort by the upper half.
fn by_code(mut items: Vec<u64>) -> Vec<u64> {
    let greatest = items.iter().map(|item| item >> 32).max().unwrap_or(0);
    let mut other = vec![0u64; items.len()];
    let mut shift = 32;
    while greatest >> (shift - 32) > 0 {
        let digit = |item: u64| (item >> shift) as usize & ((1 << DIGIT) - 1);
        let mut at = [0usize; 1 << DIGIT];
        for &item in &items {
            at[digit(item)] += 1;
        }
        let mut end = 0;
        for place in &mut at {
            end += std::mem::replace(place, end);
        }
        for &item in &items {
            let place = &mut at[digit(item)];
            other[*place] = item;
            *place += 1;
        }
        std::mem::swap(&mut items, &mut other);
        shift += DIGIT;
        if shift == 64 {
            break;
        }
    }
    items
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_rise_and_equal_ones_are_shuffled() {
        let codes: Codes = (0..100_000u32).map(|i| i.wrapping_mul(2_654_435_761) >> 12).collect();
        let sorted = Sorted::new(&codes, &Coins::from_seed(3));
        assert!((1..sorted.len() as u32).all(|i| sorted.code(i - 1) <= sorted.code(i)));
        assert!((0..sorted.len() as u32).all(|i| sorted.code(i) == codes.get(sorted.row(i) as usize)));
        let few: Codes = (0..6000u32).map(|i| i % 3).collect();
        let sorted = Sorted::new(&few, &Coins::from_seed(4));
        assert_eq!((sorted.len(), sorted.n_null(), sorted.n_distinct_numbers()), (6000, 2000, 2));
        // Of two neighbours the later row is first as often as not; six deviations of 2000 fair coins.
        let falls = (1..2000).filter(|&i| sorted.row(i - 1) > sorted.row(i)).count();
        assert!((866..1134).contains(&falls), "{falls}");
        let one = Sorted::new(&few, &Coins::from_seed(4));
        assert!((0..6000).all(|i| one.row(i) == sorted.row(i)));
        assert_eq!(Sorted::new(&Codes::U8(vec![]), &Coins::from_seed(1)).len(), 0);
    }
}
