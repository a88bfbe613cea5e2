//! Answers from a generalized table.
//!
//! A query counts, group by group, the rows whose sensitive value suits it, which the table shows,
//! times the share of the group's box that lies inside the query. Two ways to take that share:
//!
//! * `uniform`: rows lie evenly in the box; the share is that of the box, attribute by attribute,
//!   multiplied. What every reader of a generalized table may do.
//! * `ends`: boxes are minimal, so of an interval `[lo, hi]` with `lo < hi` one row lies at each end
//!   and the others evenly: `(ends inside the query + (|G| - 2) * overlap / length) / |G|`. A reader may
//!   do this with a table of Scumble whose manifest does not say that boxes were moved outward. Where it does, both are the same.

use crate::boxes::Part;
use crate::{Boxes, GroupValues, Predicate, Query};

/// A generalized table, laid out for answering.
#[derive(Debug, Clone)]
pub struct Generalization {
    boxes: Vec<Boxes>,
    groups: GroupValues,
}

/// What a generalized table answers.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Estimate {
    /// With rows spread evenly over boxes.
    pub uniform: f64,
    /// With a row at each end of an interval.
    pub ends: f64,
}

impl Generalization {
    /// One box per attribute and group, in the order of the queries' attributes.
    ///
    /// # Panics
    /// If an attribute has not one box per group.
    pub fn new(boxes: Vec<Boxes>, groups: GroupValues) -> Self {
        assert!(boxes.iter().all(|column| column.n_groups() == groups.n_groups()), "a box for every group");
        Generalization { boxes, groups }
    }

    /// What the groups cover, attribute by attribute.
    pub fn boxes(&self) -> &[Boxes] {
        &self.boxes
    }

    /// The groups.
    pub fn groups(&self) -> &GroupValues {
        &self.groups
    }

    /// Estimates the answer to a query. `scratch` is kept from query to query to spare allocations.
    pub fn estimate(&self, query: &Query, scratch: &mut Scratch) -> Estimate {
        let shares = BoxShares::new(query, |at| &self.boxes[at], &mut scratch.parts);
        let wanted = self.groups.wanted(&query.sensitive);
        let mut sum = Estimate::default();
        for (group, pair) in self.groups.starts().windows(2).enumerate() {
            let share = shares.of_group(group, pair[1] - pair[0]);
            sum.add(share, || f64::from(self.groups.matching(group, &wanted)));
        }
        sum
    }
}

impl Estimate {
    /// Adds a share of the rows of a box. Most boxes lie outside a query; only the others need a look at their rows.
    #[inline]
    pub(super) fn add(&mut self, share: Estimate, rows: impl FnOnce() -> f64) {
        if share.uniform > 0.0 || share.ends > 0.0 {
            let rows = rows();
            self.uniform += share.uniform * rows;
            self.ends += share.ends * rows;
        }
    }
}

/// How much of each box of a table lies in a query: for each of the query's quasi-identifiers the parts of all shapes, and
/// the shape of each group.
pub(super) struct BoxShares<'a>(Vec<(&'a [Part], &'a [u32])>);

impl<'a> BoxShares<'a> {
    pub(super) fn new(query: &Query, boxes: impl Fn(usize) -> &'a Boxes, room: &'a mut Vec<Vec<Part>>) -> Self {
        room.resize_with(query.quasi.len().max(room.len()), Vec::new);
        let column = |(parts, (at, predicate)): (&'a mut Vec<Part>, &(usize, Predicate))| {
            boxes(*at).parts(predicate, parts);
            (parts.as_slice(), boxes(*at).of_group())
        };
        BoxShares(room.iter_mut().zip(&query.quasi).map(column).collect())
    }

    /// The share of a group's rows.
    #[inline]
    pub(super) fn of_group(&self, group: usize, size: u32) -> Estimate {
        let mut share = Estimate { uniform: 1.0, ends: 1.0 };
        for (parts, of_group) in &self.0 {
            let part = parts[of_group[group] as usize];
            share.uniform *= part.share;
            share.ends *= part.by_ends(f64::from(size));
        }
        share
    }
}

/// Room that queries share.
#[derive(Debug, Default)]
pub struct Scratch {
    pub(super) parts: Vec<Vec<Part>>,
    /// The share of each batch's values that a query wants.
    pub(super) shares: Vec<f64>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::axis::{Axis, Positions};
    use crate::boxes::Shape;
    use proptest::prelude::*;
    use scumble_release::SUPPRESSED;

