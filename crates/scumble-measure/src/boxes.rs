//! What the groups of a generalized table cover of an attribute.

use crate::{Axis, Predicate};
use scumble_verify::Span;

/// The values that a generalized text stands for, as places on the attribute's axis.
#[derive(Debug, Clone, PartialEq)]
pub struct Shape {
    /// The least and the greatest place; NaN where no value is covered.
    lo: f64,
    hi: f64,
    /// How many values are covered, or how long the shape is.
    covered: f64,
    /// The places one by one, rising, where they need not be a run.
    members: Vec<f64>,
    /// True if a row is known to lie at each end.
    ends_held: bool,
    /// True if a row may be null.
    holds_null: bool,
}

/// How an interval of an axis meets a shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cover {
    /// No row of the shape can lie in the interval.
    Nothing,
    /// Some may and some may not.
    Part,
    /// All do.
    Whole,
}

impl Shape {
    /// A minimal interval: the least and the greatest value of a group, so a row lies at each end.
    pub fn interval(axis: &Axis, lo: f64, hi: f64) -> Self {
        Shape { ends_held: true, ..Shape::run(axis, lo, hi) }
    }

    /// All from one place to another, whether rows lie there or not.
    pub fn run(axis: &Axis, lo: f64, hi: f64) -> Self {
        let covered = if axis.discrete { hi - lo + 1.0 } else { hi - lo };
        Shape { lo, hi, covered, members: Vec::new(), ends_held: false, holds_null: false }
    }

    /// The whole axis, null too.
    pub fn all(axis: &Axis) -> Self {
        Shape { covered: axis.size(), holds_null: true, ..Shape::run(axis, axis.lo, axis.hi) }
    }

    /// Null alone, which lies in no interval and counts as one value.
    pub fn null(axis: &Axis) -> Self {
        let covered = if axis.discrete { 1.0 } else { 0.0 };
        Shape { lo: f64::NAN, hi: f64::NAN, covered, members: Vec::new(), ends_held: false, holds_null: true }
    }

    /// Several places: a set of labels, or the leaves below a node of a hierarchy. Along an axis that
    /// is measured by length only the stretch between the outermost counts.
    pub fn set(axis: &Axis, mut places: Vec<f64>) -> Self {
        // Adding 0 makes one place of -0 and 0.
        places.iter_mut().for_each(|place| *place += 0.0);
        places.sort_by(f64::total_cmp);
        places.dedup();
        match (places.first(), places.last()) {
            (Some(&lo), Some(&hi)) if !axis.discrete => Shape::run(axis, lo, hi),
            (Some(&lo), Some(&hi)) => {
                let covered = places.len() as f64;
                // A run needs no list.
                let members = if covered == hi - lo + 1.0 { Vec::new() } else { places };
                Shape { lo, hi, covered, members, ends_held: false, holds_null: false }
            }
            _ => Shape { covered: 0.0, holds_null: false, ..Shape::null(axis) },
        }
    }

    /// How many values are covered, or how long the shape is.
    pub fn covered(&self) -> f64 {
        self.covered
    }

    /// How much of the axis is covered: boxes that were moved outward may reach beyond it.
    fn covered_of(&self, axis: &Axis) -> f64 {
        let inside = self.members.is_empty() && self.hi >= axis.lo && self.lo <= axis.hi;
        if !inside || (axis.lo <= self.lo && self.hi <= axis.hi) {
            return self.covered;
        }
        Shape::run(axis, self.lo.max(axis.lo), self.hi.min(axis.hi)).covered
    }

    /// Whether rows of this shape lie in a closed interval.
    pub(super) fn cover(&self, (a, b): (f64, f64)) -> Cover {
        let none_between = || {
            let first = self.members.partition_point(|&place| place < a);
            !self.members.is_empty() && self.members.get(first).is_none_or(|&place| place > b)
        };
        // Null alone has no ends, and lies nowhere.
        if self.lo.is_nan() || self.hi < a || b < self.lo || none_between() {
            Cover::Nothing
        } else if a <= self.lo && self.hi <= b && !self.holds_null {
            Cover::Whole
        } else {
            Cover::Part
        }
    }

    /// How much of the shape a query wants.
    pub(super) fn part(&self, axis: &Axis, wanted: &Predicate) -> Part {
        if self.lo.is_nan() {
            return Part { share: 0.0, ends: None };
        }
        let share = match wanted {
            Predicate::Between(a, b) => self.share_between(axis, *a, *b),
            // Sets are asked of labels alone, which are counted.
            Predicate::OneOf(places) => self.among(places).count() as f64 / self.covered.max(1.0),
        };
        let inside = |place: f64| u8::from(wanted.holds(place));
        let ends = (self.ends_held && self.lo < self.hi).then(|| f64::from(inside(self.lo) + inside(self.hi)));
        Part { share, ends }
    }

