//! The different numbers of a column on a line, and the places where groups may be cut.
//!
//! Groups are runs of the sorted rows, and a cut may divide equal numbers. A group of
//! one number alone never passes here, so a number is cut at most once, and where it has m rows only
//! three cuts before the next number matter: before the first row, after it, and before the last. Every
//! cut between them passes exactly if its two neighbours do, the ranges are the same, and the expected
//! width, taken along the cut, is concave: for rows A below, D the sum of their distances from the number
//! and P that of their pairs, t rows of the number give (P + tD) / (|A| + t + 1), and P <= |A|·D. So one
//! of the two ends is best, and ten million rows of a thousand numbers cost no more than 3,000 rows.

use super::unsigned::Unsigned;

/// Marks a start without an end and an end without a start.
pub(super) const NONE: u32 = u32::MAX;

/// The numbers of a column.
pub(super) struct NumberLine<T> {
    /// Different numbers, rising, less the least of them.
    pub(super) values: Vec<T>,
    /// Where the rows of each number start among the sorted rows, closed by the number of rows.
    pub(super) starts: Vec<u32>,
}

/// A place between two sorted rows.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cut {
    /// Rows before it.
    pub(super) at: u32,
    /// The number of the row after it.
    pub(super) right: u32,
}

/// All places that matter, and the least groups between them.
pub(super) struct Cuts {
    pub(super) cuts: Vec<Cut>,
    /// The first cut where a group that starts at this one may end; rising. What passes stays passing as
    /// it grows, so all later cuts will do as well.
    pub(super) closes: Vec<u32>,
}

impl<T: Unsigned> NumberLine<T> {
    /// The number of rows.
    pub(super) fn n_rows(&self) -> u32 {
        self.starts.last().copied().unwrap_or(0)
    }

    /// Greatest number less the least.
    pub(super) fn range(&self) -> T {
        self.values.last().copied().unwrap_or_default()
    }

    /// How many rows have the number at a position.
    pub(super) fn count(&self, value: usize) -> u32 {
        self.starts[value + 1] - self.starts[value]
    }

    /// The number of the row before a cut, which must not be the first.
    pub(super) fn left(&self, cut: Cut) -> usize {
        cut.right as usize - usize::from(cut.at == self.starts[cut.right as usize])
    }

    /// The places to cut for groups of at least `k` different numbers that span at least `e`.
    pub(super) fn cuts(&self, k: u64, e: T) -> Cuts {
        let n = self.values.len();
        let mut cuts = Vec::with_capacity(n + 1);
        for value in 0..n {
            let (start, count) = (self.starts[value], self.count(value));
            let offsets = [0, 1, count - 1];
            let used = match count {
                1 => 1,
                2 => 2,
                _ => 3,
            };
            cuts.extend(offsets[..used].iter().map(|offset| Cut { at: start + offset, right: value as u32 }));
        }
        cuts.push(Cut { at: self.n_rows(), right: n as u32 });
        let mut closes = vec![NONE; cuts.len()];
        let mut end = 1;
        for (start, close) in closes.iter_mut().enumerate().take(cuts.len() - 1) {
            let from = cuts[start].right as usize;
            let passes = |end: usize| {
                let to = self.left(cuts[end]);
                to >= from && (to - from + 1) as u64 >= k && self.values[to] - self.values[from] >= e
            };
            while end < cuts.len() && !passes(end) {
                end += 1;
            }
            if end == cuts.len() {
                break;
            }
            *close = end as u32;
        }
        Cuts { cuts, closes }
    }
}

impl Cuts {
    /// The last cut, after all rows.
    pub(super) fn end(&self) -> usize {
        self.cuts.len() - 1
    }

    /// Follows `from`, which gives each cut the one where its group starts, back from the last cut; the
    /// rows where groups start, closed by the number of rows. Nothing if the last cut is out of reach.
    pub(super) fn trace(&self, from: &[u32]) -> Option<Vec<u32>> {
        let mut starts = vec![self.cuts[self.end()].at];
        let mut cut = self.end();
        while cut > 0 {
            if from[cut] == NONE {
                return None;
            }
            cut = from[cut] as usize;
            starts.push(self.cuts[cut].at);
        }
        starts.reverse();
        Some(starts)
    }
}
