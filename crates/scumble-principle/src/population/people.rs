//! The people of a population by what is known of them, each of whom counts once in a box.

use super::count_tree::{CountTree, Span};
use scumble_table::PeopleOfClasses;

/// Those who have one place each, and those who have several: the former are added up, the latter are looked at one by one.
#[derive(Debug)]
pub(super) struct PeopleTree {
    alone: CountTree,
    spread: CountTree,
    /// Who is at each place of `spread`.
    who: Vec<u32>,
    n_spread: u64,
}

impl PeopleTree {
    /// The tree over people in classes, each of which is given by `n_dims` ranks.
    pub(super) fn grow(n_dims: usize, points: &[u32], people: &PeopleOfClasses) -> PeopleTree {
        let place = |class: u32| &points[class as usize * n_dims..(class as usize + 1) * n_dims];
        let several: Vec<u32> = people.spread.iter().flat_map(|&(_, class)| place(class)).copied().collect();
        PeopleTree {
            alone: CountTree::grow(n_dims, points, &people.alone),
            spread: CountTree::grow(n_dims, &several, &vec![1; people.spread.len()]),
            who: people.spread.iter().map(|&(person, _)| person).collect(),
            n_spread: people.n_spread as u64,
        }
    }

    /// All people.
    pub(super) fn total(&self) -> u64 {
        self.alone.total() + self.n_spread
    }

    /// How many people are inside a box; at least `enough` where there are as many, for it stops counting there.
    pub(super) fn count(&self, spans: &[Span], enough: u64) -> u64 {
        let found = self.alone.count(spans, enough);
        if found >= enough || self.who.is_empty() {
            return found;
        }
        let (mut met, mut look_again) = (Vec::new(), enough - found);
        self.spread.inside(spans, |places| {
            met.extend(places.iter().map(|&place| self.who[place as usize]));
            if (met.len() as u64) < look_again {
                return true;
            }
            met.sort_unstable();
            met.dedup();
            // Looked at again when there are twice as many, so that all of it costs little more than the last look.
            look_again = (met.len() as u64).saturating_mul(2).max(enough - found);
            (met.len() as u64) < enough - found
        });
        met.sort_unstable();
        met.dedup();
        found + met.len() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn everybody_counts_once_in_a_box_however_many_rows_they_have(
            rows in proptest::collection::vec((0u32..12, 0u32..6), 0..60), lo in 0u32..6, end in 0u32..7, enough in 1u64..14,
        ) {
            let mut ranks: Vec<u32> = rows.iter().map(|row| row.1).collect();
            ranks.sort_unstable();
            ranks.dedup();
            let class = |rank: u32| ranks.binary_search(&rank).unwrap() as u32;
            let (mut alone, mut spread, mut n_spread) = (vec![0; ranks.len()], Vec::new(), 0);
            for who in 0..12 {
                let own: BTreeSet<u32> = rows.iter().filter(|row| row.0 == who).map(|row| class(row.1)).collect();
                match own.len() {
                    0 => {}
                    1 => alone[*own.first().unwrap() as usize] += 1,
                    _ => {
                        spread.extend(own.iter().map(|&class| (n_spread, class)));
                        n_spread += 1;
                    }
                }
            }
            let people = PeopleOfClasses { alone, spread, n_spread: n_spread as usize };
            let tree = PeopleTree::grow(1, &ranks, &people);
            let everybody: BTreeSet<u32> = rows.iter().map(|row| row.0).collect();
            let inside: BTreeSet<u32> = rows.iter().filter(|row| (lo..end).contains(&row.1)).map(|row| row.0).collect();
            let spans = [Span::Run(lo, end.max(lo))];
            prop_assert_eq!(tree.total(), everybody.len() as u64);
            prop_assert_eq!(tree.count(&spans, u64::MAX), inside.len() as u64);
            prop_assert_eq!(tree.count(&spans, enough) >= enough, inside.len() as u64 >= enough);
        }
    }
}
