//! Groups of places among the sorted rows, laid end to end.

use super::solve::Shape;
use super::sorted::Sorted;
use crate::pieces::{pieces_mut, starts};
use rayon::prelude::*;
use scumble_table::{Partition, Result};

/// Places in the order of the numbers, group by group; inside a group they rise.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PlaceGroups {
    items: Vec<u32>,
    starts: Vec<u32>,
}

impl PlaceGroups {
    /// Groups whose places stand in any order inside each of them.
    pub(super) fn new(mut items: Vec<u32>, starts: Vec<u32>) -> Self {
        let sizes = starts.windows(2).map(|pair| (pair[1] - pair[0]) as usize);
        pieces_mut(&mut items, sizes).into_par_iter().for_each(|part| part.sort_unstable());
        PlaceGroups { items, starts }
    }

    /// Runs of numbers that start at these places, after `n_null` rows without a number, which are in no
    /// group yet.
    pub(super) fn contiguous(starts: Vec<u32>, n_null: u32) -> Self {
        let n = starts.last().copied().unwrap_or(0);
        PlaceGroups { items: (n_null..n_null + n).collect(), starts }
    }

    /// What a rule has found, after `n_null` rows without a number.
    pub(super) fn from_shape(shape: Shape, n_null: u32) -> Self {
        match shape {
            Shape::Contiguous(starts) => PlaceGroups::contiguous(starts, n_null),
            Shape::Listed(mut groups) => {
                groups.iter_mut().flatten().for_each(|place| *place += n_null);
                PlaceGroups::from_lists(&groups)
            }
        }
    }

    /// Groups given one by one.
    pub(super) fn from_lists(groups: &[Vec<u32>]) -> Self {
        PlaceGroups::new(groups.concat(), starts(groups.iter().map(|group| group.len() as u32)))
    }

    pub(super) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    pub(super) fn group(&self, at: usize) -> &[u32] {
        &self.items[self.starts[at] as usize..self.starts[at + 1] as usize]
    }

    /// How many places some neighbouring groups have.
    pub(super) fn size(&self, from: usize, to: usize) -> usize {
        (self.starts[to] - self.starts[from]) as usize
    }

    /// The places of some neighbouring groups, rising.
    pub(super) fn together(&self, from: usize, to: usize) -> Vec<u32> {
        let mut items = self.items[self.starts[from] as usize..self.starts[to] as usize].to_vec();
        items.sort_unstable();
        items
    }

    /// As groups of places.
    pub(super) fn placed(self, n: usize) -> Result<Partition> {
        Partition::new(self.items, self.starts, n)
    }

    /// As rows of the table.
    pub(super) fn into_partition(mut self, sorted: &Sorted) -> Result<Partition> {
        self.items.par_iter_mut().for_each(|item| *item = sorted.row(*item));
        Partition::new(self.items, self.starts, sorted.len())
    }
}
