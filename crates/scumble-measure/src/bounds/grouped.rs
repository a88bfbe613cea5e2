//! People in groups, whose numbers are known group by group.

use super::{Bounding, Ends, Selection};
use crate::axis::ranks_between;
use crate::boxes::Cover;
use crate::{Boxes, Positions, Shape};
use scumble_answer::{Aggregate, Pool};
use scumble_release::SUPPRESSED;
use scumble_table::{Result, rows_by_group};

/// Groups of people with the numbers that they have among them.
#[derive(Debug, Clone)]
pub struct GroupedNumbers {
    pool: Pool,
    scale: u8,
    /// Group of each person, or [`SUPPRESSED`].
    group: Vec<u32>,
    /// Number of each person in units of `10^-scale`.
    numbers: Vec<Option<i128>>,
    range: Option<Range>,
}

#[derive(Debug, Clone)]
struct Range {
    /// What the groups cover.
    boxes: Boxes,
    /// Groups of the people who have a place, and these ranks; nothing where only boxes are known.
    exact: Option<(Vec<u32>, Vec<u32>)>,
    places: Vec<f64>,
}

impl GroupedNumbers {
    /// People by their group, or [`SUPPRESSED`], and their number in units of `10^-scale`, given by a code and a table of
    /// numbers. Arbitrary questions select among them.
    ///
    /// Where only the values of each group are known, they may be assigned to its people in any order: an arbitrary question
    /// selects people without looking at anything, so any assignment gives answers of the same distribution.
    ///
    /// # Errors
    /// If a code has no number.
    pub fn new(group: Vec<u32>, n_groups: usize, codes: &[u32], numbers: &[Option<i128>], scale: u8) -> Result<Self> {
        let grouped = rows_by_group(&group, n_groups);
        let keys: Vec<u32> = grouped.rows.iter().map(|&person| codes[person as usize]).collect();
        let number = |code: u32| numbers.get(code as usize).copied().flatten();
        let pool = Pool::new(grouped.starts, &keys, numbers.len(), number)?;
        let numbers = codes.iter().map(|&code| number(code)).collect();
        Ok(GroupedNumbers { pool, scale, group, numbers, range: None })
    }

    /// With ranges over a column whose exact places are published: those of the people by group. A generalization of the same
    /// groups would show the least box of each.
    ///
    /// # Panics
    /// If there is not one group per row of the column.
    pub fn with_places(mut self, column: &Positions, row_group: &[u32]) -> Self {
        assert_eq!(column.len(), row_group.len(), "a group for every row");
        let axis = column.axis().clone();
        let mut ends = vec![(f64::INFINITY, f64::NEG_INFINITY, false); self.pool.n_groups()];
        let (mut groups, mut ranks) = (Vec::with_capacity(row_group.len()), Vec::with_capacity(row_group.len()));
        for (row, &group) in row_group.iter().enumerate().filter(|(_, group)| **group != SUPPRESSED) {
            let place = column.place(row);
            let end = &mut ends[group as usize];
            if place.is_nan() {
                end.2 = true;
            } else {
                *end = (end.0.min(place), end.1.max(place), end.2);
                groups.push(group);
                ranks.push(column.ranks()[row]);
            }
        }
        let shape = |&(lo, hi, null): &(f64, f64, bool)| match null {
            true if lo > hi => Shape::null(&axis),
            true => Shape::all(&axis),
            false => Shape::interval(&axis, lo, hi),
        };
        let boxes = Boxes::one_each(axis.clone(), ends.iter().map(shape).collect());
        self.range = Some(Range { boxes, exact: Some((groups, ranks)), places: column.places().to_vec() });
        self
    }

    /// With ranges over a column of which boxes are published.
    pub fn with_boxes(mut self, boxes: Boxes) -> Self {
        self.range = Some(Range { boxes, exact: None, places: Vec::new() });
        self
    }

    /// As a release of exact quasi-identifiers answers: it is known who is selected.
    pub fn exact(&self) -> impl Bounding + '_ {
        Exact(self)
    }

    /// As a generalized release answers: a group is inside, outside, or it is not known who of it is selected.
    pub fn boxed(&self) -> impl Bounding + '_ {
        Boxed(self)
    }

    /// The number of each person, NaN where it is null.
    pub fn numbers(&self) -> Vec<f64> {
        let unit = self.unit();
        self.numbers.iter().map(|number| number.map_or(f64::NAN, |number| number as f64 / unit)).collect()
    }

    fn unit(&self) -> f64 {
        10f64.powi(i32::from(self.scale))
    }

    /// Bounds where of each group between `least` and `most` people are selected.
    fn bounds(&self, aggregate: Aggregate, groups: impl Iterator<Item = (u32, u32, u32)>) -> Result<Ends> {
        let bounds = self.pool.matching(None)?.bounds_between(aggregate, groups)?;
        Ok(bounds.map(|(lower, upper)| (lower.to_f64() / self.unit(), upper.to_f64() / self.unit())))
    }

    fn bounds_of_hits(&self, aggregate: Aggregate, selected: impl Iterator<Item = u32>) -> Result<Ends> {
        let mut hits = vec![0u32; self.pool.n_groups()];
        selected.filter(|group| *group != SUPPRESSED).for_each(|group| hits[group as usize] += 1);
        self.bounds(aggregate, (0..).zip(hits).filter(|(_, n)| *n > 0).map(|(group, n)| (group, n, n)))
    }

    fn size(&self, group: u32) -> u32 {
        self.pool.size(group) as u32
    }
}

/// People whose groups are known one by one.
#[derive(Debug, Clone, Copy)]
struct Exact<'a>(&'a GroupedNumbers);

impl Bounding for Exact<'_> {
    fn people_bounds(&self, aggregate: Aggregate, people: &Selection) -> Result<Ends> {
        self.0.bounds_of_hits(aggregate, people.iter().map(|person| self.0.group[person]))
    }

    fn range_bounds(&self, aggregate: Aggregate, range: (f64, f64)) -> Result<Ends> {
        let Some(Range { exact: Some((groups, ranks)), places, .. }) = &self.0.range else { return Ok(None) };
        let wanted = ranks_between(places, range);
        let inside = groups.iter().zip(ranks).filter(|(_, rank)| wanted.holds(**rank));
        self.0.bounds_of_hits(aggregate, inside.map(|(group, _)| *group))
    }
}

/// People who are known by the boxes of their groups only.
#[derive(Debug, Clone, Copy)]
struct Boxed<'a>(&'a GroupedNumbers);

impl Bounding for Boxed<'_> {
    /// Boxes do not tell who is meant, so any number of any group may be: "from a generalized table, we cannot know for sure how
    /// many tuples are actually selected" (section 7.1).
    fn people_bounds(&self, aggregate: Aggregate, _: &Selection) -> Result<Ends> {
        let groups = 0..self.0.pool.n_groups() as u32;
        self.0.bounds(aggregate, groups.map(|group| (group, 0, self.0.size(group))))
    }

    fn range_bounds(&self, aggregate: Aggregate, range: (f64, f64)) -> Result<Ends> {
        let Some(Range { boxes, .. }) = &self.0.range else { return Ok(None) };
        let groups = (0..self.0.pool.n_groups() as u32).filter_map(|group| {
            let size = self.0.size(group);
            match boxes.shape(group as usize).cover(range) {
                Cover::Nothing => None,
                Cover::Part => Some((group, 0, size)),
                Cover::Whole => Some((group, size, size)),
            }
        });
        self.0.bounds(aggregate, groups)
    }
}
