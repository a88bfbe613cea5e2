//! The exact answer for one key: forced moves first, then augmenting paths on what they leave.

use super::tree::{PointTree, TreeSearch};
use super::{Answer, MatchingProblem, SearchLimits};
use scumble_table::{GroupedRows, rows_by_group};

const NONE: u32 = u32::MAX;

/// The two sides of the network.
const BOXES: usize = 0;
const POINTS: usize = 1;

/// Boxes and points of one key with every pair that fits. Boxes and points are numbered from 0
/// here; `boxes` and `points` lead back to the problem.
pub(super) struct Network<'a> {
    boxes: &'a [u32],
    points: &'a [u32],
    want: Vec<u32>,
    have: Vec<u32>,
    /// Points of box `b`: `ends[starts[b]..starts[b + 1]]`.
    starts: Vec<u32>,
    ends: Vec<u32>,
    /// Pairs of point `p`, as positions in `ends`: `back[back_starts[p]..back_starts[p + 1]]`.
    back_starts: Vec<u32>,
    back: Vec<u32>,
    /// The box of each pair.
    owner: Vec<u32>,
    /// Whether every point must be used up.
    all_used: bool,
}

/// Distances of a breadth-first search; a box one step beyond a point has the point's number.
struct Levels {
    boxes: Vec<u32>,
    points: Vec<u32>,
}

impl<'a> Network<'a> {
    /// Writes down all pairs; `None` if there are too many, or the work is cancelled.
    pub(super) fn new(
        problem: &MatchingProblem,
        tree: &'a PointTree,
        boxes: &'a [u32],
        all_used: bool,
        limits: SearchLimits<'_>,
    ) -> Option<Self> {
        let mut starts = vec![0u32];
        let (mut ends, mut owner) = (Vec::new(), Vec::new());
        let mut search = TreeSearch::default();
        for (at, &a_box) in boxes.iter().enumerate() {
            let fits = tree.inside(problem, a_box as usize, &mut search, |from, to| {
                ends.extend(from as u32..to as u32);
                ends.len() <= limits.pairs
            });
            if !fits || limits.monitor.is_cancelled() {
                return None;
            }
            owner.resize(ends.len(), at as u32);
            starts.push(ends.len() as u32);
        }
        let points = tree.order.as_slice();
        let GroupedRows { starts: back_starts, rows: back } = rows_by_group(&ends, points.len());
        let want = boxes.iter().map(|&b| problem.want[b as usize].1).collect();
        let have = points.iter().map(|&p| problem.have[p as usize].1).collect();
        Some(Network { boxes, points, want, have, starts, ends, back_starts, back, owner, all_used })
    }

    /// The answer; `None` when it would take too many looks at pairs, or the work is cancelled.
    pub(super) fn solve(mut self, limits: SearchLimits<'_>) -> Option<Answer> {
        if let Err(no) = self.forced_moves() {
            return Some(no);
        }
        let mut flow = vec![0u32; self.ends.len()];
        self.greedy(&mut flow);
        let mut steps = 0;
        while self.want.iter().any(|&want| want > 0) {
            let levels = self.levels(&flow, &mut steps);
            let Some(levels) = levels else {
                let unfilled = self.want.iter().position(|&want| want > 0).unwrap_or(0);
                return Some(Answer::NoPoint(self.boxes[unfilled] as usize));
            };
            self.augment(&mut flow, &levels, &mut steps);
            if steps > limits.steps || limits.monitor.is_cancelled() {
                return None;
            }
        }
        Some(Answer::Yes)
    }

    fn pairs_of_box(&self, b: usize) -> std::ops::Range<usize> {
        self.starts[b] as usize..self.starts[b + 1] as usize
    }

    fn pairs_of_point(&self, p: usize) -> &[u32] {
        &self.back[self.back_starts[p] as usize..self.back_starts[p + 1] as usize]
    }

