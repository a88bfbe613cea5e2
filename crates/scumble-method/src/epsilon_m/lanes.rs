//! Dealing rows into lanes: in the order of their sensitive values, one to each lane in turn.
//!
//! Rows of a lane are at least as many places apart as there are lanes. With as many lanes as the
//! fullest window has rows, no two rows of a lane conflict (paper 1, proof of Theorem 1). Lanes do
//! not look at quasi-identifiers, so what a reader learns from the grouping inside a leaf does not
//! depend on who is who in it.

use crate::coins::Stream;

/// Deals `rows`, given in the order of their values, into `n_lanes` lanes in runs of `width` neighbours. What is left after the last round of
/// whole runs is dealt one by one, so that lanes differ by one row at most.
pub(crate) fn deal(rows: &[u32], n_lanes: usize, width: usize) -> Vec<Vec<u32>> {
    let (n_lanes, width) = (n_lanes.max(1), width.max(1));
    let in_runs = rows.len() - rows.len() % (n_lanes * width);
    let mut lanes = vec![Vec::with_capacity(rows.len() / n_lanes + 1); n_lanes];
    for (run, rows) in rows[..in_runs].chunks(width).enumerate() {
        lanes[run % n_lanes].extend_from_slice(rows);
    }
    for (at, &row) in rows[in_runs..].iter().enumerate() {
        lanes[at % n_lanes].push(row);
    }
    lanes
}

/// Deals `rows` into `n_lanes` lanes, turning the lanes by a random step before each round. A step of
/// at most `n_lanes - apart` leaves rows of a lane `apart` places apart or more: the lane that got a
/// row at place p of a round gets the next one at place `p - step`, or `p - step + n_lanes` if that
/// is before the start of its round, so `n_lanes - step` places later at least.
pub(crate) fn deal_turning(rows: &[u32], n_lanes: usize, apart: usize, coins: &mut Stream) -> Vec<Vec<u32>> {
    let n_lanes = n_lanes.max(1);
    let slack = n_lanes.saturating_sub(apart.max(1)) as u64;
    let mut lanes = vec![Vec::with_capacity(rows.len() / n_lanes + 1); n_lanes];
    let mut turn = coins.below(n_lanes as u64) as usize;
    for round in rows.chunks(n_lanes) {
        for (place, &row) in round.iter().enumerate() {
            lanes[(place + turn) % n_lanes].push(row);
        }
        turn = (turn + coins.below(slack + 1) as usize) % n_lanes;
    }
    lanes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coins::{Coins, Purpose};
    use proptest::prelude::*;

    #[test]
    fn rows_go_round() {
        assert_eq!(deal(&[0, 1, 2, 3, 4], 2, 1), [vec![0, 2, 4], vec![1, 3]]);
        assert_eq!(deal(&[7, 8], 1, 1), [[7, 8]]);
        assert_eq!(deal(&[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 2, 2), [vec![0, 1, 4, 5, 8, 10], vec![2, 3, 6, 7, 9]]);
    }

    proptest! {
        #[test]
        fn turned_lanes_keep_their_distance(n in 1usize..60, n_lanes in 1usize..12, apart in 1usize..12, seed in 0u64..99) {
            prop_assume!(apart <= n_lanes && n_lanes <= n);
            let rows: Vec<u32> = (0..n as u32).collect();
            let lanes = deal_turning(&rows, n_lanes, apart, &mut Coins::from_seed(seed).stream(Purpose::Groups, 0));
            prop_assert_eq!(lanes.iter().map(Vec::len).sum::<usize>(), n);
            prop_assert!(lanes.iter().all(|lane| lane.len() >= n / n_lanes));
            prop_assert!(lanes.iter().flat_map(|lane| lane.windows(2)).all(|pair| pair[1] - pair[0] >= apart as u32));
        }
    }
}
