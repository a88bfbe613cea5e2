//! Counts that must hold whatever the assignment, for problems too large to decide.

use super::MatchingProblem;
use super::tree::{PointTree, TreeSearch};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A box that certainly cannot be filled, if one shows: one that holds too few points, or one that
/// gets none when each column is looked at by itself.
pub(super) fn necessary(problem: &MatchingProblem, tree: &PointTree, boxes: &[u32]) -> Option<usize> {
    let mut total = vec![0u64];
    for &point in &tree.order {
        total.push(total[total.len() - 1] + u64::from(problem.have[point as usize].1));
    }
    let mut search = TreeSearch::default();
    let short = boxes.iter().find(|&&a_box| {
        let want = u64::from(problem.want[a_box as usize].1);
        let mut held = 0;
        tree.inside(problem, a_box as usize, &mut search, |from, to| {
            held += total[to] - total[from];
            held < want
        });
        held < want
    });
    short
        .map(|&a_box| a_box as usize)
        .or_else(|| (0..problem.n_dims).find_map(|dim| one_column(problem, tree, boxes, dim)))
}

/// Earliest end first: points by rising rank, each given to the open interval that ends soonest.
/// Holes are taken as covered, which can only let more pass.
fn one_column(problem: &MatchingProblem, tree: &PointTree, boxes: &[u32], dim: usize) -> Option<usize> {
    let rank = |point: u32| problem.points[point as usize * problem.n_dims + dim];
    let span = |a_box: u32| &problem.spans[dim][problem.boxes[a_box as usize * problem.n_dims + dim] as usize];
    let mut points = tree.order.clone();
    points.sort_unstable_by_key(|&point| rank(point));
    let mut waiting = boxes.to_vec();
    waiting.sort_unstable_by_key(|&a_box| Reverse(span(a_box).lo));
    let mut open: BinaryHeap<Reverse<(u32, u32, u32)>> = BinaryHeap::new();
    for point in points {
        let at = rank(point);
        while let Some(&a_box) = waiting.last().filter(|&&a_box| span(a_box).lo <= at) {
            waiting.pop();
            open.push(Reverse((span(a_box).end, a_box, problem.want[a_box as usize].1)));
        }
        let mut have = problem.have[point as usize].1;
        while have > 0 {
            let Some(Reverse((end, a_box, want))) = open.pop() else { break };
            if end <= at {
                return Some(a_box as usize);
            }
            let moved = have.min(want);
            have -= moved;
            if want > moved {
                open.push(Reverse((end, a_box, want - moved)));
            }
        }
    }
    open.pop().map(|Reverse((_, a_box, _))| a_box).or(waiting.pop()).map(|a_box| a_box as usize)
}
