//! Groups that need enough different people, where some have several rows.
//!
//! (k, e)-anonymity by people asks of a group what it asks of its rows, different numbers and a span, and as many different
//! people as the requirements want members. A run of sorted rows that has them keeps them as it grows. So for each start the
//! ends that will do are all from a first one on, which never falls as the start moves on: two pointers find it, and every
//! rule that looks for the best runs stays as it is. Only the places to cut are more. Where rows alone count, three cuts
//! inside the rows of one number are enough; here each row brings another person, and all are looked at.
//!
//! Rows of one number stand in a drawn order, and the optimum is that of runs in this order. Which runs there are depends on
//! whose rows are next to each other, so groups that are no runs may be better, as they never are where rows are people.

use super::number_line::{Cut, Cuts, NONE, NumberLine};
use super::sorted::Sorted;
use super::unsigned::Unsigned;
use crate::task::Task;

/// Whose row stands at each place, and how many different people a group needs.
pub(super) struct People {
    /// The person at each place.
    pub(super) of: Vec<u32>,
    /// Persons are numbered below this.
    pub(super) n: usize,
    /// A group needs this many.
    pub(super) least: u64,
}

impl People {
    /// The people of sorted rows; nothing where everybody has one row.
    pub(super) fn along(task: &Task<'_>, sorted: &Sorted) -> Option<People> {
        let people = task.bound.by_person()?;
        let persons = people.persons();
        let of = (0..sorted.len() as u32).map(|place| persons.of(sorted.row(place))).collect();
        Some(People { of, n: persons.n(), least: people.bound().least_size().max(1) })
    }

    /// True if there are enough people from a place on.
    pub(super) fn are_enough_from(&self, place: usize) -> bool {
        let mut met = vec![false; self.n];
        let new = |&&person: &&u32| !std::mem::replace(&mut met[person as usize], true);
        self.of[place..].iter().filter(new).count() as u64 >= self.least
    }
}

impl<T: Unsigned> NumberLine<T> {
    /// All places to cut, for groups of at least `k` different numbers that span at least `e` and have enough people. `of`
    /// gives the person of each row of the line.
    pub(super) fn cuts_among_people(&self, k: u64, e: T, of: &[u32], people: &People) -> Cuts {
        let n = self.n_rows() as usize;
        let mut cuts = Vec::with_capacity(n + 1);
        for value in 0..self.values.len() {
            let places = self.starts[value]..self.starts[value + 1];
            cuts.extend(places.map(|at| Cut { at, right: value as u32 }));
        }
        cuts.push(Cut { at: n as u32, right: self.values.len() as u32 });
        let mut closes = vec![NONE; n + 1];
        // Rows of each person, and different persons, between the two pointers.
        let (mut rows_of, mut persons) = (vec![0u32; people.n], 0u64);
        let mut end = 0;
        for start in 0..n {
            let from = cuts[start].right as usize;
            let passes = |end: usize, persons: u64| {
                persons >= people.least && {
                    let to = self.left(cuts[end]);
                    (to - from + 1) as u64 >= k && self.values[to] - self.values[from] >= e
                }
            };
            while end < n && !passes(end, persons) {
                let rows = &mut rows_of[of[end] as usize];
                persons += u64::from(*rows == 0);
                *rows += 1;
                end += 1;
            }
            if !passes(end, persons) {
                break;
            }
            closes[start] = end as u32;
            let rows = &mut rows_of[of[start] as usize];
            *rows -= 1;
            persons -= u64::from(*rows == 0);
        }
        Cuts { cuts, closes }
    }
}
