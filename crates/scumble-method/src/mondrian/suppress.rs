//! Leaving out a few outlying rows where that lowers the loss of the whole.
//!
//! A suppressed row is published as stars, so it loses as much as a row can: 1 on every axis. It
//! pays to leave it out only if the box of its group shrinks by more, over all the others. Each
//! group offers the side of one cut whose removal saves most; the best offers within the bound are
//! taken, and the rest is partitioned again, since neighbours now fit together better. The result
//! is kept only if its total loss is lower.

use super::judge::{Criterion, RequirementJudge};
use super::rows::{Position, Row};
use super::split::Search;
use super::{Growth, Mondrian};
use crate::axis::Axis;
use crate::pieces::pieces;
use crate::task::Task;
use rayon::prelude::*;
use scumble_table::Result;

/// Rounds of removal; each looks at the groups that the one before left, or tries fewer rows where
/// the one before took too many.
const ROUNDS: usize = 8;

/// A round that did not lower the loss is tried again with this part of its rows.
const FEWER: usize = 4;

/// A group's offer: rows it would do better without.
struct SuppressionOffer {
    rows: Vec<u32>,
    saves: f64,
}

/// Replaces `rows` and `sizes` by a better partition of fewer rows, if there is one within the
/// task's bound.
pub(crate) fn improve<L: Position, const D: usize>(
    rule: &Mondrian,
    task: &Task<'_>,
    axes: &[Axis],
    ties: &[u32],
    rows: &mut Vec<Row<L, D>>,
    sizes: &mut Vec<u32>,
) -> Result<()> {
    let each = axes.len() as f64;
    let mut left_out = 0usize;
    // All rows have been heard of already.
    let quiet = Task { monitor: task.monitor.without_progress(), ..*task };
    let (mut loss, mut offers) = survey(&new_search(rule, &quiet, axes, ties), rows, sizes);
    let mut most = task.most_suppressed;
    for _ in 0..ROUNDS {
        task.monitor.check()?;
        offers.sort_by(|a, b| {
            (b.saves / b.rows.len() as f64).total_cmp(&(a.saves / a.rows.len() as f64)).then(a.rows.cmp(&b.rows))
        });
        let mut gone = vec![false; task.table.n_rows()];
        let mut room = most.min(task.most_suppressed - left_out);
        for offer in offers.iter().filter(|offer| offer.saves > 0.0) {
            if offer.rows.len() <= room {
                room -= offer.rows.len();
                offer.rows.iter().for_each(|&row| gone[row as usize] = true);
            }
        }
        let mut fewer: Vec<Row<L, D>> = rows.iter().filter(|row| !gone[row.row as usize]).copied().collect();
        let removed = rows.len() - fewer.len();
        if removed == 0 {
            break;
        }
        let kept: Vec<u32> = fewer.iter().map(|row| row.row).collect();
        // What is judged on the published rows may no longer be within reach of these.
        most = removed / FEWER;
        let Ok(bound) = (task.rebind)(&kept) else { continue };
        let quiet = Task { bound: &bound, ..quiet };
        let search = new_search(rule, &quiet, axes, ties);
        if !search.judge.passes(&fewer, &mut Default::default()) {
            continue;
        }
        let new_sizes: Vec<u32> = search.grow(&mut fewer).into_iter().map(|leaf| leaf.size).collect();
        let (new_loss, new_offers) = survey(&search, &fewer, &new_sizes);
        if new_loss + each * removed as f64 >= loss {
            continue;
        }
        left_out += removed;
        most = task.most_suppressed;
        (*rows, *sizes, loss, offers) = (fewer, new_sizes, new_loss, new_offers);
    }
    Ok(())
}

fn new_search<'a>(rule: &'a Mondrian, task: &Task<'a>, axes: &'a [Axis], ties: &'a [u32]) -> Search<'a> {
    let judge = RequirementJudge::new(task.bound, task.table, Criterion::Holds);
    Search::new(rule, task, axes, judge, ties, Growth::default())
}

/// The total loss of a partition, and what each group would rather leave out.
fn survey<L: Position, const D: usize>(
    search: &Search<'_>,
    rows: &[Row<L, D>],
    sizes: &[u32],
) -> (f64, Vec<SuppressionOffer>) {
    let groups = pieces(rows, sizes.iter().map(|&size| size as usize));
    let each = search.axes.len() as f64;
    let found: Vec<(f64, Option<SuppressionOffer>)> = groups
        .par_iter()
        .map_init(
            || search.working_memory::<L, D>(),
            |memory, group| {
                if search.monitor.is_cancelled() {
                    return (0.0, None);
                }
                memory.finder.find(group, 1);
                let (n, whole) = (group.len() as f64, memory.finder.uncut());
                let mut best: Option<(f64, usize, bool)> = None;
                for (i, cut) in memory.finder.cuts.iter().enumerate() {
                    let left = f64::from(cut.n_left);
                    // (rows that go, NCP of those that stay, which side goes)
                    for (go, stay, goes_left) in [(left, cut.right, true), (n - left, cut.left, false)] {
                        let saves = n * whole - (n - go) * stay - go * each;
                        if saves > 0.0 && best.is_none_or(|(most, ..)| saves > most) {
                            best = Some((saves, i, goes_left));
                        }
                    }
                }
                let offer = best.map(|(saves, i, goes_left)| {
                    let mut copy = group.to_vec();
                    let cut = memory.finder.cuts[i];
                    let at = search.apply(&cut, &mut copy, memory);
                    let side = if goes_left { &copy[..at] } else { &copy[at..] };
                    let mut rows: Vec<u32> = side.iter().map(|row| row.row).collect();
                    rows.sort_unstable();
                    SuppressionOffer { rows, saves }
                });
                (n * whole, offer)
            },
        )
        .collect();
    // Summed in group order, so that the total does not depend on threads.
    (found.iter().map(|(loss, _)| loss).sum(), found.into_iter().filter_map(|(_, offer)| offer).collect())
}
