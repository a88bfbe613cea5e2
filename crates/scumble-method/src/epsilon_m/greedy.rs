//! The guarded greedy: groups of rows that lie close together and whose
//! sensitive values keep apart.
//!
//! Let R be the rows that are left, m the least size of a group and q = |R| / m, rounded down. R is
//! *eligible* if no window of conflicting values holds more than q of its rows; then and only then
//! can R be divided (paper 1, Theorem 1). A group takes at most one row from each window, so a window
//! of exactly q rows is *tight*: it must give one, for after the group is gone only q - 1 are
//! allowed. While there is a tight window that has given nothing, the next member is taken from it;
//! otherwise from anywhere. Should the members conflict with all that a tight window has to offer,
//! they go back and a residue class of R, every q-th row in the order of values, is the group: its
//! members are at least q places apart, so none conflict, and every tight window gives one. So R
//! stays eligible to the end, and the last rows, fewer than 2m, do not conflict at all.

use super::index::{Index, Runs, exclude};
use super::leaf::Leaf;
use super::reach::LeastBox;
use super::remaining::Remaining;
use super::windows::Windows;
use crate::axis::{Axis, Shape};
use crate::coins::Stream;
use scumble_table::Monitor;

/// Rows drawn for a seed; the one farthest from the middle of the leaf becomes it, so that what is
/// left to the end lies close together.
const SEEDS: usize = 32;

/// Divides an eligible leaf into groups of at least `m` rows without conflicts; each member is drawn
/// among the `choices` best. Returns the groups as places in the leaf.
///
/// Where `people` tells the person of each place, members are of different persons as far as that can be had: residue classes
/// and the last group may still hold somebody twice, and callers look.
pub(crate) fn groups(
    leaf: &Leaf,
    axes: &[Axis],
    people: Option<&[u32]>,
    m: usize,
    choices: usize,
    coins: &mut Stream,
    monitor: Monitor<'_>,
) -> Vec<Vec<u32>> {
    let mut state = RemainingRows {
        leaf,
        windows: Windows::new(&leaf.window_counts()),
        remaining: Remaining::all(leaf.len()),
        index: Index::new(axes, &leaf.at, &leaf.value),
        people: people.map(SamePerson::new),
    };
    let middle = LeafMiddle::new(leaf, axes);
    let (mut found, mut best) = (Vec::with_capacity(leaf.len() / m.max(1)), Vec::new());
    while state.remaining.len() >= 2 * m && !monitor.is_cancelled() {
        let q = state.remaining.len() / m;
        let seed = match state.tight(q) {
            Some(window) => state.any_of(window, coins),
            None => (0..SEEDS.min(state.remaining.len()))
                .map(|_| state.remaining.nth(coins.below(state.remaining.len() as u64) as usize))
                .max_by(|&a, &b| middle.distance(leaf.row(a)).total_cmp(&middle.distance(leaf.row(b))))
                .unwrap_or_else(|| state.remaining.nth(0)),
        };
        let mut group = vec![seed as u32];
        let mut reach = LeastBox::around(axes, leaf.row(seed));
        let mut excluded = Runs::new();
        exclude(&mut excluded, leaf.conflicts[leaf.value[seed] as usize]);
        state.take(seed);
        let mut hidden = state.hide_others_of(seed);
        while group.len() < m && !monitor.is_cancelled() {
            let pool = state.tight(q).map_or((0, u32::MAX), |window| (window as u32, leaf.conflicts[window].1));
            state.index.search(&reach, pool, &excluded, choices, &mut best);
            if best.is_empty() {
                break;
            }
            let member = best[coins.below(best.len() as u64) as usize].1 as usize;
            reach.add(leaf.row(member));
            exclude(&mut excluded, leaf.conflicts[leaf.value[member] as usize]);
            state.take(member);
            hidden.extend(state.hide_others_of(member));
            group.push(member as u32);
        }
        hidden.into_iter().for_each(|item| state.index.insert(item as usize));
        if group.len() < m || state.tight(q).is_some() {
            group.iter().for_each(|&member| state.put_back(member as usize));
            group = state.residue_class_apart(q, coins.below(q as u64) as usize);
        }
        state.index.refresh();
        found.push(group);
    }
    found.push((0..state.remaining.len()).map(|rank| state.remaining.nth(rank) as u32).collect());
    found
}

