//! The most contiguous groups: each is closed as soon as it passes, and what is left over joins the last.
//!
//! A group that ends earlier leaves the rest no worse off, since what passes stays passing as it grows.

use super::number_line::{Cuts, NONE};

/// Where the groups start.
pub(super) fn groups(cuts: &Cuts) -> Option<Vec<u32>> {
    let mut starts = Vec::new();
    let mut cut = 0;
    while cuts.closes[cut] != NONE {
        starts.push(cuts.cuts[cut].at);
        cut = cuts.closes[cut] as usize;
    }
    starts.push(cuts.cuts[cuts.end()].at);
    (starts.len() > 1).then_some(starts)
}
