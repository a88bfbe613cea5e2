//! Batches dealt by chance: given all that is published, every assignment of a batch's values to its people is
//! equally likely.
//!
//! *The plan.* Rows are laid in line by value and dealt in turn to b batches: row i goes to batch `i mod b`. A value of n
//! rows so has `n / b` of them, rounded up or down, in each batch, and sizes differ by at most one. Where batches of m
//! different values serve, values are first put in classes of similar frequency: from the most frequent value down, each
//! class takes values until it has m rows for each row of its first value, and is dealt by itself. So no value
//! occurs twice in a batch, and batches that meet in a box mostly hold the same values or none in common: that near people share a value,
//! as they do in the world, then shows as little as it can. How many batches there are and which values each of them
//! holds depends on how often each value occurs in the region and on nothing else.
//!
//! *The draw.* The rows of a value stand in a uniformly random order. A given division of the people into batches comes
//! from `prod_v prod_B c(v, B)!` of the `prod_v n(v)!` orders, where `c(v, B)` is how often batch B holds value v.
//! These numbers are those of the batches, the same for every assignment of values to people under which the batches
//! hold what they do. So all of these assignments make the release equally likely, and a reader who held them for
//! equally likely before still does: the probability that a person of a batch has a value is its share in the batch.

use super::deal_people::DealtBatches;
use super::distinct::Distinct;
use super::whose::PeopleByPlace;
use crate::coins::Purpose;
use crate::draws::{Source, shuffle};
use crate::task::least_size;
use scumble_principle::{BoundRequirements, Group};
use scumble_table::{Bag, Monitor, Table};
use std::cmp::Reverse;
use std::ops::Range;

/// Up to this many numbers of batches are tried one by one; beyond, the search is by halving.
const ONE_BY_ONE: usize = 64;

/// What all regions share. Rows are named by their place in the order of the buckets.
pub(super) struct ChanceDealer<'a> {
    pub(super) bound: &'a BoundRequirements,
    /// The sensitive columns of the rows in that order.
    pub(super) sensitive: &'a Table,
    /// Batches of different values, where they serve.
    pub(super) distinct: Option<Distinct>,
    /// The value of each place; equal numbers stand for equal values in all sensitive columns, and numbers rise with the
    /// column whose values must differ.
    pub(super) values: &'a [u32],
    /// Whose rows they are, where some people have several.
    pub(super) whose: Option<&'a PeopleByPlace<'a>>,
    pub(super) source: &'a dyn Source,
    pub(super) monitor: Monitor<'a>,
}

impl ChanceDealer<'_> {
    /// Deals the rows of a region, which must satisfy the requirements together: the places of the batches laid end to
    /// end, and their sizes. Nothing where people have several rows and no batches were found.
    pub(super) fn deal(&self, region: Range<usize>) -> Option<DealtBatches> {
        let first = region.start as u64;
        let mut line: Vec<u32> = (region.start as u32..region.end as u32).collect();
        line.sort_unstable_by_key(|&place| (self.values[place as usize], place));
        let mut draws = self.source.at(Purpose::Groups, first);
        for same in line.chunk_by_mut(|&a, &b| self.values[a as usize] == self.values[b as usize]) {
            shuffle(same, &mut *draws);
        }
        if self.monitor.is_cancelled() {
            return Some((line, Vec::new()));
        }
        if let Some(whose) = self.whose {
            return self.deal_people(whose, &line, &mut *draws);
        }
        let mut dealt = (Vec::with_capacity(line.len()), Vec::new());
        match self.classes(&line) {
            Some((classes, m)) => classes.iter().for_each(|class| in_turn(class, class.len() / m, &mut dealt)),
            None => in_turn(&line, self.n_batches(&line), &mut dealt),
        }
        Some(dealt)
    }

    /// The line in classes of similar frequency, each with the least size of its batches; none where batches of different
    /// values do not serve.
    pub(super) fn classes(&self, line: &[u32]) -> Option<(Vec<Vec<u32>>, usize)> {
        let Distinct { column, m } = self.distinct?;
        let codes = self.sensitive.column(column);
        let code = |place: &u32| codes.get(*place as usize);
        let mut by_value: Vec<&[u32]> = line.chunk_by(|a, b| code(a) == code(b)).collect();
        by_value.sort_by_key(|rows| Reverse(rows.len()));
        if by_value.first().is_none_or(|rows| rows.len() > line.len() / m) {
            return None;
        }
        let (mut classes, mut class, mut top) = (Vec::new(), Vec::new(), 0);
        for rows in by_value {
            if class.is_empty() {
                top = rows.len();
            }
            class.extend_from_slice(rows);
            if class.len() / m >= top {
                classes.push(std::mem::take(&mut class));
            }
        }
        // What is left at the end has too few rows for its own most frequent value, which the class before has not.
        match classes.last_mut() {
            Some(last) => last.append(&mut class),
            None => classes.push(class),
        }
        Some((classes, m))
    }

    /// The most batches that all pass, or nearly: which row of a value stands where in the line makes no difference.
    fn n_batches(&self, line: &[u32]) -> usize {
        let most = line.len() / least_size(self.bound);
        if !self.bound.needs_values() {
            return most.max(1);
        }
        let starts: Vec<usize> = (0..line.len())
            .filter(|&i| i == 0 || self.values[line[i] as usize] != self.values[line[i - 1] as usize])
            .collect();
        if most <= ONE_BY_ONE {
            return (2..=most)
                .rev()
                .find(|&n| self.monitor.is_cancelled() || self.passes(line, &starts, n))
                .unwrap_or(1);
        }
        let (mut passing, mut failing) = (1, most + 1);
        while failing - passing > 1 && !self.monitor.is_cancelled() {
            let middle = passing + (failing - passing) / 2;
            if self.passes(line, &starts, middle) {
                passing = middle;
            } else {
                failing = middle;
            }
        }
        passing
    }

    /// Whether `n_batches` batches all pass. Batches between two ends of values are equal, and one of them is asked.
    fn passes(&self, line: &[u32], starts: &[usize], n_batches: usize) -> bool {
        let mut asked: Vec<usize> = match starts.len() < n_batches {
            true => starts.iter().chain([&line.len()]).map(|start| start % n_batches).collect(),
            false => (0..n_batches).collect(),
        };
        asked.sort_unstable();
        asked.dedup();
        let needed = self.bound.sensitive_needed();
        let mut bags = vec![Bag::default(); self.sensitive.schema().attributes().len()];
        asked.into_iter().all(|batch| {
            let members = line[batch..].iter().step_by(n_batches);
            for &column in &needed {
                let codes = self.sensitive.column(column);
                bags[column] = Bag::from_codes(members.clone().map(|&place| codes.get(place as usize)));
            }
            self.bound.holds(Group { size: members.len() as u64, bags: &bags })
        })
    }
}

/// Deals a line in turn to `n_batches` batches.
pub(super) fn in_turn(line: &[u32], n_batches: usize, (places, sizes): &mut (Vec<u32>, Vec<u32>)) {
    for batch in 0..n_batches {
        let before = places.len();
        places.extend(line[batch..].iter().step_by(n_batches));
        sizes.push((places.len() - before) as u32);
    }
}
