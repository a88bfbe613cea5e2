//! Points and the boxes around them, counted through a tree instead of pair by pair.

use crate::verify::{Question, Search, Tree, narrowness};
use rayon::prelude::*;

/// Boxes are searched for in so many parts, each with room for all points.
const PARTS: usize = 16;

/// Distinct points, and distinct boxes around some of them.
pub(crate) struct Cover {
    question: Question,
    tree: Tree,
}

impl Cover {
    /// Grows the tree over the points of a question that has one key.
    pub(crate) fn new(question: Question) -> Self {
        let points: Vec<u32> = (0..question.have.len() as u32).collect();
        let tree = Tree::grow(&question, &narrowness(&question), &points);
        Cover { question, tree }
    }

    /// The same points with boxes that cover something else in the last column.
    pub(crate) fn with_last(&mut self, spans: Vec<crate::verify::Span>) {
        if let Some(last) = self.question.spans.last_mut() {
            *last = spans;
        }
    }

    /// For each point the sum of the weights of the boxes around it.
    pub(crate) fn around(&self, weights: &[i64]) -> Vec<i64> {
        let n = self.question.have.len();
        let add = |mut a: Vec<i64>, b: Vec<i64>| {
            a.iter_mut().zip(b).for_each(|(a, b)| *a += b);
            a
        };
        // Sums of whole numbers do not depend on the order of the parts.
        let size = weights.len().div_ceil(PARTS).max(1);
        let steps = (0..weights.len()).into_par_iter().step_by(size).map(|from| {
            let mut steps = vec![0i64; n + 1];
            let mut search = Search::default();
            for (a_box, &weight) in weights.iter().enumerate().skip(from).take(size) {
                self.tree.inside(&self.question, a_box, &mut search, |from, to| {
                    steps[from] += weight;
                    steps[to] -= weight;
                    true
                });
            }
            steps
        });
        let steps = steps.reduce(|| vec![0; n + 1], add);
        let mut sums = vec![0; n];
        let mut sum = 0;
        for (&point, step) in self.tree.order().iter().zip(steps) {
            sum += step;
            sums[point as usize] = sum;
        }
        sums
    }

    /// For each box the people inside.
    pub(crate) fn inside(&self) -> Vec<u64> {
        let mut before = vec![0u64];
        for &point in self.tree.order() {
            before.push(before[before.len() - 1] + u64::from(self.question.have[point as usize].1));
        }
        let n = self.question.want.len();
        let size = n.div_ceil(PARTS).max(1);
        let parts = (0..n).into_par_iter().step_by(size).map(|from| {
            let mut search = Search::default();
            let count = |a_box: usize| {
                let mut people = 0;
                self.tree.inside(&self.question, a_box, &mut search, |from, to| {
                    people += before[to] - before[from];
                    true
                });
                people
            };
            (from..(from + size).min(n)).map(count).collect::<Vec<u64>>()
        });
        parts.collect::<Vec<_>>().concat()
    }

    /// For each point the greatest sum of weights among several lists of boxes, each box with its weight.
    pub(crate) fn greatest(&self, lists: &[&[(u32, i64)]]) -> Vec<i64> {
        let n = self.question.have.len();
        let size = lists.len().div_ceil(PARTS).max(1);
        let greater = |mut a: Vec<i64>, b: Vec<i64>| {
            a.iter_mut().zip(b).for_each(|(a, b)| *a = b.max(*a));
            a
        };
        let parts = lists.par_chunks(size).map(|lists| {
            let mut most = vec![0i64; n];
            let mut steps: Vec<(u32, i64)> = Vec::new();
            let mut search = Search::default();
            for list in lists {
                steps.clear();
                for &(a_box, weight) in *list {
                    self.tree.inside(&self.question, a_box as usize, &mut search, |from, to| {
                        steps.extend([(from as u32, weight), (to as u32, -weight)]);
                        true
                    });
                }
                steps.sort_unstable_by_key(|step| step.0);
                let mut sum = 0;
                for pair in steps.windows(2) {
                    sum += pair[0].1;
                    most[pair[0].0 as usize..pair[1].0 as usize].iter_mut().for_each(|most| *most = sum.max(*most));
                }
            }
            most
        });
        let by_place = parts.reduce(|| vec![0; n], greater);
        let mut most = vec![0; n];
        for (&point, found) in self.tree.order().iter().zip(by_place) {
            most[point as usize] = found;
        }
        most
    }
}
