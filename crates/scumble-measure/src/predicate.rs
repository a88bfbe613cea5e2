//! What a query wants of one attribute.

use crate::axis::{Ranks, ranks_between};
use crate::{Axis, Draw};

/// The values of one attribute that a query counts, in places of its axis. Null is never among them.
#[derive(Debug, Clone, PartialEq)]
pub enum Predicate {
    /// All from one place to another, both included.
    Between(f64, f64),
    /// These places, rising.
    OneOf(Vec<f64>),
}

/// How the predicates of a workload are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Predicates {
    /// An interval of `floor(|A| * part)` values for every attribute, as in section 6 of Li, Tao, Xiao (SIGMOD 2008).
    #[default]
    Intervals,
    /// `ceil(|A| * part)` values: an interval where the attribute has an order, any values where it has none, as in
    /// section 6 of Tao, Chen, Xiao, Zhou, Zhang (ANGEL, TKDE 2009).
    Sets,
}

impl Predicates {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Predicates::Intervals => "intervals",
            Predicates::Sets => "sets",
        }
    }

    /// Draws a predicate that holds a share `part` of an axis.
    pub(super) fn draw(self, axis: &Axis, part: f64, draw: &mut Draw) -> Predicate {
        // A volume such as 0.1^(1/2) of 1000 values must neither lose nor gain one of them by rounding.
        let length = match self {
            Predicates::Intervals => (axis.size() * part + 1e-9).floor(),
            Predicates::Sets => (axis.size() * part - 1e-9).ceil(),
        };
        if self == Predicates::Intervals || axis.ordered {
            let (a, b) = axis.interval(length.max(1.0), part, draw);
            return Predicate::Between(a, b);
        }
        let mut places: Vec<f64> = (0..axis.size() as u32).map(|at| axis.lo + f64::from(at)).collect();
        let n = (length.max(1.0) as usize).min(places.len());
        for at in 0..n {
            let other = at + draw.below((places.len() - at) as u64) as usize;
            places.swap(at, other);
        }
        places.truncate(n);
        places.sort_by(f64::total_cmp);
        Predicate::OneOf(places)
    }
}

impl Predicate {
    /// True if a place is wanted; NaN, which is null, never is.
    pub fn holds(&self, place: f64) -> bool {
        match self {
            Predicate::Between(a, b) => *a <= place && place <= *b,
            Predicate::OneOf(places) => places.binary_search_by(|known| known.total_cmp(&(place + 0.0))).is_ok(),
        }
    }

    /// How much of an axis is wanted, as a share.
    pub fn share(&self, axis: &Axis) -> f64 {
        match self {
            Predicate::Between(a, b) => axis.share((*a, *b)),
            Predicate::OneOf(places) if axis.size() > 0.0 => places.len() as f64 / axis.size(),
            Predicate::OneOf(_) => 1.0,
        }
    }

    /// The ranks among rising places that are wanted.
    pub(super) fn wanted(&self, places: &[f64]) -> WantedRanks {
        match self {
            Predicate::Between(a, b) => WantedRanks::Run(ranks_between(places, (*a, *b))),
            Predicate::OneOf(_) => {
                WantedRanks::Some(std::iter::once(false).chain(places.iter().map(|&place| self.holds(place))).collect())
            }
        }
    }
}

impl From<(f64, f64)> for Predicate {
    fn from((a, b): (f64, f64)) -> Self {
        Predicate::Between(a, b)
    }
}

/// The ranks of a column that a query wants.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum WantedRanks {
    /// One run of them.
    Run(Ranks),
    /// Whether each is wanted, null first.
    Some(Vec<bool>),
}

impl WantedRanks {
    #[inline]
    pub(super) fn holds(&self, rank: u32) -> bool {
        match self {
            WantedRanks::Run(ranks) => ranks.holds(rank),
            WantedRanks::Some(ranks) => ranks[rank as usize],
        }
    }

    /// The runs of wanted ranks, each from its first to one past its last.
    pub(super) fn runs(&self) -> Vec<(u32, u32)> {
        match self {
            WantedRanks::Run(ranks) => vec![(ranks.first, ranks.first + ranks.n)],
            WantedRanks::Some(ranks) => {
                let mut runs: Vec<(u32, u32)> = Vec::new();
                for rank in (0..).zip(ranks).filter(|(_, wanted)| **wanted).map(|(rank, _)| rank) {
                    match runs.last_mut() {
                        Some((_, end)) if *end == rank => *end += 1,
                        _ => runs.push((rank, rank + 1)),
                    }
                }
                runs
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_of_the_size_asked_for_and_reach_every_value() {
        let axis = Axis::nominal("x", 10);
        let mut seen = [0u32; 10];
        for place in 0..300 {
            let mut draw = Draw::new(7, b"set", place);
            let drawn = Predicates::Sets.draw(&axis, 0.25, &mut draw);
            let Predicate::OneOf(places) = &drawn else { panic!("no set: {drawn:?}") };
            assert!(places.len() == 3 && places.is_sorted_by(|a, b| a < b), "{places:?}");
            places.iter().for_each(|&place| seen[place as usize] += 1);
            assert_eq!((drawn.share(&axis), drawn.holds(f64::NAN)), (0.3, false));
            assert!((0..10).all(|at| drawn.holds(f64::from(at)) == places.contains(&f64::from(at))));
        }
        assert!(seen.iter().all(|&n| (60..125).contains(&n)), "{seen:?}");
    }

    #[test]
    fn what_has_an_order_gets_intervals_of_the_ceiling() {
        let length = |axis: &Axis, how: Predicates, part: f64| match how.draw(axis, part, &mut Draw::new(1, b"x", 0)) {
            Predicate::Between(a, b) => b - a + if axis.discrete { 1.0 } else { 0.0 },
            Predicate::OneOf(places) => panic!("{places:?}"),
        };
        let numbers = Axis::between("x", true, 1.0, 10.0);
        assert_eq!(
            (length(&numbers, Predicates::Sets, 0.25), length(&numbers, Predicates::Intervals, 0.25)),
            (3.0, 2.0)
        );
        // A whole number of values stays that number, whatever rounding does to the volume.
        assert_eq!((length(&numbers, Predicates::Sets, 0.3), length(&numbers, Predicates::Intervals, 0.3)), (3.0, 3.0));
        assert_eq!(length(&numbers, Predicates::Sets, 1.0), 10.0);
        assert!((length(&Axis::between("x", false, 0.0, 4.0), Predicates::Sets, 0.25) - 1.0).abs() < 1e-12);
        assert_eq!(length(&Axis::nominal("x", 4), Predicates::Intervals, 0.1), 1.0);
    }

    #[test]
    fn ranks_follow_the_places() {
        let set = Predicate::OneOf(vec![1.0, 2.0, 5.0]);
        let wanted = set.wanted(&[0.0, 1.0, 2.0, 4.0, 5.0]);
        assert_eq!((0..6).filter(|&rank| wanted.holds(rank)).collect::<Vec<_>>(), [2, 3, 5]);
        assert_eq!(wanted.runs(), [(2, 4), (5, 6)]);
        assert_eq!(Predicate::from((1.0, 4.0)).wanted(&[0.0, 1.0, 2.0, 4.0, 5.0]).runs(), [(2, 5)]);
        assert!(Predicate::OneOf(Vec::new()).wanted(&[0.0]).runs().is_empty());
    }
}
