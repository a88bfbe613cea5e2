//! Local search, for proximity and for colourings: two groups that lie near each other exchange a row, or a group with a
//! row to spare gives one away, where that makes their boxes smaller. Only the profile `max-utility` does it: what a
//! search of this kind leaves in place tells a reader who knows it something about the values.

use crate::axis::{Axis, Shape};
use crate::boxes;
use rayon::prelude::*;
use scumble_table::{Code, Monitor};
use std::ops::RangeInclusive;

/// Groups that a group is compared with: those at most this many places away along the line.
const NEIGHBOURS: usize = 16;

/// How much wider the favoured axis of a pass seems. Every `d + 1`-th pass of d axes favours none.
const FAVOUR: f64 = 4.0;

/// Passes over all groups, unless one finds nothing to do before.
const PASSES: usize = 12;

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

/// What groups must keep while rows change places.
pub(crate) trait SwapRule: Sync {
    /// True if a row of this value may replace the member at `out`, or join all members where `out` names none.
    fn admits(&self, group: &[Member], out: Option<usize>, code: Code) -> bool;

    /// True if the member at `out` may leave without being replaced.
    fn lets_go(&self, group: &[Member], out: usize) -> bool;

    /// How many rows a group may have.
    fn sizes(&self) -> RangeInclusive<usize>;
}

/// Lowers the loss of `groups`, which keep what they must.
pub(crate) fn improve(groups: &mut Vec<Vec<Member>>, axes: &[Axis], keep: &impl SwapRule, monitor: Monitor<'_>) {
    for pass in (0..PASSES).take_while(|_| !monitor.is_cancelled()) {
        let line = along_line(groups, axes, pass, monitor);
        let mut ordered: Vec<Vec<Member>> = line.iter().map(|&g| std::mem::take(&mut groups[g])).collect();
        let shift = if pass % 2 == 0 { 0 } else { BLOCK / 2 };
        let (first, rest) = ordered.split_at_mut(shift.min(groups.len()));
        let changes: usize = [first]
            .into_par_iter()
            .chain(rest.par_chunks_mut(BLOCK))
            .map(|block| improve_block(block, axes, keep, monitor))
            .sum();
        *groups = ordered;
        if changes == 0 {
            break;
        }
    }
}

/// The groups in the order of a k-d tree over their middles. Each pass favours another axis, so that
/// neighbours differ from pass to pass.
fn along_line(groups: &[Vec<Member>], axes: &[Axis], pass: usize, monitor: Monitor<'_>) -> Vec<usize> {
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
    arrange(&mut line, &middles, axes.len(), pass, monitor);
    line
}

fn arrange(line: &mut [usize], middles: &[Vec<f64>], d: usize, turn: usize, monitor: Monitor<'_>) {
    if line.len() <= 1 || d == 0 || monitor.is_cancelled() {
        return;
    }
    let width = |a: usize| {
        let (low, high) = line.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &g| {
            (low.min(middles[g][a]), high.max(middles[g][a]))
        });
        high - low
    };
    // The widest axis, where the favoured one counts for more than it is.
    let seems = |a: usize| if (a + turn).is_multiple_of(d + 1) { FAVOUR * width(a) } else { width(a) };
    let widest = (0..d).max_by(|&a, &b| seems(a).total_cmp(&seems(b))).unwrap_or(0);
    let half = line.len() / 2;
    line.select_nth_unstable_by(half, |&x, &y| middles[x][widest].total_cmp(&middles[y][widest]).then(x.cmp(&y)));
    let (left, right) = line.split_at_mut(half);
    if left.len() > BLOCK {
        rayon::join(|| arrange(left, middles, d, turn, monitor), || arrange(right, middles, d, turn, monitor));
    } else {
        arrange(left, middles, d, turn, monitor);
        arrange(right, middles, d, turn, monitor);
    }
}

/// Improves the groups of a block and tells how many rows changed places.
fn improve_block(groups: &mut [Vec<Member>], axes: &[Axis], keep: &impl SwapRule, monitor: Monitor<'_>) -> usize {
    let mut costs: Vec<f64> = groups.iter().map(|group| cost_without(group, usize::MAX, None, axes)).collect();
    let mut changes = 0;
    for i in (0..groups.len()).take_while(|_| !monitor.is_cancelled()) {
        for j in i + 1..(i + 1 + NEIGHBOURS).min(groups.len()) {
            let (head, tail) = groups.split_at_mut(j);
            let (one, two) = (&mut head[i], &mut tail[0]);
            while let Some((a, b, left, right)) = best_swap(one, two, (costs[i], costs[j]), axes, keep, monitor) {
                std::mem::swap(&mut one[a], &mut two[b]);
                (costs[i], costs[j]) = (left, right);
                changes += 1;
            }
            if let Some((left, right)) = give(one, two, (costs[i], costs[j]), axes, keep, monitor) {
                (costs[i], costs[j]) = (left, right);
                changes += 1;
            }
            if let Some((right, left)) = give(two, one, (costs[j], costs[i]), axes, keep, monitor) {
                (costs[i], costs[j]) = (left, right);
                changes += 1;
            }
        }
    }
    changes
}

