//! The least greatest range over contiguous groups (paper 5, Problem 6.3), in one pass.
//!
//! h(i), the least greatest range up to cut i, is the least over starts d of max(h(d), x_i - x_d). Of two
//! starts the later is never worse if its h is no greater, so a queue of starts with rising h suffices.
//! Its front goes for good once the second costs no more than its own range: that range grows with i, and
//! the front's is greater still. What is left has its least at one of the first two.

use super::number_line::{Cuts, NONE, NumberLine};
use super::unsigned::Unsigned;
use std::collections::VecDeque;

/// The least greatest range, and where the groups of such a partition start.
pub(super) fn groups<T: Unsigned>(line: &NumberLine<T>, cuts: &Cuts) -> Option<(T, Vec<u32>)> {
    let end = cuts.end();
    let mut widest = vec![T::default(); end + 1];
    let mut from = vec![NONE; end + 1];
    let mut queue: VecDeque<u32> = VecDeque::new();
    let mut start = 0;
    for cut in 1..=end {
        let last = line.values[line.left(cuts.cuts[cut])];
        let range = |start: u32| last - line.values[cuts.cuts[start as usize].right as usize];
        while start < cut && cuts.closes[start] as usize <= cut {
            if start == 0 || from[start] != NONE {
                while queue.back().is_some_and(|&back| widest[back as usize] >= widest[start]) {
                    queue.pop_back();
                }
                queue.push_back(start as u32);
            }
            start += 1;
        }
        while queue.get(1).is_some_and(|&second| widest[second as usize] <= range(second)) {
            queue.pop_front();
        }
        let cost = |start: u32| range(start).max(widest[start as usize]);
        if let Some(best) = queue.iter().take(2).copied().min_by_key(|&start| cost(start)) {
            widest[cut] = cost(best);
            from[cut] = best;
        }
    }
    Some((widest[end], cuts.trace(&from)?))
}
