//! Sets of labels with some more among them that do not occur in the group.
//!
//! How many labels a set shows depends on how many occur and on nothing else: three where two or three do, five where four or
//! five do, then seven, nine and so on. The last of these sizes that a column has labels for is shown for fewer labels only, and all
//! labels from there on. Behind each size stand sets that lack one of its labels at least, so that each label may be one that no member has. The exception is a column of two
//! labels, of which both occur where both are shown. The labels that are added are drawn by secret coins among those that the column
//! shows, as often as rows have them: a label is not the less credible for being rare.

use crate::coins::Stream;
use scumble_table::Code;

/// The size of the set that is shown where `n >= 2` labels of `all` that a column has occur.
pub fn padded_size(n: usize, all: usize) -> usize {
    let size = (n | 1).max(3);
    // Were all labels shown only where all of them occur, that would be known.
    let is_last = size + 2 > all;
    if size > all || (is_last && n == size) { all } else { size }
}

/// The labels that are shown for those that occur in a group, both rising; `rows` has how many rows of the column show each
/// code. A column that has no other labels shows all it has.
pub(crate) fn pad(members: &[Code], rows: &[u64], coins: &mut Stream) -> Vec<Code> {
    let mut shown = members.to_vec();
    let mut others: Vec<(Code, u64)> = (1..rows.len() as Code)
        .filter(|code| rows[*code as usize] > 0 && members.binary_search(code).is_err())
        .map(|code| (code, rows[code as usize]))
        .collect();
    let size = padded_size(members.len(), members.len() + others.len());
    while shown.len() < size && !others.is_empty() {
        let total: u64 = others.iter().map(|(_, rows)| rows).sum();
        let mut drawn = coins.below(total);
        let at = others.iter().position(|(_, rows)| {
            let here = drawn < *rows;
            drawn = drawn.wrapping_sub(*rows);
            here
        });
        let Some(at) = at else { break };
        shown.push(others.swap_remove(at).0);
    }
    shown.sort_unstable();
    shown
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coins::{Coins, Purpose};

    #[test]
    fn there_is_always_one_that_nobody_has() {
        let rows = [0, 5, 1, 0, 3, 9];
        let mut seen = [0; 6];
        for place in 0..1000 {
            let shown = pad(&[1, 4], &rows, &mut Coins::from_seed(1).stream(Purpose::Labels, place));
            assert_eq!(shown.len(), 3);
            assert!(shown.contains(&1) && shown.contains(&4) && shown.is_sorted());
            shown.iter().for_each(|&code| seen[code as usize] += 1);
        }
        // Code 3 occurs nowhere; 5 has nine times the rows of 2.
        assert_eq!((seen[3], seen[2] + seen[5]), (0, 1000));
        assert!((60..140).contains(&seen[2]), "{seen:?}");
        let all = pad(&[1, 2], &[0, 5, 1], &mut Coins::from_seed(1).stream(Purpose::Labels, 0));
        assert_eq!(all, [1, 2]);
    }

    #[test]
    fn every_size_is_shown_for_fewer_labels_too() {
        let shown = |all: usize| (2..=all.min(12)).map(|n| padded_size(n, all)).collect::<Vec<_>>();
        assert_eq!(shown(1000), [3, 3, 5, 5, 7, 7, 9, 9, 11, 11, 13]);
        assert_eq!((shown(3), shown(4), shown(6)), (vec![3, 3], vec![3, 4, 4], vec![3, 3, 5, 6, 6]));
        // No set is known to be as large as it looks: some smaller one is shown alike.
        for all in 3..200 {
            for n in 2..=all {
                let size = padded_size(n, all);
                assert!(size >= n && size <= all, "{n} of {all}");
                assert!((2..size).any(|fewer| padded_size(fewer, all) == size), "{n} of {all}");
                assert!(2 * size <= 3 * n + 3, "{n} of {all}: {size}");
            }
        }
    }
}
