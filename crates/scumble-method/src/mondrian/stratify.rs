//! Relaxed cuts that keep the mix of sensitive values: for nodes that no straight cut can divide.
//!
//! Rows are put in the order of their sensitive values and taken in blocks of `2b`; the `b` of each
//! block that lie lowest on an axis go to the left. Both halves then have nearly the same mix of
//! values as the node, so a principle about that mix (frequency, closeness) that the node satisfies
//! is likely to hold for both, while the halves still lie apart on the axis: the wider the blocks,
//! the farther. The boxes of the halves overlap, which
//! only relaxed groups may.

use super::judge::BagMemory;
use super::rows::{Position, Row, Span};
use super::split::Search;
use crate::axis::{Axis, Shape};

/// Each try narrows the blocks by this factor.
const NARROWER: usize = 4;

/// Divides the rows so that both halves pass, if a stratified cut does; tells where the right
/// half starts. Rows are reordered either way.
pub(crate) fn cut<L: Position, const D: usize>(
    rows: &mut [Row<L, D>],
    search: &Search<'_>,
    memory: &mut BagMemory,
) -> Option<usize> {
    let (axes, judge) = (search.axes, &search.judge);
    let n = rows.len();
    judge.sort_by_values(rows, search.ties);
    let by_value = rows.to_vec();
    let mut best = by_value.clone();
    let mut width = n / NARROWER / 2;
    while width >= 1 && !search.monitor.is_cancelled() {
        // Choose the axis by loss, then ask the judge once.
        let mut least = f64::INFINITY;
        let mut at = 0;
        for a in 0..axes.len() {
            if search.monitor.is_cancelled() || by_value.iter().all(|row| row.at[a] == by_value[0].at[a]) {
                continue;
            }
            rows.copy_from_slice(&by_value);
            let left = deal(rows, a, width, search.ties);
            let loss = left as f64 * cost(&rows[..left], axes) + (n - left) as f64 * cost(&rows[left..], axes);
            if loss < least {
                (least, at) = (loss, left);
                best.copy_from_slice(rows);
            }
        }
        if at > 0 && least < n as f64 * cost(&by_value, axes) {
            rows.copy_from_slice(&best);
            if judge.passes(&rows[..at], memory) && judge.passes(&rows[at..], memory) {
                return Some(at);
            }
        }
        width /= NARROWER;
    }
    None
}

/// Moves the lower half of every block of `2 * width` rows to the front; returns how many rows
/// went there. A last short block is halved too.
fn deal<L: Position, const D: usize>(rows: &mut [Row<L, D>], a: usize, width: usize, ties: &[u32]) -> usize {
    let mut front = Vec::with_capacity(rows.len());
    let mut back = Vec::with_capacity(rows.len() / 2 + 1);
    // Odd blocks would always favour one side; let them take turns.
    let mut extra = false;
    for block in rows.chunks_mut(2 * width) {
        let half = block.len() / 2 + usize::from(block.len() % 2 == 1 && extra);
        extra ^= block.len() % 2 == 1;
        if half > 0 && half < block.len() {
            block.select_nth_unstable_by_key(half, |row| (row.at[a], row.at, ties[row.row as usize]));
        }
        front.extend_from_slice(&block[..half]);
        back.extend_from_slice(&block[half..]);
    }
    let left = front.len();
    rows[..left].copy_from_slice(&front);
    rows[left..].copy_from_slice(&back);
    left
}

/// NCP of the least box around some rows.
fn cost<L: Position, const D: usize>(rows: &[Row<L, D>], axes: &[Axis]) -> f64 {
    let mut span = Span::EMPTY;
    for row in rows {
        span.add(&row.at);
    }
    axes.iter()
        .enumerate()
        .map(|(a, axis)| match axis.shape() {
            Shape::Set => {
                let mut seen = vec![false; axis.size()];
                for row in rows {
                    seen[Into::<u32>::into(row.at[a]) as usize] = true;
                }
                let (low, high) = (span.low[a].into(), span.high[a].into());
                axis.set_cost(seen[1..].iter().filter(|&&s| s).count() as u32, seen[0], low, high)
            }
            _ => axis.span_cost(span.low[a].into(), span.high[a].into()),
        })
        .sum()
}
