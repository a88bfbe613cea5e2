//! Rows that lie end to end, group by group.

use scumble_table::{Partition, Result};
use std::ops::AddAssign;

/// Cuts a slice into pieces of these sizes, whose sum must not exceed its length.
pub(crate) fn pieces<T>(mut items: &[T], sizes: impl IntoIterator<Item = usize>) -> Vec<&[T]> {
    let cut = |size: usize| {
        let (piece, rest) = items.split_at(size);
        items = rest;
        piece
    };
    sizes.into_iter().map(cut).collect()
}

/// The same with pieces that can be changed.
pub(crate) fn pieces_mut<T>(items: &mut [T], sizes: impl IntoIterator<Item = usize>) -> Vec<&mut [T]> {
    let (mut rest, mut pieces) = (items, Vec::new());
    for size in sizes {
        let (piece, after) = rest.split_at_mut(size);
        pieces.push(piece);
        rest = after;
    }
    pieces
}

/// Where groups of these sizes start, closed by the end of the last: the sums of the sizes before each.
pub(crate) fn starts<T: Copy + Default + AddAssign>(sizes: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut end = T::default();
    let ends = sizes.into_iter().map(|size| {
        end += size;
        end
    });
    std::iter::once(T::default()).chain(ends).collect()
}

/// The partition of rows that lie end to end in groups of these sizes.
pub(crate) fn partition_of_sizes(
    rows: Vec<u32>,
    sizes: impl IntoIterator<Item = u32>,
    n_rows: usize,
) -> Result<Partition> {
    Partition::new(rows, starts(sizes), n_rows)
}

/// The partition into these groups; empty ones are left out.
pub(crate) fn partition_of_groups(mut groups: Vec<Vec<u32>>, n_rows: usize) -> Result<Partition> {
    groups.retain(|group| !group.is_empty());
    let starts = starts(groups.iter().map(|group| group.len() as u32));
    Partition::new(groups.concat(), starts, n_rows)
}
