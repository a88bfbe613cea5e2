//! Local search, ALGORITHMS.md 2b stage 3: two groups that lie near each other exchange a row where
//! that makes their boxes smaller. Only the profile `max-utility` does it, since what a search of this
//! kind leaves in place tells a reader who knows it something about the values (ALGORITHMS.md T1).

use crate::axis::{Axis, Shape};
use rayon::prelude::*;
use scumble_principle::Neighbourhood;
use scumble_table::Code;

/// Groups that a group is compared with: those at most so many places away along the line.
const NEIGHBOURS: usize = 12;

/// Passes over all groups; later ones were measured to bring less than a hundredth.
const PASSES: usize = 6;

/// Groups of a block. Blocks are worked on at the same time; every other pass they start half a block
/// later, so that no border lasts.
const BLOCK: usize = 2048;

/// A swap must save this much of NCP, rows times box, to be more than rounding.
const LEAST_GAIN: f64 = 1e-9;

/// A row with what the search looks at.
#[derive(Debug, Clone)]
pub(crate) struct Member {
    pub(crate) row: u32,
    pub(crate) code: Code,
    pub(crate) at: Vec<u32>,
}

/// Lowers the loss of `groups` by swaps; members of a group never conflict, before and after.
pub(crate) fn improve(groups: &mut Vec<Vec<Member>>, axes: &[Axis], near: &Neighbourhood) {
    for pass in 0..PASSES {
        let line = along_line(groups, axes, pass);
        let mut ordered: Vec<Vec<Member>> = line.iter().map(|&g| std::mem::take(&mut groups[g])).collect();
        let shift = if pass % 2 == 0 { 0 } else { BLOCK / 2 };
        let (first, rest) = ordered.split_at_mut(shift.min(groups.len()));
        let swaps: usize =
            [first].into_par_iter().chain(rest.par_chunks_mut(BLOCK)).map(|block| swap_within(block, axes, near)).sum();
        *groups = ordered;
        if swaps == 0 {
            break;
        }
    }
}

/// The groups in the order of a k-d tree over their middles; each pass starts with another axis, so
/// that neighbours differ from pass to pass.
fn along_line(groups: &[Vec<Member>], axes: &[Axis], pass: usize) -> Vec<usize> {
    let place = |axis: &Axis, position: u32| match axis.shape() {
        Shape::Interval => axis.place(position),
        _ => f64::from(position) / axis.size() as f64,
    };
    let middles: Vec<Vec<f64>> = groups
        .par_iter()
        .map(|group| {
            let mean = |(a, axis): (usize, &Axis)| {
                group.iter().map(|member| place(axis, member.at[a])).sum::<f64>() / group.len().max(1) as f64
            };
            axes.iter().enumerate().map(mean).collect()
        })
        .collect();
    let mut line: Vec<usize> = (0..groups.len()).collect();
    arrange(&mut line, &middles, axes.len(), pass);
    line
}

fn arrange(line: &mut [usize], middles: &[Vec<f64>], d: usize, turn: usize) {
    if line.len() <= 1 || d == 0 {
        return;
    }
    let width = |a: usize| {
        let (low, high) = line.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &g| {
            (low.min(middles[g][a]), high.max(middles[g][a]))
        });
        high - low
    };
    // The widest axis; among equals, one that depends on the pass.
    let widest = (0..d).map(|i| (i + turn) % d).max_by(|&a, &b| width(a).total_cmp(&width(b))).unwrap_or(0);
    let half = line.len() / 2;
    line.select_nth_unstable_by(half, |&x, &y| middles[x][widest].total_cmp(&middles[y][widest]).then(x.cmp(&y)));
    let (left, right) = line.split_at_mut(half);
    if left.len() > BLOCK {
        rayon::join(|| arrange(left, middles, d, turn), || arrange(right, middles, d, turn));
    } else {
        arrange(left, middles, d, turn);
        arrange(right, middles, d, turn);
    }
}

