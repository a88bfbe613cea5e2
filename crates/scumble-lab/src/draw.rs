//! Random numbers of a study. They choose rows and questions, never anything that is published, so their seed need not be
//! secret.

/// A stream of numbers named by a seed and a purpose, the same on every machine and for any number of threads.
pub(crate) struct Draw(scumble_measure::Draw);

impl Draw {
    /// The stream of a purpose.
    pub(crate) fn new(seed: u64, purpose: &str) -> Self {
        Draw(scumble_measure::Draw::new(seed, purpose.as_bytes(), 0))
    }

    /// A uniform number below `bound`, which must be positive.
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        self.0.below(bound)
    }

    /// `n` of the numbers below `of`, each set equally likely, in rising order; all of them if there are no more.
    pub(crate) fn chosen(&mut self, n: usize, of: usize) -> Vec<usize> {
        let mut wanted = n.min(of);
        let mut chosen = Vec::with_capacity(wanted);
        // Selection sampling: each number is taken with the share that is still wanted of those still to come.
        for at in 0..of {
            if wanted == 0 {
                break;
            }
            if self.below((of - at) as u64) < wanted as u64 {
                chosen.push(at);
                wanted -= 1;
            }
        }
        chosen
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_is_as_large_as_asked_and_fair() {
        let mut draw = Draw::new(1, "rows");
        assert_eq!(draw.chosen(5, 3), [0, 1, 2]);
        assert_eq!(draw.chosen(0, 3), [0; 0]);
        let mut seen = [0; 10];
        for _ in 0..3000 {
            let chosen = draw.chosen(3, 10);
            assert!(chosen.len() == 3 && chosen.windows(2).all(|pair| pair[0] < pair[1]));
            chosen.iter().for_each(|&at| seen[at] += 1);
        }
        assert!(seen.iter().all(|&n| (800..1000).contains(&n)), "{seen:?}");
    }

    #[test]
    fn streams_are_named() {
        let first = |seed, purpose| Draw::new(seed, purpose).below(1 << 40);
        assert_eq!(first(7, "rows"), first(7, "rows"));
        assert_ne!(first(7, "rows"), first(8, "rows"));
        assert_ne!(first(7, "rows"), first(7, "questions"));
    }
}
