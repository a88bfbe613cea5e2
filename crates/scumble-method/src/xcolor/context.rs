//! What all stages share: rows as positions on the axes and as values of the graph.

use crate::axis::Axis;
use crate::boxes;
use crate::mondrian::axes;
use crate::mondrian::judge::{BagMemory, Criterion, RequirementJudge};
use crate::task::Task;
use rayon::prelude::*;
use scumble_principle::dissimilarity::theory::{Classes, allowed};
use scumble_principle::{
    BoundRequirements, Dissimilarity, DissimilarityTest, Neighbours, PersonMemory, Requirement, Test,
};
use scumble_table::{Bag, Decimal, Error, Persons, Result, Role};
use std::time::Instant;

/// What all stages share.
pub(crate) struct SearchContext<'a> {
    pub(crate) task: &'a Task<'a>,
    /// The rows that classes are made of, rising: all, or those that are left once others were left out. The requirements
    /// are tied to them.
    pub(crate) rows: Vec<u32>,
    pub(crate) axes: Vec<Axis>,
    /// Positions of all rows, row after row.
    at: Vec<u32>,
    /// The value of each row of the table, as a vertex of the graph of distinct values.
    pub(crate) value: Vec<u32>,
    /// The requirement that classes are coloured for.
    pub(crate) driver: &'a DissimilarityTest,
    /// Whose rows they are, where some people have several.
    pub(crate) persons: Option<&'a Persons>,
    /// Other requirements of this kind.
    more: Vec<&'a DissimilarityTest>,
    /// The least size of a class.
    pub(crate) least: u64,
    /// Neighbours that a row of a class may have, by the size of the class.
    allowed: Vec<u32>,
    /// When to give up.
    pub(crate) deadline: Option<Instant>,
}

/// What two rows of one person weigh in a class. In classes that allow more near others than this somebody may come twice: what
/// counts is that each class is judged by people at last.
const SAME_PERSON: u32 = 1 << 8;

/// Sizes whose allowance is worked out once.
const SIZES: usize = 256;

impl<'a> SearchContext<'a> {
    pub(crate) fn new(task: &'a Task<'a>, rows: Vec<u32>, deadline: Option<Instant>) -> Result<Self> {
        let mut tests: Vec<&DissimilarityTest> = task.bound.dissimilarities().collect();
        tests.sort_by_key(|test| std::cmp::Reverse((test.principle().delta(), test.principle().epsilon())));
        let (Some((driver, more)), Some(together)) = (tests.split_first(), task.bound.joint()) else {
            let reason = "no requirement is `dissimilarity(epsilon, delta, k)`";
            return Err(Error::request("algorithm", "xcolor", reason)
                .hint("leave «algorithm» out, and the requirements choose it"));
        };
        let table = task.table;
        let n = table.n_rows();
        let least = task.bound.least_size();
        if Classes::new(rows.len() as u64, least).is_none() {
            return Err(Error::bug("a table of fewer rows than a group needs was not refused"));
        }
        let axes = axes(table);
        let quasi: Vec<_> = table.schema().of_role(Role::Quasi).into_iter().map(|c| table.column(c)).collect();
        let mut at = vec![0u32; n * axes.len()];
        at.par_chunks_mut(axes.len().max(1)).enumerate().for_each(|(row, at)| {
            for ((place, axis), codes) in at.iter_mut().zip(&axes).zip(&quasi) {
                *place = axis.position(codes.get(row));
            }
        });
        task.monitor.check()?;
        let delta = driver.principle().delta();
        Ok(SearchContext {
            task,
            rows,
            axes,
            at,
            value: together.composite().rows().iter().collect(),
            driver,
            persons: task.bound.by_person().map(|people| people.persons()),
            more: more.to_vec(),
            least,
            allowed: (0..SIZES as u64).map(|size| allowed(size, delta) as u32).collect(),
            deadline,
        })
    }

    /// Number of rows.
    pub(crate) fn n(&self) -> usize {
        self.rows.len()
    }

    /// Positions of a row.
    #[inline]
    pub(crate) fn at(&self, row: u32) -> &[u32] {
        let d = self.axes.len();
        &self.at[row as usize * d..(row as usize + 1) * d]
    }