    fn share_between(&self, axis: &Axis, a: f64, b: f64) -> f64 {
        let overlap = self.hi.min(b) - self.lo.max(a);
        if !self.members.is_empty() {
            let inside =
                self.members.partition_point(|&place| place <= b) - self.members.partition_point(|&place| place < a);
            inside as f64 / self.members.len() as f64
        } else if axis.discrete {
            (overlap + 1.0).max(0.0) / self.covered.max(1.0)
        } else if self.covered > 0.0 {
            overlap.max(0.0) / self.covered
        } else {
            f64::from(u8::from(a <= self.lo && self.lo <= b))
        }
    }

    /// Which of some places, which rise, the shape covers.
    pub(super) fn among<'a>(&'a self, places: &'a [f64]) -> impl Iterator<Item = usize> + 'a {
        let first = places.partition_point(|&place| place < self.lo);
        let end = places.partition_point(|&place| place <= self.hi);
        let covered = |place: f64| self.members.binary_search_by(|known| known.total_cmp(&place)).is_ok();
        (first..end).filter(move |&at| self.members.is_empty() || covered(places[at]))
    }

    /// The covered ranks among rising places, of which the first has rank 1; null has rank 0.
    pub(super) fn span(&self, places: &[f64]) -> Span {
        let first = places.partition_point(|&place| place < self.lo) as u32;
        let end = places.partition_point(|&place| place <= self.hi) as u32;
        if self.members.is_empty() && (first == 0 || !self.holds_null) {
            return Span::run(if self.holds_null { 0 } else { first + 1 }, end + 1);
        }
        let null = self.holds_null.then_some(0);
        Span::from_ranks(null.into_iter().chain(self.among(places).map(|at| at as u32 + 1)).collect())
    }
}

/// How much of a shape lies in a query.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Part {
    /// Of the shape, if all its values are alike.
    pub(super) share: f64,
    /// How many of its two ends; nothing where they are not known to be held, or are one.
    pub(super) ends: Option<f64>,
}

impl Part {
    /// The share of a group's rows that lie in the query, each end of a minimal interval being held by
    /// a row: `(ends inside + (|G| - 2) * share) / |G|`.
    ///
    /// The labels of a minimal set are held by a row each as well, but that changes nothing: `l` of `L`
    /// labels inside give `(l + (|G| - L) * l / L) / |G| = l / L`. Of a node one knows only that two of
    /// its children are held, not which.
    #[inline]
    pub(super) fn by_ends(self, group_size: f64) -> f64 {
        match self.ends {
            Some(ends) if group_size >= 2.0 => (ends + (group_size - 2.0) * self.share) / group_size,
            _ => self.share,
        }
    }
}

/// What the groups cover of one attribute.
#[derive(Debug, Clone)]
pub struct Boxes {
    axis: Axis,
    shapes: Vec<Shape>,
    of_group: Vec<u32>,
}

impl Boxes {
    /// Groups that share shapes.
    ///
    /// # Panics
    /// If a group names a shape that is not there.
    pub fn new(axis: Axis, shapes: Vec<Shape>, of_group: Vec<u32>) -> Self {
        assert!(of_group.iter().all(|&shape| (shape as usize) < shapes.len()), "a group without a shape");
        Boxes { axis, shapes, of_group }
    }

    /// One shape per group, in their order.
    pub fn one_each(axis: Axis, shapes: Vec<Shape>) -> Self {
        Boxes { of_group: (0..shapes.len() as u32).collect(), axis, shapes }
    }

    /// One minimal interval per group.
    ///
    /// # Panics
    /// If there are not as many upper as lower ends.
    pub fn intervals(axis: Axis, lo: &[f64], hi: &[f64]) -> Self {
        assert_eq!(lo.len(), hi.len(), "an interval has two ends");
        let shapes = lo.iter().zip(hi).map(|(&lo, &hi)| Shape::interval(&axis, lo, hi)).collect();
        Boxes::one_each(axis, shapes)
    }

    /// The axis.
    pub fn axis(&self) -> &Axis {
        &self.axis
    }

    /// Number of groups.
    pub fn n_groups(&self) -> usize {
        self.of_group.len()
    }

    /// The shape of a group.
    ///
    /// # Panics
    /// If there is no such group.
    pub fn shape(&self, group: usize) -> &Shape {
        &self.shapes[self.of_group[group] as usize]
    }

    pub(super) fn shapes(&self) -> &[Shape] {
        &self.shapes
    }

    pub(super) fn of_group(&self) -> &[u32] {
        &self.of_group
    }

    /// How much of each shape a query wants.
    pub(super) fn parts(&self, wanted: &Predicate, parts: &mut Vec<Part>) {
        parts.clear();
        parts.extend(self.shapes.iter().map(|shape| shape.part(&self.axis, wanted)));
    }

    /// What each shape covers, with the number of rows that show it.
    pub(super) fn covered(&self, sizes: &[u32]) -> Vec<(f64, u64)> {
        let mut rows = vec![0u64; self.shapes.len()];
        for (&shape, &size) in self.of_group.iter().zip(sizes) {
            rows[shape as usize] += u64::from(size);
        }
        self.shapes.iter().map(|shape| shape.covered_of(&self.axis)).zip(rows).collect()
    }
}

#[cfg(test)]
#[path = "boxes_tests.rs"]
mod tests;
