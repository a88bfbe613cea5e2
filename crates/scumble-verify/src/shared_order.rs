//! Tables of boxes of the same people whose rows stand in one order.
//!
//! An angel release shows everybody in the generalized table and in each marginal. Who stands in the same place in two of
//! them could be joined, and the boxes of both together are narrower than either promises. Every table is shuffled on its own,
//! so the batches of two tables agree in a place no more often than if one of them were dealt out at random.

use super::chance::{MOST_WATCHED, RandomGroup, is_beyond, ln_many_hits};
use scumble_io::RawTable;
use scumble_release::{Angel, BATCH};

/// How two tables are compared: place by place, one of them back to front, or one row on or back.
pub(super) const TESTS: usize = 4;

/// Two tables of the same people.
pub(super) struct Pair<'a> {
    names: [&'a str; 2],
    batches: [&'a [u32]; 2],
}

/// All pairs of tables that show people in batches.
pub(super) fn pairs<'a>(tables: &[(&'a str, &'a RawTable)]) -> Vec<Pair<'a>> {
    let shown: Vec<(&str, &[u32])> = tables
        .iter()
        .filter(|(name, _)| *name == Angel::GENERALIZED || name.starts_with(Angel::MARGINAL))
        .filter_map(|(name, raw)| Some((*name, raw.integers(BATCH)?)))
        .collect();
    let pairs =
        shown.iter().enumerate().flat_map(|(at, first)| shown[at + 1..].iter().map(move |second| (first, second)));
    pairs
        .filter(|(first, second)| first.1.len() == second.1.len())
        .map(|(first, second)| Pair { names: [first.0, second.0], batches: [first.1, second.1] })
        .collect()
}

impl Pair<'_> {
    /// What gives the order away, if something does beyond what chance explains in this number of tests.
    pub(super) fn complaint(&self, tests: usize) -> Option<String> {
        let n = self.batches[0].len();
        let beside: [fn(usize, usize) -> usize; TESTS] =
            [|at, _| at, |at, n| n - 1 - at, |at, n| (at + 1) % n, |at, n| (at + n - 1) % n];
        let (hits, watched) = beside.iter().find_map(|place| self.hits(|at| place(at, n), tests))?;
        let [first, second] = self.names;
        Some(format!(
            "the rows of `{first}` and `{second}` stand in one order: {hits} of {watched} places looked at show the same \
             batch, and rows can be joined by their places"
        ))
    }

    /// How many places show the same batch in both tables, and how many were looked at, if these are more than chance explains.
    fn hits(&self, place: impl Fn(usize) -> usize, tests: usize) -> Option<(u64, u64)> {
        let [first, second] = self.batches;
        let step = first.len().div_ceil(MOST_WATCHED).max(1);
        let mut watched: Vec<u32> = Vec::new();
        let mut hits = 0;
        for at in (0..first.len()).step_by(step) {
            watched.push(first[at]);
            hits += u64::from(first[at] == second[place(at)]);
        }
        let n_watched = watched.len() as u64;
        watched.sort_unstable();
        let mut values: Vec<(u32, u64)> = watched.chunk_by(|a, b| a == b).map(|of| (of[0], of.len() as u64)).collect();
        let mut dealt = vec![0u64; values.len()];
        for batch in second {
            if let Ok(at) = values.binary_search_by_key(batch, |value| value.0) {
                dealt[at] += 1;
            }
        }
        let values = values.drain(..).zip(dealt).map(|((_, watched), dealt)| (watched, dealt)).collect();
        let dealt = RandomGroup { size: second.len() as u64, values };
        is_beyond(ln_many_hits(&[dealt], hits), tests).then_some((hits, n_watched))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 0 to n in the order of a multiplicative generator.
    fn shuffled(n: usize, seed: u64) -> Vec<u32> {
        let mut all: Vec<u32> = (0..n as u32).collect();
        let mut state = seed * 2 + 1;
        for at in (1..n).rev() {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            all.swap(at, ((state >> 33) % (at as u64 + 1)) as usize);
        }
        all
    }

    fn complaint(first: &[u32], second: &[u32]) -> Option<String> {
        Pair { names: ["generalized", "marginal-age"], batches: [first, second] }.complaint(20)
    }

    #[test]
    fn orders_of_their_own_raise_no_alarm() {
        for seed in 0..100 {
            for n in [0, 1, 2, 40, 600, 3000] {
                for size in [4, 60] {
                    let batches = |seed: u64| shuffled(n, seed).iter().map(|row| row / size).collect::<Vec<_>>();
                    assert_eq!(complaint(&batches(seed), &batches(seed + 1000)), None, "{n} {size} {seed}");
                }
            }
        }
    }

    #[test]
    fn one_order_does() {
        for n in [60, 3000] {
            let first: Vec<u32> = shuffled(n, 5).iter().map(|row| row / 4).collect();
            let mut back = first.clone();
            back.reverse();
            let (mut on, mut before) = (first.clone(), first.clone());
            on.rotate_right(1);
            before.rotate_left(1);
            for second in [first.clone(), back, on, before] {
                assert!(complaint(&first, &second).unwrap().contains("one order"), "{n}");
            }
        }
    }
}