    /// Which values are near which.
    #[inline]
    pub(crate) fn neighbours(&self) -> &Neighbours {
        self.driver.neighbours()
    }

    /// How much two rows of one class stand in each other's way: once if their values are near, and as often as a class
    /// hardly ever allows if they are of one person.
    #[inline]
    pub(crate) fn weight(&self, a: u32, b: u32) -> u32 {
        match self.is_same_person(a, b) {
            true => SAME_PERSON,
            false => u32::from(self.neighbours().near(self.value[a as usize], self.value[b as usize])),
        }
    }

    /// Whether two rows are of one person, as far as that is known.
    #[inline]
    pub(crate) fn is_same_person(&self, a: u32, b: u32) -> bool {
        self.persons.is_some_and(|persons| persons.of(a) == persons.of(b))
    }

    /// How many neighbours a row of a class may have.
    #[inline]
    pub(crate) fn allowed(&self, size: usize) -> u32 {
        match self.allowed.get(size) {
            Some(&t) => t,
            None => allowed(size as u64, self.delta()) as u32,
        }
    }

    pub(crate) fn delta(&self) -> Decimal {
        self.driver.principle().delta()
    }

    /// NCP of the box around some rows.
    pub(crate) fn cost(&self, rows: impl Iterator<Item = u32> + Clone) -> f64 {
        boxes::cost(&self.axes, rows.map(|row| self.at(row)))
    }

    /// True once the time is over, or the work was cancelled.
    pub(crate) fn is_late(&self) -> bool {
        self.task.monitor.is_cancelled() || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// The classes of at least `least` rows.
    pub(crate) fn classes(&self, least: u64) -> Result<Classes> {
        Classes::new(self.n() as u64, least).ok_or_else(|| Error::bug("a class of more rows than there are"))
    }

    /// For each value the number of other rows that are near a row of it.
    pub(crate) fn degrees(&self) -> Vec<u64> {
        self.neighbours().degrees(self.driver.weights())
    }

    /// The most other rows that are near a row.
    pub(crate) fn max_degree(&self) -> u64 {
        let degrees = self.degrees();
        degrees.iter().zip(self.driver.weights()).filter(|(_, w)| **w > 0).map(|(d, _)| *d).max().unwrap_or(0)
    }
}

/// The requirements other than the one that classes are coloured for.
pub(crate) struct OtherRequirements<'a> {
    bound: Option<BoundRequirements>,
    more: Vec<&'a DissimilarityTest>,
    context: &'a SearchContext<'a>,
}

impl<'a> OtherRequirements<'a> {
    pub(crate) fn new(context: &'a SearchContext<'a>) -> Result<Self> {
        let looks = |one: &&Requirement| one.principle().needs_values() && !one.is::<Dissimilarity>();
        let table = context.task.table;
        let rest: Vec<Requirement> = context.task.bound.requirements().iter().filter(looks).cloned().collect();
        let bound = match rest.is_empty() {
            true => None,
            false => {
                let whole = |column: usize| {
                    Bag::from_codes(context.rows.iter().map(|&row| table.column(column).get(row as usize)))
                };
                Some(BoundRequirements::bind(&rest, table.schema(), whole)?)
            }
        };
        Ok(OtherRequirements { bound, more: context.more.clone(), context })
    }

    /// True if there are none, and every row is of another person.
    pub(crate) fn is_empty(&self) -> bool {
        self.bound.is_none() && self.more.is_empty() && self.context.persons.is_none()
    }

    /// True if a class meets them, and all requirements when its people are counted where some have several rows.
    pub(crate) fn hold(&self, rows: &[u32]) -> bool {
        let people = self.context.task.bound.by_person();
        if people.is_some_and(|people| !people.holds(rows.iter().copied(), &mut PersonMemory::default())) {
            return false;
        }
        let together = self.context.task.bound.joint();
        if !self.more.is_empty() {
            let bag = together.map(|together| together.bag(rows)).unwrap_or_default();
            if !self.more.iter().all(|test| test.holds(&bag)) {
                return false;
            }
        }
        self.bound.as_ref().is_none_or(|bound| {
            let judge = RequirementJudge::new(bound, self.context.task.table, Criterion::Holds);
            judge.passes_rows(rows.iter().copied(), rows.len(), &mut BagMemory::default())
        })
    }
}