    /// The definition, row by row: each published row of a group counts with the product of its shares.
    fn naive(boxes: &[Boxes], row_group: &[u32], sensitive: &Positions, query: &Query) -> Estimate {
        let mut sum = Estimate::default();
        for (row, &group) in row_group.iter().enumerate().filter(|(_, group)| **group != SUPPRESSED) {
            let place = sensitive.place(row);
            if !query.sensitive[0].1.holds(place) {
                continue;
            }
            let size = row_group.iter().filter(|&&other| other == group).count() as f64;
            let mut share = Estimate { uniform: 1.0, ends: 1.0 };
            for (at, predicate) in &query.quasi {
                let part = boxes[*at].shape(group as usize).part(boxes[*at].axis(), predicate);
                share.uniform *= part.share;
                share.ends *= part.by_ends(size);
            }
            sum.uniform += share.uniform;
            sum.ends += share.ends;
        }
        sum
    }

    fn shape(axis: &Axis, (a, b): (u8, u8), form: u8) -> Shape {
        let (lo, hi) = (f64::from(a.min(b)), f64::from(a.max(b)));
        match form {
            0 => Shape::all(axis),
            1 => Shape::null(axis),
            2 => Shape::set(axis, vec![lo, hi]),
            3 => Shape::run(axis, lo, hi),
            _ => Shape::interval(axis, lo, hi),
        }
    }

    proptest! {
        #[test]
        fn fast_equals_naive(
            rows in prop::collection::vec((prop::option::weighted(0.95, 0u32..8), prop::option::weighted(0.95, 0u8..20)), 0..120),
            corners in prop::collection::vec(((0u8..20, 0u8..20), 0u8..10), 16),
            ends in prop::collection::vec((0u8..20, 0u8..20), 3),
            swapped: bool, discrete: bool,
        ) {
            let axis = Axis::between("x", discrete, 0.0, 19.0);
            let boxes: Vec<Boxes> = corners.chunks(8).map(|column| {
                let shapes = column.iter().map(|&(corner, form)| shape(&axis, corner, form)).collect();
                Boxes::new(axis.clone(), shapes, (0..8).collect())
            }).collect();
            let row_group: Vec<u32> = rows.iter().map(|row| row.0.unwrap_or(SUPPRESSED)).collect();
            let places: Vec<f64> = rows.iter().map(|row| row.1.map_or(f64::NAN, f64::from)).collect();
            let sensitive = Positions::from_places(axis, &places);
            let interval = |(a, b): (u8, u8)| (f64::from(a.min(b)), f64::from(a.max(b)));
            let mut quasi = vec![(0, interval(ends[0]).into()), (1, interval(ends[1]).into())];
            if swapped {
                quasi.swap(0, 1);
            }
            let query = Query { quasi, sensitive: vec![(0, interval(ends[2]).into())] };
            let table = Generalization::new(boxes.clone(), GroupValues::new(&row_group, 8, &sensitive));
            let mut scratch = Scratch::default();
            // The room of an earlier query must not show through.
            table.estimate(&Query::new(vec![(1, (0.0, 3.0).into())], (0.0, 19.0)), &mut scratch);
            let fast = table.estimate(&query, &mut scratch);
            let slow = naive(&boxes, &row_group, &sensitive, &query);
            prop_assert!((fast.uniform - slow.uniform).abs() < 1e-9 && (fast.ends - slow.ends).abs() < 1e-9, "{fast:?} {slow:?}");
        }
    }

    #[test]
    fn a_query_on_everything_counts_every_row() {
        let axis = Axis::between("x", true, 0.0, 9.0);
        let boxes = Boxes::intervals(axis.clone(), &[0.0, 5.0], &[4.0, 9.0]);
        let sensitive = Positions::from_places(axis, &[1.0, 2.0, 3.0, 4.0, 5.0]);
        let table = Generalization::new(vec![boxes], GroupValues::new(&[0, 0, 1, 1, 1], 2, &sensitive));
        let all = Query::new(vec![(0, (0.0, 9.0).into())], (0.0, 9.0));
        assert_eq!(table.estimate(&all, &mut Scratch::default()), Estimate { uniform: 5.0, ends: 5.0 });
        // Two rows at 0 and 4; three rows at 5, at 9 and somewhere from 5 to 9.
        let part = Query::new(vec![(0, (3.0, 5.0).into())], (0.0, 9.0));
        let found = table.estimate(&part, &mut Scratch::default());
        assert!((found.uniform - (2.0 * 0.4 + 3.0 * 0.2)).abs() < 1e-12 && (found.ends - (1.0 + 1.2)).abs() < 1e-12);
    }
}