/// The rows that are left, seen from three sides.
struct RemainingRows<'a> {
    leaf: &'a Leaf,
    windows: Windows,
    remaining: Remaining,
    index: Index<'a>,
    people: Option<SamePerson<'a>>,
}

/// Residue classes that are looked at for one that holds nobody twice.
const CLASSES: usize = 24;

/// The places of each person.
struct SamePerson<'a> {
    of: &'a [u32],
    /// Places by person, and where those of each place's person start and end in it.
    places: Vec<u32>,
    run: Vec<(u32, u32)>,
}

impl<'a> SamePerson<'a> {
    fn new(of: &'a [u32]) -> Self {
        let mut places: Vec<u32> = (0..of.len() as u32).collect();
        places.sort_unstable_by_key(|&place| (of[place as usize], place));
        let (mut run, mut start) = (vec![(0, 0); of.len()], 0);
        for same in places.chunk_by(|&a, &b| of[a as usize] == of[b as usize]) {
            let end = start + same.len() as u32;
            same.iter().for_each(|&place| run[place as usize] = (start, end));
            start = end;
        }
        SamePerson { of, places, run }
    }

    /// The places of the person of a place.
    fn places(&self, item: usize) -> &[u32] {
        let (start, end) = self.run[item];
        &self.places[start as usize..end as usize]
    }

    fn are_different(&self, items: &[u32]) -> bool {
        let mut persons: Vec<u32> = items.iter().map(|&item| self.of[item as usize]).collect();
        persons.sort_unstable();
        persons.windows(2).all(|pair| pair[0] != pair[1])
    }
}

impl RemainingRows<'_> {
    /// The first window that still holds `q` rows.
    fn tight(&self, q: usize) -> Option<usize> {
        (self.windows.fullest() >= q as i32).then(|| self.windows.first_fullest())
    }

    /// A random row of a window.
    fn any_of(&self, window: usize, coins: &mut Stream) -> usize {
        let last = self.leaf.conflicts[window].1 as usize;
        let from = self.remaining.below(self.leaf.starts[window] as usize);
        let to = self.remaining.below(self.leaf.starts[last + 1] as usize);
        self.remaining.nth(from + coins.below((to - from).max(1) as u64) as usize)
    }

    fn take(&mut self, item: usize) {
        let value = self.leaf.value[item] as usize;
        // The windows that hold a value start at the values it conflicts with, up to itself.
        self.windows.add(self.leaf.conflicts[value].0 as usize, value, -1);
        self.remaining.remove(item);
        self.index.remove(item);
    }

    fn put_back(&mut self, item: usize) {
        let value = self.leaf.value[item] as usize;
        self.windows.add(self.leaf.conflicts[value].0 as usize, value, 1);
        self.remaining.insert(item);
        self.index.insert(item);
    }

    /// Hides the rows of the person of a row from the search, and tells which were seen before.
    fn hide_others_of(&mut self, item: usize) -> Vec<u32> {
        let Some(people) = &self.people else { return Vec::new() };
        let seen: Vec<u32> =
            people.places(item).iter().copied().filter(|&place| self.index.has(place as usize)).collect();
        seen.iter().for_each(|&place| self.index.remove(place as usize));
        seen
    }

    /// Takes every `q`-th row from an offset on at which nobody comes twice, if one of some is found; else from the first.
    fn residue_class_apart(&mut self, q: usize, offset: usize) -> Vec<u32> {
        let mut offsets = (offset..q).chain(0..offset).take(CLASSES);
        let apart = self.people.as_ref().and_then(|people| {
            offsets.find(|&offset| {
                let ranks = (offset..self.remaining.len()).step_by(q);
                people.are_different(&ranks.map(|rank| self.remaining.nth(rank) as u32).collect::<Vec<u32>>())
            })
        });
        self.residue_class(q, apart.unwrap_or(offset))
    }

    /// Takes every `q`-th row, the first at `offset`.
    fn residue_class(&mut self, q: usize, offset: usize) -> Vec<u32> {
        let class: Vec<u32> =
            (offset..self.remaining.len()).step_by(q).map(|rank| self.remaining.nth(rank) as u32).collect();
        class.iter().for_each(|&item| self.take(item as usize));
        class
    }
}

