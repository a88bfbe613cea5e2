//! Levels of intervals that all contexts share at the top and refine each in its own way.
//!
//! ```text
//! *                                    everything
//! S                    |               few intervals of all rows: common to all contexts
//! context    |         |     |         inside each of them, of the context's own rows: 4 tau, 2 tau, tau
//! value  | | | | | | | | | | | |
//! ```
//!
//! Every level's cuts are among those of the level below, so any two rows that share an interval share all broader
//! ones, whatever their contexts.

use super::cuts::{Rule, cuts};
use scumble_table::{Code, Monitor};

/// The cuts of one level: the last code of every interval but the highest, ascending.
pub type LevelCuts = Vec<Code>;

/// Cuts by level, fine to coarse.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Nested {
    /// The levels that all contexts share.
    pub common: Vec<LevelCuts>,
    /// The finer levels of each context; all contexts have equally many.
    pub contexts: Vec<Vec<LevelCuts>>,
}

/// How broad the intervals are to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sizes {
    /// Rows that an interval of a context needs.
    pub least: u64,
    /// How many intervals the finest common level is to have, about.
    pub groups: u64,
}

/// Refines the intervals between `parents`: inside each, cuts after blocks that hold at least `least` rows. Cuts are
/// possible after each value that occurs or, if `allowed` is given, only there. A parent that cannot hold two intervals
/// stays whole. Values that do not occur belong to the interval above them.
pub(crate) fn refine(
    histogram: &[u64],
    parents: &[Code],
    allowed: Option<&[Code]>,
    least: u64,
    rule: Rule,
    monitor: Monitor<'_>,
) -> LevelCuts {
    let last = histogram.len() as Code - 1;
    let mut found = Vec::new();
    let mut first = 1;
    for end in parents.iter().copied().chain([last]) {
        let (mut rows, mut ends) = (Vec::new(), Vec::new());
        let mut block = |from: Code, to: Code| {
            let held: u64 = histogram[from as usize..=to as usize].iter().sum();
            if held > 0 {
                rows.push(held);
                ends.push(to);
            }
            held > 0
        };
        match allowed {
            None => (first..=end).for_each(|code| {
                block(code, code);
            }),
            Some(allowed) => {
                let mut from = first;
                for &to in allowed.iter().filter(|cut| (first..end).contains(*cut)).chain([&end]) {
                    if from <= to && block(from, to) {
                        from = to + 1;
                    }
                }
            }
        }
        found.extend(cuts(&rows, least, rule, monitor).into_iter().map(|at| ends[at]));
        if end != last {
            found.push(end);
        }
        first = end + 1;
    }
    found
}

/// Few intervals of all rows, and coarser ones above them until nothing is left to join. `histogram` counts rows by
/// code, without missing ones.
pub(crate) fn common(histogram: &[u64], sizes: Sizes, monitor: Monitor<'_>) -> Vec<LevelCuts> {
    let rows: u64 = histogram.iter().sum();
    // At least n / (G + 0.6) rows: room for G intervals that are not quite equal, and not for G + 1.
    let of_groups = (u128::from(rows) * 10).div_ceil(u128::from(sizes.groups) * 10 + 6) as u64;
    let least = of_groups.max(sizes.least);
    coarser(vec![refine(histogram, &[], None, least, Rule::Optimal, monitor)], least, |before, least| {
        refine(histogram, &[], Some(before), least, Rule::Optimal, monitor)
    })
}

/// Levels above the first, with intervals of twice as many rows each time, until one has no cut. A level that is the
/// same as the one below is left out, and so is one without a cut, which is `*`.
fn coarser(mut levels: Vec<LevelCuts>, mut least: u64, above: impl Fn(&LevelCuts, u64) -> LevelCuts) -> Vec<LevelCuts> {
    while let Some(finest) = levels.last().filter(|level| !level.is_empty()) {
        least = least.saturating_mul(2);
        let next = above(finest, least);
        if next != *finest {
            levels.push(next);
        }
    }
    levels.pop();
    levels
}

/// The levels of all contexts under common ones. `finest` has the cuts of each context's finest level, which hold all
/// cuts of the finest common level; `histograms` count the rows of each context by code, without missing ones.
pub(crate) fn under(
    common: Vec<LevelCuts>,
    histograms: &[Vec<u64>],
    finest: Vec<LevelCuts>,
    least: u64,
    monitor: Monitor<'_>,
) -> Nested {
    let shared: LevelCuts = common.first().cloned().unwrap_or_default();
    let mut levels = vec![finest];
    let mut least = least;
    while !monitor.is_cancelled() && levels[levels.len() - 1].iter().any(|cuts| *cuts != shared) {
        least = least.saturating_mul(2);
        let below = &levels[levels.len() - 1];
        let join = |(histogram, below): (&Vec<u64>, &LevelCuts)| {
            refine(histogram, &shared, Some(below), least, Rule::Optimal, monitor)
        };
        let next: Vec<LevelCuts> = histograms.iter().zip(below).map(join).collect();
        if next != *below {
            levels.push(next);
        }
    }
    // The last level is the finest common one.
    levels.pop();
    let of_context = |nth: usize| levels.iter().map(|level| level[nth].clone()).collect();
    Nested { common, contexts: (0..histograms.len()).map(of_context).collect() }
}

/// Common levels of all rows, and inside their intervals those of each context.
pub fn nest(whole: &[u64], contexts: &[Vec<u64>], sizes: Sizes, monitor: Monitor<'_>) -> Nested {
    let common = common(whole, sizes, monitor);
    let shared: LevelCuts = common.first().cloned().unwrap_or_default();
    let finest = contexts
        .iter()
        .map(|histogram| refine(histogram, &shared, None, sizes.least, Rule::Optimal, monitor))
        .collect();
    under(common, contexts, finest, sizes.least, monitor)
}