/// Lets a group that has a row to spare give away the one whose leaving saves most; returns the costs of
/// both groups after it.
fn give(
    from: &mut Vec<Member>,
    to: &mut Vec<Member>,
    costs: (f64, f64),
    axes: &[Axis],
    keep: &impl SwapRule,
    monitor: Monitor<'_>,
) -> Option<(f64, f64)> {
    if from.len() <= *keep.sizes().start() || to.len() >= *keep.sizes().end() {
        return None;
    }
    let size = (from.len() as f64, to.len() as f64);
    let before = size.0 * costs.0 + size.1 * costs.1;
    let mut best: Option<(f64, usize, f64, f64)> = None;
    for at in (0..from.len()).take_while(|_| !monitor.is_cancelled()) {
        let left = cost_without(from, at, None, axes);
        let right = cost_without(to, usize::MAX, Some(&from[at]), axes);
        let after = (size.0 - 1.0) * left + (size.1 + 1.0) * right;
        if after < before - LEAST_GAIN
            && best.is_none_or(|(least, ..)| after < least)
            && keep.admits(to, None, from[at].code)
            && keep.lets_go(from, at)
        {
            best = Some((after, at, left, right));
        }
    }
    let (_, at, left, right) = best?;
    to.push(from.swap_remove(at));
    Some((left, right))
}

/// The swap that saves most, with the costs of both groups after it.
fn best_swap(
    one: &[Member],
    two: &[Member],
    costs: (f64, f64),
    axes: &[Axis],
    keep: &impl SwapRule,
    monitor: Monitor<'_>,
) -> Option<(usize, usize, f64, f64)> {
    let size = (one.len() as f64, two.len() as f64);
    // A member helps by leaving only if the box shrinks without it.
    let shrinks = |group: &[Member], cost: f64| -> Vec<(usize, f64)> {
        let members = (0..group.len()).take_while(|_| !monitor.is_cancelled());
        let without = members.map(|at| (at, cost_without(group, at, None, axes)));
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
        if monitor.is_cancelled() {
            return;
        }
        let left = cost_without(one, a, Some(&two[b]), axes);
        let right = cost_without(two, b, Some(&one[a]), axes);
        let gain = size.0 * (costs.0 - left) + size.1 * (costs.1 - right);
        if gain > LEAST_GAIN
            && best.as_ref().is_none_or(|(most, _)| gain > *most)
            && keep.admits(one, Some(a), two[b].code)
            && keep.admits(two, Some(b), one[a].code)
        {
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

/// NCP of the box around a group without one member, and with another in its place.
fn cost_without(group: &[Member], but: usize, instead: Option<&Member>, axes: &[Axis]) -> f64 {
    let members = group.iter().enumerate().filter(move |(at, _)| *at != but).map(|(_, member)| member).chain(instead);
    boxes::cost(axes, members.map(|member| member.at.as_slice()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::epsilon_m::ConflictFree;
    use proptest::prelude::*;
    use scumble_principle::{Near, Neighbourhood};
    use scumble_table::{Decimal, Domain};

    fn axes() -> [Axis; 2] {
        let numbers = Domain::numbers((0..20).map(Decimal::from).collect()).unwrap();
        let labels = Domain::nominal((0..6).map(|i| i.to_string().into()).collect());
        [Axis::new(&numbers, &[0; 21]), Axis::new(&labels, &[0, 6, 5, 4, 3, 2, 1])]
    }

    fn total(groups: &[Vec<Member>], axes: &[Axis]) -> f64 {
        groups.iter().map(|group| group.len() as f64 * cost_without(group, usize::MAX, None, axes)).sum()
    }

    #[test]
    fn two_rows_in_the_wrong_groups_change_places() {
        let axes = axes();
        let near = Neighbourhood::new(
            &Domain::numbers((1..9).map(Decimal::from).collect()).unwrap(),
            Near::absolute(0.into()),
        )
        .unwrap();
        let member = |row: u32, position: u32| Member { row, code: row + 1, at: vec![position, 1] };
        let mut groups = vec![vec![member(0, 1), member(1, 20)], vec![member(2, 2), member(3, 19)]];
        improve(&mut groups, &axes, &ConflictFree { near: &near, least: 2 }, Monitor::silent());
        let mut rows: Vec<Vec<u32>> =
            groups.iter().map(|group| group.iter().map(|member| member.row).collect()).collect();
        rows.iter_mut().for_each(|group| group.sort_unstable());
        rows.sort_unstable();
        assert_eq!(rows, [[0, 2], [1, 3]]);
    }

    proptest! {
        #[test]
        fn nothing_gets_worse_and_nobody_is_lost(
            rows in prop::collection::vec((1u32..21, 1u32..7, 1u32..30), 6..80), size in 2usize..5,
        ) {
            let axes = axes();
            let near = Neighbourhood::new(&Domain::numbers((1..30).map(Decimal::from).collect()).unwrap(), Near::absolute(1.into())).unwrap();
            // Rows are added to the last group unless they conflict with it or it is full.
            let mut groups: Vec<Vec<Member>> = Vec::new();
            for (row, (x, label, code)) in (0..).zip(rows) {
                let member = Member { row, code, at: vec![x, label] };
                match groups.last_mut() {
                    Some(last) if last.len() < 2 * size - 1 && ConflictFree { near: &near, least: 1 }.admits(last, None, code) => last.push(member),
                    _ => groups.push(vec![member]),
                }
            }
            let mut before: Vec<u32> = groups.iter().flatten().map(|member| member.row).collect();
            let loss = total(&groups, &axes);
            let least = groups.iter().map(Vec::len).min().unwrap_or(1);
            improve(&mut groups, &axes, &ConflictFree { near: &near, least: size.min(least) }, Monitor::silent());
            let mut after: Vec<u32> = groups.iter().flatten().map(|member| member.row).collect();
            before.sort_unstable();
            after.sort_unstable();
            prop_assert_eq!(before, after);
            prop_assert!(total(&groups, &axes) <= loss + 1e-9);
            for group in &groups {
                prop_assert!(group.len() >= size.min(least));
                let apart = ConflictFree { near: &near, least: 1 };
                prop_assert!((0..group.len()).all(|at| apart.admits(group, Some(at), group[at].code)));
            }
        }
    }
}
