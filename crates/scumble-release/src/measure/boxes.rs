//! What the groups of a generalized table cover of an attribute.

use super::axis::Axis;

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
    /// True if a row may be null beside all that is covered.
    null_too: bool,
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
        Shape { lo, hi, covered, members: Vec::new(), ends_held: false, null_too: false }
    }

    /// The whole axis, null too.
    pub fn all(axis: &Axis) -> Self {
        Shape { covered: axis.size(), null_too: true, ..Shape::run(axis, axis.lo, axis.hi) }
    }

    /// Null alone, which lies in no interval and counts as one value.
    pub fn null(axis: &Axis) -> Self {
        let covered = if axis.discrete { 1.0 } else { 0.0 };
        Shape { lo: f64::NAN, hi: f64::NAN, covered, members: Vec::new(), ends_held: false, null_too: false }
    }

    /// Several places: a set of labels, or the leaves below a node of a hierarchy. Along an axis that
    /// is measured by length only the stretch between the outermost counts.
    pub fn set(axis: &Axis, mut places: Vec<f64>) -> Self {
        places.sort_by(f64::total_cmp);
        places.dedup();
        match (places.first(), places.last()) {
            (Some(&lo), Some(&hi)) if !axis.discrete => Shape::run(axis, lo, hi),
            (Some(&lo), Some(&hi)) => {
                let covered = places.len() as f64;
                // A run needs no list.
                let members = if covered == hi - lo + 1.0 { Vec::new() } else { places };
                Shape { lo, hi, covered, members, ends_held: false, null_too: false }
            }
            _ => Shape { covered: 0.0, ..Shape::null(axis) },
        }
    }

    /// How many values are covered, or how long the shape is.
    pub fn covered(&self) -> f64 {
        self.covered
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
        } else if a <= self.lo && self.hi <= b && !self.null_too {
            Cover::Whole
        } else {
            Cover::Part
        }
    }

    /// How much of the shape lies in a closed interval.
    pub(super) fn part(&self, axis: &Axis, (a, b): (f64, f64)) -> Part {
        if self.lo.is_nan() {
            return Part { share: 0.0, ends: None };
        }
        let overlap = self.hi.min(b) - self.lo.max(a);
        let share = if !self.members.is_empty() {
            let inside =
                self.members.partition_point(|&place| place <= b) - self.members.partition_point(|&place| place < a);
            inside as f64 / self.members.len() as f64
        } else if axis.discrete {
            (overlap + 1.0).max(0.0) / self.covered.max(1.0)
        } else if self.covered > 0.0 {
            overlap.max(0.0) / self.covered
        } else {
            f64::from(u8::from(a <= self.lo && self.lo <= b))
        };
        let inside = |place: f64| u8::from(a <= place && place <= b);
        let ends = (self.ends_held && self.lo < self.hi).then(|| f64::from(inside(self.lo) + inside(self.hi)));
        Part { share, ends }
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

    /// One minimal interval per group.
    ///
    /// # Panics
    /// If there are not as many upper as lower ends.
    pub fn intervals(axis: Axis, lo: &[f64], hi: &[f64]) -> Self {
        assert_eq!(lo.len(), hi.len(), "an interval has two ends");
        let shapes = lo.iter().zip(hi).map(|(&lo, &hi)| Shape::interval(&axis, lo, hi)).collect();
        Boxes { axis, shapes, of_group: (0..lo.len() as u32).collect() }
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

    pub(super) fn of_group(&self) -> &[u32] {
        &self.of_group
    }

    /// How much of each shape lies in an interval.
    pub(super) fn parts(&self, interval: (f64, f64), parts: &mut Vec<Part>) {
        parts.clear();
        parts.extend(self.shapes.iter().map(|shape| shape.part(&self.axis, interval)));
    }

    /// What each shape covers, with the number of rows that show it.
    pub(super) fn covered(&self, sizes: &[u32]) -> Vec<(f64, u64)> {
        let mut rows = vec![0u64; self.shapes.len()];
        for (&shape, &size) in self.of_group.iter().zip(sizes) {
            rows[shape as usize] += u64::from(size);
        }
        self.shapes.iter().map(Shape::covered).zip(rows).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_of_every_shape() {
        let axis = Axis::between("x", true, 0.0, 9.0);
        let share = |shape: &Shape, a: f64, b: f64| shape.part(&axis, (a, b)).share;
        let interval = Shape::interval(&axis, 2.0, 5.0);
        assert_eq!(
            [share(&interval, 0.0, 1.0), share(&interval, 5.0, 9.0), share(&interval, 0.0, 9.0)],
            [0.0, 0.25, 1.0]
        );
        let holes = Shape::set(&axis, vec![7.0, 1.0, 3.0, 1.0]);
        assert_eq!((holes.covered(), share(&holes, 2.0, 7.0), share(&holes, 4.0, 6.0)), (3.0, 2.0 / 3.0, 0.0));
        assert_eq!(Shape::set(&axis, vec![4.0, 3.0]), Shape::run(&axis, 3.0, 4.0));
        assert_eq!((Shape::all(&axis).covered(), share(&Shape::all(&axis), 0.0, 4.0)), (10.0, 0.5));
        assert_eq!((Shape::null(&axis).covered(), share(&Shape::null(&axis), 0.0, 9.0)), (1.0, 0.0));
        assert_eq!((Shape::set(&axis, Vec::new()).covered(), share(&Shape::set(&axis, vec![]), 0.0, 9.0)), (0.0, 0.0));
    }

    #[test]
    fn intervals_cover_shapes_whole_in_part_or_not() {
        let axis = Axis::between("x", true, 0.0, 9.0);
        let cover = |shape: &Shape, a: f64, b: f64| shape.cover((a, b));
        let interval = Shape::interval(&axis, 2.0, 5.0);
        assert_eq!(
            [cover(&interval, 2.0, 5.0), cover(&interval, 5.0, 9.0), cover(&interval, 6.0, 9.0)],
            [Cover::Whole, Cover::Part, Cover::Nothing]
        );
        let holes = Shape::set(&axis, vec![1.0, 3.0, 7.0]);
        assert_eq!(
            [cover(&holes, 1.0, 7.0), cover(&holes, 2.0, 9.0), cover(&holes, 4.0, 6.0)],
            [Cover::Whole, Cover::Part, Cover::Nothing]
        );
        // Null lies in no interval, so a star is never covered whole.
        assert_eq!(
            (cover(&Shape::all(&axis), 0.0, 9.0), cover(&Shape::null(&axis), 0.0, 9.0)),
            (Cover::Part, Cover::Nothing)
        );
    }

    #[test]
    fn lengths_along_a_continuous_axis() {
        let axis = Axis::between("x", false, 0.0, 10.0);
        let share = |shape: &Shape, a: f64, b: f64| shape.part(&axis, (a, b)).share;
        assert_eq!(share(&Shape::interval(&axis, 2.0, 4.0), 3.0, 9.0), 0.5);
        let point = Shape::interval(&axis, 2.0, 2.0);
        assert_eq!((share(&point, 2.0, 3.0), share(&point, 2.1, 3.0), point.covered()), (1.0, 0.0, 0.0));
        assert_eq!(Shape::set(&axis, vec![1.0, 4.0, 3.0]), Shape::run(&axis, 1.0, 4.0));
        assert_eq!(Shape::null(&axis).covered(), 0.0);
    }

    #[test]
    fn ends_are_held_by_a_row_each() {
        let axis = Axis::between("x", true, 0.0, 9.0);
        let part = |a, b| Shape::interval(&axis, 0.0, 9.0).part(&axis, (a, b));
        // Two rows lie at the ends; ten rows leave eight that may lie anywhere.
        assert_eq!((part(0.0, 4.0).by_ends(2.0), part(1.0, 8.0).by_ends(2.0)), (0.5, 0.0));
        assert_eq!(part(0.0, 0.0).by_ends(10.0), (1.0 + 8.0 * 0.1) / 10.0);
        assert_eq!(part(0.0, 9.0).by_ends(7.0), 1.0);
        // A point, a run that need not be held at its ends, and a group of one row.
        assert_eq!(Shape::interval(&axis, 3.0, 3.0).part(&axis, (3.0, 9.0)).by_ends(5.0), 1.0);
        assert_eq!(Shape::run(&axis, 0.0, 9.0).part(&axis, (0.0, 0.0)).by_ends(10.0), 0.1);
        assert_eq!(part(0.0, 0.0).by_ends(1.0), 0.1);
    }
}
