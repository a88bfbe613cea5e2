//! The least sum of ranges (paper 5, section 6.1), in one pass.
//!
//! Contiguous groups suffice (Lemma 6.1), so the ranges of the groups and the gaps between them add up to
//! the range of the table: the least sum of ranges is the greatest sum of gaps. Written so, nothing
//! exceeds the range of the table. Among equal sums the one of more groups is taken.

use super::number_line::{Cuts, NONE, NumberLine};
use super::unsigned::Unsigned;

/// The least sum of ranges, and where the groups of such a partition start.
pub(super) fn groups<T: Unsigned>(line: &NumberLine<T>, cuts: &Cuts) -> Option<(T, Vec<u32>)> {
    let end = cuts.end();
    let mut gaps = vec![(T::default(), 0u32); end + 1];
    let mut from = vec![NONE; end + 1];
    let mut best: Option<((T, u32), u32)> = None;
    let mut start = 0;
    for cut in 1..=end {
        while start < cut && cuts.closes[start] as usize <= cut {
            if start == 0 || from[start] != NONE {
                let (sum, groups) = gaps[start];
                let all = (sum + gap(line, cuts, start), groups);
                if best.is_none_or(|(most, _)| all > most) {
                    best = Some((all, start as u32));
                }
            }
            start += 1;
        }
        if let Some(((sum, groups), at)) = best {
            gaps[cut] = (sum, groups + 1);
            from[cut] = at;
        }
    }
    Some((line.range() - gaps[end].0, cuts.trace(&from)?))
}

/// How far the numbers on both sides of a cut are apart.
fn gap<T: Unsigned>(line: &NumberLine<T>, cuts: &Cuts, cut: usize) -> T {
    if cut == 0 {
        return T::default();
    }
    let cut = cuts.cuts[cut];
    line.values[cut.right as usize] - line.values[line.left(cut)]
}
