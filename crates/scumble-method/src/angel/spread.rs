//! Rows dealt so that everybody's rows, and the rows of every value, are spread over all batches as evenly as can be.
//!
//! Rows are edges between people and values, and batches are colours. A bipartite multigraph in which nobody and no value
//! has more than b edges can be coloured with b colours so that no two edges of one vertex have the same (König 1916), and
//! the colours can be made equally frequent, up to one edge (de Werra 1971). So b batches in which nobody and no value comes
//! twice, and whose sizes differ by one at most, exist exactly if nobody and no value has more than b rows. A vertex of more
//! is divided into vertices of b edges and one of what is left: then it comes `n / b` times in each batch, rounded up or
//! down.
//!
//! *Colouring.* Edges come in a random order, and each takes a random colour that is free at both ends, if a few draws find
//! one. Else let a be free at the person and b at the value. The path that leaves the value along colours a, b, a, ... never
//! meets the person, which it could reach along a only. With the two colours exchanged on the path, a is free at both ends.
//!
//! *Balancing.* Edges of two colours make paths and cycles on which the colours alternate. Of the paths some have one edge
//! more of the more frequent colour; exchanging the colours on half as many of them as the two differ by makes the two equal
//! up to one, and nothing else changes.

use crate::draws::{Draws, shuffle};
use scumble_table::Monitor;
use std::collections::{BTreeSet, HashMap};

/// Colours that are drawn for an edge before a path is sought.
const DRAWN: usize = 6;

/// No colour yet.
const NONE: u32 = u32::MAX;

/// The batch of each row, below `n_batches`; nothing once the work is cancelled. Persons and values are given for each row, as
/// numbers that need not be dense.
pub(super) fn spread(
    persons: &[u32],
    values: &[u32],
    n_batches: usize,
    draws: &mut dyn Draws,
    monitor: Monitor<'_>,
) -> Option<Vec<u32>> {
    let n_colours = n_batches.max(1);
    let left = vertices(persons, n_colours);
    let n_left = left.iter().max().map_or(0, |&last| last + 1);
    let right = vertices(values, n_colours).into_iter().map(|vertex| vertex + n_left).collect();
    let mut colouring = Colouring {
        ends: [left, right],
        n_colours,
        colour: vec![NONE; persons.len()],
        at: HashMap::with_capacity(2 * persons.len()),
        sizes: vec![0; n_colours],
    };
    let mut order: Vec<u32> = (0..persons.len() as u32).collect();
    shuffle(&mut order, draws);
    for edge in order {
        if monitor.is_cancelled() {
            return None;
        }
        let colour = colouring.colour_for(edge, draws);
        colouring.put(edge, colour);
    }
    colouring.balance(draws, monitor)?;
    Some(colouring.colour)
}

/// Numbers for what rows have in common, such that no number has more than `most` rows.
fn vertices(labels: &[u32], most: usize) -> Vec<u32> {
    let mut by_label: Vec<(u32, u32)> = labels.iter().copied().zip(0..).collect();
    by_label.sort_unstable();
    let (mut vertex_of, mut next) = (vec![0; labels.len()], 0);
    for same in by_label.chunk_by(|a, b| a.0 == b.0) {
        for part in same.chunks(most) {
            part.iter().for_each(|&(_, row)| vertex_of[row as usize] = next);
            next += 1;
        }
    }
    vertex_of
}

/// Edges of which no two have the same colour at one end.
struct Colouring {
    /// The two ends of each edge; no vertex is on both sides.
    ends: [Vec<u32>; 2],
    n_colours: usize,
    /// The colour of each edge.
    colour: Vec<u32>,
    /// The edge of a colour at a vertex.
    at: HashMap<(u32, u32), u32>,
    /// Edges of each colour.
    sizes: Vec<u32>,
}

impl Colouring {
    fn put(&mut self, edge: u32, colour: u32) {
        self.colour[edge as usize] = colour;
        self.sizes[colour as usize] += 1;
        for side in 0..2 {
            self.at.insert((self.ends[side][edge as usize], colour), edge);
        }
    }

    fn is_free(&self, side: usize, edge: u32, colour: u32) -> bool {
        !self.at.contains_key(&(self.ends[side][edge as usize], colour))
    }

    /// A colour that is free at both ends of an edge: the least frequent of some that are drawn, or one that a path makes free.
    fn colour_for(&mut self, edge: u32, draws: &mut dyn Draws) -> u32 {
        let mut best = None;
        for _ in 0..DRAWN.min(self.n_colours) {
            let colour = draws.below(self.n_colours as u64) as u32;
            let is_better = best.is_none_or(|best: u32| self.sizes[colour as usize] < self.sizes[best as usize]);
            if is_better && (0..2).all(|side| self.is_free(side, edge, colour)) {
                best = Some(colour);
            }
        }
        if let Some(colour) = best {
            return colour;
        }
        let [a, b] = [0, 1].map(|side| self.free_at(side, edge, draws));
        if !self.is_free(1, edge, a) {
            let path = self.path(self.ends[1][edge as usize], 1, a, b);
            self.exchange(&path, a, b);
        }
        a
    }

    /// A colour that is free at one end of an edge. No vertex has more edges than there are colours, and this one has an edge
    /// without one, so there is such a colour.
    fn free_at(&self, side: usize, edge: u32, draws: &mut dyn Draws) -> u32 {
        let n = self.n_colours as u32;
        let first = draws.below(u64::from(n)) as u32;
        (first..n).chain(0..first).find(|&colour| self.is_free(side, edge, colour)).unwrap_or(first)
    }

