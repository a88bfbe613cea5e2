//! Rows on both sides, gathered into classes of equal ones.

use super::groups::{Classes, ColumnPair, NONE};
use super::matching::MatchingProblem;
use super::quasi::{PlacedBoxes, box_classes};
use scumble_release::{Boxed, SUPPRESSED};
use scumble_table::{RowClasses, class_members};

/// The problem of the matching, and rows to name its parts by.
pub(super) struct Rows {
    pub(super) problem: MatchingProblem,
    /// A published row of each box, from 0.
    pub(super) box_row: Vec<u32>,
    /// A source row of each point, from 0.
    pub(super) point_row: Vec<u32>,
}

/// Gathers both sides. Published rows of equal box and values are one box, source rows of equal
/// quasi-identifiers and values one point; the values together are the key.
pub(super) fn problem(boxed: &Boxed, n_source: usize, values: &[ColumnPair<'_>], quasi: &[PlacedBoxes<'_>]) -> Rows {
    let published: Vec<u32> =
        (0..boxed.row_group.len() as u32).filter(|&row| boxed.row_group[row as usize] != SUPPRESSED).collect();
    let Classes { ours: box_key, theirs, n: n_keys } = Classes::new(values, &published, n_source);
    // A source row with an unpublished value can only be a suppressed one.
    let source: Vec<u32> = (0..n_source as u32).filter(|&row| theirs[row as usize] != NONE).collect();
    let point_key = |at: usize| theirs[source[at] as usize];

    let (group_box, n_boxes) = box_classes(boxed);
    let mut classes = RowClasses::new(published.len());
    classes.push(n_keys, |at| box_key[at]);
    classes.push(n_boxes, |at| group_box[boxed.row_group[published[at] as usize] as usize]);
    let (class, n_classes) = classes.finish();
    let want = class_members(&class, n_classes);

    let mut classes = RowClasses::new(source.len());
    classes.push(n_keys, point_key);
    for (_, codes, placed) in quasi {
        classes.push(placed.n_ranks as usize, |at| placed.ranks[codes.get(source[at] as usize) as usize]);
    }
    let (class, n_classes) = classes.finish();
    let have = class_members(&class, n_classes);

    let box_row: Vec<u32> = want.iter().map(|(first, _)| published[*first as usize]).collect();
    let point_row: Vec<u32> = have.iter().map(|(first, _)| source[*first as usize]).collect();
    let problem = MatchingProblem {
        n_dims: quasi.len(),
        points: point_row
            .iter()
            .flat_map(|&row| quasi.iter().map(move |(_, codes, placed)| placed.ranks[codes.get(row as usize) as usize]))
            .collect(),
        have: have.iter().map(|(first, n)| (point_key(*first as usize), *n)).collect(),
        boxes: box_row
            .iter()
            .map(|&row| boxed.row_group[row as usize] as usize)
            .flat_map(|group| quasi.iter().map(move |(column, _, _)| column.of_group[group]))
            .collect(),
        want: want.iter().map(|(first, n)| (box_key[*first as usize], *n)).collect(),
        spans: quasi.iter().map(|(_, _, placed)| placed.spans.clone()).collect(),
        n_keys,
    };
    Rows { problem, box_row, point_row }
}