/// The middle of a leaf on the axes that have one.
struct LeafMiddle<'a> {
    axes: &'a [Axis],
    mean: Vec<f64>,
}

impl<'a> LeafMiddle<'a> {
    fn new(leaf: &Leaf, axes: &'a [Axis]) -> Self {
        let mean = |a: usize| {
            let places = (0..leaf.len()).map(|item| axes[a].place(leaf.row(item)[a]));
            places.sum::<f64>() / leaf.len().max(1) as f64
        };
        let mean = (0..axes.len()).map(|a| if axes[a].shape() == Shape::Interval { mean(a) } else { 0.0 });
        LeafMiddle { axes, mean: mean.collect() }
    }

    fn distance(&self, at: &[u32]) -> f64 {
        let sides = self.axes.iter().zip(at).zip(&self.mean);
        sides
            .filter(|((axis, _), _)| axis.shape() == Shape::Interval)
            .map(|((axis, &p), m)| (axis.place(p) - m).abs())
            .sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coins::{Coins, Purpose};
    use proptest::prelude::*;
    use scumble_principle::{Near, Neighbourhood};
    use scumble_table::{Decimal, Domain};

    /// The fullest closed stretch of length `e`.
    fn fullest(values: &[i64], e: i64) -> usize {
        values.iter().map(|&x| values.iter().filter(|&&y| x - e <= y && y <= x).count()).max().unwrap_or(0)
    }

    proptest! {
        #![proptest_config(ProptestConfig { max_global_rejects: 100_000, ..ProptestConfig::with_cases(3000) })]

        /// The guarded greedy: after every group the rows that are left can be divided, members
        /// do not conflict, and every group has its size.
        #[test]
        fn the_rest_stays_eligible(
            rows in prop::collection::vec((0i64..40, 1u32..9), 1..90), e in 0i64..8, m in 1usize..6,
            choices in 1usize..4, seed in 0u64..500,
        ) {
            let values: Vec<i64> = rows.iter().map(|row| row.0).collect();
            prop_assume!(fullest(&values, e) * m <= values.len());
            let domain = Domain::numbers((0..40).map(Decimal::from).collect()).unwrap();
            let near = Neighbourhood::new(&domain, Near::absolute(Decimal::from(e))).unwrap();
            let axes = [Axis::new(&Domain::numbers((1..9).map(Decimal::from).collect()).unwrap(), &[0; 9])];
            let all = (0..rows.len() as u32).collect();
            let code = |row: u32| values[row as usize] as u32 + 1;
            let leaf = Leaf::new(all, 1, &near, code, |row| row, |row, at| at.push(rows[row as usize].1));
            let mut coins = Coins::from_seed(seed).stream(Purpose::Groups, 0);
            let mut left: Vec<u32> = (0..rows.len() as u32).collect();
            for group in groups(&leaf, &axes, None, m, choices, &mut coins, Monitor::silent()) {
                let value = |item: &u32| values[leaf.rows[*item as usize] as usize];
                let members: Vec<i64> = group.iter().map(value).collect();
                prop_assert!(members.len() >= m && members.len() < 2 * m);
                prop_assert_eq!(fullest(&members, e), 1);
                left.retain(|row| !group.contains(row));
                let rest: Vec<i64> = left.iter().map(value).collect();
                prop_assert!(fullest(&rest, e) * m <= rest.len());
            }
            prop_assert!(left.is_empty());
        }
    }
}