    /// The points inside a box, or the boxes around a point.
    fn partners(&self, side: usize, at: usize) -> impl Iterator<Item = usize> + '_ {
        let (of_box, of_point) =
            if side == BOXES { (self.pairs_of_box(at), &[][..]) } else { (0..0, self.pairs_of_point(at)) };
        let points = of_box.map(|pair| self.ends[pair] as usize);
        points.chain(of_point.iter().map(|&pair| self.owner[pair as usize] as usize))
    }

    /// A box with one point left must take it; where all points are used, a point with one box left
    /// must go there. What is used up disappears, and may force others.
    fn forced_moves(&mut self) -> Result<(), Answer> {
        let mut left = [std::mem::take(&mut self.want), std::mem::take(&mut self.have)];
        let mut degree = [BOXES, POINTS]
            .map(|side| (0..left[side].len()).map(|at| self.partners(side, at).count() as u32).collect::<Vec<_>>());
        let is_forced = |side: usize, degree: u32| degree <= 1 && (side == BOXES || self.all_used);
        let mut tight: Vec<(usize, usize)> = Vec::new();
        for (side, degree) in degree.iter().enumerate() {
            tight.extend((0..degree.len()).filter(|&at| is_forced(side, degree[at])).map(|at| (side, at)));
        }
        while let Some((side, at)) = tight.pop() {
            let other = 1 - side;
            let moved = std::mem::take(&mut left[side][at]);
            if moved == 0 {
                continue;
            }
            let no = match side {
                BOXES => Answer::NoPoint(self.boxes[at] as usize),
                _ => Answer::NoBox(self.points[at] as usize),
            };
            let only = self.partners(side, at).find(|&partner| left[other][partner] > 0).ok_or(no)?;
            left[other][only] = left[other][only].checked_sub(moved).ok_or(no)?;
            let both = [(side, at), (other, only)];
            for (side, at) in both.into_iter().filter(|&(side, at)| left[side][at] == 0) {
                for partner in self.partners(side, at) {
                    let degree = &mut degree[1 - side][partner];
                    *degree -= 1;
                    if is_forced(1 - side, *degree) && left[1 - side][partner] > 0 {
                        tight.push((1 - side, partner));
                    }
                }
            }
        }
        [self.want, self.have] = left;
        Ok(())
    }

    /// A first flow: boxes with the fewest pairs choose first.
    fn greedy(&mut self, flow: &mut [u32]) {
        let mut order: Vec<u32> = (0..self.want.len() as u32).filter(|&b| self.want[b as usize] > 0).collect();
        order.sort_by_key(|&b| self.pairs_of_box(b as usize).len());
        for b in order {
            for pair in self.pairs_of_box(b as usize) {
                let point = self.ends[pair] as usize;
                let moved = self.want[b as usize].min(self.have[point]);
                flow[pair] += moved;
                self.have[point] -= moved;
                self.want[b as usize] -= moved;
                if self.want[b as usize] == 0 {
                    break;
                }
            }
        }
    }

    /// Distance of every box and point from the unfilled boxes, up to where a free point is met;
    /// `None` if none is.
    fn levels(&self, flow: &[u32], steps: &mut u64) -> Option<Levels> {
        let mut level = vec![NONE; self.want.len()];
        let mut point_level = vec![NONE; self.have.len()];
        let mut front: Vec<u32> = (0..self.want.len() as u32).filter(|&b| self.want[b as usize] > 0).collect();
        for &b in &front {
            level[b as usize] = 0;
        }
        let mut depth = 0;
        let mut reached = false;
        while !front.is_empty() && !reached {
            let mut next = Vec::new();
            depth += 1;
            for &b in &front {
                for pair in self.pairs_of_box(b as usize) {
                    *steps += 1;
                    let point = self.ends[pair] as usize;
                    if point_level[point] != NONE {
                        continue;
                    }
                    point_level[point] = depth;
                    reached |= self.have[point] > 0;
                    for &taken in self.pairs_of_point(point) {
                        *steps += 1;
                        let other = self.owner[taken as usize] as usize;
                        if flow[taken as usize] > 0 && level[other] == NONE {
                            level[other] = depth;
                            next.push(other as u32);
                        }
                    }
                }
            }
            front = next;
        }
        reached.then_some(Levels { boxes: level, points: point_level })
    }

    /// Moves rows along shortest paths: an unfilled box takes a point from a box one level further,
    /// which takes another, until one takes a free point. Every pair is tried once per round.
    fn augment(&mut self, flow: &mut [u32], level: &Levels, steps: &mut u64) {
        let mut next_pair: Vec<u32> = self.starts[..self.want.len()].to_vec();
        // Where in a point's list of takers the search stands; shared, since a taker that led
        // nowhere leads nowhere for every box of this round.
        let mut next_taker: Vec<u32> = self.back_starts[..self.have.len()].to_vec();
        for root in 0..self.want.len() {
            while self.want[root] > 0 {
                // Pairs taken forward and the pair by which the next box gives its point up.
                let mut path: Vec<(u32, u32)> = Vec::new();
                let mut b = root;
                let filled_by = loop {
                    *steps += 1;
                    let at = next_pair[b];
                    if at == self.starts[b + 1] {
                        let Some((pair, _)) = path.pop() else { break None };
                        let point = self.ends[pair as usize] as usize;
                        next_taker[point] += 1;
                        b = self.owner[pair as usize] as usize;
                        continue;
                    }
                    let point = self.ends[at as usize] as usize;
                    if level.points[point] != level.boxes[b] + 1 {
                        next_pair[b] += 1;
                        continue;
                    }
                    if self.have[point] > 0 {
                        break Some(at);
                    }
                    let mut taker = NONE;
                    while next_taker[point] < self.back_starts[point + 1] {
                        *steps += 1;
                        let taken = self.back[next_taker[point] as usize];
                        let owner = self.owner[taken as usize] as usize;
                        if flow[taken as usize] > 0 && level.boxes[owner] == level.points[point] {
                            taker = taken;
                            break;
                        }
                        next_taker[point] += 1;
                    }
                    if taker == NONE {
                        next_pair[b] += 1;
                    } else {
                        path.push((at, taker));
                        b = self.owner[taker as usize] as usize;
                    }
                };
                let Some(last) = filled_by else { break };
                let free = self.ends[last as usize] as usize;
                let narrowest = path.iter().map(|&(_, taken)| flow[taken as usize]).min().unwrap_or(u32::MAX);
                let moved = self.want[root].min(self.have[free]).min(narrowest);
                for &(pair, taken) in &path {
                    flow[pair as usize] += moved;
                    flow[taken as usize] -= moved;
                }
                flow[last as usize] += moved;
                self.have[free] -= moved;
                self.want[root] -= moved;
            }
        }
    }
}
