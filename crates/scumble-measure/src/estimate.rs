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

use super::boxes::{Boxes, Part};
use super::groups::Groups;
use super::workload::Query;

/// A generalized table, laid out for answering.
#[derive(Debug, Clone)]
pub struct Generalization {
    boxes: Vec<Boxes>,
    groups: Groups,
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
    pub fn new(boxes: Vec<Boxes>, groups: Groups) -> Self {
        assert!(boxes.iter().all(|column| column.n_groups() == groups.n_groups()), "a box for every group");
        Generalization { boxes, groups }
    }

    /// What the groups cover, attribute by attribute.
    pub fn boxes(&self) -> &[Boxes] {
        &self.boxes
    }

    /// The groups.
    pub fn groups(&self) -> &Groups {
        &self.groups
    }

    /// Estimates the answer to a query. `scratch` is kept from query to query to spare allocations.
    pub fn estimate(&self, query: &Query, scratch: &mut Scratch) -> Estimate {
        let n_parts = query.quasi.len();
        scratch.parts.resize_with(n_parts.max(scratch.parts.len()), Vec::new);
        let mut columns: Vec<(&[Part], &[u32])> = Vec::with_capacity(n_parts);
        for (parts, (at, predicate)) in scratch.parts.iter_mut().zip(&query.quasi) {
            self.boxes[*at].parts(predicate, parts);
            columns.push((parts, self.boxes[*at].of_group()));
        }
        let wanted = self.groups.wanted(&query.sensitive);
        let mut sum = Estimate::default();
        for (group, pair) in self.groups.starts().windows(2).enumerate() {
            let size = f64::from(pair[1] - pair[0]);
            let mut share = Estimate { uniform: 1.0, ends: 1.0 };
            for (parts, of_group) in &columns {
                let part = parts[of_group[group] as usize];
                share.uniform *= part.share;
                share.ends *= part.by_ends(size);
            }
            // Most boxes lie outside a query; only the others need a look at their rows.
            if share.uniform > 0.0 || share.ends > 0.0 {
                let rows = f64::from(self.groups.matching(group, &wanted));
                sum.uniform += share.uniform * rows;
                sum.ends += share.ends * rows;
            }
        }
        sum
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
    use super::super::axis::{Axis, Positions};
    use super::super::boxes::Shape;
    use super::*;
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
            let table = Generalization::new(boxes.clone(), Groups::new(&row_group, 8, &sensitive));
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
        let table = Generalization::new(vec![boxes], Groups::new(&[0, 0, 1, 1, 1], 2, &sensitive));
        let all = Query::new(vec![(0, (0.0, 9.0).into())], (0.0, 9.0));
        assert_eq!(table.estimate(&all, &mut Scratch::default()), Estimate { uniform: 5.0, ends: 5.0 });
        // Two rows at 0 and 4; three rows at 5, at 9 and somewhere from 5 to 9.
        let part = Query::new(vec![(0, (3.0, 5.0).into())], (0.0, 9.0));
        let found = table.estimate(&part, &mut Scratch::default());
        assert!((found.uniform - (2.0 * 0.4 + 3.0 * 0.2)).abs() < 1e-12 && (found.ends - (1.0 + 1.2)).abs() < 1e-12);
    }
}
