//! The queue behind dynamic programs whose cost satisfies the quadrangle inequality: once a later start is better than
//! an earlier one, it stays better for all later ends. That holds as well where starts are let in one after the other.
//! Each start in the queue has the end from which it is the best.

use std::collections::VecDeque;

#[derive(Clone, Copy)]
struct Candidate {
    start: usize,
    /// The first end for which it is the best.
    from: usize,
}

/// How the first end is sought from which a new start beats an old one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Seek {
    /// By halving up to the last end.
    Halving,
    /// By steps that double and then halve: the end is near where groups are short.
    Doubling,
}

/// Starts by falling age, each with the end from which it is the best.
pub(crate) struct MonotoneQueue {
    candidates: VecDeque<Candidate>,
    /// The last end that is asked for.
    end: usize,
    seek: Seek,
}

impl MonotoneQueue {
    pub(crate) fn new(end: usize, seek: Seek) -> Self {
        MonotoneQueue { candidates: VecDeque::new(), end, seek }
    }

    /// Lets a start in that may be used from the end `now` on. `beats(new, old, end)` says whether the new start is at
    /// least as good; it must be true where the old one is of no use, and so beyond the last end when doubling. Starts
    /// at the back that it beats from where they would have been best go.
    pub(crate) fn admit(&mut self, start: usize, now: usize, beats: impl Fn(usize, usize, usize) -> bool) {
        let mut from = now;
        while let Some(&back) = self.candidates.back() {
            let beats = |end: usize| beats(start, back.start, end);
            let mut low = back.from.max(now);
            if beats(low) {
                self.candidates.pop_back();
                continue;
            }
            let mut high = match self.seek {
                Seek::Halving if !beats(self.end) => return,
                Seek::Halving => self.end,
                Seek::Doubling => {
                    let mut step = 1;
                    while !beats(low + step) {
                        low += step;
                        step *= 2;
                    }
                    low + step
                }
            };
            while high - low > 1 {
                let middle = low + (high - low) / 2;
                if beats(middle) {
                    high = middle;
                } else {
                    low = middle;
                }
            }
            from = high;
            break;
        }
        if from <= self.end {
            self.candidates.push_back(Candidate { start, from });
        }
    }

    /// The best start for an end; ends must rise from call to call.
    pub(crate) fn best(&mut self, end: usize) -> Option<usize> {
        while self.candidates.get(1).is_some_and(|second| second.from <= end) {
            self.candidates.pop_front();
        }
        self.candidates.front().map(|candidate| candidate.start)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Squares of lengths satisfy the inequality; all pairs are the other way to the best start.
        #[test]
        fn the_best_start_is_that_of_all_pairs(base in prop::collection::vec(0u64..400, 1..60), lag in 1usize..4) {
            let end = base.len() + lag;
            for seek in [Seek::Halving, Seek::Doubling] {
                let cost = |start: usize, at: usize| base[start] + ((at - start) * (at - start)) as u64;
                let mut queue = MonotoneQueue::new(end, seek);
                for at in lag..end {
                    queue.admit(at - lag, at, |new, old, at| at > end || cost(new, at) <= cost(old, at));
                    let best = queue.best(at).unwrap();
                    let least = (0..=at - lag).map(|start| cost(start, at)).min().unwrap();
                    prop_assert_eq!(cost(best, at), least);
                }
            }
        }
    }
}
