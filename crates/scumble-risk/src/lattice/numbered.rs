//! Few classes: a number for every record.

use super::super::classes::Known;
use super::super::matches::{Matches, SizeCounts};
use super::grouped::ClassMembers;
use scumble_table::with_codes;

/// Numbers of classes are below this, two bytes a record.
const MOST_CLASSES: usize = 1 << 16;

/// Counters that stay in the cache of a core, which is what makes counting by number quick.
const MOST_COUNTERS: usize = 1 << 18;

/// So few counters are laid out this often and taken in turn: adding to one that was just written has to wait for it.
const LANES: usize = 4;
const MOST_IN_LANES: usize = 1 << 12;

/// The class of every record, by number.
pub(super) struct ClassNumbers {
    of_row: Vec<u16>,
    n: usize,
}

impl ClassNumbers {
    /// The classes of one column; nothing where there are too many.
    pub(super) fn from_column(column: &Known<'_>) -> Option<Self> {
        (column.n_codes <= MOST_CLASSES).then(|| ClassNumbers {
            of_row: with_codes!(column.codes, |codes| codes.iter().map(|&code| code as usize as u16).collect()),
            n: column.n_codes,
        })
    }

    /// The classes that one column more makes, empty ones among them; nothing where there are too many.
    pub(super) fn divided(&self, column: &Known<'_>) -> Option<Self> {
        let n = self.n.checked_mul(column.n_codes).filter(|&n| n <= MOST_CLASSES)?;
        let width = column.n_codes as u16;
        let of_row = with_codes!(column.codes, |codes| {
            let both = self.of_row.iter().zip(codes);
            // All numbers are below `n`; where that is 65536, a width of 65536 belongs to class 0 alone.
            both.map(|(&class, &code)| class.wrapping_mul(width).wrapping_add(code as usize as u16)).collect()
        });
        Some(ClassNumbers { of_row, n })
    }

    /// How large the classes are.
    pub(super) fn matches(&self) -> Matches {
        sizes(&counted(self.n, self.of_row.iter().map(|&class| usize::from(class))))
    }

    /// Counts the classes that one column more makes; nothing where there are too many.
    pub(super) fn count(&self, column: &Known<'_>) -> Option<Matches> {
        let width = column.n_codes;
        let n = self.n.checked_mul(width).filter(|&n| n <= MOST_COUNTERS)?;
        let counts = with_codes!(column.codes, |codes| {
            let both = self.of_row.iter().zip(codes);
            counted(n, both.map(|(&class, &code)| usize::from(class) * width + code as usize))
        });
        Some(sizes(&counts))
    }

    /// The same classes by their members.
    pub(super) fn grouped(&self) -> ClassMembers {
        ClassMembers::of_numbers(&self.of_row, self.n)
    }
}

/// How often each number occurs.
fn counted(n: usize, numbers: impl Iterator<Item = usize>) -> Vec<u32> {
    if n > MOST_IN_LANES {
        let mut counts = vec![0u32; n];
        numbers.for_each(|number| counts[number] += 1);
        return counts;
    }
    let mut lanes = vec![0u32; n * LANES];
    let mut lane = 0;
    numbers.for_each(|number| {
        lanes[lane * n + number] += 1;
        lane = (lane + 1) % LANES;
    });
    (0..n).map(|at| (0..LANES).map(|lane| lanes[lane * n + at]).sum()).collect()
}

fn sizes(counts: &[u32]) -> Matches {
    let mut tally = SizeCounts::default();
    counts.iter().filter(|&&n| n > 0).for_each(|&n| tally.add(n));
    tally.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use scumble_table::Codes;

    #[test]
    fn numbers_use_all_of_their_room() {
        let zeros: Codes = [0u32; 4].into_iter().collect();
        let many: Codes = [65_535u32, 0, 7, 65_535].into_iter().collect();
        let wide = Known { codes: &many, n_codes: 1 << 16 };
        let one = Known { codes: &zeros, n_codes: 1 };
        for (first, second) in [(wide, one), (one, wide)] {
            let both = ClassNumbers::from_column(&first).unwrap().divided(&second).unwrap();
            assert_eq!(both.of_row, [65_535, 0, 7, 65_535]);
            assert_eq!(both.matches(), Matches::from_classes([(2, 2), (1, 1), (1, 1)]));
        }
        assert!(ClassNumbers::from_column(&Known { codes: &many, n_codes: (1 << 16) + 1 }).is_none());
        let two = Known { codes: &zeros, n_codes: 2 };
        assert!(ClassNumbers::from_column(&wide).unwrap().divided(&two).is_none());
        assert!(ClassNumbers::from_column(&wide).unwrap().count(&Known { codes: &zeros, n_codes: 5 }).is_none());
    }
}