fn swap_within(groups: &mut [Vec<Member>], axes: &[Axis], near: &Neighbourhood) -> usize {
    let mut costs: Vec<f64> = groups.iter().map(|group| cost_without(group, usize::MAX, None, axes)).collect();
    let mut swaps = 0;
    for i in 0..groups.len() {
        for j in i + 1..(i + 1 + NEIGHBOURS).min(groups.len()) {
            while let Some((a, b, left, right)) = best_swap(&groups[i], &groups[j], (costs[i], costs[j]), axes, near) {
                let (head, tail) = groups.split_at_mut(j);
                std::mem::swap(&mut head[i][a], &mut tail[0][b]);
                (costs[i], costs[j]) = (left, right);
                swaps += 1;
            }
        }
    }
    swaps
}

/// The swap that saves most, with the costs of both groups after it.
fn best_swap(
    one: &[Member],
    two: &[Member],
    costs: (f64, f64),
    axes: &[Axis],
    near: &Neighbourhood,
) -> Option<(usize, usize, f64, f64)> {
    let size = (one.len() as f64, two.len() as f64);
    // A member helps by leaving only if the box shrinks without it.
    let shrinks = |group: &[Member], cost: f64| -> Vec<(usize, f64)> {
        let without = (0..group.len()).map(|at| (at, cost_without(group, at, None, axes)));
        without.filter(|(_, left)| *left < cost - LEAST_GAIN).collect()
    };
    let (from_one, from_two) = (shrinks(one, costs.0), shrinks(two, costs.1));
    let (least_one, least_two) = (
        from_one.iter().map(|pair| pair.1).fold(costs.0, f64::min),
        from_two.iter().map(|pair| pair.1).fold(costs.1, f64::min),
    );
    // No swap can save more than both groups losing their worst member.
    if size.0 * (costs.0 - least_one) + size.1 * (costs.1 - least_two) <= LEAST_GAIN {
        return None;
    }
    let mut best: Option<(f64, (usize, usize, f64, f64))> = None;
    let mut consider = |a: usize, b: usize| {
        if clashes(one, a, two[b].code, near) || clashes(two, b, one[a].code, near) {
            return;
        }
        let left = cost_without(one, a, Some(&two[b]), axes);
        let right = cost_without(two, b, Some(&one[a]), axes);
        let gain = size.0 * (costs.0 - left) + size.1 * (costs.1 - right);
        if gain > LEAST_GAIN && best.as_ref().is_none_or(|(most, _)| gain > *most) {
            best = Some((gain, (a, b, left, right)));
        }
    };
    for &(a, _) in &from_one {
        (0..two.len()).for_each(|b| consider(a, b));
    }
    for &(b, _) in &from_two {
        (0..one.len()).filter(|a| !from_one.iter().any(|pair| pair.0 == *a)).for_each(|a| consider(a, b));
    }
    best.map(|(_, swap)| swap)
}

/// True if a value conflicts with a member other than the one at `but`.
fn clashes(group: &[Member], but: usize, code: Code, near: &Neighbourhood) -> bool {
    group.iter().enumerate().any(|(at, member)| at != but && near.conflict(member.code, code))
}

/// NCP of the box around a group without one member, and with another in its stead.
fn cost_without(group: &[Member], but: usize, instead: Option<&Member>, axes: &[Axis]) -> f64 {
    let members = || group.iter().enumerate().filter(|(at, _)| *at != but).map(|(_, member)| member).chain(instead);
    let cost = |(a, axis): (usize, &Axis)| {
        let positions = || members().map(|member| member.at[a]);
        if axis.shape() == Shape::Set {
            let is_new = |i: usize, position: u32| positions().take(i).all(|earlier| earlier != position);
            let labels = positions().enumerate().filter(|&(i, position)| position > 0 && is_new(i, position)).count();
            return axis.set_cost(labels as u32, positions().any(|position| position == 0));
        }
        let (low, high) = positions().fold((u32::MAX, 0), |(low, high), p| (low.min(p), high.max(p)));
        axis.span_cost(low, high)
    };
    axes.iter().enumerate().map(cost).sum()
}
