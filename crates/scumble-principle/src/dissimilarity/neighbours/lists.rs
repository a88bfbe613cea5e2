//! The neighbours of each value as a list.

use rayon::prelude::*;
use scumble_table::Code;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// The neighbours of value v are `ids[starts[v]..starts[v + 1]]`, rising, v among them.
pub(super) struct Lists {
    starts: Vec<usize>,
    ids: Vec<Code>,
}

/// Values that are looked at together: after each block it is seen whether there are too many pairs.
const BLOCK: usize = 1 << 10;

impl Lists {
    /// Lists of `n` values: `after` tells of a value, with some memory, which of those that follow it are near. Each pair is
    /// asked about once, in blocks of values in parallel; nothing where there are more than `most` ids, and then the work
    /// stops and what was found is dropped as soon as that is seen.
    pub(super) fn new<M: Default>(
        n: usize,
        most: usize,
        after: impl Fn(usize, &mut M, &mut dyn FnMut(usize)) + Sync,
    ) -> Option<Self> {
        // A pair stands in two lists, and every value in its own.
        let most_pairs = most.checked_sub(n)? / 2;
        let n_pairs = AtomicUsize::new(0);
        let block = |memory: &mut M, block: usize| {
            let (mut counts, mut ids) = (Vec::new(), Vec::new());
            for value in block * BLOCK..((block + 1) * BLOCK).min(n) {
                let before = ids.len();
                after(value, memory, &mut |other| ids.push(other as Code));
                counts.push(ids.len() - before);
                if n_pairs.fetch_add(ids.len() - before, Relaxed) + ids.len() - before > most_pairs {
                    return None;
                }
            }
            Some((counts, ids))
        };
        let blocks = (0..n.div_ceil(BLOCK)).into_par_iter().map_init(M::default, block);
        Some(Lists::from_later(n, &blocks.collect::<Option<Vec<_>>>()?))
    }

    /// From the later neighbours of each value, in blocks of counts and ids.
    fn from_later(n: usize, blocks: &[(Vec<usize>, Vec<Code>)]) -> Self {
        let mut starts = vec![0usize; n + 1];
        let counts = blocks.iter().flat_map(|block| &block.0);
        (1..).zip(counts).for_each(|(value, count)| starts[value] += count + 1);
        blocks.iter().flat_map(|block| &block.1).for_each(|&id| starts[id as usize + 1] += 1);
        (0..n).for_each(|value| starts[value + 1] += starts[value]);
        let mut ids = vec![0; starts[n]];
        // Values come in order, so each list is filled in order: earlier ones, itself, later ones.
        let mut end = starts[..n].to_vec();
        let mut put = |list: usize, id: usize| {
            ids[end[list]] = id as Code;
            end[list] += 1;
        };
        let mut value = 0;
        for (counts, later) in blocks {
            let mut later = later.iter();
            for &count in counts {
                put(value, value);
                for &other in later.by_ref().take(count) {
                    put(value, other as usize);
                    put(other as usize, value);
                }
                value += 1;
            }
        }
        Lists { starts, ids }
    }

    /// The neighbours of a value, itself among them.
    pub(super) fn neighbours(&self, value: Code) -> &[Code] {
        &self.ids[self.starts[value as usize]..self.starts[value as usize + 1]]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lists(n: usize, most: usize, near: impl Fn(usize, usize) -> bool + Sync) -> Option<Lists> {
        Lists::new(n, most, |value, (): &mut (), found| {
            (value + 1..n).filter(|&other| near(value, other)).for_each(found);
        })
    }

    #[test]
    fn lists_are_mutual_and_rise() {
        for n in [0, 1, 2, 40, BLOCK, BLOCK + 1, 3 * BLOCK] {
            let near = |a: usize, b: usize| (a + b).is_multiple_of(97) || a.abs_diff(b) == 3;
            let lists = lists(n, usize::MAX, near).unwrap();
            for a in (0..n).step_by(n / 50 + 1) {
                let expected: Vec<Code> = (0..n).filter(|&b| a == b || near(a, b)).map(|b| b as Code).collect();
                assert_eq!(lists.neighbours(a as Code), expected);
            }
        }
    }

    #[test]
    fn too_many_pairs_are_noticed_at_once() {
        let near = |a: usize, b: usize| a / 4 == b / 4;
        // 25 blocks of four values: each list has four ids.
        assert!(lists(100, 400, near).is_some() && lists(100, 399, near).is_none());
        assert!(lists(100, 99, |_, _| false).is_none() && lists(100, 100, |_, _| false).is_some());
        let asked = AtomicUsize::new(0);
        let n = 64 * BLOCK;
        let all = Lists::new(n, 2 * n, |value, (): &mut (), found| {
            asked.fetch_add(1, Relaxed);
            (value + 1..n).take(1000).for_each(found);
        });
        assert!(all.is_none() && asked.into_inner() < n / 4);
    }
}