    /// The edges that leave a vertex of a side along two colours in turn, `first` before `second`.
    fn path(&self, mut vertex: u32, mut side: usize, first: u32, second: u32) -> Vec<u32> {
        let (mut path, mut colours) = (Vec::new(), [first, second].into_iter().cycle());
        while let Some(&edge) = colours.next().and_then(|colour| self.at.get(&(vertex, colour))) {
            // A cycle is back where it began.
            if path.first() == Some(&edge) {
                break;
            }
            path.push(edge);
            side = 1 - side;
            vertex = self.ends[side][edge as usize];
        }
        path
    }

    /// Exchanges two colours on a path.
    fn exchange(&mut self, path: &[u32], a: u32, b: u32) {
        for &edge in path {
            let colour = self.colour[edge as usize];
            self.sizes[colour as usize] -= 1;
            for side in 0..2 {
                self.at.remove(&(self.ends[side][edge as usize], colour));
            }
        }
        for &edge in path {
            let colour = self.colour[edge as usize];
            self.put(edge, if colour == a { b } else { a });
        }
    }

    /// Makes colours equally frequent, up to one edge.
    fn balance(&mut self, draws: &mut dyn Draws, monitor: Monitor<'_>) -> Option<()> {
        let mut members: Vec<Vec<u32>> = vec![Vec::new(); self.n_colours];
        (0..).zip(&self.colour).for_each(|(edge, &colour)| members[colour as usize].push(edge));
        let mut by_size: BTreeSet<(u32, u32)> = self.sizes.iter().copied().zip(0..).collect();
        let mut met = vec![false; self.colour.len()];
        while let (Some(&few), Some(&many)) = (by_size.first(), by_size.last())
            && many.0 - few.0 > 1
        {
            if monitor.is_cancelled() {
                return None;
            }
            by_size.remove(&few);
            by_size.remove(&many);
            let mut longer = self.longer_paths(&members[many.1 as usize], many.1, few.1, &mut met);
            shuffle(&mut longer, draws);
            for path in longer.iter().take((many.0 - few.0) as usize / 2) {
                self.exchange(path, many.1, few.1);
            }
            let mut both = std::mem::take(&mut members[many.1 as usize]);
            both.append(&mut members[few.1 as usize]);
            both.into_iter().for_each(|edge| members[self.colour[edge as usize] as usize].push(edge));
            by_size.extend([few.1, many.1].map(|colour| (self.sizes[colour as usize], colour)));
        }
        Some(())
    }

    /// The paths of two colours that begin and end with an edge of the first, whose edges are given.
    fn longer_paths(&self, of_first: &[u32], first: u32, second: u32, met: &mut [bool]) -> Vec<Vec<u32>> {
        let mut found = Vec::new();
        for &edge in of_first {
            for side in 0..2 {
                let vertex = self.ends[side][edge as usize];
                if met[edge as usize] || self.at.contains_key(&(vertex, second)) {
                    continue;
                }
                let path = self.path(vertex, side, first, second);
                if path.len() % 2 == 1 {
                    path.iter().for_each(|&edge| met[edge as usize] = true);
                    found.push(path);
                }
            }
        }
        found.iter().flatten().for_each(|&edge| met[edge as usize] = false);
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coins::{Coins, Purpose};
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    fn most(labels: impl Iterator<Item = u32>) -> usize {
        let mut counts: BTreeMap<u32, usize> = BTreeMap::new();
        labels.for_each(|label| *counts.entry(label).or_default() += 1);
        counts.into_values().max().unwrap_or(0)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]

        /// Everybody and every value as evenly as can be, and sizes too, for any number of batches.
        #[test]
        fn everything_is_spread_evenly(
            rows in prop::collection::vec((0u32..9, 0u32..6), 1..70), n_batches in 1usize..30, seed in 0u64..1000,
        ) {
            let (persons, values): (Vec<u32>, Vec<u32>) = rows.iter().copied().unzip();
            let mut coins = Coins::from_seed(seed).stream(Purpose::Groups, 0);
            let batch = spread(&persons, &values, n_batches, &mut coins, Monitor::silent()).unwrap();
            let count = |labels: &[u32], label: u32, of: Option<usize>| {
                let among = (0..rows.len()).filter(|&row| of.is_none_or(|of| batch[row] as usize == of));
                among.filter(|&row| labels[row] == label).count()
            };
            for of in 0..n_batches {
                let size = batch.iter().filter(|&&one| one as usize == of).count();
                prop_assert!(size == rows.len() / n_batches || size == rows.len().div_ceil(n_batches));
                for labels in [&persons, &values] {
                    for &label in labels {
                        let (all, here) = (count(labels, label, None), count(labels, label, Some(of)));
                        prop_assert!(here == all / n_batches || here == all.div_ceil(n_batches), "{rows:?} {n_batches}");
                    }
                }
            }
        }

        /// With as many batches as the fullest vertex has rows, nobody and no value comes twice.
        #[test]
        fn nobody_comes_twice_where_there_are_batches_enough(
            rows in prop::collection::vec((0u32..20, 0u32..12), 1..90), more in 0usize..4, seed in 0u64..1000,
        ) {
            let (persons, values): (Vec<u32>, Vec<u32>) = rows.iter().copied().unzip();
            let n_batches = most(persons.iter().copied()).max(most(values.iter().copied())) + more;
            let mut coins = Coins::from_seed(seed).stream(Purpose::Groups, 0);
            let batch = spread(&persons, &values, n_batches, &mut coins, Monitor::silent()).unwrap();
            for labels in [&persons, &values] {
                let pairs = labels.iter().zip(&batch).map(|(label, batch)| label * 1000 + batch);
                prop_assert_eq!(most(pairs), 1);
            }
        }
    }
}
