//! Where draws come from: secret coins, or, in tests, every outcome in turn.
//!
//! What is proved of a choice by lot is proved over all outcomes of its draws. Code that asks for draws through these
//! traits can be run over all of them, each with its probability, on tables that are small enough.

use crate::coins::{Coins, Purpose, Stream};

/// A sequence of draws.
pub(crate) trait Draws {
    /// A uniform number below `bound`, which is positive.
    fn below(&mut self, bound: u64) -> u64;

    /// True if `times` throws of a die with `sides` sides all miss its first `hits` sides: with the probability
    /// `(1 - hits/sides)^times`, exactly.
    fn misses(&mut self, hits: u64, sides: u64, times: u64) -> bool {
        (0..times).all(|_| self.below(sides) >= hits)
    }
}

/// Independent sequences of draws, one for each purpose and place.
pub(crate) trait Source: Sync {
    /// The draws for a place.
    fn at(&self, purpose: Purpose, place: u64) -> Box<dyn Draws + '_>;
}

impl Draws for Stream {
    fn below(&mut self, bound: u64) -> u64 {
        Stream::below(self, bound)
    }
}

impl Source for Coins {
    fn at(&self, purpose: Purpose, place: u64) -> Box<dyn Draws + '_> {
        Box::new(self.stream(purpose, place))
    }
}

/// Puts things in a uniformly random order (Fisher-Yates).
pub(crate) fn shuffle<T>(items: &mut [T], draws: &mut dyn Draws) {
    for i in (1..items.len()).rev() {
        items.swap(i, draws.below(i as u64 + 1) as usize);
    }
}

#[cfg(test)]
pub(crate) mod every {
    //! All outcomes of all draws.

    use super::{Draws, Purpose, Source};
    use std::sync::Mutex;

    /// The choices of one run, each with the number of them and the probability of the chosen one.
    #[derive(Default)]
    struct Script {
        chosen: Vec<(u64, u64)>,
        at: usize,
        weight: f64,
    }

    /// A source that takes the draws of one outcome; places do not matter, since nothing runs at the same time.
    pub(crate) struct Outcome(Mutex<Script>);

    impl Outcome {
        fn next(&self, options: u64, weight: impl Fn(u64) -> f64) -> u64 {
            let mut script = self.0.lock().unwrap();
            let at = script.at;
            if at == script.chosen.len() {
                script.chosen.push((0, options));
            }
            assert_eq!(script.chosen[at].1, options, "the same draws give the same run");
            let chosen = script.chosen[at].0;
            script.at += 1;
            script.weight *= weight(chosen);
            chosen
        }
    }

    struct Taken<'a>(&'a Outcome);

    impl Draws for Taken<'_> {
        fn below(&mut self, bound: u64) -> u64 {
            if bound == 1 { 0 } else { self.0.next(bound, |_| 1.0 / bound as f64) }
        }

        fn misses(&mut self, hits: u64, sides: u64, times: u64) -> bool {
            let all = (1.0 - hits as f64 / sides as f64).powf(times as f64);
            match times {
                0 => true,
                _ => self.0.next(2, |chosen| if chosen == 1 { all } else { 1.0 - all }) == 1,
            }
        }
    }

    impl Source for Outcome {
        fn at(&self, _purpose: Purpose, _place: u64) -> Box<dyn Draws + '_> {
            Box::new(Taken(self))
        }
    }

    /// All ways to give these values to people, one each.
    pub(crate) fn worlds<T: Ord + Clone>(values: &[T]) -> Vec<Vec<T>> {
        let mut left = values.to_vec();
        left.sort_unstable();
        let mut worlds = vec![left.clone()];
        // The next permutation in order, until there is none.
        while let Some(i) = (1..left.len()).rev().find(|&i| left[i - 1] < left[i]) {
            let j = (i..left.len()).rev().find(|&j| left[j] > left[i - 1]).unwrap();
            left.swap(i - 1, j);
            left[i..].reverse();
            worlds.push(left.clone());
        }
        worlds
    }

    /// Runs something once for each outcome of its draws, and hands what it gives and its probability to `hear`.
    pub(crate) fn outcomes<T>(run: impl Fn(&dyn Source) -> T, mut hear: impl FnMut(T, f64)) {
        let mut chosen: Vec<(u64, u64)> = Vec::new();
        loop {
            let outcome = Outcome(Mutex::new(Script { chosen, at: 0, weight: 1.0 }));
            let result = run(&outcome);
            let script = outcome.0.into_inner().unwrap();
            hear(result, script.weight);
            chosen = script.chosen;
            // The last choice that has another option takes it, and what came after is forgotten.
            while chosen.last().is_some_and(|&(chosen, options)| chosen + 1 == options) {
                chosen.pop();
            }
            match chosen.last_mut() {
                Some(last) => last.0 += 1,
                None => return,
            }
        }
    }

    #[test]
    fn all_outcomes_together_have_the_probability_one() {
        let mut seen = Vec::new();
        outcomes(
            |source| {
                let mut draws = source.at(Purpose::Ties, 0);
                let die = draws.below(3);
                (die, die == 2 && draws.misses(1, 10, 2))
            },
            |result, weight| seen.push((result, (weight * 300.0).round() as i64)),
        );
        assert_eq!(seen, [((0, false), 100), ((1, false), 100), ((2, false), 19), ((2, true), 81)]);
    }
}
